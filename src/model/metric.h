#ifndef PERFTOP_MODEL_METRIC_H
#define PERFTOP_MODEL_METRIC_H

/*
 * Metrics: what a person reads, made from counts by the formulas of a set
 * (metric_set.h). This is the one place where a delta becomes a double.
 *
 * The count of an event enters as an estimate for the whole run time (coverage.h): scaled, on each
 * kind of CPU by itself, by the share of its run time in which it was counted, and in the unit that
 * its PMU gives it. What a formula brings together was counted in the same windows wherever the
 * groups allow it: when groups of a kind hold all its events, only their counters are used for
 * that kind.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"
#include "model/metric_set.h"

/* The metrics of a set bound to a layout. */
struct metrics; /* opaque */

enum {
	/* A bit beside those of enum quantity: what events counted is not known. */
	METRIC_EVENTS_UNKNOWN = 1 << 30,
	/* But for page faults, which /proc reports in their place. */
	METRIC_FAULTS_KNOWN = 1 << 29
};

/* As page faults are called in formulas, and among the default events. */
#define METRIC_FAULTS_EVENT "page-faults"

struct metric_value {
	double value;     /* NaN: unknown */
	bool is_scaled;   /* an event in it was multiplexed: an estimate */
	bool is_estimate; /* something in it is out of a sampling profile */
};

/*
 * Binds all metrics that are in the set now. Layout and set must outlive the result; when either
 * has changed, it is to be made anew.
 */
struct metrics *metrics_create(const struct layout *layout, const struct metric_set *set);
void metrics_destroy(struct metrics *metrics);

size_t metrics_count(const struct metrics *metrics);
const struct metric_info *metrics_info(const struct metrics *metrics, size_t index);
int metrics_find(const struct metrics *metrics, const char *name); /* -1: none */

/* Of which cache, or of memory, the metric of this name is: "LLC"; "": it is not known. */
const char *metrics_level(const struct metrics *metrics, const char *name);

/* Whether all events of the metric were asked for, whether they can be counted or not. */
bool metrics_is_wanted(const struct metrics *metrics, size_t index);

/* Whether the metric can have a value under this layout: all its events are counted. */
bool metrics_is_available(const struct metrics *metrics, size_t index);

/* Whether it needs one of these, a bit per enum quantity. */
bool metrics_needs(const struct metrics *metrics, size_t index, uint32_t quantities);

/* Whether something in it is out of a sampling profile. */
bool metrics_is_estimate(const struct metrics *metrics, size_t index);

/*
 * The metric's value for a counts vector gathered over interval_ns. `unknown` is a bit per
 * enum quantity that is not known for this vector: formulas that name it give NaN; so do those that
 * name an event, with METRIC_EVENTS_UNKNOWN (and not METRIC_FAULTS_KNOWN, for that one).
 */
struct metric_value metrics_eval(const struct metrics *metrics, size_t index,
				 const uint64_t *counts, uint32_t unknown, uint64_t interval_ns);

/*
 * The same for what happened on one kind of CPU. Of the quantities run_ns is that kind's; the
 * others are not known by kind, so NaN where there is more than one.
 */
struct metric_value metrics_eval_kind(const struct metrics *metrics, size_t index, size_t kind,
				      const uint64_t *counts, uint32_t unknown,
				      uint64_t interval_ns);

/*
 * The rate of an event per second of the interval, on one kind of CPU or on all (kind -1), in the
 * event's unit. An event that is not counted, or not on this kind, has none (NaN).
 */
struct metric_value metrics_event_rate(const struct layout *layout, size_t event, int kind,
				       const uint64_t *counts, uint64_t interval_ns);

/* Share of its run time during which event `index` was counted for this vector, in percent; NaN
 * when it never ran. */
double metrics_running_pct(const struct layout *layout, size_t event, const uint64_t *counts);

#endif
