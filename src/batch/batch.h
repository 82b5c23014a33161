#ifndef PERFTOP_BATCH_BATCH_H
#define PERFTOP_BATCH_BATCH_H

/*
 * Rows to text for people and programs, an interval at a time; of a log the entries that
 * request.history_from and history_to say. A format is an entry of a table; the rows come from
 * src/view.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch/trace.h"
#include "view/table.h"

struct metrics;
struct session;
struct snapshot;
struct strbuf;
struct totals;

struct batch_input {
	const struct view_request *request;
	const struct snapshot *snapshot;
	const struct session *session;
	const struct metrics *metrics;
	struct view_table *table; /* used again from interval to interval */
	const char *verdict;      /* what is wrong; NULL or "": nothing */
	bool is_first;            /* nothing was written before */
	uint64_t left_out;        /* of a log: switches that were not written before these */
	uint64_t lost;         /* of a log: records that were lost since what was written before */
	bool ends_interval;    /* of a format that has_intervals: see there */
	struct totals *totals; /* of formats that have is_totals: kept from interval to interval */
	bool is_old;           /* it is of the recording that is compared with: of totals */
	size_t top;            /* of them: tasks or groups that have series of their own; or
				  stacks, 0: all */
};

struct batch_format {
	const char *name; /* "text" */
	const char *help;
	const char *view;     /* the only one that it can have; NULL: any */
	bool has_frames;      /* with what was inlined, whatever the view has */
	bool is_for_people;   /* what is alike may be one row, and the result of the run is in words
			       */
	bool has_result;      /* its end is the result of the run */
	bool has_verdict;     /* it says of an interval what is wrong in it */
	bool log_is_fixed;    /* a switch has the same cells whatever columns are shown */
	bool is_totals;       /* an interval replaces the one before */
	bool has_differences; /* with --against: of two recordings */
	bool is_binary;       /* no terminal gets it */
	unsigned int needs;   /* COLUMN_NEEDS_*, besides those of the view */
	bool has_intervals; /* of a log: it is called once more, without switches, where an interval
			       ends */
	bool has_samples;   /* it has samples beside its rows, where they are asked for or recorded
			     */
	void (*end)(struct strbuf *out, const struct batch_input *input); /* behind the last
			       interval, or none: its snapshot may be NULL; NULL: nothing is */
	void (*write)(struct strbuf *out,
		      const struct batch_input *input); /* appends one interval */
};

/* Makes rows in the table of the input. */
static inline void batch_build(const struct batch_input *input, const struct view_request *request)
{
	view_table_build(input->table, request, input->snapshot, input->session, input->metrics);
}

/* text_write() and the like. Their files say what is in them. */
#define FORMAT(name, ...) void name##_write(struct strbuf *out, const struct batch_input *input);
#include "batch/formats.def"
#undef FORMAT

/* Bits of enum quantity: what is not known of the sum of all tasks. */
uint32_t batch_unknown(const struct batch_input *input);

const struct batch_format *batch_find(const char *name); /* NULL: none */
void batch_names(char *text, size_t size); /* "text, csv, json, folded, openmetrics" */
const struct batch_format *batch_table(size_t *count);

#endif
