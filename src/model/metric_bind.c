/*
 * Binding a metric to a layout turns the names of its formula into places of the counts
 * vector, once.
 *
 * A metric that names others is a tree of formulas, and each of its nodes belongs to it alone: all
 * its events are looked at together when it is decided which groups' counters are used, so that
 * "instructions / c" with c = cycles divides what was counted in the same windows.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/coverage.h"
#include "model/formula.h"
#include "model/metric_parts.h"

/* Events that are to be counted together. */
struct team {
	uint16_t events[METRIC_NEEDS_MAX];
	size_t count;
};

/* The groups of one kind of CPU with counters in use: those of a turn that hold a team. */
struct metric_choice {
	int turn; /* -1: none; every event goes by itself */
	struct team team;
	bool is_for_all; /* the team is that of the whole tree from here on */
};

bool metric_counts_event(const struct layout *layout, size_t event)
{
	if (!event_is_counted(&layout->events[event]))
		return false;
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		if (coverage_turn(layout, event, kind) >= 0)
			return true;
	return false;
}

/* The event of that name, if it is counted; -1. */
static int find_counted(const struct layout *layout, const char *name)
{
	const int event = layout_find_event(layout, name);

	return event >= 0 && metric_counts_event(layout, (size_t)event) ? event : -1;
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
		      const struct metric_choice *choice)
{
	const struct event_group *candidate = &layout->groups[group];

	return candidate->is_open && candidate->kind == kind && candidate->turn == choice->turn &&
	       group_holds(layout, group, &choice->team);
}

/* The lowest turn of which some group holds the team. False: none does. */
static bool choose_turn(const struct layout *layout, size_t kind, struct metric_choice *choice)
{
	choice->turn = -1;
	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		if (group->is_open && group->kind == kind &&
		    (choice->turn < 0 || group->turn < choice->turn) &&
		    group_holds(layout, g, &choice->team))
			choice->turn = group->turn;
	}
	return choice->turn >= 0;
}

/* What is always on goes with anything, so it need not be in the group of the rest. */
static void leave_always_on(const struct layout *layout, size_t kind, struct team *team)
{
	size_t kept = 0;

	for (size_t i = 0; i < team->count; i++)
		if (coverage_turn(layout, team->events[i], kind) != 0)
			team->events[kept++] = team->events[i];
	team->count = kept;
}

static bool choose_for(const struct layout *layout, size_t kind, const struct team *team,
		       struct metric_choice *choice)
{
	choice->team = *team;
	if (choose_turn(layout, kind, choice))
		return true;
	leave_always_on(layout, kind, &choice->team);
	return choose_turn(layout, kind, choice);
}

/*
 * Chooses for a metric that is named by one with the choice `above`: as that one where it could
 * choose for all of its tree; else for all of its own, else for its own formula.
 */
static void choose(const struct metrics *metrics, size_t index, const struct metric_choice *above,
		   struct metric_choice choices[LAYOUT_KINDS_MAX])
{
	const struct layout *layout = metrics->layout;
	struct team all, own;

	find_team(metrics, index, &all);
	find_own_team(metrics, index, &own);
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		struct metric_choice *choice = &choices[kind];

		if (above && above[kind].is_for_all) {
			*choice = above[kind];
			continue;
		}
		choice->is_for_all = choose_for(layout, kind, &all, choice);
		if (!choice->is_for_all)
			choose_for(layout, kind, &own, choice);
	}
}

static void add_source(struct metrics *metrics, struct metric_source_range *range,
		       const struct counter *counter)
{
	if (range->count == 0)
		range->first = metrics->source_count;
	array_reserve(&metrics->sources, &metrics->source_capacity, metrics->source_count + 1,
		      sizeof(*metrics->sources));
	metrics->sources[metrics->source_count++] = (struct metric_source){
		.count_place = counter->place,
		.time_place = layout_group_place(metrics->layout, counter->group),
		.slices_place = metrics->layout->groups[counter->group].slices_place,
		.is_steady = coverage_is_steady(metrics->layout, counter->group),
		.is_reported = metrics->layout->groups[counter->group].is_reported,
		.is_estimate = metrics->layout->events[counter->event].is_estimate,
	};
	range->count++;
}

/* The counters of an event in the chosen groups; where it is in none of these, all that it has. Of
 * groups that are always on, which count at the same time, one is enough. */
static struct metric_source_range find_sources(struct metrics *metrics, size_t event, size_t kind,
					       const struct metric_choice *choice)
{
	const struct layout *layout = metrics->layout;
	const bool is_member = choice->turn >= 0 && team_has(&choice->team, event);
	const int turn = is_member ? choice->turn : coverage_turn(layout, event, kind);
	struct metric_source_range range = {.count = 0};

	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];
		const struct counter *counter = layout_counter_in(layout, event, g);

		if (!counter || group->kind != kind || group->turn != turn ||
		    (is_member && !is_chosen(layout, g, kind, choice)))
			continue;
		add_source(metrics, &range, counter);
		if (turn == 0)
			break;
	}
	return range;
}

static struct metric_input bind_event(struct metrics *metrics, const char *name,
				      const struct metric_choice *choices)
{
	const int event = find_counted(metrics->layout, name);
	struct metric_input input = {.kind = METRIC_INPUT_UNKNOWN};

	if (event < 0)
		return input;
	input.kind = METRIC_INPUT_EVENT;
	input.scale = metrics->layout->events[event].scale;
	input.is_faults = strcmp(metrics->layout->events[event].name, METRIC_FAULTS_EVENT) == 0;
	for (size_t kind = 0; kind < metrics->layout->kind_count; kind++)
		input.sources[kind] = find_sources(metrics, (size_t)event, kind, &choices[kind]);
	return input;
}

static struct metric_input bind_name(struct metrics *metrics, const char *name,
				     const struct metric_choice *choices)
{
	const struct metric_name meant = metric_set_resolve(metrics->set, name);

	switch (meant.kind) {
	case METRIC_NAME_QUANTITY:
		return (struct metric_input){.kind = METRIC_INPUT_QUANTITY, .place = meant.index};
	case METRIC_NAME_INTERVAL_NS:
		return (struct metric_input){.kind = METRIC_INPUT_INTERVAL_NS};
	case METRIC_NAME_INTERVAL_S:
		return (struct metric_input){.kind = METRIC_INPUT_INTERVAL_S};
	case METRIC_NAME_METRIC:
		return (struct metric_input){.kind = METRIC_INPUT_METRIC,
					     .node = metric_bind(metrics, meant.index, choices)};
	case METRIC_NAME_EVENT:
		break;
	}
	return bind_event(metrics, name, choices);
}

static bool is_input_available(const struct metrics *metrics, const struct metric_input *input)
{
	if (input->kind == METRIC_INPUT_METRIC)
		return metrics->nodes[input->node].is_available;
	return input->kind != METRIC_INPUT_UNKNOWN;
}

static bool is_input_estimate(const struct metrics *metrics, const struct metric_input *input)
{
	switch (input->kind) {
	case METRIC_INPUT_QUANTITY:
		return (metrics->layout->estimated & (UINT32_C(1) << input->place)) != 0;
	case METRIC_INPUT_METRIC:
		return metrics->nodes[input->node].is_estimate;
	case METRIC_INPUT_EVENT:
		for (size_t kind = 0; kind < metrics->layout->kind_count; kind++) {
			const struct metric_source_range range = input->sources[kind];

			if (range.count > 0 && metrics->sources[range.first].is_estimate)
				return true;
		}
		return false;
	case METRIC_INPUT_INTERVAL_NS:
	case METRIC_INPUT_INTERVAL_S:
	case METRIC_INPUT_UNKNOWN:
		break;
	}
	return false;
}

size_t metric_bind(struct metrics *metrics, size_t index, const struct metric_choice *above)
{
	struct metric_choice choices[LAYOUT_KINDS_MAX] = {0};
	struct metric_node node = {.formula = metric_set_formula(metrics->set, index),
				   .is_available = true};
	const char *name;

	choose(metrics, index, above, choices);
	node.inputs = xcalloc(METRIC_NAMES_MAX, sizeof(*node.inputs));
	while ((name = formula_name(node.formula, node.input_count))) {
		struct metric_input *input = &node.inputs[node.input_count++];

		*input = bind_name(metrics, name, choices);
		node.is_available = node.is_available && is_input_available(metrics, input);
		node.is_estimate = node.is_estimate || is_input_estimate(metrics, input);
	}
	node.inputs = xrealloc(node.inputs, node.input_count + 1, sizeof(*node.inputs));
	array_reserve(&metrics->nodes, &metrics->node_capacity, metrics->node_count + 1,
		      sizeof(*metrics->nodes));
	metrics->nodes[metrics->node_count] = node;
	return metrics->node_count++;
}
