/*
 * Signals are descriptors here, so they interrupt no system call: nothing waits for the reader of
 * the output but loop_wait_writable(), which hears them.
 */
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "commands.h"
#include "loop.h"
#include "model/history.h"
#include "options.h"
#include "source/source.h"
#include "view/table.h"

#include "child.h"
#include "choose.h"
#include "config.h"
#include "engine.h"

enum {
	LOG_PORTION = 1000 /* lines that are written at a time */
};

struct printer {
	const struct options *options;
	struct engine engine;
	struct chooser chooser;
	struct choice choice;
	struct loop *loop;
	struct child child;
	struct strbuf text;
	struct view_table *table; /* kept between intervals */
	int fd;
	bool owns_fd;
	const char *name;    /* of what fd is, for messages */
	uint64_t printed;    /* intervals */
	bool has_written;    /* anything */
	uint64_t next_entry; /* of the history: the first one that was not looked at */
	uint64_t left_out;   /* switches that were dropped before they could be written */
	bool is_writing;
	bool is_over; /* nothing more is to be printed */
	bool was_interrupted;
	int abandoned; /* the signal that had us leave the command alone; 0: none */
	struct error *error;
};

static void source_is_ready(void *context)
{
	struct printer *printer = context;

	engine_drain(&printer->engine);
}

/*
 * A reader that has gone is no error: the output ends. Anything else is. A pipe that can be written
 * to takes PIPE_BUF bytes at once, so that not even one that had to stay blocking blocks.
 */
static bool write_out(struct printer *printer)
{
	const struct loop_meanwhile meanwhile = {
		.fd = source_poll_fd(printer->engine.source),
		.handler = source_is_ready,
		.context = printer,
	};
	const char *text = strbuf_text(&printer->text);
	size_t left = printer->text.length;

	while (left > 0) {
		ssize_t count;

		if (!loop_wait_writable(printer->loop, printer->fd, &meanwhile))
			return false;
		count = write(printer->fd, text, left < PIPE_BUF ? left : PIPE_BUF);
		if (count < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (count < 0 && errno == EPIPE)
			return false;
		if (count < 0)
			return error_set_errno(printer->error, ERROR_FILE_WRITE, printer->name,
					       errno);
		text += count;
		left -= (size_t)count;
	}
	return true;
}

static struct view_settings settings_of(const struct printer *printer)
{
	const struct options *options = printer->options;
	const bool is_part = printer->engine.scope != ENGINE_ALL;

	return (struct view_settings){
		.sort = printer->choice.sort,
		.sort_reversed = printer->choice.sort_reversed,
		.threads = options->threads,
		.extra_rows = true,
		.ascii = options->ascii,
		.filter = options->filter,
		.uid = options->uid,
		.columns = &printer->choice.columns,
		.extras = &printer->choice.extras,
		.history = engine_history(&printer->engine),
		.wants_pid = is_part ? engine_wants : NULL,
		.wants_context = &printer->engine,
	};
}

/* The command goes on without us: its end is waited for when nothing is left to print. */
static void stop_printing(struct printer *printer)
{
	printer->is_over = true;
	if (printer->child.pid <= 0 || child_collect(&printer->child))
		loop_quit(printer->loop);
}

/* Formats what the settings choose, and writes it. False: nobody will read any more. */
static bool print_rows(struct printer *printer, const struct view_settings *settings,
		       uint64_t left_out)
{
	const struct batch_input input = {
		.view = printer->options->view,
		.settings = settings,
		.snapshot = printer->engine.snapshot,
		.session = engine_session(&printer->engine),
		.metrics = printer->engine.metrics,
		.table = printer->table,
		.is_first = !printer->has_written,
		.left_out = left_out,
	};
	bool was_written;

	strbuf_clear(&printer->text);
	printer->options->format->write(&printer->text, &input);
	printer->has_written = true;
	printer->is_writing = true;
	was_written = write_out(printer);
	printer->is_writing = false;
	return was_written;
}

/* Entries that came since, of those at most as many; skips what the history has dropped. */
static uint64_t take_entries(struct printer *printer, struct view_settings *settings, uint64_t most)
{
	const uint64_t first = history_first(settings->history);
	const uint64_t settled = history_settled(settings->history);
	const uint64_t from = printer->next_entry > first ? printer->next_entry : first;
	const uint64_t to = settled - from > most ? from + most : settled;
	const uint64_t left_out = from - printer->next_entry;

	settings->history_from = from;
	settings->history_to = to;
	printer->next_entry = to;
	printer->left_out += left_out;
	return left_out;
}

/*
 * Writes what is settled by now, in portions: between two of them the rings are looked after, and
 * what comes meanwhile is left to the next call, so that intervals end though it never stops.
 */
static void print_log(struct printer *printer)
{
	const uint64_t end = history_settled(engine_history(&printer->engine));

	while (!printer->is_over && printer->next_entry < end) {
		struct view_settings settings = settings_of(printer);
		const uint64_t left_out = take_entries(printer, &settings, LOG_PORTION);

		if (!print_rows(printer, &settings, left_out))
			stop_printing(printer);
		engine_drain(&printer->engine);
	}
}

static void print_interval(struct printer *printer)
{
	struct view_settings settings = settings_of(printer);
	const struct view_info *view = printer->options->view;
	bool was_written = true;

	if (view->is_log) {
		print_log(printer);
	} else {
		if (view->needs_history)
			take_entries(printer, &settings, UINT64_MAX);
		was_written = print_rows(printer, &settings, 0);
	}
	if (!was_written || ++printer->printed == printer->options->iterations)
		stop_printing(printer);
}

static void records_came(void *context)
{
	struct printer *printer = context;

	engine_drain(&printer->engine);
	/* the first interval says what stands where; until it ends the history keeps them */
	if (printer->options->view->is_log && printer->engine.snapshot != NULL && !printer->is_over)
		print_log(printer);
}

static void close_interval(struct printer *printer)
{
	engine_tick(&printer->engine);
	print_interval(printer);
}

/* The command has ended: what it did since the last interval is printed, and that is all. */
static void print_the_rest(struct printer *printer)
{
	if (!printer->is_over)
		close_interval(printer);
	printer->is_over = true;
	loop_quit(printer->loop);
}

static void interval_ends(void *context)
{
	struct printer *printer = context;

	if (printer->is_over)
		return;
	close_interval(printer);
	if (printer->is_over)
		return;
	if (printer->child.has_ended) /* while the output was waited for */
		print_the_rest(printer);
	else if (engine_is_finished(&printer->engine) && printer->child.pid <= 0)
		stop_printing(printer);
}

/* Where the output is being waited for, an end that was asked for does not wait with it. */
static void child_ended(struct printer *printer)
{
	if (!printer->is_writing)
		print_the_rest(printer);
	else if (printer->was_interrupted)
		loop_quit(printer->loop);
}

/*
 * A terminal's ^C reaches the command by itself, and its end ends us; the second one does not
 * wait for it.
 */
static void end_was_asked(struct printer *printer, int number)
{
	bool has_child = printer->child.pid > 0 && !printer->child.has_ended;

	if (!has_child || printer->was_interrupted) {
		printer->abandoned = has_child ? number : 0;
		loop_quit(printer->loop);
		return;
	}
	printer->was_interrupted = true;
	if (number != SIGINT)
		child_signal(&printer->child, number);
}

static void signal_arrived(void *context, int number)
{
	struct printer *printer = context;
	bool has_child = printer->child.pid > 0 && !printer->child.has_ended;

	switch (number) {
	case SIGCHLD:
		if (has_child && child_collect(&printer->child))
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

/*
 * A terminal takes what it has room for and waits with the rest, and of a pipe's room others may
 * be first to make use. Not so when it does not block; but what we were given is shared with
 * others, who would not block either: it is opened once more. Where that is refused, what there is
 * must do.
 */
static void take_standard_file(struct printer *printer, int fd)
{
	const int mode = fcntl(fd, F_GETFL) & O_ACCMODE;
	struct stat file;
	char path[32];

	printer->fd = fd;
	if (mode == O_RDONLY || fstat(fd, &file) != 0 || (!S_ISFIFO(file.st_mode) && !isatty(fd)))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	printer->fd = fd;
	printer->owns_fd = true;
}

static bool open_output(struct printer *printer)
{
	const struct options *options = printer->options;
	bool has_command = options->command != NULL;

	if (options->output == NULL) {
		printer->name = has_command ? "standard error" : "standard output";
		take_standard_file(printer, has_command ? STDERR_FILENO : STDOUT_FILENO);
		return true;
	}
	printer->name = options->output;
	printer->fd = open(options->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (printer->fd < 0)
		return error_set_errno(printer->error, ERROR_FILE_OPEN, options->output, errno);
	printer->owns_fd = true;
	fcntl(printer->fd, F_SETFL, O_NONBLOCK); /* only now: a FIFO's reader is waited for */
	return true;
}

/* Of the configuration what is counted matters here; the rest is for the screen, but it must be
 * right. */
static bool configure_line(struct printer *printer, const struct config_line *line,
			   struct error *error)
{
	const char *events = config_argument(line, "event");
	const char *metric = config_argument(line, "metric");
	struct column_list added = {0};
	const struct column *column;
	size_t position = CHOOSE_NOWHERE;
	bool good;

	if (events != NULL) {
		good = choose_events(&printer->chooser, events, &added, &position, error);
	} else if (metric != NULL) {
		good = choose_metric(&printer->chooser, metric, &column, &position, error);
		if (good)
			column_list_add(&added, column);
	} else {
		return command_is_setting(line->text, error);
	}
	for (size_t i = 0; i < added.count; i++)
		column_list_insert(&printer->choice.extras, added.columns[i]);
	column_list_fini(&added);
	if (!good)
		choose_mark(error, events != NULL ? events : metric, position);
	return good;
}

static bool configure(struct printer *printer)
{
	struct config config;
	bool good = config_read(&config, printer->options, printer->error);

	for (size_t i = 0; good && i < config.count; i++) {
		struct error error = {0};

		if (configure_line(printer, &config.lines[i], &error))
			continue;
		config_blame(&config, &config.lines[i], &error);
		fprintf(stderr, "perftop: %s\n", error.text);
	}
	config_fini(&config);
	return good;
}

/* Everything that is to be counted and printed, before it begins. */
static bool set_up(struct printer *printer)
{
	chooser_init(&printer->chooser, &printer->engine);
	printer->table = view_table_create(printer->chooser.columns);
	if (!configure(printer))
		return false;
	if (!choice_make(&printer->choice, &printer->chooser, printer->options, printer->error))
		return false;
	/* rows that are not there say nothing of why */
	if (printer->options->filter != NULL && printer->chooser.note.code != ERROR_NONE)
		fprintf(stderr, "perftop: %s\n", printer->chooser.note.text);
	return true;
}

/* The history begins with the first interval: what was heard before only told who runs. */
static bool start_counting(struct printer *printer)
{
	const struct options *options = printer->options;

	if (options->view->needs_history &&
	    !engine_need_scheduler(&printer->engine, printer->error))
		return false;
	if (!engine_start(&printer->engine, printer->error))
		return false;
	if (options->view->needs_history)
		engine_keep_history(&printer->engine, options->history);
	return true;
}

static bool start(struct printer *printer)
{
	const struct options *options = printer->options;
	struct error *error = printer->error;

	if (options->command != NULL &&
	    !child_prepare(&printer->child, options->command, false, error))
		return false;
	if (!engine_open(&printer->engine, options, printer->child.pid, error) ||
	    !set_up(printer) || !open_output(printer))
		return false;
	printer->loop = loop_create(error);
	if (printer->loop == NULL ||
	    !loop_take_signals(printer->loop, signal_arrived, printer, error))
		return false;
	if (!start_counting(printer) ||
	    !loop_add(printer->loop, source_poll_fd(printer->engine.source), records_came, printer,
		      error))
		return false;
	if (options->command != NULL && !child_start(&printer->child, options->command[0], error))
		return false;
	return loop_set_timer(printer->loop, (uint64_t)(options->delay_s * 1e9), interval_ends,
			      printer, error);
}

/* Signals are delivered again by now: waiting for the command can be ended by them. */
static void fini(struct printer *printer)
{
	struct error *error = printer->error;

	if (printer->abandoned == 0)
		child_finish(&printer->child);
	view_table_destroy(printer->table);
	choice_fini(&printer->choice);
	chooser_fini(&printer->chooser);
	engine_close(&printer->engine);
	strbuf_fini(&printer->text);
	if (printer->owns_fd && close(printer->fd) != 0 && error->code == ERROR_NONE)
		error_set_errno(error, ERROR_FILE_WRITE, printer->name, errno);
}

static int exit_status(const struct printer *printer)
{
	if (printer->error->code != ERROR_NONE)
		return error_exit_status(printer->error);
	return printer->abandoned > 0 ? 128 + printer->abandoned : printer->child.exit_status;
}

int print_run(const struct options *options, struct error *error)
{
	struct printer printer = {
		.options = options,
		.child = {.start_fd = -1, .result_fd = -1},
		.fd = -1,
		.error = error,
	};

	if (start(&printer))
		loop_run(printer.loop);
	loop_destroy(printer.loop);
	fini(&printer);
	return exit_status(&printer);
}
