#ifndef PERFTOP_VIEW_TITLE_H
#define PERFTOP_VIEW_TITLE_H

/* Short titles for the columns of events: their names in capitals. */

#include <stddef.h>

enum {
	TITLE_BYTES_MAX = 80
};

/* Of an event, with "/s" behind it: "L1-dcache-load-misses" is "L1D-MISS/s", "sched:sched_switch"
 * in 14 columns "SCHED_SWITCH/s". */
void title_of_event(char title[static TITLE_BYTES_MAX], const char *event, size_t columns);

/* Puts a kind of CPU before the "/s", or at the end: "CYCLES@ATOM/s". */
void title_add_kind(char title[static TITLE_BYTES_MAX], const char *kind);

/* Distinguishes it from others that read the same, before the "/s" or at the end:
 * "SCHED_SWITCH#2/s". */
void title_add_number(char title[static TITLE_BYTES_MAX], size_t number);

#endif
