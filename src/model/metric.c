/*
 * The value of a metric is a matter of a few array accesses and one formula_eval(): what its names
 * mean was found when it was bound to the layout (metric_bind.c).
 */
#include "model/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/coverage.h"
#include "model/formula.h"
#include "model/metric_parts.h"

struct metrics *metrics_create(const struct layout *layout, const struct metric_set *set)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));

	metrics->layout = layout;
	metrics->set = set;
	metrics->count = metric_set_count(set);
	metrics->infos = xcalloc(metrics->count, sizeof(*metrics->infos));
	metrics->roots = xcalloc(metrics->count, sizeof(*metrics->roots));
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		metrics->run_places[kind] = layout_kind_place(layout, kind);
		metrics->slices_places[kind] =
			layout->groups[layout->kinds[kind].clock].slices_place;
	}
	for (size_t i = 0; i < metrics->count; i++) {
		metrics->infos[i] = metric_set_info(set, i);
		metrics->roots[i] = metric_bind(metrics, i, NULL);
	}
	return metrics;
}

void metrics_destroy(struct metrics *metrics)
{
	if (!metrics)
		return;
	for (size_t i = 0; i < metrics->node_count; i++)
		free(metrics->nodes[i].inputs);
	free(metrics->nodes);
	free(metrics->sources);
	free(metrics->infos);
	free(metrics->roots);
	free(metrics);
}

size_t metrics_count(const struct metrics *metrics)
{
	return metrics->count;
}

const struct metric_info *metrics_info(const struct metrics *metrics, size_t index)
{
	return metrics->infos[index];
}

int metrics_find(const struct metrics *metrics, const char *name)
{
	for (size_t i = 0; i < metrics->count; i++)
		if (strcmp(metrics->infos[i]->name, name) == 0)
			return (int)i;
	return -1;
}

bool metrics_is_available(const struct metrics *metrics, size_t index)
{
	return metrics->nodes[metrics->roots[index]].is_available;
}

bool metrics_is_estimate(const struct metrics *metrics, size_t index)
{
	return metrics->nodes[metrics->roots[index]].is_estimate;
}

/* What a formula is evaluated for. */
struct evaluation {
	const struct metrics *metrics;
	const uint64_t *counts;
	uint32_t unknown;
	uint64_t interval_ns;
	size_t first_kind, kind_end; /* kinds of CPU that take part */
	bool is_scaled;              /* so far */
};

static struct evaluation evaluation_of(const struct metrics *metrics, const uint64_t *counts,
				       uint32_t unknown, uint64_t interval_ns)
{
	return (struct evaluation){
		.metrics = metrics,
		.counts = counts,
		.unknown = unknown,
		.interval_ns = interval_ns,
		.kind_end = metrics->layout->kind_count,
	};
}

static bool is_for_one_kind(const struct evaluation *evaluation)
{
	return evaluation->kind_end - evaluation->first_kind <
	       evaluation->metrics->layout->kind_count;
}

static double quantity_value(const struct evaluation *evaluation, size_t place)
{
	if (evaluation->unknown & (UINT32_C(1) << place))
		return NAN;
	if (!is_for_one_kind(evaluation))
		return (double)evaluation->counts[place];
	if (place != QUANTITY_RUN_NS)
		return NAN;
	return (double)evaluation->counts[evaluation->metrics->run_places[evaluation->first_kind]];
}

/* What was reported, and not estimated from a counting time. */
static double reported_value(const struct evaluation *evaluation, const struct metric_input *input)
{
	const struct metrics *metrics = evaluation->metrics;
	double value = 0;

	for (size_t kind = evaluation->first_kind; kind < evaluation->kind_end; kind++) {
		const struct metric_source_range range = input->sources[kind];

		for (size_t i = range.first; i < range.first + range.count; i++)
			value += (double)evaluation->counts[metrics->sources[i].count_place];
	}
	return value;
}

static double event_value(struct evaluation *evaluation, const struct metric_input *input)
{
	const struct metrics *metrics = evaluation->metrics;
	struct estimate estimate = {.sum = 0};

	if (evaluation->unknown & METRIC_EVENTS_UNKNOWN)
		return input->is_faults && evaluation->unknown & METRIC_FAULTS_KNOWN
			       ? reported_value(evaluation, input)
			       : NAN;
	for (size_t kind = evaluation->first_kind; kind < evaluation->kind_end; kind++) {
		const struct metric_source_range range = input->sources[kind];
		struct coverage coverage = {
			.run_ns = evaluation->counts[metrics->run_places[kind]],
			.all_slices = evaluation->counts[metrics->slices_places[kind]],
		};

		for (size_t i = range.first; i < range.first + range.count; i++) {
			const struct metric_source *source = &metrics->sources[i];

			coverage.count += evaluation->counts[source->count_place];
			coverage.counting_ns += evaluation->counts[source->time_place];
			coverage.slices += evaluation->counts[source->slices_place];
			coverage.is_steady = source->is_steady;
			coverage.is_reported = source->is_reported;
			coverage.is_estimate = source->is_estimate;
		}
		estimate_add(&estimate, &coverage);
	}
	evaluation->is_scaled = evaluation->is_scaled || estimate.is_scaled;
	return estimate_value(&estimate) * input->scale;
}

static double node_value(struct evaluation *evaluation, size_t index);

static double input_value(struct evaluation *evaluation, const struct metric_input *input)
{
	switch (input->kind) {
	case METRIC_INPUT_QUANTITY:
		return quantity_value(evaluation, input->place);
	case METRIC_INPUT_EVENT:
		return event_value(evaluation, input);
	case METRIC_INPUT_INTERVAL_NS:
		return (double)evaluation->interval_ns;
	case METRIC_INPUT_INTERVAL_S:
		return (double)evaluation->interval_ns / 1e9;
	case METRIC_INPUT_METRIC:
		return node_value(evaluation, input->node);
	case METRIC_INPUT_UNKNOWN:
		break;
	}
	return NAN;
}

static double node_value(struct evaluation *evaluation, size_t index)
{
	const struct metric_node *node = &evaluation->metrics->nodes[index];
	double values[METRIC_NAMES_MAX];

	for (size_t i = 0; i < node->input_count; i++)
		values[i] = input_value(evaluation, &node->inputs[i]);
	return formula_eval(node->formula, values);
}

static struct metric_value evaluate(struct evaluation *evaluation, size_t index)
{
	const double value = node_value(evaluation, evaluation->metrics->roots[index]);

	return (struct metric_value){
		.value = value,
		.is_scaled = evaluation->is_scaled && !isnan(value),
		.is_estimate = metrics_is_estimate(evaluation->metrics, index) && !isnan(value),
	};
}

struct metric_value metrics_eval(const struct metrics *metrics, size_t index,
				 const uint64_t *counts, uint32_t unknown, uint64_t interval_ns)
{
	struct evaluation evaluation = evaluation_of(metrics, counts, unknown, interval_ns);

	return evaluate(&evaluation, index);
}

struct metric_value metrics_eval_kind(const struct metrics *metrics, size_t index, size_t kind,
				      const uint64_t *counts, uint32_t unknown,
				      uint64_t interval_ns)
{
	struct evaluation evaluation = evaluation_of(metrics, counts, unknown, interval_ns);

	evaluation.first_kind = kind;
	evaluation.kind_end = kind + 1;
	return evaluate(&evaluation, index);
}

struct metric_value metrics_event_rate(const struct layout *layout, size_t event, int kind,
				       const uint64_t *counts, uint64_t interval_ns)
{
	const size_t first = kind < 0 ? 0 : (size_t)kind;
	const size_t end = kind < 0 ? layout->kind_count : first + 1;
	struct estimate estimate = {.sum = 0};
	double value;

	if (!metric_counts_event(layout, event) || interval_ns == 0 ||
	    (kind >= 0 && coverage_turn(layout, event, first) < 0))
		return (struct metric_value){.value = NAN};
	for (size_t k = first; k < end; k++) {
		const struct coverage coverage = coverage_of(layout, event, k, counts);

		estimate_add(&estimate, &coverage);
	}
	value = estimate_value(&estimate) * layout->events[event].scale * 1e9 / (double)interval_ns;
	return (struct metric_value){
		.value = value,
		.is_scaled = estimate.is_scaled && !isnan(value),
		.is_estimate = layout->events[event].is_estimate && !isnan(value),
	};
}

double metrics_running_pct(const struct layout *layout, size_t event, const uint64_t *counts)
{
	uint64_t counting_ns = 0, run_ns = 0;

	if (!event_is_counted(&layout->events[event]) || layout->events[event].is_estimate)
		return NAN;
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		const struct coverage coverage = coverage_of(layout, event, kind, counts);

		if (coverage.is_reported)
			continue; /* each occurrence was reported, no time is */
		run_ns += coverage.run_ns;
		counting_ns += coverage.counting_ns < coverage.run_ns ? coverage.counting_ns
								      : coverage.run_ns;
	}
	return run_ns > 0 ? 100 * (double)counting_ns / (double)run_ns : NAN;
}
