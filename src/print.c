/*
 * The run as a whole: what begins it, what ends an interval (print_interval.c prints it), and what
 * ends it.
 */
#include "print.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/totals.h"
#include "model/history.h"
#include "model/session.h"
#include "source/source.h"
#include "view/table.h"

#include "command/commands.h"
#include "output.h"
#include "perfdata/replay.h"
#include "print_parts.h"
#include "session/child.h"
#include "session/config.h"
#include "session/engine.h"
#include "session/loop.h"
#include "session/options.h"
#include "session/resolve.h"
#include "session/startup_selection.h"

/* The command goes on without us: its end is waited for when nothing is left to print. */
static void stop_printing(struct printer *printer)
{
	printer->is_over = true;
	if (printer->child->pid <= 0 || child_collect(printer->child))
		loop_quit(printer->loop);
}

static void close_interval(struct printer *printer)
{
	print_tick(printer);
	print_look_after_recording(printer);
	if (!print_interval(printer))
		stop_printing(printer);
}

/* The command has ended: what it did since the last interval is printed, and that is all. */
static void print_the_rest(struct printer *printer)
{
	if (!printer->is_over)
		close_interval(printer);
	printer->is_over = true;
	loop_quit(printer->loop);
}

static void records_came(void *context)
{
	struct printer *printer = context;

	engine_drain(printer->engine);
	print_look_after_recording(printer);
	/* the first interval says what is where; until it ends the history keeps them */
	if (!print_has_lines(printer) || !engine_snapshot(printer->engine) || printer->is_over)
		return;
	if (!print_log(printer))
		stop_printing(printer);
	else if (printer->child->has_ended) /* while it was being written */
		print_the_rest(printer);
}

static void interval_ends(void *context)
{
	struct printer *printer = context;

	if (printer->is_over)
		return;
	close_interval(printer);
	if (printer->is_over)
		return;
	if (printer->child->has_ended) /* while the output was waited for */
		print_the_rest(printer);
	else if (engine_is_finished(printer->engine) && printer->child->pid <= 0)
		stop_printing(printer);
}

/* What is not in the output is said beside it. */
static void say_remarks(const struct printer *printer)
{
	char remarks[512];

	replay_remarks(engine_source(printer->engine), remarks, sizeof(remarks));
	if (remarks[0] != '\0')
		fprintf(stderr, "perftop: %s: %s\n", printer->options->input, remarks);
}

/* Output that is empty must not look as if nothing had happened. */
static void say_why_nothing(const struct printer *printer)
{
	const struct history *history = engine_history(printer->engine);
	const char *lack = engine_lacks_switches(printer->engine);
	struct strbuf unseen = {0};

	if (lack && history && history_settled(history) == 0)
		fprintf(stderr, "perftop: %s: %s\n", printer->options->input, lack);
	if (engine_list_unseen(printer->engine, &unseen))
		fprintf(stderr, "perftop: %s: %s: not in this recording\n", printer->options->input,
			strbuf_text(&unseen));
	strbuf_fini(&unseen);
}

/* A recording is printed as fast as it can be read and written. */
static void replay_goes_on(void *context)
{
	struct printer *printer = context;

	while (!printer->is_over && engine_can_tick(printer->engine)) {
		close_interval(printer);
		if (!loop_hear(printer->loop))
			return;
	}
	if (printer->is_over || !engine_is_finished(printer->engine))
		return;
	say_remarks(printer);
	if (!engine_snapshot(printer->engine))
		error_set(printer->error, ERROR_REPLAY_EMPTY, printer->options->input,
			  "no record in it has a time");
	else
		say_why_nothing(printer);
	stop_printing(printer);
}

static void end_now(struct printer *printer)
{
	if (!printer->is_over)
		printer->was_ended = true;
	loop_quit(printer->loop);
}

/* Where the output is being waited for, an end that was asked for does not wait with it. */
static void child_ended(struct printer *printer)
{
	if (!printer->is_writing)
		print_the_rest(printer);
	else if (printer->was_interrupted)
		end_now(printer);
}

/*
 * A terminal's ^C reaches the command by itself, and its end ends us; the second one does not
 * wait for it.
 */
static void end_was_asked(struct printer *printer, int number)
{
	bool has_child = child_runs(printer->child);

	printer->output.is_in_haste = true;
	if (!has_child || printer->was_interrupted) {
		printer->abandoned = has_child ? number : 0;
		end_now(printer);
		return;
	}
	printer->was_interrupted = true;
	if (number != SIGINT)
		child_signal(printer->child, number);
}

static void signal_arrived(void *context, int number)
{
	struct printer *printer = context;
	bool has_child = child_runs(printer->child);

	switch (number) {
	case SIGCHLD:
		if (has_child && child_collect(printer->child))
			child_ended(printer);
		return;
	case SIGINT:
	case SIGTERM:
	case SIGHUP:
	case SIGQUIT:
		end_was_asked(printer, number);
		return;
	case SIGTSTP:
		raise(SIGSTOP);
		return;
	default:
		return;
	}
}

/* Of the configuration what is counted matters here; the rest is for the screen, but it must be
 * right. */
static bool configure_line(struct printer *printer, const struct config_line *line,
			   struct error *error)
{
	const char *events = config_argument(line, "event");
	const char *metric = config_argument(line, "metric");
	const char *defined = config_argument(line, "define");
	struct column_list added = {0};
	const struct column *column;
	size_t position = RESOLVE_NOWHERE;
	bool good;

	if (events) {
		good = resolve_events(engine_resolver(printer->engine), events, &added, &position,
				      error);
	} else if (metric) {
		good = resolve_metric(engine_resolver(printer->engine), metric, &column, &position,
				      error);
		if (good)
			column_list_add(&added, column);
	} else if (defined) {
		metric = defined;
		good = resolve_metric(engine_resolver(printer->engine), defined, &column, &position,
				      error);
	} else {
		return command_is_setting(&command_table, line->text, error);
	}
	for (size_t i = 0; i < added.count; i++)
		column_list_insert(&engine_selection(printer->engine)->extras, added.columns[i]);
	column_list_fini(&added);
	if (!good)
		resolve_mark(error, events ? events : metric, position);
	return good;
}

/* Reports the first wrong line, and how many there are. */
static void apply_config(struct printer *printer, const struct config *config)
{
	struct error first = {0};
	size_t wrong = 0;

	for (size_t i = 0; i < config->count; i++) {
		struct error error = {0};

		if (configure_line(printer, &config->lines[i], &error))
			continue;
		config_blame(config, &config->lines[i], &error);
		first = wrong++ == 0 ? error : first;
	}
	if (wrong == 1)
		fprintf(stderr, "perftop: %s\n", first.text);
	else if (wrong > 1)
		fprintf(stderr, "perftop: %s (%zu lines are wrong)\n", first.text, wrong);
}

static bool configure(struct printer *printer)
{
	struct config config;
	bool good = config_read(&config, printer->options, printer->error);

	if (good)
		apply_config(printer, &config);
	else if (!printer->options->config_path)
		fprintf(stderr, "perftop: %s\n", printer->error->text);
	config_fini(&config);
	return good || config_may_fail(printer->options, printer->error);
}

/* Everything that is to be counted and printed, before it begins. */
static bool set_up(struct printer *printer)
{
	printer->table = view_table_create(engine_resolver(printer->engine)->columns);
	engine_serve_table(printer->engine, printer->table);
	printer->totals = totals_create();
	if (!configure(printer))
		return false;
	if (!engine_make_selection(printer->engine, printer->error))
		return false;
	printer->needs = startup_selection_needs(engine_selection(printer->engine),
						 engine_resolver(printer->engine)->columns,
						 printer->options);
	engine_need_cgroups(printer->engine, printer->needs & COLUMN_NEEDS_CGROUPS);
	/* rows that are not there say nothing of why */
	if (printer->options->filter && engine_resolver(printer->engine)->note.code != ERROR_NONE)
		fprintf(stderr, "perftop: %s\n", engine_resolver(printer->engine)->note.text);
	return true;
}

/* The history begins with the first interval: records before it only say which tasks run. */
static bool start_counting(struct printer *printer)
{
	const struct options *options = printer->options;
	const struct session *session = engine_session(printer->engine);
	const unsigned int needs = printer->needs | options->view->needs;

	if (needs & COLUMN_NEEDS_WAKEUPS && !engine_need_scheduler(printer->engine, printer->error))
		return false;
	if (printer->needs & COLUMN_NEEDS_WAKEUPS && session->queue != QUEUE_WAKEUPS &&
	    session->queue_words[0] != '\0')
		fprintf(stderr, "perftop: %s\n", session->queue_words);
	return engine_start(printer->engine, printer->error);
}

/* What comes through a pipe is waited for in the loop, a file is there. */
static bool start_replay(struct printer *printer)
{
	const int fd = source_poll_fd(engine_source(printer->engine));

	if (!start_counting(printer) ||
	    (fd >= 0 && !loop_add(printer->loop, fd, replay_goes_on, printer, printer->error)))
		return false;
	replay_goes_on(printer);
	return true;
}

static bool start(struct printer *printer)
{
	const struct options *options = printer->options;
	struct error *error = printer->error;

	if (!engine_open(printer->engine, error) || !set_up(printer) ||
	    !output_open(&printer->output, options, error))
		return false;
	printer->loop = loop_create(error);
	if (!printer->loop || !loop_take_signals(printer->loop, signal_arrived, printer, error))
		return false;
	if (engine_is_replay(printer->engine))
		return start_replay(printer);
	if (!start_counting(printer) ||
	    !loop_add(printer->loop, source_poll_fd(engine_source(printer->engine)), records_came,
		      printer, error))
		return false;
	return loop_set_timer(printer->loop, (uint64_t)(options->delay_s * 1e9), interval_ends,
			      printer, error);
}

/* Returns the exit status. Signals, but for the one that has ended us, are delivered again by now:
 * waiting for the command can be ended by them. */
static int fini(struct printer *printer)
{
	int status;

	if (printer->abandoned == 0)
		child_finish(printer->child);
	view_table_destroy(printer->table);
	totals_destroy(printer->totals);
	strbuf_fini(&printer->text);
	output_close(&printer->output, printer->error);
	status = engine_exit_status(printer->engine, printer->error);
	engine_destroy(printer->engine);
	return printer->abandoned > 0 && printer->error->code == ERROR_NONE
		       ? 128 + printer->abandoned
		       : status;
}

/* The totals of what was asked for are the end of the output where its format has a place for them.
 */
static void print_result(struct printer *printer)
{
	const char *format = printer->options->format->name;
	const bool is_text = strcmp(format, "text") == 0;

	if (printer->error->code != ERROR_NONE || printer->abandoned > 0 ||
	    !(is_text || strcmp(format, "json") == 0))
		return;
	/* what the command did since the last interval that was printed */
	if (printer->child->pid > 0 && engine_snapshot(printer->engine))
		engine_tick(printer->engine);
	strbuf_clear(&printer->text);
	engine_write_result(printer->engine, is_text ? "# " : NULL, &printer->text);
	if (printer->text.length > 0)
		output_write(&printer->output, &printer->text, NULL, NULL, printer->error);
}

int print_run(const struct options *options, struct error *error)
{
	struct printer printer = {
		.options = options,
		.engine = engine_create(options),
		.output = {.fd = -1},
		.error = error,
	};

	printer.child = engine_child(printer.engine);
	if (start(&printer))
		loop_run(printer.loop);
	print_last_lines(&printer); /* while a closed pipe is no signal */
	print_stop_recording(&printer);
	print_result(&printer);
	loop_destroy(printer.loop);
	output_finish(&printer.output, error);
	return fini(&printer);
}
