/* What others take from the counters shows in the states of the events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model_kit.h"

/* Two groups, planned to count all the time: the second has the events e2 and e3. */
static struct model *begin(void)
{
	struct layout layout;

	kit_layout(&layout, 2);
	for (size_t i = 0; i < layout.event_count; i++)
		layout.events[i].state = EVENT_COUNTING;
	struct model *model = model_create(&layout);
	layout_fini(&layout);
	feed(model, reading(.seq = 10, .ns = 1000000));
	feed(model, reading(.group = 1, .seq = 10, .ns = 1000000));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1000000));
	model_start(model, 1000000);
	return model;
}

/* An interval of 10 ms in which group 1 was not running for off_ns. */
static const struct snapshot *pass(struct model *model, uint64_t end_ns, uint64_t off_ns)
{
	feed(model, reading(.seq = 10, .ns = end_ns));
	feed(model, reading(.group = 1, .seq = 10, .ns = end_ns, .off_ns = off_ns));
	return model_close_interval(model, end_ns);
}

static void event_counted_all_the_time_is_counting(void **state)
{
	(void)state;
	struct model *model = begin();

	const struct snapshot *snapshot = pass(model, 11000000, 0);

	assert_int_equal(snapshot->layout->events[2].state, EVENT_COUNTING);
	assert_string_equal(snapshot->layout->events[2].reason, "");
	model_destroy(model);
}

static void event_counted_half_the_time_is_multiplexed_with_reason(void **state)
{
	(void)state;
	struct model *model = begin();

	const struct snapshot *snapshot = pass(model, 11000000, 5000000);

	assert_int_equal(snapshot->layout->events[2].state, EVENT_MULTIPLEXED);
	assert_non_null(strstr(snapshot->layout->events[3].reason, "50 %"));
	assert_int_equal(snapshot->layout->events[0].state, EVENT_COUNTING);
	model_destroy(model);
}

static void event_alone_again_is_counting_again(void **state)
{
	(void)state;
	struct model *model = begin();

	pass(model, 11000000, 5000000);
	const struct snapshot *snapshot = pass(model, 21000000, 5000000);

	assert_int_equal(snapshot->layout->events[2].state, EVENT_COUNTING);
	model_destroy(model);
}

static void event_planned_to_take_turns_keeps_its_reason(void **state)
{
	(void)state;
	struct model *model = kit_model(2);

	feed(model, reading(.seq = 10, .ns = 1000000));
	feed(model, reading(.group = 1, .seq = 10, .ns = 1000000));
	model_start(model, 1000000);
	const struct snapshot *snapshot = pass(model, 11000000, 0);

	assert_int_equal(snapshot->layout->events[2].state, EVENT_MULTIPLEXED);
	model_destroy(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(event_counted_all_the_time_is_counting),
		cmocka_unit_test(event_counted_half_the_time_is_multiplexed_with_reason),
		cmocka_unit_test(event_alone_again_is_counting_again),
		cmocka_unit_test(event_planned_to_take_turns_keeps_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
