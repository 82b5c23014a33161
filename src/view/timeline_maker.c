/*
 * Entries are read in the order of time, and each CPU fills one cell after the other: what ran in a
 * cell is summed by actor until the cell is finished, and then only the actor that ran longest, or
 * an attached one, is kept. A slice lasts from the CPU's previous switch to its own.
 *
 * Only settled entries are drawn. The task that came with the last of them runs up to the time of
 * the newest, since nothing else has happened on that CPU until then. That is drawn by a copy of
 * the track, and cleared by the next pass.
 *
 * A cell that lies wholly before the newest entry of its CPU is final, so that the next pass
 * continues where this one ended. Cells that began before what the history still has are cleared.
 */

#include "view/timeline_maker.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/mul_div.h"
#include "model/counts.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/timeline.h"
#include "view/window.h"

enum {
	/* A CPU that was away leaves a hole longer than what clocks may differ by. */
	HOLE_NS = 100000,
	HOLE_SHARE = 8 /* of the slice */
};

/* An actor's part of a cell. */
struct cell_piece {
	uint64_t actor;
	uint64_t sequence, longest_ns; /* its longest slice in the cell */
	uint64_t ns;
};

/* A cell while it is filled. */
struct fill {
	struct cell_piece *pieces; /* owned; one of each actor */
	size_t count, capacity;
	size_t latest;       /* the piece that was added to */
	struct map by_actor; /* index + 1 */
	uint64_t *counts;    /* owned; of all tasks */
	uint64_t *share;     /* owned; of a part of a slice */
	uint64_t task_ns;    /* all tasks */
	uint64_t counted_ns; /* of that: with counts */
	uint64_t idle_ns, unknown_ns;
};

/* A CPU's strip while its cells are filled. */
struct track {
	bool has_last, is_done;
	uint64_t last_ns;            /* the last switch so far */
	uint64_t last, next_actor;   /* entry; UINT64_MAX: none since `next_actor` was looked up */
	size_t cell;                 /* being filled */
	uint64_t cell_end_ns;        /* of that */
	uint64_t until_ns;           /* nothing is drawn from here on */
	struct timeline_cell *cells; /* of the strip */
	struct fill fill;
};

/* One slice. */
struct slice_stretch {
	uint64_t from_ns, to_ns;
	uint64_t actor, sequence;
	const uint64_t *counts; /* NULL: unknown, or not asked for */
};

struct timeline_maker {
	const struct timeline *timeline;
	const struct history *history; /* only compared between makings */
	const struct metrics *metrics;
	int metric;           /* by which cells are rated; -1: not at all */
	size_t width;         /* of counts, the history's */
	size_t fill_width;    /* the same of a cell */
	struct track *tracks; /* owned; one per strip */
	struct track now;     /* draws what runs now */
	size_t track_count;
	int *track_of; /* owned; by CPU; -1: not shown */
	size_t cpu_limit;
	uint64_t *counts; /* owned; of a chunk of entries; NULL: not asked for */
	int32_t *pids;    /* owned; attached */
	size_t pid_count;

	/* what was filled */
	bool is_filled, has_all;  /* has_all: no entry was left out at the end */
	uint64_t first;           /* of the history */
	uint64_t next, newest_ns; /* one behind the last entry, and the time of that one */
	uint64_t begin_ns, cell_ns;
	size_t cell_count;
};

void timeline_cells_clear(struct timeline_cell *cells, size_t count)
{
	static const struct timeline_cell nothing = {
		.kind = TIMELINE_NOTHING,
		.actor = ACTOR_UNKNOWN,
		.sequence = UINT64_MAX,
		.busy_pct = NAN,
		.actor_pct = NAN,
		.ipc = NAN,
		.goodness = -1,
		.colour = UINT_MAX,
	};

	for (size_t i = 0; i < count; i++)
		cells[i] = nothing;
}

static void clear_fill(struct fill *fill, size_t width)
{
	/* removed one by one: the map keeps its memory for the next cell */
	for (size_t i = 0; i < fill->count; i++)
		map_remove(&fill->by_actor, fill->pieces[i].actor);
	fill->count = fill->latest = 0;
	fill->task_ns = fill->counted_ns = fill->idle_ns = fill->unknown_ns = 0;
	counts_clear(fill->counts, width);
}

static struct cell_piece *piece_for(struct fill *fill, uint64_t actor)
{
	size_t found;

	if (fill->latest < fill->count && fill->pieces[fill->latest].actor == actor)
		return &fill->pieces[fill->latest];
	found = (size_t)(uintptr_t)map_get(&fill->by_actor, actor);
	if (found == 0) {
		array_reserve(&fill->pieces, &fill->capacity, fill->count + 1,
			      sizeof(*fill->pieces));
		fill->pieces[fill->count++] =
			(struct cell_piece){.actor = actor, .sequence = UINT64_MAX};
		found = fill->count;
		map_put(&fill->by_actor, actor, (void *)(uintptr_t)found);
	}
	fill->latest = found - 1;
	return &fill->pieces[fill->latest];
}

static void copy_fill(struct fill *fill, const struct fill *other, size_t width)
{
	clear_fill(fill, width);
	for (size_t i = 0; i < other->count; i++)
		*piece_for(fill, other->pieces[i].actor) = other->pieces[i];
	memcpy(fill->counts, other->counts, width * sizeof(*fill->counts));
	fill->task_ns = other->task_ns;
	fill->counted_ns = other->counted_ns;
	fill->idle_ns = other->idle_ns;
	fill->unknown_ns = other->unknown_ns;
}

static void add_actor_time(struct fill *fill, uint64_t actor, uint64_t sequence, uint64_t ns)
{
	struct cell_piece *piece = piece_for(fill, actor);

	piece->ns += ns;
	if (piece->longest_ns < ns) {
		piece->longest_ns = ns;
		piece->sequence = sequence;
	}
	if (actor == ACTOR_UNKNOWN)
		fill->unknown_ns += ns;
	else if (actor == ACTOR_IDLE)
		fill->idle_ns += ns;
	else
		fill->task_ns += ns;
}

/* Of a task's slice that lasts whole_ns and has these counts, ns are in the cell. */
static void add_slice_share(struct fill *fill, const uint64_t *counts, size_t width, uint64_t ns,
			    uint64_t whole_ns)
{
	fill->counted_ns += ns;
	if (ns == whole_ns) {
		counts_add(fill->counts, counts, width);
		return;
	}
	for (size_t i = 0; i < width; i++)
		fill->share[i] = mul_div(counts[i], ns, whole_ns);
	counts_add(fill->counts, fill->share, width);
}

/* The one that ran longest of those from actor number `least` to `most`; NULL: none of these ran.
 */
static const struct cell_piece *longest(const struct fill *fill, uint64_t least, uint64_t most)
{
	const struct cell_piece *best = NULL;

	for (size_t i = 0; i < fill->count; i++) {
		const struct cell_piece *piece = &fill->pieces[i];

		if (piece->actor < least || piece->actor > most)
			continue;
		if (!best || piece->ns > best->ns ||
		    (piece->ns == best->ns && piece->actor < best->actor))
			best = piece;
	}
	return best;
}

static bool is_attached(const struct timeline_maker *maker, uint64_t number)
{
	const struct actor *actor =
		number >= ACTOR_FIRST ? history_find_actor(maker->history, number) : NULL;

	for (size_t i = 0; actor && i < maker->pid_count; i++)
		if (maker->pids[i] == actor->pid)
			return true;
	return false;
}

/* The same of those that are attached. */
static const struct cell_piece *longest_attached(const struct timeline_maker *maker,
						 const struct fill *fill)
{
	const struct cell_piece *best = NULL;

	for (size_t i = 0; maker->pid_count > 0 && i < fill->count; i++)
		if ((!best || fill->pieces[i].ns > best->ns) &&
		    is_attached(maker, fill->pieces[i].actor))
			best = &fill->pieces[i];
	return best;
}

static enum timeline_kind kind_of_fill(const struct fill *fill)
{
	if (fill->idle_ns > (fill->task_ns + fill->idle_ns + fill->unknown_ns) / 2)
		return TIMELINE_IDLE;
	if (fill->unknown_ns > fill->task_ns)
		return TIMELINE_UNKNOWN;
	return fill->task_ns > 0 ? TIMELINE_TASK : TIMELINE_IDLE;
}

static const struct cell_piece *owner_of_cell(const struct fill *fill, enum timeline_kind kind)
{
	const struct cell_piece *task = longest(fill, ACTOR_FIRST, UINT64_MAX);

	if (kind == TIMELINE_UNKNOWN)
		return longest(fill, ACTOR_UNKNOWN, ACTOR_UNKNOWN);
	return task ? task : longest(fill, ACTOR_IDLE, ACTOR_IDLE);
}

static void rate_cell(const struct timeline_maker *maker, struct timeline_cell *cell,
		      const struct fill *fill)
{
	const size_t metric = (size_t)maker->metric;

	/* Time that still runs, or was not counted, must not exceed the rest. */
	if (maker->metric < 0 || fill->counted_ns == 0 || fill->counted_ns < fill->task_ns / 2)
		return;
	cell->ipc = metrics_eval(maker->metrics, metric, fill->counts, 0, maker->timeline->cell_ns)
			    .value;
	cell->goodness = metric_goodness(metrics_info(maker->metrics, metric), cell->ipc);
}

/* Writes the cell that is being filled, unless nothing was added, and begins the next. */
static void finish_cell(const struct timeline_maker *maker, struct track *track)
{
	struct fill *fill = &track->fill;
	struct timeline_cell *cell = &track->cells[track->cell];
	const struct cell_piece *attached, *owner;

	if (fill->count == 0)
		return;
	attached = longest_attached(maker, fill);
	cell->is_attached = attached;
	cell->kind = attached ? TIMELINE_TASK : kind_of_fill(fill);
	owner = attached ? attached : owner_of_cell(fill, cell->kind);
	if (owner) {
		cell->actor = owner->actor;
		cell->actor_ns = owner->ns;
		cell->sequence = owner->sequence;
	}
	if (cell->kind != TIMELINE_UNKNOWN) {
		const double known_ns = (double)(fill->task_ns + fill->idle_ns);

		cell->busy_pct = 100.0 * (double)fill->task_ns / known_ns;
		cell->actor_pct = 100.0 * (double)cell->actor_ns / known_ns;
	}
	rate_cell(maker, cell, fill);
	clear_fill(fill, maker->fill_width);
}

static void init_track(const struct timeline_maker *maker, struct track *track, size_t strip)
{
	track->fill.counts = xcalloc(maker->fill_width, sizeof(*track->fill.counts));
	track->fill.share = xcalloc(maker->fill_width, sizeof(*track->fill.share));
	track->cells = maker->timeline->strips[strip].cells;
	track->last = UINT64_MAX;
	track->cell_end_ns = maker->timeline->begin_ns + maker->timeline->cell_ns;
}

static void fini_track(struct track *track)
{
	free(track->fill.pieces);
	map_fini(&track->fill.by_actor);
	free(track->fill.counts);
	free(track->fill.share);
}

/* Before the first cell, with nothing known. */
static void reset_track(const struct timeline_maker *maker, struct track *track)
{
	timeline_cells_clear(track->cells, maker->timeline->cell_count);
	clear_fill(&track->fill, maker->fill_width);
	track->has_last = track->is_done = false;
	track->last = UINT64_MAX;
	track->cell = 0;
	track->cell_end_ns = maker->timeline->begin_ns + maker->timeline->cell_ns;
}

/* The timeline begins `by` cells later: finished cells move, the others become empty. */
static void move_track(const struct timeline_maker *maker, struct track *track, uint64_t by)
{
	const struct timeline *timeline = maker->timeline;
	const size_t kept = track->cell > by ? track->cell - (size_t)by : 0;

	memmove(track->cells, track->cells + track->cell - kept, kept * sizeof(*track->cells));
	timeline_cells_clear(track->cells + kept, timeline->cell_count - kept);
	if (track->cell < by) {
		clear_fill(&track->fill, maker->fill_width);
		track->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
	}
	track->cell = kept;
}

static void draw_stretch(const struct timeline_maker *maker, struct track *track,
			 const struct slice_stretch *stretch)
{
	const struct timeline *timeline = maker->timeline;
	uint64_t at = stretch->from_ns > timeline->begin_ns ? stretch->from_ns : timeline->begin_ns;
	const uint64_t to = stretch->to_ns < track->until_ns ? stretch->to_ns : track->until_ns;

	while (at < to) {
		uint64_t end_ns;

		if (at >= track->cell_end_ns) {
			finish_cell(maker, track);
			track->cell = (size_t)((at - timeline->begin_ns) / timeline->cell_ns);
			track->cell_end_ns =
				timeline->begin_ns + (track->cell + 1) * timeline->cell_ns;
		}
		end_ns = to < track->cell_end_ns ? to : track->cell_end_ns;
		add_actor_time(&track->fill, stretch->actor, stretch->sequence, end_ns - at);
		if (stretch->counts)
			add_slice_share(&track->fill, stretch->counts, maker->width, end_ns - at,
					stretch->to_ns - stretch->from_ns);
		at = end_ns;
	}
}

/* Where a slice begins: at the switch before, unless the CPU was away in between. */
static uint64_t slice_begin(const struct track *track, uint64_t time_ns, uint64_t slice_ns)
{
	const bool is_known = slice_ns != SWITCH_NS_UNKNOWN;
	uint64_t begin_ns = time_ns;

	if (is_known)
		begin_ns = time_ns > slice_ns ? time_ns - slice_ns : 0;
	if (!track->has_last)
		return begin_ns;
	if (is_known && begin_ns > track->last_ns &&
	    begin_ns - track->last_ns > slice_ns / HOLE_SHARE + HOLE_NS)
		return begin_ns;
	return track->last_ns;
}

/* Fields of an entry that are looked at. */
enum {
	CPU,
	TIME_NS,
	SLICE_NS,
	PREV,
	HAS_COUNTS,
	FIELDS
};

/* Draws the slice that entry `i` of the chunk ends, which is of the track's CPU. */
static void draw_entry(const struct timeline_maker *maker, struct track *track,
		       const struct window_chunk *chunk, size_t i)
{
	const uint64_t time_ns = chunk->numbers[TIME_NS][i];
	const bool is_counted = maker->counts && chunk->numbers[PREV][i] >= ACTOR_FIRST &&
				chunk->numbers[HAS_COUNTS][i];
	const struct slice_stretch stretch = {
		.from_ns = slice_begin(track, time_ns, chunk->numbers[SLICE_NS][i]),
		.to_ns = time_ns,
		.actor = chunk->numbers[PREV][i],
		.sequence = chunk->at + i,
		.counts = is_counted ? &maker->counts[i * maker->width] : NULL,
	};

	draw_stretch(maker, track, &stretch);
	/* Time does not go back on a CPU; if damaged input says so, cells continue. */
	if (!track->has_last || track->last_ns < time_ns)
		track->last_ns = time_ns;
	track->has_last = true;
	track->last = chunk->at + i;
	track->is_done = time_ns >= track->until_ns;
}

/* The metric that rates cells; -1: none. */
static int rating_of(const struct timeline_input *input)
{
	const int ipc = metrics_find(input->metrics, "ipc");
	const bool is_known = ipc >= 0 && metrics_is_available(input->metrics, (size_t)ipc);

	return is_known && input->needs_ipc ? ipc : -1;
}

struct timeline_maker *timeline_maker_create(const struct timeline *timeline,
					     const struct timeline_input *input)
{
	struct timeline_maker *maker = xcalloc(1, sizeof(*maker));

	maker->timeline = timeline;
	maker->history = input->history;
	maker->metrics = input->metrics;
	maker->metric = rating_of(input);
	maker->width = history_width(input->history);
	/* The history may know values that the layout does not, and the other way round. */
	maker->fill_width = layout_width(input->layout);
	if (maker->fill_width < maker->width)
		maker->fill_width = maker->width;
	maker->tracks = xcalloc(input->cpu_count, sizeof(*maker->tracks));
	maker->track_count = input->cpu_count;
	maker->cpu_limit = (size_t)input->cpus[input->cpu_count - 1] + 1;
	if (maker->metric >= 0)
		maker->counts = xcalloc(WINDOW_CHUNK * maker->width, sizeof(*maker->counts));
	maker->pids = xcalloc(input->pid_count + 1, sizeof(*maker->pids));
	maker->pid_count = input->pid_count;
	for (size_t i = 0; i < input->pid_count; i++)
		maker->pids[i] = input->pids[i];
	maker->track_of = xcalloc(maker->cpu_limit, sizeof(*maker->track_of));
	for (size_t i = 0; i < maker->cpu_limit; i++)
		maker->track_of[i] = -1;
	for (size_t i = 0; i < input->cpu_count; i++) {
		maker->track_of[input->cpus[i]] = (int)i;
		init_track(maker, &maker->tracks[i], i);
	}
	init_track(maker, &maker->now, 0);
	return maker;
}

void timeline_maker_destroy(struct timeline_maker *maker)
{
	if (!maker)
		return;
	for (size_t i = 0; i < maker->track_count; i++)
		fini_track(&maker->tracks[i]);
	fini_track(&maker->now);
	free(maker->tracks);
	free(maker->track_of);
	free(maker->counts);
	free(maker->pids);
	free(maker);
}

static bool has_same_cpus(const struct timeline_maker *maker, const struct timeline_input *input)
{
	if (maker->track_count != input->cpu_count)
		return false;
	for (size_t i = 0; i < input->cpu_count; i++)
		if (maker->timeline->strips[i].cpu != input->cpus[i])
			return false;
	return true;
}

static bool has_same_pids(const struct timeline_maker *maker, const struct timeline_input *input)
{
	if (maker->pid_count != input->pid_count)
		return false;
	for (size_t i = 0; i < input->pid_count; i++)
		if (maker->pids[i] != input->pids[i])
			return false;
	return true;
}

/* A history of other entries can be at the same address. */
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

	return maker->is_filled && maker->has_all && maker->cell_ns == timeline->cell_ns &&
	       maker->cell_count == timeline->cell_count && maker->begin_ns <= timeline->begin_ns &&
	       (timeline->begin_ns - maker->begin_ns) % maker->cell_ns == 0 &&
	       maker->metric == rating_of(input) && maker->metrics == input->metrics &&
	       layout_width(input->layout) <= maker->fill_width && has_same_cpus(maker, input) &&
	       has_same_pids(maker, input) && has_same_history(maker, input->history);
}

static struct track *find_track(const struct timeline_maker *maker, uint64_t cpu)
{
	const int index = cpu < maker->cpu_limit ? maker->track_of[cpu] : -1;

	return index >= 0 ? &maker->tracks[index] : NULL;
}

/* Draws the entries from `from` on. */
static void draw_entries(struct timeline_maker *maker, uint64_t from)
{
	static const enum history_field fields[FIELDS] = {
		[CPU] = HISTORY_CPU,
		[TIME_NS] = HISTORY_TIME_NS,
		[SLICE_NS] = HISTORY_SLICE_NS,
		[PREV] = HISTORY_PREV,
		[HAS_COUNTS] = HISTORY_HAS_COUNTS,
	};
	const uint64_t end = history_settled(maker->history);
	struct window_chunk chunk;
	size_t open = 0;

	for (size_t i = 0; i < maker->track_count; i++)
		open += !maker->tracks[i].is_done;
	chunk.at = from;
	chunk.count = 0;
	while (open > 0 && window_next(&chunk, maker->history, end, fields,
				       maker->counts ? FIELDS : HAS_COUNTS)) {
		if (maker->counts)
			history_counts(maker->history, chunk.at, chunk.count, maker->counts);
		for (size_t i = 0; i < chunk.count; i++) {
			struct track *track = find_track(maker, chunk.numbers[CPU][i]);

			if (!track || track->is_done)
				continue;
			draw_entry(maker, track, &chunk, i);
			open -= track->is_done;
		}
	}
	maker->has_all = open == maker->track_count;
}

/* Finds the last switch before entry `first` on each CPU. */
static void look_back(struct timeline_maker *maker, uint64_t first)
{
	const struct history *history = maker->history;
	const uint64_t oldest = history_first(history);
	uint64_t end = first;
	uint64_t cpus[WINDOW_CHUNK];
	size_t missing = maker->track_count;

	while (end > oldest && missing > 0) {
		const size_t count =
			end - oldest < WINDOW_CHUNK ? (size_t)(end - oldest) : WINDOW_CHUNK;

		end -= count;
		history_numbers(history, end, count, HISTORY_CPU, cpus);
		for (size_t i = count; i-- > 0 && missing > 0;) {
			struct track *track = find_track(maker, cpus[i]);

			if (!track || track->has_last)
				continue;
			track->has_last = true;
			track->last = end + i;
			track->last_ns = history_number(history, end + i, HISTORY_TIME_NS);
			missing--;
		}
	}
}

/* Draws all entries of the span. */
static void draw_span(struct timeline_maker *maker)
{
	uint64_t first = history_seek(maker->history, maker->timeline->begin_ns);

	if (first > history_settled(maker->history))
		first = history_settled(maker->history);
	look_back(maker, first);
	draw_entries(maker, first);
}

/* Clears what began before all that the history still has. */
static void clear_dropped(struct timeline_maker *maker)
{
	const struct timeline *timeline = maker->timeline;
	const uint64_t oldest_ns =
		history_number(maker->history, history_first(maker->history), HISTORY_TIME_NS);
	uint64_t cells;

	if (oldest_ns <= timeline->begin_ns)
		return;
	cells = (oldest_ns - timeline->begin_ns + timeline->cell_ns - 1) / timeline->cell_ns;
	for (size_t i = 0; i < maker->track_count; i++) {
		struct track *track = &maker->tracks[i];

		if (track->last_ns < oldest_ns)
			reset_track(maker, track);
		else
			timeline_cells_clear(track->cells,
					     track->cell < cells ? track->cell : (size_t)cells);
	}
}

/* Draws the entries that were added since. */
static void go_on(struct timeline_maker *maker)
{
	const uint64_t later_ns = maker->timeline->begin_ns - maker->begin_ns;

	for (size_t i = 0; i < maker->track_count; i++)
		move_track(maker, &maker->tracks[i], later_ns / maker->cell_ns);
	if (history_first(maker->history) > maker->first)
		clear_dropped(maker);
	draw_entries(maker, maker->next);
}

/*
 * Draws what runs now, in the cell that may continue and after it; the track itself does not move.
 */
static void draw_now(struct timeline_maker *maker, struct track *track)
{
	struct track *now = &maker->now;

	if (!track->has_last)
		return;
	if (track->last != UINT64_MAX)
		track->next_actor = history_number(maker->history, track->last, HISTORY_NEXT);
	track->last = UINT64_MAX;
	now->cell = track->cell;
	now->cell_end_ns = track->cell_end_ns;
	now->until_ns = track->until_ns;
	now->cells = track->cells;
	copy_fill(&now->fill, &track->fill, maker->fill_width);
	draw_stretch(maker, now,
		     &(struct slice_stretch){
			     .from_ns = track->last_ns,
			     .to_ns = maker->newest_ns,
			     .actor = track->next_actor,
			     .sequence = UINT64_MAX,
		     });
	finish_cell(maker, now);
}

void timeline_maker_fill(struct timeline_maker *maker)
{
	const struct timeline *timeline = maker->timeline;
	const uint64_t end_ns = timeline->begin_ns + timeline->cell_ns * timeline->cell_count;

	for (size_t i = 0; i < maker->track_count; i++)
		maker->tracks[i].until_ns = end_ns;
	if (maker->is_filled)
		go_on(maker);
	else
		draw_span(maker);
	maker->first = history_first(maker->history);
	maker->next = history_settled(maker->history);
	maker->newest_ns = history_number(maker->history, maker->next - 1, HISTORY_TIME_NS);
	for (size_t i = 0; i < maker->track_count; i++)
		draw_now(maker, &maker->tracks[i]);
	maker->begin_ns = timeline->begin_ns;
	maker->cell_ns = timeline->cell_ns;
	maker->cell_count = timeline->cell_count;
	maker->is_filled = true;
}
