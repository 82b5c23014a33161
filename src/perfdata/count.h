#ifndef PERFTOP_PERFDATA_COUNT_H
#define PERFTOP_PERFDATA_COUNT_H

/*
 * How much happens when in a recording: a histogram over its time, of switches, or of samples where
 * there are none. How long it is need not be known before.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	REPLAY_COUNT_BINS = 8192
};

struct replay_count {
	uint64_t first_ns, last_ns; /* 0: nothing has a time */
	uint64_t width_ns;          /* of a bin; the first begins at first_ns */
	uint32_t switches[REPLAY_COUNT_BINS], samples[REPLAY_COUNT_BINS];
	bool has_switches;
};

/* Reads the file through. False: it cannot be read. */
bool replay_count_file(const char *path, struct replay_count *count);

/* Something happened at this time, which is not 0. */
void replay_count_add(struct replay_count *count, uint64_t time_ns, bool is_switch);

/* The counts of so many equal parts of the whole time. */
void replay_count_parts(const struct replay_count *count, uint64_t *parts, size_t part_count);

#endif
