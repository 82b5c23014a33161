/* Who is told apart, and that no sum goes back. */

#include "batch/exposition.h"

#include "unit.h"

static void begin(struct top *top, size_t limit, const uint64_t *keys, size_t count)
{
	top_begin(top, limit);
	for (size_t i = 0; i < count; i++)
		top_offer(top, keys[i], true);
	top_choose(top);
}

#define INTERVAL(top_, limit_, ...)                                                                \
	begin((top_), (limit_), (const uint64_t[]){__VA_ARGS__},                                   \
	      sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void assert_shown(const struct top *top, const uint64_t *keys, size_t count)
{
	assert_int_equal(top->shown_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(top->ones[i]->key, keys[i]);
		assert_true(top->ones[i]->is_shown);
	}
}

/* Where what it did in this interval is added. */
static struct tally *tally_of(struct top *top, uint64_t key)
{
	struct top_one *one = top_find(top, key);

	return one && one->is_shown ? &one->tally : &top->rest;
}

#define SHOWN(top_, ...)                                                                           \
	assert_shown((top_), (const uint64_t[]){__VA_ARGS__},                                      \
		     sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

UNIT_TEST(top_choose_takes_the_first_and_orders_them_by_key)
{
	struct top top = {0};

	INTERVAL(&top, 2, 9, 3, 1);

	SHOWN(&top, 3, 9);
	assert_ptr_equal(tally_of(&top, 1), &top.rest);
	assert_ptr_not_equal(tally_of(&top, 9), &top.rest);
	top_fini(&top);
}

UNIT_TEST(top_choose_of_nobody_shows_nobody)
{
	struct top top = {0};

	top_begin(&top, 5);
	top_choose(&top);
	assert_int_equal(top.shown_count, 0);
	INTERVAL(&top, 0, 1, 2);
	assert_int_equal(top.shown_count, 0);
	assert_ptr_equal(tally_of(&top, 1), &top.rest);
	top_fini(&top);
}

UNIT_TEST(top_choose_keeps_those_who_were_first_while_there_is_room)
{
	struct top top = {0};

	INTERVAL(&top, 3, 1, 2, 3);
	INTERVAL(&top, 3, 4);
	SHOWN(&top, 1, 2, 4);
	INTERVAL(&top, 3, 5, 6);
	SHOWN(&top, 4, 5, 6);
	top_fini(&top);
}

UNIT_TEST(top_offer_lets_nobody_in_who_may_not)
{
	struct top top = {0};

	top_begin(&top, 1);
	top_offer(&top, 7, false);
	top_offer(&top, 8, true);
	top_choose(&top);
	SHOWN(&top, 8);
	top_begin(&top, 1);
	top_offer(&top, 8, false);
	top_choose(&top);
	SHOWN(&top, 8);
	top_fini(&top);
}

UNIT_TEST(top_tally_of_one_that_comes_back_goes_on)
{
	struct top top = {0};

	INTERVAL(&top, 1, 1);
	tally_of(&top, 1)->quantities[0] += 100;
	INTERVAL(&top, 1, 2);
	tally_of(&top, 1)->quantities[0] += 10;
	INTERVAL(&top, 1, 1);
	tally_of(&top, 1)->quantities[0] += 1;

	assert_int_equal(tally_of(&top, 1)->quantities[0], 101);
	assert_int_equal(top.rest.quantities[0], 10);
	top_fini(&top);
}

UNIT_TEST(top_begin_forgets_who_is_over)
{
	struct top top = {0};

	INTERVAL(&top, 3, 1, 2, 3);
	top_find(&top, 1)->is_over = true;
	top_find(&top, 3)->is_reused = true;
	INTERVAL(&top, 3, 4);

	SHOWN(&top, 2, 4);
	assert_null(top_find(&top, 1));
	assert_null(top_find(&top, 3));
	top_fini(&top);
}

UNIT_TEST(top_begin_bounds_what_is_kept)
{
	struct top top = {0};

	for (uint64_t key = 1; key <= 2 * TOP_KEPT_MAX; key++)
		INTERVAL(&top, 2, key);
	assert_true(top.count <= TOP_KEPT_MAX + 3);
	assert_null(top_find(&top, 1));
	assert_non_null(top_find(&top, 2 * TOP_KEPT_MAX));
	assert_non_null(top_find(&top, 2 * TOP_KEPT_MAX - 100));
	top_fini(&top);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
