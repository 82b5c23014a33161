/*
 * timeline [CPUS]: what views of a history of a million context switches cost at each refresh.
 *
 * The switches are of 10 seconds, 100 000 a second, of 500 tasks; a tenth of them pushed someone
 * out. Prints milliseconds of CPU time: of the CPUs' time line made anew and made again a second
 * later, with and without IPC; of the table of pairs; of the histogram, the same way.
 */
#include "view/timeline.h"

#include <inttypes.h>

#include "base/memory.h"
#include "model/history.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/request.h"
#include "view/window.h"

#include "bench.h"
#include "counted.h"

enum {
	HISTORY = 1000000,
	TASKS = 500,
	SLICE_NS = 10000, /* over all CPUs */
	SPAN_CELLS = 150,
	ROUNDS = 5,
	MOST_CPUS = 1024
};

struct bench {
	struct counted counted;
	struct history *history;
	uint64_t actors[TASKS];
	int cpus[MOST_CPUS];
	size_t cpu_count;
	uint64_t now_ns, random;
};

static void init(struct bench *bench, size_t cpus)
{
	*bench = (struct bench){.random = 1, .cpu_count = cpus, .now_ns = 1000000000};
	counted_init(&bench->counted);
	bench->history = history_create(HISTORY, layout_width(&bench->counted.layout));
	for (size_t i = 0; i < TASKS; i++) {
		const struct snapshot_task task = {
			.id = i + 1, .pid = (int32_t)i + 1, .tid = (int32_t)i + 1, .name = "x"};

		bench->actors[i] = history_add_actor(bench->history, &task);
	}
	for (size_t i = 0; i < cpus; i++)
		bench->cpus[i] = (int)i;
}

static void fini(struct bench *bench)
{
	history_destroy(bench->history);
	counted_fini(&bench->counted);
}

static void feed(struct bench *bench, size_t switches)
{
	const size_t width = layout_width(&bench->counted.layout);
	uint64_t *counts = xcalloc(width, sizeof(*counts));

	for (size_t i = 0; i < switches; i++) {
		const bool was_preempted = below(&bench->random, 10) == 0;
		const uint64_t slice_ns = SLICE_NS * bench->cpu_count;

		bench->now_ns += SLICE_NS;
		for (size_t place = QUANTITY_BUILTIN; place < width; place++)
			counts[place] = below(&bench->random, 100000);
		history_add(
			bench->history,
			&(struct switch_entry){
				.time_ns = bench->now_ns,
				.cpu = (int32_t)(i % bench->cpu_count),
				.slice_ns = slice_ns,
				.off_ns = below(&bench->random, 1000000),
				.wait_ns = below(&bench->random, 100000),
				.prev = bench->actors[below(&bench->random, TASKS)],
				.next = bench->actors[below(&bench->random, TASKS)],
				.queued_by = was_preempted
						     ? bench->actors[below(&bench->random, TASKS)]
						     : ACTOR_UNKNOWN,
				.from_cpu = -1,
				.how = was_preempted ? SWITCH_PREEMPTED : SWITCH_BLOCKED,
				.next_was_preempted = was_preempted,
				.has_counts = true,
				.counts = counts,
			});
	}
	history_settle(bench->history, bench->now_ns + 1);
	free(counts);
}

static double make_timeline(const struct bench *bench, struct timeline *timeline, bool needs_ipc)
{
	const uint64_t span_ns = UINT64_C(10000000000);
	const uint64_t cell_ns = span_ns / SPAN_CELLS;
	const double start_ms = cpu_ms();

	timeline_make(timeline, &(struct timeline_input){
					.history = bench->history,
					.layout = &bench->counted.layout,
					.metrics = bench->counted.metrics,
					.cpus = bench->cpus,
					.cpu_count = bench->cpu_count,
					.end_ns = (bench->now_ns / cell_ns + 1) * cell_ns,
					.span_ns = cell_ns * SPAN_CELLS,
					.cell_count = SPAN_CELLS,
					.needs_ipc = needs_ipc,
				});
	return cpu_ms() - start_ms;
}

static void bench_timeline(struct bench *bench, bool needs_ipc)
{
	struct timeline timeline = {0};
	const double anew_ms = make_timeline(bench, &timeline, needs_ipc);
	double again_ms = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double took_ms;

		feed(bench, 100000);
		took_ms = make_timeline(bench, &timeline, needs_ipc);
		again_ms = took_ms < again_ms ? took_ms : again_ms;
	}
	printf("time line%s: anew %.2f ms, a second later %.2f ms\n", needs_ipc ? " by IPC" : "",
	       anew_ms, again_ms);
	timeline_fini(&timeline);
}

static void bench_pairs(const struct bench *bench)
{
	struct pair_table *table = pair_table_create();
	const struct pair_query query = {
		.window = window_of(&(struct view_request){.history = bench->history})};
	const struct pair *worst = NULL;
	double best_ms = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		const double start_ms = cpu_ms();

		pair_table_gather(table, &query);
		worst = pair_table_worst(table);
		if (cpu_ms() - start_ms < best_ms)
			best_ms = cpu_ms() - start_ms;
	}
	printf("pairs: %.2f ms%s\n", best_ms, worst ? "" : ", none");
	pair_table_destroy(table);
}

static double gather_lengths(const struct length_query *query, uint64_t *total)
{
	const double start_ms = cpu_ms();
	struct length lengths[DISTRIBUTION_OCTAVES];

	lengths_gather(lengths, query);
	*total = lengths[0].total[LENGTH_SLICES];
	return cpu_ms() - start_ms;
}

static void bench_histogram(struct bench *bench)
{
	struct actor_filter actors = {.history = bench->history};
	struct length_sums sums = {0};
	struct length_query query = {
		.window = window_of(&(struct view_request){.history = bench->history}),
		.actors = &actors,
		.sums = &sums};
	double again_ms = 1e9;
	uint64_t total;
	const double anew_ms = gather_lengths(&query, &total);

	for (int i = 0; i < ROUNDS; i++) {
		double took_ms;

		feed(bench, 100000);
		query.window = window_of(&(struct view_request){.history = bench->history});
		took_ms = gather_lengths(&query, &total);
		again_ms = took_ms < again_ms ? took_ms : again_ms;
	}
	printf("histogram: anew %.2f ms, a second later %.2f ms; of %" PRIu64 " slices\n", anew_ms,
	       again_ms, total);
	length_sums_fini(&sums);
}

int main(int argc, char **argv)
{
	const int wanted = argc > 1 ? atoi(argv[1]) : 4;
	struct bench bench;

	if (wanted < 1 || wanted > MOST_CPUS)
		return 2;
	init(&bench, (size_t)wanted);
	feed(&bench, HISTORY + HISTORY_BLOCK);
	bench_timeline(&bench, false);
	bench_timeline(&bench, true);
	bench_pairs(&bench);
	bench_histogram(&bench);
	fini(&bench);
	return 0;
}
