/*
 * A day of running, made short: the memory of a history that has been filled for the first time
 * does not grow any more, however many switches and tasks come after that; and it takes no more
 * than --help and the README say, also where each switch is of a task of its own.
 */
#include <malloc.h>

#include "model/history.h"
#include "model/history_actors.h"
#include "model/layout.h"

#include "history_kit.h"
#include "unit.h"

enum {
	WIDTH = QUANTITY_BUILTIN + 8,
	STATED_BYTES = 75,       /* for each switch, where tasks live for longer */
	STATED_STORM_BYTES = 130 /* where each is of a new task */
};

/* Short-lived tasks beside one that is always there. */
struct day {
	struct history *history;
	uint64_t life; /* switches of a task */
	uint64_t time_ns, last_id, lasting, passing;
	uint64_t random;
};

static void live(struct day *day, uint64_t switches)
{
	static const struct snapshot_task always = {.id = 1, .pid = 1, .tid = 1, .name = "init"};
	uint64_t counts[WIDTH] = {0};

	for (uint64_t i = 0; i < switches; i++) {
		struct snapshot_task task = {.id = day->last_id, .pid = 2, .tid = 2, .name = "cc"};

		if (i % day->life == 0) {
			task.id = ++day->last_id;
			day->passing = ACTOR_UNKNOWN;
		}
		day->random = day->random * UINT64_C(6364136223846793005) + 1;
		day->time_ns += day->random >> 52;
		if (!history_actors_ask(history_actors(day->history), day->lasting))
			day->lasting = history_add_actor(day->history, &always);
		if (!history_actors_ask(history_actors(day->history), day->passing))
			day->passing = history_add_actor(day->history, &task);
		counts[QUANTITY_BUILTIN + i % 6] = day->random >> 40;
		history_add(day->history, &(struct switch_entry){
						  .time_ns = day->time_ns,
						  .slice_ns = day->random >> 48,
						  .off_ns = SWITCH_NS_UNKNOWN,
						  .prev = day->lasting,
						  .next = day->passing,
						  .cpu = (int32_t)(i % 2),
						  .has_counts = true,
						  .counts = counts,
					  });
		if (i % 1000 == 999)
			history_settle(day->history, day->time_ns);
	}
}

static size_t most_bytes_of(struct day *day, size_t rounds)
{
	size_t most = 0;

	for (size_t i = 0; i < rounds; i++) {
		live(day, 10000);
		const size_t bytes = history_bytes(day->history);
		most = bytes > most ? bytes : most;
	}
	return most;
}

UNIT_TEST(history_over_a_day_does_not_grow)
{
	struct day day = {.history = history_create(20000, WIDTH), .random = 1, .life = 4};
	const size_t early = most_bytes_of(&day, 40);

	const size_t late = most_bytes_of(&day, 560);

	assert_true(late <= early + early / 50 + HISTORY_ACTORS_PIECE * sizeof(struct actor));
	assert_true(late < kit_bytes_max(day.history));
	assert_int_equal(history_end(day.history), 6000000);
	assert_true(history_end(day.history) - history_first(day.history) >= 20000);
	history_destroy(day.history);
}

/* What is in use, as the allocator counts it. */
static size_t used_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void assert_takes(uint64_t life, size_t stated_bytes)
{
	enum {
		CAPACITY = 200000
	};
	/* sanitizers count otherwise */
	const size_t before __attribute__((unused)) = used_bytes();
	struct day day = {.history = history_create(CAPACITY, WIDTH), .random = 1, .life = life};
	const size_t most = most_bytes_of(&day, 60);

	print_message("%zu bytes for a switch, %llu of a task\n", most / CAPACITY,
		      (unsigned long long)life);
	assert_true(most <= stated_bytes * CAPACITY);
#ifndef PERFTOP_SANITIZED
	/* it counts all that is allocated, in pieces of a block and more besides */
	assert_true(used_bytes() - before <= history_bytes(day.history) * 21 / 20);
#endif
	history_destroy(day.history);
}

UNIT_TEST(history_takes_what_is_stated)
{
	assert_takes(1000, STATED_BYTES);
	assert_takes(1, STATED_STORM_BYTES);
}

UNIT_MAIN(NULL, NULL)
