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

UNIT_TEST(nearest_offer_keeps_the_best_three_in_order)
{
	static const struct {
		const char *name, *wanted, *expected;
		const char *offered[5];
	} cases[] = {
		{"the best three in order",
		 "cache-mises",
		 "cache-misses, cache-missed, cache-mixers",
		 {"instructions", "cache-mixers", "cache-missed", "cache-mossys", "cache-misses"}},
		{"swapped letters count once",
		 "cylces",
		 "cycles, cylcse, cyclss",
		 {"cyclss", "cylcse", "cycles"}},
		{"case does not matter", "llc-loads", "LLC-loads", {"LLC-loads"}},
		{"a name that contains it",
		 "switch",
		 "sched:sched_switch",
		 {"sched:sched_switch", "page-faults"}},
		{"a name that it contains", "vfs_read_file", "vfs_read", {"vfs_read"}},
		{"a part near to it",
		 "cyclez",
		 "cycles, bus-cycles, ref-cycles",
		 {"instructions", "ref-cycles", "page-faults", "bus-cycles", "cycles"}},
		{"two parts",
		 "shed:sched_wakup",
		 "sched:sched_wakeup, sched:sched_waking",
		 {"sched:sched_waking", "syscalls:sys_enter_read", "sched:sched_wakeup"}},
		{"a part inside", "cycels", "cycles, my-cycles-here", {"my-cycles-here", "cycles"}},
		{"what is far", "cycles", "", {"instructions", "", "page-faults", "c"}},
		{"nothing wanted", "", "", {"a", "ab", "cycles"}},
		{"nothing in common", "ab", "", {"xy", "cd"}},
		{"a name once", "cycle", "cycles", {"cycles", "cycles"}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		size_t count = 0;

		while (count < COUNT_OF(cases[i].offered) && cases[i].offered[count])
			count++;
		begin_case(cases[i].name);
		assert_nearest(cases[i].wanted, cases[i].offered, count, cases[i].expected);
	}
}

UNIT_TEST(nearest_offer_leaves_very_long_names_alone)
{
	char name[300], wanted[300];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	strcpy(wanted, name);
	assert_nearest(wanted, (const char *[]){name}, 1, "");
	assert_nearest("aaaa", (const char *[]){name}, 1, "");
	name[NEAREST_NAME_MAX - 1] = '\0';
	wanted[NEAREST_NAME_MAX - 1] = '\0';
	assert_nearest(wanted, (const char *[]){name}, 1, name);
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

UNIT_MAIN(NULL, NULL)
