/*
 * Threads that share a core: how much of its run time a task was beside a busy one, and the IPC of
 * both. Every story starts at 1000 with task 7 on CPU 0 and idle on CPU 1, the other thread of that
 * core; both were read. CPUs 2 and 3 have a core each and are never heard of, CPU 4 is nowhere.
 */
#include "base/topology.h"
#include "model/smt.h"

#include "model_story.h"
#include "unit.h"

enum {
	RUN = QUANTITY_RUN_NS,
	ALONE = QUANTITY_SMT_ALONE_NS,
	BESIDE = QUANTITY_SMT_BESIDE_NS,
	ALONE_CYCLES = QUANTITY_SMT_ALONE_CYCLES,
	ALONE_INSTRUCTIONS = QUANTITY_SMT_ALONE_INSTRUCTIONS,
	BESIDE_CYCLES = QUANTITY_SMT_BESIDE_CYCLES,
	BESIDE_INSTRUCTIONS = QUANTITY_SMT_BESIDE_INSTRUCTIONS
};

/* Each CPU with its core and its thread there. */
struct places {
	size_t count;
	int cores[8][2];
};

static const struct places TWO_THREADS = {4, {{0, 0}, {0, 1}, {1, 0}, {2, 0}}};
static const struct places FOUR_THREADS = {4, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}};
static const struct places NO_SIBLINGS = {4, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}};

static void make_topology(struct topology *topology, const struct places *places)
{
	*topology = (struct topology){0};
	for (size_t i = 0; i < places->count; i++) {
		struct cpu_location *location = topology_add(topology, (int)i);

		location->socket = 0;
		location->core = places->cores[i][0];
		location->thread = places->cores[i][1];
	}
}

static void note(struct model *model, const struct places *places)
{
	struct topology topology;

	make_topology(&topology, places);
	model_note_topology(model, &topology);
	topology_fini(&topology);
}

/* Cycles and instructions in the one group, or in both of two that take turns. */
static struct model *make(size_t groups, const struct places *places)
{
	static const char *const names[] = {"cycles", "instructions"};
	struct layout layout;
	struct model *model;

	layout_init(&layout);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		layout_add_event(&layout, names[i]);
		layout.events[i].state = EVENT_COUNTING;
	}
	for (size_t g = 0; g < groups; g++) {
		if (g > 0)
			layout_add_group(&layout, 0, 1);
		for (size_t i = 0; i < COUNT_OF(names); i++)
			layout_add_counter(&layout, g, i);
	}
	model = model_create(&layout);
	layout_fini(&layout);
	note(model, places);
	return model;
}

static struct model *begin_on(size_t groups, const struct places *places)
{
	struct model *model = make(groups, places);

	for (int cpu = 0; cpu < 2; cpu++)
		for (uint16_t g = 0; g < groups; g++)
			feed(model, reading(.cpu = cpu, .group = g, .seq = 10, .ns = 1000));
	feed(model, switch_in(.cpu = 0, .tid = 7, .prev = 5, .time = 1000));
	feed(model, switch_in(.cpu = 1, .tid = 0, .prev = 5, .time = 1000));
	model_start(model, 1000);
	return model;
}

static struct model *begin(size_t groups)
{
	return begin_on(groups, &TWO_THREADS);
}

static struct model *begin_with_four(size_t groups)
{
	return begin_on(groups, &FOUR_THREADS);
}

static struct model *begin_without(size_t groups)
{
	return begin_on(groups, &NO_SIBLINGS);
}

/* Only CPU 2, with a core of its own. */
static struct model *begin_on_2(size_t groups)
{
	struct model *model = make(groups, &TWO_THREADS);

	feed(model, reading(.cpu = 2, .seq = 10, .ns = 1000));
	feed(model, switch_in(.cpu = 2, .tid = 7, .prev = 5, .time = 1000));
	model_start(model, 1000);
	return model;
}

/* Nothing is known of CPU 1. */
static struct model *begin_alone(size_t groups)
{
	struct model *model = make(groups, &TWO_THREADS);

	feed(model, reading(.cpu = 0, .seq = 10, .ns = 1000));
	feed(model, switch_in(.cpu = 0, .tid = 7, .prev = 5, .time = 1000));
	model_start(model, 1000);
	return model;
}

/* Task 8 runs on CPU 1 for so long. */
static void run_beside(struct model *model, uint64_t from_ns, uint64_t to_ns)
{
	feed(model, sample(.cpu = 1, .seq = 11, .ns = from_ns));
	feed(model, switch_out(.cpu = 1, .next = 8, .time = from_ns));
	feed(model, switch_in(.cpu = 1, .tid = 8, .time = from_ns));
	feed(model,
	     sample(.cpu = 1, .tid = 8, .seq = 12, .ns = to_ns, .values = {to_ns - from_ns, 30}));
	feed(model, switch_out(.cpu = 1, .tid = 8, .time = to_ns));
	feed(model, switch_in(.cpu = 1, .prev = 8, .time = to_ns));
}

static void beside_300_to_700(struct model *model)
{
	run_beside(model, 1300, 1700);
}

static void beside_10_to_990(struct model *model)
{
	run_beside(model, 1010, 1990);
}

static void beside_100_to_200(struct model *model)
{
	run_beside(model, 1100, 1200);
}

static void beside_100_to_201(struct model *model)
{
	run_beside(model, 1100, 1201);
}

/* CPU 1 takes task 8 from idle, of which only the number is known until it leaves. */
static void beside_an_unseen_task(struct model *model)
{
	struct record out = switch_out(.cpu = 1, .next = 8, .time = 1300);

	out.ctx_switch.next_pid = RECORD_TASK_UNKNOWN;
	feed(model, sample(.cpu = 1, .seq = 11, .ns = 1300));
	feed(model, out);
	feed(model, sample(.cpu = 1, .tid = 8, .seq = 12, .ns = 1700, .values = {400, 30}));
	feed(model, switch_out(.cpu = 1, .tid = 8, .time = 1700));
	feed(model, switch_in(.cpu = 1, .prev = 8, .time = 1700));
}

/* clang-format off */
static const struct story STORIES[] = {
	{"time_beside_a_busy_thread_is_known_to_the_nanosecond", .steps = {
		{CALL, .call = beside_300_to_700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 2000},
		{READING, .cpu = 1, .seq = 12, .ns = 2000, .values = {400, 30}},
		{TASK, .tid = 7, .of = RUN, .is = 1000},
		{TASK, .tid = 7, .of = ALONE, .is = 600},
		{TASK, .tid = 7, .of = BESIDE, .is = 400},
		{TASK, .tid = 8, .of = ALONE, .is = 0},
		{TASK, .tid = 8, .of = BESIDE, .is = 400},
		{IDLE, .cpu = 1, .of = BESIDE, .is = 600},
		{COUNTER, .cpu = 0, .of = BESIDE, .is = 400},
		{COUNTER, .cpu = 1, .of = BESIDE, .is = 1000},
		{COUNTER, .cpu = 1, .of = ALONE, .is = 0},
	}},
	{"task_of_which_only_the_number_is_known_is_busy", .steps = {
		{CALL, .call = beside_an_unseen_task},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = ALONE, .is = 600},
		{TASK, .tid = 7, .of = BESIDE, .is = 400},
	}},
	{"mixed_slice_is_of_neither_ipc", .steps = {
		{CALL, .call = beside_300_to_700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 2000},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
		{TASK, .tid = 7, .of = BESIDE_CYCLES, .is = 0},
		{TASK, .tid = 8, .of = BESIDE_CYCLES, .is = 400},
		{TASK, .tid = 8, .of = BESIDE_INSTRUCTIONS, .is = 30},
		{TASK, .tid = 8, .of = ALONE_CYCLES, .is = 0},
		{COUNTER, .cpu = 1, .of = BESIDE_CYCLES, .is = 400},
	}},
	{"slice_with_nine_tenths_alone_is_of_that_ipc", .steps = {
		{CALL, .call = beside_100_to_200},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 900},
		{TASK, .tid = 7, .of = ALONE_INSTRUCTIONS, .is = 1800},
		{TASK, .tid = 7, .of = BESIDE_CYCLES, .is = 0},
		{TASK, .tid = 7, .of = ALONE, .is = 900},
	}},
	{"slice_with_less_is_not", .steps = {
		{CALL, .call = beside_100_to_201},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
		{TASK, .tid = 7, .of = ALONE, .is = 899},
	}},
	{"slice_with_nine_tenths_beside_is_of_that_ipc", .steps = {
		{CALL, .call = beside_10_to_990},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = BESIDE_CYCLES, .is = 900},
		{TASK, .tid = 7, .of = BESIDE_INSTRUCTIONS, .is = 1800},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 980},
	}},
	/* each interval has what was read in it */
	{"slice_that_goes_on_is_divided_where_it_is_read", .steps = {
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1300},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1300},
		{SWITCH_IN, .cpu = 1, .tid = 8, .time = 1300},
		{READING, .seq = 10, .ns = 1500, .values = {450, 900}},
		{READING, .cpu = 1, .seq = 11, .ns = 1500},
		{CLOSE, .time = 1500},
		{TASK, .tid = 7, .of = ALONE, .is = 300},
		{TASK, .tid = 7, .of = BESIDE, .is = 200},
		{TASK, .tid = 8, .of = BESIDE, .is = 200},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1700}},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 500},
		{TASK, .tid = 7, .of = BESIDE_CYCLES, .is = 450},
		{TASK, .tid = 7, .of = BESIDE_INSTRUCTIONS, .is = 800},
		{TOTAL, .tid = 7, .of = BESIDE, .is = 700},
	}},
	/* CPU 0 is read at 1600, when it seems that 8 runs; it has left at 1550. The 50 ns too many
	   are more than what 7 has next, and are taken off behind that. */
	{"switch_that_is_reported_late_is_put_right", .steps = {
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1300},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1300},
		{SWITCH_IN, .cpu = 1, .tid = 8, .time = 1300},
		{READING, .cpu = 1, .seq = 11, .ns = 1500},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1600, .values = {900, 1800}},
		{SWITCH_OUT, .tid = 7, .next = 7, .time = 1600},
		{CLOSE, .time = 1500},
		{TASK, .tid = 7, .of = BESIDE, .is = 300},
		{SAMPLE, .cpu = 1, .tid = 8, .seq = 12, .ns = 1550},
		{SWITCH_OUT, .cpu = 1, .tid = 8, .time = 1550},
		{SAMPLE, .tid = 7, .seq = 12, .ns = 2000, .values = {1300, 2600}},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = BESIDE, .is = 0},
		{TASK, .tid = 7, .of = ALONE, .is = 400},
		{TASK, .tid = 8, .of = RUN, .is = 50},
		{TASK, .tid = 8, .of = BESIDE, .is = 50},
		{SAMPLE, .cpu = 1, .seq = 13, .ns = 2200},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 2200},
		{SAMPLE, .tid = 7, .seq = 13, .ns = 2500, .values = {1800, 3600}},
		{TOTAL, .tid = 7, .of = BESIDE, .is = 300},
		{CLOSE, .time = 2500},
		{TASK, .tid = 7, .of = BESIDE, .is = 250},
		{TASK, .tid = 7, .of = ALONE, .is = 250},
		{TOTAL, .tid = 7, .of = BESIDE, .is = 550},
	}},
	/* the records of both CPUs say 1000 ns, the clock of CPU 0 says 1020 */
	{"clock_that_differs_from_the_records_divides_all_of_it", .steps = {
		{CALL, .call = beside_300_to_700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2020, .time = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = RUN, .is = 1020},
		{TASK, .tid = 7, .of = BESIDE, .is = 408},
		{TASK, .tid = 7, .of = ALONE, .is = 612},
	}},
	/* 8 leaves at 1520 and 9 at 1540, while CPU 0 was read at 1600 */
	{"slice_within_what_has_passed_is_known", .steps = {
		{READING, .cpu = 1, .seq = 10, .ns = 1500},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1600, .values = {900, 1800}},
		{SWITCH_OUT, .tid = 7, .next = 7, .time = 1600},
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1520},
		{SWITCH_OUT, .cpu = 1, .next = 9, .time = 1520},
		{SAMPLE, .cpu = 1, .tid = 9, .seq = 12, .ns = 1540},
		{SWITCH_OUT, .cpu = 1, .tid = 9, .next = 0, .time = 1540},
		{SAMPLE, .tid = 7, .seq = 12, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 9, .of = RUN, .is = 20},
		{TASK, .tid = 9, .of = ALONE, .is = 0},
		{TASK, .tid = 9, .of = BESIDE, .is = 20},
		{TASK, .tid = 7, .of = BESIDE, .is = 20},
		{TASK, .tid = 7, .of = ALONE, .is = 980},
	}},
	{"thread_of_which_nothing_is_known_leaves_it_unknown", .steps = {
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = RUN, .is = 1000},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 0},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
		{INTERVAL, .of = UNKNOWN_SMT, .is = 0},
	}, .begin = begin_alone},
	{"lost_records_of_the_other_thread_leave_it_unknown", .steps = {
		{LOST, .cpu = 1, .lost = 1, .time = 1400},
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1500},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1500},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = RUN, .is = 1000},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 500},
	}},
	{"thread_that_is_off_is_not_busy", .steps = {
		{OFFLINE, .cpu = 1, .time = 1000},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = ALONE, .is = 1000},
		{TASK, .tid = 7, .of = ALONE_INSTRUCTIONS, .is = 1800},
	}},
	{"thread_that_comes_back_is_unknown_until_it_switches", .steps = {
		{OFFLINE, .cpu = 1, .time = 1000},
		{ONLINE, .cpu = 1, .time = 1500},
		{READING, .cpu = 1, .seq = 1, .ns = 1500},
		{SAMPLE, .cpu = 1, .tid = 8, .seq = 2, .ns = 1700},
		{SWITCH_OUT, .cpu = 1, .tid = 8, .next = 0, .time = 1700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = RUN, .is = 1000},
		{TASK, .tid = 7, .of = ALONE, .is = 800},
		{TASK, .tid = 7, .of = BESIDE, .is = 0},
	}},
	/* 7 leaves at 1500 for idle, which leaves no record; 9 comes at 1800 */
	{"idle_that_left_no_record_has_its_part", .steps = {
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1100},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1100},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 1500, .values = {450, 900}},
		{SWITCH_OUT, .tid = 7, .next = 0, .time = 1500},
		{SAMPLE, .cpu = 1, .tid = 8, .seq = 12, .ns = 1600},
		{SWITCH_OUT, .cpu = 1, .tid = 8, .next = 0, .time = 1600},
		{SWITCH_IN, .tid = 9, .prev = 0, .time = 1800},
		{SAMPLE, .tid = 9, .seq = 13, .ns = 2000, .values = {600, 1000}},
		{INTERVAL, .of = MERGED_IDLE, .is = 1},
		{TASK, .tid = 7, .of = BESIDE, .is = 400},
		{TASK, .tid = 7, .of = ALONE, .is = 100},
		{IDLE, .of = BESIDE, .is = 100},
		{IDLE, .of = ALONE, .is = 200},
		{TASK, .tid = 9, .of = ALONE, .is = 200},
		{TASK, .tid = 9, .of = ALONE_CYCLES, .is = 150},
	}},
	{"time_that_passes_unread_is_divided_at_once", .steps = {
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1300},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1300},
		{SAMPLE, .cpu = 0, .tid = 7, .seq = 11, .ns = 1400, .values = {360, 720}},
		{SWITCH_OUT, .cpu = 0, .tid = 7, .next = 7, .time = 1400},
		{UNREAD, .cpu = 0, .time = 1600},
		{CLOSE, .time = 1600},
		{TASK, .tid = 7, .of = RUN, .is = 600},
		{TASK, .tid = 7, .of = ALONE, .is = 300},
		{TASK, .tid = 7, .of = BESIDE, .is = 300},
		{SAMPLE, .cpu = 0, .tid = 7, .seq = 12, .ns = 2000, .values = {900, 1800}},
		{CLOSE, .time = 2000},
		{TASK, .tid = 7, .of = RUN, .is = 400},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 400},
		{TASK, .tid = 7, .of = BESIDE_CYCLES, .is = 540},
	}},
	/* group 1 counts from 1500 on, when 8 has come */
	{"group_that_takes_turns_has_the_slices_of_its_turn", .steps = {
		{SAMPLE, .cpu = 1, .seq = 11, .ns = 1450},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1450},
		{READING, .group = 1, .seq = 10, .ns = 1500, .restarts = true, .values = {50, 60}},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{SAMPLE, .group = 1, .tid = 7, .seq = 11, .ns = 2000, .values = {500, 800}},
		{TASK, .tid = 7, .of = ALONE, .is = 450},
		{TASK, .tid = 7, .of = BESIDE, .is = 550},
		{TASK, .tid = 7, .of = BESIDE_CYCLES, .is = 450},
		{TASK, .tid = 7, .of = BESIDE_INSTRUCTIONS, .is = 740},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
	}, .groups = 2},
	{"any_of_three_others_makes_the_core_busy", .steps = {
		{OFFLINE, .cpu = 2, .time = 1000},
		{OFFLINE, .cpu = 3, .time = 1000},
		{ONLINE, .cpu = 2, .time = 1200},
		{SWITCH_IN, .cpu = 2, .tid = 9, .time = 1200},
		{SWITCH_OUT, .cpu = 1, .next = 8, .time = 1300},
		{SWITCH_OUT, .cpu = 2, .tid = 9, .next = 0, .time = 1600},
		{SWITCH_OUT, .cpu = 1, .tid = 8, .next = 0, .time = 1700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = BESIDE, .is = 500},
		{TASK, .tid = 7, .of = ALONE, .is = 500},
	}, .begin = begin_with_four},
	{"busy_thread_is_known_beside_an_unknown_one", .steps = {
		{CALL, .call = beside_300_to_700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = BESIDE, .is = 400},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
	}, .begin = begin_with_four},
	/* it is alone, but its IPC is no half of a comparison */
	{"cpu_with_a_core_of_its_own_is_alone", .steps = {
		{SAMPLE, .cpu = 2, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = ALONE, .is = 1000},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
	}, .begin = begin_on_2},
	{"cpu_that_is_nowhere_may_share_any_core", .steps = {
		{ONLINE, .cpu = 4, .time = 1400},
		{SAMPLE, .cpu = 2, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = RUN, .is = 1000},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 0},
	}, .begin = begin_on_2},
	{"without_siblings_all_of_it_is_unknown", .steps = {
		{CALL, .call = beside_300_to_700},
		{SAMPLE, .tid = 7, .seq = 11, .ns = 2000, .values = {900, 1800}},
		{TASK, .tid = 7, .of = RUN, .is = 1000},
		{TASK, .tid = 7, .of = ALONE, .is = 0},
		{TASK, .tid = 7, .of = BESIDE, .is = 0},
		{TASK, .tid = 7, .of = ALONE_CYCLES, .is = 0},
		{INTERVAL, .of = UNKNOWN_SMT, .is = LAYOUT_SMT},
	}, .begin = begin_without},
};
/* clang-format on */

static void pass_on(void *context, const struct record *record)
{
	model_feed(context, record);
}

/* A recording that begins where CPU 0 is read later than CPU 1. */
UNIT_TEST(model_that_goes_on_divides_as_the_one_before)
{
	struct model *before = begin(1), *after;

	feed(before, sample(.cpu = 1, .seq = 11, .ns = 1300));
	feed(before, switch_out(.cpu = 1, .next = 8, .time = 1300));
	feed(before, switch_in(.cpu = 1, .tid = 8, .time = 1300));
	feed(before, reading(.cpu = 1, .seq = 11, .ns = 1500));
	feed(before, reading(.cpu = 0, .seq = 10, .ns = 1510, .values = {450, 900}));
	model_close_interval(before, 1510);
	after = make(1, &TWO_THREADS);
	model_resync(before, pass_on, after);
	model_start(after, 1510);
	for (int i = 0; i < 2; i++) {
		struct model *model = i == 0 ? before : after;

		feed(model, sample(.cpu = 1, .tid = 8, .seq = 12, .ns = 1800, .values = {400, 30}));
		feed(model, switch_out(.cpu = 1, .tid = 8, .time = 1800));
		feed(model, sample(.tid = 7, .seq = 11, .ns = 2000, .values = {900, 1700}));
	}

	const struct snapshot *wanted = model_close_interval(before, 2000);
	const struct snapshot *found = model_close_interval(after, 2000);
	assert_int_equal(task_count(wanted, 7, BESIDE), 290);
	assert_int_equal(task_count(found, 7, BESIDE), 290);
	assert_int_equal(task_count(found, 7, ALONE), 200);
	assert_int_equal(task_count(wanted, 8, BESIDE), 300);
	assert_int_equal(task_count(found, 8, BESIDE), 290); /* from CPU 0's reading on */
	model_destroy(before);
	model_destroy(after);
}

/* Threads of a core are found together in whatever order the CPUs are, as on most machines. */
UNIT_TEST(smt_knows_which_cpus_share_a_core)
{
	static const struct {
		const char *name;
		struct places places;
		size_t cores;     /* with threads */
		int core_of_0[2]; /* its CPUs; -1: none */
	} cases[] = {
		{"one behind the other", {4, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}}, 2, {0, 1}},
		{"first all cores, then all second threads",
		 {4, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
		 2,
		 {0, 2}},
		{"no two share one", {2, {{0, 0}, {1, 0}}}, 0, {-1, -1}},
		{"none is known", {2, {{-1, -1}, {-1, -1}}}, 0, {-1, -1}},
		{"one core for itself", {3, {{1, 0}, {0, 0}, {1, 1}}}, 2, {0, 2}},
		{"two dies with cores of the same numbers",
		 {6, {{0, 0}, {0, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}}},
		 1,
		 {-1, -1}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct topology topology;
		struct smt smt = {0};
		const struct smt_thread *thread;

		begin_case(cases[i].name);
		make_topology(&topology, &cases[i].places);
		smt_init(&smt, &topology);
		assert_int_equal(smt.core_count, cases[i].cores);
		assert_int_equal(smt_is_known(&smt), cases[i].cores > 0);
		thread = smt_find(&smt, 0);
		for (size_t j = 0; j < 2 && cases[i].core_of_0[j] >= 0; j++)
			assert_int_equal(thread->core->threads[j].cpu, cases[i].core_of_0[j]);
		if (cases[i].core_of_0[0] < 0)
			assert_null(thread);
		smt_fini(&smt);
		topology_fini(&topology);
	}
}

enum {
	THREADS = 4,
	ROUNDS = 200,
	ROUND_NS = 100,
	END_NS = ROUNDS * ROUND_NS
};

/* What each thread is at each nanosecond, and what follows from it. */
struct truth {
	uint8_t states[THREADS][END_NS];
	uint32_t random;
};

static uint32_t draw(struct truth *truth, uint32_t below)
{
	truth->random = truth->random * 1664525 + 1013904223;
	return (truth->random >> 8) % below;
}

static void make_truth(struct truth *truth)
{
	for (size_t t = 0; t < THREADS; t++) {
		uint8_t state = SMT_UNKNOWN;

		for (size_t ns = 0; ns < END_NS; ns++) {
			if (draw(truth, 30) == 0)
				state = (uint8_t)draw(truth, 3);
			truth->states[t][ns] = state;
		}
	}
}

static struct smt_times true_times(const struct truth *truth, size_t threads, size_t thread,
				   size_t until_ns)
{
	struct smt_times times = {0};

	for (size_t ns = 0; ns < until_ns; ns++) {
		bool is_beside = false, is_unknown = false;

		for (size_t t = 0; t < threads; t++) {
			is_beside = is_beside || (t != thread && truth->states[t][ns] == SMT_BUSY);
			is_unknown =
				is_unknown || (t != thread && truth->states[t][ns] == SMT_UNKNOWN);
		}
		times.beside_ns += is_beside;
		times.unknown_ns += !is_beside && is_unknown;
		times.alone_ns += !is_beside && !is_unknown;
	}
	return times;
}

/* Thread by thread what it did in this round, so that all but the first are late. */
static void report_round(const struct truth *truth, struct smt_core *core, size_t round)
{
	for (size_t t = 0; t < core->count; t++)
		for (size_t ns = round * ROUND_NS; ns < (round + 1) * ROUND_NS; ns++)
			smt_set(&core->threads[t], (enum smt_state)truth->states[t][ns], ns);
}

/* Each round is asked for as a whole, and where a thread is in the middle of it. */
UNIT_TEST(times_are_right_in_whatever_order_threads_are_heard)
{
	static struct truth truth;

	for (uint32_t seed = 1; seed <= 20; seed++) {
		const size_t threads = 2 + seed % (THREADS - 1);
		struct places places = {threads, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}};
		struct topology topology;
		struct smt smt = {0};

		truth.random = seed;
		make_truth(&truth);
		make_topology(&topology, &places);
		smt_init(&smt, &topology);
		for (size_t round = 0; round < ROUNDS; round++) {
			const size_t end_ns = (round + 1) * ROUND_NS, middle_ns = end_ns - 40;

			report_round(&truth, smt.cores, round);
			for (size_t t = 0; t < threads && round % 20 == 19; t++) {
				const struct smt_times end = true_times(&truth, threads, t, end_ns);
				const struct smt_times middle =
					true_times(&truth, threads, t, middle_ns);
				const struct smt_times found = smt_at(&smt.threads[t], end_ns);
				const struct smt_times earlier = smt_at(&smt.threads[t], middle_ns);

				assert_memory_equal(&found, &end, sizeof(end));
				assert_memory_equal(&earlier, &middle, sizeof(middle));
			}
		}
		smt_fini(&smt);
		topology_fini(&topology);
	}
}

int main(void)
{
	return story_run_all(STORIES, COUNT_OF(STORIES), begin);
}
