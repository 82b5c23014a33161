#ifndef PERFTOP_BATCH_EXPOSITION_H
#define PERFTOP_BATCH_EXPOSITION_H

/*
 * What is kept from interval to interval of a run, and how OpenMetrics is written: families of
 * samples, each with its HELP and TYPE line before it. All sums only grow: a CPU that goes offline
 * and comes back goes on where it was.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "batch/folded.h"
#include "batch/pprof.h"
#include "batch/trace.h"
#include "model/layout.h"
#include "model/timing.h"
#include "view/histogram.h"

struct strbuf;
struct view_table;

/*
 * The sum of intervals. Of an event that took turns each interval enters as the estimate that it is
 * shown as, in the unit of the event; all others are exact. An empty one is {0}.
 */
struct tally {
	uint64_t quantities[QUANTITY_BUILTIN];
	double *events; /* owned; by index in the layout */
	size_t event_count;
	uint64_t idle_ns, unattributed_ns; /* of CPUs */
};

/*
 * Adds what a vector has gathered in interval_ns. Quantities with a bit in `unknown` are left out,
 * and so are events that were not counted: of what is not known nothing is added.
 */
void tally_add(struct tally *tally, const struct layout *layout, const uint64_t *counts,
	       uint32_t unknown, uint64_t interval_ns);

/*
 * A bounded number of those that are worth a series of their own, chosen anew in each interval, and
 * the sum of all others. What an interval came to is added either to one of them or to the rest, so
 * all of them together are what was reported; and each of these sums only grows.
 *
 * An interval is
 *
 *	top_begin(top, limit);
 *	for all, the first in order first: top_offer(top, key, may_enter);
 *	top_choose(top);
 *	for all: tally_add() to the tally of top_find(top, key) where it is shown, else to the rest
 */
struct top_one {
	uint64_t key;
	char *labels; /* owned; NULL: not named yet */
	struct tally tally;
	uint64_t last_round; /* in which it was among the first */
	size_t last_rank;    /* and which of them it was then */
	bool is_shown;       /* it is one of the chosen */
	uint32_t unknown;    /* bits of enum quantity: what of it is not known now */
	bool is_over;   /* there is none of this key any more: it goes with the next interval */
	bool is_reused; /* nor has it anything to do with the one that has it now: likewise */
};

/* An empty one is {0}. */
struct top {
	struct top_one **ones; /* owned, each by itself; after top_choose() the shown ones first,
				  by key */
	size_t count, capacity;
	size_t shown_count;
	struct tally rest;
	struct map by_key; /* to struct top_one */
	uint64_t round;
	size_t limit, rank; /* of this interval; ranks given so far */
};

enum {
	TOP_KEPT_MAX = 4096 /* sums that are kept of those that are not shown */
};

void top_fini(struct top *top);

/* limit: how many have sums of their own. Forgets those that are over or reused. */
void top_begin(struct top *top, size_t limit);

/* Called in the order wanted. may_enter: whether it may have a series that it did not have. */
void top_offer(struct top *top, uint64_t key, bool may_enter);
void top_choose(struct top *top);

/* NULL: it was never among the first. */
struct top_one *top_find(const struct top *top, uint64_t key);

void top_name(struct top_one *one, const char *labels);

struct totals {
	struct tally all;
	struct top cpus, tasks, groups; /* of CPUs all have series */
	uint64_t exited, throttled, own_cpu_ns, readings_ns;
	/* of lengths: */
	uint64_t octaves[LENGTH_KINDS][DISTRIBUTION_OCTAVES];
	uint64_t octaves_ns[LENGTH_KINDS];
	/* of functions: */
	struct stacks stacks;
	struct pprof pprof;
	struct trace trace;
};

struct totals *totals_create(void);
void totals_destroy(struct totals *totals); /* NULL is allowed */

/* The text that Prometheus reads. A family without samples leaves no line. */

enum exposition_type {
	EXPOSITION_GAUGE,
	EXPOSITION_COUNTER,
	EXPOSITION_HISTOGRAM
};

enum {
	EXPOSITION_NAME_MAX = 128
};

struct exposition {
	struct strbuf *out;
	char name[sizeof("perftop_") + EXPOSITION_NAME_MAX + sizeof("_total")]; /* of the family */
	enum exposition_type type;
	const char *help; /* one sentence of ours */
	bool is_open;     /* its head is written */
};

/* name: without "perftop_", and of a counter without "_total". */
void exposition_family(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help);

/*
 * A sample of the family. labels: what is between the braces, made with
 * exposition_add_label(); NULL or "": none. A value that is not finite is not known, and no sample.
 */
void exposition_sample(struct exposition *exposition, const char *labels, double value);

/* Of a histogram: suffix "_bucket", "_sum" or "_count". */
void exposition_part(struct exposition *exposition, const char *suffix, const char *labels,
		     double value);

/* Appends one more label to those of a sample; the value is a name: raw bytes. */
void exposition_add_label(struct strbuf *labels, const char *name, const char *value);
void exposition_add_number_label(struct strbuf *labels, const char *name, uint64_t value);

/* A sum, and the labels of its samples. */
struct tallied {
	const struct tally *tally;
	const char *labels; /* NULL: none */
	uint32_t unknown;   /* bits of enum quantity that have no sample */
};

/* Counters of all quantities and events of some sums; prefix of their names: "task_". */
void exposition_tallies(struct exposition *exposition, const char *prefix,
			const struct layout *layout, const struct tallied *items, size_t count);

/* Gauges of the metrics, CPU limits and pressure among the columns of a table. labels: of each row;
 * NULL: it has no series. */
void exposition_gauges(struct exposition *exposition, const char *prefix,
		       const struct view_table *table, const char *const *labels);

#endif
