#include "mode/page.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/history.h"
#include "view/pairs.h"
#include "view/table.h"
#include "view/task_page.h"

#include "mode/app.h"
#include "mode/history_view.h"
#include "mode/pager.h"
#include "mode/strips.h"
#include "playback/playback.h"

/* What the page is about. */
struct subject {
	int32_t pid, tid;
	char name[TASK_NAME_MAX]; /* raw bytes; "" unknown */
};

static bool is_task(const struct actor *actor)
{
	return actor && actor->pid > 0 && actor->number >= ACTOR_FIRST;
}

const struct actor *page_actor(struct app *app)
{
	const struct view_row *row = app_row(app);
	const struct actor *actor = NULL;

	if (strips_are_shown(app))
		actor = strips_actor(app);
	else if (row && row->entry)
		actor = is_task(row->prev) ? row->prev : row->next;
	else if (row && row->pair && playback_history(app->playback))
		actor = history_find_actor(playback_history(app->playback), row->pair->victim);
	return is_task(actor) ? actor : NULL;
}

static bool take_actor(const struct actor *actor, struct subject *subject)
{
	if (!actor)
		return false;
	*subject = (struct subject){.pid = actor->pid, .tid = actor->tid};
	memcpy(subject->name, actor->name, sizeof(subject->name));
	return true;
}

static bool take_task(const struct app *app, const struct view_row *row, struct subject *subject)
{
	if (row->pid <= 0)
		return false;
	*subject = (struct subject){.pid = row->pid, .tid = app->threads ? row->tid : row->pid};
	memcpy(subject->name, row->task->name, sizeof(subject->name));
	return true;
}

static bool take_row(struct app *app, struct subject *subject)
{
	const struct view_row *row = app_row(app);

	if (take_actor(page_actor(app), subject))
		return true;
	return !strips_are_shown(app) && row && row->task && take_task(app, row, subject);
}

/* What the newest snapshot calls it; false: it does not have it. */
static bool take_name(const struct app *app, struct subject *subject)
{
	const struct snapshot *snapshot = app_snapshot(app);
	bool is_there = false;

	for (size_t i = 0; snapshot && i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->tid != subject->tid)
			continue;
		subject->pid = task->pid;
		memcpy(subject->name, task->name, sizeof(subject->name));
		is_there = true;
	}
	return is_there;
}

/* A number that the snapshot does not have may still be that of a process in the history. */
static bool take_number(const struct app *app, const char *words, struct subject *subject)
{
	uint64_t number;

	if (!units_parse_u64(words, 1, INT_MAX, &number))
		return false;
	*subject = (struct subject){.pid = (int32_t)number, .tid = (int32_t)number};
	take_name(app, subject);
	return true;
}

/* False: the task is unknown; the text is then as it was. */
static bool write_page(struct app *app, int32_t pid, int32_t tid)
{
	const struct snapshot *past[TASK_PAGE_PAST];
	struct text_marks marks = {0};
	const struct task_page_input input = {
		.past = past,
		.past_count = playback_past(app->playback, past, TASK_PAGE_PAST),
		.pid = pid,
		.tid = tid,
		.snapshot = app_snapshot(app),
		.session = engine_session(app->engine),
		.metrics = app_metrics(app),
		.history = playback_history(app->playback),
		.users = view_table_users(app->table),
		.width = app->screen.width,
		.ascii = app->ascii,
		.marks = &marks,
	};
	struct strbuf text = {0};

	if (!input.snapshot || !task_page_write(&text, &input)) {
		strbuf_fini(&text);
		text_marks_fini(&marks);
		return false;
	}
	pager_set_text(app->pager, &text, &marks);
	app->needs_drawing = true;
	return true;
}

bool page_find_task(struct app *app, int32_t *pid, int32_t *tid)
{
	struct subject subject = {.pid = app->page->pid, .tid = app->page->tid};

	if (!app->page->is_open && !take_row(app, &subject))
		return false;
	*pid = subject.pid;
	*tid = subject.tid;
	return true;
}

static void write_title(struct app *app, const struct subject *subject)
{
	char name[TASK_NAME_MAX * 4];

	text_safe(name, sizeof(name), subject->name, app->ascii);
	snprintf(app->page->title, sizeof(app->page->title), "%s%s%d (q: back)", name,
		 name[0] != '\0' ? " " : "", subject->tid);
}

bool page_refuse(struct app *app, struct error *error)
{
	const struct view_row *row = strips_are_shown(app) ? NULL : app_row(app);

	if (row && row->kind == ROW_EXITED)
		return error_set(error, ERROR_TASK_FOLDED, NULL, NULL);
	if (row && row->kind == ROW_UNATTRIBUTED)
		return error_set(error, ERROR_TASK_UNATTRIBUTED, NULL, NULL);
	return error_set(error, ERROR_TASK_NONE, NULL, NULL);
}

bool page_open(struct app *app, const char *words, struct error *error)
{
	struct subject subject;
	char number[16];

	if (words[0] == '\0' && !take_row(app, &subject))
		return page_refuse(app, error);
	if (words[0] != '\0' && !take_number(app, words, &subject))
		return error_set(error, ERROR_PID_BAD, words, NULL);
	history_view_need_scheduler(app);
	if (!write_page(app, subject.pid, subject.tid)) {
		snprintf(number, sizeof(number), "%d", subject.tid);
		return error_set(error, ERROR_TASK_UNKNOWN, number, NULL);
	}
	write_title(app, &subject);
	pager_open(app, app->page->title);
	app->page->pid = subject.pid;
	app->page->tid = subject.tid;
	app->page->is_open = true;
	return true;
}

void page_close(struct app *app)
{
	app->page->is_open = false;
	pager_close(app);
}

/* A page of another time would be wrong. */
static void write_absence(struct app *app)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "Task %d was not there in this interval.\n", app->page->tid);
	pager_set_text(app->pager, &text, NULL);
	app->needs_drawing = true;
}

/* Of a task that is no longer known the last page stays. */
void page_refresh(struct app *app)
{
	struct subject subject = {.pid = app->page->pid, .tid = app->page->tid};

	if (!app->page->is_open)
		return;
	if (write_page(app, subject.pid, subject.tid)) {
		/* programs name themselves, and become others */
		if (take_name(app, &subject))
			write_title(app, &subject);
		return;
	}
	if (playback_is_frozen(app->playback))
		write_absence(app);
}
