#include "mode/page.h"

#include <inttypes.h>
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
#include "view/verdict_rules.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/drawing.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/pager.h"
#include "mode/task_scope.h"
#include "playback/playback.h"
#include "session/resolve.h"
#include "term/key.h"

enum {
	PAST_OF_LINES = 60 /* intervals that its beginning says something of */
};

static struct task_page *page_of(const struct app *app)
{
	return app->parts[PART_page];
}

static void fini_page(void *state)
{
	struct task_page *page = state;

	view_table_destroy(page->table);
}

static bool is_task_actor(const struct actor *actor)
{
	return actor && actor->pid > 0 && actor->number >= ACTOR_FIRST;
}

/* NULL: none, or tasks are drawn. */
static const struct view_row *selected_row(struct app *app)
{
	const struct drawing *drawing = app_drawing(app);

	return drawing && drawing->actor ? NULL : app_row(app);
}

const struct actor *page_actor(struct app *app)
{
	const struct drawing *drawing = app_drawing(app);
	const struct view_row *row = selected_row(app);
	const struct actor *actor = NULL;

	if (drawing && drawing->actor)
		actor = drawing->actor(app);
	else if (row && row->entry)
		actor = is_task_actor(row->prev) ? row->prev : row->next;
	else if (row && row->pair && playback_history(app->playback))
		actor = history_find_actor(playback_history(app->playback), row->pair->victim);
	return is_task_actor(actor) ? actor : NULL;
}

bool page_take_row(struct app *app, struct page_subject *subject)
{
	const struct view_row *row = selected_row(app);
	const struct actor *actor = page_actor(app);

	if (!actor && (!row || !row->task || row->pid <= 0 || compared_refuse_row(app, NULL)))
		return false;
	if (actor)
		*subject = (struct page_subject){.pid = actor->pid, .tid = actor->tid};
	else
		*subject = (struct page_subject){.pid = row->pid,
						 .tid = app->request.settings.threads ? row->tid
										      : row->pid,
						 .id = row->task->id};
	memcpy(subject->name, actor ? actor->name : row->task->name, sizeof(subject->name));
	return true;
}

/* What the newest snapshot calls it; false: it does not have it. */
static bool take_name(const struct app *app, struct page_subject *subject)
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
static bool take_pid(const struct app *app, const char *words, struct page_subject *subject)
{
	uint64_t number;

	if (!units_parse_u64(words, 1, INT_MAX, &number))
		return false;
	*subject = (struct page_subject){.pid = (int32_t)number, .tid = (int32_t)number};
	take_name(app, subject);
	return true;
}

/* "": it runs, or that is not known; of a past interval it is not. */
static void find_sleep_now(const struct app *app, const struct page_subject *subject,
			   char *function, size_t size)
{
	const struct rule_input input = engine_rule_input(app->engine, app_snapshot(app));
	const struct rule_witness *witness = &input.witness;

	if (!witness->function ||
	    !witness->function(witness->context, subject->pid, subject->tid, function, size))
		function[0] = '\0';
}

bool page_write(struct app *app, const struct page_subject *subject, size_t lines,
		struct strbuf *text, struct text_marks *marks)
{
	const struct snapshot *past[TASK_PAGE_PAST];
	struct task_page *page = page_of(app);
	struct strbuf namespaces = {0};
	char asleep_in[128];
	bool is_written;
	struct task_page_input input = {
		.past = past,
		.past_count = playback_past(app->playback, past,
					    lines > 0 ? PAST_OF_LINES : TASK_PAGE_PAST),
		.pid = subject->pid,
		.tid = subject->tid,
		.id = subject->id,
		.snapshot = app_snapshot(app),
		.session = engine_session(app->engine),
		.metrics = app_metrics(app),
		.history = playback_history(app->playback),
		.history_lack = history_view_lack(app),
		.columns = engine_resolver(app->engine)->columns,
		.function_names = view_table_function_names(app->table),
		.users = view_table_users(app->table),
		.width = app->screen.width,
		.ascii = app->screen.is_ascii,
		.marks = marks,
		.lines = lines,
	};

	if (!page->table)
		page->table = view_table_create(input.columns);
	input.table = page->table;
	if (lines == 0) /* it is below the beginning */
		engine_add_namespaces(app->engine, subject->tid, &namespaces);
	input.namespaces = strbuf_text(&namespaces);
	find_sleep_now(app, subject, asleep_in, sizeof(asleep_in));
	input.asleep_in = asleep_in;
	is_written = input.snapshot && task_page_write(text, &input);
	strbuf_fini(&namespaces);
	return is_written;
}

/* False: the task is unknown; the text is then as it was. */
static bool write_page(struct app *app, const struct page_subject *subject)
{
	struct text_marks marks = {0};
	struct strbuf text = {0};

	if (!page_write(app, subject, 0, &text, &marks)) {
		strbuf_fini(&text);
		text_marks_fini(&marks);
		return false;
	}
	pager_set_text(app, &text, &marks);
	return true;
}

static void write_subject_name(const struct app *app, const struct page_subject *subject,
			       char *text, size_t size)
{
	char name[TASK_NAME_MAX * 4];

	text_safe(name, sizeof(name), subject->name, app->screen.is_ascii);
	snprintf(text, size, "%s%s%d", name, name[0] != '\0' ? " " : "", subject->tid);
}

void page_name_task(const struct app *app, int32_t pid, int32_t tid, char *name, size_t size)
{
	struct page_subject subject = {.pid = pid, .tid = tid};

	take_name(app, &subject);
	write_subject_name(app, &subject, name, size);
}

static void write_subject_title(struct app *app, const struct page_subject *subject)
{
	struct task_page *page = page_of(app);
	char name[sizeof(page->title)];

	write_subject_name(app, subject, name, sizeof(name));
	snprintf(page->title, sizeof(page->title), "%.60s (q: back)", name);
}

const struct view_row *page_folded_row(struct app *app)
{
	const struct view_row *row = selected_row(app);

	return row && row->kind == ROW_EXITED ? row : NULL;
}

void page_write_folded(const struct app *app, const struct view_row *row, struct strbuf *text)
{
	strbuf_printf(text, "# Processes that started and ended in this interval: %" PRIu32 "\n",
		      row->member_count);
	view_table_write_exited(app->table, app_snapshot(app), app->screen.is_ascii, text);
	strbuf_printf(text, "\n%s lists them one by one, %s and %s sum them by parent.\n",
		      keys_name_of(app->parts[PART_keys], "threads"),
		      keys_name_of(app->parts[PART_keys], "view groups"),
		      keys_name_of(app->parts[PART_keys], "by"));
}

static void open_folded(struct app *app, const struct view_row *row)
{
	struct strbuf text = {0};

	page_write_folded(app, row, &text);
	pager_set_text(app, &text, NULL);
	pager_open(app, &pager_mode, "(exited) (q: back)");
}

bool page_refuse(struct app *app, struct error *error)
{
	const struct view_row *row = selected_row(app);
	char keys[2 * KEYS_NAME_MAX + 8];

	snprintf(keys, sizeof(keys), "%s and %s",
		 keys_name_of(app->parts[PART_keys], "view groups"),
		 keys_name_of(app->parts[PART_keys], "by"));
	if (compared_refuse_row(app, error))
		return false;
	if (page_folded_row(app))
		return error_set(error, ERROR_TASK_FOLDED,
				 keys_name_of(app->parts[PART_keys], "threads"), keys);
	if (row && row->kind == ROW_UNATTRIBUTED)
		return error_set(error, ERROR_TASK_UNATTRIBUTED, NULL, NULL);
	return error_set(error, ERROR_TASK_NONE, NULL, NULL);
}

static bool find_subject(struct app *app, const char *words, struct page_subject *subject,
			 struct error *error)
{
	if (words[0] == '\0')
		return page_take_row(app, subject) || page_refuse(app, error);
	return take_pid(app, words, subject) || error_set(error, ERROR_PID_BAD, words, NULL);
}

bool page_find_task(struct app *app, const char *words, int32_t *pid, int32_t *tid,
		    struct error *error)
{
	struct task_scope *scope = app->parts[PART_task_scope];
	struct page_subject subject = page_of(app)->subject;
	const bool is_of_page = words[0] == '\0' && mode_is_open(app, &page_mode);

	if (words[0] == '\0' && scope->is_on)
		subject = (struct page_subject){.pid = scope->pid, .tid = scope->tid};
	else if (!is_of_page && !find_subject(app, words, &subject, error))
		return false;
	*pid = subject.pid;
	*tid = subject.tid;
	return true;
}

bool page_open(struct app *app, const char *words, struct error *error)
{
	struct task_page *page = page_of(app);
	struct page_subject subject = {0};
	char number[16];

	if (words[0] == '\0' && page_folded_row(app)) {
		open_folded(app, page_folded_row(app));
		return true;
	}
	if (!find_subject(app, words, &subject, error))
		return false;
	if (!write_page(app, &subject)) {
		snprintf(number, sizeof(number), "%d", subject.tid);
		return error_set(error, ERROR_TASK_UNKNOWN, number, NULL);
	}
	write_subject_title(app, &subject);
	pager_open(app, &page_mode, page->title);
	page->subject = subject;
	app->needs_build = true; /* it may need more than the rows do */
	return true;
}

int32_t page_pid(const struct app *app)
{
	return mode_is_open(app, &page_mode) ? page_of(app)->subject.pid : 0;
}

/* Of a task that is no longer known the last page stays. */
void page_refresh(struct app *app)
{
	struct page_subject subject = page_of(app)->subject;
	struct strbuf text = {0};

	if (!mode_is_open(app, &page_mode))
		return;
	if (write_page(app, &subject)) {
		/* programs name themselves, and become others */
		if (take_name(app, &subject))
			write_subject_title(app, &subject);
		return;
	}
	if (!playback_is_frozen(app->playback)) /* a page of another time would be wrong */
		return;
	strbuf_printf(&text, "Task %d was not there in this interval.\n", subject.tid);
	pager_set_text(app, &text, NULL);
}

/* The key that chooses samples shows by which functions the task is woken. */
static bool show_wakers(struct app *app, uint32_t key)
{
	const char *command = keys_bound(app->parts[PART_keys], key);

	if (!command || strcmp(command, "samples") != 0)
		return false;
	if (command_do(app, "functions"))
		command_do(app, "samples wakers");
	return true;
}

static void take_page_key(struct app *app, uint32_t key)
{
	if (key == KEY_CODE_ENTER)
		command_do(app, "functions");
	else if (!pager_key(app, key) && !pager_leaves(app, key) && !show_wakers(app, key) &&
		 !pager_time_key(app, key))
		pager_say_keys(app);
}

const struct mode page_mode = {
	.key = take_page_key,
	.is_page = true,
	.click = table_mode_click,
	.keys = pager_keys,
	.page_keys = "functions,wakers,pause/resume,step",
	.show = pager_show,
};

const struct app_part part_page = {.bytes = sizeof(struct task_page), .fini = fini_page};
