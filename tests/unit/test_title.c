/* Short titles of long names. */

#include "view/column.h"
#include "view/title.h"

#include "unit.h"

static void assert_title(const char *event, const char *expected)
{
	char title[TITLE_BYTES_MAX];

	title_of_event(title, event, COLUMN_TITLE_MAX);
	assert_string_equal(title, expected);
}

UNIT_TEST(title_of_short_name_is_all_of_it)
{
	assert_title("cycles", "CYCLES/s");
	assert_title("page-faults", "PAGE-FAULTS/s");
	assert_title("r01c2", "R01C2/s");
}

UNIT_TEST(title_of_long_name_keeps_its_telling_end)
{
	assert_title("branch-instructions", "INSTRUCTIONS/s");
	assert_title("sched:sched_switch", "SCHED_SWITCH/s");
	assert_title("uprobe:/bin/bash:readline", "BASH:READLINE/s");
	assert_title("skl::INST_RETIRED:ANY", "RETIRED:ANY/s");
}

UNIT_TEST(title_without_a_border_is_cut_anywhere)
{
	assert_title("abcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZ/s");
}

UNIT_TEST(title_of_modifier_keeps_it)
{
	assert_title("cycles:u", "CYCLES:u/s");
	assert_title("instructions:u", "INSTRUCTION:u/s");
	assert_title("L1-dcache-load-misses:k", "L1D-MISS:k/s");
}

UNIT_TEST(title_of_a_cache_event_says_which_cache_and_what)
{
	assert_title("L1-dcache-load-misses", "L1D-MISS/s");
	assert_title("LLC-load-misses", "LLC-MISS/s");
	assert_title("LLC-store-misses", "LLC-ST-MISS/s");
	assert_title("dTLB-loads", "DTLB-LOAD/s");
	assert_title("L1-icache-prefetch-misses:u", "L1I-PF-MISS:u/s");
	assert_title("branch-load-misses", "BPU-MISS/s");
	assert_title("branch-misses", "BRANCH-MISSES/s");
	assert_title("LLC-", "LLC-/s");
}

UNIT_TEST(title_of_pmu_terms_is_their_values)
{
	assert_title("msr/tsc/", "MSR/TSC/s");
	assert_title("cpu/event=0x3c,umask=0/", "CPU/0X3C,0/s");
}

UNIT_TEST(title_of_filtered_tracepoint_is_that_of_the_tracepoint)
{
	assert_title("sched:sched_switch/prev_prio<100/", "SCHED_SWITCH/s");
}

UNIT_TEST(title_of_breakpoint_keeps_its_address)
{
	assert_title("mem:0x601040/8:w", "0X601040/8:W/s");
}

/* Whatever the name: it never gets wider, and it is ASCII. */
UNIT_TEST(title_of_anything_is_ascii_and_fits)
{
	static const char *const names[] = {
		"",      "/",    "::::::::::::::::::::",     "ä€ätoo long for it\x01",
		"=====", "a:uk", ":uuuuuuuuuuuuuuuuuuuuuuuu"};
	char title[TITLE_BYTES_MAX];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		title_of_event(title, names[i], COLUMN_TITLE_MAX);
		for (const char *c = title; *c != '\0'; c++)
			assert_true(*c > ' ' && *c < 0x7f);
		assert_true(strlen(title) <= 26);
	}
}

UNIT_TEST(title_add_kind_goes_before_the_rate)
{
	char title[TITLE_BYTES_MAX] = "CYCLES/s";

	title_add_kind(title, "cpu_atom");
	assert_string_equal(title, "CYCLES@ATOM/s");
	strcpy(title, "IPC");
	title_add_kind(title, "armv8_a53");
	assert_string_equal(title, "IPC@ARMV8_A53");
}

int main(void)
{
	return unit_run(NULL, NULL);
}
