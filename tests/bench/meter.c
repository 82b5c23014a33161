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
 *	TOTAL_MS      CPU time from the start to the end, in milliseconds
 */
#include <dirent.h>

#include "bench.h"

enum {
	SCREEN_BYTES = 200
};

struct meter {
	struct terminal terminal;
	const char *mark;
	double started_ms, screen_ms, marked_ms; /* 0: not yet */
};

static double used_ms(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) == 0 ? clock_ms(clock) : 0;
}

/* Takes what the program writes until then; false: it has ended. */
static bool watch_until(struct meter *meter, double end_ms, bool stop_at_mark)
{
	for (;;) {
		const double left_ms = end_ms - now_ms();

		if (left_ms <= 0 || (stop_at_mark && meter->marked_ms > 0))
			return true;
		if (!terminal_take(&meter->terminal, left_ms))
			return false;
		if (meter->screen_ms <= 0 && meter->terminal.written >= SCREEN_BYTES)
			meter->screen_ms = now_ms();
		if (meter->marked_ms <= 0 && terminal_shows(&meter->terminal, meter->mark))
			meter->marked_ms = now_ms();
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
	const pid_t pid = meter->terminal.pid;
	double settled_ms, before_ms, took_ms;

	if (!watch_until(meter, meter->started_ms + 60000, true) || meter->marked_ms <= 0)
		return 1;
	if (!watch_until(meter, now_ms() + 1000, false))
		return 1;
	settled_ms = now_ms();
	before_ms = used_ms(pid);
	if (!watch_until(meter, settled_ms + seconds * 1000, false))
		return 1;
	took_ms = used_ms(pid) - before_ms;
	printf("%.1f %.1f %.1f %ld %ld %d %.2f\n", meter->screen_ms - meter->started_ms,
	       meter->marked_ms - meter->started_ms, took_ms * 1e6 / (now_ms() - settled_ms),
	       status_kib(pid, "VmRSS:"), status_kib(pid, "RssAnon:"), count_descriptors(pid),
	       used_ms(pid));
	return 0;
}

int main(int argc, char **argv)
{
	static struct meter meter;

	if (argc < 4) {
		fprintf(stderr, "usage: meter SECONDS MARK COMMAND [ARG...]\n");
		return 2;
	}
	meter.mark = argv[2];
	meter.started_ms = now_ms();
	if (!terminal_start(&meter.terminal, argv + 3))
		return 1;
	int status = measure(&meter, atof(argv[1]));
	if (status)
		fprintf(stderr, "meter: %s ended, or never wrote \"%s\"\n", argv[3], argv[2]);
	terminal_end(&meter.terminal);
	return status;
}
