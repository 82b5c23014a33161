/*
 * Samples have addresses of their own where their function had a name when they were taken; of
 * those that had none the number says the address.
 */

#include "view/function_spots.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/mul_div.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/sample_scope.h"

/* A node of an interval, for one function. */
struct node_spot {
	bool is_it;  /* it is the function */
	uint64_t at; /* all samples of the node are there; 0: they have spots */
};

/* Where it is found. */
struct spot_finder {
	struct function_spots *spots;
	struct map by_address;   /* to index + 1 */
	struct node_spot *nodes; /* owned; of the interval */
};

static struct node_spot *find_nodes(const struct profile *profile,
				    const struct function_names *names, uint32_t number,
				    uint64_t time_ns)
{
	struct node_spot *nodes = xcalloc(profile->node_count, sizeof(*nodes));

	for (size_t i = 1; i < profile->node_count; i++) {
		const struct function_name name =
			function_names_find(names, profile->nodes[i].function, time_ns);

		nodes[i] = (struct node_spot){.is_it = name.same_as == number, .at = name.at};
	}
	return nodes;
}

static void add_spot(struct spot_finder *finder, const struct profile_spot *spot)
{
	struct function_spots *spots = finder->spots;
	size_t index = (size_t)(uintptr_t)map_get(&finder->by_address, spot->at);

	if (index == 0) {
		array_reserve(&spots->items, &spots->capacity, spots->count + 1,
			      sizeof(*spots->items));
		spots->items[spots->count++] = (struct function_spot){.at = spot->at};
		index = spots->count;
		map_put(&finder->by_address, spot->at, (void *)(uintptr_t)index);
	}
	spots->items[index - 1].samples += spot->samples;
	spots->items[index - 1].weight += spot->weight;
}

/* The spot of the entry with what it stands for here. */
static struct profile_spot weigh_spot(const struct sample_scope *scope,
				      const struct profile_entry *entry,
				      const struct profile_spot *spot)
{
	struct profile_spot weighed = *spot;

	if (entry->weight > 0)
		weighed.weight =
			mul_div(spot->weight, sample_scope_weight(scope, entry), entry->weight);
	return weighed;
}

static void add_spots(struct spot_finder *finder, const struct profile *profile,
		      const struct sample_scope *scope)
{
	struct function_spots *spots = finder->spots;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		const struct node_spot *node = &finder->nodes[entry->node];
		uint64_t weight;

		if (!sample_scope_weigh(scope, entry, &weight))
			continue;
		spots->all_weight += weight;
		if (!node->is_it)
			continue;
		spots->weight += weight;
		spots->samples += entry->samples;
		if (node->at != 0)
			add_spot(finder, &(struct profile_spot){
						 .at = node->at,
						 .samples = entry->samples,
						 .weight = weight,
					 });
	}
	for (size_t i = 0; i < profile->spot_count; i++) {
		const struct profile_entry *entry = &profile->entries[profile->spots[i].entry];
		const struct node_spot *node = &finder->nodes[entry->node];

		if (node->is_it && node->at == 0 && sample_scope_has(scope, entry)) {
			const struct profile_spot spot =
				weigh_spot(scope, entry, &profile->spots[i]);

			add_spot(finder, &spot);
		}
	}
}

static int compare_spots(const void *a, const void *b)
{
	const struct function_spot *one = a, *other = b;

	return one->at < other->at ? -1 : one->at > other->at;
}

void functions_find_spots(struct function_spots *spots, const struct view_settings *settings,
			  const struct snapshot *snapshot, const struct function_names *names,
			  const struct function *function)
{
	const struct snapshot *intervals[SAMPLE_INTERVALS_MAX];
	const size_t count = sample_scope_intervals(settings, snapshot, intervals);
	struct spot_finder finder = {.spots = spots};

	for (size_t i = 0; i < count; i++) {
		struct sample_scope scope;

		if (!intervals[i]->profile)
			continue;
		sample_scope_init(&scope, settings, intervals[i]);
		finder.nodes = find_nodes(intervals[i]->profile, names, function->number,
					  intervals[i]->time_ns);
		add_spots(&finder, intervals[i]->profile, &scope);
		free(finder.nodes);
		sample_scope_fini(&scope);
	}
	map_fini(&finder.by_address);
	if (spots->count > 0)
		qsort(spots->items, spots->count, sizeof(*spots->items), compare_spots);
}

void function_spots_fini(struct function_spots *spots)
{
	free(spots->items);
	*spots = (struct function_spots){0};
}
