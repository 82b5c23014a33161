/*
 * Samples have addresses of their own where the mappings of their process were known when they were
 * taken; of a function that had no name then the number says the address.
 */

#include "view/function_addresses.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/sample_scope.h"

/* A node of an interval, for one function. */
struct node_address {
	bool is_it;  /* it is the function */
	uint64_t at; /* all samples of the node are there; 0: entries have addresses */
};

/* Where it is found. */
struct address_finder {
	struct function_addresses *addresses;
	struct map by_address;      /* to index + 1 */
	struct node_address *nodes; /* owned; of the interval */
};

static struct node_address *find_nodes(const struct profile *profile,
				       const struct function_names *names, uint32_t number,
				       uint64_t time_ns)
{
	struct node_address *nodes = xcalloc(profile->node_count, sizeof(*nodes));

	for (size_t i = 1; i < profile->node_count; i++) {
		const struct function_name name =
			function_names_find(names, profile->nodes[i].function, time_ns);

		nodes[i] = (struct node_address){.is_it = name.same_as == number, .at = name.at};
	}
	return nodes;
}

static void add_address(struct address_finder *finder, const struct function_address *found)
{
	struct function_addresses *addresses = finder->addresses;
	size_t index = (size_t)(uintptr_t)map_get(&finder->by_address, found->at);

	if (index == 0) {
		array_reserve(&addresses->items, &addresses->capacity, addresses->count + 1,
			      sizeof(*addresses->items));
		addresses->items[addresses->count++] = (struct function_address){.at = found->at};
		index = addresses->count;
		map_put(&finder->by_address, found->at, (void *)(uintptr_t)index);
	}
	addresses->items[index - 1].samples += found->samples;
	addresses->items[index - 1].weight += found->weight;
}

static void add_addresses(struct address_finder *finder, const struct profile *profile,
			  const struct sample_scope *scope)
{
	struct function_addresses *addresses = finder->addresses;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		const struct node_address *node = &finder->nodes[entry->node];
		struct function_address found = {
			.at = node->at != 0 ? node->at : entry->at,
			.samples = entry->samples,
		};

		if (!sample_scope_weigh(scope, entry, &found.weight))
			continue;
		addresses->all_weight += found.weight;
		if (!node->is_it)
			continue;
		addresses->weight += found.weight;
		addresses->samples += found.samples;
		if (found.at != 0)
			add_address(finder, &found);
	}
}

static int compare_addresses(const void *a, const void *b)
{
	const struct function_address *one = a, *other = b;

	return one->at < other->at ? -1 : one->at > other->at;
}

void functions_find_addresses(struct function_addresses *addresses,
			      const struct view_request *request,
			      const struct sample_filter *samples_of,
			      const struct snapshot *snapshot, const struct function_names *names,
			      uint32_t number)
{
	struct address_finder finder = {.addresses = addresses};
	struct sample_window window;

	sample_window_begin(&window, request, samples_of, snapshot);
	while (sample_window_next(&window)) {
		finder.nodes = find_nodes(window.profile, names, number, window.interval->time_ns);
		add_addresses(&finder, window.profile, &window.scope);
		free(finder.nodes);
	}
	map_fini(&finder.by_address);
	if (addresses->count > 0)
		qsort(addresses->items, addresses->count, sizeof(*addresses->items),
		      compare_addresses);
}

void function_addresses_fini(struct function_addresses *addresses)
{
	free(addresses->items);
	*addresses = (struct function_addresses){0};
}
