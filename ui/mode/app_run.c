/* From the options to the first picture, and from the last one to the exit status. */

#include "mode/app_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/source.h"

#include "event/event.h"
#include "mode/against.h"
#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/past.h"
#include "mode/terminal_handoff.h"
#include "mode/views.h"
#include "session/child.h"
#include "session/config.h"
#include "session/loop.h"
#include "session/options.h"
#include "session/resolve.h"
#include "term/term.h"

enum {
	HANGUP_PAUSES = 20,
	MANY_EVENTS = 20 /* the end takes seconds: of tracepoints each is waited for */
};

/* What is read from standard input is read elsewhere by now; keys come from the terminal. */
static bool take_keyboard(const struct options *options, struct error *error)
{
	size_t i = 0;
	int fd;

	while (i < options->input_count && strcmp(options->inputs[i], "-") != 0)
		i++;
	if (i == options->input_count)
		return true;
	fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
		return error_set_errno(error, ERROR_FILE_OPEN, "/dev/tty", errno);
	close(fd);
	return true;
}

static bool open_screen(struct app *app, struct error *error)
{
	int width, height;

	app->term = term_open(error);
	if (!app->term)
		return false;
	appearance_set_theme(app);
	term_size(app->term, &width, &height);
	screen_init(&app->screen, width, height);
	app->screen.is_ascii = app->options->ascii || !term_is_utf8(app->term);
	term_set_mouse(app->term, app->request.settings.mouse);
	return true;
}

static bool start_screen(struct app *app, struct strbuf *remarks, struct error *error)
{
	struct rounds *rounds = app->parts[PART_rounds];

	/* a wrong name among the options is reported before a missing terminal */
	if (!app_prepare(app, remarks, error) || !against_read(app, remarks, error) ||
	    !take_keyboard(app->options, error) || !term_is_usable(error))
		return false;
	rounds->loop = loop_create(error);
	if (!rounds->loop || !app_take_signals(app, error))
		return false;
	if (!open_screen(app, error))
		return false;
	compose_frame_draw(app); /* what follows takes longer the more tasks there are */
	return app_begin_rounds(app, error);
}

/* A line of them each; what does not fit is cut, and the cut is seen. */
static void say_remarks(struct app *app, const char *remarks)
{
	struct strbuf all = {0};

	for (size_t length; *remarks != '\0'; remarks += length + 1) {
		length = strcspn(remarks, "\n");
		strbuf_printf(&all, "%s%.*s", all.length > 0 ? "; " : "", (int)length, remarks);
	}
	app_say(app, true, "%s", strbuf_text(&all));
	strbuf_fini(&all);
}

static void say_first_words(struct app *app, const char *remarks)
{
	const struct app_attached *attached = app->parts[PART_attached];
	const struct session *session = engine_session(app->engine);
	struct error refusal = {0};

	attach_at_start(app);
	if (remarks[0] != '\0')
		say_remarks(app, remarks);
	else if (engine_refuses_realtime(app->engine, &refusal))
		app_refuse(app, &refusal);
	else if (engine_is_replay(app->engine))
		app_say(app, false,
			"Space pauses; Left/Right step; } does not wait; %s: go to "
			"a time",
			keys_name_of(app->parts[PART_keys], "ask jump"));
	else if (engine_child(app->engine)->pid > 0)
		app_say(app, false, "counting %s and its children; q leaves, and prints the totals",
			app->options->command[0]);
	else if (app->options->pid_count == 0 && session->scope_reason[0] == '\0' &&
		 !attach_is_on(attached))
		app_say(app, false, "press %s to attach to a process",
			keys_name_of(app->parts[PART_keys], "ask attach"));
}

/* The terminal is as it was, and signals are delivered again. */
static void close_screen(struct app *app)
{
	struct rounds *rounds = app->parts[PART_rounds];

	job_end(app->parts[PART_job]);
	term_close(app->term);
	screen_fini(&app->screen);
	loop_destroy(rounds->loop);
}

#define PART(name) extern const struct app_part part_##name;
#include "mode/parts.def"
#undef PART

#define PART(name)    [PART_##name] = &part_##name,
#define DRAWN(name)   [PART_##name] = &drawing_##name.part,
#define DRAWING(name) [PART_##name] = &drawing_##name.part,
static const struct app_part *const parts[] = {
#include "view/views.def"

#include "mode/parts.def"
};
#undef PART

/* Each as it is at first. */
static void init_views(struct app *app)
{
	for (size_t i = 0; i < all_views.count && i < APP_VIEWS_MAX; i++) {
		app->views[i].info = all_views.views[i];
		app->lists[i].is_log = all_views.views[i]->is_log;
		app->view_count++;
	}
}

void app_init(struct app *app, const struct options *options, struct engine *engine)
{
	*app = (struct app){
		.options = options,
		.engine = engine,
		.commands = &command_table,
		.modes = {&table_mode},
		.delay_s = options->delay_s,
	};
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (parts[i]->bytes > 0)
			app->parts[i] = xcalloc(1, parts[i]->bytes);
		if (parts[i]->init)
			parts[i]->init(app->parts[i]);
	}
	view_request_init(&app->request, NULL);
	app->screen.is_ascii = options->ascii;
	app->request.extra_rows = true;
	if (!options->batch)
		history_view_use_defaults(&app->request);
	app->playback = playback_create(engine, options->past_mib, &app_playback_ops, app);
	init_views(app);
}

void app_fini(struct app *app)
{
	hosts_close(app);
	for (size_t i = 0; i < app->view_count; i++) {
		column_list_fini(&app->views[i].columns);
		column_list_fini(&app->views[i].extras);
	}
	strbuf_fini(&app->filter);
	playback_destroy(app->playback);
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (parts[i]->fini)
			parts[i]->fini(app->parts[i]);
		free(app->parts[i]);
	}
	view_table_destroy(app->table);
}

struct app *app_create(const struct options *options)
{
	struct app *app = xcalloc(1, sizeof(*app));

	app_init(app, options, engine_create(options));
	return app;
}

void app_destroy(struct app *app)
{
	struct app *old = against_old(app);

	if (old)
		app_destroy(old);
	app_fini(app);
	engine_destroy(app->engine);
	free(app);
}

static void finish_recording(struct app *app, struct error *error)
{
	struct strbuf said = {0};
	struct error failure = {0};

	if (!past_end(app, &said, &failure) && error->code == ERROR_NONE)
		*error = failure;
	strbuf_fini(&said);
	if (!engine_stop_recording(app->engine, &failure) && error->code == ERROR_NONE)
		*error = failure;
}

/* The command may take its time: the signal that has ended us, sent again, ends the waiting. */
static void wait_for_command(struct app *app, int ended_by)
{
	struct child *child = engine_child(app->engine);

	if (ended_by > 0 && child_runs(child))
		signal(ended_by, SIG_DFL);
	child_finish(child);
}

/*
 * It is not waited for with the terminal gone, when nothing shows that we do, and no other signal
 * comes: what it writes stays in its file. One that a hangup ends has soon ended.
 */
static bool is_left_alone(struct child *child, int ended_by)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (int i = 0; i < HANGUP_PAUSES && ended_by == SIGHUP && child_runs(child); i++)
		if (!child_collect(child))
			nanosleep(&pause, NULL);
	return ended_by == SIGHUP && child_runs(child);
}

/* The command's output, and what was asked for in all, as far as it was counted. */
static void print_totals(struct app *app)
{
	struct strbuf text = {0};

	child_print_output(engine_child(app->engine), stdout);
	if (!engine_snapshot(app->engine) || engine_is_replay(app->engine))
		return;
	engine_tick(app->engine);
	engine_write_result(app->engine, "", &text);
	fputs(strbuf_text(&text), stderr);
	strbuf_fini(&text);
}

/* The terminal is the shell's already, which waits for us. */
static void say_closing(const struct engine *engine)
{
	const size_t count = engine_events(engine)->count;

	if (count >= MANY_EVENTS && !engine_is_replay(engine))
		fprintf(stderr, "perftop: the kernel closes %zu events, one after the other\n",
			count);
}

int app_run(const struct options *options, struct error *error)
{
	struct app *app = app_create(options);
	const struct rounds *rounds = app->parts[PART_rounds];
	struct strbuf remarks = {0};
	int ended_by, status;

	if (start_screen(app, &remarks, error)) {
		say_first_words(app, strbuf_text(&remarks));
		compose_frame_draw(app);
		loop_run(rounds->loop, error);
	}
	strbuf_fini(&remarks);
	finish_recording(app, error); /* while a closed pipe is no signal */
	ended_by = loop_ended_by(rounds->loop);
	close_screen(app);
	if (!is_left_alone(engine_child(app->engine), ended_by)) {
		wait_for_command(app, ended_by);
		print_totals(app);
	}
	say_closing(app->engine);
	status = engine_exit_status(app->engine, error);
	app_destroy(app);
	return status;
}
