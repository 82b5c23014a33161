/*
 * One pass over the window, a chunk at a time, field by field; the sums of blocks that were read
 * before are added. Invariant: the counts of a kind add up to its total.
 */

#include "view/histogram.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/metric.h"
#include "model/session.h"
#include "view/column_table.h"
#include "view/row_kind.h"
#include "view/rows.h"
#include "view/switch_log.h"
#include "view/window.h"

static const uint64_t length_id = UINT64_C(3) << 61;

/* Fields of an entry that are looked at, each with a column of a chunk. */

enum {
	PREV,
	NEXT,
	SLICE_NS,
	OFF_NS,
	WAIT_NS,
	PREEMPTED,
	FIELDS
};
static const enum history_field fields[FIELDS] = {
	[PREV] = HISTORY_PREV,         [NEXT] = HISTORY_NEXT,
	[SLICE_NS] = HISTORY_SLICE_NS, [OFF_NS] = HISTORY_OFF_NS,
	[WAIT_NS] = HISTORY_WAIT_NS,   [PREEMPTED] = HISTORY_NEXT_WAS_PREEMPTED,
};

static void count_length(struct length *lengths, enum length_kind kind, uint64_t ns)
{
	struct length *length = &lengths[distribution_octave_of(ns)];

	length->count[kind]++;
	length->sum_ns[kind] += ns;
}

static void count_entry(struct length *lengths, const uint64_t numbers[static FIELDS],
			struct actor_filter *actors)
{
	if (numbers[SLICE_NS] != SWITCH_NS_UNKNOWN && actor_filter_has(actors, numbers[PREV]))
		count_length(lengths, LENGTH_SLICES, numbers[SLICE_NS]);
	if (!actor_filter_has(actors, numbers[NEXT]))
		return;
	if (numbers[PREEMPTED] && numbers[OFF_NS] != SWITCH_NS_UNKNOWN)
		count_length(lengths, LENGTH_PREEMPTED, numbers[OFF_NS]);
	if (numbers[WAIT_NS] != SWITCH_NS_UNKNOWN)
		count_length(lengths, LENGTH_QUEUED, numbers[WAIT_NS]);
}

/* Of the entries [from, end). */
static void count_entries(struct length *lengths, const struct length_query *query, uint64_t from,
			  uint64_t end)
{
	struct window_chunk chunk;

	chunk.at = from;
	chunk.count = 0;
	while (window_next(&chunk, query->window.history, end, fields, FIELDS)) {
		for (size_t i = 0; i < chunk.count; i++) {
			uint64_t numbers[FIELDS];

			for (int field = 0; field < FIELDS; field++)
				numbers[field] = chunk.numbers[field][i];
			count_entry(lengths, numbers, query->actors);
		}
		chunk.at = window_pause(&query->window, chunk.at + chunk.count) - chunk.count;
	}
}

/* Of HISTORY_BLOCK entries from `first` on. */
struct block_sums {
	bool is_known;
	uint64_t first;
	uint64_t last_ns; /* time of the last: a history of other entries has other times */
	uint16_t count[DISTRIBUTION_OCTAVES][LENGTH_KINDS];
	uint64_t sum_ns[DISTRIBUTION_OCTAVES][LENGTH_KINDS];
};

static_assert(HISTORY_BLOCK <= UINT16_MAX, "counts of a block do not fit");

void length_sums_fini(struct length_sums *sums)
{
	free(sums->blocks);
	*sums = (struct length_sums){0};
}

/* Room for all blocks of a history. */
static void prepare_sums(struct length_sums *sums, const struct history *history)
{
	const size_t count = history_capacity(history) / HISTORY_BLOCK + 1;

	if (sums->count == count)
		return;
	free(sums->blocks);
	sums->blocks = xcalloc(count, sizeof(*sums->blocks));
	sums->count = count;
}

static void fill_block(struct block_sums *block, const struct length_query *query, uint64_t first,
		       uint64_t last_ns)
{
	struct length lengths[DISTRIBUTION_OCTAVES] = {0};

	count_entries(lengths, query, first, first + HISTORY_BLOCK);
	*block = (struct block_sums){.is_known = true, .first = first, .last_ns = last_ns};
	for (size_t i = 0; i < DISTRIBUTION_OCTAVES; i++) {
		for (int kind = 0; kind < LENGTH_KINDS; kind++) {
			block->count[i][kind] = (uint16_t)lengths[i].count[kind];
			block->sum_ns[i][kind] = lengths[i].sum_ns[kind];
		}
	}
}

/* Of the HISTORY_BLOCK entries from `first` on. */
static void add_history_block(struct length *lengths, const struct length_query *query,
			      uint64_t first)
{
	struct length_sums *sums = query->sums;
	struct block_sums *block = &sums->blocks[first / HISTORY_BLOCK % sums->count];
	const uint64_t last_ns =
		history_number(query->window.history, first + HISTORY_BLOCK - 1, HISTORY_TIME_NS);

	if (!block->is_known || block->first != first || block->last_ns != last_ns)
		fill_block(block, query, first, last_ns);
	for (size_t i = 0; i < DISTRIBUTION_OCTAVES; i++) {
		for (int kind = 0; kind < LENGTH_KINDS; kind++) {
			lengths[i].count[kind] += block->count[i][kind];
			lengths[i].sum_ns[kind] += block->sum_ns[i][kind];
		}
	}
}

static void scan_all(struct length *lengths, const struct length_query *query)
{
	const struct window *window = &query->window;
	uint64_t at = window->first;

	if (!query->sums || query->actors->wants || !window->history) {
		count_entries(lengths, query, at, window->end);
		return;
	}
	prepare_sums(query->sums, window->history);
	while (at < window->end) {
		const uint64_t block_end = (at / HISTORY_BLOCK + 1) * HISTORY_BLOCK;

		if (at % HISTORY_BLOCK == 0 && block_end <= window->end)
			add_history_block(lengths, query, at);
		else
			count_entries(lengths, query, at,
				      block_end < window->end ? block_end : window->end);
		at = block_end > history_first(window->history) ? block_end
								: history_first(window->history);
	}
}

static void scan_log(struct length *lengths, const struct length_query *query)
{
	for (size_t i = 0; i < switch_log_count(query->log); i++) {
		const uint64_t sequence = switch_log_sequence(query->log, i);
		uint64_t numbers[FIELDS];

		for (int field = 0; field < FIELDS; field++)
			numbers[field] =
				history_number(query->window.history, sequence, fields[field]);
		count_entry(lengths, numbers, query->actors);
	}
}

/* Sums of a kind over all octaves. */
static void sum_steps_up(struct length *lengths, enum length_kind kind)
{
	uint64_t total = 0, greatest = 0;

	for (size_t i = 0; i < DISTRIBUTION_OCTAVES; i++) {
		const uint64_t count = lengths[i].count[kind];

		total += count;
		if (greatest < count)
			greatest = count;
	}
	for (size_t i = 0; i < DISTRIBUTION_OCTAVES; i++) {
		lengths[i].total[kind] = total;
		lengths[i].greatest[kind] = greatest;
	}
}

void lengths_gather(struct length lengths[static DISTRIBUTION_OCTAVES],
		    const struct length_query *query)
{
	memset(lengths, 0, DISTRIBUTION_OCTAVES * sizeof(*lengths));
	for (size_t i = 0; i < DISTRIBUTION_OCTAVES; i++) {
		lengths[i].octave = i;
		lengths[i].begin_ns = distribution_octave_begin(i);
		lengths[i].end_ns = i + 1 < DISTRIBUTION_OCTAVES ? distribution_octave_begin(i + 1)
								 : UINT64_MAX;
	}
	if (query->log)
		scan_log(lengths, query);
	else
		scan_all(lengths, query);
	for (int kind = 0; kind < LENGTH_KINDS; kind++)
		sum_steps_up(lengths, (enum length_kind)kind);
}

static bool is_empty(const struct length *length)
{
	for (int kind = 0; kind < LENGTH_KINDS; kind++)
		if (length->count[kind] > 0)
			return false;
	return true;
}

/* The octaves from the first to behind the last that have anything in them: [*first, returned). */
static size_t find_range(const struct length lengths[static DISTRIBUTION_OCTAVES], size_t *first)
{
	size_t end = DISTRIBUTION_OCTAVES;

	*first = 0;
	while (end > 0 && is_empty(&lengths[end - 1]))
		end--;
	while (*first < end && is_empty(&lengths[*first]))
		++*first;
	return end;
}

/* What is kept from build to build. */
struct length_view {
	struct length lengths[DISTRIBUTION_OCTAVES];
	struct length_sums sums;
	struct switch_log *log; /* of the entries that pass the filter; NULL: there was none yet */
};

static void destroy_kept(void *memory)
{
	struct length_view *kept = memory;

	length_sums_fini(&kept->sums);
	switch_log_destroy(kept->log);
	free(kept);
}

/* The entries of the window that pass the filter. NULL: there is none, and all do. */
static const struct switch_log *filter_entries(struct length_view *kept,
					       const struct rows_input *input,
					       const struct window *window)
{
	struct view_request request = *input->request;
	struct rows_input log_input = *input;

	if (!input->filter || window->first == window->end)
		return NULL;
	if (!kept->log)
		kept->log = switch_log_create();
	log_input.request = &request;
	request.state.order.sort = NULL;
	request.history_from = window->first;
	request.history_to = window->end;
	switch_log_build(kept->log, &log_input);
	return kept->log;
}

static void make_length_rows(struct rows *rows, const struct rows_input *input)
{
	const struct view_request *request = input->request;
	struct length_view *kept = rows_keep(rows, sizeof(*kept), destroy_kept);
	struct actor_filter actors;
	struct length_query query = {
		.window = window_of(request),
		.actors = &actors,
		.sums = &kept->sums,
	};
	size_t at, end;

	rows_reset(rows, input);
	actor_filter_init(&actors, request, input->snapshot);
	query.log = filter_entries(kept, input, &query.window);
	lengths_gather(kept->lengths, &query);
	actor_filter_fini(&actors);
	end = find_range(kept->lengths, &at);
	for (; at < end; at++)
		*rows_append(rows) = (struct view_row){
			.kind = ROW_LENGTH,
			.id = length_id + at,
			.pid = -1,
			.tid = -1,
			.item = &kept->lengths[at],
			/* With some waits unknown it would be no histogram of waits. */
			.unknown =
				METRIC_EVENTS_UNKNOWN |
				(input->snapshot->unknown &
				 (1u << QUANTITY_PREEMPTED_NS | 1u << QUANTITY_QUEUED_NS)) |
				(input->session->queue == QUEUE_WAKEUPS ? 0
									: 1u << QUANTITY_QUEUED_NS),
			.is_active = true,
		};
}

/* What its columns show. */

enum {
	STEP_FROM,
	STEP_BELOW
};

/* NULL: the row is of another kind. */
static const struct length *length_of(const struct view_row *row)
{
	return row->kind == ROW_LENGTH ? row->item : NULL;
}

/* The bounds of a step of the histogram. */
static double get_step(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct length *length = length_of(row);

	if (!length)
		return NAN;
	if (part == STEP_FROM)
		return (double)length->begin_ns / NS_PER_US;
	return length->end_ns == UINT64_MAX ? NAN : (double)length->end_ns / NS_PER_US;
}

/* part: enum length_kind */
static double get_count(const struct getter_input *in, const struct view_row *row, int part)
{
	static const uint32_t quantities[LENGTH_KINDS] = {
		[LENGTH_PREEMPTED] = 1u << QUANTITY_PREEMPTED_NS,
		[LENGTH_QUEUED] = 1u << QUANTITY_QUEUED_NS,
	};
	const bool is_unknown = row->unknown & quantities[part];
	const struct length *length = length_of(row);

	return length && !is_unknown ? (double)length->count[part] : NAN;
}

static double get_bar(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct length *length = length_of(row);
	const double count = get_count(in, row, part);

	return count > 0 ? 100.0 * count / (double)length->greatest[part] : count;
}

/* clang-format off */
static const struct column columns[] = {
	{ .name = "length",      .title = "FROM",    .width = 6,  .format = COLUMN_DURATION, .number = get_step, .part = STEP_FROM, .help = "Lower bound of the step; steps are powers of two in nanoseconds: 1.02us is 1024ns, 1.05ms is 2^20ns." },
	{ .name = "below",       .title = "BELOW",   .width = 6,  .format = COLUMN_DURATION, .is_shrinkable = true, .number = get_step, .part = STEP_BELOW, .help = "Upper bound of the step, where the next one begins." },
	{ .name = "slices",      .title = "SLICES",  .width = 8,  .format = COLUMN_INTEGER,  .descends = true, .number = get_count, .part = LENGTH_SLICES, .help = "Number of slices of tasks of this length; idle time is not counted.", .good = "Most in the longer steps: short slices cost time for the switches." },
	{ .name = "slices-bar",  .title = "SLICES",  .width = 14, .format = COLUMN_BAR,      .descends = true, .number = get_bar, .part = LENGTH_SLICES, .help = "Slices of this length, in percent of the step with most.", .good = "Most in the longer steps: short slices cost time for the switches." },
	{ .name = "pwaits",      .title = "PWAITS",  .width = 8,  .format = COLUMN_INTEGER,  .descends = true, .number = get_count, .part = LENGTH_PREEMPTED, .help = "Number of waits after a preemption of this length; what a CPU limit held back is among them.", .good = "None, or in the shorter steps." },
	{ .name = "pwaits-bar",  .title = "PREEMPTED", .width = 14, .format = COLUMN_BAR,    .descends = true, .number = get_bar, .part = LENGTH_PREEMPTED, .help = "Waits after a preemption of this length, in percent of the step with most.", .good = "None, or in the shorter steps." },
	{ .name = "rqwaits",     .title = "RQWAITS", .width = 8,  .format = COLUMN_INTEGER,  .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, .number = get_count, .part = LENGTH_QUEUED, .help = "Number of waits for a CPU, after a preemption or a wake-up, of this length; needs wake-up records.", .good = "Most in the shorter steps, below 100 us." },
	{ .name = "rqwaits-bar", .title = "RUN QUEUE", .width = 14, .format = COLUMN_BAR,    .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, .number = get_bar, .part = LENGTH_QUEUED, .help = "Waits for a CPU of this length, in percent of the step with most.", .good = "Most in the shorter steps, below 100 us." },
};
/* clang-format on */

const struct row_kind_info kind_length = {
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.is_of_no_task = true,
};

/* clang-format off */
const struct view_info view_histogram = {
	.name = "histogram",
	.short_name = "hist",
	.columns = "length,below,slices,slices-bar,pwaits,pwaits-bar,rqwaits,rqwaits-bar",
	.essential = "length,slices,slices-bar",
	.sort = "length",
	.kind = ROW_LENGTH,
	.filtered = ROW_SWITCH,
	.needs = COLUMN_NEEDS_WAKEUPS,
	.needs_history = true,
	.has_window = true,
	.has_totals = true,
	.make_rows = make_length_rows,
	.keys = "window,ask filter,ask hand-over",
	.help = "Distribution of slices, preempted waits and run-queue waits, in powers of two.",
};
/* clang-format on */
