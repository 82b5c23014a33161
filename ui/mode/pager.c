#include "mode/pager.h"

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

#include "mode/app.h"
#include "mode/code_page.h"
#include "mode/command.h"
#include "mode/drawing.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/task_scope.h"
#include "playback/playback.h"
#include "session/resolve.h"
#include "term/key.h"

static const struct mode pager_search_mode;

void pager_fini(struct pager *pager)
{
	strbuf_fini(&pager->text);
	strbuf_fini(&pager->words);
	text_marks_fini(&pager->marks);
	prompt_fini(&pager->search);
}

void pager_set_text(struct pager *pager, struct strbuf *text, struct text_marks *marks)
{
	strbuf_fini(&pager->text);
	text_marks_fini(&pager->marks);
	pager->text = *text;
	*text = (struct strbuf){0};
	if (marks) {
		pager->marks = *marks;
		*marks = (struct text_marks){0};
	}
	pager->shown.text = strbuf_text(&pager->text);
	pager->shown.marks = &pager->marks;
}

void pager_open(struct app *app, const char *title)
{
	struct pager *pager = &app->pager;

	strbuf_clear(&pager->words);
	pager->shown = (struct pager_text){
		.title = title,
		.text = strbuf_text(&pager->text),
		.marks = &pager->marks,
		.bottom = SIZE_MAX,
	};
	mode_open(app, &pager_mode);
}

void pager_close(struct app *app)
{
	prompt_close(&app->pager.search);
	mode_close(app, &pager_search_mode);
	mode_close(app, &pager_mode);
}

static size_t lines_of_page(const struct app *app)
{
	return app->screen.height > 4 ? (size_t)app->screen.height - 4 : 1;
}

/* The keys of time are what they are everywhere; of the help they are none. */
static bool page_time_key(struct app *app, uint32_t key)
{
	const char *command = keys_bound(&app->keys, key);

	if (!command || !keys_is_of_time(command))
		return false;
	command_do(app, "%s", command);
	return true;
}

static void begin_search(struct app *app)
{
	struct pager *pager = &app->pager;

	mode_open(app, &pager_search_mode);
	pager->origin = pager->shown.top;
	prompt_open(&pager->search, "Search", "");
}

/* To the next line with the words, from `from` on or before it; round the end. */
static void find_in_page(struct app *app, size_t from, bool back)
{
	struct pager *pager = &app->pager;
	size_t line;

	pager->shown.words = strbuf_text(&pager->words);
	if (pager->words.length == 0)
		app_say(app, false, "press / to search");
	else if (pager_text_find(&pager->shown, app->screen.width, from, back, &line) ||
		 pager_text_find(&pager->shown, app->screen.width, back ? SIZE_MAX : 0, back,
				 &line))
		pager->shown.top = pager->match = line;
	else
		app_say(app, true, "no match for \"%s\"", strbuf_text(&pager->words));
}

/* From where to go on: what was found last need not be at the top, where the text ends. */
static size_t match_or_top(const struct app *app)
{
	const struct pager *pager = &app->pager;
	const bool is_in_sight = pager->match >= pager->shown.top &&
				 pager->match - pager->shown.top < lines_of_page(app);

	return is_in_sight ? pager->match : pager->shown.top;
}

static void end_search(struct app *app)
{
	prompt_close(&app->pager.search);
	mode_close(app, &pager_search_mode);
}

static void search_key(struct app *app, uint32_t key)
{
	struct pager *pager = &app->pager;

	app->needs_drawing = true;
	switch (prompt_key(&pager->search, key)) {
	case PROMPT_LEFT:
		strbuf_clear(&pager->words);
		pager->shown.words = "";
		pager->shown.top = pager->origin;
		end_search(app);
		return;
	case PROMPT_DONE:
		end_search(app);
		return;
	case PROMPT_CHANGED:
		strbuf_clear(&pager->words);
		strbuf_add(&pager->words, prompt_text(&pager->search));
		pager->shown.top = pager->origin;
		if (pager->words.length > 0)
			find_in_page(app, pager->origin, false);
		return;
	case PROMPT_GOES_ON:
		return;
	}
}

static bool leaves_page(uint32_t key)
{
	return key == 'q' || key == KEY_CODE_ESCAPE || key == KEY_CODE_BACKSPACE;
}

static void say_page_keys(struct app *app)
{
	app_say(app, false, "q: back; Up, Down and page keys scroll; Space pauses and resumes");
}

/* The key that chooses samples shows by which functions the task is woken. */
static bool page_samples_key(struct app *app, uint32_t key)
{
	const char *command = keys_bound(&app->keys, key);

	if (!command || strcmp(command, "samples") != 0)
		return false;
	if (command_do(app, "functions"))
		command_do(app, "samples wakers");
	return true;
}

/* The keys of views lead from a page, and from the help, to the view. */
static bool page_view_key(struct app *app, uint32_t key)
{
	const char *command = keys_bound(&app->keys, key);

	if (!command || strncmp(command, "view ", 5) != 0)
		return false;
	if (app->code_page.is_open)
		code_page_close(app);
	else
		page_close(app);
	command_do(app, "%s", command);
	return true;
}

static void key_on_task_page(struct app *app, uint32_t key)
{
	if (leaves_page(key))
		page_close(app);
	else if (key == KEY_CODE_ENTER)
		command_do(app, "functions");
	else if (!page_view_key(app, key) && !page_samples_key(app, key) &&
		 !page_time_key(app, key))
		say_page_keys(app);
}

static void key_of_function(struct app *app, uint32_t key)
{
	if (leaves_page(key))
		code_page_close(app);
	else if (key == 'a' || key == KEY_CODE_TAB)
		code_page_switch(app);
	else if (!page_view_key(app, key) && !page_time_key(app, key))
		say_page_keys(app);
}

/* The help goes away with any other key, the pages with those that say so. */
static void other_pager_key(struct app *app, uint32_t key)
{
	if (app->page.is_open)
		key_on_task_page(app, key);
	else if (app->code_page.is_open)
		key_of_function(app, key);
	else if (key == KEY_CODE_SPACE)
		app->pager.shown.top += lines_of_page(app);
	else if (!page_view_key(app, key))
		pager_close(app);
}

/* Lines up; from the last screenful at most, also where keys come faster than it is drawn. */
static void scroll_up(struct pager_text *shown, size_t lines)
{
	if (shown->top > shown->bottom)
		shown->top = shown->bottom;
	shown->top -= shown->top > lines ? lines : shown->top;
}

static void take_pager_key(struct app *app, uint32_t key)
{
	const size_t page = lines_of_page(app);
	size_t *top = &app->pager.shown.top;

	app->needs_drawing = true;
	switch (key) {
	case '/':
	case KEY_CODE_F3:
		begin_search(app);
		return;
	case 'n':
		find_in_page(app, match_or_top(app) + 1, false);
		return;
	case 'N': /* as in less; p as over the table, where N orders by pid */
	case 'p':
		find_in_page(app, match_or_top(app), true);
		return;
	case KEY_CODE_UP:
		scroll_up(&app->pager.shown, 1);
		return;
	case KEY_CODE_DOWN:
		(*top)++;
		return;
	case KEY_CODE_PAGE_UP:
		scroll_up(&app->pager.shown, page);
		return;
	case KEY_CODE_PAGE_DOWN:
		*top += page;
		return;
	case KEY_CODE_HOME:
		*top = 0;
		return;
	case KEY_CODE_END:
		*top = SIZE_MAX / 2;
		return;
	default:
		other_pager_key(app, key);
		return;
	}
}

/* clang-format off */
static const struct frame_key page_keys[] = {
	{"q",     "back"},
	{"Enter", "functions"},
	{NULL,    "wakers"}, /* as bound */
	{"PgDn",  "scroll"},
	{"Space", "pause/resume"},
	{"Left",  "step"},
	{"Right", "step"},
	{"/",     "search"},
};

static const struct frame_key code_keys[] = {
	{"q",     "back"},
	{"a",     "source/assembler"},
	{"Space", "pause/resume"},
	{"Left",  "step"},
	{"Right", "step"},
	{"PgDn",  "scroll"},
	{"/",     "search"},
};

static const struct frame_key help_keys[] = {
	{"q",     "back"},
	{"PgDn",  "scroll"},
	{"/",     "search"},
	{"n",     "next"},
	{"p",     "previous"},
};
/* clang-format on */

static size_t pager_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	const struct frame_key *those = help_keys;
	size_t count = sizeof(help_keys) / sizeof(*help_keys);

	if (app->page.is_open) {
		those = page_keys;
		count = sizeof(page_keys) / sizeof(*page_keys);
	} else if (app->code_page.is_open) {
		those = code_keys;
		count = sizeof(code_keys) / sizeof(*code_keys);
	}
	memcpy(keys, those, count * sizeof(*keys));
	for (size_t i = 0; i < count; i++)
		if (!keys[i].key)
			keys[i].key = keys_name_of(&app->keys, "samples");
	return count;
}

static void show_pager(struct app *app, struct frame *frame)
{
	frame->pager = &app->pager.shown;
}

static void show_search(struct app *app, struct frame *frame)
{
	frame->prompt = &app->pager.search;
}

static const struct mode pager_search_mode = {
	.key = search_key,
	.takes_text = true,
	.click = table_mode_click,
	.show = show_search,
};

const struct mode pager_mode = {
	.key = take_pager_key,
	.click = table_mode_click,
	.keys = pager_keys,
	.show = show_pager,
};

/* What the page is about. */
struct subject {
	int32_t pid, tid;
	uint64_t id;              /* of a row; 0: any task with these numbers */
	char name[TASK_NAME_MAX]; /* raw bytes; "" unknown */
};

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

static bool take_actor(const struct actor *actor, struct subject *subject)
{
	if (!actor)
		return false;
	*subject = (struct subject){.pid = actor->pid, .tid = actor->tid};
	memcpy(subject->name, actor->name, sizeof(subject->name));
	return true;
}

static bool take_subject(const struct app *app, const struct view_row *row, struct subject *subject)
{
	if (row->pid <= 0)
		return false;
	*subject = (struct subject){.pid = row->pid,
				    .tid = app->request.settings.threads ? row->tid : row->pid,
				    .id = row->id};
	memcpy(subject->name, row->task->name, sizeof(subject->name));
	return true;
}

static bool take_subject_row(struct app *app, struct subject *subject)
{
	const struct view_row *row = selected_row(app);

	if (take_actor(page_actor(app), subject))
		return true;
	return row && row->task && take_subject(app, row, subject);
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
static bool take_pid(const struct app *app, const char *words, struct subject *subject)
{
	uint64_t number;

	if (!units_parse_u64(words, 1, INT_MAX, &number))
		return false;
	*subject = (struct subject){.pid = (int32_t)number, .tid = (int32_t)number};
	take_name(app, subject);
	return true;
}

/* False: the task is unknown; the text is then as it was. */
static bool write_page(struct app *app, const struct subject *subject)
{
	const struct snapshot *past[TASK_PAGE_PAST];
	struct text_marks marks = {0};
	const struct task_page_input input = {
		.past = past,
		.past_count = playback_past(app->playback, past, TASK_PAGE_PAST),
		.pid = subject->pid,
		.tid = subject->tid,
		.id = subject->id,
		.snapshot = app_snapshot(app),
		.session = engine_session(app->engine),
		.metrics = app_metrics(app),
		.history = playback_history(app->playback),
		.columns = engine_resolver(app->engine)->columns,
		.table = app->page.table,
		.function_names = view_table_function_names(app->table),
		.users = view_table_users(app->table),
		.width = app->screen.width,
		.ascii = app->request.ascii,
		.marks = &marks,
	};
	struct strbuf text = {0};

	if (!input.snapshot || !task_page_write(&text, &input)) {
		strbuf_fini(&text);
		text_marks_fini(&marks);
		return false;
	}
	pager_set_text(&app->pager, &text, &marks);
	app->needs_drawing = true;
	return true;
}

static void write_subject_name(const struct app *app, const struct subject *subject, char *text,
			       size_t size)
{
	char name[TASK_NAME_MAX * 4];

	text_safe(name, sizeof(name), subject->name, app->request.ascii);
	snprintf(text, size, "%s%s%d", name, name[0] != '\0' ? " " : "", subject->tid);
}

void page_name_task(const struct app *app, int32_t pid, int32_t tid, char *name, size_t size)
{
	struct subject subject = {.pid = pid, .tid = tid};

	take_name(app, &subject);
	write_subject_name(app, &subject, name, size);
}

static void write_subject_title(struct app *app, const struct subject *subject)
{
	char name[sizeof(app->page.title)];

	write_subject_name(app, subject, name, sizeof(name));
	snprintf(app->page.title, sizeof(app->page.title), "%.60s (q: back)", name);
}

/* The selected row, where it has several processes that have ended. */
static const struct view_row *folded_row(struct app *app)
{
	const struct view_row *row = selected_row(app);

	return row && row->kind == ROW_EXITED ? row : NULL;
}

static void open_folded(struct app *app, const struct view_row *row)
{
	struct strbuf text = {0};

	strbuf_printf(&text,
		      "Processes that were born and ended within the interval: %" PRIu32 "\n\n",
		      row->member_count);
	view_table_write_exited(app->table, app_snapshot(app), app->request.ascii, &text);
	strbuf_printf(&text, "\n%s lists them one by one, %s and %s sum them by parent.\n",
		      keys_name_of(&app->keys, "threads"), keys_name_of(&app->keys, "view groups"),
		      keys_name_of(&app->keys, "by"));
	pager_set_text(&app->pager, &text, NULL);
	pager_open(app, "(exited) (q: back)");
}

bool page_refuse(struct app *app, struct error *error)
{
	const struct view_row *row = selected_row(app);
	char keys[2 * KEYS_NAME_MAX + 8];

	snprintf(keys, sizeof(keys), "%s and %s", keys_name_of(&app->keys, "view groups"),
		 keys_name_of(&app->keys, "by"));
	if (folded_row(app))
		return error_set(error, ERROR_TASK_FOLDED, keys_name_of(&app->keys, "threads"),
				 keys);
	if (row && row->kind == ROW_UNATTRIBUTED)
		return error_set(error, ERROR_TASK_UNATTRIBUTED, NULL, NULL);
	return error_set(error, ERROR_TASK_NONE, NULL, NULL);
}

static bool find_subject(struct app *app, const char *words, struct subject *subject,
			 struct error *error)
{
	if (words[0] == '\0')
		return take_subject_row(app, subject) || page_refuse(app, error);
	return take_pid(app, words, subject) || error_set(error, ERROR_PID_BAD, words, NULL);
}

bool page_find_task(struct app *app, const char *words, int32_t *pid, int32_t *tid,
		    struct error *error)
{
	struct subject subject = {.pid = app->page.pid, .tid = app->page.tid};
	const bool is_of_page = words[0] == '\0' && app->page.is_open;

	if (words[0] == '\0' && app->task_scope.is_on)
		subject = (struct subject){.pid = app->task_scope.pid, .tid = app->task_scope.tid};
	else if (!is_of_page && !find_subject(app, words, &subject, error))
		return false;
	*pid = subject.pid;
	*tid = subject.tid;
	return true;
}

bool page_open(struct app *app, const char *words, struct error *error)
{
	struct subject subject = {0};
	char number[16];

	if (words[0] == '\0' && folded_row(app)) {
		open_folded(app, folded_row(app));
		return true;
	}
	if (!find_subject(app, words, &subject, error))
		return false;
	history_view_need_scheduler(app);
	if (!write_page(app, &subject)) {
		snprintf(number, sizeof(number), "%d", subject.tid);
		return error_set(error, ERROR_TASK_UNKNOWN, number, NULL);
	}
	write_subject_title(app, &subject);
	pager_open(app, app->page.title);
	app->page.pid = subject.pid;
	app->page.tid = subject.tid;
	app->page.id = subject.id;
	app->page.is_open = true;
	return true;
}

void page_close(struct app *app)
{
	app->page.is_open = false;
	pager_close(app);
}

/* A page of another time would be wrong. */
static void write_absence(struct app *app)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "Task %d was not there in this interval.\n", app->page.tid);
	pager_set_text(&app->pager, &text, NULL);
	app->needs_drawing = true;
}

/* Of a task that is no longer known the last page stays. */
void page_refresh(struct app *app)
{
	struct subject subject = {.pid = app->page.pid, .tid = app->page.tid, .id = app->page.id};

	if (!app->page.is_open)
		return;
	if (write_page(app, &subject)) {
		/* programs name themselves, and become others */
		if (take_name(app, &subject))
			write_subject_title(app, &subject);
		return;
	}
	if (playback_is_frozen(app->playback))
		write_absence(app);
}
