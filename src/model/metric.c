/*
 * Binding a metric to a layout turns the names of its formula into places of the counts
 * vector, once; its value is then a matter of a few array accesses and one formula_eval().
 *
 * A metric that names others is a tree of formulas, and each of its nodes belongs to it alone: all
 * its events are looked at together when it is decided which groups' counters are used, so that
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
struct source {
	size_t count_index, time_index, slices_index;
	bool is_steady, is_reported, is_estimate; /* coverage.h */
};

/* A stretch of metrics.sources. */
struct source_range {
	size_t first, count;
};

/* What a name in a formula means. */
struct input {
	enum metric_name_kind kind;
	size_t index;                                  /* place of a QUANTITY, node of a METRIC */
	bool is_counted, is_estimate;                  /* EVENT */
	struct source_range sources[LAYOUT_KINDS_MAX]; /* EVENT: by kind of CPU */
	double scale;                                  /* EVENT: count x scale is in its unit */
	bool is_faults;                                /* EVENT: METRIC_FAULTS_EVENT */
};

/* A formula with what its names mean. */
struct node {
	const struct formula *formula; /* borrowed from the set */
	struct input *inputs;          /* owned */
	size_t input_count;
	uint32_t quantities; /* bit per enum quantity in it */
	bool is_wanted;      /* all its events were asked for */
	bool is_available;   /* and they are counted */
	bool is_estimate;    /* one of its inputs is out of a sampling profile */
};

struct metrics {
	const struct layout *layout;      /* borrowed */
	const struct metric_set *set;     /* borrowed */
	const struct metric_info **infos; /* owned, infos borrowed from the set; by metric */
	size_t *roots;                    /* owned; node by metric */
	size_t count;
	struct node *nodes; /* owned */
	size_t node_count, node_capacity;
	struct source *sources; /* owned */
	size_t source_count, source_capacity;
	size_t run_indexes[LAYOUT_KINDS_MAX];
	size_t slices_indexes[LAYOUT_KINDS_MAX]; /* of the clocks */
};

/* Events that are to be counted together. */
struct team {
	uint16_t events[METRIC_NEEDS_MAX];
	size_t count;
};

/* The groups of one kind of CPU with counters in use: those of a turn that hold a team. */
struct binding {
	int rotation; /* -1: none; every event goes by itself */
	struct team team;
	bool is_for_all; /* the team is that of the whole tree from here on */
};

static bool counts_event(const struct layout *layout, size_t event)
{
	if (!event_is_counted(&layout->events[event]))
		return false;
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		if (coverage_rotation(layout, event, kind) >= 0)
			return true;
	return false;
}

/* The event of that name, if it is counted; -1. */
static int find_counted(const struct layout *layout, const char *name)
{
	const int event = layout_find_event(layout, name);

	return event >= 0 && counts_event(layout, (size_t)event) ? event : -1;
}

struct search {
	const struct layout *layout;
	struct team *team;
};

static void join_team(const char *name, void *context)
{
	const struct search *search = context;
	const int event = find_counted(search->layout, name);

	if (event >= 0)
		search->team->events[search->team->count++] = (uint16_t)event;
}

/* All counted events that the metric needs. */
static void find_team(const struct metrics *metrics, size_t index, struct team *team)
{
	struct search search = {metrics->layout, team};

	team->count = 0;
	metric_set_events(metrics->set, index, join_team, &search);
}

/* Those that its own formula names. */
static void find_own_team(const struct metrics *metrics, size_t index, struct team *team)
{
	const struct formula *formula = metric_set_formula(metrics->set, index);
	struct search search = {metrics->layout, team};
	const char *name;

	team->count = 0;
	for (size_t i = 0; (name = formula_name(formula, i)); i++)
		if (metric_set_resolve(metrics->set, name).kind == METRIC_NAME_EVENT)
			join_team(name, &search);
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

/* Whether the group is one of those that were chosen on this kind. */
static bool is_chosen(const struct layout *layout, size_t group, size_t kind,
		      const struct binding *binding)
{
	const struct event_group *candidate = &layout->groups[group];

	return candidate->is_open && candidate->kind == kind &&
	       candidate->rotation == binding->rotation &&
	       group_holds(layout, group, &binding->team);
}

/* The lowest turn of which some group holds the team. False: none does. */
static bool choose_rotation(const struct layout *layout, size_t kind, struct binding *binding)
{
	binding->rotation = -1;
	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		if (group->is_open && group->kind == kind &&
		    (binding->rotation < 0 || group->rotation < binding->rotation) &&
		    group_holds(layout, g, &binding->team))
			binding->rotation = group->rotation;
	}
	return binding->rotation >= 0;
}

/* What is always on goes with anything, so it need not be in the group of the rest. */
static void leave_always_on(const struct layout *layout, size_t kind, struct team *team)
{
	size_t kept = 0;

	for (size_t i = 0; i < team->count; i++)
		if (coverage_rotation(layout, team->events[i], kind) != 0)
			team->events[kept++] = team->events[i];
	team->count = kept;
}

static bool choose_for(const struct layout *layout, size_t kind, const struct team *team,
		       struct binding *binding)
{
	binding->team = *team;
	if (choose_rotation(layout, kind, binding))
		return true;
	leave_always_on(layout, kind, &binding->team);
	return choose_rotation(layout, kind, binding);
}

/*
 * Chooses for a metric that is named by one with the choice `above`: as that one where it could
 * choose for all of its tree; else for all of its own, else for its own formula.
 */
static void choose(const struct metrics *metrics, size_t index, const struct binding *above,
		   struct binding bindings[LAYOUT_KINDS_MAX])
{
	const struct layout *layout = metrics->layout;
	struct team all, own;

	find_team(metrics, index, &all);
	find_own_team(metrics, index, &own);
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		struct binding *binding = &bindings[kind];

		if (above && above[kind].is_for_all) {
			*binding = above[kind];
			continue;
		}
		binding->is_for_all = choose_for(layout, kind, &all, binding);
		if (!binding->is_for_all)
			choose_for(layout, kind, &own, binding);
	}
}

static void add_source(struct metrics *metrics, struct source_range *range,
		       const struct counter *counter)
{
	if (range->count == 0)
		range->first = metrics->source_count;
	array_reserve(&metrics->sources, &metrics->source_capacity, metrics->source_count + 1,
		      sizeof(*metrics->sources));
	metrics->sources[metrics->source_count++] = (struct source){
		.count_index = counter->value_index,
		.time_index = layout_group_index(metrics->layout, counter->group),
		.slices_index = metrics->layout->groups[counter->group].slices_index,
		.is_steady = coverage_is_steady(metrics->layout, counter->group),
		.is_reported = metrics->layout->groups[counter->group].is_reported,
		.is_estimate = metrics->layout->events[counter->event].is_estimate,
	};
	range->count++;
}

/* The counters of an event in the chosen groups; where it is in none of these, all that it has. Of
 * groups that are always on, which count at the same time, one is enough. */
static struct source_range find_sources(struct metrics *metrics, size_t event, size_t kind,
					const struct binding *binding)
{
	const struct layout *layout = metrics->layout;
	const bool is_member = binding->rotation >= 0 && team_has(&binding->team, event);
	const int rotation = is_member ? binding->rotation : coverage_rotation(layout, event, kind);
	struct source_range range = {.count = 0};

	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];
		const struct counter *counter = layout_counter_in(layout, event, g);

		if (!counter || group->kind != kind || group->rotation != rotation ||
		    (is_member && !is_chosen(layout, g, kind, binding)))
			continue;
		add_source(metrics, &range, counter);
		if (rotation == 0)
			break;
	}
	return range;
}

static size_t bind(struct metrics *metrics, size_t index, const struct binding *above);

static void bind_event(struct metrics *metrics, const char *name, const struct binding *bindings,
		       struct input *input)
{
	const struct layout *layout = metrics->layout;
	const int event = find_counted(layout, name);

	input->is_counted = event >= 0;
	if (event < 0)
		return;
	input->is_estimate = layout->events[event].is_estimate;
	input->scale = layout->events[event].scale;
	input->is_faults = strcmp(layout->events[event].name, METRIC_FAULTS_EVENT) == 0;
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		input->sources[kind] = find_sources(metrics, (size_t)event, kind, &bindings[kind]);
}

static bool is_wanted(const struct layout *layout, const char *name)
{
	const int event = layout_find_event(layout, name);

	return event >= 0 && !layout->events[event].is_removed;
}

/* A quantity that is part of what an event counts; event: NULL: it is not. */
static void bind_part(const struct layout *layout, const char *event, struct node *node)
{
	if (!event)
		return;
	node->is_wanted &= is_wanted(layout, event);
	node->is_available &= find_counted(layout, event) >= 0;
}

/* What a name means; the node learns what that makes of it. */
static struct input bind_name(struct metrics *metrics, const char *name,
			      const struct binding *bindings, struct node *node)
{
	const struct metric_name meant = metric_set_resolve(metrics->set, name);
	struct input input = {.kind = meant.kind, .index = meant.index};

	switch (meant.kind) {
	case METRIC_NAME_QUANTITY:
		node->quantities |= UINT32_C(1) << meant.index;
		node->is_estimate |= (metrics->layout->estimated >> meant.index & 1) != 0;
		bind_part(metrics->layout, layout_quantity_event(meant.index), node);
		break;
	case METRIC_NAME_METRIC:
		input.index = bind(metrics, meant.index, bindings);
		node->quantities |= metrics->nodes[input.index].quantities;
		node->is_wanted &= metrics->nodes[input.index].is_wanted;
		node->is_available &= metrics->nodes[input.index].is_available;
		node->is_estimate |= metrics->nodes[input.index].is_estimate;
		break;
	case METRIC_NAME_EVENT:
		bind_event(metrics, name, bindings, &input);
		node->is_wanted &= is_wanted(metrics->layout, name);
		node->is_available &= input.is_counted;
		node->is_estimate |= input.is_estimate;
		break;
	case METRIC_NAME_INTERVAL_NS:
	case METRIC_NAME_INTERVAL_S:
		break;
	}
	return input;
}

/* Binds a metric and those it names; returns the number of its node. above: NULL: there is none. */
static size_t bind(struct metrics *metrics, size_t index, const struct binding *above)
{
	struct binding bindings[LAYOUT_KINDS_MAX] = {0};
	struct node node = {.formula = metric_set_formula(metrics->set, index),
			    .is_wanted = true,
			    .is_available = true};
	const char *name;

	choose(metrics, index, above, bindings);
	node.inputs = xcalloc(METRIC_NAMES_MAX, sizeof(*node.inputs));
	while ((name = formula_name(node.formula, node.input_count)))
		node.inputs[node.input_count++] = bind_name(metrics, name, bindings, &node);
	node.inputs = xrealloc(node.inputs, node.input_count + 1, sizeof(*node.inputs));
	array_reserve(&metrics->nodes, &metrics->node_capacity, metrics->node_count + 1,
		      sizeof(*metrics->nodes));
	metrics->nodes[metrics->node_count] = node;
	return metrics->node_count++;
}

struct metrics *metrics_create(const struct layout *layout, const struct metric_set *set)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));

	metrics->layout = layout;
	metrics->set = set;
	metrics->count = metric_set_count(set);
	metrics->infos = xcalloc(metrics->count, sizeof(*metrics->infos));
	metrics->roots = xcalloc(metrics->count, sizeof(*metrics->roots));
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		metrics->run_indexes[kind] = layout_kind_index(layout, kind);
		metrics->slices_indexes[kind] =
			layout->groups[layout->kinds[kind].clock].slices_index;
	}
	for (size_t i = 0; i < metrics->count; i++) {
		metrics->infos[i] = metric_set_info(set, i);
		metrics->roots[i] = bind(metrics, i, NULL);
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

const char *metrics_level(const struct metrics *metrics, const char *name)
{
	const int index = metrics_find(metrics, name);

	return cache_level_name(index >= 0 ? metrics_info(metrics, (size_t)index)->level
					   : CACHE_LEVEL_UNKNOWN);
}

bool metrics_is_wanted(const struct metrics *metrics, size_t index)
{
	return metrics->nodes[metrics->roots[index]].is_wanted;
}

bool metrics_is_available(const struct metrics *metrics, size_t index)
{
	return metrics->nodes[metrics->roots[index]].is_available;
}

bool metrics_needs(const struct metrics *metrics, size_t index, uint32_t quantities)
{
	return (metrics->nodes[metrics->roots[index]].quantities & quantities) != 0;
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
static double reported_value(const struct evaluation *evaluation, const struct input *input)
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

static double event_value(struct evaluation *evaluation, const struct input *input)
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
			const struct source *source = &metrics->sources[i];

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

static double node_value(struct evaluation *evaluation, size_t index);

static double input_value(struct evaluation *evaluation, const struct input *input)
{
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
		return node_value(evaluation, input->index);
	}
	return NAN;
}

static double node_value(struct evaluation *evaluation, size_t index)
{
	const struct node *node = &evaluation->metrics->nodes[index];
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

	if (!counts_event(layout, event) || interval_ns == 0 ||
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
