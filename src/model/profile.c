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
	free(book->profile.moments);
	free(book->node_slots.numbers);
	free(book->entry_slots.numbers);
	*book = (struct profile_book){0};
}

static void clear_slots(struct profile_slots *slots, size_t *count)
{
	if (*count > 0)
		memset(slots->numbers, 0, slots->count * sizeof(*slots->numbers));
	*count = 0;
}

void profile_book_clear(struct profile_book *book)
{
	struct profile *profile = &book->profile;

	clear_slots(&book->node_slots, &profile->node_count);
	clear_slots(&book->entry_slots, &profile->entry_count);
	profile->number_count = profile->moment_count = 0;
	profile->lost = profile->left_out = 0;
	profile->left_out_weight = profile->left_out_latency = 0;
}

/* An array of the profile, the elements of which begin with the bytes by which they are found. */
struct array {
	void *elements; /* address of the pointer to them */
	size_t *count, *capacity;
	struct profile_slots *slots;
	size_t bytes, key_bytes, max; /* of an element; of elements */
};

static char *element_of(const struct array *array, size_t index)
{
	char *elements;

	memcpy(&elements, array->elements, sizeof(elements));
	return elements + index * array->bytes;
}

static size_t hash_of_element(const struct array *array, const void *element)
{
	uint64_t hash = 1;

	for (size_t at = 0; at < array->key_bytes; at += sizeof(uint32_t)) {
		uint32_t word;

		memcpy(&word, (const char *)element + at, sizeof(word));
		hash = hash_mix(hash, word);
	}
	return (size_t)(hash >> 8);
}

/* That of an equal element, or else a free one. Numbers in slots are one more than the index. */
static uint32_t *find_slot(const struct array *array, const void *wanted)
{
	const struct profile_slots *slots = array->slots;
	size_t at = hash_of_element(array, wanted) & (slots->count - 1);

	while (slots->numbers[at] != 0 &&
	       memcmp(element_of(array, slots->numbers[at] - 1), wanted, array->key_bytes) != 0)
		at = (at + 1) & (slots->count - 1);
	return &slots->numbers[at];
}

/* At most half of the slots are in use. */
static void make_array_room(const struct array *array)
{
	struct profile_slots *slots = array->slots;

	if (2 * (*array->count + 1) <= slots->count)
		return;
	free(slots->numbers);
	slots->count = slots->count > 0 ? 2 * slots->count : SLOTS_MIN;
	slots->numbers = xcalloc(slots->count, sizeof(*slots->numbers));
	for (size_t i = 0; i < *array->count; i++)
		*find_slot(array, element_of(array, i)) = (uint32_t)i + 1;
}

/* Its index, where it is added if there is none like it; SIZE_MAX: there is no more room. */
static size_t find_in_array(const struct array *array, const void *wanted)
{
	uint32_t *slot;

	make_array_room(array);
	slot = find_slot(array, wanted);
	if (*slot != 0)
		return *slot - 1;
	if (*array->count >= array->max)
		return SIZE_MAX;
	array_reserve(array->elements, array->capacity, *array->count + 1, array->bytes);
	memcpy(element_of(array, *array->count), wanted, array->bytes);
	*slot = (uint32_t)++ * array->count;
	return *slot - 1;
}

/* The number of the node; 0: there is no more room. */
static uint32_t find_node(struct profile_book *book, const struct profile_node *wanted)
{
	const size_t index = find_in_array(
		&(struct array){
			.elements = &book->profile.nodes,
			.count = &book->profile.node_count,
			.capacity = &book->node_capacity,
			.slots = &book->node_slots,
			.bytes = sizeof(*wanted),
			.key_bytes = sizeof(*wanted),
			.max = PROFILE_NODES_MAX,
		},
		wanted);

	return index < PROFILE_NODES_MAX ? (uint32_t)index : 0;
}

/* Equal in all that distinguishes them; NULL: there is no more room. */
static struct profile_entry *find_profile_entry(struct profile_book *book,
						const struct profile_entry *wanted)
{
	const size_t index = find_in_array(
		&(struct array){
			.elements = &book->profile.entries,
			.count = &book->profile.entry_count,
			.capacity = &book->entry_capacity,
			.slots = &book->entry_slots,
			.bytes = sizeof(*wanted),
			.key_bytes = offsetof(struct profile_entry, samples),
			.max = PROFILE_ENTRIES_MAX,
		},
		wanted);

	return index < PROFILE_ENTRIES_MAX ? &book->profile.entries[index] : NULL;
}

/* From the outermost call inwards. False: there is no more room. */
static bool find_chain(struct profile_book *book, const struct record_sample *sample,
		       uint32_t *node)
{
	*node = 0;
	for (size_t i = sample->count; i > 0; i--) {
		*node = find_node(book, &(struct profile_node){
						.parent = *node,
						.function = (uint32_t)sample->frames[i - 1],
						.at = i > 1 && sample->at ? sample->at[i - 1] : 0,
					});
		if (*node == 0)
			return false;
	}
	return true;
}

static size_t reading_width(const struct event_group *group)
{
	return READING_VALUES + group->count;
}

/* Room for the numbers of a group behind those of other entries. */
static void open_counts(struct profile_book *book, struct profile_entry *entry,
			const struct record_reading *reading, const struct event_group *group)
{
	struct profile *profile = &book->profile;
	const size_t at = profile->number_count > 0 ? profile->number_count : 1;

	array_reserve(&profile->numbers, &book->number_capacity, at + reading_width(group),
		      sizeof(*profile->numbers));
	profile->number_count = at + reading_width(group);
	memset(&profile->numbers[at], 0, reading_width(group) * sizeof(*profile->numbers));
	entry->counts = (uint32_t)at;
	entry->group = reading->group;
	entry->generation = group->generation;
}

/* Of an entry that has counts of another group already those of this one are left out. */
static void count_reading(struct profile_book *book, struct profile_entry *entry,
			  const struct record_reading *reading, const struct slice *slice)
{
	if (entry->counts == 0)
		open_counts(book, entry, reading, slice->group);
	if (entry->group == reading->group && entry->generation == slice->group->generation)
		counts_add(&book->profile.numbers[entry->counts], slice->delta,
			   reading_width(slice->group));
}

bool profile_credit(const struct profile *profile, const struct profile_entry *entry,
		    const struct layout *layout, uint64_t *counts)
{
	const struct event_group *group = &layout->groups[entry->group];
	struct slice slice = {.group = group, .is_clock = true};

	if (entry->counts == 0 || group->generation != entry->generation)
		return false;
	memcpy(slice.delta, &profile->numbers[entry->counts],
	       reading_width(group) * sizeof(*slice.delta));
	slice_credit(&slice, counts);
	if (layout->kind_count > 1 && !layout_is_clock(layout, entry->group))
		counts[layout_kind_index(layout, group->kind)] += slice.delta[READING_ENABLED_NS];
	return true;
}

static void note_moment(struct profile_book *book, uint64_t time_ns,
			const struct profile_entry *entry)
{
	struct profile *profile = &book->profile;

	if (entry->kind != SAMPLE_ON_CPU || profile->moment_count >= PROFILE_MOMENTS_MAX)
		return;
	array_reserve(&profile->moments, &book->moment_capacity, profile->moment_count + 1,
		      sizeof(*profile->moments));
	profile->moments[profile->moment_count++] = (struct profile_moment){
		.time_ns = time_ns,
		.entry = (uint32_t)(entry - profile->entries),
	};
}

/* Others are of no event: they stay when that changes. */
static bool has_on_cpu(const struct profile *profile)
{
	for (size_t i = 0; i < profile->entry_count; i++)
		if (profile->entries[i].kind == SAMPLE_ON_CPU)
			return true;
	return false;
}

void profile_book_take(struct profile_book *book, const struct record *record,
		       const struct slice *slice, uint32_t running)
{
	const struct record_sample *sample = &record->sample;
	struct profile *profile = &book->profile;
	struct profile_entry wanted = {
		.pid = record->pid,
		.tid = record->tid,
		.kind = sample->kind,
		.cpu = RECORD_CPU_NONE,
		.mapping = sample->mapping,
		.access = sample->access,
	};
	const uint64_t latency = running > 0 ? sample->weight / running : 0;
	struct profile_entry *entry = NULL;

	if (sample->kind == SAMPLE_ON_CPU && sample->weight > 0 && sample->by != profile->by) {
		if (has_on_cpu(profile))
			profile_book_clear(book);
		profile->by = sample->by;
	}
	profile->lost += sample->lost;
	if (sample->count == 0 && sample->weight == 0)
		return;
	if (profile->node_count == 0)
		find_node(book, &(struct profile_node){0}); /* none, with function 0 */
	if (profile->entry_count < PROFILE_ADDRESSES_MAX) {
		wanted.at = sample->at ? sample->at[0] : 0;
		wanted.cpu = record->cpu;
		wanted.address = sample->address;
	}
	if (find_chain(book, sample, &wanted.node))
		entry = find_profile_entry(book, &wanted);
	if (!entry) {
		profile->left_out++;
		/* the weight of these is no time */
		if (sample->kind != SAMPLE_BRANCH && sample->kind != SAMPLE_MEMORY)
			profile->left_out_weight += sample->weight;
		profile->left_out_latency += latency;
		return;
	}
	note_moment(book, record->time_ns, entry);
	entry->samples++;
	entry->weight += sample->weight;
	entry->latency += latency;
	entry->ns += sample->ns;
	entry->branch = sample->branch;
	if (slice)
		count_reading(book, entry, sample->reading, slice);
}

bool profile_is_empty(const struct profile *profile)
{
	return profile->entry_count == 0 && profile->lost == 0 && profile->left_out == 0;
}
