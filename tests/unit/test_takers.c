/* A wait for a CPU, split among the tasks that ran on it. */

#include "model/history.h"
#include "view/takers.h"

#include "unit.h"

enum {
	VICTIM = 5,
	RCU,
	HOG,
	OTHER
};

/* The takers of a wait for CPU 1 as words: "6:15 7:985". */
static const char *split(const struct takers *takers, uint64_t begin_ns, uint64_t end_ns)
{
	static char text[TAKERS_MAX * 24];
	struct taker shares[TAKERS_MAX];
	const size_t count = takers_split(takers, 1, begin_ns, end_ns, RCU, shares);
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		length +=
			(size_t)snprintf(text + length, sizeof(text) - length, "%s%d:%d",
					 i > 0 ? " " : "", (int)shares[i].actor, (int)shares[i].ns);
	return text;
}

UNIT_TEST(wait_is_charged_to_each_task_that_ran_in_it)
{
	struct takers takers = {0};

	takers_note(&takers, 1, 1000, 300, VICTIM, RCU);
	takers_note(&takers, 1, 1015, 15, RCU, HOG);
	takers_note(&takers, 0, 1500, 900, OTHER, ACTOR_IDLE);
	takers_note(&takers, 1, 2000, 985, HOG, VICTIM);

	assert_string_equal(split(&takers, 1000, 2000), "7:985 6:15");
	takers_fini(&takers);
}

UNIT_TEST(wait_counts_a_taker_that_ran_twice_once)
{
	struct takers takers = {0};

	takers_note(&takers, 1, 1000, 300, VICTIM, HOG);
	takers_note(&takers, 1, 1100, 100, HOG, OTHER);
	takers_note(&takers, 1, 1300, 200, OTHER, HOG);
	takers_note(&takers, 1, 1600, 300, HOG, VICTIM);

	assert_string_equal(split(&takers, 1000, 1600), "7:400 8:200");
	takers_fini(&takers);
}

UNIT_TEST(wait_does_not_charge_idle)
{
	struct takers takers = {0};

	takers_note(&takers, 1, 1000, 300, VICTIM, HOG);
	takers_note(&takers, 1, 1100, 100, HOG, ACTOR_IDLE);
	takers_note(&takers, 1, 1900, 800, ACTOR_IDLE, OTHER);

	assert_string_equal(split(&takers, 1000, 2000), "8:100 7:100");
	takers_fini(&takers);
}

UNIT_TEST(wait_that_ended_elsewhere_is_charged_to_the_task_that_still_runs)
{
	struct takers takers = {0};

	takers_note(&takers, 1, 1000, 300, VICTIM, RCU);
	takers_note(&takers, 1, 1020, 20, RCU, HOG);

	assert_string_equal(split(&takers, 1000, 1500), "7:480 6:20");
	takers_fini(&takers);
}

UNIT_TEST(wait_of_which_nothing_is_known_is_the_first_takers)
{
	struct takers takers = {0};

	assert_string_equal(split(&takers, 1000, 1500), "6:500");
	/* the slice is shorter than the time between the switches: another ran, not seen */
	takers_note(&takers, 1, 1000, 300, VICTIM, RCU);
	takers_note(&takers, 1, 1500, 100, HOG, VICTIM);
	assert_string_equal(split(&takers, 1000, 1500), "7:100 6:400");
	assert_string_equal(split(&takers, 1500, 1500), "");
	takers_fini(&takers);
}

/* The first one ran for 15 ns, two others then took turns, more often than slices are kept. */
UNIT_TEST(wait_of_more_slices_than_are_kept_blames_no_task_for_them)
{
	const uint64_t slices = 2 * TAKERS_SLICES;
	struct taker shares[TAKERS_MAX];
	struct takers takers = {0};
	uint64_t unknown_ns = 0;
	size_t count;

	takers_note(&takers, 1, 1000, 300, VICTIM, RCU);
	takers_note(&takers, 1, 1015, 15, RCU, HOG);
	for (uint64_t i = 1; i <= slices; i++)
		takers_note(&takers, 1, 1015 + 5 * i, 5, i % 2 > 0 ? HOG : OTHER,
			    i % 2 > 0 ? OTHER : HOG);
	count = takers_split(&takers, 1, 1000, 1015 + 5 * slices, RCU, shares);

	assert_int_equal(count, 3);
	for (size_t i = 0; i < count; i++) {
		assert_int_not_equal(shares[i].actor, RCU);
		unknown_ns += shares[i].actor == ACTOR_UNKNOWN ? shares[i].ns : 0;
	}
	assert_int_equal(unknown_ns, 15 + 5 * (slices - TAKERS_SLICES + 1));
	takers_fini(&takers);
}

UNIT_TEST(wait_adds_up_however_many_slices_lie_in_it)
{
	struct taker shares[TAKERS_MAX];
	struct takers takers = {0};
	uint64_t sum = 0;
	size_t count;

	for (uint64_t i = 1; i <= 3 * TAKERS_SLICES; i++)
		takers_note(&takers, 1, 10 * i, 10, 10 + i % 1000, 10 + (i + 1) % 1000);
	count = takers_split(&takers, 1, 5, 30 * TAKERS_SLICES, RCU, shares);

	assert_int_equal(count, TAKERS_MAX);
	assert_int_equal(shares[TAKERS_MAX - 1].actor, ACTOR_UNKNOWN); /* of 1000 */
	for (size_t i = 0; i < count; i++)
		sum += shares[i].ns;
	assert_int_equal(sum, 30 * TAKERS_SLICES - 5);
	takers_fini(&takers);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
