/* What others take from the counters shows in the states of the events. */

#include "model_kit.h"
#include "unit.h"

static struct model *model;

/* Two groups, planned to count all the time: the second has the events e2 and e3. */
static int begin(void **state)
{
	struct layout layout;

	kit_layout(&layout, 2);
	for (size_t i = 0; i < layout.event_count; i++)
		layout.events[i].state = EVENT_COUNTING;
	model = model_create(&layout);
	layout_fini(&layout);
	feed(model, reading(.seq = 10, .ns = 1000000));
	feed(model, reading(.group = 1, .seq = 10, .ns = 1000000));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1000000));
	model_start(model, 1000000);
	return 0;
}

static int end(void **state)
{
	model_destroy(model);
	return 0;
}

/* An interval of 10 ms in which group 1 was not running for off_ns. */
static const struct snapshot *pass(uint64_t end_ns, uint64_t off_ns)
{
	feed(model, reading(.seq = 10, .ns = end_ns));
	feed(model, reading(.group = 1, .seq = 10, .ns = end_ns, .off_ns = off_ns));
	return model_close_interval(model, end_ns);
}

static int begin_planned(void **state)
{
	model = kit_model(2);
	feed(model, reading(.seq = 10, .ns = 1000000));
	feed(model, reading(.group = 1, .seq = 10, .ns = 1000000));
	model_start(model, 1000000);
	return 0;
}

/* Group 1 takes turns. */
static int begin_rotations(void **state)
{
	model = kit_model(2);
	feed(model, reading(.seq = 10, .ns = 1000000));
	feed(model, reading(.group = 1, .restarts = true, .seq = 10, .ns = 1000000));
	feed(model, switch_in(.tid = 7, .prev = 8, .time = 1000000));
	model_start(model, 1000000);
	return 0;
}

UNIT_TEST_WITH(events_of_a_group_say_how_much_others_took, NULL, NULL)
{
	static const struct {
		const char *name;
		int (*begin)(void **state);
		const char *others;
		uint64_t off_ns,
			later_off_ns; /* of group 1; later: in a second interval; 0: none */
		enum event_state state;
		bool is_contended;
		const char *reason; /* NULL: any */
	} cases[] = {
		{"all the time", begin, "", 0, 0, EVENT_COUNTING, false, ""},
		{"half the time", begin, "", 5000000, 0, EVENT_MULTIPLEXED, true, "50 %"},
		{"others that are known", begin, "perf stat (pid 1234)", 5000000, 0,
		 EVENT_MULTIPLEXED, true,
		 "counted 50 % of the time: the counters are shared with perf stat (pid 1234)"},
		{"others that are not", begin, "", 5000000, 10000000, EVENT_MULTIPLEXED, true,
		 "another perf"},
		{"alone again", begin, "", 5000000, 5000000, EVENT_COUNTING, false, ""},
		{"planned to take turns", begin_planned, "", 0, 0, EVENT_MULTIPLEXED, false, NULL},
		{"of its turns", begin_rotations, "perf (pid 7)", 6000000, 0, EVENT_MULTIPLEXED,
		 true, "counted 40 % of its turns: the counters are shared with perf (pid 7)"},
		{"all its turns", begin_rotations, "", 0, 0, EVENT_MULTIPLEXED, false, NULL},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct snapshot *snapshot;

		begin_case(cases[i].name);
		cases[i].begin(state);
		model_note_others(model, cases[i].others);
		snapshot = pass(11000000, cases[i].off_ns);
		if (cases[i].later_off_ns > 0)
			snapshot = pass(21000000, cases[i].later_off_ns);
		for (size_t event = 2; event < 4; event++) {
			const struct event *got = &snapshot->layout->events[event];

			assert_int_equal(got->state, cases[i].state);
			assert_int_equal(got->is_contended, cases[i].is_contended);
			if (cases[i].reason && cases[i].reason[0] == '\0')
				assert_string_equal(got->reason, "");
			else if (cases[i].reason)
				assert_non_null(strstr(got->reason, cases[i].reason));
		}
		if (cases[i].begin == begin)
			assert_int_equal(snapshot->layout->events[0].state, EVENT_COUNTING);
		end(state);
	}
}

/* That we do not count all the time ourselves is said, but not of turns that others had. */
UNIT_TEST_WITH(events_say_that_a_budget_is_kept, NULL, NULL)
{
	static const struct {
		const char *name;
		int (*begin)(void **state);
		uint64_t off_ns;
		const char *reason;
	} cases[] = {
		{"what we leave out", begin, 5000000,
		 "counted 50 % of the time, to keep the budget"},
		{"nothing to leave out", begin, 0, ""},
		{"of turns that were not empty", begin_rotations, 6000000,
		 "counted 40 % of its turns: the counters are shared with perf"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct snapshot *snapshot;

		begin_case(cases[i].name);
		cases[i].begin(state);
		model_note_others(model, "perf");
		model_note_own(model, &(const struct own_usage){.budget_mpct = 1000,
								.counting_mpct = 50000});
		snapshot = pass(11000000, cases[i].off_ns);
		assert_string_equal(snapshot->layout->events[2].reason, cases[i].reason);
		end(state);
	}
}

/* CPU 0 is of the first kind, CPU 1 of the second, which does not have the event. */
UNIT_TEST_WITH(event_of_one_kind_of_cpus_is_not_crowded_by_the_other, NULL, end)
{
	struct layout layout;

	layout_init(&layout);
	layout.kind_count = 2;
	layout.kinds[1].clock = (uint16_t)layout_add_group(&layout, 1, 0);
	layout_add_event(&layout, "e0");
	layout.events[0].state = EVENT_COUNTING;
	layout_add_counter(&layout, 0, 0);
	model = model_create(&layout);
	layout_fini(&layout);
	for (uint64_t end_ns = 1000000; end_ns < 4000000; end_ns += 1000000) {
		feed(model, reading(.cpu = 0, .group = 0, .seq = 1, .ns = end_ns));
		feed(model, reading(.cpu = 1, .group = 1, .seq = 1, .ns = end_ns));
	}
	const struct snapshot *snapshot = model_close_interval(model, 4000000);

	assert_int_equal(snapshot->layout->events[0].state, EVENT_COUNTING);
}

UNIT_TEST_WITH(event_without_counters_keeps_its_state, NULL, end)
{
	struct layout layout;

	kit_layout(&layout, 2);
	layout.events[3].state = EVENT_COUNTING;
	layout_drop_last_counter(&layout, 1);
	model = model_create(&layout);
	layout_fini(&layout);
	pass(1000000, 0);
	const struct snapshot *snapshot = pass(11000000, 0);

	assert_int_equal(snapshot->layout->events[3].state, EVENT_COUNTING);
}

/* A newborn has run before its counters were opened; nobody took them from it. */
UNIT_TEST(event_that_needs_no_counter_is_never_crowded)
{
	feed(model, reading(.seq = 10, .ns = 11000000, .off_ns = 5000000));
	const struct snapshot *snapshot = model_close_interval(model, 11000000);

	assert_false(snapshot->layout->events[0].is_contended);
	assert_int_equal(snapshot->layout->events[0].state, EVENT_COUNTING);
}

/* The clock's group has counters of the PMU: its software events go with it. */
UNIT_TEST_WITH(event_beside_hardware_in_the_clock_group_is_crowded, NULL, end)
{
	struct layout layout;

	kit_layout(&layout, 1);
	layout.groups[0].needs_counters = true;
	layout.events[0].state = EVENT_COUNTING;
	model = model_create(&layout);
	layout_fini(&layout);
	feed(model, reading(.seq = 10, .ns = 1000000));
	model_start(model, 1000000);
	feed(model, reading(.seq = 10, .ns = 11000000, .off_ns = 5000000));
	const struct snapshot *snapshot = model_close_interval(model, 11000000);

	assert_true(snapshot->layout->events[0].is_contended);
	assert_int_equal(snapshot->layout->events[0].state, EVENT_MULTIPLEXED);
}

UNIT_MAIN(begin, end)
