#ifndef PERFTOP_MODEL_METRIC_H
#define PERFTOP_MODEL_METRIC_H

/*
 * Metrics: what a person reads, made from counts by formulas in a table. This is
 * the one place where a delta becomes a double.
 *
 * Besides the places of the layout a formula may name
 *	interval_ns   length of the interval
 *	interval_s    the same in seconds
 * Counts of an event enter scaled by 1 / coverage, where coverage is the time its
 * group was counting over the run time in the same vector.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"

enum metric_direction {
	METRIC_NEUTRAL,      /* neither much nor little is good */
	METRIC_HIGH_IS_GOOD, /* IPC */
	METRIC_LOW_IS_GOOD   /* misses */
};

enum {
	METRIC_STEPS = 5
};

struct metric_info {
	const char *name;    /* identity: JSON key, sort and column name: "miss_pct" */
	const char *formula; /* formula.h */
	const char *unit;    /* "%", "/s", "per 1000 instructions", "" */
	const char *help;    /* one sentence: what it is */
	const char *good;    /* one sentence: what a good value is; "" */
	enum metric_direction direction;
	double steps[METRIC_STEPS - 1]; /* ascending borders between the five steps of the scale */
	bool needs_pmu;
};

/* The built-in metrics in their natural order; *count of them. */
const struct metric_info *metric_table(size_t *count);

/* A metric table bound to a layout. */
struct metrics; /* opaque */

struct metric_value {
	double value;   /* NaN: unknown */
	bool is_scaled; /* an event in it was multiplexed: an estimate */
};

/* Binds all built-in metrics to the layout, which must outlive the result. */
struct metrics *metrics_create(const struct layout *layout);
void metrics_destroy(struct metrics *metrics);

size_t metrics_count(const struct metrics *metrics);
const struct metric_info *metrics_info(const struct metrics *metrics, size_t index);
int metrics_find(const struct metrics *metrics, const char *name); /* -1: none */

/* Whether the metric can have a value under this layout: all its events are counted. */
bool metrics_is_available(const struct metrics *metrics, size_t index);

/*
 * The metric's value for a counts vector gathered over interval_ns. `unknown` is a bit per
 * enum quantity that is not known for this vector: formulas that name it give NaN.
 */
struct metric_value metrics_eval(const struct metrics *metrics, size_t index,
				 const uint64_t *counts, uint32_t unknown, uint64_t interval_ns);

/* Share of its run time during which event `index` was counted for this vector, in percent; NaN
 * when it never ran. */
double metrics_running_pct(const struct layout *layout, size_t event, const uint64_t *counts);

/* Step 0 (worst) to 4 (best) of a value on the metric's scale; -1 for NaN and neutral metrics. */
int metric_goodness(const struct metric_info *info, double value);

#endif
