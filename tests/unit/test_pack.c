/* Packing events into groups: how few there are, and what stays together. */

#include "source/plan/pack.h"

#include "unit.h"

/* A PMU with so many counters; `only` are events of which one counts at a time. */
struct pmu {
	int counters;
	uint64_t only;
	size_t asked;
};

static bool fits(void *context, uint64_t events)
{
	struct pmu *pmu = context;

	pmu->asked++;
	return __builtin_popcountll(events) <= pmu->counters &&
	       __builtin_popcountll(events & pmu->only) <= 1;
}

static uint64_t bits(const char *letters)
{
	uint64_t word = 0;

	for (; *letters != '\0'; letters++)
		word |= UINT64_C(1) << (*letters - 'a');
	return word;
}

/* Weak groups are words of events a, b, c...; a must begins with '!'; the last one is NULL. */
static struct packing pack_on(struct pmu *pmu, const char *events, const char *const *words)
{
	struct pack_weak_group weak_groups[16];
	struct pack_problem problem = {
		.events = bits(events), .weak_groups = weak_groups, .fits = fits, .context = pmu};
	struct packing packing;

	for (; words != NULL && *words != NULL; words++) {
		const bool must = **words == '!';

		weak_groups[problem.weak_group_count++] =
			(struct pack_weak_group){.events = bits(*words + must), .must = must};
	}
	pack(&packing, &problem);
	return packing;
}

static bool holds(const struct packing *packing, const char *events)
{
	for (size_t i = 0; i < packing->count; i++)
		if ((bits(events) & ~packing->groups[i]) == 0)
			return true;
	return false;
}

/* Each group fits, and each event stands in one of them. */
static void assert_sound(struct pmu *pmu, const struct packing *packing, const char *events)
{
	uint64_t all = 0;

	for (size_t i = 0; i < packing->count; i++) {
		assert_true(fits(pmu, packing->groups[i]));
		assert_int_not_equal(packing->groups[i], 0);
		all |= packing->groups[i];
	}
	assert_int_equal(all, bits(events));
}

UNIT_TEST(pack_nothing_gives_no_group)
{
	struct pmu pmu = {.counters = 4};
	struct packing packing = pack_on(&pmu, "", NULL);

	assert_int_equal(packing.count, 0);
}

UNIT_TEST(pack_what_fits_is_one_group)
{
	struct pmu pmu = {.counters = 4};
	struct packing packing = pack_on(&pmu, "abcd", NULL);

	assert_int_equal(packing.count, 1);
	assert_int_equal(packing.groups[0], bits("abcd"));
	assert_int_equal(pmu.asked, 1);
}

/* c cycles, i instructions, r references, m misses, b branch-misses. */
UNIT_TEST(pack_default_events_into_four_counters_keeps_all_formulas)
{
	static const char *const weak_groups[] = {"ic", "mr", "mi", "bi", NULL};
	struct pmu pmu = {.counters = 4};
	struct packing packing = pack_on(&pmu, "cirmb", weak_groups);

	assert_sound(&pmu, &packing, "cirmb");
	assert_int_equal(packing.count, 2);
	for (size_t i = 0; weak_groups[i] != NULL; i++)
		assert_true(holds(&packing, weak_groups[i]));
}

UNIT_TEST(pack_default_events_into_three_counters_keeps_all_formulas)
{
	static const char *const weak_groups[] = {"ic", "mr", "mi", "bi", NULL};
	struct pmu pmu = {.counters = 3};
	struct packing packing = pack_on(&pmu, "cirmb", weak_groups);

	assert_sound(&pmu, &packing, "cirmb");
	assert_int_equal(packing.count, 2);
	for (size_t i = 0; weak_groups[i] != NULL; i++)
		assert_true(holds(&packing, weak_groups[i]));
}

UNIT_TEST(pack_two_counters_prefers_the_more_important_weak_groups)
{
	static const char *const weak_groups[] = {"ic", "mr", "mi", "bi", NULL};
	struct pmu pmu = {.counters = 2};
	struct packing packing = pack_on(&pmu, "cirmb", weak_groups);

	assert_sound(&pmu, &packing, "cirmb");
	assert_int_equal(packing.count, 3);
	assert_true(holds(&packing, "ic"));
	assert_true(holds(&packing, "mr"));
	assert_true(holds(&packing, "bi"));
}

UNIT_TEST(pack_one_counter_makes_a_group_of_each)
{
	static const char *const weak_groups[] = {"ab", NULL};
	struct pmu pmu = {.counters = 1};
	struct packing packing = pack_on(&pmu, "abc", weak_groups);

	assert_sound(&pmu, &packing, "abc");
	assert_int_equal(packing.count, 3);
}

UNIT_TEST(pack_must_is_kept_whatever_is_more_important)
{
	static const char *const weak_groups[] = {"ab", "cd", "!ac", "!bd", NULL};
	struct pmu pmu = {.counters = 2};
	struct packing packing = pack_on(&pmu, "abcd", weak_groups);

	assert_sound(&pmu, &packing, "abcd");
	assert_int_equal(packing.count, 2);
	assert_true(holds(&packing, "ac"));
	assert_true(holds(&packing, "bd"));
}

UNIT_TEST(pack_musts_with_a_common_event_have_a_group_each)
{
	static const char *const weak_groups[] = {"!abc", "!ade", NULL};
	struct pmu pmu = {.counters = 3};
	struct packing packing = pack_on(&pmu, "abcde", weak_groups);

	assert_sound(&pmu, &packing, "abcde");
	assert_int_equal(packing.count, 2);
	assert_true(holds(&packing, "abc"));
	assert_true(holds(&packing, "ade"));
}

UNIT_TEST(pack_weak_group_that_fits_nowhere_costs_nothing)
{
	static const char *const weak_groups[] = {"abcdef", "ab", NULL};
	struct pmu pmu = {.counters = 3};
	struct packing packing = pack_on(&pmu, "abcdef", weak_groups);

	assert_sound(&pmu, &packing, "abcdef");
	assert_int_equal(packing.count, 2);
	assert_true(holds(&packing, "ab"));
}

UNIT_TEST(pack_events_that_exclude_each_other_are_parted)
{
	struct pmu pmu = {.counters = 4, .only = bits("ab")};
	struct packing packing = pack_on(&pmu, "abc", NULL);

	assert_sound(&pmu, &packing, "abc");
	assert_int_equal(packing.count, 2);
}

/* Three counters hold a formula of two events and one event more: first fit takes a fifth group. */
UNIT_TEST(pack_any_number_of_counters_keeps_formulas_in_few_groups)
{
	static const char *const weak_groups[] = {"ab", "cd", "ef", "gh", "ij", "ak", "bl", NULL};

	for (int counters = 1; counters <= 16; counters++) {
		const int fewest = (12 + counters - 1) / counters;
		struct pmu pmu = {.counters = counters};
		struct packing packing = pack_on(&pmu, "abcdefghijkl", weak_groups);

		assert_sound(&pmu, &packing, "abcdefghijkl");
		assert_in_range(packing.count, fewest, fewest + (counters == 3));
		for (size_t i = 0; i < 5 && counters >= 2; i++)
			assert_true(holds(&packing, weak_groups[i]));
	}
}

UNIT_TEST(pack_many_events_and_weak_groups_asks_a_bounded_number_of_times)
{
	char events[27] = {0}, words[40][3];
	const char *weak_groups[16] = {0};
	struct pmu pmu = {.counters = 5};
	struct packing packing;

	for (int i = 0; i < 26; i++)
		events[i] = (char)('a' + i);
	for (int i = 0; i < 15; i++) {
		words[i][0] = (char)('a' + i * 7 % 26);
		words[i][1] = (char)('a' + (i * 11 + 3) % 26);
		words[i][2] = '\0';
		weak_groups[i] = words[i];
	}
	packing = pack_on(&pmu, events, weak_groups);

	assert_sound(&pmu, &packing, events);
	assert_int_equal(packing.count, 6);
	assert_true(pmu.asked < 500);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
