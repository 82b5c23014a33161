/*
 * Who is named in a history, and for how long he is kept.
 */

#include "model/history.h"
#include "model/layout.h"

#include "unit.h"

enum {
	WIDTH = QUANTITY_BUILTIN + 3
};

static const struct snapshot_task shell = {.id = 7, .pid = 70, .tid = 71, .name = "sh"};

/* Of two blocks. */
static struct history *small(void)
{
	return history_create(HISTORY_BLOCK, WIDTH);
}

static void add_of(struct history *history, uint64_t left, uint64_t time_ns)
{
	history_add(history, &(struct switch_entry){.time_ns = time_ns, .left = left});
}

static void add_many(struct history *history, size_t count)
{
	const uint64_t end = history_end(history);

	for (size_t i = 0; i < count; i++)
		add_of(history, ACTOR_UNKNOWN, end + i);
}

UNIT_TEST(history_actor_of_the_same_name_is_the_same)
{
	struct history *history = small();
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &shell);

	assert_true(number >= ACTOR_FIRST);
	assert_int_equal(history_actor(history, number, &shell), number);

	const struct actor *actor = history_find_actor(history, number);
	assert_int_equal(actor->number, number);
	assert_int_equal(actor->task_id, 7);
	assert_int_equal(actor->pid, 70);
	assert_int_equal(actor->tid, 71);
	assert_string_equal(actor->name, "sh");
	history_destroy(history);
}

UNIT_TEST(history_actor_of_another_name_or_task_is_another)
{
	struct history *history = small();
	struct snapshot_task renamed = shell, another = shell;
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &shell);

	strcpy(renamed.name, "cc");
	another.id = 8;
	const uint64_t second = history_actor(history, number, &renamed);
	const uint64_t third = history_actor(history, number, &another);

	assert_true(second != number && third != number && third != second);
	assert_string_equal(history_find_actor(history, number)->name, "sh");
	assert_string_equal(history_find_actor(history, second)->name, "cc");
	history_destroy(history);
}

UNIT_TEST(history_name_actor_without_a_name_gives_it_one)
{
	struct history *history = small();
	struct snapshot_task nameless = shell;

	nameless.name[0] = '\0';
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &nameless);

	assert_string_equal(history_find_actor(history, number)->name, "");
	history_name_actor(history, number, &shell);
	assert_int_equal(history_actor(history, number, &shell), number);
	assert_string_equal(history_find_actor(history, number)->name, "sh");
	history_destroy(history);
}

UNIT_TEST(history_actor_of_a_name_without_end_is_cut)
{
	struct history *history = small();
	struct snapshot_task task = shell;

	memset(task.name, 'x', sizeof(task.name));
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &task);

	assert_int_equal(strlen(history_find_actor(history, number)->name), TASK_NAME_MAX - 1);
	assert_int_equal(history_actor(history, number, &task), number);
	history_destroy(history);
}

UNIT_TEST(history_find_actor_knows_idle_and_unknown)
{
	struct history *history = small();

	assert_string_equal(history_find_actor(history, ACTOR_IDLE)->name, "idle");
	assert_int_equal(history_find_actor(history, ACTOR_IDLE)->pid, 0);
	assert_string_equal(history_find_actor(history, ACTOR_UNKNOWN)->name, "");
	assert_int_equal(history_find_actor(history, ACTOR_UNKNOWN)->tid, -1);
	assert_null(history_find_actor(history, ACTOR_FIRST));
	history_destroy(history);
}

/* Others come, so many that whoever may go has gone. */
static void ask_for_others(struct history *history)
{
	struct snapshot_task task = {.id = 1000};

	for (size_t i = 0; i < 100000; i++, task.id++)
		history_actor(history, ACTOR_UNKNOWN, &task);
}

UNIT_TEST(history_actor_that_an_open_entry_names_is_kept)
{
	struct history *history = small();
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &shell);

	add_of(history, number, 10);
	ask_for_others(history);

	assert_non_null(history_find_actor(history, number));
	history_destroy(history);
}

UNIT_TEST(history_actor_is_kept_until_its_last_block_is_dropped)
{
	struct history *history = small();
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &shell);

	add_of(history, number, 0);
	add_many(history, 2 * HISTORY_BLOCK - 1);
	history_settle(history, HISTORY_BLOCK);
	ask_for_others(history);
	assert_non_null(history_find_actor(history, number));
	assert_int_equal(history_first(history), 0);
	add_many(history, 1);
	ask_for_others(history);

	assert_int_equal(history_first(history), HISTORY_BLOCK);
	assert_null(history_find_actor(history, number));
	assert_true(history_actor(history, number, &shell) > number);
	history_destroy(history);
}

UNIT_TEST(history_actor_that_nobody_names_goes_but_not_at_once)
{
	struct history *history = small();
	const size_t before = history_bytes_max(history);
	struct snapshot_task task = {.id = 1000};
	uint64_t last = ACTOR_UNKNOWN;

	for (size_t i = 0; i < 100000; i++, task.id++) {
		const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &task);

		if (last != ACTOR_UNKNOWN)
			assert_non_null(history_find_actor(history, last));
		last = number;
	}

	assert_null(history_find_actor(history, ACTOR_FIRST));
	assert_true(history_bytes(history) <= before);
	history_destroy(history);
}

UNIT_TEST(history_add_pushed_by_one_who_is_gone_is_unknown)
{
	struct history *history = small();
	const uint64_t number = history_actor(history, ACTOR_UNKNOWN, &shell);

	history_add(history, &(struct switch_entry){.pushed_by = number});
	assert_int_equal(history_number(history, 0, HISTORY_PUSHED_BY), number);
	add_many(history, 4 * HISTORY_BLOCK);
	ask_for_others(history);
	history_add(history, &(struct switch_entry){.time_ns = 1 << 20, .pushed_by = number});

	assert_int_equal(history_number(history, history_end(history) - 1, HISTORY_PUSHED_BY),
			 ACTOR_UNKNOWN);
	history_destroy(history);
}

UNIT_TEST(history_bytes_of_the_worst_are_below_the_most)
{
	struct history *history = history_create(3 * HISTORY_BLOCK, WIDTH);
	struct snapshot_task task = {.id = 1};
	uint64_t counts[WIDTH];

	for (uint64_t i = 0; i < 20 * HISTORY_BLOCK; i++) {
		const uint64_t wide = i % 2 ? UINT64_MAX - 1 : i;
		struct switch_entry entry = {.time_ns = i, .slice_ns = wide, .off_ns = wide};

		for (size_t k = 0; k < WIDTH; k++)
			counts[k] = wide;
		entry.has_counts = true;
		entry.counts = counts;
		entry.left = history_actor(history, ACTOR_UNKNOWN, &task);
		task.id++;
		entry.came = history_actor(history, ACTOR_UNKNOWN, &task);
		task.id++;
		entry.pushed_by = history_actor(history, ACTOR_UNKNOWN, &task);
		task.id++;
		history_add(history, &entry);
		assert_true(history_bytes(history) <= history_bytes_max(history));
	}
	/* It is not far from it either. */
	assert_true(history_bytes(history) > history_bytes_max(history) / 4);
	history_destroy(history);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
