#ifndef PERFTOP_PRINT_PARTS_H
#define PERFTOP_PRINT_PARTS_H

/*
 * The batch run, for its own files alone: print.c begins and ends it, print_interval.c prints, and
 * print_recording.c minds the recording beside it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

#include "output.h"
#include "session/engine.h"

struct error;
struct loop;
struct options;
struct totals;
struct view_table;

struct printer {
	const struct options *options;
	struct engine *engine; /* owned */
	unsigned int needs;    /* of what was chosen; bits of enum column_need */
	struct loop *loop;
	struct child *child; /* the command; without one its pid is 0 */
	struct strbuf text;
	struct view_table *table; /* kept between intervals */
	struct totals *totals;    /* owned; likewise */
	struct output output;
	uint64_t printed;    /* intervals */
	bool has_written;    /* anything */
	uint64_t next_entry; /* of the history: the first one that was not looked at */
	struct missing {
		uint64_t left_out; /* switches that the history has not got */
		uint64_t lost;     /* records */
	} untold;                  /* in what was printed */
	bool is_writing;
	bool is_over; /* nothing more is to be printed in the loop */
	bool was_interrupted;
	bool was_ended; /* by a signal, before all was printed: the loop is over */
	int abandoned;  /* the signal that had us leave the command alone; 0: none */
	struct error *error;
};

/* --- print_recording.c */

/* A recording that cannot be written any more is said once; the run goes on. */
void print_look_after_recording(struct printer *printer);

/* Completes it; where that fails it is said, too. */
void print_stop_recording(struct printer *printer);

/* --- print_interval.c */

/* Ends an interval of the engine. */
void print_tick(struct printer *printer);

/* Of a log there are lines as soon as they are known, unless only their sum is wanted. */
bool print_has_lines(const struct printer *printer);

/*
 * Writes the lines that are settled by now: between two portions the rings are looked after, and
 * what comes meanwhile is left to the next call, so that intervals end though it never stops.
 * False: there is no reader any more.
 */
bool print_log(struct printer *printer);

/*
 * After an end that was asked for: what was being written is completed, for a reader that reads.
 * What a log has not printed yet is written, too, but for a second at most; how much is left then
 * is reported.
 */
void print_last_lines(struct printer *printer);

/* Writes the interval that has just ended. False: nothing more is to be printed. */
bool print_interval(struct printer *printer);

#endif
