/* How long reading a counter takes, on a kernel where each read(2) takes what a test says. */

#include "kernel/counter_time.h"

#include "fake_kernel.h"
#include "unit.h"

static struct {
	uint32_t opened;  /* type of the group that was opened last */
	uint32_t refused; /* type that cannot be opened; PERF_TYPE_MAX: none */
	uint64_t
		hardware_ns; /* that a read(2) of two counters takes more than of software events */
	size_t reads;
} kit;

static int open_group(const struct group_request *request)
{
	kit.opened = request->specs[0]->type;
	assert_int_equal(request->specs[1]->type, kit.opened);
	assert_true(request->target.exclude_kernel);
	return kit.opened == kit.refused ? ENOENT : 0;
}

/* An interrupt now and then makes one much longer. */
static void take_time(struct fake_event *event)
{
	assert_true(event->is_enabled);
	fake.now_ns += 500 + (kit.opened == PERF_TYPE_HARDWARE ? kit.hardware_ns : 0);
	fake.now_ns += kit.reads++ % 5 == 0 ? 100000 : 0;
}

static int setup(void **state)
{
	fake_reset(state);
	kit.refused = PERF_TYPE_MAX;
	kit.hardware_ns = kit.reads = 0;
	fake.refuse_group = open_group;
	fake.before_read = take_time;
	return 0;
}

UNIT_TEST(counter_time_is_that_of_one_counter_more)
{
	kit.hardware_ns = 60;
	assert_float_equal(counter_time_ns(&FAKE_FEATURES), 30, 0);
	assert_int_equal(fake_open_count(), 0);
}

UNIT_TEST(counter_time_of_an_emulated_counter_is_slow)
{
	kit.hardware_ns = 2600;
	assert_true(counter_time_ns(&FAKE_FEATURES) >= COUNTER_TIME_SLOW_NS);
}

UNIT_TEST(counter_time_without_difference_is_not_known)
{
	assert_float_equal(counter_time_ns(&FAKE_FEATURES), 0, 0);
}

UNIT_TEST(counter_time_without_counters_or_rights_is_not_known)
{
	for (kit.refused = PERF_TYPE_HARDWARE; kit.refused <= PERF_TYPE_SOFTWARE; kit.refused++) {
		kit.hardware_ns = 2600;
		assert_float_equal(counter_time_ns(&FAKE_FEATURES), 0, 0);
		assert_int_equal(fake_open_count(), 0);
	}
}

int main(void)
{
	return unit_run(setup, NULL);
}
