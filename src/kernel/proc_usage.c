#include "kernel/proc_usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/file.h"

enum {
	PATH_BYTES = 64,
	STAT_BYTES = 2048,
	IO_BYTES = 512
};

static const uint64_t NS_PER_S = 1000000000;

static long read_file(int32_t pid, int32_t tid, const char *name, char *text, size_t size)
{
	char path[PATH_BYTES];

	if (tid > 0)
		snprintf(path, sizeof(path), "/proc/%" PRId32 "/task/%" PRId32 "/%s", pid, tid,
			 name);
	else
		snprintf(path, sizeof(path), "/proc/%" PRId32 "/%s", pid, name);
	return file_read(path, text, size);
}

/* The name ends at the last bracket; fields 3, 10, 12, 14, 15, 18, 19, 22 and 24 of what follows.
 */
static bool parse_stat(const char *text, struct proc_usage *usage)
{
	const uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
	const char *close = strrchr(text, ')');
	uint64_t minor, major, user, system, start, pages;

	if (!close || sscanf(close + 1,
			     " %c %*d %*d %*d %*d %*d %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64
			     " %" SCNu64 " %*d %*d %d %d %*d %*d %" SCNu64 " %*u %" SCNu64,
			     &usage->state, &minor, &major, &user, &system, &usage->priority,
			     &usage->nice, &start, &pages) != 9)
		return false;
	usage->faults = minor + major;
	usage->user_ns = user * (NS_PER_S / ticks);
	usage->system_ns = system * (NS_PER_S / ticks);
	usage->start_s = start / ticks;
	usage->resident_bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return true;
}

static void read_io(int32_t pid, int32_t tid, struct proc_usage *usage)
{
	char text[IO_BYTES];
	const char *read, *written;

	if (read_file(pid, tid, "io", text, sizeof(text)) <= 0)
		return;
	read = file_find_key(text, "read_bytes");
	written = file_find_key(text, "write_bytes");
	usage->has_io = read && written;
	if (!usage->has_io)
		return;
	usage->read_bytes = strtoull(read, NULL, 10);
	usage->written_bytes = strtoull(written, NULL, 10);
}

bool proc_read_usage(int32_t pid, int32_t tid, bool wants_io, struct proc_usage *usage)
{
	struct proc_usage found = {0};
	char text[STAT_BYTES];

	if (read_file(pid, tid, "stat", text, sizeof(text)) <= 0 || !parse_stat(text, &found))
		return false;
	if (wants_io)
		read_io(pid, tid, &found);
	*usage = found;
	return true;
}
