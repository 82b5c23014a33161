/* The rounds of the screen: what became necessary in one is done once, at its end. */
#include <signal.h>
#include <unistd.h>

#include "base/units.h"
#include "kernel/sys.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/footer.h"
#include "view/functions.h"
#include "view/names.h"

#include "mode/acting.h"
#include "mode/against.h"
#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/code_page.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/compose_frame.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/host_rows.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/page.h"
#include "mode/pane.h"
#include "mode/past.h"
#include "mode/strips.h"
#include "mode/terminal_handoff.h"
#include "session/child.h"
#include "session/loop.h"
#include "session/options.h"
#include "term/key.h"
#include "term/term.h"

enum {
	FIRST_INTERVAL_MS =
		250,         /* the first numbers come soon; their interval says how long it was */
	KEYS_PER_ROUND = 64, /* typing never keeps the rings waiting */
	NAMES_PAUSE_NS = 200000000,
	NEAR_S = 1
};

void app_keep_interval(struct app *app)
{
	playback_keep(app->playback, app->request.settings.idle || app->request.settings.tree);
	if (hosts_is_shown(app))
		appearance_keep(app);
}

static void say_playback(void *context, bool is_error, const char *text)
{
	struct app *app = context;
	struct strbuf name = {0};

	hosts_write_name(app, &name);
	if (text[0] != '\0')
		app_say(app, is_error, "%s%s", strbuf_text(&name), text);
	else
		app->message.text[0] = '\0';
	strbuf_fini(&name);
}

static const char *name_key_of_command(void *context, const char *command)
{
	const struct app *app = context;

	return keys_name_of(app->parts[PART_keys], command);
}

static void playback_changed(void *context, enum playback_change change)
{
	struct app *app = context;

	if (change == PLAYBACK_LEAP)
		history_view_forget_lines(app);
	if (change == PLAYBACK_DRAWING)
		app->needs_drawing = true;
	else
		app->needs_build = true;
}

static void replay_advanced(void *context)
{
	struct app *app = context;
	struct rounds *rounds = app->parts[PART_rounds];

	rounds->ticks = app_hosts(app) > 1 ? hosts_count_interval(app) : rounds->ticks + 1;
	app_keep_interval(app);
	if (engine_snapshot(app->engine) && hosts_is_shown(app))
		attach_watch(app);
}

static void replay_rewound(void *context)
{
	attach_renew(context);
}

/* Other tasks are counted: what was made of those before is over. */
static void engine_renewed(void *context)
{
	struct app *app = context;
	struct app_attached *attached = app->parts[PART_attached];
	struct compared *compared = app->parts[PART_compared];
	struct error unsampled = {0}; /* said where samples are shown */

	view_table_destroy(app->table);
	app->table = view_table_create(engine_resolver(app->engine)->columns);
	engine_serve_table(app->engine, app->table);
	compared->is_on = compared->is_on && compared->old;
	attached->cgroup_is_gone = false;
	attach_renew(app);
	appearance_forget(app);
	app_need_samples(app, app_first_needs(app), &unsampled);
	if (app->request.settings.idle || app->request.settings.tree)
		attach_introduce_all(app);
}

static void time_resumed(void *context)
{
	strips_release(context);
}

const struct playback_ops app_playback_ops = {
	.say = say_playback,
	.key = name_key_of_command,
	.changed = playback_changed,
	.advanced = replay_advanced,
	.rewound = replay_rewound,
	.resumed = time_resumed,
	.renewed = engine_renewed,
};

static void suspend(struct app *app)
{
	term_suspend(app->term);
	raise(SIGSTOP);
	term_resume(app->term);
	app->needs_drawing = true;
}

/* The line below the log: what is left out of it, or what its lines add up to. */
static void make_footer(struct app *app)
{
	struct appearance *look = app->parts[PART_appearance];
	const struct view_request request = app_request(app);
	const struct footer_input input = {
		.request = &request,
		.samples_of = view_table_samples_of(app->table),
		.snapshot = app_snapshot(app),
		.session = engine_session(app->engine),
		.first =
			view_table_row_count(app->table) > 0 ? view_table_row(app->table, 0) : NULL,
		.width = app->screen.width,
	};

	strbuf_clear(&look->footer);
	look->footer_is_warning = history_view_write_left_out(app, &look->footer);
	if (app_current(app)->info->write_footer && !look->footer_is_warning)
		app_current(app)->info->write_footer(&look->footer, &input);
}

/* Makes the rows, and asks the engine for what they need. */
static void build_table(struct app *app)
{
	const struct appearance *look = app->parts[PART_appearance];
	struct error refusal = {0}, unsampled = {0}; /* of samples it is said below the rows */
	unsigned int needs;

	app->needs_build = false;
	app->lists[app->view].is_log = app_current(app)->info->is_log && !view_order_sorts_log(app);
	history_view_lines_are_shown(app); /* those that come while it is built are not */
	host_rows_build(app);
	needs = view_table_needs(app->table) | past_needs(app);
	if (look->verdict.wants_cgroups)
		needs |= COLUMN_NEEDS_LIMITS;
	if (app_request(app).cgroups)
		needs |= COLUMN_NEEDS_CGROUPS;
	app_need_samples(app, needs, &unsampled);
	if (!app_need(app, needs, &refusal))
		app_refuse(app, &refusal);
	history_view_say_lacks(app, needs);
}

static void refresh_pages(struct app *app)
{
	page_refresh(app);
	code_page_refresh(app);
	pane_refresh(app);
}

static void build_screen(struct app *app)
{
	struct rounds *rounds = app->parts[PART_rounds];
	const struct drawing *drawing = app_drawing(app);

	if (!app_snapshot(app)) {
		app->needs_build = false;
		return;
	}
	appearance_judge(app);
	build_table(app);
	if (app->needs_build) /* the rows of a past interval needed what was left out of it */
		build_table(app);
	rounds->has_names = false;
	rounds->names_shown_ns = sys_now_ns();
	row_marks_built(app);
	if (host_rows_follow(app)) {
		appearance_judge(app);
		build_table(app);
	}
	appearance_build(app);
	if (drawing && drawing->build)
		drawing->build(app);
	refresh_pages(app);
	make_footer(app);
	app->needs_drawing = true;
}

static void screen_replay_goes_on(void *context);

static void set_replay_timer(struct app *app, uint64_t wait_ns)
{
	struct rounds *rounds = app->parts[PART_rounds];
	struct error error = {0};

	if (engine_is_replay(app->engine) &&
	    !loop_set_timer(rounds->loop, wait_ns, screen_replay_goes_on, app, &error))
		app_refuse(app, &error);
}

static void screen_interval_ends(void *context);

/* The first interval is short; the others are as long as the delay says by now. */
static void follow_delay(struct app *app)
{
	struct rounds *rounds = app->parts[PART_rounds];
	struct error error = {0};

	if (engine_is_replay(app->engine) || rounds->ticks == 0 || rounds->timer_s == app->delay_s)
		return;
	rounds->timer_s = app->delay_s;
	engine_set_interval(app->engine, app->delay_s);
	if (!loop_set_timer(rounds->loop, (uint64_t)(app->delay_s * 1e9), screen_interval_ends, app,
			    &error))
		app_refuse(app, &error);
}

static void keys_are_ready(void *context);
static void refresh_screen(struct app *app);

/* While another program has the terminal, its keys are not ours: to read them in the background
 * would stop us. */
static void follow_terminal(struct app *app)
{
	struct rounds *rounds = app->parts[PART_rounds];
	const bool may_read = !terminal_handoff_is_on(app);
	struct error error = {0};

	if (rounds->reads_keys == may_read)
		return;
	rounds->reads_keys = may_read;
	if (!may_read)
		loop_remove(rounds->loop, STDIN_FILENO);
	else if (!loop_add(rounds->loop, STDIN_FILENO, keys_are_ready, app, &error))
		app_refuse(app, &error);
}

/* Whether a row of functions has turned out to be of another one; what only the mark has may have a
 * number of another recording. */
static bool is_outdated(const struct app *app, size_t index)
{
	const struct view_row *row =
		index < view_table_row_count(app->table) ? view_table_row(app->table, index) : NULL;
	struct function_name name;

	if (!row || !row->function || (row->is_gone && against_old(app)))
		return false;
	name = function_names_find(view_table_function_names(app->table), row->function->number,
				   row->function->time_ns);
	return name.same_as != 0 && name.same_as != row->function->number;
}

/* The rows that can be seen, one after the other; SIZE_MAX: no more. */
static size_t visible_row_at(const struct app *app, size_t index)
{
	const struct drawing *drawing = app_drawing(app);
	const struct list *list = &app->lists[app->view];

	if (drawing && drawing->row)
		return drawing->row(app, index);
	return index < list->page ? list->cursor.top + index : SIZE_MAX;
}

static bool screen_is_outdated(const struct app *app)
{
	size_t row;

	for (size_t i = 0; (row = visible_row_at(app, i)) != SIZE_MAX; i++)
		if (is_outdated(app, row))
			return true;
	return false;
}

/*
 * Not as fast as they come; for the last ones at once. Where tasks come all the time, names do,
 * too, of what is too small to be on the screen: that waits for the next interval if it is near.
 */
bool names_are_due(const struct app *app)
{
	const struct rounds *rounds = app->parts[PART_rounds];
	const struct app *old = against_old(app);
	const bool are_last = engine_session(app->engine)->names_pending == 0 &&
			      (!old || engine_session(old->engine)->names_pending == 0);
	const bool can_wait = app->delay_s <= NEAR_S && !playback_is_still(app->playback) &&
			      !mode_is_open(app, &page_mode) && !mode_is_open(app, &code_page_mode);

	if (!rounds->has_names ||
	    (!are_last && sys_now_ns() - rounds->names_shown_ns < NAMES_PAUSE_NS))
		return false;
	return !can_wait || screen_is_outdated(app);
}

static void names_have_come(void *context)
{
	struct app *app = context, *old = against_old(app);
	struct rounds *rounds = app->parts[PART_rounds];

	if (engine_take_names(app->engine))
		rounds->has_names = true;
	if (old && engine_take_names(old->engine))
		rounds->has_names = true;
	app->needs_build |= names_are_due(app);
	refresh_screen(app);
}

/* Those of `named`, which is the app or the other recording's. The descriptor is another one when
 * what looks names up was started anew. */
static void follow_names(struct app *app, struct app *named)
{
	struct loop *loop = ((struct rounds *)app->parts[PART_rounds])->loop;
	struct rounds *rounds = named->parts[PART_rounds];
	const int fd = engine_names_fd(named->engine);
	struct error error = {0};

	if (rounds->names_fd != 0 && rounds->names_fd != fd) {
		loop_remove(loop, rounds->names_fd);
		rounds->names_fd = 0;
	}
	if (rounds->names_fd != 0 || fd < 0)
		return;
	if (loop_add(loop, fd, names_have_come, app, &error))
		rounds->names_fd = fd;
	else
		app_refuse(app, &error);
}

static bool wants_no_round(struct app *app, void *context)
{
	return hosts_is_over(app) || !playback_wants_round(app->playback);
}

/* The end of every round: what became necessary is done once. */
static void refresh_screen(struct app *app)
{
	app_keep_interval(app); /* a change of what is counted ends an interval, too */
	if (app->needs_build)
		build_screen(app);
	if (app->needs_drawing)
		compose_frame_draw(app);
	if (!hosts_each(app, wants_no_round, NULL))
		set_replay_timer(app, 1);
	follow_delay(app);
	follow_names(app, app);
	if (against_old(app))
		follow_names(app, against_old(app));
	follow_terminal(app);
}

static void forget_message(struct app *app)
{
	if (app->message.until_ns != 0 && sys_now_ns() >= app->message.until_ns) {
		app->message.text[0] = '\0';
		app->message.until_ns = 0;
		app->needs_drawing = true;
	}
}

/* An interval has ended: what is live shows it, unless we are behind with the log's lines. */
static void refresh_rows(struct app *app)
{
	app->needs_drawing = true;
	if (playback_is_frozen(app->playback))
		return;
	if (!history_view_leaves_lines_out(app)) {
		build_screen(app);
		history_view_count_lines(app);
	} else {
		refresh_pages(app);
		make_footer(app);
	}
}

/* Said once; counting goes on. */
static void look_after_recording_shown(struct app *app)
{
	struct error error;

	if (!engine_recording_has_failed(app->engine, &error))
		return;
	app_refuse(app, &error);
	app->message.until_ns = 0; /* it stays */
}

/* What was saved of the past stays, until a key is pressed. */
static void look_for_trigger(struct app *app)
{
	struct strbuf said = {0};
	struct error error;
	const bool good = past_look(app, &said, &error);

	if (!good && said.length > 0)
		app_say(app, true, "%s; %s", strbuf_text(&said), error.text);
	else if (!good)
		app_refuse(app, &error);
	else if (said.length > 0)
		app_say(app, false, "%s", strbuf_text(&said));
	if (app->message.text[0] != '\0' && said.length > 0)
		app->message.until_ns = 0;
	strbuf_fini(&said);
}

/* Not in place of what is still to be read, such as the answer to a key. */
static void tell_urgency(struct app *app)
{
	char waited[UNITS_TEXT_MAX];
	uint64_t waited_ns;

	if (app->message.text[0] != '\0' || !engine_has_become_urgent(app->engine, &waited_ns))
		return;
	units_format_span(waited, waited_ns);
	app_say(app, false, "perftop waited %s for a CPU: real-time priority for now (RT)", waited);
}

static void screen_interval_ends(void *context)
{
	struct app *app = context;
	struct rounds *rounds = app->parts[PART_rounds];

	rounds->ticks++;
	acting_note_sleep(app, sys_now_ns());
	engine_note_wait(app->engine, loop_waiting_ns(rounds->loop));
	engine_tick(app->engine);
	app_keep_interval(app);
	forget_message(app);
	tell_urgency(app);
	look_after_recording_shown(app);
	look_for_trigger(app);
	attach_watch(app);
	refresh_rows(app);
	if (app->options->iterations > 0 && rounds->ticks > app->options->iterations)
		app_leave(app);
	refresh_screen(app);
}

/* context: after how long the first of them has something to do again */
static bool play_round(struct app *app, void *context)
{
	uint64_t *wait_ns = context, next_ns;

	if (hosts_is_over(app)) /* its rows are gone, and that has been said */
		return true;
	next_ns = playback_round(app->playback);
	*wait_ns = next_ns < *wait_ns ? next_ns : *wait_ns;
	return true;
}

/* The timer of a replay; it goes off when the next interval is due. */
static void screen_replay_goes_on(void *context)
{
	struct app *app = context;
	struct rounds *rounds = app->parts[PART_rounds];
	uint64_t wait_ns = UINT64_MAX;

	forget_message(app);
	hosts_each(app, play_round, &wait_ns);
	host_rows_look_after(app);
	set_replay_timer(app, wait_ns);
	if (app->options->iterations > 0 && rounds->ticks > app->options->iterations)
		app_leave(app);
	refresh_screen(app);
}

/* The terminal has gone. Its signal, if it is not ignored, may not be here yet. */
static void hang_up(struct app *app)
{
	struct rounds *rounds = app->parts[PART_rounds];

	raise(SIGHUP);
	loop_hear(rounds->loop);
	app_leave(app);
}

static void pass_key(struct app *app, uint32_t key)
{
	welcome_end(app);
	if (key == KEY_CODE_END_OF_INPUT)
		hang_up(app);
	else if (key == KEY_CODE_RESIZE)
		app_resize(app);
	else
		mode_top(app)->key(app, key);
}

/* What is said meanwhile is its answer, whoever took it. */
static void handle_key(struct app *app, uint32_t key)
{
	const uint64_t before_ns = app->message.until_ns;

	host_rows_follow(app);
	key = mouse_take(app, key);
	if (key != KEY_CODE_NONE && !paste_take(app, key))
		pass_key(app, key);
	if (app->message.until_ns != before_ns)
		app->message.is_answer = true;
	host_rows_follow(app);
	if (app->needs_build && !mode_is_open(app, &prompt_mode))
		build_screen(app); /* the next key is meant for what this one made */
}

/* A burst of keys is taken in portions, so that typing never keeps the rings waiting. */
static void keys_are_ready(void *context)
{
	struct app *app = context;
	struct rounds *rounds = app->parts[PART_rounds];

	do {
		for (int i = 0; i < KEYS_PER_ROUND && !loop_is_over(rounds->loop) &&
				!terminal_handoff_is_on(app);
		     i++) {
			uint32_t key = term_read_key(app->term);

			if (key == KEY_CODE_NONE)
				break;
			handle_key(app, key);
		}
		refresh_screen(app);
		engine_drain(app->engine);
	} while (!terminal_handoff_is_on(app) && term_has_keys(app->term) &&
		 !loop_is_over(rounds->loop));
}

static void command_ended(struct app *app)
{
	struct child *child = engine_child(app->engine);

	if (child_runs(child) && child_collect(child)) {
		engine_tick(app->engine);
		engine_complete_result(app->engine);
		app->needs_build = !playback_is_frozen(app->playback);
		playback_freeze(app->playback, true); /* what it did last stays on the screen */
		app_say(app, true, "%s has ended with status %d; q leaves, and prints the totals",
			app->options->command[0], child->exit_status);
		app->message.until_ns = 0; /* it stays */
	}
}

static void screen_signal_arrived(void *context, int number)
{
	struct app *app = context;

	switch (number) {
	case SIGWINCH:
		if (!terminal_handoff_is_on(app))
			app_resize(app);
		break;
	case SIGTSTP:
		if (!terminal_handoff_is_on(app))
			suspend(app);
		break;
	case SIGCONT: /* of one that was stopped without being asked, the shell has set the terminal
		       */
		if (!terminal_handoff_is_on(app))
			term_resume(app->term);
		app_redraw_all(app);
		break;
	case SIGCHLD:
		command_ended(app);
		terminal_handoff_collect(app);
		break;
	default:
		child_signal(engine_child(app->engine), number);
		app_leave(app);
		return;
	}
	refresh_screen(app);
}

bool app_take_signals(struct app *app, struct error *error)
{
	struct rounds *rounds = app->parts[PART_rounds];

	return loop_take_signals(rounds->loop, screen_signal_arrived, app, error);
}

/* context: the error */
static bool begin_host(struct app *app, void *context)
{
	struct rounds *rounds = app->parts[PART_rounds];
	struct error refused = {0};
	int fd;

	app_need_samples(app, app_first_needs(app), &refused);
	app_need_parallelism(app, app_first_needs(app));
	if (!engine_start(app->engine, context))
		return false;
	fd = engine_source(app->engine)->poll_fd; /* a file is never waited for */
	return fd < 0 || loop_add(rounds->loop, fd, app_drain, app, context);
}

bool app_begin_rounds(struct app *app, struct error *error)
{
	struct rounds *rounds = app->parts[PART_rounds];
	const bool is_replay = engine_is_replay(app->engine);

	rounds->reads_keys = true;
	return hosts_each(app, begin_host, error) &&
	       loop_add(rounds->loop, STDIN_FILENO, keys_are_ready, app, error) &&
	       loop_set_timer(rounds->loop, is_replay ? 1 : FIRST_INTERVAL_MS * 1000000ull,
			      is_replay ? screen_replay_goes_on : screen_interval_ends, app, error);
}

const struct app_part part_rounds = {.bytes = sizeof(struct rounds)};
