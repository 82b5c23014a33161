/* The names that are nearest to a mistyped one. */

#include "base/nearest.h"

#include "unit.h"

static void assert_nearest(const char *wanted, const char *const *names, size_t count,
			   const char *expected)
{
	struct nearest nearest;
	char text[256];

	nearest_init(&nearest, wanted);
	for (size_t i = 0; i < count; i++)
		nearest_offer(&nearest, names[i]);
	nearest_format(&nearest, text, sizeof(text));
	assert_string_equal(text, expected);
}

#define ASSERT_NEAREST(wanted, expected, ...)                                                      \
	do {                                                                                       \
		const char *const names[] = {__VA_ARGS__};                                         \
		assert_nearest(wanted, names, COUNT_OF(names), expected);                          \
	} while (0)

UNIT_TEST(nearest_offer_keeps_the_best_three_in_order)
{
	ASSERT_NEAREST("cache-mises", "cache-misses, cache-missed, cache-mixers", "instructions",
		       "cache-mixers", "cache-missed", "cache-mossys", "cache-misses");
}

UNIT_TEST(nearest_offer_counts_swapped_letters_once)
{
	ASSERT_NEAREST("cylces", "cycles, cylcse, cyclss", "cyclss", "cylcse", "cycles");
}

UNIT_TEST(nearest_offer_does_not_mind_case)
{
	ASSERT_NEAREST("llc-loads", "LLC-loads", "LLC-loads");
}

UNIT_TEST(nearest_offer_takes_names_that_contain_it)
{
	ASSERT_NEAREST("switch", "sched:sched_switch", "sched:sched_switch", "page-faults");
	ASSERT_NEAREST("vfs_read_file", "vfs_read", "vfs_read");
}

UNIT_TEST(nearest_offer_takes_names_with_a_part_near_to_it)
{
	ASSERT_NEAREST("cyclez", "cycles, bus-cycles, ref-cycles", "instructions", "ref-cycles",
		       "page-faults", "bus-cycles", "cycles");
	ASSERT_NEAREST("shed:sched_wakup", "sched:sched_wakeup, sched:sched_waking",
		       "sched:sched_waking", "syscalls:sys_enter_read", "sched:sched_wakeup");
	ASSERT_NEAREST("cycels", "cycles, my-cycles-here", "my-cycles-here", "cycles");
}

UNIT_TEST(nearest_offer_ignores_what_is_far)
{
	ASSERT_NEAREST("cycles", "", "instructions", "", "page-faults", "c");
	ASSERT_NEAREST("", "", "a", "ab", "cycles");
	ASSERT_NEAREST("ab", "", "xy", "cd");
}

UNIT_TEST(nearest_offer_takes_a_name_once)
{
	ASSERT_NEAREST("cycle", "cycles", "cycles", "cycles");
}

UNIT_TEST(nearest_offer_leaves_very_long_names_alone)
{
	char name[300], wanted[300];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	strcpy(wanted, name);
	ASSERT_NEAREST(wanted, "", name);
	ASSERT_NEAREST("aaaa", "", name);
	name[NEAREST_NAME_MAX - 1] = '\0';
	wanted[NEAREST_NAME_MAX - 1] = '\0';
	ASSERT_NEAREST(wanted, name, name);
}

UNIT_TEST(nearest_format_cuts_at_a_whole_name)
{
	struct nearest nearest;
	char text[16];

	nearest_init(&nearest, "cycles");
	nearest_offer(&nearest, "cycless");
	nearest_offer(&nearest, "cycle");
	nearest_offer(&nearest, "cyclesss");
	nearest_format(&nearest, text, sizeof(text));

	assert_string_equal(text, "cycle, cycless");
}

int main(void)
{
	return unit_run(NULL, NULL);
}
