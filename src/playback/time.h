#ifndef PERFTOP_PLAYBACK_TIME_H
#define PERFTOP_PLAYBACK_TIME_H

/* Times of a recording as people read and write them. */

#include <stdbool.h>
#include <stdint.h>

struct error;

/* Where the times are: record time, of which the wall clock says so much more. */
struct playback_span {
	uint64_t first_ns, last_ns; /* of what there is */
	uint64_t now_ns;            /* what is shown */
	int64_t wall_offset_ns;
};

enum {
	PLAYBACK_TIME_MAX = 32 /* bytes of a time that is written */
};

/*
 * "+90s", "-10s", "+1:30" from now_ns; "1:30", "90s", "1.5m" since the beginning; "12:03:44" of the
 * day, or since the beginning where the recording is not of that time but lasts as long; "50%".
 * What lies outside becomes the first or the last; a time of the day that does is refused.
 */
bool playback_time_parse(const char *text, const struct playback_span *span, uint64_t *time_ns,
			 struct error *error);

/* "90", "90s", "1.5m", "250 ms" */
bool playback_time_parse_amount(const char *text, double *seconds);

/* "0:07", "12:30", "1:02:03"; has_tenths: "0:07.5". */
void playback_time_write(uint64_t ns, bool has_tenths, char text[static PLAYBACK_TIME_MAX]);

/* Time of the day here: "12:03:44", with tenths "12:03:44.5". */
void playback_time_write_clock(int64_t wall_ns, bool has_tenths,
			       char text[static PLAYBACK_TIME_MAX]);

#endif
