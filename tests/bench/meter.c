/*
 * meter SECONDS MARK COMMAND [ARG...]: what a program for the terminal costs.
 *
 * Starts the command on a terminal of its own (132x50), waits until MARK has been written to it,
 * lets it settle for a second, and measures SECONDS from there. Prints one line:
 *
 *	SCREEN_MS     from the start to the first screen (its first 200 bytes)
 *	MARK_MS       from the start to the mark
 *	CPU_US        CPU time a second, in microseconds
 *	RSS_KIB       resident memory at the end
 *	PRIVATE_KIB   of this: memory that is neither a file nor shared (rings are shared)
 *	FDS           descriptors at the end
 */
#include <dirent.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

enum {
	SCREEN_BYTES = 200
};

struct meter {
	pid_t pid;
	int terminal;
	const char *mark;
	double started_ms, screen_ms, marked_ms; /* 0: not yet */
	size_t written;
	char tail[1 << 16]; /* what was written last */
	size_t tail_length;
};

static double clock_ms(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double cpu_ms(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) == 0 ? clock_ms(clock) : 0;
}

static void look_for_mark(struct meter *meter)
{
	if (meter->marked_ms > 0)
		return;
	if (memmem(meter->tail, meter->tail_length, meter->mark, strlen(meter->mark)))
		meter->marked_ms = clock_ms(CLOCK_MONOTONIC);
	if (meter->tail_length > sizeof(meter->tail) / 2)
		meter->tail_length = 0;
}

/* Takes what the program writes until then; false: it has ended. */
static bool watch_until(struct meter *meter, double end_ms, bool stop_at_mark)
{
	for (;;) {
		double left_ms = end_ms - clock_ms(CLOCK_MONOTONIC);
		struct pollfd ready = {.fd = meter->terminal, .events = POLLIN};

		if (left_ms <= 0 || (stop_at_mark && meter->marked_ms > 0))
			return true;
		if (poll(&ready, 1, (int)left_ms + 1) <= 0)
			continue;
		ssize_t count = read(meter->terminal, meter->tail + meter->tail_length,
				     sizeof(meter->tail) - meter->tail_length);
		if (count <= 0)
			return false;
		meter->tail_length += (size_t)count;
		meter->written += (size_t)count;
		if (meter->screen_ms <= 0 && meter->written >= SCREEN_BYTES)
			meter->screen_ms = clock_ms(CLOCK_MONOTONIC);
		look_for_mark(meter);
		if (meter->marked_ms > 0)
			meter->tail_length = 0;
	}
}

static long status_kib(pid_t pid, const char *field)
{
	char path[64], line[256];
	long kib = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, field, strlen(field)) == 0)
			kib = atol(line + strlen(field));
	if (file)
		fclose(file);
	return kib;
}

static int count_descriptors(pid_t pid)
{
	char path[64];
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	DIR *folder = opendir(path);
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		count += entry->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return count;
}

static int measure(struct meter *meter, double seconds)
{
	double settled_ms;

	if (!watch_until(meter, meter->started_ms + 60000, true) || meter->marked_ms <= 0)
		return 1;
	if (!watch_until(meter, clock_ms(CLOCK_MONOTONIC) + 1000, false))
		return 1;
	settled_ms = clock_ms(CLOCK_MONOTONIC);
	double before_ms = cpu_ms(meter->pid);
	if (!watch_until(meter, settled_ms + seconds * 1000, false))
		return 1;
	double used_ms = cpu_ms(meter->pid) - before_ms;
	printf("%.1f %.1f %.1f %ld %ld %d\n", meter->screen_ms - meter->started_ms,
	       meter->marked_ms - meter->started_ms,
	       used_ms * 1e6 / (clock_ms(CLOCK_MONOTONIC) - settled_ms),
	       status_kib(meter->pid, "VmRSS:"), status_kib(meter->pid, "RssAnon:"),
	       count_descriptors(meter->pid));
	return 0;
}

int main(int argc, char **argv)
{
	static struct meter meter;
	struct winsize size = {.ws_row = 50, .ws_col = 132};

	if (argc < 4) {
		fprintf(stderr, "usage: meter SECONDS MARK COMMAND [ARG...]\n");
		return 2;
	}
	meter.mark = argv[2];
	meter.started_ms = clock_ms(CLOCK_MONOTONIC);
	meter.pid = forkpty(&meter.terminal, NULL, NULL, &size);
	if (meter.pid < 0) {
		perror("meter: forkpty");
		return 1;
	}
	if (meter.pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[3], argv + 3);
		perror(argv[3]);
		_exit(127);
	}
	int status = measure(&meter, atof(argv[1]));
	if (status)
		fprintf(stderr, "meter: %s ended, or never wrote \"%s\"\n", argv[3], argv[2]);
	kill(meter.pid, SIGTERM);
	close(meter.terminal);
	waitpid(meter.pid, NULL, 0);
	return status;
}
