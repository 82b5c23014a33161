/* Things that come in rounds of runs are given out by time. */

#include <inttypes.h>

#include "base/strbuf.h"

#include "perfdata/order.h"
#include "unit.h"

static struct order order;

static int tear_down(void **state)
{
	order_fini(&order);
	return 0;
}

/* Each holds its number; the time is given apart. */
static void put(uint64_t time_ns, uint64_t number)
{
	memcpy(order_place(&order, ORDER_PIECE_MAX), &number, sizeof(number));
	order_put(&order, time_ns, sizeof(number));
}

/* Everything that comes out now: "TIME:NUMBER TIME:NUMBER". */
static void assert_out(const char *expected)
{
	struct strbuf text = {0};
	const uint64_t *number;
	uint64_t time_ns;
	size_t size;

	while ((number = order_take(&order, &time_ns, &size)) != NULL) {
		assert_int_equal(size, sizeof(*number));
		strbuf_printf(&text, "%s%" PRIu64 ":%" PRIu64, text.length > 0 ? " " : "", time_ns,
			      *number);
	}
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_fini(&text);
}

/*
 * A story: times that are put and numbered, "|": a round ends, "end": all have come, "?": what
 * comes out now must be the next expectation.
 */
UNIT_TEST(order_gives_out_by_time_what_is_sure)
{
	static const struct {
		const char *name;
		unsigned int rounds; /* that are waited for */
		const char *steps, *expected[4];
		uint64_t late;
	} cases[] = {
		{"nothing before a round has ended, and another that may hold older ones",
		 1,
		 "5 ? | ?",
		 {"", ""},
		 0},
		{"a round gives out what was newest at the last",
		 1,
		 "5 9 | 7 12 | ? end ?",
		 {"5:1 7:3 9:2", "12:4"},
		 0},
		{"equal times keep their order", 1, "8 5 8 5 1 end ?", {"1:5 5:2 5:4 8:1 8:3"}, 0},
		{"without a time at once", 1, "5 0 0 ?", {"0:2 0:3"}, 0},
		{"too late: at once, and counted", 1, "5 9 | | ? 20 6 ?", {"5:1 9:2", "6:4"}, 1},
		{"two rounds: one too late is in order",
		 2,
		 "5 9 | 12 | ? 7 15 | ? end ?",
		 {"", "5:1 7:4 9:2", "12:3 15:5"},
		 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *const *expected = cases[i].expected;
		uint64_t number = 0;

		begin_case(cases[i].name);
		order_init(&order, 0, cases[i].rounds);
		for (const char *step = cases[i].steps; *step != '\0';
		     step += strcspn(step, " "), step += strspn(step, " "))
			if (*step == '|')
				order_round(&order);
			else if (*step == 'e')
				order_end(&order);
			else if (*step == '?')
				assert_out(*expected++);
			else
				put(strtoull(step, NULL, 10), ++number);
		assert_int_equal(order.late, cases[i].late);
		order_fini(&order);
	}
}

/* A run goes on from block to block, and others lie in between. */
UNIT_TEST(order_of_long_runs_keeps_each_piece_whole)
{
	enum {
		EACH = 20000,
		ROUNDS = 5
	};
	uint64_t last = 0, time, count = 0;
	size_t size;

	order_init(&order, 0, 1);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		for (uint64_t cpu = 0; cpu < 3; cpu++)
			for (uint64_t i = 0; i < EACH; i++)
				put(1 + (round * EACH + i) * 3 + cpu, ~i);
		order_round(&order);
		for (const uint64_t *piece; (piece = order_take(&order, &time, &size)) != NULL;) {
			assert_int_equal(time, last + 1);
			assert_int_equal(*piece, ~(count / 3 % EACH));
			last = time;
			count++;
		}
	}
	assert_in_range(order_bytes(&order), 1, 8 * 1024 * 1024);
	order_end(&order);
	while (order_take(&order, &time, &size) != NULL)
		count++;
	assert_int_equal(count, 3 * EACH * ROUNDS);
	assert_int_equal(order.late, 0);
}

UNIT_TEST(order_without_rounds_stays_within_its_memory)
{
	const size_t most = 1024 * 1024;
	uint64_t taken = 0, last = 0, time;
	size_t size;

	order_init(&order, most, 1);
	for (uint64_t i = 0; i < 200000; i++) {
		put(1 + (i ^ 1), i); /* pairs are the wrong way round */
		while (order_is_ready(&order)) {
			order_take(&order, &time, &size);
			assert_true(time >= last);
			last = time;
			taken++;
		}
		assert_in_range(order_bytes(&order), 0, most);
	}
	assert_true(taken > 0); /* no round has ended */
	order_end(&order);
	while (order_take(&order, &time, &size) != NULL)
		taken++;
	assert_int_equal(taken, 200000);
	assert_int_equal(order.late, 0);
}

/* Each is older than the one before: as many runs as pieces. */
UNIT_TEST(order_of_falling_times_stays_within_its_memory)
{
	const size_t most = 1024 * 1024;
	uint64_t taken = 0, time;
	size_t size;

	order_init(&order, most, 1);
	for (uint64_t i = 0; i < 100000; i++) {
		put(1000000 - i, i);
		while (order_take(&order, &time, &size) != NULL)
			taken++;
		assert_in_range(order_bytes(&order), 0, most);
	}
	order_end(&order);
	while (order_take(&order, &time, &size) != NULL)
		taken++;
	assert_int_equal(taken, 100000);
}

UNIT_TEST(order_many_runs_come_out_sorted)
{
	uint64_t last = 0, random = 88172645463325252u, time;
	size_t size, count = 0;

	order_init(&order, 0, 1);
	for (uint64_t i = 0; i < 5000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		put(1 + random % 1000, random);
	}
	order_end(&order);
	for (const void *bytes; (bytes = order_take(&order, &time, &size)) != NULL; count++) {
		assert_true(time >= last);
		last = time;
	}
	assert_int_equal(count, 5000);
}

UNIT_MAIN(NULL, tear_down)
