/*
 * verdict [TASKS [ACTIVE]]: what the line that says what is wrong costs at each refresh, on a
 * machine with 10 000 tasks, of which 500 did something; beside the table of tasks, which is a part
 * of what a refresh costs.
 *
 * Prints microseconds of CPU time, medians of the rounds, and the ratio. /proc is asked as it is of
 * the present: of this program itself.
 */
#include "view/verdict.h"

#include <locale.h>

#include "base/memory.h"
#include "kernel/proc.h"
#include "model/session.h"
#include "model/snapshot.h"

#include "bench.h"
#include "counted.h"

enum {
	ROUNDS = 201,
	CPUS = 16
};

struct bench {
	struct counted counted;
	struct snapshot snapshot;
	struct session session;
	struct view_request request;
	struct snapshot_task *tasks; /* owned */
	struct snapshot_cpu cpus[CPUS];
	uint64_t *counts; /* owned; a vector of each task */
	uint32_t *active; /* owned; indices of tasks, as the model gives them */
	uint64_t random;
	struct verdict verdict;
	struct proc_waits waits;
	int asked; /* times, for anything */
};

static bool say_run_delay(void *context, int32_t pid, int32_t tid, uint64_t *wait_ns)
{
	struct bench *bench = context;

	bench->asked++;
	return proc_waits_read(&bench->waits, getpid(), getpid(), wait_ns);
}

static bool say_function(void *context, int32_t pid, int32_t tid, char *name, size_t size)
{
	struct bench *bench = context;

	bench->asked++;
	return proc_read_wchan(getpid(), getpid(), name, size);
}

static bool say_lock(void *context, int32_t pid, int32_t tid)
{
	struct bench *bench = context;
	uint64_t arguments[3];
	int64_t number;

	bench->asked++;
	return proc_read_call(getpid(), getpid(), &number, arguments, 3) && number < 0;
}

static bool say_usage(void *context, int32_t pid, int32_t tid, struct rule_usage *usage)
{
	struct bench *bench = context;
	struct proc_usage found;

	bench->asked++;
	*usage = (struct rule_usage){0};
	return proc_read_usage(getpid(), getpid(), false, &found);
}

static void add_events(struct bench *bench)
{
	counted_init(&bench->counted);
	view_request_init(&bench->request, &view_tasks);
	bench->request.metric_set = bench->counted.set;
}

/* Most tasks sleep often and do little; some need a CPU all the time. */
static void fill_counts(struct bench *bench, uint64_t *counts, size_t width)
{
	const bool is_busy = below(&bench->random, 10) == 0;

	for (size_t i = 0; i < width; i++)
		counts[i] = below(&bench->random, 100000);
	counts[QUANTITY_RUN_NS] = below(&bench->random, is_busy ? 900000000 : 2000000);
	counts[QUANTITY_SWITCHES] = below(&bench->random, 300);
	counts[QUANTITY_PREEMPTIONS] = counts[QUANTITY_SWITCHES] / 4;
	counts[QUANTITY_PREEMPTED_NS] = below(&bench->random, 10000000);
	counts[QUANTITY_QUEUED_NS] = 0;
	counts[QUANTITY_UNINTERRUPTIBLE_NS] =
		below(&bench->random, 20) == 0 ? below(&bench->random, 300000000) : 0;
}

static void add_tasks(struct bench *bench, size_t count, size_t active)
{
	const size_t width = layout_width(&bench->counted.layout);

	bench->tasks = xcalloc(count, sizeof(*bench->tasks));
	bench->counts = xcalloc(count * width, sizeof(*bench->counts));
	bench->active = xcalloc(count, sizeof(*bench->active));
	for (size_t i = 0; i < count; i++) {
		struct snapshot_task *task = &bench->tasks[i];
		/* they are anywhere among the others */
		const bool is_active = below(&bench->random, count) < active;

		*task = (struct snapshot_task){
			.id = i + 1,
			.pid = (int32_t)i + 1000,
			.tid = (int32_t)i + 1000,
			.parent_pid = 1,
			.last_cpu = (int)below(&bench->random, CPUS),
			.has_run = is_active,
			.has_counts = is_active,
			.interval = bench->counts + i * width,
			.total = bench->counts + i * width,
		};
		snprintf(task->name, sizeof(task->name), "task %zu", i);
		if (!is_active)
			continue;
		fill_counts(bench, bench->counts + i * width, width);
		bench->active[bench->snapshot.active_count++] = (uint32_t)i;
	}
	for (size_t i = 0; i < CPUS; i++)
		bench->cpus[i] = (struct snapshot_cpu){.cpu = (int)i,
						       .is_online = true,
						       .counter = bench->counts,
						       .idle = bench->counts,
						       .unattributed = bench->counts};
	bench->snapshot = (struct snapshot){
		.layout = &bench->counted.layout,
		.tasks = bench->tasks,
		.task_count = count,
		.active = bench->active,
		.active_count = bench->snapshot.active_count,
		.cpus = bench->cpus,
		.cpu_count = CPUS,
		.interval_ns = 1000000000,
		.time_ns = 1000000000,
	};
}

static double take_verdict(struct bench *bench)
{
	const struct rule_input input = {
		.snapshot = &bench->snapshot,
		.metrics = bench->counted.metrics,
		.session = &bench->session,
		.witness = {.run_delay = say_run_delay,
			    .function = say_function,
			    .waits_for_lock = say_lock,
			    .usage = say_usage,
			    .context = bench},
	};
	const double start_ms = cpu_ms();

	verdict_take(&bench->verdict, &input);
	return 1000 * (cpu_ms() - start_ms);
}

static double build_table(struct bench *bench)
{
	const double start_ms = cpu_ms();

	view_table_build(bench->counted.table, &bench->request, &bench->snapshot, &bench->session,
			 bench->counted.metrics);
	return 1000 * (cpu_ms() - start_ms);
}

static int compare_doubles(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare_doubles);
	return values[ROUNDS / 2];
}

static void fini(struct bench *bench)
{
	proc_waits_fini(&bench->waits);
	counted_fini(&bench->counted);
	free(bench->tasks);
	free(bench->counts);
	free(bench->active);
}

int main(int argc, char **argv)
{
	const int tasks = argc > 1 ? atoi(argv[1]) : 10000;
	const int active = argc > 2 ? atoi(argv[2]) : 500;
	struct bench bench = {.random = 1, .session = {.has_pmu = true}};
	double verdict_us[ROUNDS], table_us[ROUNDS];

	if (tasks <= 0 || active < 0 || active > tasks)
		return 2;
	setlocale(LC_CTYPE, "");
	add_events(&bench);
	add_tasks(&bench, (size_t)tasks, (size_t)active);
	for (int i = 0; i < ROUNDS; i++) {
		bench.snapshot.time_ns += bench.snapshot.interval_ns;
		bench.snapshot.sequence++;
		verdict_us[i] = take_verdict(&bench);
		table_us[i] = build_table(&bench);
	}
	printf("what is wrong: %.0f us, /proc asked %.1f times; the table of tasks: %.0f us\n",
	       median(verdict_us), (double)bench.asked / ROUNDS, median(table_us));
	printf("ratio: %.4f\n", median(verdict_us) / median(table_us));
	fini(&bench);
	return 0;
}
