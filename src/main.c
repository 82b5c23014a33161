#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "check.h"
#include "kernel/rights.h"
#include "model/metric_set.h"

#include "completion.h"
#include "events.h"
#include "mode/app_run.h"
#include "mode/help.h"
#include "mode/views.h"
#include "output.h"
#include "print.h"
#include "session/options.h"
#include "symbol/symbols.h"

/*
 * No file of ours may become standard output because that was closed: what is missing is there,
 * but cannot be used. A command that we start finds it closed as we did.
 */
static bool fill_standard_files(struct error *error)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = O_CLOEXEC | (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);

		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags) < 0)
			return error_set_errno(error, ERROR_FILE_OPEN, "/dev/null", errno);
	}
	return true;
}

/*
 * Names of tasks are UTF-8 whatever the terminal can show, and JSON always is: in a locale that
 * is not, widths and classes of characters are still those of UTF-8, and the screen keeps to
 * ASCII. Returns whether the user's own locale is UTF-8.
 */
static bool set_locale(void)
{
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return true;
	setlocale(LC_CTYPE, "C.UTF-8");
	return false;
}

static void write_usage(struct strbuf *out)
{
	struct metric_set *set = metric_set_create();

	options_help(out);
	strbuf_add(out, "\nFilters, for -f:\n");
	help_write_filters(out);
	strbuf_add(out, "\nEvents, for -e and -c:\n");
	help_write_events(out);
	strbuf_add(out, "\nMetrics, for -m and -c:\n");
	help_write_metrics(out, set);
	metric_set_destroy(set);
}

static bool list_events(const struct options *options, struct strbuf *out, struct error *error)
{
	const struct events_request request = {
		.words = strbuf_text(&options->pattern),
		.as_json = strcmp(options->format->name, "json") == 0,
		.ascii = options->ascii,
	};

	return events_write(&request, out, error);
}

/* A reader that has gone is no error: the output ends. Anything else is. */
static bool write_standard_output(const struct strbuf *text, struct error *error)
{
	const char *bytes = strbuf_text(text);
	size_t left = text->length;

	while (left > 0) {
		const ssize_t count = write(STDOUT_FILENO, bytes, left);
		struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};

		if (count < 0 && errno == EPIPE)
			return true;
		if (count < 0 && errno != EINTR && errno != EAGAIN)
			return error_set_errno(error, ERROR_FILE_WRITE, "standard output", errno);
		if (count < 0) {
			poll(&room, 1, -1);
			continue;
		}
		bytes += count;
		left -= (size_t)count;
	}
	return true;
}

static int run_program(const struct options *options, struct error *error)
{
	struct strbuf text = {0};
	int status = 0;

	switch (options->action) {
	case OPTIONS_HELP:
		write_usage(&text);
		break;
	case OPTIONS_VERSION:
		strbuf_printf(&text, "perftop %s\n", PERFTOP_VERSION);
		break;
	case OPTIONS_CHECK:
		status = check_write(&text) ? 0 : 1;
		break;
	case OPTIONS_EVENTS:
		list_events(options, &text, error);
		break;
	case OPTIONS_RUN:
		return options->batch ? print_run(options, error) : app_run(options, error);
	}
	if (error->code == ERROR_NONE)
		write_standard_output(&text, error);
	strbuf_fini(&text);
	return error->code != ERROR_NONE ? error_exit_status(error) : status;
}

/* perftop --complete WORD... */
static int complete(char *const *words, size_t count)
{
	struct strbuf text = {0};
	struct error error = {0};

	completion_write(&text, words, count);
	write_standard_output(&text, &error);
	strbuf_fini(&text);
	return error_exit_status(&error);
}

/* A reader that has gone is no error: the output ends. Anything else is. */
static bool finish_output(struct error *error)
{
	errno = 0;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return true;
	return error_set_errno(error, ERROR_FILE_WRITE, "standard output",
			       errno != 0 ? errno : EIO);
}

int main(int argc, char **argv)
{
	struct options options;
	struct error error = {0};
	int status;
	bool is_utf8;

	if (!rights_begin()) {
		error_set_errno(&error, ERROR_SYSTEM, "capset", errno);
		output_say(&error);
		return error_exit_status(&error);
	}
	if (argc == 2 && strcmp(argv[1], SYMBOLS_HELPER_ARGUMENT) == 0 && symbols_is_helper())
		return symbols_serve();
	memory_keep_large_apart();
	if (!fill_standard_files(&error)) {
		output_say(&error);
		return error_exit_status(&error);
	}
	if (argc > 1 && strcmp(argv[1], COMPLETION_ARGUMENT) == 0)
		return complete(argv + 2, (size_t)argc - 2);
	is_utf8 = set_locale();
	if (!options_parse(&options, &all_views, argc, argv, &error)) {
		output_say(&error);
		return error_exit_status(&error);
	}
	if (options.input)
		rights_give_up();
	options.ascii = options.ascii || !is_utf8;
	/* a run does so itself, once the command that it starts cannot inherit it */
	if (options.action != OPTIONS_RUN)
		signal(SIGPIPE, SIG_IGN);
	status = run_program(&options, &error);
	if (error.code == ERROR_NONE && !finish_output(&error))
		status = error_exit_status(&error);
	if (error.code != ERROR_NONE)
		output_say(&error);
	options_fini(&options);
	return status;
}
