/*
 * How a measurement ends: with a figure, without one and why, and that nothing is left of it. That
 * the figure is true is proved in the guest (check_cost.c).
 */

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/list.h"
#include "base/topology.h"
#include "kernel/control.h"
#include "kernel/proc.h"
#include "kernel/switch_time.h"

#include "unit.h"

enum {
	PATIENCE_MS = 60000
};

enum {
	OWN_FIGURE = 3
};

static unsigned int has_two_levels(void *context, double added_ns[])
{
	added_ns[OWN_FIGURE] = 700;
	return 1 << 0 | 1 << 1;
}

static unsigned int has_none(void *context, double added_ns[])
{
	added_ns[OWN_FIGURE] = 700;
	return 0;
}

static unsigned int never_returns(void *context, double added_ns[])
{
	while (true)
		pause();
	return 0;
}

static void turn(void *context, size_t level)
{
}

static int some_cpu(void)
{
	struct number_list cpus;
	int cpu;

	assert_true(control_cpus(0, &cpus) >= 0);
	cpu = cpus.numbers[0];
	number_list_fini(&cpus);
	return cpu;
}

static void wait_for_end(struct switch_time *measuring)
{
	while (measuring->pid != 0) {
		usleep(1000);
		switch_time_collect(measuring);
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* there is no child any more */
}

static struct switch_time_result
measure(int cpu, unsigned int (*open)(void *context, double added_ns[]), int wait_ms)
{
	const struct switch_time_trial trial = {.cpu = cpu, .open = open, .turn = turn};
	const uint64_t before = proc_own_descriptors();
	struct switch_time measuring = {0};
	struct switch_time_result result;

	switch_time_begin(&measuring, &trial);
	result = switch_time_end(&measuring, wait_ms);
	assert_false(measuring.is_running);
	assert_int_equal(proc_own_descriptors(), before);
	wait_for_end(&measuring);
	return result;
}

/* Where nothing is on a switch takes no longer: what is left is noise, on either side of 0. */
UNIT_TEST(switch_time_end_measured_says_by_how_much)
{
	const struct switch_time_result result = measure(some_cpu(), has_two_levels, PATIENCE_MS);

	if (result.state == SWITCH_TIME_NOISE)
		assert_true(result.added_ns[1] == 0);
	else
		assert_int_equal(result.state, SWITCH_TIME_MEASURED);
	assert_true(result.added_ns[1] >= 0 && isfinite(result.added_ns[1]));
	assert_true(result.added_ns[2] == 0);
	assert_true(result.added_ns[OWN_FIGURE] == 700);
}

UNIT_TEST(switch_time_end_nothing_opened_is_refused)
{
	const struct switch_time_result result = measure(some_cpu(), has_none, PATIENCE_MS);

	assert_int_equal(result.state, SWITCH_TIME_REFUSED);
	assert_true(result.added_ns[OWN_FIGURE] == 700);
}

UNIT_TEST(switch_time_end_no_such_cpu_says_so)
{
	assert_int_equal(measure(TOPOLOGY_CPUS_MAX - 1, has_two_levels, PATIENCE_MS).state,
			 SWITCH_TIME_NO_CPU);
}

UNIT_TEST(switch_time_end_too_late_is_given_up)
{
	assert_int_equal(measure(some_cpu(), never_returns, 1).state, SWITCH_TIME_LATE);
}

/* As long as it goes on: a reader of our pipe is told of its end without it. */
UNIT_TEST(switch_time_begin_keeps_no_descriptor_of_ours_open)
{
	const struct switch_time_trial trial = {
		.cpu = some_cpu(), .open = never_returns, .turn = turn};
	struct switch_time measuring = {0};
	struct pollfd reader = {.events = POLLIN};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	switch_time_begin(&measuring, &trial);
	close(ends[1]);
	reader.fd = ends[0];
	assert_int_equal(poll(&reader, 1, PATIENCE_MS), 1);
	assert_true(reader.revents & POLLHUP);
	close(ends[0]);
	switch_time_end(&measuring, 0);
	wait_for_end(&measuring);
}

/* The process of the one before is collected. */
UNIT_TEST(switch_time_begin_after_one_that_was_given_up_leaves_no_zombie)
{
	const struct switch_time_trial trial = {
		.cpu = some_cpu(), .open = never_returns, .turn = turn};
	struct switch_time measuring = {0};

	for (int i = 0; i < 3; i++) {
		switch_time_begin(&measuring, &trial);
		if (!measuring.is_running) /* on a CPU that is too busy for it to end */
			assert_true(measuring.pid > 0);
		switch_time_end(&measuring, 0);
	}
	wait_for_end(&measuring);
}

UNIT_TEST(switch_time_end_nothing_begun_says_so)
{
	struct switch_time none = {0};
	struct switch_time_result result;

	assert_int_equal(switch_time_end(&none, PATIENCE_MS).state, SWITCH_TIME_NO_CPU);
	assert_false(switch_time_take(&none, &result));
}

/* Once, and the process is collected by those that look for more. */
UNIT_TEST(switch_time_take_has_the_result_when_it_is_there)
{
	const struct switch_time_trial trial = {.cpu = some_cpu(), .open = has_none, .turn = turn};
	const uint64_t before = proc_own_descriptors();
	struct switch_time measuring = {0};
	struct switch_time_result result;

	switch_time_begin(&measuring, &trial);
	while (!switch_time_take(&measuring, &result))
		usleep(1000);
	assert_int_equal(result.state, SWITCH_TIME_REFUSED);
	assert_int_equal(proc_own_descriptors(), before);
	while (measuring.pid != 0) {
		usleep(1000);
		assert_false(switch_time_take(&measuring, &result));
	}
}

UNIT_TEST(switch_time_take_does_not_wait)
{
	const struct switch_time_trial trial = {
		.cpu = some_cpu(), .open = never_returns, .turn = turn};
	struct switch_time measuring = {0};
	struct switch_time_result result;

	switch_time_begin(&measuring, &trial);
	assert_true(measuring.is_running);
	assert_false(switch_time_take(&measuring, &result));
	switch_time_end(&measuring, 0);
	wait_for_end(&measuring);
}

/* A round that was interrupted, of either kind, does not count. */
/* Most of either are longer than they would be alone. */
UNIT_TEST(switch_time_short_is_of_the_rounds_that_nobody_disturbed)
{
	static const double later[] = {900, 530, 90, 800}, earlier[] = {2, 300, 30, 31};

	assert_true(switch_time_short(later, earlier, 4) == 500);
	assert_true(switch_time_short(later, earlier, 2) == 600);
	assert_true(switch_time_short(later, earlier, 1) == 898);
}

UNIT_TEST(switch_time_median_leaves_out_what_is_odd)
{
	double later[] = {1500, 90000, 1480, 1510, 1490},
	       earlier[] = {1000, 1000, 1000, 1000, 7000};
	double even[] = {20, 40}, zero[] = {0, 0};

	assert_true(switch_time_median(later, earlier, 5) == 500);
	assert_true(switch_time_median(even, zero, 2) == 30);
}

UNIT_MAIN(NULL, NULL)
