/*
 * lines [MILLION]: how many switches a second each batch format writes, and what it costs the log
 * of switches to decide which of them are rows, on one core.
 *
 * The history holds what six events and a few dozen tasks come to; filling it is not measured.
 * Prints thousands of lines a second and nanoseconds of CPU time per line, best of the rounds.
 */
#include <locale.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "model/history.h"
#include "model/session.h"
#include "model/snapshot.h"

#include "bench.h"
#include "counted.h"

enum {
	TASKS = 64,
	FIRST_TID = 1000,
	CHUNK = 20000, /* switches written by one call */
	ROUNDS = 5,
	NS_PER_S = 1000000000
};

struct bench {
	struct counted counted;
	struct snapshot snapshot;
	struct session session;
	struct history *history;
	struct strbuf out;
};

static void init(struct bench *bench)
{
	*bench = (struct bench){.session = {.has_pmu = true, .wall_offset_ns = NS_PER_S}};
	counted_init(&bench->counted);
	bench->snapshot.layout = &bench->counted.layout;
}

static void fini(struct bench *bench)
{
	strbuf_fini(&bench->out);
	history_destroy(bench->history);
	counted_fini(&bench->counted);
}

static void fill(struct bench *bench, size_t count)
{
	const size_t width = layout_width(&bench->counted.layout);
	const size_t clock = layout_group_index(&bench->counted.layout, 0);
	uint64_t *counts = xcalloc(width, sizeof(*counts));
	uint64_t actors[TASKS];

	bench->history = history_create(count, width);
	for (int i = 0; i < TASKS; i++) {
		struct snapshot_task task = {
			.id = (uint64_t)i + 1, .pid = FIRST_TID + i / 4, .tid = FIRST_TID + i};

		snprintf(task.name, sizeof(task.name), "worker/%d:1", i);
		actors[i] = history_add_actor(bench->history, &task);
	}
	for (size_t i = 0; i < count; i++) {
		const uint64_t slice_ns = 3000 + i * 7919 % 5000;

		for (size_t place = QUANTITY_BUILTIN; place < width; place++)
			counts[place] = i * (7 + place) % 9973;
		counts[clock] = slice_ns;
		history_add(bench->history, &(struct switch_entry){.time_ns = 5000 * i + 1,
								   .slice_ns = slice_ns,
								   .off_ns = slice_ns * 7,
								   .wait_ns = slice_ns,
								   .prev = actors[i % TASKS],
								   .next = actors[(i + 1) % TASKS],
								   .cpu = (int32_t)(i % 8),
								   .from_cpu = (int32_t)(i % 3),
								   .how = SWITCH_BLOCKED,
								   .has_counts = true,
								   .counts = counts});
	}
	history_settle(bench->history, UINT64_MAX);
	free(counts);
}

/* All of the history in pieces, as it is written live. Returns lines. */
static uint64_t write_all(struct bench *bench, const struct batch_format *format)
{
	struct view_request request;
	const struct batch_input input = {
		.request = &request,
		.snapshot = &bench->snapshot,
		.session = &bench->session,
		.metrics = bench->counted.metrics,
		.table = bench->counted.table,
	};
	const uint64_t first = history_first(bench->history);
	const uint64_t end = history_settled(bench->history);

	view_request_init(&request, &view_switches);
	request.history = bench->history;
	for (uint64_t from = first; from < end; from += CHUNK) {
		request.history_from = from;
		request.history_to = from + CHUNK < end ? from + CHUNK : end;
		strbuf_clear(&bench->out);
		format->write(&bench->out, &input);
	}
	return end - first;
}

static void measure_format(struct bench *bench, const struct batch_format *format)
{
	double best_ns = 0;

	for (int round = 0; round < ROUNDS; round++) {
		const double start_ns = cpu_ns();
		const uint64_t lines = write_all(bench, format);
		const double ns = (cpu_ns() - start_ns) / (double)lines;

		if (round == 0 || ns < best_ns)
			best_ns = ns;
	}
	printf("%-24s %8.0f k/s %8.0f ns each\n", format->name, 1e6 / best_ns, best_ns);
}

/* A whole history through a filter, which is what a change of it costs. */
static void measure_filter(struct bench *bench, const char *filter)
{
	struct view_request request;
	const uint64_t count = history_settled(bench->history) - history_first(bench->history);
	const double start_ns = cpu_ns();
	double ns;

	view_request_init(&request, &view_switches);
	request.history = bench->history;
	request.filter = filter;
	view_table_build(bench->counted.table, &request, &bench->snapshot, &bench->session,
			 bench->counted.metrics);
	ns = (cpu_ns() - start_ns) / (double)count;
	printf("%-24s %8.0f k/s %8.0f ns each %8zu rows\n", filter, 1e6 / ns, ns,
	       view_table_row_count(bench->counted.table));
}

int main(int argc, char **argv)
{
	const double millions = argc > 1 ? strtod(argv[1], NULL) : 1;
	struct bench bench;
	size_t count;
	const struct batch_format *formats = batch_table(&count);

	setlocale(LC_CTYPE, "");
	init(&bench);
	fill(&bench, (size_t)(millions * 1e6));
	for (size_t i = 0; i < count; i++)
		measure_format(&bench, &formats[i]);
	measure_filter(&bench, "");
	measure_filter(&bench, "worker/3");
	measure_filter(&bench, "how = preempted");
	measure_filter(&bench, "slice > 5us && ipc < 0.5");
	fini(&bench);
	return 0;
}
