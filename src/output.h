#ifndef PERFTOP_OUTPUT_H
#define PERFTOP_OUTPUT_H

/*
 * Where the batch run prints to: a file, a pipe or a terminal that is written on, or a file that is
 * replaced with each interval. Totals that cannot replace those before, as on a pipe, are written
 * once, when the run is over: several in a row are no exposition.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

#include "session/replacement.h"

struct loop;
struct loop_meanwhile;
struct options;

enum {
	OUTPUT_PATIENCE_MS = 1000,     /* for a reader that takes nothing */
	OUTPUT_PATIENCE_ALL_MS = 3000, /* for one that takes little */
};

struct output {
	int fd; /* -1: none yet */
	bool owns_fd;
	const char *name;        /* of what it is, for messages */
	struct replacement file; /* its path NULL: the text goes to fd */
	bool keeps_last;         /* what is written takes the place of what was, until the end */
	struct strbuf last;      /* likewise */
	size_t taken;            /* of the text that was written last: bytes */
	bool is_cut;             /* it has more, but the loop ended */
	bool is_gone;            /* there is no reader any more, or nothing can be written */
	bool is_in_haste;        /* for the caller to set: a reader is waited for no longer than
				    patience lasts, but for the loop */
	uint64_t haste_ends_ns;  /* of the monotonic clock; 0: it has not begun */
	struct error refusal;    /* why the file could not be replaced the last time */
};

/* To standard error, with the remedy. */
void output_say(const struct error *error);

bool output_open(struct output *output, const struct options *options, struct error *error);

/*
 * Writes the text; while the reader is waited for, `meanwhile` is looked after. False: there is no
 * reader any more, or the loop is over, or, with an error, it cannot be written. Without a loop
 * there is nothing else to do than to wait.
 */
bool output_write(struct output *output, const struct strbuf *text, struct loop *loop,
		  const struct loop_meanwhile *meanwhile, struct error *error);

/*
 * After the loop's end: of the text that output_write() was writing then the rest is written.
 * False as above.
 */
bool output_resume(struct output *output, const struct strbuf *text, struct error *error);

/*
 * What was kept until now is written; the reader is waited for, in haste or not. An error that is
 * set already stays.
 */
void output_finish(struct output *output, struct error *error);

/* An error that is set already stays. */
void output_close(struct output *output, struct error *error);

#endif
