/*
 * Each ring is in order by itself, so what comes is made of few ascending runs: a merge sort that
 * takes the runs as they are needs little more than one pass over each pair of them. It is stable.
 *
 * Invariant: what stands before `settled` is sorted, and not newer than anything behind it, or was
 * late. The bytes of what was taken are given back when all that can be taken has been; late ones,
 * and those without a time, stand in a list of their own that comes first.
 */
#include "source/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	ORDER_BYTES_MAX = 64 * 1024 * 1024,
	ALIGNMENT = 8,
	WASTED_MAX = 100000,                        /* late ones whose bytes are still there */
	ENTRY_COST = 2 * sizeof(struct order_entry) /* with the room for sorting */
};

static size_t room_of(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void order_init(struct order *order, size_t most)
{
	*order = (struct order){.most = most > 0 ? most : ORDER_BYTES_MAX};
}

void order_fini(struct order *order)
{
	free(order->entries);
	free(order->spare);
	free(order->late_ones);
	free(order->bytes);
	*order = (struct order){0};
}

void order_clear(struct order *order)
{
	const size_t most = order->most;

	order_fini(order);
	order_init(order, most);
}

/* Length of the ascending run at the beginning. */
static size_t run_length(const struct order_entry *entries, size_t count)
{
	size_t length = 1;

	while (length < count && entries[length - 1].time_ns <= entries[length].time_ns)
		length++;
	return length;
}

/* Merges two neighbouring runs; of equal times the first one's come first. */
static void merge(const struct order_entry *from, size_t middle, size_t count,
		  struct order_entry *to)
{
	size_t left = 0, right = middle;

	for (size_t i = 0; i < count; i++) {
		const bool takes_left =
			right == count ||
			(left < middle && from[left].time_ns <= from[right].time_ns);

		to[i] = from[takes_left ? left++ : right++];
	}
}

/* Merges each pair of runs from one array to the other. Returns how many runs are left. */
static size_t merge_pairs(const struct order_entry *from, size_t count, struct order_entry *to)
{
	size_t runs = 0;

	for (size_t done = 0; done < count; runs++) {
		const size_t middle = run_length(from + done, count - done);
		const size_t rest = count - done - middle;
		const size_t both =
			middle + (rest > 0 ? run_length(from + done + middle, rest) : 0);

		merge(from + done, middle, both, to + done);
		done += both;
	}
	return runs;
}

/* Sorts all that is not taken. */
static void sort(struct order *order)
{
	const size_t count = order->count - order->first;
	size_t runs = 2;

	if (count == 0 || run_length(order->entries + order->first, count) == count)
		return;
	array_reserve(&order->spare, &order->spare_capacity, order->capacity,
		      sizeof(*order->spare));
	while (runs > 1) {
		struct order_entry *sorted = order->spare;
		const size_t capacity = order->spare_capacity;

		runs = merge_pairs(order->entries + order->first, count, sorted + order->first);
		order->spare = order->entries;
		order->spare_capacity = order->capacity;
		order->entries = sorted;
		order->capacity = capacity;
	}
}

/* Moves the bytes of what is kept together. */
static void pack(struct order *order)
{
	unsigned char *bytes = NULL;
	size_t used = 0, capacity = 0;

	for (size_t i = 0; i < order->count; i++)
		used += room_of(order->entries[i].size);
	array_reserve(&bytes, &capacity, used + 1, 1);
	used = 0;
	for (size_t i = 0; i < order->count; i++) {
		struct order_entry *entry = &order->entries[i];

		if (entry->size > 0)
			memcpy(bytes + used, order->bytes + entry->offset, entry->size);
		entry->offset = used;
		used += room_of(entry->size);
	}
	free(order->bytes);
	order->bytes = bytes;
	order->bytes_capacity = capacity;
	order->used = used;
}

/* Gives back the room of what was taken, when all was that can be. */
static void compact(struct order *order)
{
	if (order_is_ready(order))
		return;
	order->count -= order->first;
	if (order->first > 0 && order->count > 0)
		memmove(order->entries, order->entries + order->first,
			order->count * sizeof(*order->entries));
	order->first = order->settled = 0;
	if (order->count == 0)
		order->used = 0;
	else
		pack(order);
}

/* What was taken is not needed any more. */
static void forget_taken(struct order *order)
{
	if (order_is_ready(order))
		return;
	order->wasted += order->late_count;
	order->late_first = order->late_count = 0;
	if (!order->is_forced && order->first < order->count && order->wasted < WASTED_MAX)
		return;
	order->is_forced = false;
	order->wasted = 0;
	compact(order);
}

/* What is not newer than this can be taken from now on. */
static void settle(struct order *order, uint64_t time_ns)
{
	sort(order);
	while (order->settled < order->count && order->entries[order->settled].time_ns <= time_ns)
		order->settled++;
}

/* There is no more room: the older half goes. */
static void force(struct order *order)
{
	sort(order);
	order->settled = order->first + (order->count - order->first + 1) / 2;
	order->is_forced = true;
	order->forced++;
}

/* Older than what was given out: it goes before everything that is kept. */
static void put_late(struct order *order, const struct order_entry *entry)
{
	array_reserve(&order->late_ones, &order->late_capacity, order->late_count + 1,
		      sizeof(*order->late_ones));
	order->late_ones[order->late_count++] = *entry;
	if (entry->time_ns > 0)
		order->late++;
}

void order_put(struct order *order, uint64_t time_ns, const void *bytes, size_t size)
{
	const size_t room = room_of(size);
	struct order_entry entry;

	forget_taken(order);
	entry = (struct order_entry){time_ns, order->used, size};
	array_reserve(&order->bytes, &order->bytes_capacity, order->used + room, 1);
	if (size > 0)
		memcpy(order->bytes + order->used, bytes, size);
	order->used += room;
	if (time_ns == 0 || time_ns < order->taken_ns) {
		put_late(order, &entry);
		return;
	}
	array_reserve(&order->entries, &order->capacity, order->count + 1, sizeof(*order->entries));
	order->entries[order->count++] = entry;
	order->newest_ns = time_ns > order->newest_ns ? time_ns : order->newest_ns;
	if (order->used + order->count * ENTRY_COST >= order->most)
		force(order);
}

void order_round(struct order *order)
{
	forget_taken(order);
	compact(order);
	settle(order, order->complete_ns);
	order->complete_ns = order->newest_ns;
}

void order_end(struct order *order)
{
	order->is_ended = true;
	settle(order, UINT64_MAX);
}

const void *order_take(struct order *order, uint64_t *time_ns, size_t *size)
{
	const struct order_entry *entry;

	if (!order_is_ready(order))
		return NULL;
	if (order->late_first < order->late_count)
		entry = &order->late_ones[order->late_first++];
	else
		entry = &order->entries[order->first++];
	*time_ns = entry->time_ns;
	*size = entry->size;
	order->taken_ns = entry->time_ns > order->taken_ns ? entry->time_ns : order->taken_ns;
	return order->bytes + entry->offset;
}
