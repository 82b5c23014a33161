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

/* c cycles, i instructions, r references, m misses, b branch-misses. */
UNIT_TEST(pack_puts_events_into_few_groups_and_keeps_what_belongs_together)
{
	static const struct {
		const char *name, *events;
		int counters;
		const char *only, *weak_groups[5];
		size_t count;            /* of groups */
		const char *together[5]; /* in one of them */
	} cases[] = {
		{"nothing", "", 4, "", {NULL}, 0, {NULL}},
		{"what fits", "abcd", 4, "", {NULL}, 1, {"abcd"}},
		{"the default events, four counters",
		 "cirmb",
		 4,
		 "",
		 {"ic", "mr", "mi", "bi"},
		 2,
		 {"ic", "mr", "mi", "bi"}},
		{"the default events, three",
		 "cirmb",
		 3,
		 "",
		 {"ic", "mr", "mi", "bi"},
		 2,
		 {"ic", "mr", "mi", "bi"}},
		{"the more important ones, two",
		 "cirmb",
		 2,
		 "",
		 {"ic", "mr", "mi", "bi"},
		 3,
		 {"ic", "mr", "bi"}},
		{"one counter", "abc", 1, "", {"ab"}, 3, {NULL}},
		{"a must, whatever is more important",
		 "abcd",
		 2,
		 "",
		 {"ab", "cd", "!ac", "!bd"},
		 2,
		 {"ac", "bd"}},
		{"musts with a common event", "abcde", 3, "", {"!abc", "!ade"}, 2, {"abc", "ade"}},
		{"one that fits nowhere", "abcdef", 3, "", {"abcdef", "ab"}, 2, {"ab"}},
		{"events that exclude each other", "abc", 4, "ab", {NULL}, 2, {NULL}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct pmu pmu = {.counters = cases[i].counters, .only = bits(cases[i].only)};
		struct packing packing;

		begin_case(cases[i].name);
		packing = pack_on(&pmu, cases[i].events, cases[i].weak_groups);
		assert_true(cases[i].count != 1 || pmu.asked == 1);
		assert_sound(&pmu, &packing, cases[i].events);
		assert_int_equal(packing.count, cases[i].count);
		for (size_t k = 0; cases[i].together[k]; k++)
			assert_true(holds(&packing, cases[i].together[k]));
	}
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

UNIT_MAIN(NULL, NULL)
