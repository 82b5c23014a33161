#ifndef PERFTOP_SESSION_RESULT_H
#define PERFTOP_SESSION_RESULT_H

/*
 * What the tasks that were asked for (a command, or pids) came to from the first interval to the
 * last: the totals at the end of a run.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct child;
struct layout;
struct metrics;
struct snapshot;
struct strbuf;
struct task_counts;

/* An empty one is {0}. */
struct result {
	uint64_t *counts;       /* owned; a vector of the layout; NULL: no interval has ended */
	uint64_t *unattributed; /* owned; likewise, of tasks that are not known; NULL: none */
	size_t width;
	uint32_t unknown; /* bit per enum quantity that was not known of all in each interval */
	uint64_t elapsed_ns;
	size_t process_count; /* that were there, or began */
	bool is_complete;     /* what comes is not added any more */
};

/* What it is written with; all borrowed. */
struct result_words {
	const struct layout *layout;
	const struct metrics *metrics;
	const struct task_counts *task_counts; /* events that have counters of their own */
	const char *name;                      /* "sh -c make", "pid 4711": made safe here */
	const struct child *child;             /* the command; NULL: it was none */
	const char *begin;                     /* of each line: "# ", or "" */
	bool lacks_tasks;                      /* some of what was asked for is in no row */
};

void result_fini(struct result *result);

/* Adds an interval: the tasks of a snapshot, which are those asked for. */
void result_add(struct result *result, const struct snapshot *snapshot);

/* Nothing where no interval has ended. */
void result_write_text(const struct result *result, const struct result_words *words,
		       struct strbuf *out);

/* A line: {"summary":{...}}; what is not known is null. */
void result_write_json(const struct result *result, const struct result_words *words,
		       struct strbuf *out);

#endif
