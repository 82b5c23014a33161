/*
 * Nodes are found by parent and function, entries by task and node, in tables of open addressing:
 * the whole of it is looked up once per frame and sample. The tables grow with what is in them, and
 * from interval to interval all of it is used again.
 */
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/stream.h"

enum {
	SLOTS_MIN = 1024 /* a power of two */
};

void profile_book_fini(struct profile_book *book)
{
	free(book->profile.nodes);
	free(book->profile.entries);
	free(book->profile.numbers);
	free(book->profile.spots);
	free(book->node_slots);
	free(book->spot_slots);
	free(book->entry_slots);
	*book = (struct profile_book){0};
}

static void clear_slots(uint32_t *slots, size_t count)
{
	if (count > 0)
		memset(slots, 0, count * sizeof(*slots));
}

void profile_book_clear(struct profile_book *book)
{
	struct profile *profile = &book->profile;

	if (profile->node_count > 0)
		clear_slots(book->node_slots, book->node_slot_count);
	if (profile->entry_count > 0)
		clear_slots(book->entry_slots, book->entry_slot_count);
	if (profile->spot_count > 0)
		clear_slots(book->spot_slots, book->spot_slot_count);
	profile->node_count = profile->entry_count = profile->number_count = 0;
	profile->spot_count = 0;
	profile->lost = profile->left_out = profile->left_out_weight = 0;
}

static uint64_t hash_node(const struct profile_node *node)
{
	return hash_mix(hash_mix(1, node->parent), node->function);
}

static uint64_t hash_entry(const struct profile_entry *entry)
{
	const uint64_t task = (uint64_t)(uint32_t)entry->pid << 32 | (uint32_t)entry->tid;

	return hash_mix(hash_mix(2 + (uint64_t)entry->kind, task), entry->node);
}

static uint64_t hash_spot(const struct profile_spot *spot)
{
	return hash_mix(hash_mix(3, spot->entry), spot->at);
}

static void put_slot(uint32_t *slots, size_t count, uint64_t hash, uint32_t number)
{
	size_t at = (size_t)(hash >> 8) & (count - 1);

	while (slots[at] != 0)
		at = (at + 1) & (count - 1);
	slots[at] = number;
}

/* At most half of the slots are in use. Numbers in slots are one more than the index. */
static bool needs_slots(size_t used, size_t count)
{
	return 2 * (used + 1) > count;
}

static void grow_slots(uint32_t **slots, size_t *count)
{
	free(*slots);
	*count = *count > 0 ? 2 * *count : SLOTS_MIN;
	*slots = xcalloc(*count, sizeof(**slots));
}

static void make_room_for_node(struct profile_book *book)
{
	const struct profile *profile = &book->profile;

	if (!needs_slots(profile->node_count, book->node_slot_count))
		return;
	grow_slots(&book->node_slots, &book->node_slot_count);
	for (size_t i = 1; i < profile->node_count; i++)
		put_slot(book->node_slots, book->node_slot_count, hash_node(&profile->nodes[i]),
			 (uint32_t)i + 1);
}

static void make_room_for_entry(struct profile_book *book)
{
	const struct profile *profile = &book->profile;

	if (!needs_slots(profile->entry_count, book->entry_slot_count))
		return;
	grow_slots(&book->entry_slots, &book->entry_slot_count);
	for (size_t i = 0; i < profile->entry_count; i++)
		put_slot(book->entry_slots, book->entry_slot_count,
			 hash_entry(&profile->entries[i]), (uint32_t)i + 1);
}

static void make_room_for_spot(struct profile_book *book)
{
	const struct profile *profile = &book->profile;

	if (!needs_slots(profile->spot_count, book->spot_slot_count))
		return;
	grow_slots(&book->spot_slots, &book->spot_slot_count);
	for (size_t i = 0; i < profile->spot_count; i++)
		put_slot(book->spot_slots, book->spot_slot_count, hash_spot(&profile->spots[i]),
			 (uint32_t)i + 1);
}

static uint32_t add_node(struct profile_book *book, const struct profile_node *node)
{
	struct profile *profile = &book->profile;

	if (profile->node_count >= PROFILE_NODES_MAX)
		return 0;
	array_reserve(&profile->nodes, &book->node_capacity, profile->node_count + 1,
		      sizeof(*profile->nodes));
	profile->nodes[profile->node_count] = *node;
	return (uint32_t)profile->node_count++;
}

/* The number of the node; 0: there is no more room. */
static uint32_t find_node(struct profile_book *book, uint32_t parent, uint32_t function)
{
	const struct profile_node wanted = {.parent = parent, .function = function};
	const struct profile *profile = &book->profile;
	size_t at;
	uint32_t number;

	make_room_for_node(book);
	at = (size_t)(hash_node(&wanted) >> 8) & (book->node_slot_count - 1);
	for (; book->node_slots[at] != 0; at = (at + 1) & (book->node_slot_count - 1)) {
		const struct profile_node *node = &profile->nodes[book->node_slots[at] - 1];

		if (node->parent == parent && node->function == function)
			return book->node_slots[at] - 1;
	}
	number = add_node(book, &wanted);
	if (number > 0)
		book->node_slots[at] = number + 1;
	return number;
}

/* Of the task, node and kind; NULL: there is no more room. */
static struct profile_entry *find_entry(struct profile_book *book,
					const struct profile_entry *wanted)
{
	struct profile *profile = &book->profile;
	size_t at;

	make_room_for_entry(book);
	at = (size_t)(hash_entry(wanted) >> 8) & (book->entry_slot_count - 1);
	for (; book->entry_slots[at] != 0; at = (at + 1) & (book->entry_slot_count - 1)) {
		struct profile_entry *entry = &profile->entries[book->entry_slots[at] - 1];

		if (entry->pid == wanted->pid && entry->tid == wanted->tid &&
		    entry->node == wanted->node && entry->kind == wanted->kind)
			return entry;
	}
	if (profile->entry_count >= PROFILE_ENTRIES_MAX)
		return NULL;
	array_reserve(&profile->entries, &book->entry_capacity, profile->entry_count + 1,
		      sizeof(*profile->entries));
	profile->entries[profile->entry_count] = *wanted;
	book->entry_slots[at] = (uint32_t)profile->entry_count + 1;
	return &profile->entries[profile->entry_count++];
}

/* Of the entry and address; NULL: there is no more room. */
static struct profile_spot *find_spot(struct profile_book *book, const struct profile_spot *wanted)
{
	struct profile *profile = &book->profile;
	size_t at;

	make_room_for_spot(book);
	at = (size_t)(hash_spot(wanted) >> 8) & (book->spot_slot_count - 1);
	for (; book->spot_slots[at] != 0; at = (at + 1) & (book->spot_slot_count - 1)) {
		struct profile_spot *spot = &profile->spots[book->spot_slots[at] - 1];

		if (spot->entry == wanted->entry && spot->at == wanted->at)
			return spot;
	}
	if (profile->spot_count >= PROFILE_SPOTS_MAX)
		return NULL;
	array_reserve(&profile->spots, &book->spot_capacity, profile->spot_count + 1,
		      sizeof(*profile->spots));
	profile->spots[profile->spot_count] = *wanted;
	book->spot_slots[at] = (uint32_t)profile->spot_count + 1;
	return &profile->spots[profile->spot_count++];
}

static void take_spot(struct profile_book *book, const struct profile_entry *entry,
		      const struct record_sample *sample)
{
	const struct profile_spot wanted = {
		.entry = (uint32_t)(entry - book->profile.entries),
		.at = sample->at,
	};
	struct profile_spot *spot = sample->at != 0 ? find_spot(book, &wanted) : NULL;

	if (!spot)
		return;
	spot->samples++;
	spot->weight += sample->weight;
}

/* From the outermost call inwards. False: there is no more room. */
static bool find_chain(struct profile_book *book, const struct record_sample *sample,
		       uint32_t *node)
{
	*node = 0;
	for (size_t i = sample->count; i > 0; i--) {
		*node = find_node(book, *node, (uint32_t)sample->frames[i - 1]);
		if (*node == 0)
			return false;
	}
	return true;
}

static size_t width_of(const struct event_group *group)
{
	return READING_VALUES + group->count;
}

/* Room for the numbers of a group behind those of other entries. */
static void open_counts(struct profile_book *book, struct profile_entry *entry,
			const struct record_reading *reading, const struct event_group *group)
{
	struct profile *profile = &book->profile;
	const size_t at = profile->number_count > 0 ? profile->number_count : 1;

	array_reserve(&profile->numbers, &book->number_capacity, at + width_of(group),
		      sizeof(*profile->numbers));
	profile->number_count = at + width_of(group);
	memset(&profile->numbers[at], 0, width_of(group) * sizeof(*profile->numbers));
	entry->counts = (uint32_t)at;
	entry->group = reading->group;
	entry->generation = group->generation;
}

/* Of an entry that has counts of another group already those of this one are left out. */
static void count(struct profile_book *book, struct profile_entry *entry,
		  const struct record_reading *reading, const struct slice *slice)
{
	if (entry->counts == 0)
		open_counts(book, entry, reading, slice->group);
	if (entry->group == reading->group && entry->generation == slice->group->generation)
		counts_add(&book->profile.numbers[entry->counts], slice->delta,
			   width_of(slice->group));
}

bool profile_credit(const struct profile *profile, const struct profile_entry *entry,
		    const struct layout *layout, uint64_t *counts)
{
	const struct event_group *group = &layout->groups[entry->group];
	struct slice slice = {.group = group, .is_clock = true};

	if (entry->counts == 0 || group->generation != entry->generation)
		return false;
	memcpy(slice.delta, &profile->numbers[entry->counts],
	       width_of(group) * sizeof(*slice.delta));
	slice_credit(&slice, counts);
	if (layout->kind_count > 1 && !layout_is_clock(layout, entry->group))
		counts[layout_kind_index(layout, group->kind)] += slice.delta[READING_ENABLED_NS];
	return true;
}

void profile_book_take(struct profile_book *book, const struct record *record,
		       const struct slice *slice)
{
	const struct record_sample *sample = &record->sample;
	struct profile *profile = &book->profile;
	struct profile_entry wanted = {
		.pid = record->pid, .tid = record->tid, .kind = sample->kind};
	struct profile_entry *entry = NULL;

	profile->lost += sample->lost;
	if (sample->count == 0 && sample->weight == 0)
		return;
	if (profile->node_count == 0)
		add_node(book, &(struct profile_node){0});
	if (find_chain(book, sample, &wanted.node))
		entry = find_entry(book, &wanted);
	if (!entry) {
		profile->left_out++;
		profile->left_out_weight += sample->weight;
		return;
	}
	entry->samples++;
	entry->weight += sample->weight;
	entry->ns += sample->ns;
	if (slice)
		count(book, entry, sample->reading, slice);
	take_spot(book, entry, sample);
}

bool profile_is_empty(const struct profile *profile)
{
	return profile->entry_count == 0 && profile->lost == 0 && profile->left_out == 0;
}
