/*
 * Entries are gone through in the order of time, and each CPU fills one cell after the other: what
 * ran in it is summed by actor until the cell is finished, and then only whoever ran longest is
 * remembered. A slice covers the time from the CPU's switch before to its own.
 *
 * Only settled entries are drawn. Who came with the last of them runs on up to the time of the
 * newest, since on that CPU nothing else has happened until then. That is drawn with a copy, and
 * cleared again by the next making.
 *
 * Where the history has dropped entries, the first that it still has of a CPU has none before it
 * any more: its slice is drawn otherwise than before. The cells up to the end of that one are
 * filled again, by a lane of their own (struct edge).
 */

#include "view/timeline_maker.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/timeline.h"
#include "view/timeline_cell.h"
#include "view/window.h"

enum {
	/* A CPU that was away leaves a hole longer than what clocks may differ by. */
	HOLE_NS = 100000,
	HOLE_SHARE = 8 /* of the slice */
};

/* A CPU while its cells are filled, one after the other. */
struct lane {
	bool has_last, is_done;
	uint64_t last_ns;            /* the last switch so far */
	uint64_t last, came;         /* entry UINT64_MAX: none since `came` was looked up */
	size_t cell;                 /* being filled */
	uint64_t cell_end_ns;        /* of that */
	uint64_t until_ns;           /* nothing is drawn from here on */
	struct timeline_cell *cells; /* of the strip */
	struct cell_fill fill;
};

/* What is filled again at the beginning of a strip. */
struct edge {
	enum {
		EDGE_WAITS,     /* for the first entry */
		EDGE_FILLS,     /* cells that were finished once */
		EDGE_RESTARTED, /* all cells of the strip, by its own lane */
		EDGE_DONE
	} state;
	struct lane lane;
};

struct timeline_maker {
	struct timeline *timeline;
	const struct timeline_input *input; /* while cells are filled */
	struct lane *lanes;                 /* owned; one per strip */
	struct edge *edges;                 /* owned; the same */
	struct lane now;                    /* draws what runs now */
	size_t lane_count;
	int *lane_of; /* owned; by CPU; -1: not shown */
	size_t cpu_limit;
	size_t width; /* of counts, the history's */
	struct cell_rating rating;
	uint64_t *counts; /* owned; of a chunk of entries; NULL: not asked for */

	/* what was filled */
	const struct history *history; /* only compared */
	bool is_filled, has_all;       /* has_all: no entry was left out at the end */
	uint64_t first;                /* of the history */
	uint64_t next, newest_ns;      /* one behind the last entry, and the time of that one */
	uint64_t begin_ns, cell_ns;
	size_t cell_count;
};

/* The numbers of a chunk of entries. */
struct chunk {
	uint64_t at;
	uint64_t cpu[WINDOW_CHUNK], time_ns[WINDOW_CHUNK], slice_ns[WINDOW_CHUNK];
	uint64_t left[WINDOW_CHUNK], has_counts[WINDOW_CHUNK];
};

/* One slice. */
struct stretch {
	uint64_t from_ns, to_ns;
	uint64_t actor, sequence;
	const uint64_t *counts; /* NULL: not known, or not asked for */
};

void timeline_cell_clear(struct timeline_cell *cell)
{
	*cell = (struct timeline_cell){
		.kind = TIMELINE_NOTHING,
		.actor = ACTOR_UNKNOWN,
		.sequence = UINT64_MAX,
		.busy_pct = NAN,
		.ipc = NAN,
		.goodness = -1,
		.colour = UINT_MAX,
	};
}

static struct cell_rating rating_of(const struct timeline_input *input, uint64_t cell_ns)
{
	const int ipc = metrics_find(input->metrics, "ipc");
	const bool is_known = ipc >= 0 && metrics_is_available(input->metrics, (size_t)ipc);

	return (struct cell_rating){
		.metrics = input->metrics,
		.metric = is_known && input->needs_ipc ? ipc : -1,
		.cell_ns = cell_ns,
	};
}

/* Before the first cell, with nothing known. */
static void lane_reset(struct lane *lane, const struct timeline *timeline)
{
	cell_fill_clear(&lane->fill);
	lane->has_last = lane->is_done = false;
	lane->last = UINT64_MAX;
	lane->cell = 0;
	lane->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
}

static void lane_init(struct lane *lane, const struct timeline *timeline, size_t strip,
		      size_t width)
{
	cell_fill_init(&lane->fill, width);
	lane->cells = timeline->strips[strip].cells;
	lane_reset(lane, timeline);
}

struct timeline_maker *timeline_maker_create(struct timeline *timeline,
					     const struct timeline_input *input)
{
	struct timeline_maker *maker = xcalloc(1, sizeof(*maker));
	size_t width = layout_width(input->layout);

	*maker = (struct timeline_maker){
		.timeline = timeline,
		.lanes = xcalloc(input->cpu_count, sizeof(*maker->lanes)),
		.edges = xcalloc(input->cpu_count, sizeof(*maker->edges)),
		.lane_count = input->cpu_count,
		.cpu_limit = (size_t)input->cpus[input->cpu_count - 1] + 1,
		.width = history_width(input->history),
		.rating = rating_of(input, timeline->cell_ns),
		.history = input->history,
	};
	/* The history may know places that the layout does not, and the other way round. */
	if (width < maker->width)
		width = maker->width;
	if (maker->rating.metric >= 0)
		maker->counts = xcalloc(WINDOW_CHUNK * maker->width, sizeof(*maker->counts));
	maker->lane_of = xcalloc(maker->cpu_limit, sizeof(*maker->lane_of));
	for (size_t i = 0; i < maker->cpu_limit; i++)
		maker->lane_of[i] = -1;
	for (size_t i = 0; i < input->cpu_count; i++) {
		maker->lane_of[input->cpus[i]] = (int)i;
		lane_init(&maker->lanes[i], timeline, i, width);
		lane_init(&maker->edges[i].lane, timeline, i, width);
	}
	lane_init(&maker->now, timeline, 0, width);
	return maker;
}

void timeline_maker_destroy(struct timeline_maker *maker)
{
	if (!maker)
		return;
	for (size_t i = 0; i < maker->lane_count; i++) {
		cell_fill_fini(&maker->lanes[i].fill);
		cell_fill_fini(&maker->edges[i].lane.fill);
	}
	cell_fill_fini(&maker->now.fill);
	free(maker->lanes);
	free(maker->edges);
	free(maker->lane_of);
	free(maker->counts);
	free(maker);
}

static bool has_same_cpus(const struct timeline_maker *maker, const struct timeline_input *input)
{
	if (maker->lane_count != input->cpu_count)
		return false;
	for (size_t i = 0; i < input->cpu_count; i++) {
		if (maker->timeline->strips[i].cpu != input->cpus[i])
			return false;
	}
	return true;
}

/* A history of other entries can stand at the same address. */
static bool has_same_history(const struct timeline_maker *maker, const struct history *history)
{
	return maker->history == history && maker->width == history_width(history) &&
	       maker->first <= history_first(history) && history_first(history) < maker->next &&
	       maker->next <= history_settled(history) &&
	       history_number(history, maker->next - 1, HISTORY_TIME_NS) == maker->newest_ns;
}

bool timeline_maker_can_go_on(const struct timeline_maker *maker,
			      const struct timeline_input *input)
{
	const struct timeline *timeline = maker->timeline;
	const struct cell_rating rating = rating_of(input, timeline->cell_ns);

	return maker->is_filled && maker->has_all && maker->cell_ns == timeline->cell_ns &&
	       maker->cell_count == timeline->cell_count && maker->begin_ns <= timeline->begin_ns &&
	       (timeline->begin_ns - maker->begin_ns) % maker->cell_ns == 0 &&
	       maker->rating.metric == rating.metric && maker->rating.metrics == rating.metrics &&
	       layout_width(input->layout) <= maker->now.fill.width &&
	       has_same_cpus(maker, input) && has_same_history(maker, input->history);
}

static void finish_cell(const struct timeline_maker *maker, struct lane *lane)
{
	cell_fill_finish(&lane->fill, &lane->cells[lane->cell], &maker->rating);
}

static size_t cell_at(const struct timeline *timeline, uint64_t time_ns)
{
	return (size_t)((time_ns - timeline->begin_ns) / timeline->cell_ns);
}

static void draw(const struct timeline_maker *maker, struct lane *lane,
		 const struct stretch *stretch)
{
	const struct timeline *timeline = maker->timeline;
	uint64_t at = stretch->from_ns > timeline->begin_ns ? stretch->from_ns : timeline->begin_ns;
	const uint64_t to = stretch->to_ns < lane->until_ns ? stretch->to_ns : lane->until_ns;

	while (at < to) {
		uint64_t end_ns;

		if (at >= lane->cell_end_ns) {
			finish_cell(maker, lane);
			lane->cell = cell_at(timeline, at);
			lane->cell_end_ns =
				timeline->begin_ns + (lane->cell + 1) * timeline->cell_ns;
		}
		end_ns = to < lane->cell_end_ns ? to : lane->cell_end_ns;
		cell_fill_add(&lane->fill, stretch->actor, stretch->sequence, end_ns - at);
		if (stretch->counts)
			cell_fill_add_counts(&lane->fill, stretch->counts, maker->width,
					     end_ns - at, stretch->to_ns - stretch->from_ns);
		at = end_ns;
	}
}

/* Where a slice begins: at the switch before, unless the CPU was away in between. */
static uint64_t begin_of(const struct lane *lane, uint64_t time_ns, uint64_t slice_ns)
{
	const bool is_known = slice_ns != SWITCH_NS_UNKNOWN;
	uint64_t begin_ns = time_ns;

	if (is_known)
		begin_ns = time_ns > slice_ns ? time_ns - slice_ns : 0;
	if (!lane->has_last)
		return begin_ns;
	if (is_known && begin_ns > lane->last_ns &&
	    begin_ns - lane->last_ns > slice_ns / HOLE_SHARE + HOLE_NS)
		return begin_ns;
	return lane->last_ns;
}

/* The next entry of the lane's CPU. */
static void look_at(const struct timeline_maker *maker, struct lane *lane,
		    const struct chunk *chunk, size_t i)
{
	const uint64_t time_ns = chunk->time_ns[i];
	struct stretch stretch = {
		.from_ns = begin_of(lane, time_ns, chunk->slice_ns[i]),
		.to_ns = time_ns,
		.actor = chunk->left[i],
		.sequence = chunk->at + i,
	};

	if (maker->counts && stretch.actor >= ACTOR_FIRST && chunk->has_counts[i])
		stretch.counts = &maker->counts[i * maker->width];
	draw(maker, lane, &stretch);
	/* Time does not go back on a CPU; if what is fed says so, cells still go on. */
	if (!lane->has_last || lane->last_ns < time_ns)
		lane->last_ns = time_ns;
	lane->has_last = true;
	lane->last = chunk->at + i;
	lane->is_done = time_ns >= lane->until_ns;
}

static struct lane *find_lane(const struct timeline_maker *maker, uint64_t cpu)
{
	const int index = cpu < maker->cpu_limit ? maker->lane_of[cpu] : -1;

	return index >= 0 ? &maker->lanes[index] : NULL;
}

static size_t chunk_count(const struct chunk *chunk, uint64_t end)
{
	const uint64_t left = end - chunk->at;

	return left < WINDOW_CHUNK ? (size_t)left : WINDOW_CHUNK;
}

/* All but the CPUs. */
static void read_rest(const struct timeline_maker *maker, struct chunk *chunk, size_t count)
{
	const struct history *history = maker->input->history;

	history_numbers(history, chunk->at, count, HISTORY_TIME_NS, chunk->time_ns);
	history_numbers(history, chunk->at, count, HISTORY_SLICE_NS, chunk->slice_ns);
	history_numbers(history, chunk->at, count, HISTORY_LEFT, chunk->left);
	if (!maker->counts)
		return;
	history_numbers(history, chunk->at, count, HISTORY_HAS_COUNTS, chunk->has_counts);
	history_counts(history, chunk->at, count, maker->counts);
}

static size_t count_open(const struct timeline_maker *maker)
{
	size_t count = 0;

	for (size_t i = 0; i < maker->lane_count; i++)
		count += !maker->lanes[i].is_done;
	return count;
}

/* Draws the entries from `from` on. */
static void scan(struct timeline_maker *maker, uint64_t from)
{
	const uint64_t end = history_settled(maker->input->history);
	size_t open = count_open(maker);
	struct chunk chunk;

	for (chunk.at = from; chunk.at < end && open > 0; chunk.at += WINDOW_CHUNK) {
		const size_t count = chunk_count(&chunk, end);

		history_numbers(maker->input->history, chunk.at, count, HISTORY_CPU, chunk.cpu);
		read_rest(maker, &chunk, count);
		for (size_t i = 0; i < count; i++) {
			struct lane *lane = find_lane(maker, chunk.cpu[i]);

			if (!lane || lane->is_done)
				continue;
			look_at(maker, lane, &chunk, i);
			open -= lane->is_done;
		}
	}
	maker->has_all = open == maker->lane_count;
}

/* The last switch before entry `first` of each CPU. */
static void look_back(struct timeline_maker *maker, uint64_t first)
{
	const struct history *history = maker->input->history;
	const uint64_t oldest = history_first(history);
	uint64_t end = first;
	uint64_t cpus[WINDOW_CHUNK];
	size_t missing = maker->lane_count;

	while (end > oldest && missing > 0) {
		const size_t count =
			end - oldest < WINDOW_CHUNK ? (size_t)(end - oldest) : WINDOW_CHUNK;

		end -= count;
		history_numbers(history, end, count, HISTORY_CPU, cpus);
		for (size_t i = count; i-- > 0 && missing > 0;) {
			struct lane *lane = find_lane(maker, cpus[i]);

			if (!lane || lane->has_last)
				continue;
			lane->has_last = true;
			lane->last = end + i;
			lane->last_ns = history_number(history, end + i, HISTORY_TIME_NS);
			missing--;
		}
	}
}

/* All entries in the span. */
static void begin(struct timeline_maker *maker)
{
	const struct history *history = maker->input->history;
	uint64_t first = history_seek(history, maker->timeline->begin_ns);

	if (first > history_settled(history))
		first = history_settled(history);
	look_back(maker, first);
	scan(maker, first);
}

static void clear_cells(struct timeline_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		timeline_cell_clear(&cells[i]);
}

/* The cells that are finished go to their new places, the others are nothing yet. */
static void move_lane(struct lane *lane, const struct timeline *timeline, size_t by)
{
	const size_t kept = lane->cell > by ? lane->cell - by : 0;

	memmove(lane->cells, lane->cells + lane->cell - kept, kept * sizeof(*lane->cells));
	clear_cells(lane->cells + kept, timeline->cell_count - kept);
	if (lane->cell < by) {
		cell_fill_clear(&lane->fill);
		lane->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
	}
	lane->cell = kept;
}

/* The first entry that there still is of a CPU. */
static void begin_edge(struct timeline_maker *maker, size_t index, uint64_t time_ns)
{
	const struct timeline *timeline = maker->timeline;
	struct lane *lane = &maker->lanes[index];
	struct edge *edge = &maker->edges[index];
	size_t cell;

	edge->state = EDGE_DONE;
	if (time_ns <= timeline->begin_ns)
		return;
	cell = cell_at(timeline, time_ns);
	if (cell >= lane->cell) {
		clear_cells(lane->cells, timeline->cell_count);
		lane_reset(lane, timeline);
		edge->state = EDGE_RESTARTED;
		return;
	}
	clear_cells(lane->cells, cell + 1);
	lane_reset(&edge->lane, timeline);
	edge->lane.until_ns = timeline->begin_ns + (cell + 1) * timeline->cell_ns;
	edge->state = EDGE_FILLS;
}

/* Draws an entry again where that is needed. Returns whether the strip's beginning is done. */
static bool look_at_edge(struct timeline_maker *maker, const struct chunk *chunk, size_t i)
{
	const size_t index = (size_t)maker->lane_of[chunk->cpu[i]];
	struct edge *edge = &maker->edges[index];

	if (edge->state == EDGE_WAITS)
		begin_edge(maker, index, chunk->time_ns[i]);
	if (edge->state == EDGE_RESTARTED)
		look_at(maker, &maker->lanes[index], chunk, i);
	if (edge->state == EDGE_FILLS) {
		look_at(maker, &edge->lane, chunk, i);
		if (edge->lane.is_done) {
			finish_cell(maker, &edge->lane);
			edge->state = EDGE_DONE;
		}
	}
	return edge->state == EDGE_DONE;
}

static bool is_open(const struct timeline_maker *maker, uint64_t cpu)
{
	const int index = cpu < maker->cpu_limit ? maker->lane_of[cpu] : -1;

	return index >= 0 && maker->edges[index].state != EDGE_DONE;
}

static size_t look_at_edges(struct timeline_maker *maker, struct chunk *chunk, size_t count)
{
	bool is_read = false;
	size_t done = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_open(maker, chunk->cpu[i]))
			continue;
		if (!is_read)
			read_rest(maker, chunk, count);
		is_read = true;
		done += look_at_edge(maker, chunk, i);
	}
	return done;
}

/* What the history has dropped since goes, and what is drawn otherwise without it. */
static void redraw_edges(struct timeline_maker *maker)
{
	const struct history *history = maker->input->history;
	size_t open = maker->lane_count;
	struct chunk chunk;

	for (size_t i = 0; i < maker->lane_count; i++)
		maker->edges[i].state = EDGE_WAITS;
	for (chunk.at = history_first(history); chunk.at < maker->next && open > 0;
	     chunk.at += WINDOW_CHUNK) {
		const size_t count = chunk_count(&chunk, maker->next);

		history_numbers(history, chunk.at, count, HISTORY_CPU, chunk.cpu);
		open -= look_at_edges(maker, &chunk, count);
	}
	for (size_t i = 0; i < maker->lane_count; i++) {
		if (maker->edges[i].state != EDGE_WAITS)
			continue;
		clear_cells(maker->lanes[i].cells, maker->timeline->cell_count);
		lane_reset(&maker->lanes[i], maker->timeline);
	}
}

/* The entries that have come since. */
static void go_on(struct timeline_maker *maker)
{
	const struct timeline *timeline = maker->timeline;
	const size_t by = (size_t)((timeline->begin_ns - maker->begin_ns) / maker->cell_ns);

	for (size_t i = 0; i < maker->lane_count; i++)
		move_lane(&maker->lanes[i], timeline, by);
	if (history_first(maker->input->history) > maker->first)
		redraw_edges(maker);
	scan(maker, maker->next);
}

/* What runs now, and the cell that may go on. */
static void draw_now(struct timeline_maker *maker, struct lane *lane)
{
	const struct history *history = maker->input->history;
	struct lane *now = &maker->now;
	struct stretch stretch = {
		.from_ns = lane->last_ns,
		.to_ns = maker->newest_ns,
		.sequence = UINT64_MAX,
	};

	if (!lane->has_last)
		return;
	if (lane->last != UINT64_MAX)
		lane->came = history_number(history, lane->last, HISTORY_CAME);
	lane->last = UINT64_MAX;
	stretch.actor = lane->came;
	now->cell = lane->cell;
	now->cell_end_ns = lane->cell_end_ns;
	now->until_ns = lane->until_ns;
	now->cells = lane->cells;
	cell_fill_copy(&now->fill, &lane->fill);
	draw(maker, now, &stretch);
	finish_cell(maker, now);
}

void timeline_maker_fill(struct timeline_maker *maker, const struct timeline_input *input)
{
	const struct timeline *timeline = maker->timeline;
	const uint64_t end_ns = timeline->begin_ns + timeline->cell_ns * timeline->cell_count;

	maker->input = input;
	for (size_t i = 0; i < maker->lane_count; i++)
		maker->lanes[i].until_ns = end_ns;
	if (maker->is_filled)
		go_on(maker);
	else
		begin(maker);
	maker->first = history_first(input->history);
	maker->next = history_settled(input->history);
	maker->newest_ns = history_number(input->history, maker->next - 1, HISTORY_TIME_NS);
	for (size_t i = 0; i < maker->lane_count; i++)
		draw_now(maker, &maker->lanes[i]);
	maker->begin_ns = timeline->begin_ns;
	maker->cell_ns = timeline->cell_ns;
	maker->cell_count = timeline->cell_count;
	maker->is_filled = true;
	maker->input = NULL;
}
