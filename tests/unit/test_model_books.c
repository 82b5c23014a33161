/*
 * A small machine that knows the truth: CPUs of one or two kinds that switch between tasks, idle
 * CPUs with and without records of their own, births, deaths, reused tids, groups that are always
 * on and groups that take turns; and between intervals events that come, go and change places. It
 * tells the model what a kernel would tell, and the model's account must agree with the truth to
 * the last digit; when records are lost, the books must still balance and nobody may be charged
 * with more than he consumed. What was counted stays in the totals, whatever becomes of its event.
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
	GROUPS_MAX = 10,
	MEMBERS_MAX = 4,
	WIDTH_MAX = 130,
	IDS_MAX = 4096,
	NO_GROUP = GROUPS_MAX,
	INTERVALS = 60,
	STEPS = 150
};

struct sim_cpu {
	int32_t running;
	size_t kind;
	bool hides_idle;   /* its idle task leaves no records */
	bool owes_lost;    /* records were dropped since the last delivered one */
	uint64_t since_ns; /* up to where its counters are counted */
	uint64_t sequence[GROUPS_MAX];
	uint64_t enabled_ns[GROUPS_MAX];
	uint64_t values[GROUPS_MAX][MEMBERS_MAX];
	size_t active; /* group whose turn it is; NO_GROUP: there are none */
	uint64_t counter[WIDTH_MAX], idle[WIDTH_MAX];
};

struct sim_task {
	bool is_alive, is_dying;
	int on_cpu;   /* -1: none */
	int last_cpu; /* -1: never ran */
	uint64_t truth[WIDTH_MAX];
};

struct sim;

/* What a run is about. */
struct plan {
	unsigned int loss_pct;
	bool changes_layout;
	bool changes_clocks; /* the groups that tell the time too */
	bool hides_idle;     /* some CPUs hide it */
	void (*check)(struct sim *, const struct snapshot *);
};

struct sim {
	const struct plan *plan;
	struct model *model;
	struct layout layout;
	uint32_t random;
	uint64_t now_ns;
	int cpu_count;
	struct sim_cpu cpus[CPUS_MAX];
	struct sim_task tasks[TIDS];
	uint64_t sums[IDS_MAX][WIDTH_MAX]; /* by id of the model, over all intervals */
	uint64_t cpu_sums[CPUS_MAX][WIDTH_MAX];
	uint64_t merged_idle, changes;
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

static bool is_counting(const struct sim *sim, const struct sim_cpu *cpu, size_t g)
{
	const struct event_group *group = &sim->layout.groups[g];

	return group->is_open && group->kind == cpu->kind && (group->turn == 0 || g == cpu->active);
}

/* Lets the CPU's counters catch up with the time. */
static void run_cpu(struct sim *sim, struct sim_cpu *cpu)
{
	const uint64_t elapsed_ns = sim->now_ns - cpu->since_ns;
	const bool counts_stand_still = cpu->running == 0 && cpu->hides_idle;

	cpu->since_ns = sim->now_ns;
	count(sim, cpu, QUANTITY_RUN_NS, elapsed_ns);
	for (size_t g = 0; g < sim->layout.group_count; g++) {
		const struct event_group *group = &sim->layout.groups[g];

		if (!is_counting(sim, cpu, g))
			continue;
		cpu->enabled_ns[g] += elapsed_ns;
		count(sim, cpu, layout_group_place(&sim->layout, g), elapsed_ns);
		for (size_t i = 0; i < group->count; i++) {
			uint64_t number = counts_stand_still ? 0 : draw(sim, 1000);

			cpu->values[g][i] += number;
			count(sim, cpu, sim->layout.counters[group->counters[i]].place, number);
		}
	}
}

/* Delivers a record of a CPU's ring, or loses it; what was lost is told before the next one. */
static void deliver(struct sim *sim, struct sim_cpu *cpu, struct record record)
{
	if (draw(sim, 100) < sim->plan->loss_pct) {
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

static struct record reading_of(const struct sim *sim, const struct sim_cpu *cpu, size_t g,
				struct told told, bool at_switch)
{
	struct record record;

	told.cpu = number_of(sim, cpu);
	told.group = (uint16_t)g;
	told.seq = cpu->sequence[g];
	told.ns = cpu->enabled_ns[g];
	record = kit_reading(&told, at_switch);
	record.reading.values = cpu->values[g];
	return record;
}

/* A read(2) has no time of its own. */
static void read_group(struct sim *sim, struct sim_cpu *cpu, size_t g, bool restarts)
{
	feed(sim->model,
	     reading_of(sim, cpu, g, (struct told){.tid = NOBODY, .time = 1, .restarts = restarts},
			false));
}

static void read_cpu(struct sim *sim, struct sim_cpu *cpu)
{
	run_cpu(sim, cpu);
	for (size_t g = 0; g < sim->layout.group_count; g++) {
		if (is_counting(sim, cpu, g))
			read_group(sim, cpu, g, false);
	}
}

/* A group of the CPU's kind that takes turns; NO_GROUP: there is none. */
static size_t choose_turn(struct sim *sim, const struct sim_cpu *cpu)
{
	const size_t first = draw(sim, GROUPS_MAX);

	for (size_t i = 0; i < GROUPS_MAX; i++) {
		const size_t g = (first + i) % GROUPS_MAX;
		const struct event_group *group = &sim->layout.groups[g];

		if (g < sim->layout.group_count && group->is_open && group->kind == cpu->kind &&
		    group->turn != 0)
			return g;
	}
	return NO_GROUP;
}

static void rotate(struct sim *sim, struct sim_cpu *cpu)
{
	read_cpu(sim, cpu);
	cpu->active = choose_turn(sim, cpu);
	if (cpu->active != NO_GROUP)
		read_group(sim, cpu, cpu->active, true);
}

static void sample_groups(struct sim *sim, struct sim_cpu *cpu, int32_t tid)
{
	for (size_t g = 0; g < sim->layout.group_count; g++) {
		if (is_counting(sim, cpu, g))
			deliver(sim, cpu,
				reading_of(sim, cpu, g,
					   (struct told){.tid = tid, .time = sim->now_ns}, true));
	}
}

static void count_switch(struct sim *sim, struct sim_cpu *cpu, bool preempted)
{
	count(sim, cpu, QUANTITY_SWITCHES, 1);
	if (preempted && cpu->running != 0)
		count(sim, cpu, QUANTITY_PREEMPTIONS, 1);
	for (size_t g = 0; g < sim->layout.group_count; g++)
		cpu->sequence[g] += is_counting(sim, cpu, g);
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

static bool is_clock(const struct layout *layout, size_t g)
{
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		if (layout->kinds[kind].clock == g)
			return true;
	}
	return false;
}

/* An open group that may be changed; GROUPS_MAX: none was found. */
static size_t choose_group(struct sim *sim)
{
	for (int tries = 0; tries < 8; tries++) {
		const size_t g = draw(sim, (uint32_t)sim->layout.group_count);

		if (sim->layout.groups[g].is_open &&
		    (sim->plan->changes_clocks || !is_clock(&sim->layout, g)))
			return g;
	}
	return GROUPS_MAX;
}

/* A new event, or one that is known, unless the group has it. */
static void add_event(struct sim *sim, size_t g)
{
	struct layout *layout = &sim->layout;
	size_t event = draw(sim, (uint32_t)layout->event_count + 1);
	char name[24];

	if (layout->groups[g].count == MEMBERS_MAX || layout->width + 3 > WIDTH_MAX)
		return;
	if (event == layout->event_count) {
		snprintf(name, sizeof(name), "e%zu", event);
		event = layout_add_event(layout, name);
		layout->events[event].state = EVENT_COUNTING;
	}
	if (!layout_counter_in(layout, event, g))
		layout_add_counter(layout, g, event);
}

static void add_group(struct sim *sim)
{
	struct layout *layout = &sim->layout;

	if (layout->group_count == GROUPS_MAX || layout->width + 3 > WIDTH_MAX)
		return;

	const size_t g = layout_add_group(layout, draw(sim, (uint32_t)layout->kind_count),
					  draw(sim, 3) ? 1 : 0);
	for (uint32_t i = draw(sim, MEMBERS_MAX); i > 0; i--)
		add_event(sim, g);
}

static void change_something(struct sim *sim)
{
	const size_t g = choose_group(sim);

	switch (draw(sim, 4)) {
	case 0:
		add_group(sim);
		break;
	case 1:
		if (g != GROUPS_MAX && !is_clock(&sim->layout, g))
			layout_close_group(&sim->layout, g);
		break;
	case 2:
		if (g != GROUPS_MAX && sim->layout.groups[g].count > 0)
			layout_drop_last_counter(&sim->layout, g);
		break;
	default:
		if (g != GROUPS_MAX)
			add_event(sim, g);
	}
}

/* A group that was opened anew counts from anywhere, and not from where it was. */
static void reopen(struct sim *sim, struct sim_cpu *cpu, size_t g)
{
	cpu->sequence[g] = draw(sim, 1000);
	cpu->enabled_ns[g] = draw(sim, 1000000);
	for (size_t i = 0; i < MEMBERS_MAX; i++)
		cpu->values[g][i] = draw(sim, 100000);
}

/* The CPU's groups are as the layout says; those that are new are read. */
static void follow_layout(struct sim *sim, struct sim_cpu *cpu, const struct layout *before)
{
	const size_t was_active = cpu->active;

	if (was_active == NO_GROUP || !sim->layout.groups[was_active].is_open)
		cpu->active = choose_turn(sim, cpu);
	for (size_t g = 0; g < sim->layout.group_count; g++) {
		const bool is_same =
			g < before->group_count && before->groups[g].is_open &&
			before->groups[g].generation == sim->layout.groups[g].generation;

		if (!is_same)
			reopen(sim, cpu, g);
		if (is_counting(sim, cpu, g) && (!is_same || (g == cpu->active && g != was_active)))
			read_group(sim, cpu, g, is_same);
	}
}

/* Reading numbers whose group's time is void is no harm, but nothing else may have changed. */
static void check_kept(const struct snapshot *now, const struct snapshot *before, size_t place)
{
	const bool is_old = place < layout_width(before->layout);

	for (size_t i = 0; i < now->task_count; i++) {
		const struct snapshot_task *task = &now->tasks[i], *was = &before->tasks[i];

		assert_int_equal(task->interval[place], is_old ? was->interval[place] : 0);
		assert_int_equal(task->total[place], is_old ? was->total[place] : 0);
	}
	for (size_t i = 0; i < now->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &now->cpus[i], *was = &before->cpus[i];

		assert_int_equal(cpu->counter[place], is_old ? was->counter[place] : 0);
		assert_int_equal(cpu->idle_total[place], is_old ? was->idle_total[place] : 0);
	}
}

static bool is_time_of_group(const struct layout *layout, size_t place)
{
	for (size_t g = 0; g < layout->group_count; g++) {
		if (layout_group_place(layout, g) == place ||
		    layout->groups[g].slices_place == place)
			return true;
	}
	return false;
}

static void change_layout(struct sim *sim, const struct snapshot *snapshot)
{
	struct snapshot *kept = snapshot ? snapshot_copy(snapshot) : NULL;
	struct layout before;

	layout_copy(&before, &sim->layout);
	for (uint32_t i = draw(sim, 4); i > 0; i--)
		change_something(sim);
	model_change_layout(sim->model, &sim->layout);
	for (int i = 0; i < sim->cpu_count; i++)
		follow_layout(sim, &sim->cpus[i], &before);
	sim->changes++;
	layout_fini(&before);
	if (!kept)
		return;
	assert_true(books_balance(snapshot));
	for (size_t place = 0; place < layout_width(&sim->layout); place++) {
		if (!is_time_of_group(&sim->layout, place))
			check_kept(snapshot, kept, place);
	}
	snapshot_destroy(kept);
}

/* One or two kinds of CPUs, each with a clock and some groups more. */
static void make_layout(struct sim *sim, uint32_t seed)
{
	struct layout *layout = &sim->layout;

	layout_init(layout);
	if (seed % 3 == 0) {
		layout->kind_count = 2;
		layout->kinds[1].clock = (uint16_t)layout_add_group(layout, 1, 0);
	}
	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		for (uint32_t i = 0; i < 3; i++)
			add_event(sim, layout->kinds[kind].clock);
	}
	for (uint32_t i = seed % 4 * (uint32_t)layout->kind_count; i > 0; i--)
		add_group(sim);
}

/* All tasks live; something leaves every CPU once, so that it is known who runs. */
static void sim_begin(struct sim *sim)
{
	sim->now_ns = 1000000;
	for (int32_t tid = 1; tid < TIDS; tid++)
		sim->tasks[tid] = (struct sim_task){.is_alive = true, .on_cpu = -1, .last_cpu = -1};
	for (int i = 0; i < sim->cpu_count; i++) {
		struct sim_cpu *cpu = &sim->cpus[i];

		cpu->kind = (size_t)i % sim->layout.kind_count;
		cpu->since_ns = sim->now_ns;
		cpu->hides_idle = sim->plan->hides_idle && draw(sim, 2);
		cpu->active = choose_turn(sim, cpu);
		for (size_t g = 0; g < GROUPS_MAX; g++)
			reopen(sim, cpu, g);
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

/* Of slices the simulation keeps no count: where a reading cuts one, there are two. */
static bool is_number_of_slices(const struct layout *layout, size_t place)
{
	for (size_t g = 0; g < layout->group_count; g++) {
		if (layout->groups[g].slices_place == place)
			return true;
	}
	return false;
}

static void check_exact_at(struct sim *sim, const struct snapshot *snapshot, size_t place)
{
	for (int32_t tid = 1; tid < TIDS; tid++)
		assert_int_equal(credited(snapshot, tid, place), sim->tasks[tid].truth[place]);
	for (int i = 0; i < sim->cpu_count; i++) {
		assert_int_equal(snapshot->cpus[i].counter[place], sim->cpus[i].counter[place]);
		assert_int_equal(snapshot->cpus[i].idle[place], sim->cpus[i].idle[place]);
		assert_int_equal(snapshot->cpus[i].unattributed[place], 0);
	}
}

static void check_exact(struct sim *sim, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	for (size_t place = 0; place < width; place++) {
		if (!is_number_of_slices(snapshot->layout, place))
			check_exact_at(sim, snapshot, place);
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
			if (place != QUANTITY_MIGRATIONS &&
			    !is_number_of_slices(snapshot->layout, place))
				assert_true(credited(snapshot, tid, place) <=
					    sim->tasks[tid].truth[place]);
		}
	}
	for (int i = 0; i < sim->cpu_count; i++) {
		const uint64_t *counter = snapshot->cpus[i].counter;

		assert_int_equal(counter[QUANTITY_RUN_NS], sim->cpus[i].counter[QUANTITY_RUN_NS]);
		assert_int_equal(counter[QUANTITY_SWITCHES],
				 sim->cpus[i].counter[QUANTITY_SWITCHES]);
		for (size_t place = QUANTITY_BUILTIN; place < width; place++) {
			if (!is_number_of_slices(snapshot->layout, place))
				assert_int_equal(counter[place], sim->cpus[i].counter[place]);
		}
	}
}

/* Totals only grow, by what the interval held, in all places alike. */
static void check_totals(struct sim *sim, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		assert_true(task->id < IDS_MAX);
		for (size_t place = 0; place < width; place++) {
			sim->sums[task->id][place] += task->interval[place];
			assert_int_equal(sim->sums[task->id][place], task->total[place]);
		}
	}
	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &snapshot->cpus[i];

		for (size_t place = 0; place < width; place++) {
			sim->cpu_sums[i][place] += cpu->counter[place];
			assert_int_equal(sim->cpu_sums[i][place], cpu->counter_total[place]);
		}
	}
}

static void run_interval(struct sim *sim)
{
	const struct snapshot *snapshot;

	for (int i = 0; i < STEPS; i++)
		step(sim);
	for (int i = 0; i < sim->cpu_count; i++)
		read_cpu(sim, &sim->cpus[i]);
	snapshot = model_close_interval(sim->model, sim->now_ns);
	assert_true(books_balance(snapshot));
	check_totals(sim, snapshot);
	sim->plan->check(sim, snapshot);
	sim->merged_idle += snapshot->merged_idle;
	forget_interval(sim);
	if (sim->plan->changes_layout && draw(sim, 2))
		change_layout(sim, snapshot);
}

static void run(struct sim *sim, uint32_t seed)
{
	make_layout(sim, seed);
	sim->model = model_create(&sim->layout);
	sim_begin(sim);
	if (sim->plan->changes_layout && seed % 2)
		change_layout(sim, NULL);
	model_start(sim->model, sim->now_ns);
	forget_interval(sim);
	for (int interval = 0; interval < INTERVALS; interval++)
		run_interval(sim);
	model_destroy(sim->model);
	layout_fini(&sim->layout);
}

/* What happened in all runs of a plan. */
struct outcome {
	uint64_t merged_idle, changes;
};

/* Every number of CPUs and groups, with some seeds each. */
static struct outcome run_many(const struct plan *plan)
{
	struct outcome outcome = {0};

	for (uint32_t seed = 1; seed <= 24; seed++) {
		struct sim *sim = xcalloc(1, sizeof(*sim));

		sim->plan = plan;
		sim->random = seed * 2654435761u;
		sim->cpu_count = 1 + (int)(seed % CPUS_MAX);
		run(sim, seed);
		outcome.merged_idle += sim->merged_idle;
		outcome.changes += sim->changes;
		free(sim);
	}
	return outcome;
}

static void attribution_without_losses_is_exact(void **state)
{
	(void)state;
	const struct plan plan = {.hides_idle = true, .check = check_exact};

	assert_true(run_many(&plan).merged_idle > 1000); /* the hard case did occur */
}

static void attribution_over_changes_of_the_layout_is_exact(void **state)
{
	(void)state;
	const struct plan plan = {.changes_layout = true, .hides_idle = true, .check = check_exact};
	const struct outcome outcome = run_many(&plan);

	assert_true(outcome.changes > 500);
	assert_true(outcome.merged_idle > 1000);
}

static void attribution_over_changes_of_the_clocks_is_exact(void **state)
{
	(void)state;
	const struct plan plan = {
		.changes_layout = true, .changes_clocks = true, .check = check_exact};

	assert_true(run_many(&plan).changes > 500);
}

static void attribution_over_changes_with_hidden_idle_charges_nobody_with_too_much(void **state)
{
	(void)state;
	const struct plan plan = {.changes_layout = true,
				  .changes_clocks = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	assert_true(run_many(&plan).changes > 500);
}

static void attribution_with_few_losses_charges_nobody_with_too_much(void **state)
{
	(void)state;
	const struct plan plan = {.loss_pct = 2,
				  .changes_layout = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	run_many(&plan);
}

static void attribution_with_many_losses_charges_nobody_with_too_much(void **state)
{
	(void)state;
	const struct plan plan = {.loss_pct = 40,
				  .changes_layout = true,
				  .changes_clocks = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	run_many(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attribution_without_losses_is_exact),
		cmocka_unit_test(attribution_over_changes_of_the_layout_is_exact),
		cmocka_unit_test(attribution_over_changes_of_the_clocks_is_exact),
		cmocka_unit_test(
			attribution_over_changes_with_hidden_idle_charges_nobody_with_too_much),
		cmocka_unit_test(attribution_with_few_losses_charges_nobody_with_too_much),
		cmocka_unit_test(attribution_with_many_losses_charges_nobody_with_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
