/*
 * Entries are gone through in the order of time, and each CPU fills one cell after the other
 * (timeline_track.h).
 *
 * Only settled entries are drawn. The task that came with the last of them runs on up to the time
 * of the newest, since on that CPU nothing else has happened until then. That is drawn with a copy,
 * and cleared again by the next making.
 *
 * Where the history has dropped entries, the first that it still has of a CPU has none before it
 * any more: its slice is drawn otherwise than before. The cells up to the end of that one are
 * filled again, by a track of their own (struct edge).
 */

#include "view/timeline_maker.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/timeline.h"
#include "view/timeline_cell.h"
#include "view/timeline_track.h"
#include "view/window.h"

/* What is filled again at the beginning of a strip. */
struct edge {
	enum {
		EDGE_WAITS,     /* for the first entry */
		EDGE_FILLS,     /* cells that were finished once */
		EDGE_RESTARTED, /* all cells of the strip, by its own track */
		EDGE_DONE
	} state;
	struct timeline_track track;
};

struct timeline_maker {
	struct track_ground ground;
	const struct timeline_input *input; /* while cells are filled */
	struct timeline_track *tracks;      /* owned; one per strip */
	struct edge *edges;                 /* owned; the same */
	struct timeline_track now;          /* draws what runs now */
	size_t track_count;
	int *track_of; /* owned; by CPU; -1: not shown */
	size_t cpu_limit;
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

struct timeline_maker *timeline_maker_create(struct timeline *timeline,
					     const struct timeline_input *input)
{
	struct timeline_maker *maker = xcalloc(1, sizeof(*maker));
	size_t width = layout_width(input->layout);

	*maker = (struct timeline_maker){
		.ground =
			{
				.timeline = timeline,
				.rating = rating_of(input, timeline->cell_ns),
				.width = history_width(input->history),
			},
		.tracks = xcalloc(input->cpu_count, sizeof(*maker->tracks)),
		.edges = xcalloc(input->cpu_count, sizeof(*maker->edges)),
		.track_count = input->cpu_count,
		.cpu_limit = (size_t)input->cpus[input->cpu_count - 1] + 1,
		.history = input->history,
	};
	/* The history may know places that the layout does not, and the other way round. */
	if (width < maker->ground.width)
		width = maker->ground.width;
	if (maker->ground.rating.metric >= 0)
		maker->counts = xcalloc(WINDOW_CHUNK * maker->ground.width, sizeof(*maker->counts));
	maker->track_of = xcalloc(maker->cpu_limit, sizeof(*maker->track_of));
	for (size_t i = 0; i < maker->cpu_limit; i++)
		maker->track_of[i] = -1;
	for (size_t i = 0; i < input->cpu_count; i++) {
		maker->track_of[input->cpus[i]] = (int)i;
		timeline_track_init(&maker->tracks[i], timeline, i, width);
		timeline_track_init(&maker->edges[i].track, timeline, i, width);
	}
	timeline_track_init(&maker->now, timeline, 0, width);
	return maker;
}

void timeline_maker_destroy(struct timeline_maker *maker)
{
	if (!maker)
		return;
	for (size_t i = 0; i < maker->track_count; i++) {
		timeline_track_fini(&maker->tracks[i]);
		timeline_track_fini(&maker->edges[i].track);
	}
	timeline_track_fini(&maker->now);
	free(maker->tracks);
	free(maker->edges);
	free(maker->track_of);
	free(maker->counts);
	free(maker);
}

static bool has_same_cpus(const struct timeline_maker *maker, const struct timeline_input *input)
{
	if (maker->track_count != input->cpu_count)
		return false;
	for (size_t i = 0; i < input->cpu_count; i++)
		if (maker->ground.timeline->strips[i].cpu != input->cpus[i])
			return false;
	return true;
}

/* A history of other entries can stand at the same address. */
static bool has_same_history(const struct timeline_maker *maker, const struct history *history)
{
	return maker->history == history && maker->ground.width == history_width(history) &&
	       maker->first <= history_first(history) && history_first(history) < maker->next &&
	       maker->next <= history_settled(history) &&
	       history_number(history, maker->next - 1, HISTORY_TIME_NS) == maker->newest_ns;
}

bool timeline_maker_can_go_on(const struct timeline_maker *maker,
			      const struct timeline_input *input)
{
	const struct timeline *timeline = maker->ground.timeline;
	const struct cell_rating rating = rating_of(input, timeline->cell_ns);

	return maker->is_filled && maker->has_all && maker->cell_ns == timeline->cell_ns &&
	       maker->cell_count == timeline->cell_count && maker->begin_ns <= timeline->begin_ns &&
	       (timeline->begin_ns - maker->begin_ns) % maker->cell_ns == 0 &&
	       maker->ground.rating.metric == rating.metric &&
	       maker->ground.rating.metrics == rating.metrics &&
	       layout_width(input->layout) <= maker->now.fill.width &&
	       has_same_cpus(maker, input) && has_same_history(maker, input->history);
}

/* The next entry of the track's CPU. */
static void look_at(const struct timeline_maker *maker, struct timeline_track *track,
		    const struct chunk *chunk, size_t i)
{
	const bool is_counted =
		maker->counts && chunk->left[i] >= ACTOR_FIRST && chunk->has_counts[i];
	const struct timeline_entry entry = {
		.number = chunk->at + i,
		.time_ns = chunk->time_ns[i],
		.slice_ns = chunk->slice_ns[i],
		.left = chunk->left[i],
		.counts = is_counted ? &maker->counts[i * maker->ground.width] : NULL,
	};

	timeline_track_add(track, &maker->ground, &entry);
}

static struct timeline_track *find_track(const struct timeline_maker *maker, uint64_t cpu)
{
	const int index = cpu < maker->cpu_limit ? maker->track_of[cpu] : -1;

	return index >= 0 ? &maker->tracks[index] : NULL;
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

	for (size_t i = 0; i < maker->track_count; i++)
		count += !maker->tracks[i].is_done;
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
			struct timeline_track *track = find_track(maker, chunk.cpu[i]);

			if (!track || track->is_done)
				continue;
			look_at(maker, track, &chunk, i);
			open -= track->is_done;
		}
	}
	maker->has_all = open == maker->track_count;
}

/* The last switch before entry `first` of each CPU. */
static void look_back(struct timeline_maker *maker, uint64_t first)
{
	const struct history *history = maker->input->history;
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
			struct timeline_track *track = find_track(maker, cpus[i]);

			if (!track || track->has_last)
				continue;
			track->has_last = true;
			track->last = end + i;
			track->last_ns = history_number(history, end + i, HISTORY_TIME_NS);
			missing--;
		}
	}
}

/* All entries in the span. */
static void begin(struct timeline_maker *maker)
{
	const struct history *history = maker->input->history;
	uint64_t first = history_seek(history, maker->ground.timeline->begin_ns);

	if (first > history_settled(history))
		first = history_settled(history);
	look_back(maker, first);
	scan(maker, first);
}

/* The first entry that there still is of a CPU. */
static void begin_edge(struct timeline_maker *maker, size_t index, uint64_t time_ns)
{
	const struct timeline *timeline = maker->ground.timeline;
	struct timeline_track *track = &maker->tracks[index];
	struct edge *edge = &maker->edges[index];
	size_t cell;

	edge->state = EDGE_DONE;
	if (time_ns <= timeline->begin_ns)
		return;
	cell = timeline_cell_at(timeline, time_ns);
	if (cell >= track->cell) {
		timeline_cells_clear(track->cells, timeline->cell_count);
		timeline_track_reset(track, timeline);
		edge->state = EDGE_RESTARTED;
		return;
	}
	timeline_cells_clear(track->cells, cell + 1);
	timeline_track_reset(&edge->track, timeline);
	edge->track.until_ns = timeline->begin_ns + (cell + 1) * timeline->cell_ns;
	edge->state = EDGE_FILLS;
}

/* Draws an entry again where that is needed. Returns whether the strip's beginning is done. */
static bool look_at_edge(struct timeline_maker *maker, const struct chunk *chunk, size_t i)
{
	const size_t index = (size_t)maker->track_of[chunk->cpu[i]];
	struct edge *edge = &maker->edges[index];

	if (edge->state == EDGE_WAITS)
		begin_edge(maker, index, chunk->time_ns[i]);
	if (edge->state == EDGE_RESTARTED)
		look_at(maker, &maker->tracks[index], chunk, i);
	if (edge->state == EDGE_FILLS) {
		look_at(maker, &edge->track, chunk, i);
		if (edge->track.is_done) {
			timeline_track_finish(&edge->track, &maker->ground);
			edge->state = EDGE_DONE;
		}
	}
	return edge->state == EDGE_DONE;
}

static bool is_open(const struct timeline_maker *maker, uint64_t cpu)
{
	const int index = cpu < maker->cpu_limit ? maker->track_of[cpu] : -1;

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
	size_t open = maker->track_count;
	struct chunk chunk;

	for (size_t i = 0; i < maker->track_count; i++)
		maker->edges[i].state = EDGE_WAITS;
	for (chunk.at = history_first(history); chunk.at < maker->next && open > 0;
	     chunk.at += WINDOW_CHUNK) {
		const size_t count = chunk_count(&chunk, maker->next);

		history_numbers(history, chunk.at, count, HISTORY_CPU, chunk.cpu);
		open -= look_at_edges(maker, &chunk, count);
	}
	for (size_t i = 0; i < maker->track_count; i++) {
		if (maker->edges[i].state != EDGE_WAITS)
			continue;
		timeline_cells_clear(maker->tracks[i].cells, maker->ground.timeline->cell_count);
		timeline_track_reset(&maker->tracks[i], maker->ground.timeline);
	}
}

/* The entries that have come since. */
static void go_on(struct timeline_maker *maker)
{
	const struct timeline *timeline = maker->ground.timeline;
	const size_t by = (size_t)((timeline->begin_ns - maker->begin_ns) / maker->cell_ns);

	for (size_t i = 0; i < maker->track_count; i++)
		timeline_track_move(&maker->tracks[i], timeline, by);
	if (history_first(maker->input->history) > maker->first)
		redraw_edges(maker);
	scan(maker, maker->next);
}

/* What runs now, and the cell that may go on. */
static void draw_now(struct timeline_maker *maker, struct timeline_track *track)
{
	const struct history *history = maker->input->history;

	if (!track->has_last)
		return;
	if (track->last != UINT64_MAX)
		track->came = history_number(history, track->last, HISTORY_CAME);
	track->last = UINT64_MAX;
	timeline_track_run_on(&maker->now, track, &maker->ground, maker->newest_ns);
}

void timeline_maker_fill(struct timeline_maker *maker, const struct timeline_input *input)
{
	const struct timeline *timeline = maker->ground.timeline;
	const uint64_t end_ns = timeline->begin_ns + timeline->cell_ns * timeline->cell_count;

	maker->input = input;
	for (size_t i = 0; i < maker->track_count; i++)
		maker->tracks[i].until_ns = end_ns;
	if (maker->is_filled)
		go_on(maker);
	else
		begin(maker);
	maker->first = history_first(input->history);
	maker->next = history_settled(input->history);
	maker->newest_ns = history_number(input->history, maker->next - 1, HISTORY_TIME_NS);
	for (size_t i = 0; i < maker->track_count; i++)
		draw_now(maker, &maker->tracks[i]);
	maker->begin_ns = timeline->begin_ns;
	maker->cell_ns = timeline->cell_ns;
	maker->cell_count = timeline->cell_count;
	maker->is_filled = true;
	maker->input = NULL;
}
