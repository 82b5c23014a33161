#ifndef PERFTOP_TESTS_MODEL_SIM_RUN_H
#define PERFTOP_TESTS_MODEL_SIM_RUN_H

/*
 * Runs of the machine: intervals, and between them events that come, go and change places. What was
 * counted must stay in the totals, whatever becomes of its event, and the switches that were
 * written down must add up to what was counted.
 */

#include "base/topology.h"

#include "model_sim.h"

static inline bool is_clock(const struct layout *layout, size_t g)
{
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		if (layout->kinds[kind].clock == g)
			return true;
	return false;
}

/* An open group that may be changed; GROUPS_MAX: none was found. */
static inline size_t choose_group(struct sim *sim)
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
static inline void add_event(struct sim *sim, size_t g)
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

static inline void add_group(struct sim *sim)
{
	struct layout *layout = &sim->layout;

	if (layout->group_count == GROUPS_MAX || layout->width + 3 > WIDTH_MAX)
		return;

	/* one after the other: compilers differ in which argument they look at first */
	const size_t rotation = draw(sim, 3) ? 1 : 0;
	const size_t kind = draw(sim, (uint32_t)layout->kind_count);
	const size_t g = layout_add_group(layout, kind, rotation);

	for (uint32_t i = draw(sim, MEMBERS_MAX); i > 0; i--)
		add_event(sim, g);
}

static inline void change_something(struct sim *sim)
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

/* The CPU's groups are as the layout says; those that are new are read. */
static inline void follow_layout(struct sim *sim, struct sim_cpu *cpu, const struct layout *before)
{
	const size_t was_active = cpu->active;

	if (was_active == NO_GROUP || !sim->layout.groups[was_active].is_open)
		cpu->active = choose_rotation(sim, cpu);
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
static inline void check_kept(const struct snapshot *now, const struct snapshot *before,
			      size_t place)
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

static inline bool is_time_of_group(const struct layout *layout, size_t place)
{
	for (size_t g = 0; g < layout->group_count; g++)
		if (layout_group_index(layout, g) == place ||
		    layout->groups[g].slices_index == place)
			return true;
	return false;
}

static inline void change_layout(struct sim *sim, const struct snapshot *snapshot)
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
	assert_true(active_are_listed(snapshot));
	for (size_t place = 0; place < layout_width(&sim->layout); place++)
		if (!is_time_of_group(&sim->layout, place))
			check_kept(snapshot, kept, place);
	snapshot_destroy(kept);
}

/* One or two kinds of CPUs, each with a clock and some groups more. */
static inline void make_layout(struct sim *sim, uint32_t seed)
{
	struct layout *layout = &sim->layout;

	layout_init(layout);
	if (seed % 3 == 0) {
		layout->kind_count = 2;
		layout->kinds[1].clock = (uint16_t)layout_add_group(layout, 1, 0);
	}
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		for (uint32_t i = 0; i < 3; i++)
			add_event(sim, layout->kinds[kind].clock);
	for (uint32_t i = seed % 4 * (uint32_t)layout->kind_count; i > 0; i--)
		add_group(sim);
}

/* Totals only grow, by what the interval held, in all places alike. */
static inline void check_totals(struct sim *sim, const struct snapshot *snapshot)
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

/* What the readings cost is as much for each switch of the machine, whoever left at it. */
static inline void check_readings(const struct snapshot *snapshot)
{
	uint64_t switches = 0;

	for (size_t i = 0; i < snapshot->cpu_count; i++)
		switches += snapshot->cpus[i].counter[QUANTITY_SWITCHES];
	assert_int_equal(snapshot->own.readings_ns, 1000 * switches);
}

static inline void run_interval(struct sim *sim)
{
	const struct snapshot *snapshot;

	for (int i = 0; i < (sim->plan->steps > 0 ? sim->plan->steps : STEPS); i++) {
		step(sim);
		if (draw(sim, 10) == 0)
			model_settle(sim->model, sim->now_ns);
	}
	for (int i = 0; i < sim->cpu_count; i++)
		read_cpu(sim, &sim->cpus[i]);
	for (int32_t tid = 1; tid < TIDS; tid++)
		wait_until_close(sim, &sim->tasks[tid]);
	model_note_own(sim->model, &(const struct own_usage){.switch_ns = 1000});
	snapshot = model_close_interval(sim->model, sim->now_ns);
	check_readings(snapshot);
	assert_true(books_balance(snapshot));
	assert_true(active_are_listed(snapshot));
	check_totals(sim, snapshot);
	sim->plan->check(sim, snapshot);
	sim->merged_idle += snapshot->merged_idle;
	forget_interval(sim);
	if (sim->plan->changes_layout && draw(sim, 2))
		change_layout(sim, snapshot);
}

/* What was written down before is forgotten. */
static inline void start_switches(struct sim *sim)
{
	sim->switch_count = 0;
	for (int i = 0; i < sim->cpu_count; i++)
		sim->cpus[i].slice_ns = sim->now_ns;
}

static inline bool is_kept(size_t place)
{
	return place == QUANTITY_RUN_NS || place >= QUANTITY_BUILTIN;
}

/* Takes the entry out of the sums of its CPU and of its task. */
static inline void take_out(struct sim *sim, const struct history *history, uint64_t sequence)
{
	uint64_t counts[WIDTH_MAX];
	struct switch_entry entry;

	history_get(history, sequence, &entry, counts);

	const uint64_t id = history_find_actor(history, entry.prev)->task_id;
	for (size_t place = 0; place < history_width(history); place++) {
		sim->cpu_sums[entry.cpu][place] -= counts[place];
		sim->sums[id][place] -= counts[place];
	}
}

/* All CPUs go, so that all slices end: with none of them anything is left of the sums. */
static inline void end_switches(struct sim *sim)
{
	const struct history *history = model_history(sim->model);

	for (int i = 0; i < sim->cpu_count; i++)
		feed(sim->model, cpu_offline(.cpu = i, .time = sim->now_ns));
	check_totals(sim, model_close_interval(sim->model, sim->now_ns));
	model_settle(sim->model, sim->now_ns);
	assert_int_equal(history_first(history), 0);
	if (sim->plan->check_switches)
		sim->plan->check_switches(sim, history);

	memset(sim->sums[0], 0, sizeof(sim->sums[0]));
	for (uint64_t sequence = 0; sequence < history_end(history); sequence++)
		take_out(sim, history, sequence);
	for (size_t place = 0; place < history_width(history); place++) {
		if (!is_kept(place))
			continue;
		for (int i = 0; i < sim->cpu_count; i++)
			assert_int_equal(sim->cpu_sums[i][place], 0);
		for (size_t id = 1; id < IDS_MAX; id++)
			assert_int_equal(sim->sums[id][place], 0);
	}
}

/* One of three CPUs has a core for itself. */
static inline void note_cores(struct model *model, int cpu_count)
{
	struct topology topology = {0};

	for (int i = 0; i < cpu_count; i++) {
		struct cpu_location *place = topology_add(&topology, i);

		place->core = i / 2;
		place->thread = i % 2;
	}
	model_note_topology(model, &topology);
	topology_fini(&topology);
}

static inline void run(struct sim *sim, uint32_t seed)
{
	make_layout(sim, seed);
	sim->model = model_create(&sim->layout);
	model_keep_history(sim->model, HISTORY_ENTRIES);
	note_cores(sim->model, sim->cpu_count);
	sim_begin(sim);
	if (sim->plan->changes_layout && seed % 2)
		change_layout(sim, NULL);
	model_start(sim->model, sim->now_ns);
	forget_interval(sim);
	start_switches(sim);
	for (int interval = 0; interval < INTERVALS; interval++)
		run_interval(sim);
	end_switches(sim);
	model_destroy(sim->model);
	layout_fini(&sim->layout);
	free(sim->switches);
}

/* What happened in all runs of a plan. */
struct outcome {
	uint64_t merged_idle, changes;
};

enum {
#ifdef PERFTOP_SANITIZED
	RUNS = 12
#else
	RUNS = 24
#endif
};

/* Every number of CPUs and groups, with some seeds each. */
static inline struct outcome run_many(const struct plan *plan)
{
	struct outcome outcome = {0};

	for (uint32_t seed = 1; seed <= RUNS; seed++) {
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
#endif
