/*
 * A small machine that knows the truth: CPUs that switch between tasks, idle CPUs with
 * and without records of their own, births, deaths, reused tids, several groups that take
 * turns. It tells the model what a kernel would tell, and the model's account must agree
 * with the truth to the last digit; when records are lost, the books must still balance and
 * nobody may be charged with more than he consumed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model_kit.h"

enum {
	CPUS_MAX = 4,
	TIDS = 24, /* tid 0 is idle */
	WIDTH_MAX = QUANTITY_BUILTIN + KIT_GROUPS_MAX * (KIT_MEMBERS + 1),
	INTERVALS = 60,
	STEPS = 150
};

struct sim_cpu {
	int32_t running;
	bool hides_idle;   /* its idle task leaves no records */
	bool owes_lost;    /* records were dropped since the last delivered one */
	uint64_t since_ns; /* up to where its counters are counted */
	uint64_t sequence[KIT_GROUPS_MAX];
	uint64_t enabled_ns[KIT_GROUPS_MAX];
	uint64_t values[KIT_GROUPS_MAX][KIT_MEMBERS];
	size_t active; /* group that counts besides group 0 */
	uint64_t counter[WIDTH_MAX], idle[WIDTH_MAX];
};

struct sim_task {
	bool is_alive, is_dying;
	int on_cpu;   /* -1: none */
	int last_cpu; /* -1: never ran */
	uint64_t truth[WIDTH_MAX];
};

struct sim {
	struct model *model;
	const struct layout *layout;
	uint32_t random;
	uint64_t now_ns;
	int cpu_count;
	size_t group_count;
	unsigned int loss_pct;
	struct sim_cpu cpus[CPUS_MAX];
	struct sim_task tasks[TIDS];
	uint64_t sums[TIDS * 4096]; /* run time by id of the model, over all intervals */
	uint64_t merged_idle;
};

static uint32_t draw(struct sim *sim, uint32_t below)
{
	sim->random ^= sim->random << 13;
	sim->random ^= sim->random >> 17;
	sim->random ^= sim->random << 5;
	return sim->random % below;
}

static uint64_t *truth_of(struct sim *sim, struct sim_cpu *cpu, int32_t tid)
{
	return tid == 0 ? cpu->idle : sim->tasks[tid].truth;
}

static void count(struct sim *sim, struct sim_cpu *cpu, size_t place, uint64_t number)
{
	truth_of(sim, cpu, cpu->running)[place] += number;
	cpu->counter[place] += number;
}

/* Lets the CPU's counters catch up with the time. */
static void run_cpu(struct sim *sim, struct sim_cpu *cpu)
{
	const uint64_t elapsed_ns = sim->now_ns - cpu->since_ns;
	const bool counts_stand_still = cpu->running == 0 && cpu->hides_idle;

	cpu->since_ns = sim->now_ns;
	count(sim, cpu, QUANTITY_RUN_NS, elapsed_ns);
	for (size_t g = 0; g < sim->group_count; g++) {
		if (g != 0 && g != cpu->active)
			continue;
		cpu->enabled_ns[g] += elapsed_ns;
		count(sim, cpu, layout_group_place(sim->layout, g), elapsed_ns);
		for (size_t i = 0; i < KIT_MEMBERS; i++) {
			uint64_t number = counts_stand_still ? 0 : draw(sim, 1000);

			cpu->values[g][i] += number;
			count(sim, cpu, layout_event_place(sim->layout, g * KIT_MEMBERS + i),
			      number);
		}
	}
}

/* Delivers a record of a CPU's ring, or loses it; what was lost is told before the next one. */
static void deliver(struct sim *sim, struct sim_cpu *cpu, struct record record)
{
	if (draw(sim, 100) < sim->loss_pct) {
		cpu->owes_lost = true;
		return;
	}
	if (cpu->owes_lost)
		feed(sim->model, lost(.cpu = record.cpu, .lost = 1, .time = record.time_ns));
	cpu->owes_lost = false;
	feed(sim->model, record);
}

static int number_of(const struct sim *sim, const struct sim_cpu *cpu)
{
	return (int)(cpu - sim->cpus);
}

static void read_group(struct sim *sim, struct sim_cpu *cpu, size_t g, bool restarts)
{
	struct told told = {
		.cpu = number_of(sim, cpu),
		.tid = NOBODY,
		.time = 1, /* a read(2) has no time of its own */
		.group = (uint16_t)g,
		.seq = cpu->sequence[g],
		.ns = cpu->enabled_ns[g],
		.restarts = restarts,
	};

	memcpy(told.values, cpu->values[g], sizeof(told.values));
	feed(sim->model, kit_reading(&told, false));
}

static void read_cpu(struct sim *sim, struct sim_cpu *cpu)
{
	run_cpu(sim, cpu);
	read_group(sim, cpu, 0, false);
	if (cpu->active)
		read_group(sim, cpu, cpu->active, false);
}

static void rotate(struct sim *sim, struct sim_cpu *cpu)
{
	if (sim->group_count == 1)
		return;
	read_cpu(sim, cpu);
	cpu->active = 1 + draw(sim, (uint32_t)sim->group_count - 1);
	read_group(sim, cpu, cpu->active, true);
}

static void sample_groups(struct sim *sim, struct sim_cpu *cpu, int32_t tid)
{
	for (size_t g = 0; g < sim->group_count; g++) {
		struct told told = {
			.cpu = number_of(sim, cpu),
			.tid = tid,
			.time = sim->now_ns,
			.group = (uint16_t)g,
			.seq = cpu->sequence[g],
			.ns = cpu->enabled_ns[g],
		};

		if (g != 0 && g != cpu->active)
			continue;
		memcpy(told.values, cpu->values[g], sizeof(told.values));
		deliver(sim, cpu, kit_reading(&told, true));
	}
}

static void count_switch(struct sim *sim, struct sim_cpu *cpu, bool preempted)
{
	count(sim, cpu, QUANTITY_SWITCHES, 1);
	if (preempted && cpu->running != 0)
		count(sim, cpu, QUANTITY_PREEMPTIONS, 1);
	cpu->sequence[0]++;
	if (cpu->active)
		cpu->sequence[cpu->active]++;
}

static void arrive(struct sim *sim, struct sim_cpu *cpu, int32_t tid)
{
	const int number = number_of(sim, cpu);
	struct sim_task *task = &sim->tasks[tid];

	cpu->running = tid;
	if (tid == 0)
		return;
	if (task->last_cpu >= 0 && task->last_cpu != number)
		count(sim, cpu, QUANTITY_MIGRATIONS, 1);
	task->last_cpu = number;
	task->on_cpu = number;
}

static void switch_to(struct sim *sim, struct sim_cpu *cpu, int32_t next)
{
	const int number = number_of(sim, cpu);
	const int32_t before = cpu->running;
	const int32_t shown =
		before && sim->tasks[before].is_dying && draw(sim, 2) ? NOBODY : before;
	const bool preempted = draw(sim, 2);

	run_cpu(sim, cpu);
	count_switch(sim, cpu, preempted);
	if (before != 0 || !cpu->hides_idle) {
		sample_groups(sim, cpu, shown);
		deliver(sim, cpu,
			switch_out(.cpu = number, .tid = shown, .next = next, .time = sim->now_ns,
				   .preempted = preempted));
	}
	if (before != 0) {
		sim->tasks[before].on_cpu = -1;
		if (sim->tasks[before].is_dying)
			sim->tasks[before].is_alive = false;
	}
	arrive(sim, cpu, next);
	if (next != 0 || !cpu->hides_idle)
		deliver(sim, cpu,
			switch_in(.cpu = number, .tid = next, .prev = before, .time = sim->now_ns));
}

/* A task that waits, or idle. */
static int32_t choose_next(struct sim *sim)
{
	for (int tries = 0; tries < 8; tries++) {
		int32_t tid = (int32_t)draw(sim, TIDS);

		if (tid != 0 && sim->tasks[tid].is_alive && sim->tasks[tid].on_cpu < 0)
			return tid;
	}
	return 0;
}

static void give_birth(struct sim *sim, struct sim_cpu *cpu)
{
	int32_t tid = 1 + (int32_t)draw(sim, TIDS - 1);

	if (cpu->running == 0 || sim->tasks[tid].is_alive)
		return;
	sim->tasks[tid].is_alive = true;
	sim->tasks[tid].is_dying = false;
	sim->tasks[tid].on_cpu = -1;
	sim->tasks[tid].last_cpu = -1;
	feed(sim->model, forked(.cpu = number_of(sim, cpu), .tid = tid, .parent = cpu->running,
				.time = sim->now_ns));
}

static void die(struct sim *sim, struct sim_cpu *cpu)
{
	if (cpu->running == 0 || sim->tasks[cpu->running].is_dying)
		return;
	sim->tasks[cpu->running].is_dying = true;
	feed(sim->model,
	     exited(.cpu = number_of(sim, cpu), .tid = cpu->running, .time = sim->now_ns));
}

static void step(struct sim *sim)
{
	struct sim_cpu *cpu = &sim->cpus[draw(sim, (uint32_t)sim->cpu_count)];
	const uint32_t what = draw(sim, 100);

	sim->now_ns += 1 + draw(sim, 5000);
	if (what < 70) {
		int32_t next = draw(sim, 3) ? choose_next(sim) : 0;

		if (next != cpu->running)
			switch_to(sim, cpu, next);
	} else if (what < 80) {
		read_cpu(sim, cpu);
	} else if (what < 85) {
		rotate(sim, cpu);
	} else if (what < 95) {
		give_birth(sim, cpu);
	} else {
		die(sim, cpu);
	}
}

/* All tasks live; something leaves every CPU once, so that it is known who runs. */
static void sim_begin(struct sim *sim)
{
	sim->now_ns = 1000000;
	for (int32_t tid = 1; tid < TIDS; tid++)
		sim->tasks[tid] = (struct sim_task){.is_alive = true, .on_cpu = -1, .last_cpu = -1};
	for (int i = 0; i < sim->cpu_count; i++) {
		struct sim_cpu *cpu = &sim->cpus[i];

		cpu->since_ns = sim->now_ns;
		cpu->hides_idle = draw(sim, 2);
		cpu->sequence[0] = draw(sim, 1000);
		cpu->enabled_ns[0] = draw(sim, 1000000);
		cpu->active = sim->group_count > 1;
		read_cpu(sim, cpu);
		switch_to(sim, cpu, i + 1);
		switch_to(sim, cpu, 0);
		read_cpu(sim, cpu);
	}
}

static void forget_interval(struct sim *sim)
{
	for (int32_t tid = 1; tid < TIDS; tid++)
		memset(sim->tasks[tid].truth, 0, sizeof(sim->tasks[tid].truth));
	for (int i = 0; i < sim->cpu_count; i++) {
		memset(sim->cpus[i].counter, 0, sizeof(sim->cpus[i].counter));
		memset(sim->cpus[i].idle, 0, sizeof(sim->cpus[i].idle));
	}
}

/* Number of all tasks that had this tid in the interval. */
static uint64_t credited(const struct snapshot *snapshot, int32_t tid, size_t place)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < snapshot->task_count; i++) {
		if (snapshot->tasks[i].tid == tid)
			sum += snapshot->tasks[i].interval[place];
	}
	return sum;
}

static void check_exact(struct sim *sim, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	for (int32_t tid = 1; tid < TIDS; tid++) {
		for (size_t place = 0; place < width; place++)
			assert_int_equal(credited(snapshot, tid, place),
					 sim->tasks[tid].truth[place]);
	}
	for (int i = 0; i < sim->cpu_count; i++) {
		for (size_t place = 0; place < width; place++) {
			assert_int_equal(snapshot->cpus[i].counter[place],
					 sim->cpus[i].counter[place]);
			assert_int_equal(snapshot->cpus[i].idle[place], sim->cpus[i].idle[place]);
			assert_int_equal(snapshot->cpus[i].unattributed[place], 0);
		}
	}
}

/*
 * Counters are never lost; only whose they were may be. A migration may come to light in a
 * later interval than that in which it happened.
 */
static void check_no_more_than_true(struct sim *sim, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	for (int32_t tid = 1; tid < TIDS; tid++) {
		for (size_t place = 0; place < width; place++) {
			if (place != QUANTITY_MIGRATIONS)
				assert_true(credited(snapshot, tid, place) <=
					    sim->tasks[tid].truth[place]);
		}
	}
	for (int i = 0; i < sim->cpu_count; i++) {
		const uint64_t *counter = snapshot->cpus[i].counter;

		assert_int_equal(counter[QUANTITY_RUN_NS], sim->cpus[i].counter[QUANTITY_RUN_NS]);
		assert_int_equal(counter[QUANTITY_SWITCHES],
				 sim->cpus[i].counter[QUANTITY_SWITCHES]);
		for (size_t place = QUANTITY_BUILTIN; place < width; place++)
			assert_int_equal(counter[place], sim->cpus[i].counter[place]);
	}
}

static void check_totals(struct sim *sim, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		assert_true(task->id < sizeof(sim->sums) / sizeof(sim->sums[0]));
		sim->sums[task->id] += task->interval[QUANTITY_RUN_NS];
		assert_int_equal(sim->sums[task->id], task->total[QUANTITY_RUN_NS]);
	}
}

static void run(struct sim *sim, void (*check)(struct sim *, const struct snapshot *))
{
	struct layout layout;

	kit_layout(&layout, sim->group_count);
	sim->layout = &layout;
	sim->model = model_create(&layout);
	sim_begin(sim);
	model_start(sim->model, sim->now_ns);
	forget_interval(sim);
	for (int interval = 0; interval < INTERVALS; interval++) {
		for (int i = 0; i < STEPS; i++)
			step(sim);
		for (int i = 0; i < sim->cpu_count; i++)
			read_cpu(sim, &sim->cpus[i]);

		const struct snapshot *snapshot = model_close_interval(sim->model, sim->now_ns);
		assert_true(books_balance(snapshot));
		check_totals(sim, snapshot);
		check(sim, snapshot);
		sim->merged_idle += snapshot->merged_idle;
		forget_interval(sim);
	}
	model_destroy(sim->model);
	layout_fini(&layout);
}

/* Every number of CPUs and groups, with some seeds each; returns idle slices merged. */
static uint64_t run_many(unsigned int loss_pct,
			 void (*check)(struct sim *, const struct snapshot *))
{
	uint64_t merged_idle = 0;

	for (uint32_t seed = 1; seed <= 24; seed++) {
		struct sim *sim = xcalloc(1, sizeof(*sim));

		sim->random = seed * 2654435761u;
		sim->cpu_count = 1 + (int)(seed % CPUS_MAX);
		sim->group_count = 1 + seed % KIT_GROUPS_MAX;
		sim->loss_pct = loss_pct;
		run(sim, check);
		merged_idle += sim->merged_idle;
		free(sim);
	}
	return merged_idle;
}

static void attribution_without_losses_is_exact(void **state)
{
	(void)state;

	uint64_t merged_idle = run_many(0, check_exact);

	assert_true(merged_idle > 1000); /* the hard case did occur */
}

static void attribution_with_few_losses_charges_nobody_with_too_much(void **state)
{
	(void)state;

	run_many(2, check_no_more_than_true);
}

static void attribution_with_many_losses_charges_nobody_with_too_much(void **state)
{
	(void)state;

	run_many(40, check_no_more_than_true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attribution_without_losses_is_exact),
		cmocka_unit_test(attribution_with_few_losses_charges_nobody_with_too_much),
		cmocka_unit_test(attribution_with_many_losses_charges_nobody_with_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
