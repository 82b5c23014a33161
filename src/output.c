/*
 * Signals are descriptors here, so they interrupt no system call: nothing waits for the reader of
 * the output but loop_wait_writable(), which hears them.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/stat.h>

#include "batch/batch.h"
#include "kernel/sys.h"

#include "session/loop.h"
#include "session/options.h"

void output_say(const struct error *error)
{
	fprintf(stderr, "perftop: %s\n", error->text);
	if (error->remedy[0] != '\0')
		fprintf(stderr, "%s\n", error->remedy);
}

/* In milliseconds; negative: endless. */
static int patience_of(struct output *output)
{
	const uint64_t now_ns = sys_now_ns();
	uint64_t left_ms;

	if (!output->is_in_haste)
		return -1;
	if (output->haste_ends_ns == 0)
		output->haste_ends_ns = now_ns + OUTPUT_PATIENCE_ALL_MS * UINT64_C(1000000);
	if (now_ns >= output->haste_ends_ns)
		return 0;
	left_ms = (output->haste_ends_ns - now_ns) / 1000000;
	return left_ms < OUTPUT_PATIENCE_MS ? (int)left_ms : OUTPUT_PATIENCE_MS;
}

/* False: the loop is over, or haste did not let us wait. */
static bool wait_for_reader(struct output *output, struct loop *loop,
			    const struct loop_meanwhile *meanwhile)
{
	struct pollfd polled = {.fd = output->fd, .events = POLLOUT};

	if (loop)
		return loop_wait_writable(loop, output->fd, meanwhile);
	return poll(&polled, 1, patience_of(output)) != 0;
}

/*
 * A reader that has gone is no error: the output ends. Anything else is. A pipe that can be written
 * to takes PIPE_BUF bytes at once, so that not even one that had to stay blocking blocks.
 */
static bool write_to_reader(struct output *output, const struct strbuf *text, struct loop *loop,
			    const struct loop_meanwhile *meanwhile, struct error *error)
{
	while (output->taken < text->length) {
		const size_t left = text->length - output->taken;
		ssize_t count;

		output->is_cut = !wait_for_reader(output, loop, meanwhile);
		if (output->is_cut)
			return false;
		count = write(output->fd, strbuf_text(text) + output->taken,
			      left < PIPE_BUF ? left : PIPE_BUF);
		if (count < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		output->is_gone = count < 0;
		if (count < 0 && errno == EPIPE)
			return false;
		if (count < 0)
			return error_set_errno(error, ERROR_FILE_WRITE, output->name, errno);
		output->taken += (size_t)count;
	}
	return true;
}

/*
 * A full disk or a directory that is gone may be all right again by the next interval. It is said
 * when it begins, and at the end where it still holds then.
 */
static void replace_output_file(struct output *output, const struct strbuf *text)
{
	const bool was_refused = output->refusal.code != ERROR_NONE;

	output->refusal = (struct error){0};
	if (!replacement_write(&output->file, strbuf_text(text), text->length, &output->refusal) &&
	    !was_refused)
		fprintf(stderr, "perftop: %s\n", output->refusal.text);
}

bool output_write(struct output *output, const struct strbuf *text, struct loop *loop,
		  const struct loop_meanwhile *meanwhile, struct error *error)
{
	if (output->keeps_last) {
		strbuf_clear(&output->last);
		strbuf_add_bytes(&output->last, strbuf_text(text), text->length);
		return true;
	}
	if (!output->file.path) {
		output->taken = 0;
		return write_to_reader(output, text, loop, meanwhile, error);
	}
	replace_output_file(output, text);
	return true;
}

bool output_resume(struct output *output, const struct strbuf *text, struct error *error)
{
	if (output->is_cut)
		return write_to_reader(output, text, NULL, NULL, error);
	return !output->is_gone;
}

/*
 * A terminal takes what it has room for and waits with the rest, and of a pipe's room others may be
 * first to make use. Not so when it does not block; but what we were given is shared with others,
 * which would not block either: it is opened once more. Where that is refused, what there is must
 * do.
 */
static void take_standard_file(struct output *output, int fd)
{
	const int mode = fcntl(fd, F_GETFL) & O_ACCMODE;
	struct stat file;
	char path[32];

	output->fd = fd;
	if (mode == O_RDONLY || fstat(fd, &file) != 0 || (!S_ISFIFO(file.st_mode) && !isatty(fd)))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	output->fd = fd;
	output->owns_fd = true;
}

static bool open_output_file(struct output *output, struct error *error)
{
	output->fd = open(output->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd < 0)
		return error_set_errno(error, ERROR_FILE_OPEN, output->name, errno);
	output->owns_fd = true;
	fcntl(output->fd, F_SETFL, O_NONBLOCK); /* only now: a FIFO's reader is waited for */
	return true;
}

bool output_open(struct output *output, const struct options *options, struct error *error)
{
	const bool has_command = options->command;

	output->keeps_last = options->format->is_totals;
	if (!options->output) {
		if (options->format->is_binary &&
		    isatty(has_command ? STDERR_FILENO : STDOUT_FILENO))
			return error_set(error, ERROR_OUTPUT_TERMINAL, options->format->name, NULL);
		output->name = has_command ? "standard error" : "standard output";
		take_standard_file(output, has_command ? STDERR_FILENO : STDOUT_FILENO);
		return true;
	}
	output->name = options->output;
	if (options->format->is_totals) {
		if (replacement_init(&output->file, output->name, error)) {
			output->keeps_last = false;
			return true;
		}
		if (error->code != ERROR_NONE)
			return false;
	}
	return open_output_file(output, error);
}

void output_finish(struct output *output, struct error *error)
{
	if (output->last.length == 0 || error->code != ERROR_NONE)
		return;
	signal(SIGPIPE, SIG_IGN);
	output->taken = 0;
	write_to_reader(output, &output->last, NULL, NULL, error);
}

void output_close(struct output *output, struct error *error)
{
	replacement_fini(&output->file);
	strbuf_fini(&output->last);
	if (error->code == ERROR_NONE)
		*error = output->refusal;
	if (output->owns_fd && close(output->fd) != 0 && error->code == ERROR_NONE)
		error_set_errno(error, ERROR_FILE_WRITE, output->name, errno);
}
