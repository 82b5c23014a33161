/*
 * A metric is a line of the table. Binding it to a layout turns the names of its
 * formula into places of the counts vector, once; its value is then a matter of a few
 * array accesses and one formula_eval().
 *
 * Scaling: an event whose group was counting for only a part of the run time is taken to
 * have gone on at the same rate for the rest.
 */
#include "model/metric.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/formula.h"

/* clang-format off */
static const struct metric_info table[] = {
	{
		.name = "cpu_pct", .formula = "100 * run_ns / interval_ns", .unit = "%",
		.help = "Share of the interval spent running on a CPU; 100 is one CPU.",
		.good = "",
		.direction = METRIC_NEUTRAL, .steps = {10, 25, 50, 90}, .needs_pmu = false,
	}, {
		.name = "ipc", .formula = "instructions / cycles", .unit = "per cycle",
		.help = "Instructions finished per CPU cycle.",
		.good = "Above 1.5 the CPU is kept busy; below 0.5 it mostly waits, often for memory.",
		.direction = METRIC_HIGH_IS_GOOD, .steps = {0.5, 1.0, 1.5, 2.5}, .needs_pmu = true,
	}, {
		.name = "ghz", .formula = "cycles / run_ns", .unit = "GHz",
		.help = "Cycles per nanosecond on a CPU: the clock rate it really ran at.",
		.good = "Near the CPU's nominal or turbo rate.",
		.direction = METRIC_NEUTRAL, .steps = {1, 2, 3, 4}, .needs_pmu = true,
	}, {
		.name = "miss_pct", .formula = "100 * cache-misses / cache-references", .unit = "%",
		.help = "Share of the references to the last-level cache that missed it.",
		.good = "Below 10 %; it matters only where MPKI is high too.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {5, 10, 25, 50}, .needs_pmu = true,
	}, {
		.name = "mpki", .formula = "1k * cache-misses / instructions", .unit = "per 1000 instructions",
		.help = "Last-level cache misses per 1000 instructions.",
		.good = "Below 1 memory hardly matters; above 10 it sets the pace.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 5, 10, 30}, .needs_pmu = true,
	}, {
		.name = "branch_mpki", .formula = "1k * branch-misses / instructions", .unit = "per 1000 instructions",
		.help = "Mispredicted branches per 1000 instructions.",
		.good = "Below 1; above 10 prediction fails often.",
		.direction = METRIC_LOW_IS_GOOD, .steps = {1, 3, 5, 10}, .needs_pmu = true,
	}, {
		.name = "switches_s", .formula = "switches / interval_s", .unit = "/s",
		.help = "Times per second that it left a CPU.",
		.good = "",
		.direction = METRIC_NEUTRAL, .steps = {100, 1000, 10e3, 100e3}, .needs_pmu = false,
	}, {
		.name = "preemptions_s", .formula = "preemptions / interval_s", .unit = "/s",
		.help = "Times per second that it left a CPU although it could have run on.",
		.good = "Near 0; many mean that tasks compete for the CPU.",
		.direction = METRIC_NEUTRAL, .steps = {10, 50, 250, 1000}, .needs_pmu = false,
	}, {
		.name = "migrations_s", .formula = "migrations / interval_s", .unit = "/s",
		.help = "Times per second that it went on running on another CPU.",
		.good = "Near 0; each costs warm caches.",
		.direction = METRIC_NEUTRAL, .steps = {5, 25, 100, 500}, .needs_pmu = false,
	}, {
		.name = "faults_s", .formula = "page-faults / interval_s", .unit = "/s",
		.help = "Page faults per second, those without disk access included.",
		.good = "Near 0 once a program has started.",
		.direction = METRIC_NEUTRAL, .steps = {100, 1000, 10e3, 100e3}, .needs_pmu = false,
	}, {
		.name = "slice_us", .formula = "run_ns / switches / 1k", .unit = "us",
		.help = "Mean time on a CPU from one switch to the next.",
		.good = "",
		.direction = METRIC_NEUTRAL, .steps = {10, 100, 1000, 4000}, .needs_pmu = false,
	},
};
/* clang-format on */

enum {
	TABLE_COUNT = sizeof(table) / sizeof(table[0]),
	INPUTS_MAX = 16
};

/* Below this share of its run time an event counts as estimated; clocks jitter by a few ns. */
static const double EXACT_COVERAGE = 0.999;

/* Groups are read one after the other: what a running task lacks between two reads is no
 * multiplexing. */
static const uint64_t READING_SKEW_NS = 100 * 1000;

enum input_kind {
	INPUT_QUANTITY,
	INPUT_EVENT,
	INPUT_INTERVAL_NS,
	INPUT_INTERVAL_S,
	INPUT_UNKNOWN /* not counted here, or no such name */
};

/* What a name in a formula stands for. */
struct input {
	enum input_kind kind;
	size_t place;       /* QUANTITY, EVENT */
	size_t group_place; /* EVENT */
};

struct bound_metric {
	const struct metric_info *info;
	struct formula *formula; /* owned */
	struct input inputs[INPUTS_MAX];
	size_t input_count;
};

struct metrics {
	struct bound_metric *bound; /* owned */
	size_t count;
};

const struct metric_info *metric_table(size_t *count)
{
	*count = TABLE_COUNT;
	return table;
}

static struct input bind_name(const struct layout *layout, const char *name)
{
	if (strcmp(name, "interval_ns") == 0)
		return (struct input){.kind = INPUT_INTERVAL_NS};
	if (strcmp(name, "interval_s") == 0)
		return (struct input){.kind = INPUT_INTERVAL_S};

	const int place = layout_find(layout, name);
	if (place < 0)
		return (struct input){.kind = INPUT_UNKNOWN};
	if (place < QUANTITY_BUILTIN)
		return (struct input){.kind = INPUT_QUANTITY, .place = (size_t)place};

	const struct event *event = &layout->events[place - QUANTITY_BUILTIN];
	if (!event_is_counted(event))
		return (struct input){.kind = INPUT_UNKNOWN};
	return (struct input){.kind = INPUT_EVENT,
			      .place = (size_t)place,
			      .group_place = layout_group_place(layout, event->group)};
}

static void bind(struct bound_metric *bound, const struct metric_info *info,
		 const struct layout *layout)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;
	const char *name;

	bound->info = info;
	bound->formula = formula_create(info->formula, &position, message);
	assert(bound->formula);
	while ((name = formula_name(bound->formula, bound->input_count)) != NULL) {
		assert(bound->input_count < INPUTS_MAX);
		bound->inputs[bound->input_count++] = bind_name(layout, name);
	}
}

struct metrics *metrics_create(const struct layout *layout)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));

	metrics->count = TABLE_COUNT;
	metrics->bound = xcalloc(metrics->count, sizeof(*metrics->bound));
	for (size_t i = 0; i < metrics->count; i++)
		bind(&metrics->bound[i], &table[i], layout);
	return metrics;
}

void metrics_destroy(struct metrics *metrics)
{
	if (!metrics)
		return;
	for (size_t i = 0; i < metrics->count; i++)
		formula_destroy(metrics->bound[i].formula);
	free(metrics->bound);
	free(metrics);
}

size_t metrics_count(const struct metrics *metrics)
{
	return metrics->count;
}

const struct metric_info *metrics_info(const struct metrics *metrics, size_t index)
{
	return metrics->bound[index].info;
}

int metrics_find(const struct metrics *metrics, const char *name)
{
	for (size_t i = 0; i < metrics->count; i++) {
		if (strcmp(metrics->bound[i].info->name, name) == 0)
			return (int)i;
	}
	return -1;
}

bool metrics_is_available(const struct metrics *metrics, size_t index)
{
	const struct bound_metric *bound = &metrics->bound[index];

	for (size_t i = 0; i < bound->input_count; i++) {
		if (bound->inputs[i].kind == INPUT_UNKNOWN)
			return false;
	}
	return true;
}

/*
 * Share of the run time during which a group was counting; NaN when nothing ran. Never above 1:
 * a vector of unattributed slices may hold more of a group's time than of run time.
 */
static double coverage_of(const uint64_t *counts, size_t group_place)
{
	const uint64_t run_ns = counts[QUANTITY_RUN_NS];
	const uint64_t running_ns = counts[group_place];

	if (run_ns == 0)
		return NAN;
	return running_ns < run_ns ? (double)running_ns / (double)run_ns : 1;
}

static double event_value(const uint64_t *counts, const struct input *input, bool *is_scaled)
{
	const double count = (double)counts[input->place];
	const double coverage = coverage_of(counts, input->group_place);

	if (isnan(coverage))
		return count;
	if (coverage < EXACT_COVERAGE &&
	    counts[QUANTITY_RUN_NS] > counts[input->group_place] + READING_SKEW_NS)
		*is_scaled = true;
	return coverage > 0 ? count / coverage : NAN;
}

static double input_value(const struct input *input, const uint64_t *counts, uint32_t unknown,
			  uint64_t interval_ns, bool *is_scaled)
{
	switch (input->kind) {
	case INPUT_QUANTITY:
		return unknown & (UINT32_C(1) << input->place) ? NAN : (double)counts[input->place];
	case INPUT_EVENT:
		return event_value(counts, input, is_scaled);
	case INPUT_INTERVAL_NS:
		return (double)interval_ns;
	case INPUT_INTERVAL_S:
		return (double)interval_ns / 1e9;
	case INPUT_UNKNOWN:
		break;
	}
	return NAN;
}

struct metric_value metrics_eval(const struct metrics *metrics, size_t index,
				 const uint64_t *counts, uint32_t unknown, uint64_t interval_ns)
{
	const struct bound_metric *bound = &metrics->bound[index];
	struct metric_value value = {.is_scaled = false};
	double values[INPUTS_MAX];

	for (size_t i = 0; i < bound->input_count; i++)
		values[i] = input_value(&bound->inputs[i], counts, unknown, interval_ns,
					&value.is_scaled);
	value.value = formula_eval(bound->formula, values);
	return value;
}

double metrics_running_pct(const struct layout *layout, size_t event, const uint64_t *counts)
{
	if (!event_is_counted(&layout->events[event]))
		return NAN;
	return 100 * coverage_of(counts, layout_group_place(layout, layout->events[event].group));
}

int metric_goodness(const struct metric_info *info, double value)
{
	int step = 0;

	if (isnan(value) || info->direction == METRIC_NEUTRAL)
		return -1;
	while (step < METRIC_STEPS - 1 && value >= info->steps[step])
		step++;
	return info->direction == METRIC_HIGH_IS_GOOD ? step : METRIC_STEPS - 1 - step;
}
