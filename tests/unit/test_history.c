#include "base/memory.h"
#include "base/topology.h"
#include "model/history.h"
#include "model/history_actors.h"
#include "model/layout.h"
#include "model/stream.h"

#include "history_kit.h"
#include "unit.h"

enum {
	EVENTS = 3,
	WIDTH = QUANTITY_BUILTIN + EVENTS,
#ifdef PERFTOP_SANITIZED /* fuzz_history walks there, too */
	WALKS_APART = 8
#else
	WALKS_APART = 1
#endif
};

static const struct snapshot_task shell = {.id = 7, .pid = 70, .tid = 71, .name = "sh"};

static struct history *history; /* of two blocks, unless a test asks for more */

static int set_up(void **state)
{
	history = history_create(HISTORY_BLOCK, WIDTH);
	return 0;
}

static int tear_down(void **state)
{
	history_destroy(history);
	return 0;
}

static void create(size_t capacity)
{
	history_destroy(history);
	history = history_create(capacity, WIDTH);
}

static void add(int32_t cpu, uint64_t time_ns)
{
	history_add(history, &(struct switch_entry){.time_ns = time_ns, .cpu = cpu});
}

static uint64_t count_of(uint64_t sequence, size_t place)
{
	uint64_t *counts = xcalloc(history_width(history), sizeof(*counts));

	history_counts(history, sequence, 1, counts);
	const uint64_t count = counts[place];
	free(counts);
	return count;
}

/* Every nanosecond one switch, of one CPU. */
static void add_many(size_t count)
{
	const uint64_t end = history_end(history);

	for (size_t i = 0; i < count; i++)
		add(0, end + i);
}

static void add_of(uint64_t left, uint64_t time_ns)
{
	history_add(history, &(struct switch_entry){.time_ns = time_ns, .prev = left});
}

static uint64_t time_of(const struct history *of, uint64_t sequence)
{
	return history_number(of, sequence, HISTORY_TIME_NS);
}

static void assert_times(const uint64_t *times, size_t count)
{
	assert_int_equal(history_end(history) - history_first(history), count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(time_of(history, history_first(history) + i), times[i]);
}

static void assert_same_entry(const struct switch_entry *got, const struct switch_entry *put)
{
	assert_int_equal(got->time_ns, put->time_ns);
	assert_int_equal(got->slice_ns, put->slice_ns);
	assert_int_equal(got->off_ns, put->off_ns);
	assert_int_equal(got->wait_ns, put->wait_ns);
	assert_int_equal(got->prev, put->prev);
	assert_int_equal(got->next, put->next);
	assert_int_equal(got->queued_by, put->queued_by);
	assert_int_equal(got->cpu, put->cpu);
	assert_int_equal(got->from_cpu, put->from_cpu);
	assert_int_equal(got->how, put->how);
	assert_int_equal(got->state, put->state);
	assert_int_equal(got->next_was_preempted, put->next_was_preempted);
	assert_int_equal(got->has_counts, put->has_counts);
}

/* An entry of which no two numbers are the same. */
static struct switch_entry full_entry(const uint64_t *counts)
{
	const struct snapshot_task other = {.id = 8, .pid = 80, .tid = 80, .name = "cc"};

	return (struct switch_entry){
		.time_ns = 1000,
		.slice_ns = 300,
		.off_ns = SWITCH_NS_UNKNOWN,
		.wait_ns = 17,
		.prev = history_add_actor(history, &shell),
		.next = history_add_actor(history, &other),
		.queued_by = ACTOR_IDLE,
		.cpu = 5,
		.from_cpu = -1,
		.how = SWITCH_YIELDED,
		.next_was_preempted = true,
		.has_counts = true,
		.counts = counts,
	};
}

/* Open, and sealed. */
UNIT_TEST(history_get_gives_what_was_added)
{
	const uint64_t counts[WIDTH] = {[QUANTITY_BUILTIN] = 4, 5, UINT64_MAX};
	const struct switch_entry put = full_entry(counts);
	struct switch_entry got;
	uint64_t own[WIDTH];

	history_add(history, &put);
	for (int pass = 0; pass < 2; pass++) {
		history_get(history, 0, &got, own);
		assert_same_entry(&got, &put);
		assert_ptr_equal(got.counts, own);
		assert_memory_equal(own + QUANTITY_BUILTIN, counts + QUANTITY_BUILTIN,
				    EVENTS * sizeof(*own));
		history_get(history, 0, &got, NULL);
		assert_null(got.counts);
		for (uint64_t i = 0; i < HISTORY_BLOCK && pass == 0; i++)
			add(0, 2000 + i);
		history_settle(history, UINT64_MAX);
	}
	assert_int_equal(count_of(0, QUANTITY_BUILTIN + 1), 5);
}

UNIT_TEST(history_count_of_what_is_not_known_is_none)
{
	const uint64_t counts[WIDTH] = {[QUANTITY_BUILTIN] = 4, 5, 6};

	history_add(history, &(struct switch_entry){.slice_ns = SWITCH_NS_UNKNOWN});
	history_add(history, &(struct switch_entry){.counts = counts});
	history_add(history, &(struct switch_entry){.has_counts = true});

	assert_int_equal(count_of(0, QUANTITY_RUN_NS), 0);
	assert_int_equal(history_number(history, 0, HISTORY_SLICE_NS), SWITCH_NS_UNKNOWN);
	for (uint64_t i = 1; i < 3; i++) {
		assert_int_equal(count_of(i, QUANTITY_BUILTIN), 0);
		assert_int_equal(history_number(history, i, HISTORY_HAS_COUNTS), i == 2);
	}
}

/* Twice: the second has numbers that have no room in a row. */
UNIT_TEST(history_add_of_a_whole_slice_keeps_all_of_its_reading)
{
	const size_t first = QUANTITY_BUILTIN;
	const struct event_group group = {.value_indexes = {(uint32_t)first + 3, (uint32_t)first},
					  .count = 2,
					  .value_index = first + 1,
					  .slices_index = first + 4};
	struct slice slice = {.group = &group};
	struct switch_entry got;
	uint64_t own[QUANTITY_BUILTIN + 5];

	history_destroy(history);
	history = history_create(HISTORY_BLOCK, QUANTITY_BUILTIN + 5);
	for (uint64_t i = 0; i < 2; i++) {
		const uint64_t more = i << 32;

		slice.delta[READING_RUNNING_NS] = 7;
		slice.delta[READING_VALUES] = 8 + more;
		slice.delta[READING_VALUES + 1] = 9 + more;
		slice.bits = 15 | more;
		history_add(history, &(struct switch_entry){.time_ns = i,
							    .slice_ns = 6,
							    .has_counts = true,
							    .whole = &slice});
		history_get(history, i, &got, own);

		assert_int_equal(got.slice_ns, 6);
		assert_int_equal(own[QUANTITY_RUN_NS], 6);
		const uint64_t expected[] = {9 + more, 7, 0, 8 + more, 1};
		assert_memory_equal(own + first, expected, sizeof(expected));
	}
}

UNIT_TEST(history_add_orders_by_time_and_keeps_the_order_of_each_cpu)
{
	static const struct {
		const char *name;
		struct added {
			int32_t cpu;
			uint64_t time_ns;
		} added[9], expected[9];
		size_t count;
	} cases[] = {
		{"CPU after CPU",
		 {{2, 30}, {2, 60}, {2, 90}, {1, 20}, {1, 50}, {1, 80}, {0, 10}, {0, 40}, {0, 70}},
		 {{0, 10}, {1, 20}, {2, 30}, {0, 40}, {1, 50}, {2, 60}, {0, 70}, {1, 80}, {2, 90}},
		 9},
		{"the same time stays behind",
		 {{2, 10}, {1, 20}, {0, 10}},
		 {{2, 10}, {0, 10}, {1, 20}},
		 3},
		{"a clock went backwards",
		 {{0, 30}, {1, 10}, {0, 20}},
		 {{1, 10}, {0, 30}, {0, 20}},
		 3},
		{"CPUs without a number",
		 {{-1, 30}, {TOPOLOGY_CPUS_MAX - 1, 20}, {-1, 10}},
		 {{TOPOLOGY_CPUS_MAX - 1, 20}, {-1, 30}, {-1, 10}},
		 3},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		create(HISTORY_BLOCK);
		for (size_t k = 0; k < cases[i].count; k++)
			add(cases[i].added[k].cpu, cases[i].added[k].time_ns);
		assert_int_equal(history_end(history), cases[i].count);
		for (size_t k = 0; k < cases[i].count; k++) {
			const struct added *expected = &cases[i].expected[k];

			assert_int_equal(time_of(history, k), expected->time_ns);
			assert_int_equal((int32_t)history_number(history, k, HISTORY_CPU),
					 expected->cpu);
		}
	}
	assert_int_equal(history_number(history, 2, HISTORY_CPU), UINT64_MAX);
}

UNIT_TEST(history_get_derives_the_builtin_counts)
{
	static const bool is_preemption[SWITCH_HOWS] = {
		[SWITCH_PREEMPTED] = true, [SWITCH_YIELDED] = true};
	struct switch_entry got;
	uint64_t own[WIDTH];

	for (int how = 0; how < SWITCH_HOWS; how++)
		history_add(history,
			    &(struct switch_entry){.slice_ns = 40, .how = (enum switch_how)how});

	for (int how = 0; how < SWITCH_HOWS; how++) {
		uint64_t expected[WIDTH] = {[QUANTITY_RUN_NS] = 40, [QUANTITY_SWITCHES] = 1};

		expected[QUANTITY_PREEMPTIONS] = is_preemption[how];
		history_get(history, (uint64_t)how, &got, own);
		assert_memory_equal(own, expected, sizeof(own));
		for (size_t place = 0; place < WIDTH; place++)
			assert_int_equal(count_of((uint64_t)how, place), expected[place]);
	}
}

UNIT_TEST(history_settle_numbers_below_keep_their_entries)
{
	add(0, 10);
	add(0, 20);
	add(0, 30);
	history_settle(history, 20);
	assert_int_equal(history_settled(history), 2);
	add(1, 5); /* contrary to what was said */
	add(2, 25);

	assert_times((const uint64_t[]){10, 20, 5, 25, 30}, 5);
	assert_int_equal(history_settled(history), 2);
	history_settle(history, 15); /* is no news */
	assert_int_equal(history_settled(history), 3);
	history_settle(history, 40);
	assert_int_equal(history_settled(history), 5);
}

UNIT_TEST(history_settled_of_sealed_entries_is_behind_them)
{
	create(10 * HISTORY_BLOCK);

	add_many(3 * HISTORY_BLOCK);
	history_settle(history, 2 * HISTORY_BLOCK + 9);

	assert_int_equal(history_settled(history), 2 * HISTORY_BLOCK + 10);
	assert_int_equal(history_end(history), 3 * HISTORY_BLOCK);
}

UNIT_TEST(history_full_drops_whole_blocks_and_keeps_enough)
{
	const size_t capacity = 2 * HISTORY_BLOCK + 1;
	create(capacity);

	assert_int_equal(history_capacity(history), 4 * HISTORY_BLOCK);
	add_many(4 * HISTORY_BLOCK);
	assert_int_equal(history_first(history), 0);
	add_many(1);

	assert_int_equal(history_first(history), HISTORY_BLOCK);
	assert_int_equal(time_of(history, HISTORY_BLOCK), HISTORY_BLOCK);
	assert_int_equal(time_of(history, 4 * HISTORY_BLOCK), 4 * HISTORY_BLOCK);
	assert_true(history_end(history) - history_first(history) >= capacity);
}

UNIT_TEST(history_that_nobody_settles_is_sealed_all_the_same)
{
	enum {
		COUNT = 100 * HISTORY_BLOCK
	};
	create(COUNT);

	add_many(COUNT);

	assert_int_equal(history_end(history), COUNT);
	assert_true(history_settled(history) > COUNT / 4);
	assert_true(history_bytes(history) < COUNT * (size_t)WIDTH * sizeof(uint32_t));
	assert_true(history_bytes(history) <= kit_bytes_max(history));
}

UNIT_TEST(history_unknown_numbers_take_no_more_room)
{
	enum {
		COUNT = 8 * HISTORY_BLOCK
	};
	struct history *known = history_create(COUNT, WIDTH);
	struct history *partly = history_create(COUNT, WIDTH);

	for (uint64_t i = 0; i < COUNT; i++) {
		struct switch_entry entry = {.time_ns = i, .off_ns = 1000 + i % 100};

		history_add(known, &entry);
		entry.off_ns = i % 2 ? SWITCH_NS_UNKNOWN : entry.off_ns;
		entry.from_cpu = -1;
		history_add(partly, &entry);
	}
	history_settle(known, UINT64_MAX);
	history_settle(partly, UINT64_MAX);

	assert_int_equal(history_bytes(partly), history_bytes(known));
	assert_int_equal(history_number(partly, 1, HISTORY_OFF_NS), SWITCH_NS_UNKNOWN);
	assert_int_equal(history_number(partly, 2, HISTORY_OFF_NS), 1002);
	history_destroy(known);
	history_destroy(partly);
}

UNIT_TEST(history_numbers_run_over_blocks_and_open_entries)
{
	enum {
		COUNT = 3 * HISTORY_BLOCK
	};
	create(COUNT);
	uint64_t *numbers = xcalloc(COUNT, sizeof(*numbers));

	add_many(COUNT);
	history_settle(history, COUNT - 100);
	history_numbers(history, 5, COUNT - 10, HISTORY_TIME_NS, numbers);

	for (uint64_t i = 0; i < COUNT - 10; i++)
		assert_int_equal(numbers[i], 5 + i);
	assert_int_equal(numbers[COUNT - 10], 0);
	free(numbers);
}

UNIT_TEST(history_widen_leaves_zeros_in_what_was_before)
{
	const uint64_t counts[WIDTH + 1] = {[WIDTH - 1] = 8, 9};
	const struct switch_entry entry = {.has_counts = true, .counts = counts};
	struct switch_entry got;
	uint64_t own[WIDTH + 1];

	for (size_t i = 0; i <= HISTORY_BLOCK; i++)
		history_add(history, &entry);
	history_settle(history, 0); /* all but the last are sealed */
	history_widen(history, WIDTH + 1);
	history_add(history, &entry);

	assert_int_equal(history_width(history), WIDTH + 1);
	for (uint64_t i = 0; i < history_end(history); i += HISTORY_BLOCK / 2) {
		history_get(history, i, &got, own);
		assert_int_equal(own[WIDTH - 1], 8);
		assert_int_equal(own[WIDTH], 0);
	}
	assert_int_equal(count_of(HISTORY_BLOCK + 1, WIDTH), 9);
}

UNIT_TEST(history_copy_stays_as_it_was)
{
	uint64_t actor = history_add_actor(history, &shell);

	add_of(actor, 0);
	add_many(HISTORY_BLOCK + 10);
	history_settle(history, HISTORY_BLOCK + 5);
	struct history *copy = history_copy(history);
	add_many(10 * HISTORY_BLOCK);
	history_widen(history, WIDTH + 4);
	create(HISTORY_BLOCK);

	assert_int_equal(history_first(copy), 0);
	assert_int_equal(history_end(copy), HISTORY_BLOCK + 11);
	assert_int_equal(history_settled(copy), HISTORY_BLOCK + 6);
	assert_int_equal(history_width(copy), WIDTH);
	assert_int_equal(time_of(copy, HISTORY_BLOCK + 10), HISTORY_BLOCK + 10);
	assert_string_equal(history_find_actor(copy, history_number(copy, 0, HISTORY_PREV))->name,
			    "sh");
	history_destroy(copy);
}

/* Both in blocks and among the open ones, back and on. */
UNIT_TEST(history_show_hides_what_is_later)
{
	static const uint64_t times[] = {
		0,
		1,
		HISTORY_BLOCK - 1,
		HISTORY_BLOCK,
		HISTORY_BLOCK + 5,
		17,
		2 * HISTORY_BLOCK + 9,
	};
	create(4 * HISTORY_BLOCK);

	add_many(2 * HISTORY_BLOCK + 10);
	history_settle(history, 2 * HISTORY_BLOCK + 10);
	struct history *copy = history_copy(history);
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		history_show(copy, times[i]);
		assert_int_equal(history_settled(copy), times[i] + 1);
		assert_int_equal(history_end(copy), times[i] + 1);
		assert_int_equal(history_seek(copy, times[i]), times[i]);
		assert_int_equal(history_seek(copy, times[i] + 1), times[i] + 1);
		assert_int_equal(history_seek(copy, UINT64_MAX), times[i] + 1);
		assert_int_equal(time_of(copy, times[i]), times[i]);
	}
	history_show(copy, 3 * HISTORY_BLOCK);
	assert_int_equal(history_settled(copy), 2 * HISTORY_BLOCK + 10);
	history_show(copy, 7);
	history_show(copy, UINT64_MAX);
	assert_int_equal(history_settled(copy), 2 * HISTORY_BLOCK + 10);
	assert_int_equal(history_settled(history), 2 * HISTORY_BLOCK + 10);
	history_destroy(copy);
}

UNIT_TEST(history_show_before_all_shows_nothing)
{
	struct history *empty = history_copy(history);

	history_settle(history, 10);
	assert_int_equal(history_end(history), 0);
	assert_int_equal(history_settled(history), 0);
	assert_int_equal(history_seek(history, 0), 0);
	assert_int_equal(history_end(empty), 0);
	history_destroy(empty);
	history_destroy(NULL);

	for (uint64_t i = 0; i < 5; i++)
		add(0, 100 + i);
	history_settle(history, 200);
	struct history *copy = history_copy(history);
	history_show(copy, 99);
	assert_int_equal(history_settled(copy), 0);
	assert_int_equal(history_first(copy), 0);
	assert_int_equal(history_seek(copy, 0), 0);
	history_destroy(copy);
}

UNIT_TEST(history_seek_finds_the_first_that_is_not_earlier)
{
	static const struct {
		uint64_t time_ns, sequence;
	} cases[] = {
		{0, 0},
		{110, 2},
		{111, 4},
		{100 + HISTORY_BLOCK * 5, HISTORY_BLOCK},
		{100 + HISTORY_BLOCK * 5 - 9, HISTORY_BLOCK},
		{91 + HISTORY_BLOCK * 15, 3 * HISTORY_BLOCK},
	};
	create(3 * HISTORY_BLOCK);

	for (uint64_t i = 0; i < 3 * HISTORY_BLOCK; i++)
		add(0, 100 + i / 2 * 10); /* each time is there twice */
	history_settle(history, 100 + HISTORY_BLOCK * 10);
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(history_seek(history, cases[i].time_ns), cases[i].sequence);

	/* where a clock went backwards all are looked at */
	create(HISTORY_BLOCK);
	for (uint64_t i = 0; i < HISTORY_BLOCK; i++)
		add(0, i < 64 ? 10000 + i : i);
	history_settle(history, UINT64_MAX);
	assert_int_equal(history_settled(history), HISTORY_BLOCK);
	assert_int_equal(history_seek(history, 10000), 0);
	assert_int_equal(history_seek(history, 10063), 63);
	assert_int_equal(history_seek(history, 10064), HISTORY_BLOCK);
}

UNIT_TEST(history_seek_of_what_was_dropped_finds_what_is_not_earlier)
{
	create(3 * HISTORY_BLOCK);

	add(0, 1000); /* all others come behind it */
	for (uint64_t i = 1; i < 5 * HISTORY_BLOCK; i++)
		add(0, 5);
	add(0, 2000);
	history_settle(history, 1000);

	assert_true(history_first(history) > 0);
	assert_int_equal(history_seek(history, 500), 5 * HISTORY_BLOCK);
}

UNIT_TEST(history_add_actor_is_the_task_as_it_was_named)
{
	struct snapshot_task renamed = shell;
	const uint64_t number = history_add_actor(history, &shell);

	strcpy(renamed.name, "cc");
	assert_true(number >= ACTOR_FIRST);
	assert_true(history_actors_ask(history_actors(history), number));
	assert_false(history_actors_ask(history_actors(history), ACTOR_UNKNOWN));
	const uint64_t second = history_add_actor(history, &renamed);

	assert_true(second != number);
	assert_string_equal(history_find_actor(history, second)->name, "cc");
	const struct actor *actor = history_find_actor(history, number);
	assert_int_equal(actor->number, number);
	assert_int_equal(actor->task_id, 7);
	assert_int_equal(actor->pid, 70);
	assert_int_equal(actor->tid, 71);
	assert_string_equal(actor->name, "sh");
}

UNIT_TEST(history_actor_without_a_name_gets_one_and_a_long_one_is_cut)
{
	struct snapshot_task task = shell;

	task.name[0] = '\0';
	const uint64_t number = history_add_actor(history, &task);
	assert_string_equal(history_find_actor(history, number)->name, "");
	history_name_actor(history, number, &shell);
	assert_string_equal(history_find_actor(history, number)->name, "sh");

	memset(task.name, 'x', sizeof(task.name));
	const uint64_t second = history_add_actor(history, &task);
	assert_int_equal(strlen(history_find_actor(history, second)->name), TASK_NAME_MAX - 1);
}

UNIT_TEST(history_find_actor_knows_idle_and_unknown)
{
	assert_string_equal(history_find_actor(history, ACTOR_IDLE)->name, "idle");
	assert_int_equal(history_find_actor(history, ACTOR_IDLE)->pid, 0);
	assert_string_equal(history_find_actor(history, ACTOR_UNKNOWN)->name, "");
	assert_int_equal(history_find_actor(history, ACTOR_UNKNOWN)->tid, -1);
	assert_null(history_find_actor(history, ACTOR_FIRST));
}

/* Others come, so many that whoever may go has gone. */
static void ask_for_others(void)
{
	struct snapshot_task task = {.id = 1000};

	for (size_t i = 0; i < 100000; i++, task.id++)
		history_add_actor(history, &task);
}

UNIT_TEST(history_actor_is_kept_until_its_last_block_is_dropped)
{
	const uint64_t number = history_add_actor(history, &shell);

	add_of(number, 0);
	ask_for_others(); /* the entry is open */
	assert_non_null(history_find_actor(history, number));
	add_many(2 * HISTORY_BLOCK - 1);
	history_settle(history, HISTORY_BLOCK);
	ask_for_others();
	assert_non_null(history_find_actor(history, number));
	assert_int_equal(history_first(history), 0);
	add_many(1);
	ask_for_others();

	assert_int_equal(history_first(history), HISTORY_BLOCK);
	assert_null(history_find_actor(history, number));
	assert_false(history_actors_ask(history_actors(history), number));
}

/* Its entry is sealed before the others come. */
UNIT_TEST(history_actor_of_a_sealed_entry_is_kept_when_it_is_not_young_any_more)
{
	const uint64_t number = history_add_actor(history, &shell);

	add_of(number, 0);
	add_many(HISTORY_BLOCK - 1);
	history_settle(history, HISTORY_BLOCK);
	ask_for_others();
	ask_for_others();

	assert_int_equal(history_number(history, 0, HISTORY_PREV), number);
	assert_non_null(history_find_actor(history, number));
}

/* Or it would keep the many that were born when it was. */
UNIT_TEST(history_actor_that_lives_on_gets_a_new_number_at_last)
{
	struct snapshot_task task = {.id = 1000};
	uint64_t number = history_add_actor(history, &shell);
	const uint64_t first = number;
	size_t numbers = 1, most = 0;

	for (size_t i = 0; i < 4 * HISTORY_ACTORS_YOUNG * HISTORY_ACTORS_PIECE; i++, task.id++) {
		const uint64_t before = number;

		history_add_actor(history, &task);
		if (!history_actors_ask(history_actors(history), number))
			number = history_add_actor(history, &shell);
		numbers += number != before;
		most = history_bytes(history) > most ? history_bytes(history) : most;
	}

	assert_null(history_find_actor(history, first));
	assert_int_equal(history_find_actor(history, number)->task_id, shell.id);
	assert_in_range(numbers, 4, 5);
	assert_true(most <= kit_bytes_max(history));
}

UNIT_TEST(history_name_actor_leaves_copies_as_they_are)
{
	struct snapshot_task task = shell;

	task.name[0] = '\0';
	const uint64_t number = history_add_actor(history, &task);
	struct history *copy = history_copy(history);
	history_name_actor(history, number, &shell);
	const uint64_t later = history_add_actor(history, &(struct snapshot_task){.id = 9});

	assert_string_equal(history_find_actor(history, number)->name, "sh");
	assert_string_equal(history_find_actor(copy, number)->name, "");
	assert_null(history_find_actor(copy, later));
	history_destroy(copy);
	assert_string_equal(history_find_actor(history, number)->name, "sh");
}

UNIT_TEST(history_actor_that_nobody_names_goes_but_not_at_once)
{
	const size_t before = kit_bytes_max(history);
	struct snapshot_task task = {.id = 1000};
	uint64_t last = ACTOR_UNKNOWN;

	for (size_t i = 0; i < 100000; i++, task.id++) {
		const uint64_t number = history_add_actor(history, &task);

		if (last != ACTOR_UNKNOWN)
			assert_non_null(history_find_actor(history, last));
		last = number;
	}

	assert_null(history_find_actor(history, ACTOR_FIRST));
	assert_true(history_bytes(history) <= before);
}

UNIT_TEST(history_add_queued_by_a_task_that_is_gone_is_unknown)
{
	const uint64_t number = history_add_actor(history, &shell);

	history_add(history, &(struct switch_entry){.queued_by = number});
	assert_int_equal(history_number(history, 0, HISTORY_QUEUED_BY), number);
	add_many(4 * HISTORY_BLOCK);
	ask_for_others();
	history_add(history, &(struct switch_entry){.time_ns = 1 << 20, .queued_by = number});

	assert_int_equal(history_number(history, history_end(history) - 1, HISTORY_QUEUED_BY),
			 ACTOR_UNKNOWN);
}

UNIT_TEST(history_bytes_of_the_worst_are_below_the_most)
{
	create(3 * HISTORY_BLOCK);
	struct snapshot_task task = {.id = 1};
	uint64_t counts[WIDTH];

	for (uint64_t i = 0; i < 20 * HISTORY_BLOCK; i++) {
		const uint64_t wide = i % 2 ? UINT64_MAX - 1 : i;
		struct switch_entry entry = {.time_ns = i, .slice_ns = wide, .off_ns = wide};

		for (size_t k = 0; k < WIDTH; k++)
			counts[k] = wide;
		entry.has_counts = true;
		entry.counts = counts;
		entry.prev = history_add_actor(history, &task);
		task.id++;
		entry.next = history_add_actor(history, &task);
		task.id++;
		entry.queued_by = history_add_actor(history, &task);
		task.id++;
		history_add(history, &entry);
		assert_true(history_bytes(history) <= kit_bytes_max(history));
	}
	/* It is not far from it either. */
	assert_true(history_bytes(history) > kit_bytes_max(history) / 4);
}

/* --- against plain arrays, under random steps */

static void walk(size_t capacity, size_t steps, uint64_t seed)
{
	struct history_kit kit;

	kit_init(&kit, capacity, WIDTH, seed);
	for (size_t i = 0; i < steps; i++) {
		const uint64_t random = kit_random(&kit);
		uint8_t bytes[KIT_STEP_BYTES];

		memcpy(bytes, &random, sizeof(bytes));
		kit_step(&kit, bytes);
	}
	kit_check(&kit, 1);
	assert_int_equal(history_end(kit.history), kit.count);
	kit_fini(&kit);
}

UNIT_TEST(history_under_random_steps_is_what_was_put_in)
{
	for (uint64_t seed = 1; seed <= 25; seed += WALKS_APART)
		walk(1 + (size_t)seed * 300, 300, seed);
	walk(5 * HISTORY_BLOCK, 1500, 77);
}

UNIT_TEST(switch_how_name_of_each_is_its_own)
{
	static const char *const names[] = {[SWITCH_UNKNOWN] = "unknown",
					    [SWITCH_PREEMPTED] = "preempted",
					    [SWITCH_BLOCKED] = "blocked",
					    [SWITCH_YIELDED] = "yielded",
					    [SWITCH_EXITED] = "exited",
					    [SWITCH_IDLE] = "idle",
					    [SWITCH_HOWS] = ""};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_string_equal(switch_how_name((enum switch_how)i), names[i]);
}

UNIT_MAIN(set_up, tear_down)
