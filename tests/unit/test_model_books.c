/*
 * The model's account must agree with the truth of a small machine (model_sim.h) to the last digit;
 * when records are lost, the books must still balance and nobody may be charged with more than he
 * consumed. Its switches must be those of the machine.
 */
#include "model_sim_run.h"
#include "unit.h"

/* Number of all tasks that had this tid in the interval. */
static uint64_t credited(const struct snapshot *snapshot, int32_t tid, size_t place)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == tid)
			sum += snapshot->tasks[i].interval[place];
	return sum;
}

/* Of slices the simulation keeps no count: where a reading cuts one, there are two. */
static bool is_number_of_slices(const struct layout *layout, size_t place)
{
	for (size_t g = 0; g < layout->group_count; g++)
		if (layout->groups[g].slices_index == place)
			return true;
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

/* Behind a change of the clock it is not known when a reading was made, until the next switch. */
static bool knows_times(const struct sim *sim)
{
	return !sim->plan->changes_clocks;
}

/* Of one CPU nobody shares the core. */
static void check_smt_adds_up(const struct sim *sim, const uint64_t *counts)
{
	const uint64_t ns = counts[QUANTITY_SMT_ALONE_NS] + counts[QUANTITY_SMT_BESIDE_NS];

	if (sim->cpu_count == 1)
		assert_int_equal(ns, 0);
	else if (knows_times(sim))
		assert_int_equal(ns, counts[QUANTITY_RUN_NS]);
	else
		assert_true(ns <= counts[QUANTITY_RUN_NS]);
}

static void check_exact(struct sim *sim, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	for (size_t place = 0; place < width; place++) {
		const bool is_smt = place < QUANTITY_BUILTIN && (LAYOUT_SMT >> place & 1) != 0;

		if (!is_number_of_slices(snapshot->layout, place) && (!is_smt || knows_times(sim)))
			check_exact_at(sim, snapshot, place);
	}
	for (size_t i = 0; i < snapshot->task_count; i++)
		check_smt_adds_up(sim, snapshot->tasks[i].interval);
	for (size_t i = 0; i < snapshot->cpu_count; i++)
		check_smt_adds_up(sim, snapshot->cpus[i].counter);
}

/*
 * Counters are never lost; only whose they were may be. A migration may come to light in a
 * later interval than that in which it happened, and that somebody ran while he seemed to wait,
 * never.
 */
static void check_no_more_than_true(struct sim *sim, const struct snapshot *snapshot)
{
	const size_t width = layout_width(snapshot->layout);

	for (int32_t tid = 1; tid < TIDS; tid++) {
		for (size_t place = 0; place < width; place++) {
			if ((place < QUANTITY_MIGRATIONS || place >= QUANTITY_BUILTIN) &&
			    !is_number_of_slices(snapshot->layout, place))
				assert_true(credited(snapshot, tid, place) <=
					    sim->tasks[tid].truth[place]);
		}
		assert_true(credited(snapshot, tid, QUANTITY_SMT_ALONE_NS) +
				    credited(snapshot, tid, QUANTITY_SMT_BESIDE_NS) <=
			    credited(snapshot, tid, QUANTITY_RUN_NS));
	}
	for (int i = 0; i < sim->cpu_count; i++) {
		const uint64_t *counter = snapshot->cpus[i].counter;

		assert_int_equal(counter[QUANTITY_RUN_NS], sim->cpus[i].counter[QUANTITY_RUN_NS]);
		assert_int_equal(counter[QUANTITY_SWITCHES],
				 sim->cpus[i].counter[QUANTITY_SWITCHES]);
		for (size_t place = QUANTITY_BUILTIN; place < width; place++)
			if (!is_number_of_slices(snapshot->layout, place))
				assert_int_equal(counter[place], sim->cpus[i].counter[place]);
	}
}

static int32_t tid_of(const struct history *history, uint64_t actor)
{
	return history_find_actor(history, actor)->tid;
}

static void check_switch(const struct history *history, uint64_t sequence,
			 const struct sim_switch *swap)
{
	struct switch_entry entry;

	history_get(history, sequence, &entry, NULL);
	assert_int_equal(entry.time_ns, swap->time_ns);
	assert_int_equal(entry.cpu, swap->cpu);
	assert_int_equal(entry.slice_ns, swap->slice_ns);
	assert_int_equal(entry.how, swap->how);
	assert_int_equal(entry.state, swap->state);
	assert_int_equal(tid_of(history, entry.prev), swap->prev);
	assert_int_equal(tid_of(history, entry.next), swap->next);
	assert_int_equal(entry.off_ns, swap->off_ns);
	assert_int_equal(entry.wait_ns, swap->wait_ns);
	assert_int_equal(entry.from_cpu, swap->from_cpu);
	assert_int_equal(entry.next_was_preempted, swap->next_was_preempted);
	assert_int_equal(tid_of(history, entry.queued_by), swap->queued_by);
	assert_true(entry.has_counts);
}

/* The last entries are those of the CPUs that went, whose slices end without a switch. */
static void check_all_switches(struct sim *sim, const struct history *history)
{
	assert_true(history_end(history) <= sim->switch_count + (size_t)sim->cpu_count);
	assert_true(history_end(history) >= sim->switch_count);
	for (size_t i = 0; i < sim->switch_count; i++)
		check_switch(history, i, &sim->switches[i]);
}

UNIT_TEST(attribution_without_losses_is_exact)
{
	const struct plan plan = {
		.hides_idle = true, .check = check_exact, .check_switches = check_all_switches};

	assert_true(run_many(&plan).merged_idle > 1000); /* the hard case did occur */
}

UNIT_TEST(attribution_over_changes_of_the_layout_is_exact)
{
	const struct plan plan = {.changes_layout = true,
				  .hides_idle = true,
				  .check = check_exact,
				  .check_switches = check_all_switches};
	const struct outcome outcome = run_many(&plan);

	assert_true(outcome.changes > 21 * RUNS);
	assert_true(outcome.merged_idle > 1000);
}

UNIT_TEST(attribution_over_changes_of_the_clocks_is_exact)
{
	const struct plan plan = {
		.changes_layout = true, .changes_clocks = true, .check = check_exact};

	assert_true(run_many(&plan).changes > 21 * RUNS);
}

UNIT_TEST(attribution_over_changes_with_hidden_idle_charges_nobody_with_too_much)
{
	const struct plan plan = {.changes_layout = true,
				  .changes_clocks = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	assert_true(run_many(&plan).changes > 21 * RUNS);
}

UNIT_TEST(attribution_with_few_losses_charges_nobody_with_too_much)
{
	const struct plan plan = {.loss_pct = 2,
				  .changes_layout = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	run_many(&plan);
}

UNIT_TEST(attribution_with_many_losses_charges_nobody_with_too_much)
{
	const struct plan plan = {.loss_pct = 40,
				  .changes_layout = true,
				  .changes_clocks = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	run_many(&plan);
}

/* Run times, switches and what was counted are the machine's, whatever was not. */
UNIT_TEST(attribution_with_empty_turns_is_exact)
{
	const struct plan plan = {.empty_turns = true,
				  .changes_layout = true,
				  .hides_idle = true,
				  .check = check_exact,
				  .check_switches = check_all_switches};

	run_many(&plan);
}

UNIT_TEST(attribution_with_empty_turns_and_losses_charges_nobody_with_too_much)
{
	const struct plan plan = {.empty_turns = true,
				  .loss_pct = 10,
				  .changes_layout = true,
				  .hides_idle = true,
				  .check = check_no_more_than_true};

	run_many(&plan);
}

UNIT_MAIN(NULL, NULL)
