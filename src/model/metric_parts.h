#ifndef PERFTOP_MODEL_METRIC_PARTS_H
#define PERFTOP_MODEL_METRIC_PARTS_H

/*
 * Metrics bound to a layout (metric.h): for metric_bind.c, which binds them, and metric.c, which
 * evaluates them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/layout.h"
#include "model/metric.h"

enum metric_input_kind {
	METRIC_INPUT_QUANTITY,
	METRIC_INPUT_EVENT,
	METRIC_INPUT_INTERVAL_NS,
	METRIC_INPUT_INTERVAL_S,
	METRIC_INPUT_METRIC,
	METRIC_INPUT_UNKNOWN /* not counted here, or no such name */
};

/* A counter in use, and its group's clock. */
struct metric_source {
	size_t count_place, time_place, slices_place;
	bool is_steady, is_reported, is_estimate; /* coverage.h */
};

/* A stretch of metrics.sources. */
struct metric_source_range {
	size_t first, count;
};

/* What a name in a formula means. */
struct metric_input {
	enum metric_input_kind kind;
	size_t place;                                         /* QUANTITY */
	size_t node;                                          /* METRIC */
	struct metric_source_range sources[LAYOUT_KINDS_MAX]; /* EVENT: by kind of CPU */
	double scale;   /* EVENT: count x scale is in its unit */
	bool is_faults; /* EVENT: METRIC_FAULTS_EVENT */
};

/* A formula with what its names mean. */
struct metric_node {
	const struct formula *formula; /* borrowed from the set */
	struct metric_input *inputs;   /* owned */
	size_t input_count;
	bool is_available; /* all its events are counted */
	bool is_estimate;  /* one of its inputs is out of a sampling profile */
};

struct metrics {
	const struct layout *layout;      /* borrowed */
	const struct metric_set *set;     /* borrowed */
	const struct metric_info **infos; /* owned, infos borrowed from the set; by metric */
	size_t *roots;                    /* owned; node by metric */
	size_t count;
	struct metric_node *nodes; /* owned */
	size_t node_count, node_capacity;
	struct metric_source *sources; /* owned */
	size_t source_count, source_capacity;
	size_t run_places[LAYOUT_KINDS_MAX];
	size_t slices_places[LAYOUT_KINDS_MAX]; /* of the clocks */
};

/* Whether some kind of CPU counts the event. */
bool metric_counts_event(const struct layout *layout, size_t event);

/* The groups that were chosen for the metric above; for metric_bind.c alone. */
struct metric_choice;

/* Binds a metric and those it names; returns the number of its node. above: NULL: there is none. */
size_t metric_bind(struct metrics *metrics, size_t index, const struct metric_choice *above);

#endif
