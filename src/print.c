#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "loop.h"
#include "options.h"
#include "source/source.h"
#include "view/table.h"

#include "child.h"
#include "engine.h"

struct printer {
	const struct options *options;
	struct engine engine;
	struct loop *loop;
	struct child child;
	struct strbuf text;
	struct view_table *table; /* kept between intervals */
	int fd;
	const char *name; /* of what fd is, for messages */
	uint64_t printed; /* intervals */
	bool is_over;     /* nothing more is to be printed */
	bool was_interrupted;
	struct error *error;
};

/* A reader that has gone is no error: the output ends. Anything else is. */
static bool write_out(struct printer *printer)
{
	const char *text = strbuf_text(&printer->text);
	size_t left = printer->text.length;

	while (left > 0) {
		ssize_t count = write(printer->fd, text, left);

		if (count < 0 && errno == EINTR)
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

static struct view_settings settings_of(const struct options *options)
{
	return (struct view_settings){
		.sort = options->sort,
		.sort_reversed = options->sort_reversed,
		.threads = options->threads,
		.extra_rows = true,
		.ascii = options->ascii,
		.uid = options->uid,
		.columns = options->columns,
		.column_count = options->column_count,
	};
}

/* The command goes on without us: its end is waited for when nothing is left to print. */
static void stop_printing(struct printer *printer)
{
	printer->is_over = true;
	if (printer->child.pid <= 0 || child_collect(&printer->child) || printer->was_interrupted)
		loop_quit(printer->loop);
}

static void print_interval(struct printer *printer)
{
	const struct view_settings settings = settings_of(printer->options);
	const struct batch_input input = {
		.view = printer->options->view,
		.settings = &settings,
		.snapshot = printer->engine.snapshot,
		.session = engine_session(&printer->engine),
		.metrics = printer->engine.metrics,
		.table = printer->table,
		.is_first = printer->printed == 0,
	};

	strbuf_clear(&printer->text);
	printer->options->format->write(&printer->text, &input);
	if (!write_out(printer)) {
		stop_printing(printer);
		return;
	}
	printer->printed++;
	if (printer->printed == printer->options->iterations)
		stop_printing(printer);
}

static void source_is_ready(void *context)
{
	struct printer *printer = context;

	engine_drain(&printer->engine);
}

static void interval_ends(void *context)
{
	struct printer *printer = context;

	if (printer->is_over)
		return;
	engine_tick(&printer->engine);
	print_interval(printer);
	if (!printer->is_over && engine_is_finished(&printer->engine) && printer->child.pid <= 0)
		stop_printing(printer);
}

/* The command has ended: what it did since the last interval is printed, and that is all. */
static void child_ended(struct printer *printer)
{
	if (!printer->is_over)
		interval_ends(printer);
	printer->is_over = true;
	loop_quit(printer->loop);
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
		/* a terminal's ^C reaches the command by itself, and its end ends us; the second
		 * one does not wait */
		if (has_child && !printer->was_interrupted) {
			printer->was_interrupted = true;
			if (number != SIGINT)
				child_signal(&printer->child, number);
			return;
		}
		loop_quit(printer->loop);
		return;
	case SIGTSTP:
		raise(SIGSTOP);
		return;
	default:
		return;
	}
}

static bool open_output(struct printer *printer)
{
	const struct options *options = printer->options;

	printer->fd = options->command != NULL ? STDERR_FILENO : STDOUT_FILENO;
	printer->name = options->command != NULL ? "standard error" : "standard output";
	if (options->output == NULL)
		return true;
	printer->name = options->output;
	printer->fd = open(options->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return printer->fd >= 0 ||
	       error_set_errno(printer->error, ERROR_FILE_OPEN, options->output, errno);
}

static bool start(struct printer *printer)
{
	const struct options *options = printer->options;
	struct error *error = printer->error;

	if (options->command != NULL &&
	    !child_prepare(&printer->child, options->command, false, error))
		return false;
	if (!engine_open(&printer->engine, options, printer->child.pid, error) ||
	    !open_output(printer))
		return false;
	printer->loop = loop_create(error);
	if (printer->loop == NULL ||
	    !loop_take_signals(printer->loop, signal_arrived, printer, error))
		return false;
	if (!engine_start(&printer->engine, error) ||
	    !loop_add(printer->loop, source_poll_fd(printer->engine.source), source_is_ready,
		      printer, error))
		return false;
	if (options->command != NULL && !child_start(&printer->child, options->command[0], error))
		return false;
	return loop_set_timer(printer->loop, (uint64_t)(options->delay_s * 1e9), interval_ends,
			      printer, error);
}

int print_run(const struct options *options, struct error *error)
{
	struct printer printer = {
		.options = options,
		.table = view_table_create(),
		.fd = -1,
		.error = error,
	};
	bool started;

	printer.child.start_fd = printer.child.result_fd = -1;
	started = start(&printer);
	if (started)
		loop_run(printer.loop);
	if (printer.was_interrupted && !printer.child.has_ended)
		child_signal(&printer.child, SIGTERM);
	child_finish(&printer.child);
	loop_destroy(printer.loop);
	view_table_destroy(printer.table);
	engine_close(&printer.engine);
	strbuf_fini(&printer.text);
	if (options->output != NULL && printer.fd >= 0 && close(printer.fd) != 0 &&
	    error->code == ERROR_NONE)
		error_set_errno(error, ERROR_FILE_WRITE, options->output, errno);
	if (error->code != ERROR_NONE)
		return error_exit_status(error);
	return started && options->command != NULL ? printer.child.exit_status : 0;
}
