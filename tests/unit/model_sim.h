#ifndef PERFTOP_TESTS_MODEL_SIM_H
#define PERFTOP_TESTS_MODEL_SIM_H

/*
 * A small machine that knows the truth: CPUs of one or two kinds that switch between tasks, idle
 * CPUs with and without records of their own, births, deaths, reused tids, wake-ups and yields,
 * groups that are always on and groups that take turns. CPUs 0 and 1, and 2 and 3, share a core. It
 * tells the model what a kernel would tell, and keeps its own account of what everybody consumed,
 * of waits and of each switch. Nothing happens at the same time on two CPUs.
 */

#include "model/history.h"

#include "model_kit.h"
#include "unit.h"

enum {
	CPUS_MAX = 4,
	TIDS = 24, /* tid 0 is idle */
	GROUPS_MAX = 10,
	MEMBERS_MAX = 4,
	WIDTH_MAX = 130,
	IDS_MAX = 4096,
	NO_GROUP = GROUPS_MAX,
	INTERVALS = 60,
	STEPS = 150,
	YIELD_NS = 100000,      /* a preemption no later than that after a yield is the yield */
	HISTORY_ENTRIES = 40000 /* more than there will be */
};

/* A switch as it was; tids instead of actors, 0 idle, -1 unknown. */
struct sim_switch {
	uint64_t time_ns, slice_ns, off_ns, wait_ns;
	int32_t prev, next, queued_by;
	int cpu, from_cpu;
	enum switch_how how;
	int state; /* enum task_state */
	bool next_was_preempted;
};

struct sim_cpu {
	int32_t running;
	size_t kind;
	uint64_t idled_ns;          /* when it went idle last */
	bool hides_idle;            /* its idle task leaves no records */
	bool owes_lost;             /* records were dropped since the last delivered one */
	uint64_t since_ns;          /* up to where its counters are counted */
	uint64_t slice_ns;          /* when its slice began, or the interval since which we count */
	uint64_t smt_ns, beside_ns; /* up to then, and since since_ns: the other one was busy */
	uint64_t sequence[GROUPS_MAX];
	uint64_t enabled_ns[GROUPS_MAX];
	uint64_t values[GROUPS_MAX][MEMBERS_MAX];
	size_t active; /* group whose turn it is; NO_GROUP: there are none */
	uint64_t counter[WIDTH_MAX], idle[WIDTH_MAX];
};

struct sim_task {
	bool is_alive, is_dying;
	int on_cpu;    /* -1: none */
	int last_cpu;  /* -1: never ran */
	bool is_known; /* the model has heard of it */
	bool has_left; /* and since when it is off */
	bool is_preempted, is_uninterruptible;
	uint64_t yielded_ns; /* 0: never in this slice */
	int32_t queued_by;
	uint64_t left_ns, woken_ns; /* 0: not */
	uint64_t truth[WIDTH_MAX];
};

struct sim;

/* What a run is about. */
struct plan {
	int steps; /* of an interval; 0: STEPS */
	unsigned int loss_pct;
	bool changes_layout;
	bool changes_clocks; /* the groups that tell the time too */
	bool hides_idle;     /* some CPUs hide it */
	bool empty_turns;    /* in which no group that takes turns counts */
	void (*check)(struct sim *, const struct snapshot *);
	void (*check_switches)(struct sim *,
			       const struct history *); /* NULL: they need not be true */
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
	uint64_t interval_start_ns;
	struct sim_switch *switches; /* owned; since the start */
	size_t switch_count, switch_capacity;
};

static inline uint32_t draw(struct sim *sim, uint32_t below)
{
	sim->random ^= sim->random << 13;
	sim->random ^= sim->random >> 17;
	sim->random ^= sim->random << 5;
	return sim->random % below;
}

static inline uint64_t *truth_of(struct sim *sim, struct sim_cpu *cpu, int32_t tid)
{
	return tid == 0 ? cpu->idle : sim->tasks[tid].truth;
}

static inline void count(struct sim *sim, struct sim_cpu *cpu, size_t place, uint64_t number)
{
	truth_of(sim, cpu, cpu->running)[place] += number;
	cpu->counter[place] += number;
}

static inline bool is_counting(const struct sim *sim, const struct sim_cpu *cpu, size_t g)
{
	const struct event_group *group = &sim->layout.groups[g];

	return group->is_open && group->kind == cpu->kind &&
	       (group->rotation == 0 || g == cpu->active);
}

/* The other CPU of the core; NULL: there is none. */
static inline struct sim_cpu *sibling_of(struct sim *sim, const struct sim_cpu *cpu)
{
	const int other = (int)(cpu - sim->cpus) ^ 1;

	return other < sim->cpu_count ? &sim->cpus[other] : NULL;
}

/* What its sibling ran up to now. */
static inline void look_at_sibling(struct sim *sim, struct sim_cpu *cpu)
{
	const struct sim_cpu *other = sibling_of(sim, cpu);

	if (other && other->running != 0)
		cpu->beside_ns += sim->now_ns - cpu->smt_ns;
	cpu->smt_ns = sim->now_ns;
}

static inline void count_smt(struct sim *sim, struct sim_cpu *cpu, uint64_t elapsed_ns)
{
	look_at_sibling(sim, cpu);
	if (sim->cpu_count == 1)
		return;
	count(sim, cpu, QUANTITY_SMT_ALONE_NS, elapsed_ns - cpu->beside_ns);
	count(sim, cpu, QUANTITY_SMT_BESIDE_NS, cpu->beside_ns);
	cpu->beside_ns = 0;
}

/* Lets the CPU's counters catch up with the time. */
static inline void run_cpu(struct sim *sim, struct sim_cpu *cpu)
{
	const uint64_t elapsed_ns = sim->now_ns - cpu->since_ns;
	const bool counts_stand_still = cpu->running == 0 && cpu->hides_idle;

	cpu->since_ns = sim->now_ns;
	count(sim, cpu, QUANTITY_RUN_NS, elapsed_ns);
	count_smt(sim, cpu, elapsed_ns);
	for (size_t g = 0; g < sim->layout.group_count; g++) {
		const struct event_group *group = &sim->layout.groups[g];

		if (!is_counting(sim, cpu, g))
			continue;
		cpu->enabled_ns[g] += elapsed_ns;
		count(sim, cpu, layout_group_index(&sim->layout, g), elapsed_ns);
		for (size_t i = 0; i < group->count; i++) {
			uint64_t number = counts_stand_still ? 0 : draw(sim, 1000);

			cpu->values[g][i] += number;
			count(sim, cpu, sim->layout.counters[group->counters[i]].value_index,
			      number);
		}
	}
}

/* A record of a CPU's ring may be lost; that is told before the next one. */
static inline bool is_lost(struct sim *sim, struct sim_cpu *cpu)
{
	if (draw(sim, 100) >= sim->plan->loss_pct)
		return false;
	cpu->owes_lost = true;
	return true;
}

static inline void deliver(struct sim *sim, struct sim_cpu *cpu, const struct record *record)
{
	if (cpu->owes_lost)
		feed(sim->model, lost(.cpu = record->cpu, .lost = 1, .time = record->time_ns));
	cpu->owes_lost = false;
	model_feed(sim->model, record);
}

static inline int number_of(const struct sim *sim, const struct sim_cpu *cpu)
{
	return (int)(cpu - sim->cpus);
}

static inline struct record reading_of(const struct sim *sim, const struct sim_cpu *cpu, size_t g,
				       struct step step)
{
	struct record record;

	step.cpu = number_of(sim, cpu);
	step.group = (uint16_t)g;
	step.seq = cpu->sequence[g];
	step.ns = cpu->enabled_ns[g];
	record = kit_reading(&step);
	record.reading.values = cpu->values[g];
	return record;
}

/* A read(2) has no time of its own. */
static inline void read_group(struct sim *sim, struct sim_cpu *cpu, size_t g, bool restarts)
{
	feed(sim->model, reading_of(sim, cpu, g,
				    (struct step){.tid = NOBODY, .time = 1, .restarts = restarts}));
}

static inline void read_cpu(struct sim *sim, struct sim_cpu *cpu)
{
	run_cpu(sim, cpu);
	for (size_t g = 0; g < sim->layout.group_count; g++)
		if (is_counting(sim, cpu, g))
			read_group(sim, cpu, g, false);
}

/* A group of the CPU's kind that takes turns; NO_GROUP: there is none. */
static inline size_t choose_rotation(struct sim *sim, const struct sim_cpu *cpu)
{
	const size_t first = draw(sim, GROUPS_MAX);

	for (size_t i = 0; i < GROUPS_MAX; i++) {
		const size_t g = (first + i) % GROUPS_MAX;
		const struct event_group *group = &sim->layout.groups[g];

		if (g < sim->layout.group_count && group->is_open && group->kind == cpu->kind &&
		    group->rotation != 0)
			return g;
	}
	return NO_GROUP;
}

static inline void rotate(struct sim *sim, struct sim_cpu *cpu)
{
	read_cpu(sim, cpu);
	cpu->active = sim->plan->empty_turns && draw(sim, 2) ? (size_t)NO_GROUP
							     : choose_rotation(sim, cpu);
	if (cpu->active != NO_GROUP)
		read_group(sim, cpu, cpu->active, true);
}

/*
 * One record of what the kernel writes of a switch: a sample of each group and what the outgoing
 * task says, unless that is idle that hides; what the incoming one does, unless it is that.
 */
static inline void deliver_switch(struct sim *sim, struct sim_cpu *cpu, struct record *record,
				  bool hides_prev, bool hides_next)
{
	struct record_switch *ctx_switch = &record->ctx_switch;
	struct record_reading readings[GROUPS_MAX];
	bool is_out = false, is_in = false;

	for (size_t g = 0; g < sim->layout.group_count && !hides_prev; g++)
		if (is_counting(sim, cpu, g) && !is_lost(sim, cpu))
			readings[ctx_switch->reading_count++] =
				reading_of(sim, cpu, g, (struct step){0}).reading;
	is_out = !hides_prev && !is_lost(sim, cpu);
	is_in = !hides_next && !is_lost(sim, cpu);
	if (!is_out && !is_in && ctx_switch->reading_count == 0)
		return;
	ctx_switch->readings = readings;
	if (!is_out) {
		ctx_switch->knows_how = ctx_switch->preempted = false;
		ctx_switch->state = TASK_STATE_UNKNOWN;
	}
	if (!is_out && !is_in)
		ctx_switch->next_pid = ctx_switch->next_tid = NOBODY;
	deliver(sim, cpu, record);
}

static inline void count_switch(struct sim *sim, struct sim_cpu *cpu, bool preempted)
{
	count(sim, cpu, QUANTITY_SWITCHES, 1);
	if (preempted && cpu->running != 0)
		count(sim, cpu, QUANTITY_PREEMPTIONS, 1);
	for (size_t g = 0; g < sim->layout.group_count; g++)
		cpu->sequence[g] += is_counting(sim, cpu, g);
}

/* The task has waited for this CPU. */
static inline void wait(struct sim_cpu *cpu, struct sim_task *task, enum quantity quantity,
			uint64_t number)
{
	task->truth[quantity] += number;
	cpu->counter[quantity] += number;
}

/* How much of what has begun then lies in this interval. */
static inline uint64_t part_ns(const struct sim *sim, uint64_t begin_ns)
{
	return sim->now_ns -
	       (begin_ns > sim->interval_start_ns ? begin_ns : sim->interval_start_ns);
}

/* The same of its sleep: up to the wake-up. */
static inline uint64_t asleep_ns(const struct sim *sim, const struct sim_task *task)
{
	const uint64_t awake_ns = task->woken_ns > 0 ? sim->now_ns - task->woken_ns : 0;
	const uint64_t off_ns = part_ns(sim, task->left_ns);

	return off_ns > awake_ns ? off_ns - awake_ns : 0;
}

/* Its CPU has been idle since it left. */
static inline bool is_held(const struct sim *sim, const struct sim_task *task)
{
	return sim->cpus[task->last_cpu].idled_ns >= task->left_ns;
}

static inline void wait_until_arrival(struct sim *sim, struct sim_cpu *cpu, struct sim_task *task,
				      struct sim_switch *swap)
{
	if (task->has_left)
		swap->off_ns = sim->now_ns - task->left_ns;
	if (task->has_left && task->is_preempted && is_held(sim, task) &&
	    task->last_cpu == number_of(sim, cpu)) {
		wait(cpu, task, QUANTITY_QUEUED_NS, part_ns(sim, task->left_ns));
		return;
	}
	if (task->has_left && task->is_preempted) {
		swap->next_was_preempted = true;
		swap->queued_by = task->queued_by;
		swap->wait_ns = swap->off_ns;
		wait(cpu, task, QUANTITY_PREEMPTED_NS, part_ns(sim, task->left_ns));
		wait(cpu, task, QUANTITY_QUEUED_NS, part_ns(sim, task->left_ns));
		return;
	}
	if (task->has_left)
		wait(cpu, task, QUANTITY_OFF_NS, part_ns(sim, task->left_ns));
	if (task->has_left && task->is_uninterruptible)
		wait(cpu, task, QUANTITY_UNINTERRUPTIBLE_NS, asleep_ns(sim, task));
	if (task->woken_ns > 0) {
		swap->wait_ns = sim->now_ns - task->woken_ns;
		wait(cpu, task, QUANTITY_WAKEUP_NS, swap->wait_ns);
		wait(cpu, task, QUANTITY_WAKEUPS, 1);
		wait(cpu, task, QUANTITY_QUEUED_NS,
		     task->last_cpu < 0 ? swap->wait_ns : part_ns(sim, task->woken_ns));
	}
}

/* What the waits come to when the interval ends. */
static inline void wait_until_close(struct sim *sim, struct sim_task *task)
{
	const bool has_run = task->truth[QUANTITY_RUN_NS] > 0 || task->truth[QUANTITY_SWITCHES] > 0;

	if (!task->is_alive || task->on_cpu >= 0 || task->last_cpu < 0)
		return;

	struct sim_cpu *cpu = &sim->cpus[task->last_cpu];
	if (task->has_left && task->is_preempted && !is_held(sim, task))
		wait(cpu, task, QUANTITY_PREEMPTED_NS, part_ns(sim, task->left_ns));
	else if (task->has_left && !task->is_preempted && has_run)
		wait(cpu, task, QUANTITY_OFF_NS, part_ns(sim, task->left_ns));
	if (task->has_left && task->is_uninterruptible)
		wait(cpu, task, QUANTITY_UNINTERRUPTIBLE_NS, asleep_ns(sim, task));
	if (task->is_preempted || task->woken_ns > 0)
		wait(cpu, task, QUANTITY_QUEUED_NS,
		     part_ns(sim, task->is_preempted ? task->left_ns : task->woken_ns));
}

static inline void arrive(struct sim *sim, struct sim_cpu *cpu, int32_t tid,
			  struct sim_switch *swap)
{
	const int number = number_of(sim, cpu);
	struct sim_task *task = &sim->tasks[tid];

	cpu->running = tid;
	cpu->slice_ns = sim->now_ns;
	if (tid == 0)
		return;
	swap->from_cpu = task->last_cpu;
	wait_until_arrival(sim, cpu, task, swap);
	if (task->last_cpu >= 0 && task->last_cpu != number)
		count(sim, cpu, QUANTITY_MIGRATIONS, 1);
	task->last_cpu = number;
	task->on_cpu = number;
	task->is_known = true;
	task->has_left = task->is_preempted = task->is_uninterruptible = false;
	task->yielded_ns = 0;
	task->woken_ns = 0;
}

static inline void depart(struct sim *sim, int32_t tid, const struct sim_switch *swap)
{
	struct sim_task *task = &sim->tasks[tid];

	task->on_cpu = -1;
	task->is_alive = !task->is_dying;
	task->has_left = true;
	task->left_ns = sim->now_ns;
	task->is_preempted = swap->how == SWITCH_PREEMPTED || swap->how == SWITCH_YIELDED;
	task->is_uninterruptible = swap->state == TASK_STATE_DISK_SLEEP;
	task->queued_by = swap->how == SWITCH_PREEMPTED && swap->next != 0 ? swap->next : NOBODY;
}

static inline void note_switch(struct sim *sim, const struct sim_switch *swap)
{
	array_reserve(&sim->switches, &sim->switch_capacity, sim->switch_count + 1,
		      sizeof(*sim->switches));
	sim->switches[sim->switch_count++] = *swap;
}

static inline enum switch_how how_of(const struct sim *sim, int32_t tid, bool preempted)
{
	const struct sim_task *task = &sim->tasks[tid];

	if (tid == 0)
		return SWITCH_IDLE;
	if (preempted)
		return task->yielded_ns > 0 && sim->now_ns - task->yielded_ns <= YIELD_NS
			       ? SWITCH_YIELDED
			       : SWITCH_PREEMPTED;
	return task->is_dying ? SWITCH_EXITED : SWITCH_BLOCKED;
}

static inline void switch_to(struct sim *sim, struct sim_cpu *cpu, int32_t next)
{
	const int number = number_of(sim, cpu);
	const int32_t before = cpu->running;
	const bool is_dying = before && sim->tasks[before].is_dying;
	const int32_t shown = is_dying && draw(sim, 2) ? NOBODY : before;
	const bool preempted = !is_dying && draw(sim, 2);
	const int asleep = draw(sim, 3) ? TASK_STATE_SLEEPING : TASK_STATE_DISK_SLEEP;
	struct sim_switch swap = {
		.time_ns = sim->now_ns,
		.slice_ns = sim->now_ns - cpu->slice_ns,
		.off_ns = SWITCH_NS_UNKNOWN,
		.wait_ns = SWITCH_NS_UNKNOWN,
		.prev = before,
		.next = next,
		.queued_by = NOBODY,
		.cpu = number,
		.from_cpu = -1,
		.how = how_of(sim, before, preempted),
		.state = before == 0 ? TASK_STATE_UNKNOWN
			 : is_dying  ? TASK_STATE_DEAD
			 : preempted ? TASK_STATE_RUNNABLE
				     : asleep,
	};

	struct record record = switch_out(.tid = shown, .next = next, .time = sim->now_ns,
					  .preempted = preempted, .state = swap.state);

	record.kind = RECORD_SWITCH;
	record.cpu = number;
	run_cpu(sim, cpu);
	if (sibling_of(sim, cpu))
		look_at_sibling(sim, sibling_of(sim, cpu));
	count_switch(sim, cpu, preempted);
	deliver_switch(sim, cpu, &record, before == 0 && cpu->hides_idle,
		       next == 0 && cpu->hides_idle);
	if (next == 0)
		cpu->idled_ns = sim->now_ns;
	if (before != 0)
		depart(sim, before, &swap);
	arrive(sim, cpu, next, &swap);
	note_switch(sim, &swap);
}

/* A task that waits, or idle. */
static inline int32_t choose_next(struct sim *sim)
{
	for (int tries = 0; tries < 8; tries++) {
		int32_t tid = (int32_t)draw(sim, TIDS);

		if (tid != 0 && sim->tasks[tid].is_alive && sim->tasks[tid].on_cpu < 0)
			return tid;
	}
	return 0;
}

static inline void give_birth(struct sim *sim, struct sim_cpu *cpu)
{
	int32_t tid = 1 + (int32_t)draw(sim, TIDS - 1);
	uint64_t truth[WIDTH_MAX];

	if (cpu->running == 0 || sim->tasks[tid].is_alive)
		return;
	memcpy(truth, sim->tasks[tid].truth, sizeof(truth));
	sim->tasks[tid] =
		(struct sim_task){.is_alive = true, .on_cpu = -1, .last_cpu = -1, .is_known = true};
	memcpy(sim->tasks[tid].truth, truth, sizeof(truth));
	feed(sim->model, forked(.cpu = number_of(sim, cpu), .tid = tid, .parent = cpu->running,
				.time = sim->now_ns));
}

static inline void die(struct sim *sim, struct sim_cpu *cpu)
{
	if (cpu->running == 0 || sim->tasks[cpu->running].is_dying)
		return;
	sim->tasks[cpu->running].is_dying = true;
	feed(sim->model,
	     exited(.cpu = number_of(sim, cpu), .tid = cpu->running, .time = sim->now_ns));
}

/* A wake-up may be told of any task, and changes nothing for one that is awake. */
static inline void wake(struct sim *sim)
{
	const int32_t tid = 1 + (int32_t)draw(sim, TIDS - 1);
	struct sim_task *task = &sim->tasks[tid];

	feed(sim->model, wakeup(.cpu = (int32_t)draw(sim, CPUS_MAX), .tid = tid, .waker = NOBODY,
				.time = sim->now_ns));
	if (task->is_alive && task->is_known && task->on_cpu < 0 && !task->is_preempted &&
	    task->woken_ns == 0)
		task->woken_ns = sim->now_ns;
}

static inline void yield(struct sim *sim, struct sim_cpu *cpu)
{
	if (cpu->running == 0)
		return;
	sim->tasks[cpu->running].yielded_ns = sim->now_ns;
	feed(sim->model,
	     yielded(.cpu = number_of(sim, cpu), .tid = cpu->running, .time = sim->now_ns));
}

static inline void step(struct sim *sim)
{
	struct sim_cpu *cpu = &sim->cpus[draw(sim, (uint32_t)sim->cpu_count)];
	const uint32_t what = draw(sim, 100);

	sim->now_ns += 1 + draw(sim, 5000);
	if (what < 5) {
		yield(sim, cpu);
	} else if (what < 15) {
		wake(sim);
	} else if (what < 70) {
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

/* A group that was opened anew counts from anywhere, and not from where it was. */
static inline void reopen(struct sim *sim, struct sim_cpu *cpu, size_t g)
{
	cpu->sequence[g] = draw(sim, 1000);
	cpu->enabled_ns[g] = draw(sim, 1000000);
	for (size_t i = 0; i < MEMBERS_MAX; i++)
		cpu->values[g][i] = draw(sim, 100000);
}

/* All tasks live; something leaves every CPU once, so that it is known who runs. */
static inline void sim_begin(struct sim *sim)
{
	sim->now_ns = 1000000;
	for (int32_t tid = 1; tid < TIDS; tid++)
		sim->tasks[tid] = (struct sim_task){.is_alive = true, .on_cpu = -1, .last_cpu = -1};
	for (int i = 0; i < sim->cpu_count; i++) {
		struct sim_cpu *cpu = &sim->cpus[i];

		cpu->kind = (size_t)i % sim->layout.kind_count;
		cpu->since_ns = cpu->smt_ns = sim->now_ns;
		cpu->hides_idle = sim->plan->hides_idle && draw(sim, 2);
		cpu->active = choose_rotation(sim, cpu);
		for (size_t g = 0; g < GROUPS_MAX; g++)
			reopen(sim, cpu, g);
		read_cpu(sim, cpu);
		switch_to(sim, cpu, i + 1);
		read_cpu(sim, cpu);
	}
	/* what an idle CPU that hides it left before is not known, so nothing before this is */
	sim->now_ns += 1000;
	for (int i = 0; i < sim->cpu_count; i++) {
		switch_to(sim, &sim->cpus[i], 0);
		read_cpu(sim, &sim->cpus[i]);
	}
}

static inline void forget_interval(struct sim *sim)
{
	sim->interval_start_ns = sim->now_ns;
	for (int32_t tid = 1; tid < TIDS; tid++)
		memset(sim->tasks[tid].truth, 0, sizeof(sim->tasks[tid].truth));
	for (int i = 0; i < sim->cpu_count; i++) {
		memset(sim->cpus[i].counter, 0, sizeof(sim->cpus[i].counter));
		memset(sim->cpus[i].idle, 0, sizeof(sim->cpus[i].idle));
	}
}

#endif
