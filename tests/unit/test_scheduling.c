/* Waits of tasks: as lengths, in the books and in the timing. Task 7 runs on CPU 0, 9 on CPU 1. */
#include "switch_kit.h"

static const uint64_t unknown_ns = SWITCH_NS_UNKNOWN;

/* CPU 0 counts on, whoever runs there. */
static void run_on(struct model *model, uint64_t seq, uint64_t ns)
{
	feed(model, reading(.seq = seq, .ns = ns, .values = {100 + ns / 10, 200}));
}

static const struct timing *timing_of(const struct snapshot *snapshot, int32_t tid)
{
	return find_task(snapshot, tid)->timing;
}

static void preempted_task_waits_until_it_comes_back(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);
	const struct kit_entry back = last_entry(model);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(back.entry.off_ns, 200);
	assert_int_equal(back.entry.wait_ns, 200);
	assert_true(back.entry.came_preempted);
	assert_int_equal(back.pushed_by, 8);
	assert_int_equal(back.entry.from_cpu, 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 200);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 0);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_PREEMPTED].sum, 200);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void sleeping_task_is_off_until_it_comes_back(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1700);
	const struct kit_entry back = last_entry(model);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(back.entry.off_ns, 200);
	assert_true(back.entry.wait_ns == unknown_ns);
	assert_false(back.entry.came_preempted);
	assert_int_equal(back.entry.pushed_by, ACTOR_UNKNOWN);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 200);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_WAKEUPS), 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void task_that_was_never_seen_leaving_was_off_for_an_unknown_time(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);

	assert_true(last_entry(model).entry.off_ns == unknown_ns);
	assert_true(last_entry(model).entry.wait_ns == unknown_ns);
	assert_int_equal(last_entry(model).entry.from_cpu, -1);
	model_destroy(model);
}

static void arrival_is_counted_once(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1700, .values = {270, 200}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 1700));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1701));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1702));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_PREEMPTED].count, 1);
	model_destroy(model);
}

static void arrival_without_announcement_ends_the_wait(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, sample(.tid = 8, .seq = 12, .ns = 1700, .values = {270, 200}));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1700));

	assert_int_equal(last_entry(model).entry.off_ns, 200);
	model_destroy(model);
}

static void task_that_comes_elsewhere_tells_where_it_was(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, sample(.cpu = 1, .tid = 9, .seq = 21, .ns = 1600));
	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 7, .time = 1600));
	feed(model, switch_in(.cpu = 1, .tid = 7, .prev = 9, .time = 1600));
	const struct kit_entry back = last_entry(model);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(back.entry.cpu, 1);
	assert_int_equal(back.entry.from_cpu, 0);
	assert_int_equal(back.entry.wait_ns, 100);
	assert_int_equal(snapshot->cpus[1].counter[QUANTITY_PREEMPTED_NS], 100);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_PREEMPTED_NS], 0);
	model_destroy(model);
}

static void task_that_yielded_was_pushed_by_nobody(void **state)
{
	struct model *model = kit_running(1);

	feed(model, yielded(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);

	assert_true(last_entry(model).entry.came_preempted);
	assert_int_equal(last_entry(model).entry.pushed_by, ACTOR_UNKNOWN);
	model_destroy(model);
}

static void preempted_wait_is_divided_at_the_close(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	run_on(model, 11, 1800);
	const struct snapshot *snapshot = model_close_interval(model, 1800);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 300);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 300);
	assert_true(books_balance(snapshot));

	return_from_8(model, 12, 1900);
	snapshot = model_close_interval(model, 2000);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 100);
	assert_int_equal(last_entry(model).entry.wait_ns, 400);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_PREEMPTED].sum, 400);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void task_that_only_waits_is_shown_and_has_not_run(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	model_close_interval(model, 1600);
	model_close_interval(model, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 1800);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 100);
	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_PREEMPTED_NS], 300);
	assert_false(find_task(snapshot, 7)->has_run);
	assert_int_equal(snapshot->ran_count, 0);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void wait_before_the_start_is_not_entered(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	run_on(model, 11, 1600);
	model_start(model, 1600);
	return_from_8(model, 12, 1900);

	assert_int_equal(last_entry(model).entry.wait_ns, 400);
	assert_int_equal(task_count(model_close_interval(model, 2000), 7, QUANTITY_PREEMPTED_NS),
			 300);
	model_destroy(model);
}

static void off_time_is_entered_up_to_the_close_where_the_task_ran(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	const struct snapshot *snapshot = model_close_interval(model, 1800);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 300);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void off_time_is_not_entered_where_the_task_did_not_run(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	model_close_interval(model, 1800);
	const struct snapshot *snapshot = model_close_interval(model, 2800);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 0);

	return_from_8(model, 12, 2900);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 100);
	assert_int_equal(last_entry(model).entry.off_ns, 1400);
	model_destroy(model);
}

static void woken_task_waits_from_its_wake_up(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, wakeup(.cpu = 1, .tid = 7, .time = 1640));
	return_from_8(model, 12, 1700);
	const struct kit_entry back = last_entry(model);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(back.entry.off_ns, 200);
	assert_int_equal(back.entry.wait_ns, 60);
	assert_false(back.entry.came_preempted);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_WAKEUP_NS), 60);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_WAKEUPS), 1);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 60);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 200);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_WAKEUPS].sum, 60);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void woken_task_queues_up_to_the_close(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, wakeup(.tid = 7, .time = 1640));
	const struct snapshot *snapshot = model_close_interval(model, 1680);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 40);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_WAKEUP_NS), 0);
	assert_true(books_balance(snapshot));

	return_from_8(model, 12, 1700);
	snapshot = model_close_interval(model, 2000);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 20);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_WAKEUP_NS), 60);
	model_destroy(model);
}

static void of_several_wake_ups_the_first_counts(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, wakeup(.tid = 7, .time = 1640));
	feed(model, wakeup(.tid = 7, .time = 1660));
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.wait_ns, 60);
	model_destroy(model);
}

static void wake_up_before_it_left_is_none(void **state)
{
	struct model *model = kit_running(1);

	feed(model, wakeup(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1700);

	assert_true(last_entry(model).entry.wait_ns == unknown_ns);
	model_destroy(model);
}

static void wake_up_of_before_that_is_told_late_is_none(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, wakeup(.tid = 7, .time = 1499));
	feed(model, wakeup(.tid = 7, .time = 1650));
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.wait_ns, 50);
	model_destroy(model);
}

/* CPU 1 is heard before CPU 0. */
static void wake_up_that_is_told_before_the_departure_counts(void **state)
{
	struct model *model = kit_running(1);

	feed(model, wakeup(.cpu = 1, .tid = 7, .time = 1510));
	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.wait_ns, 190);
	assert_int_equal(task_count(model_close_interval(model, 2000), 7, QUANTITY_QUEUED_NS), 190);
	model_destroy(model);
}

static void task_that_came_back_can_be_woken_again(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);
	feed(model, wakeup(.cpu = 1, .tid = 7, .time = 1810));
	leave_for_8(model, 13, 1800, false);
	return_from_8(model, 14, 1900);

	assert_int_equal(last_entry(model).entry.wait_ns, 90);
	model_destroy(model);
}

static void wake_up_of_an_earlier_absence_is_over(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, wakeup(.cpu = 1, .tid = 7, .time = 1600));
	return_from_8(model, 12, 1700);
	leave_for_8(model, 13, 1800, false);
	return_from_8(model, 14, 1900);

	assert_true(last_entry(model).entry.wait_ns == unknown_ns);
	model_destroy(model);
}

/* The numbers of actors begin anew. */
static void who_pushed_is_forgotten_with_the_history(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	model_keep_history(model, KIT_HISTORY);
	feed(model, sample(.cpu = 1, .tid = 9, .seq = 21, .ns = 1600));
	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 10, .time = 1600));
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.off_ns, 200);
	assert_int_equal(last_entry(model).entry.pushed_by, ACTOR_UNKNOWN);
	model_destroy(model);
}

static void wake_up_of_a_preempted_task_is_none(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, wakeup(.tid = 7, .time = 1640));
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.wait_ns, 200);
	assert_int_equal(task_count(model_close_interval(model, 2000), 7, QUANTITY_WAKEUPS), 0);
	model_destroy(model);
}

static void newborn_task_waits_from_its_first_wake_up(void **state)
{
	struct model *model = kit_running(1);

	feed(model, forked(.tid = 8, .parent = 7, .time = 1400));
	feed(model, wakeup(.tid = 8, .time = 1410));
	model_close_interval(model, 1450);
	leave_for_8(model, 11, 1500, false);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_true(last_entry(model).entry.off_ns == unknown_ns);
	assert_int_equal(last_entry(model).entry.wait_ns, 90);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_WAKEUP_NS), 90);
	assert_int_equal(task_count(snapshot, 8, QUANTITY_QUEUED_NS), 90);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void wake_up_of_an_unknown_task_is_ignored(void **state)
{
	struct model *model = kit_running(1);

	feed(model, wakeup(.tid = 55, .time = 1400));

	assert_null(find_task(model_close_interval(model, 2000), 55));
	model_destroy(model);
}

enum {
	TOLD_BY_SWITCHES = 1 << QUANTITY_PREEMPTED_NS | 1 << QUANTITY_OFF_NS |
			   1 << QUANTITY_QUEUED_NS | 1 << QUANTITY_WAKEUP_NS | 1 << QUANTITY_WAKEUPS
};

static void losses_make_absences_unknown(void **state)
{
	const struct record losses[] = {
		lost(.cpu = 1, .lost = 1, .time = 1600),
		lost(.cpu = RECORD_CPU_NONE, .lost = 1, .time = 1600),
		lost(.cpu = 1, .lost = 1, .time = 1), /* it is at least now that it is told */
		cpu_online(.cpu = 1, .time = 1600),
		cpu_offline(.cpu = 1, .time = 1600),
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		struct model *model = kit_running(1);

		leave_for_8(model, 11, 1500, true);
		feed(model, losses[i]);
		return_from_8(model, 12, 1700);
		const struct kit_entry back = last_entry(model);
		const struct snapshot *snapshot = model_close_interval(model, 2000);

		assert_true(back.entry.off_ns == unknown_ns);
		assert_true(back.entry.wait_ns == unknown_ns);
		assert_false(back.entry.came_preempted);
		assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
		assert_int_equal(timing_of(snapshot, 7)->of[TIMING_PREEMPTED].count, 0);
		model_destroy(model);
	}
}

static void loss_before_it_left_does_no_harm(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.cpu = 1, .lost = 1, .time = 1400));
	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.off_ns, 200);
	model_destroy(model);
}

static void lost_waiter_is_not_waited_for(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, lost(.cpu = 1, .lost = 1, .time = 1600));
	const struct snapshot *snapshot = model_close_interval(model, 1800);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, TOLD_BY_SWITCHES);
	snapshot = model_close_interval(model, 2800);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	model_destroy(model);
}

/* CPU 0 is where it waited. */
static void doubts_are_those_of_the_task_and_its_cpu(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, lost(.cpu = 1, .lost = 1, .time = 1600));
	return_from_8(model, 12, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->unknown, TOLD_BY_SWITCHES);
	assert_int_equal(find_task(snapshot, 9)->unknown, 0);
	assert_int_equal(snapshot->cpus[0].unknown, TOLD_BY_SWITCHES);
	assert_int_equal(snapshot->cpus[1].unknown, 0);
	assert_int_equal(snapshot->unknown, 0);
	assert_int_equal(model_close_interval(model, 3000)->cpus[0].unknown, 0);
	model_destroy(model);
}

/* A thousandth of the interval is no digit of a number that is shown. */
static void doubts_that_cannot_be_seen_are_none(void **state)
{
	struct model *model = kit_running(1);

	feed(model, lost(.cpu = 1, .lost = 1, .time = 1699));
	leave_for_8(model, 11, 1699, true);
	return_from_8(model, 12, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_true(last_entry(model).entry.off_ns == unknown_ns);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	assert_int_equal(snapshot->cpus[0].unknown, 0);
	model_destroy(model);
}

static void off_time_over_a_loss_is_not_entered_at_the_close(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	feed(model, lost(.cpu = 1, .lost = 1, .time = 1600));

	const struct snapshot *snapshot = model_close_interval(model, 1800);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_OFF_NS), 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, TOLD_BY_SWITCHES);
	model_destroy(model);
}

static void hidden_idle_is_no_loss(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.cpu = 1, .tid = 9, .seq = 21, .ns = 1400));
	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 7, .time = 1400));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {130, 200}));
	feed(model, switch_out(.tid = 7, .next = 0, .time = 1500));
	feed(model, switch_in(.tid = 8, .prev = 0, .time = 1600));
	feed(model, sample(.tid = 8, .seq = 13, .ns = 1700, .values = {140, 200}));
	feed(model, switch_out(.tid = 8, .next = 9, .time = 1700));

	assert_int_equal(last_entry(model).came, 9);
	assert_int_equal(last_entry(model).entry.off_ns, 300);
	model_destroy(model);
}

/* Tasks whose switches are never recorded ran meanwhile: all others have records of theirs. */
static void switches_without_a_record_leave_absences_known(void **state)
{
	static const struct {
		int32_t prev;        /* the task that left, as the next one says */
		uint64_t in_between; /* number of a reading between the switches; 0: none */
		uint64_t next;       /* number of the next switch */
	} cases[] = {{8, 0, 13}, {8, 0, 14}, {9, 0, 13}, {8, 12, 14}, {9, 0, 19}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model *model = kit_running(1);

		leave_for_8(model, 11, 1500, true);
		feed(model, switch_in(.tid = 10, .prev = cases[i].prev, .time = 1600));
		if (cases[i].in_between > 0)
			feed(model,
			     reading(.seq = cases[i].in_between, .ns = 1650, .values = {270, 200}));
		feed(model,
		     sample(.tid = 10, .seq = cases[i].next, .ns = 1700, .values = {270, 200}));
		feed(model, switch_out(.tid = 10, .next = 7, .time = 1700));

		assert_int_equal(last_entry(model).entry.off_ns, 200);
		assert_true(last_entry(model).entry.came_preempted);
		assert_true(model_close_interval(model, 2000)->silent_switches > 0);
		model_destroy(model);
	}
}

/* The same on another CPU than that of the wait. */
static void switch_without_a_record_elsewhere_leaves_waits_known(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, reading(.cpu = 1, .seq = 21, .ns = 1600, .time = 1600));
	return_from_8(model, 12, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	assert_int_equal(find_task(snapshot, 7)->unknown & TOLD_BY_SWITCHES, 0);
	model_destroy(model);
}

static void where_not_all_cpus_are_watched_absences_are_unknown(void **state)
{
	struct model *model = kit_running(1);

	model_note_partial(model, true);
	leave_for_8(model, 11, 1500, true);
	model_close_interval(model, 1600);
	return_from_8(model, 12, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_true(last_entry(model).entry.off_ns == unknown_ns);
	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_PREEMPTED_NS], 0);
	assert_int_equal(snapshot->unknown, TOLD_BY_SWITCHES);
	model_destroy(model);
}

static void absence_that_began_while_details_were_shed_is_unknown(void **state)
{
	struct model *model = kit_running(1);

	model_shed(model, MODEL_SHED_DETAIL);
	leave_for_8(model, 11, 1500, true);
	model_shed(model, MODEL_SHED_NOTHING);
	return_from_8(model, 12, 1700);

	assert_true(last_entry(model).entry.off_ns == unknown_ns);
	model_destroy(model);
}

static void absence_in_which_details_were_shed_is_unknown(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	model_shed(model, MODEL_SHED_DETAIL);
	model_shed(model, MODEL_SHED_NOTHING);
	return_from_8(model, 12, 1700);

	assert_true(last_entry(model).entry.off_ns == unknown_ns);
	assert_int_equal(task_count(model_close_interval(model, 2000), 7, QUANTITY_PREEMPTED_NS),
			 0);
	model_destroy(model);
}

static void waits_are_unknown_in_intervals_in_which_details_were_shed(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);
	model_shed(model, MODEL_SHED_DETAIL);
	model_shed(model, MODEL_SHED_NOTHING);
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_int_equal(snapshot->unknown, TOLD_BY_SWITCHES);
	assert_null(timing_of(snapshot, 7));

	model_shed(model, MODEL_SHED_DETAIL);
	assert_int_equal(model_close_interval(model, 3000)->unknown, TOLD_BY_SWITCHES);
	assert_int_equal(model_close_interval(model, 4000)->unknown, TOLD_BY_SWITCHES);

	model_shed(model, MODEL_SHED_NOTHING);
	assert_int_equal(model_close_interval(model, 5000)->unknown, TOLD_BY_SWITCHES);

	leave_for_8(model, 13, 5500, true);
	return_from_8(model, 14, 5700);
	snapshot = model_close_interval(model, 6000);
	assert_int_equal(snapshot->unknown, 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_PREEMPTED].sum, 200);
	model_destroy(model);
}

static void waits_that_end_later_are_unknown_of_who_left_while_details_were_shed(void **state)
{
	struct model *model = kit_running(1);

	model_shed(model, MODEL_SHED_DETAIL);
	leave_for_8(model, 11, 1500, false);
	model_shed(model, MODEL_SHED_NOTHING);
	model_close_interval(model, 2000);
	return_from_8(model, 12, 2700);
	const struct snapshot *snapshot = model_close_interval(model, 3000);
	assert_int_equal(snapshot->unknown, 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, TOLD_BY_SWITCHES);
	assert_int_equal(find_task(snapshot, 8)->unknown, 0);

	run_on(model, 12, 3500);
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	model_destroy(model);
}

/* Its readings say that it ran on, and nothing was noted since it came. */
static void runner_that_came_while_details_were_shed_is_not_off(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	model_shed(model, MODEL_SHED_DETAIL);
	return_from_8(model, 12, 1700);
	model_shed(model, MODEL_SHED_NOTHING);
	model_close_interval(model, 2000);
	run_on(model, 12, 2900);
	assert_int_equal(find_task(model_close_interval(model, 3000), 7)->unknown, 0);
	model_destroy(model);
}

static void run_delays_are_known_whatever_is_shed(void **state)
{
	struct model *model = kit_running(1);

	feed(model, run_delay(.tid = 7, .wait_ns = 1000, .time = 1100));
	model_shed(model, MODEL_SHED_DETAIL);
	assert_int_equal(model_close_interval(model, 2000)->unknown,
			 TOLD_BY_SWITCHES & ~(1 << QUANTITY_QUEUED_NS));
	model_destroy(model);
}

static void shed_history_leaves_the_waits(void **state)
{
	struct model *model = kit_running(1);

	model_shed(model, MODEL_SHED_HISTORY);
	leave_for_8(model, 11, 1500, true);
	model_shed(model, MODEL_SHED_NOTHING);
	return_from_8(model, 12, 1700);

	assert_int_equal(last_entry(model).entry.off_ns, 200);
	assert_int_equal(last_entry(model).entry.pushed_by, ACTOR_UNKNOWN);
	model_destroy(model);
}

/* CPU 1, to which 7 came, is heard before CPU 0. */
static void departure_that_is_told_after_the_arrival_is_ignored(void **state)
{
	struct model *model = kit_running(1);

	feed(model, sample(.cpu = 1, .tid = 9, .seq = 21, .ns = 1600));
	feed(model, switch_out(.cpu = 1, .tid = 9, .next = 7, .time = 1600));
	leave_for_8(model, 11, 1500, true);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 0);
	model_destroy(model);
}

static void waiter_that_has_ended_is_not_waited_for(void **state)
{
	struct model *model = kit_running(1);

	feed(model, exited(.tid = 7, .time = 1400));
	leave_for_8(model, 11, 1500, true);
	model_close_interval(model, 1600);
	model_close_interval(model, 1700);
	model_close_interval(model, 1800);

	assert_null(find_task(model_close_interval(model, 1900), 7));
	model_destroy(model);
}

static void waiter_whose_tid_was_used_again_is_forgotten(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, true);
	feed(model, forked(.cpu = 1, .tid = 7, .parent = 9, .time = 1600));
	for (uint64_t ns = 1700; ns < 2000; ns += 100)
		model_close_interval(model, ns);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 7)->total[QUANTITY_PREEMPTED_NS], 0);
	assert_true(find_task(snapshot, 7)->id != 1);
	model_destroy(model);
}

static void run_delays_are_differences(void **state)
{
	struct model *model = kit_running(1);

	run_on(model, 10, 1500);
	feed(model, run_delay(.tid = 7, .wait_ns = 5000));
	const struct snapshot *snapshot = model_close_interval(model, 1500);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 0);
	assert_int_equal(find_task(snapshot, 7)->unknown, 1u << QUANTITY_QUEUED_NS);

	run_on(model, 10, 1900);
	feed(model, run_delay(.tid = 7, .wait_ns = 5030));
	snapshot = model_close_interval(model, 2000);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 30);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	assert_int_equal(snapshot->cpus[0].counter[QUANTITY_QUEUED_NS], 30);
	assert_true(books_balance(snapshot));
	model_destroy(model);
}

static void run_delay_that_decreases_starts_anew(void **state)
{
	struct model *model = kit_running(1);

	feed(model, run_delay(.tid = 7, .wait_ns = 5000));
	feed(model, run_delay(.tid = 7, .wait_ns = 100));
	feed(model, run_delay(.tid = 7, .wait_ns = 130));

	assert_int_equal(task_count(model_close_interval(model, 2000), 7, QUANTITY_QUEUED_NS), 30);
	model_destroy(model);
}

static void run_delay_of_a_newborn_task_is_known_from_the_first_on(void **state)
{
	struct model *model = kit_running(1);

	feed(model, forked(.tid = 8, .parent = 7, .time = 1400));
	leave_for_8(model, 11, 1500, false);
	feed(model, run_delay(.tid = 8, .wait_ns = 90));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 8, QUANTITY_QUEUED_NS), 90);
	assert_int_equal(find_task(snapshot, 8)->unknown, 0);
	model_destroy(model);
}

static void run_delay_of_who_ran_untold_is_unknown_until_two_are_told(void **state)
{
	struct model *model = kit_running(1);
	const uint32_t queued = 1u << QUANTITY_QUEUED_NS;

	feed(model, run_delay(.tid = 7, .wait_ns = 5000));
	feed(model, run_delay(.tid = 7, .wait_ns = 5010));
	run_on(model, 10, 1500);
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);

	run_on(model, 10, 2500);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find_task(snapshot, 7)->unknown, queued);

	run_on(model, 10, 3500);
	feed(model, run_delay(.tid = 7, .wait_ns = 5900));
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(find_task(snapshot, 7)->unknown, queued);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 0);

	run_on(model, 10, 4500);
	feed(model, run_delay(.tid = 7, .wait_ns = 5930));
	snapshot = model_close_interval(model, 5000);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 30);
	model_destroy(model);
}

static void run_delay_of_who_did_not_run_stays_known(void **state)
{
	struct model *model = kit_running(1);

	feed(model, run_delay(.tid = 9, .wait_ns = 5000));
	model_close_interval(model, 2000);
	feed(model, run_delay(.tid = 9, .wait_ns = 5000));
	model_close_interval(model, 3000);
	feed(model, comm(.tid = 9, .name = "asleep", .time = 3500));
	const struct snapshot *snapshot = model_close_interval(model, 4000);
	assert_int_equal(find_task(snapshot, 9)->unknown, 0);

	feed(model, run_delay(.tid = 9, .wait_ns = 5040));
	snapshot = model_close_interval(model, 5000);
	assert_int_equal(task_count(snapshot, 9, QUANTITY_QUEUED_NS), 40);
	model_destroy(model);
}

static void run_delay_of_the_newborn_that_ended_untold_is_unknown(void **state)
{
	struct model *model = kit_running(1);

	feed(model, run_delay(.tid = 7, .wait_ns = 5000));
	feed(model, forked(.tid = 8, .parent = 7, .time = 1400));
	leave_for_8(model, 11, 1500, false);
	feed(model, exited(.tid = 8, .time = 1600));
	return_from_8(model, 12, 1700);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(find_task(snapshot, 8)->unknown, 1u << QUANTITY_QUEUED_NS);
	model_destroy(model);
}

static void queued_times_are_known_where_no_delays_are_told(void **state)
{
	struct model *model = kit_running(1);

	run_on(model, 10, 1500);

	assert_int_equal(find_task(model_close_interval(model, 2000), 7)->unknown, 0);
	model_destroy(model);
}

static void preempted_waits_are_part_of_run_delays(void **state)
{
	struct model *model = kit_running(1);

	feed(model, run_delay(.tid = 7, .wait_ns = 5000));
	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);
	feed(model, run_delay(.tid = 7, .wait_ns = 5250));
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(task_count(snapshot, 7, QUANTITY_QUEUED_NS), 250);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	model_destroy(model);
}

static void timing_holds_the_slices_of_the_interval(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	return_from_8(model, 12, 1700);
	leave_for_8(model, 13, 1800, false);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].count, 2);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].sum, 600);
	assert_int_equal(timing_of(snapshot, 8)->of[TIMING_SLICES].sum, 200);
	assert_null(timing_of(snapshot, 9));

	snapshot = model_close_interval(model, 3000);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].count, 0);
	return_from_8(model, 14, 3100);
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(timing_of(snapshot, 8)->of[TIMING_SLICES].count, 1);
	assert_int_equal(timing_of(snapshot, 8)->of[TIMING_SLICES].sum, 1300);
	model_destroy(model);
}

static void shown_timing_stays_while_records_come_in(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	const struct snapshot *snapshot = model_close_interval(model, 2000);
	return_from_8(model, 12, 2100);
	leave_for_8(model, 13, 2300, false);

	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].count, 1);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].sum, 500);
	model_destroy(model);
}

static void timing_before_the_start_is_forgotten(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	model_close_interval(model, 1600);
	return_from_8(model, 12, 1700);
	leave_for_8(model, 13, 1800, false);
	model_start(model, 1900);
	const struct snapshot *snapshot = model_close_interval(model, 2000);

	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].count, 0);
	model_destroy(model);
}

static void copy_of_a_snapshot_keeps_its_timing(void **state)
{
	struct model *model = kit_running(1);

	leave_for_8(model, 11, 1500, false);
	struct snapshot *copy = snapshot_copy(model_close_interval(model, 2000));
	model_destroy(model);

	assert_int_equal(timing_of(copy, 7)->of[TIMING_SLICES].sum, 500);
	assert_null(timing_of(copy, 9));
	snapshot_destroy(copy);
}

/* Instructions in group 0, and cycles too or (apart) in a group that takes turns. */
static struct model *begin_ipc(bool apart)
{
	struct layout layout;

	layout_init(&layout);
	layout_add_event(&layout, "instructions");
	layout_add_event(&layout, "cycles");
	layout_add_counter(&layout, 0, 0);
	layout_add_counter(&layout, apart ? layout_add_group(&layout, 0, 1) : 0, 1);
	struct model *model = model_create(&layout);
	feed(model, reading(.seq = 10, .ns = 1000));
	if (apart)
		feed(model, reading(.group = 1, .seq = 10, .ns = 1000));
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 1000));
	model_start(model, 1000);
	layout_fini(&layout);
	return model;
}

static void short_slices_are_cold_and_long_ones_late(void **state)
{
	struct model *model = begin_ipc(false);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 101000, .values = {10, 20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 101000));
	feed(model, sample(.tid = 8, .seq = 12, .ns = 201001, .values = {110, 220}));
	feed(model, switch_out(.tid = 8, .next = 7, .time = 201001));
	const struct snapshot *snapshot = model_close_interval(model, 300000);
	const struct timing *cold = timing_of(snapshot, 7), *late = timing_of(snapshot, 8);

	assert_int_equal(cold->cold.slices, 1);
	assert_int_equal(cold->cold.ns, 100000);
	assert_int_equal(cold->cold.instructions, 10);
	assert_int_equal(cold->cold.cycles, 20);
	assert_int_equal(cold->late.slices, 0);
	assert_int_equal(late->late.slices, 1);
	assert_int_equal(late->late.ns, 100001);
	assert_int_equal(late->late.instructions, 100);
	assert_int_equal(late->late.cycles, 200);
	model_destroy(model);
}

static void instructions_and_cycles_of_two_groups_belong_together(void **state)
{
	struct model *model = begin_ipc(true);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 101000, .values = {10}));
	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 101000, .values = {20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 101000));
	const struct snapshot *snapshot = model_close_interval(model, 300000);

	assert_int_equal(timing_of(snapshot, 7)->cold.cycles, 20);
	model_destroy(model);
}

static void slice_in_which_a_group_was_off_says_nothing_of_caches(void **state)
{
	struct model *model = begin_ipc(true);

	feed(model, sample(.tid = 7, .seq = 11, .ns = 101000, .values = {10}));
	feed(model, sample(.group = 1, .tid = 7, .seq = 11, .ns = 51000, .values = {20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 101000));
	const struct snapshot *snapshot = model_close_interval(model, 300000);

	assert_int_equal(timing_of(snapshot, 7)->cold.slices, 0);
	assert_int_equal(timing_of(snapshot, 7)->of[TIMING_SLICES].count, 1);
	model_destroy(model);
}

static void events_that_come_later_tell_of_caches_then(void **state)
{
	struct layout layout;

	layout_init(&layout);
	struct model *model = model_create(&layout);
	feed(model, reading(.seq = 10, .ns = 500));
	feed(model, switch_in(.tid = 7, .prev = 5, .time = 500));
	model_start(model, 500);
	layout_add_counter(&layout, 0, layout_add_event(&layout, "instructions"));
	layout_add_counter(&layout, 0, layout_add_event(&layout, "cycles"));
	model_change_layout(model, &layout);
	feed(model, reading(.seq = 10, .ns = 500));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 1500, .values = {10, 20}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 1500));

	assert_int_equal(timing_of(model_close_interval(model, 2000), 7)->cold.instructions, 10);
	layout_fini(&layout);
	model_destroy(model);
}

static void events_that_are_gone_tell_of_caches_no_more(void **state)
{
	struct model *model = begin_ipc(false);
	struct layout layout;

	layout_init(&layout);
	layout_add_event(&layout, "instructions");
	layout_add_event(&layout, "cycles");
	layout_add_counter(&layout, 0, 0);
	layout_add_counter(&layout, 0, 1);
	layout_drop_last_counter(&layout, 0);
	model_change_layout(model, &layout);
	feed(model, reading(.seq = 10, .ns = 1000));
	feed(model, sample(.tid = 7, .seq = 11, .ns = 101000, .values = {10}));
	feed(model, switch_out(.tid = 7, .next = 8, .time = 101000));

	assert_int_equal(timing_of(model_close_interval(model, 200000), 7)->cold.slices, 0);
	layout_fini(&layout);
	model_destroy(model);
}

static void who_ran_since_the_close_is_told(void **state)
{
	struct model *model = kit_running(1);
	struct task_ref refs[4];

	model_close_interval(model, 1100);
	assert_int_equal(model_who_ran(model, refs, 4), 0);
	leave_for_8(model, 11, 1500, true);
	assert_int_equal(model_who_ran(model, refs, 4), 1);
	assert_int_equal(refs[0].tid, 7);
	return_from_8(model, 12, 1600);
	assert_int_equal(model_who_ran(model, refs, 4), 2);
	assert_int_equal(model_who_ran(model, refs, 1), 1);
	feed(model, exited(.tid = 8, .time = 1700));
	assert_int_equal(model_who_ran(model, refs, 4), 1);
	model_close_interval(model, 1800);

	assert_int_equal(model_who_ran(model, refs, 4), 0);
	model_destroy(model);
}

static void task_that_only_waited_did_not_run(void **state)
{
	struct model *model = kit_running(1);
	struct task_ref refs[4];

	feed(model, run_delay(.tid = 7, .wait_ns = 10));
	feed(model, run_delay(.tid = 7, .wait_ns = 30));

	assert_int_equal(model_who_ran(model, refs, 4), 0);
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(preempted_task_waits_until_it_comes_back),
		cmocka_unit_test(sleeping_task_is_off_until_it_comes_back),
		cmocka_unit_test(task_that_was_never_seen_leaving_was_off_for_an_unknown_time),
		cmocka_unit_test(arrival_is_counted_once),
		cmocka_unit_test(arrival_without_announcement_ends_the_wait),
		cmocka_unit_test(task_that_comes_elsewhere_tells_where_it_was),
		cmocka_unit_test(task_that_yielded_was_pushed_by_nobody),
		cmocka_unit_test(preempted_wait_is_divided_at_the_close),
		cmocka_unit_test(task_that_only_waits_is_shown_and_has_not_run),
		cmocka_unit_test(wait_before_the_start_is_not_entered),
		cmocka_unit_test(off_time_is_entered_up_to_the_close_where_the_task_ran),
		cmocka_unit_test(off_time_is_not_entered_where_the_task_did_not_run),
		cmocka_unit_test(woken_task_waits_from_its_wake_up),
		cmocka_unit_test(woken_task_queues_up_to_the_close),
		cmocka_unit_test(of_several_wake_ups_the_first_counts),
		cmocka_unit_test(wake_up_before_it_left_is_none),
		cmocka_unit_test(wake_up_of_before_that_is_told_late_is_none),
		cmocka_unit_test(wake_up_that_is_told_before_the_departure_counts),
		cmocka_unit_test(task_that_came_back_can_be_woken_again),
		cmocka_unit_test(wake_up_of_an_earlier_absence_is_over),
		cmocka_unit_test(who_pushed_is_forgotten_with_the_history),
		cmocka_unit_test(wake_up_of_a_preempted_task_is_none),
		cmocka_unit_test(newborn_task_waits_from_its_first_wake_up),
		cmocka_unit_test(wake_up_of_an_unknown_task_is_ignored),
		cmocka_unit_test(losses_make_absences_unknown),
		cmocka_unit_test(loss_before_it_left_does_no_harm),
		cmocka_unit_test(lost_waiter_is_not_waited_for),
		cmocka_unit_test(doubts_are_those_of_the_task_and_its_cpu),
		cmocka_unit_test(doubts_that_cannot_be_seen_are_none),
		cmocka_unit_test(off_time_over_a_loss_is_not_entered_at_the_close),
		cmocka_unit_test(hidden_idle_is_no_loss),
		cmocka_unit_test(switches_without_a_record_leave_absences_known),
		cmocka_unit_test(switch_without_a_record_elsewhere_leaves_waits_known),
		cmocka_unit_test(where_not_all_cpus_are_watched_absences_are_unknown),
		cmocka_unit_test(absence_that_began_while_details_were_shed_is_unknown),
		cmocka_unit_test(absence_in_which_details_were_shed_is_unknown),
		cmocka_unit_test(waits_are_unknown_in_intervals_in_which_details_were_shed),
		cmocka_unit_test(
			waits_that_end_later_are_unknown_of_who_left_while_details_were_shed),
		cmocka_unit_test(runner_that_came_while_details_were_shed_is_not_off),
		cmocka_unit_test(run_delays_are_known_whatever_is_shed),
		cmocka_unit_test(shed_history_leaves_the_waits),
		cmocka_unit_test(departure_that_is_told_after_the_arrival_is_ignored),
		cmocka_unit_test(waiter_that_has_ended_is_not_waited_for),
		cmocka_unit_test(waiter_whose_tid_was_used_again_is_forgotten),
		cmocka_unit_test(run_delays_are_differences),
		cmocka_unit_test(run_delay_that_decreases_starts_anew),
		cmocka_unit_test(run_delay_of_a_newborn_task_is_known_from_the_first_on),
		cmocka_unit_test(run_delay_of_who_ran_untold_is_unknown_until_two_are_told),
		cmocka_unit_test(run_delay_of_who_did_not_run_stays_known),
		cmocka_unit_test(run_delay_of_the_newborn_that_ended_untold_is_unknown),
		cmocka_unit_test(queued_times_are_known_where_no_delays_are_told),
		cmocka_unit_test(preempted_waits_are_part_of_run_delays),
		cmocka_unit_test(timing_holds_the_slices_of_the_interval),
		cmocka_unit_test(shown_timing_stays_while_records_come_in),
		cmocka_unit_test(timing_before_the_start_is_forgotten),
		cmocka_unit_test(copy_of_a_snapshot_keeps_its_timing),
		cmocka_unit_test(short_slices_are_cold_and_long_ones_late),
		cmocka_unit_test(instructions_and_cycles_of_two_groups_belong_together),
		cmocka_unit_test(slice_in_which_a_group_was_off_says_nothing_of_caches),
		cmocka_unit_test(events_that_come_later_tell_of_caches_then),
		cmocka_unit_test(events_that_are_gone_tell_of_caches_no_more),
		cmocka_unit_test(who_ran_since_the_close_is_told),
		cmocka_unit_test(task_that_only_waited_did_not_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
