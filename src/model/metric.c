/*
 * Binding a metric to a layout turns the names of its formula into places of the counts
 * vector, once; its value is then a matter of a few array accesses and one formula_eval().
 *
 * A metric that names others is a tree of formulas. Its inputs, in the order in which they are
 * needed, are one stretch: behind a metric that is named are those of its formula. All events of
 * the tree are looked at together when it is decided which groups' counters are used, so that
 * "instructions / c" with c = cycles divides what was counted in the same windows.
 */
#include "model/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/coverage.h"
#include "model/formula.h"

/* A counter in use, and its group's clock. */
struct metric_source {
	size_t count_index, time_index, slices_index;
	bool is_steady, is_reported, is_estimate; /* coverage.h */
};

/* A stretch of metrics.sources. */
struct source_range {
	size_t first, count;
};

/* What a name in a formula means. */
struct metric_input {
	enum metric_name_kind kind;
	size_t index;                                  /* place of a QUANTITY */
	const struct formula *formula;                 /* METRIC: borrowed from the set */
	bool is_counted;                               /* EVENT */
	struct source_range sources[LAYOUT_KINDS_MAX]; /* EVENT: by kind of CPU */
	double scale;                                  /* EVENT: count x scale is in its unit */
	bool is_faults;                                /* EVENT: METRIC_FAULTS_EVENT */
};

struct bound_metric {
	const struct metric_info *info; /* borrowed from the set, and so is the formula */
	const struct formula *formula;
	size_t first_input;
	uint32_t quantities; /* bit per enum quantity in it */
	bool is_wanted;      /* all its events were asked for */
	bool is_available;   /* and they are counted */
	bool is_estimate;    /* one of its inputs is out of a sampling profile */
};

struct metrics {
	const struct layout *layout;  /* borrowed */
	const struct metric_set *set; /* borrowed */
	struct bound_metric *bound;   /* owned */
	size_t count;
	struct metric_input *inputs; /* owned */
	size_t input_count, input_capacity;
	struct metric_source *sources; /* owned */
	size_t source_count, source_capacity;
	size_t run_indexes[LAYOUT_KINDS_MAX];
	size_t slices_indexes[LAYOUT_KINDS_MAX]; /* of the clocks */
};

/* Events that are counted together on one kind of CPU, by those groups of a turn that hold all. */
struct team {
	uint16_t events[METRIC_NEEDS_MAX];
	size_t count;
	int rotation;    /* -1: no group does; every event goes by itself */
	bool is_of_tree; /* its events are all of the tree from here on */
};

static bool layout_counts_event(const struct layout *layout, size_t event)
{
	if (!event_is_counted(&layout->events[event]))
		return false;
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		if (coverage_rotation(layout, event, kind) >= 0)
			return true;
	return false;
}

struct metric_search {
	const struct layout *layout;
	struct team *team;
};

static void join_team(const char *name, void *context)
{
	const struct metric_search *search = context;
	const int event = layout_find_event(search->layout, name);

	if (event >= 0 && layout_counts_event(search->layout, (size_t)event))
		search->team->events[search->team->count++] = (uint16_t)event;
}

/* All counted events that the metric needs, or those that its own formula names. */
static struct team find_team(const struct metrics *metrics, size_t index, bool is_of_tree)
{
	const struct formula *formula = metric_set_formula(metrics->set, index);
	struct team team = {.is_of_tree = is_of_tree};
	struct metric_search search = {metrics->layout, &team};
	const char *name;

	if (is_of_tree)
		metric_set_events(metrics->set, index, join_team, &search);
	for (size_t i = 0; !is_of_tree && (name = formula_name(formula, i)); i++)
		if (metric_set_resolve(metrics->set, name).kind == METRIC_NAME_EVENT)
			join_team(name, &search);
	return team;
}

static bool team_has(const struct team *team, size_t event)
{
	for (size_t i = 0; i < team->count; i++)
		if (team->events[i] == event)
			return true;
	return false;
}

static bool group_holds(const struct layout *layout, size_t group, const struct team *team)
{
	for (size_t i = 0; i < team->count; i++)
		if (!layout_counter_in(layout, team->events[i], group))
			return false;
	return team->count > 0;
}

/* The lowest turn of which some group holds the team. False: none does. */
static bool find_rotation(const struct layout *layout, size_t kind, struct team *team)
{
	team->rotation = -1;
	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		if (group->is_open && group->kind == kind &&
		    (team->rotation < 0 || group->rotation < team->rotation) &&
		    group_holds(layout, g, team))
			team->rotation = group->rotation;
	}
	return team->rotation >= 0;
}

/* What is always on goes with anything, so it need not be in the group of the rest. */
static bool find_groups(const struct layout *layout, size_t kind, struct team *team)
{
	size_t kept = 0;

	if (find_rotation(layout, kind, team))
		return true;
	for (size_t i = 0; i < team->count; i++)
		if (coverage_rotation(layout, team->events[i], kind) != 0)
			team->events[kept++] = team->events[i];
	team->count = kept;
	return find_rotation(layout, kind, team);
}

/*
 * On each kind of CPU: the team of the metric that names this one where that is of its tree; else
 * one of all that this one needs, else of what its own formula names. above: NULL: none names it.
 */
static void find_teams(const struct metrics *metrics, size_t index, const struct team *above,
		       struct team teams[LAYOUT_KINDS_MAX])
{
	const struct layout *layout = metrics->layout;
	const struct team of_tree = find_team(metrics, index, true);
	const struct team own = find_team(metrics, index, false);

	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		if (above && above[kind].is_of_tree) {
			teams[kind] = above[kind];
			continue;
		}
		teams[kind] = of_tree;
		if (find_groups(layout, kind, &teams[kind]))
			continue;
		teams[kind] = own;
		find_groups(layout, kind, &teams[kind]);
	}
}

static void add_source(struct metrics *metrics, struct source_range *range,
		       const struct counter *counter)
{
	if (range->count == 0)
		range->first = metrics->source_count;
	array_reserve(&metrics->sources, &metrics->source_capacity, metrics->source_count + 1,
		      sizeof(*metrics->sources));
	metrics->sources[metrics->source_count++] = (struct metric_source){
		.count_index = counter->value_index,
		.time_index = layout_group_index(metrics->layout, counter->group),
		.slices_index = metrics->layout->groups[counter->group].slices_index,
		.is_steady = coverage_is_steady(metrics->layout, counter->group),
		.is_reported = metrics->layout->groups[counter->group].is_reported,
		.is_estimate = metrics->layout->events[counter->event].is_estimate,
	};
	range->count++;
}

/* The counters of an event in its team's groups; where it is in none of these, all that it has. Of
 * groups that are always on, which count at the same time, one is enough. */
static struct source_range find_sources(struct metrics *metrics, size_t event, size_t kind,
					const struct team *team)
{
	const struct layout *layout = metrics->layout;
	const bool is_member = team->rotation >= 0 && team_has(team, event);
	const int rotation = is_member ? team->rotation : coverage_rotation(layout, event, kind);
	struct source_range range = {.count = 0};

	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];
		const struct counter *counter = layout_counter_in(layout, event, g);

		if (!counter || group->kind != kind || group->rotation != rotation ||
		    (is_member && !group_holds(layout, g, team)))
			continue;
		add_source(metrics, &range, counter);
		if (rotation == 0)
			break;
	}
	return range;
}

/* The metric needs the event, itself or as what a quantity is a part of; returns its index, -1: it
 * is not counted. */
static int note_needed_event(const struct layout *layout, const char *name,
			     struct bound_metric *bound)
{
	const int event = layout_find_event(layout, name);
	const bool is_counted = event >= 0 && layout_counts_event(layout, (size_t)event);

	bound->is_wanted &= event >= 0 && !layout->events[event].is_removed;
	bound->is_available &= is_counted;
	return is_counted ? event : -1;
}

static void bind_metric_event(struct metrics *metrics, struct bound_metric *bound, const char *name,
			      const struct team *teams, struct metric_input *input)
{
	const struct layout *layout = metrics->layout;
	const int event = note_needed_event(layout, name, bound);

	input->is_counted = event >= 0;
	if (event < 0)
		return;
	bound->is_estimate |= layout->events[event].is_estimate;
	input->scale = layout->events[event].scale;
	input->is_faults = strcmp(layout->events[event].name, METRIC_FAULTS_EVENT) == 0;
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		input->sources[kind] = find_sources(metrics, (size_t)event, kind, &teams[kind]);
}

static void bind_quantity(const struct layout *layout, struct bound_metric *bound, size_t quantity)
{
	const char *event = layout_quantity_event(quantity);

	bound->quantities |= UINT32_C(1) << quantity;
	bound->is_estimate |= (layout->estimated >> quantity & 1) != 0;
	if (event)
		note_needed_event(layout, event, bound);
}

/* Appends the inputs of a metric of the set, which is the bound one or in its tree. */
static void bind(struct metrics *metrics, struct bound_metric *bound, size_t index,
		 const struct team *above)
{
	const struct formula *formula = metric_set_formula(metrics->set, index);
	struct team teams[LAYOUT_KINDS_MAX] = {0};
	const char *name;

	find_teams(metrics, index, above, teams);
	for (size_t i = 0; (name = formula_name(formula, i)); i++) {
		const struct metric_name meant = metric_set_resolve(metrics->set, name);
		struct metric_input input = {.kind = meant.kind, .index = meant.index};

		if (meant.kind == METRIC_NAME_QUANTITY)
			bind_quantity(metrics->layout, bound, meant.index);
		else if (meant.kind == METRIC_NAME_EVENT)
			bind_metric_event(metrics, bound, name, teams, &input);
		else if (meant.kind == METRIC_NAME_METRIC)
			input.formula = metric_set_formula(metrics->set, meant.index);
		array_reserve(&metrics->inputs, &metrics->input_capacity, metrics->input_count + 1,
			      sizeof(*metrics->inputs));
		metrics->inputs[metrics->input_count++] = input;
		if (input.formula)
			bind(metrics, bound, meant.index, teams);
	}
}

struct metrics *metrics_create(const struct layout *layout, const struct metric_set *set)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));

	metrics->layout = layout;
	metrics->set = set;
	metrics->count = metric_set_count(set);
	metrics->bound = xcalloc(metrics->count, sizeof(*metrics->bound));
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		metrics->run_indexes[kind] = layout_kind_index(layout, kind);
		metrics->slices_indexes[kind] =
			layout->groups[layout->kinds[kind].clock].slices_index;
	}
	for (size_t i = 0; i < metrics->count; i++) {
		metrics->bound[i] = (struct bound_metric){
			.info = metric_set_info(set, i),
			.formula = metric_set_formula(set, i),
			.first_input = metrics->input_count,
			.is_wanted = true,
			.is_available = true,
		};
		bind(metrics, &metrics->bound[i], i, NULL);
	}
	return metrics;
}

void metrics_destroy(struct metrics *metrics)
{
	if (!metrics)
		return;
	free(metrics->bound);
	free(metrics->inputs);
	free(metrics->sources);
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
	for (size_t i = 0; i < metrics->count; i++)
		if (strcmp(metrics->bound[i].info->name, name) == 0)
			return (int)i;
	return -1;
}

const char *metrics_level(const struct metrics *metrics, const char *name)
{
	const int index = metrics_find(metrics, name);

	return cache_level_name(index >= 0 ? metrics_info(metrics, (size_t)index)->level
					   : CACHE_LEVEL_UNKNOWN);
}

bool metrics_is_wanted(const struct metrics *metrics, size_t index)
{
	return metrics->bound[index].is_wanted;
}

bool metrics_is_available(const struct metrics *metrics, size_t index)
{
	return metrics->bound[index].is_available;
}

bool metrics_needs(const struct metrics *metrics, size_t index, uint32_t quantities)
{
	return (metrics->bound[index].quantities & quantities) != 0;
}

bool metrics_is_estimate(const struct metrics *metrics, size_t index)
{
	return metrics->bound[index].is_estimate;
}

/* What a formula is evaluated for. */
struct evaluation {
	const struct metrics *metrics;
	const uint64_t *counts;
	uint32_t unknown;
	uint64_t interval_ns;
	size_t first_kind, kind_end;     /* kinds of CPU that take part */
	const struct metric_input *next; /* to be evaluated */
	bool is_scaled;                  /* so far */
};

static bool is_for_one_kind(const struct evaluation *evaluation)
{
	return evaluation->kind_end - evaluation->first_kind <
	       evaluation->metrics->layout->kind_count;
}

static double quantity_value(const struct evaluation *evaluation, size_t value_index)
{
	if (evaluation->unknown & (UINT32_C(1) << value_index))
		return NAN;
	if (!is_for_one_kind(evaluation))
		return (double)evaluation->counts[value_index];
	if (value_index != QUANTITY_RUN_NS)
		return NAN;
	return (double)evaluation->counts[evaluation->metrics->run_indexes[evaluation->first_kind]];
}

/* What was reported, and not estimated from a counting time. */
static double reported_value(const struct evaluation *evaluation, const struct metric_input *input)
{
	const struct metrics *metrics = evaluation->metrics;
	double value = 0;

	for (size_t kind = evaluation->first_kind; kind < evaluation->kind_end; kind++) {
		const struct source_range range = input->sources[kind];

		for (size_t i = range.first; i < range.first + range.count; i++)
			value += (double)evaluation->counts[metrics->sources[i].count_index];
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
		const struct source_range range = input->sources[kind];
		struct coverage coverage = {
			.run_ns = evaluation->counts[metrics->run_indexes[kind]],
			.all_slices = evaluation->counts[metrics->slices_indexes[kind]],
		};

		for (size_t i = range.first; i < range.first + range.count; i++) {
			const struct metric_source *source = &metrics->sources[i];

			coverage.count += evaluation->counts[source->count_index];
			coverage.counting_ns += evaluation->counts[source->time_index];
			coverage.slices += evaluation->counts[source->slices_index];
			coverage.is_steady = source->is_steady;
			coverage.is_reported = source->is_reported;
			coverage.is_estimate = source->is_estimate;
		}
		estimate_add(&estimate, &coverage);
	}
	evaluation->is_scaled = evaluation->is_scaled || estimate.is_scaled;
	return estimate_value(&estimate) * input->scale;
}

static double formula_value(struct evaluation *evaluation, const struct formula *formula);

static double next_value(struct evaluation *evaluation)
{
	const struct metric_input *input = evaluation->next++;

	switch (input->kind) {
	case METRIC_NAME_QUANTITY:
		return quantity_value(evaluation, input->index);
	case METRIC_NAME_EVENT:
		return input->is_counted ? event_value(evaluation, input) : NAN;
	case METRIC_NAME_INTERVAL_NS:
		return (double)evaluation->interval_ns;
	case METRIC_NAME_INTERVAL_S:
		return (double)evaluation->interval_ns / 1e9;
	case METRIC_NAME_METRIC:
		return formula_value(evaluation, input->formula);
	}
	return NAN;
}

static double formula_value(struct evaluation *evaluation, const struct formula *formula)
{
	double values[METRIC_NAMES_MAX];

	for (size_t i = 0; formula_name(formula, i); i++)
		values[i] = next_value(evaluation);
	return formula_eval(formula, values);
}

/* On the kinds of CPU from `first` to before `end`. */
static struct metric_value evaluate(const struct metrics *metrics, size_t index, size_t first,
				    size_t end, const uint64_t *counts, uint32_t unknown,
				    uint64_t interval_ns)
{
	const struct bound_metric *bound = &metrics->bound[index];
	struct evaluation evaluation = {
		.metrics = metrics,
		.counts = counts,
		.unknown = unknown,
		.interval_ns = interval_ns,
		.first_kind = first,
		.kind_end = end,
		.next = metrics->inputs + bound->first_input,
	};
	const double value = formula_value(&evaluation, bound->formula);

	return (struct metric_value){
		.value = value,
		.is_scaled = evaluation.is_scaled && !isnan(value),
		.is_estimate = bound->is_estimate && !isnan(value),
	};
}

struct metric_value metrics_eval(const struct metrics *metrics, size_t index,
				 const uint64_t *counts, uint32_t unknown, uint64_t interval_ns)
{
	return evaluate(metrics, index, 0, metrics->layout->kind_count, counts, unknown,
			interval_ns);
}

struct metric_value metrics_eval_kind(const struct metrics *metrics, size_t index, size_t kind,
				      const uint64_t *counts, uint32_t unknown,
				      uint64_t interval_ns)
{
	return evaluate(metrics, index, kind, kind + 1, counts, unknown, interval_ns);
}

struct metric_value metrics_event_rate(const struct layout *layout, size_t event, int kind,
				       const uint64_t *counts, uint64_t interval_ns)
{
	const size_t first = kind < 0 ? 0 : (size_t)kind;
	const size_t end = kind < 0 ? layout->kind_count : first + 1;
	struct estimate estimate = {.sum = 0};
	double value;

	if (!layout_counts_event(layout, event) || interval_ns == 0 ||
	    (kind >= 0 && coverage_rotation(layout, event, first) < 0))
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
