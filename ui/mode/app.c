/* What everything on the screen has in common: words for the user, and what is shown. */
#include "mode/app.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "kernel/sys.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/target_pids.h"

#include "mode/app_run.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/history_view.h"
#include "mode/hosts.h"
#include "mode/marks.h"
#include "mode/task_scope.h"
#include "playback/playback.h"
#include "session/child.h"
#include "session/engine.h"
#include "session/loop.h"
#include "session/options.h"
#include "term/key.h"
#include "term/term.h"
#include "widget/frame.h"

/* Long enough to be read, however short the intervals are. */
static const uint64_t MESSAGE_NS = UINT64_C(4000000000);

void app_follow_forms(struct app *app)
{
	for (size_t i = 0; i < app->view_count; i++) {
		const struct view_info *info = app->views[i].info;

		app->views[i].info = view_in_form(info, app->request.settings.all[info->form]);
	}
}

struct view_state *app_current(struct app *app)
{
	return &app->views[app->view];
}

size_t app_tabs(const struct app *app)
{
	const size_t last = app->view_count - 1;
	const bool is_left_out = app->views[last].info->needs & COLUMN_NEEDS_ACCESSES &&
				 !engine_session(app->engine)->has_accesses && app->view != last;

	return app->view_count - is_left_out;
}

struct engine *app_engine(const struct app *app)
{
	return app->engine;
}

struct view_table *app_table(const struct app *app)
{
	return app->table;
}

const struct snapshot *app_snapshot(const struct app *app)
{
	return playback_snapshot(app->playback);
}

static bool drain_engine(struct app *app, void *context)
{
	engine_drain(app->engine);
	return true;
}

void app_drain(void *context)
{
	hosts_each(context, drain_engine, NULL);
}

bool app_wants_process(int32_t pid, const void *context)
{
	const struct app *app = context;
	const struct app_attached *attached = app->parts[PART_attached];

	if (attached->cgroups.length > 0)
		return map_get(&attached->members, (uint64_t)pid);
	for (size_t i = 0; i < attached->count; i++)
		if (attached->pids[i] == pid)
			return true;
	return attached->count == 0 && engine_wants(pid, app->engine);
}

static bool engine_wants_pid(int32_t pid, const void *engine)
{
	return engine_wants(pid, engine);
}

struct parallel_scope app_latency_scope(const struct app *app)
{
	const struct app_attached *attached = app->parts[PART_attached];
	const bool is_chosen = engine_targets(app->engine)->kind != TARGET_PIDS_ALL;

	if (app->request.settings.latency_of != LATENCY_OF_ALL)
		return (struct parallel_scope){0};
	if (engine_is_replay(app->engine))
		return (struct parallel_scope){
			.number = 1,
			.wants_pid = is_chosen ? engine_wants_pid : NULL,
			.context = app->engine,
		};
	return (struct parallel_scope){
		.number = attached->number + 1,
		.wants_pid = is_chosen || attach_is_on(attached) ? app_wants_process : NULL,
		.context = app,
	};
}

const char *app_lacks_parallelism(const struct app *app)
{
	const char *lack = engine_lacks_parallelism(app->engine);

	if (!lack && app->views[app->view].info->kind == ROW_GROUP &&
	    app->request.settings.latency_of != LATENCY_OF_ALL)
		return "of several processes LAT % and PAR are known where all are taken as one: "
		       "latency-of all";
	return lack;
}

static size_t list_past_intervals(void *context, uint64_t before_ns,
				  const struct snapshot **snapshots, size_t most)
{
	const struct app *app = context;

	return playback_before(app->playback, before_ns, snapshots, most);
}

/* What the screen shows beyond it, or in place of it. */
static void ask_for_screen(const struct app *app, struct view_request *request)
{
	const struct snapshot *snapshot = app_snapshot(app);
	const struct list *list = &app->lists[app->view];
	const struct app_attached *attached = app->parts[PART_attached];
	const struct task_scope *scope = app->parts[PART_task_scope];
	struct row_marks *marks = app->parts[PART_row_marks];
	const bool is_attached = attached->count > 0;

	request->past = list_past_intervals;
	request->meanwhile = app_drain;
	request->is_still = playback_is_still(app->playback);
	request->fold_exited =
		request->settings.threads || is_attached ? FOLD_NOTHING : FOLD_TO_ONE;
	/* what is over has none, and on a narrow screen others say more */
	request->has_states = app->screen.width >= APP_WIDE && !engine_is_replay(app->engine);
	if (!request->state.info->drawing)
		request->folds = request->state.info->is_tree ? &marks->calls : &marks->folds;
	request->tags = &marks->tags;
	request->selected = list->has_cursor ? list->cursor_id : 0;
	request->pids = is_attached ? attached->pids : NULL;
	request->pid_count = attached->count;
	request->cgroups = attached->cgroups.length > 0 ? strbuf_text(&attached->cgroups) : NULL;
	if (request->window_ns == HISTORY_VIEW_INTERVAL)
		request->window_ns = snapshot ? snapshot->interval_ns : 0;
	if (scope->is_on) {
		request->pids = &scope->pid;
		request->pid_count = 1;
		request->tid = scope->tid != scope->pid ? scope->tid : 0;
		request->uid = -1;
		request->cgroups = NULL;
		request->wants_pid = NULL;
	}
}

struct view_request app_request(const struct app *app)
{
	const struct app_attached *attached = app->parts[PART_attached];
	struct view_request request = app->request;

	request.state = app->views[app->view];
	request.settings.command_lines = app_shows_command_lines(app);
	request.ascii = app->screen.is_ascii;
	request.filter = strbuf_text(&app->filter);
	request.metric_set = engine_metric_set(app->engine);
	request.history = playback_history(app->playback);
	request.mark = compared_mark(app);
	request.context = (void *)(uintptr_t)app;
	request.latency_scope = app_latency_scope(app).number;
	if (attach_is_on(attached) || engine_targets(app->engine)->kind != TARGET_PIDS_ALL)
		request.wants_pid = app_wants_process;
	if (!app->options->batch)
		ask_for_screen(app, &request);
	return request;
}

unsigned int app_needs_of(const struct app *app, const struct view_request *request)
{
	const struct snapshot nothing = {.layout = engine_layout(app->engine)};
	struct view_table *table = view_table_create(engine_resolver(app->engine)->columns);
	unsigned int needs;

	view_table_build(table, request, &nothing, engine_session(app->engine),
			 engine_metrics(app->engine));
	needs = view_table_needs(table);
	view_table_destroy(table);
	return needs;
}

const struct metrics *app_metrics(struct app *app)
{
	return playback_metrics(app->playback);
}

void app_say(struct app *app, bool is_error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(app->message.text, sizeof(app->message.text), format, arguments);
	va_end(arguments);
	app->message.is_error = is_error;
	app->message.is_answer = false;
	app->message.asks_to_quit = false;
	app->message.until_ns = sys_now_ns() + MESSAGE_NS;
	app->needs_drawing = true;
}

void app_unsay(struct app *app)
{
	app->message.text[0] = '\0';
	app->message.is_answer = false;
	app->needs_drawing = true;
}

void app_refuse(struct app *app, const struct error *error)
{
	app_say(app, true, "%s%s%s", error->text, error->remedy[0] != '\0' ? "; " : "",
		error->remedy);
}

const struct view_row *app_row(struct app *app)
{
	size_t place = app->lists[app->view].cursor.at;

	return place < view_table_row_count(app->table) ? view_table_row(app->table, place) : NULL;
}

void app_redraw_all(struct app *app)
{
	term_repaint(app->term);
	app->needs_drawing = true;
}

void app_leave(struct app *app)
{
	const struct rounds *rounds = app->parts[PART_rounds];

	loop_quit(rounds->loop);
}

void app_quit(struct app *app)
{
	struct child *child = engine_child(app->engine);
	const bool runs = child->pid > 0 && !child_collect(child);

	if (runs && (!app->message.asks_to_quit || sys_now_ns() > app->message.until_ns)) {
		app_say(app, true, "%s still runs; q again ends it (SIGTERM)",
			app->options->command[0]);
		app->message.asks_to_quit = true;
		return;
	}
	if (runs)
		child_signal(child, SIGTERM);
	app_leave(app);
}

int app_shows_command_lines(const struct app *app)
{
	const int chosen = app->request.settings.command_lines;

	return chosen != SETTING_UNSET ? chosen : app->screen.width >= APP_WIDE;
}

void app_resize(struct app *app)
{
	int width, height;

	term_resized(app->term);
	term_size(app->term, &width, &height);
	screen_resize(&app->screen, width, height);
	app->needs_build = true; /* strips and pages are as wide as the screen */
	app->needs_drawing = true;
}

/* Index of the uppermost. */
static size_t top_mode(const struct app *app)
{
	size_t i = 0;

	while (app->modes[i + 1])
		i++;
	return i;
}

const struct mode *mode_top(const struct app *app)
{
	return app->modes[top_mode(app)];
}

bool mode_is_open(const struct app *app, const struct mode *mode)
{
	for (size_t i = 0; app->modes[i]; i++)
		if (app->modes[i] == mode)
			return true;
	return false;
}

/* Opened or closed. */
static void mode_changes(struct app *app, const struct mode *mode)
{
	if (mode->is_page)
		app_unsay(app);
	app->needs_drawing = true;
}

void mode_close(struct app *app, const struct mode *mode)
{
	size_t kept = 0;

	if (!mode || !mode_is_open(app, mode))
		return;
	for (size_t i = 0; app->modes[i]; i++)
		if (app->modes[i] != mode)
			app->modes[kept++] = app->modes[i];
	app->modes[kept] = NULL;
	mode_changes(app, mode);
}

void mode_open(struct app *app, const struct mode *mode)
{
	mode_close(app, mode);
	app->modes[top_mode(app) + 1] = mode;
	mode_changes(app, mode);
}

size_t mode_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	size_t i = top_mode(app);

	while (!app->modes[i]->keys)
		i--;
	return app->modes[i]->keys(app, keys, max);
}

void mode_show(struct app *app, struct frame *frame)
{
	for (size_t i = 0; app->modes[i]; i++)
		if (app->modes[i]->show)
			app->modes[i]->show(app, frame);
}

void mode_draw(struct app *app, struct frame *frame)
{
	size_t i = top_mode(app);

	while (!app->modes[i]->draw)
		i--;
	app->modes[i]->draw(app, frame);
	for (i++; app->modes[i]; i++)
		if (app->modes[i]->draw_over)
			app->modes[i]->draw_over(app, frame);
}

enum {
	WHEEL_LINES = 3
};

/* The wheel is so many arrow keys. */
static void roll(struct app *app, uint32_t arrow)
{
	for (int i = 0; i < WHEEL_LINES; i++)
		mode_top(app)->key(app, arrow);
}

uint32_t mouse_take(struct app *app, uint32_t key)
{
	const struct mode *mode = mode_top(app);
	struct hit hit;
	int x, y;

	if (key < KEY_CODE_POINTER || key > KEY_CODE_POINTER_LAST)
		return key;
	if (!mode->click)
		return KEY_CODE_NONE;
	term_pointer(app->term, &x, &y);
	hit = screen_find(&app->screen, x, y);
	if (hit.kind == HIT_PANE && top_mode(app) == 0 && key != KEY_CODE_CLICK)
		return KEY_CODE_NONE;
	switch (key) {
	case KEY_CODE_WHEEL_UP:
		roll(app, KEY_CODE_UP);
		break;
	case KEY_CODE_WHEEL_DOWN:
		roll(app, KEY_CODE_DOWN);
		break;
	case KEY_CODE_CLICK_RIGHT:
		mode->click(app, hit, true);
		break;
	case KEY_CODE_CLICK:
		if (hit.kind == HIT_KEY)
			return (uint32_t)hit.index;
		mode->click(app, hit, false);
		break;
	default:
		break;
	}
	return KEY_CODE_NONE;
}

void mouse_switched(struct app *app)
{
	const bool is_on = app->request.settings.mouse;

	if (app->term && !term_set_mouse(app->term, is_on) && is_on)
		app_say(app, false, "this terminal does not report the mouse");
	else if (!app->is_starting)
		app_say(app, false, is_on ? "mouse on; hold Shift to select text" : "mouse off");
}

/* Text that the terminal says was pasted: it is typed where text is asked for, in one line, and is
 * no keys elsewhere, since a letter there is a command. */
struct paste {
	bool is_on;    /* between its beginning and its end */
	bool has_text; /* of it something was typed */
	bool has_gap;  /* a line has ended in it: a blank, if anything follows */
	bool was_said; /* that it is left out */
};

const struct app_part part_paste = {.bytes = sizeof(struct paste)};

static void take_character(struct app *app, uint32_t key)
{
	const struct mode *mode = mode_top(app);
	struct paste *pasting = app->parts[PART_paste];

	if (!mode->takes_text) {
		if (!pasting->was_said)
			app_say(app, false, "pasted text ignored: open a prompt first");
		pasting->was_said = true;
		return;
	}
	if (key == KEY_CODE_BACKSPACE)
		return;
	if (key < KEY_CODE_SPACE) {
		pasting->has_gap = pasting->has_text;
		return;
	}
	if (pasting->has_gap)
		mode->key(app, KEY_CODE_SPACE);
	pasting->has_gap = false;
	pasting->has_text = true;
	mode->key(app, key);
}

bool paste_take(struct app *app, uint32_t key)
{
	struct paste *pasting = app->parts[PART_paste];

	if (key == KEY_CODE_PASTE_BEGIN || key == KEY_CODE_PASTE_END) {
		*pasting = (struct paste){.is_on = key == KEY_CODE_PASTE_BEGIN};
		return true;
	}
	/* what cannot be pasted: the end has been lost; Backspace is a character, too */
	if ((key >= KEY_CODE_SPECIAL && key != KEY_CODE_BACKSPACE) || key == KEY_CODE_ESCAPE)
		pasting->is_on = false;
	if (!pasting->is_on)
		return false;
	take_character(app, key);
	return true;
}
