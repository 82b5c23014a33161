/*
 * page [TASKS]: what a task's page costs at each refresh, on a machine with 10 000 tasks (or so
 * many) and a history of 500 000 context switches, of 500 tasks.
 *
 * Prints milliseconds of CPU time, best of the rounds: of the first page, and of one a second
 * later, when 50 000 switches have come; and of its beginning, below a list. A third of the
 * switches is of the page's process.
 */
#include <locale.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "model/history.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/task_page.h"

#include "bench.h"
#include "counted.h"

enum {
	HISTORY = 500000,
	RUNNING = 500,
	CPUS = 4,
	THREADS = 25,
	SLICE_NS = 20000, /* over all CPUs */
	ROUNDS = 10,
	BELOW_LINES = 20, /* of a page below a list, */
	BELOW_PAST = 60   /* of so many intervals */
};

struct bench {
	struct counted counted;
	struct snapshot snapshot;
	struct session session;
	struct history *history;
	struct snapshot_task *tasks; /* owned */
	uint64_t *counts;            /* owned; of all of them */
	uint64_t actors[RUNNING];
	uint64_t random;
	struct strbuf out;
};

static void add_events(struct bench *bench)
{
	counted_init(&bench->counted);
}

static void add_tasks(struct bench *bench, size_t count)
{
	const size_t width = layout_width(&bench->counted.layout);

	bench->tasks = xcalloc(count, sizeof(*bench->tasks));
	bench->counts = xcalloc(width, sizeof(*bench->counts));
	for (size_t i = 0; i < width; i++)
		bench->counts[i] = 1000 + i;
	for (size_t i = 0; i < count; i++) {
		struct snapshot_task *task = &bench->tasks[i];

		*task = (struct snapshot_task){
			.id = i + 1,
			.pid = i < THREADS ? 1 : (int32_t)i + 1,
			.tid = (int32_t)i + 1,
			.parent_pid = 1,
			.has_run = true,
			.interval = bench->counts,
			.total = bench->counts,
		};
		snprintf(task->name, sizeof(task->name), "task %zu", i);
		if (i < RUNNING)
			bench->actors[i] = history_add_actor(bench->history, task);
	}
	bench->snapshot = (struct snapshot){
		.layout = &bench->counted.layout,
		.tasks = bench->tasks,
		.task_count = count,
		.interval_ns = 1000000000,
		.time_ns = 1000000000,
	};
}

static void init(struct bench *bench, size_t tasks)
{
	*bench = (struct bench){.random = 1, .session = {.has_pmu = true, .queue = QUEUE_WAKEUPS}};
	add_events(bench);
	bench->history = history_create(HISTORY, layout_width(&bench->counted.layout));
	add_tasks(bench, tasks);
}

static void fini(struct bench *bench)
{
	strbuf_fini(&bench->out);
	history_destroy(bench->history);
	counted_fini(&bench->counted);
	free(bench->tasks);
	free(bench->counts);
}

/* Most of what happens is of a few tasks. */
static uint64_t any_actor(struct bench *bench)
{
	return bench->actors[below(&bench->random, below(&bench->random, RUNNING) + 1)];
}

static void feed(struct bench *bench, size_t switches)
{
	for (size_t i = 0; i < switches; i++) {
		const bool was_preempted = below(&bench->random, 10) == 0;

		bench->snapshot.time_ns += SLICE_NS;
		history_add(bench->history,
			    &(struct switch_entry){
				    .time_ns = bench->snapshot.time_ns,
				    .cpu = (int32_t)(i % CPUS),
				    .slice_ns = SLICE_NS * CPUS,
				    .off_ns = below(&bench->random, 1000000),
				    .wait_ns = below(&bench->random, 100000),
				    .prev = any_actor(bench),
				    .next = any_actor(bench),
				    .queued_by = any_actor(bench),
				    .from_cpu = (int32_t)below(&bench->random, CPUS),
				    .how = was_preempted ? SWITCH_PREEMPTED : SWITCH_BLOCKED,
				    .next_was_preempted = was_preempted,
				    .has_counts = true,
				    .counts = bench->counts,
			    });
	}
	history_settle(bench->history, bench->snapshot.time_ns + 1);
}

/* lines: as in task_page_input. */
static double write_page(struct bench *bench, size_t past_count, size_t lines)
{
	const struct snapshot *past[TASK_PAGE_PAST];
	const struct task_page_input input = {
		.pid = 1,
		.tid = 1,
		.snapshot = &bench->snapshot,
		.past = past,
		.past_count = past_count,
		.session = &bench->session,
		.metrics = bench->counted.metrics,
		.history = bench->history,
		.table = bench->counted.table,
		.columns = bench->counted.columns,
		.width = 132,
		.lines = lines,
	};
	const double start_ms = cpu_ms();

	for (size_t i = 0; i < past_count; i++)
		past[i] = &bench->snapshot;
	strbuf_clear(&bench->out);
	task_page_write(&bench->out, &input);
	return cpu_ms() - start_ms;
}

/* A second later, the best of some. */
static double write_pages(struct bench *bench, size_t past_count, size_t lines)
{
	double best_ms = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		feed(bench, HISTORY / 10);
		bench->snapshot.sequence++;
		const double took_ms = write_page(bench, past_count, lines);

		best_ms = took_ms < best_ms ? took_ms : best_ms;
	}
	return best_ms;
}

int main(int argc, char **argv)
{
	const int tasks = argc > 1 ? atoi(argv[1]) : 10000;
	double first_ms, later_ms;
	struct bench bench;

	if (tasks < RUNNING)
		return 2;
	setlocale(LC_CTYPE, "");
	init(&bench, (size_t)tasks);
	feed(&bench, HISTORY + HISTORY_BLOCK);
	first_ms = write_page(&bench, TASK_PAGE_PAST, 0);
	later_ms = write_pages(&bench, TASK_PAGE_PAST, 0);
	printf("page of a task: %.2f ms, a second later %.2f ms; %zu bytes\n", first_ms, later_ms,
	       bench.out.length);
	printf("below a list: %.2f ms\n", write_pages(&bench, BELOW_PAST, BELOW_LINES));
	fini(&bench);
	return 0;
}
