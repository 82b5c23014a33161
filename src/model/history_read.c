/*
 * Reading a history: numbers of one field, out of a block's columns or the rows of the open
 * entries, counts vectors made whole again, and entries by time.
 */
#include <assert.h>

#include "model/history_parts.h"
#include "model/layout.h"

/* Where a field of an entry is. */
struct field_place {
	enum history_column column;
	uint64_t mask;
	unsigned shift;
};

/* clang-format off */
static const struct field_place field_places[HISTORY_FIELDS] = {
	[HISTORY_TIME_NS] = {HISTORY_COLUMN_TIME_NS, UINT64_MAX, 0},
	[HISTORY_SLICE_NS] = {HISTORY_COLUMN_SLICE_NS, UINT64_MAX, 0},
	[HISTORY_OFF_NS] = {HISTORY_COLUMN_OFF_NS, UINT64_MAX, 0},
	[HISTORY_WAIT_NS] = {HISTORY_COLUMN_WAIT_NS, UINT64_MAX, 0},
	[HISTORY_LEFT] = {HISTORY_COLUMN_LEFT, UINT64_MAX, 0},
	[HISTORY_CAME] = {HISTORY_COLUMN_CAME, UINT64_MAX, 0},
	[HISTORY_PUSHED_BY] = {HISTORY_COLUMN_PUSHED_BY, UINT64_MAX, 0},
	[HISTORY_CPU] = {HISTORY_COLUMN_CPU, UINT64_MAX, 0},
	[HISTORY_FROM_CPU] = {HISTORY_COLUMN_FROM_CPU, UINT64_MAX, 0},
	[HISTORY_HOW] = {HISTORY_COLUMN_FLAGS, (1 << HISTORY_HOW_BITS) - 1, 0},
	[HISTORY_CAME_PREEMPTED] = {HISTORY_COLUMN_FLAGS, 1, HISTORY_HOW_BITS},
	[HISTORY_HAS_COUNTS] = {HISTORY_COLUMN_FLAGS, 1, HISTORY_HOW_BITS + 1},
};
/* clang-format on */

static bool is_sealed(const struct history *history, uint64_t sequence)
{
	assert(sequence >= history->first && sequence < history_end(history));
	return sequence < history_sealed_end(history);
}

void history_read_column(const struct history *history, uint64_t from, size_t count, size_t column,
			 uint64_t *out)
{
	if (is_sealed(history, from)) {
		const size_t at = (size_t)(from - history->first);

		history_block_numbers(history->blocks[at / HISTORY_BLOCK], at % HISTORY_BLOCK,
				      count, column, out);
		return;
	}

	const size_t at = (size_t)(from - history_sealed_end(history));
	history_open_order(history->open);
	for (size_t i = 0; i < count; i++)
		out[i] = history_open_row(history->open, at + i)[column] - 1;
}

/* How many of `count` numbers from `from` on can be read at once. */
static size_t run_of(const struct history *history, uint64_t from, size_t count)
{
	if (!is_sealed(history, from))
		return count;

	const size_t left = HISTORY_BLOCK - (size_t)(from - history->first) % HISTORY_BLOCK;
	return left < count ? left : count;
}

void history_numbers(const struct history *history, uint64_t from, size_t count,
		     enum history_field field, uint64_t *out)
{
	const struct field_place *place = &field_places[field];

	while (count > 0) {
		const size_t run = run_of(history, from, count);

		history_read_column(history, from, run, place->column, out);
		for (size_t i = 0; place->mask != UINT64_MAX && i < run; i++)
			out[i] = out[i] >> place->shift & place->mask;
		from += run;
		out += run;
		count -= run;
	}
}

/* Of the places of a counts vector that are not kept. */
static uint64_t builtin_count(size_t place, uint64_t slice_ns, enum switch_how how)
{
	if (place == QUANTITY_RUN_NS)
		return slice_ns == SWITCH_NS_UNKNOWN ? 0 : slice_ns;
	if (place == QUANTITY_PREEMPTIONS)
		return how == SWITCH_PREEMPTED || how == SWITCH_YIELDED;
	return place == QUANTITY_SWITCHES;
}

/* One place of `count` entries, all in the same block or all open. */
static void read_counts(const struct history *history, uint64_t from, size_t count, size_t place,
			uint64_t *out)
{
	uint64_t numbers[HISTORY_BLOCK], how[HISTORY_BLOCK];

	if (place >= QUANTITY_BUILTIN) {
		history_read_column(history, from, count,
				    HISTORY_COLUMNS + place - QUANTITY_BUILTIN, numbers);
	} else {
		history_numbers(history, from, count, HISTORY_SLICE_NS, numbers);
		history_numbers(history, from, count, HISTORY_HOW, how);
		for (size_t i = 0; i < count; i++)
			numbers[i] = builtin_count(place, numbers[i], (enum switch_how)how[i]);
	}
	for (size_t i = 0; i < count; i++)
		out[i * history->width + place] = numbers[i];
}

void history_counts(const struct history *history, uint64_t from, size_t count, uint64_t *out)
{
	while (count > 0) {
		const size_t most = count < HISTORY_BLOCK ? count : HISTORY_BLOCK;
		const size_t run = run_of(history, from, most);

		for (size_t place = 0; place < history->width; place++)
			read_counts(history, from, run, place, out);
		from += run;
		out += run * history->width;
		count -= run;
	}
}

uint64_t history_number(const struct history *history, uint64_t sequence, enum history_field field)
{
	uint64_t number;

	history_numbers(history, sequence, 1, field, &number);
	return number;
}

uint64_t history_count(const struct history *history, uint64_t sequence, size_t place)
{
	uint64_t count;

	assert(place < history->width);
	if (place < QUANTITY_BUILTIN)
		return builtin_count(
			place, history_number(history, sequence, HISTORY_SLICE_NS),
			(enum switch_how)history_number(history, sequence, HISTORY_HOW));
	history_read_column(history, sequence, 1, HISTORY_COLUMNS + place - QUANTITY_BUILTIN,
			    &count);
	return count;
}

void history_get(const struct history *history, uint64_t sequence, struct switch_entry *entry,
		 uint64_t *counts)
{
	uint64_t numbers[HISTORY_FIELDS];

	for (int field = 0; field < HISTORY_FIELDS; field++)
		numbers[field] = history_number(history, sequence, (enum history_field)field);
	*entry = (struct switch_entry){
		.time_ns = numbers[HISTORY_TIME_NS],
		.slice_ns = numbers[HISTORY_SLICE_NS],
		.off_ns = numbers[HISTORY_OFF_NS],
		.wait_ns = numbers[HISTORY_WAIT_NS],
		.left = numbers[HISTORY_LEFT],
		.came = numbers[HISTORY_CAME],
		.pushed_by = numbers[HISTORY_PUSHED_BY],
		.cpu = (int32_t)numbers[HISTORY_CPU],
		.from_cpu = (int32_t)numbers[HISTORY_FROM_CPU],
		.how = (enum switch_how)numbers[HISTORY_HOW],
		.came_preempted = numbers[HISTORY_CAME_PREEMPTED],
		.has_counts = numbers[HISTORY_HAS_COUNTS],
		.counts = counts,
	};
	for (size_t place = 0; counts && place < history->width; place++)
		counts[place] = place < QUANTITY_BUILTIN
					? builtin_count(place, entry->slice_ns, entry->how)
					: history_count(history, sequence, place);
}

/* The first of these entries that is not earlier; `end`: none. */
static uint64_t scan_for(const struct history *history, uint64_t from, uint64_t end,
			 uint64_t time_ns)
{
	while (from < end && history_number(history, from, HISTORY_TIME_NS) < time_ns)
		from++;
	return from;
}

/* The same where the times are in order. */
static uint64_t search_for(const struct history *history, uint64_t from, uint64_t end,
			   uint64_t time_ns)
{
	while (from < end) {
		const uint64_t middle = from + (end - from) / 2;

		if (history_number(history, middle, HISTORY_TIME_NS) < time_ns)
			from = middle + 1;
		else
			end = middle;
	}
	return from;
}

/*
 * No time is later than its key, so blocks with an earlier last key are passed over, and so are
 * open entries. From there on one looks at every entry, should the times not be in order.
 */
uint64_t history_seek(const struct history *history, uint64_t time_ns)
{
	size_t low = 0, high = history->block_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (history->blocks[middle]->last_key < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < history->block_count; low++) {
		const uint64_t from = history->first + low * HISTORY_BLOCK;
		const uint64_t end = history_shown(history, from + HISTORY_BLOCK);
		const uint64_t found = history->blocks[low]->is_ordered
					       ? search_for(history, from, end, time_ns)
					       : scan_for(history, from, end, time_ns);
		if (found < end)
			return found;
	}
	history_open_order(history->open);
	const size_t earlier = time_ns ? history_open_not_above(history->open, time_ns - 1) : 0;
	return scan_for(history, history_shown(history, history_sealed_end(history) + earlier),
			history_end(history), time_ns);
}
