/* Events in perf's words. What is typed comes out as what perf takes for the same. */

#include <linux/perf_event.h>

#include "base/strbuf.h"

#include "event/event.h"
#include "event/perf_words.h"
#include "unit.h"

static void assert_words(struct event_spec spec, const char *expected)
{
	struct strbuf out = {0};
	const char *reason;

	assert_true(event_perf_words(&spec, &out, &reason));
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_fini(&out);
}

static void assert_none(struct event_spec spec, const char *expected)
{
	struct strbuf out = {0};
	const char *reason = "";

	assert_false(event_perf_words(&spec, &out, &reason));
	assert_non_null(strstr(reason, expected));
	assert_int_equal(out.length, 0);
	strbuf_fini(&out);
}

#define spec_(...) ((struct event_spec){__VA_ARGS__})

UNIT_TEST(words_of_generic_events_are_their_names)
{
	assert_words(
		spec_(.name = "c", .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES),
		"cycles");
	assert_words(spec_(.name = "perf::PERF_COUNT_HW_CACHE_MISSES", .type = PERF_TYPE_HARDWARE,
			   .config = PERF_COUNT_HW_CACHE_MISSES),
		     "cache-misses");
	assert_words(spec_(.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_MIGRATIONS),
		     "migrations");
	assert_words(
		spec_(.type = PERF_TYPE_HW_CACHE,
		      .config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_RESULT_MISS << 16),
		"L1-dcache-load-misses");
}

UNIT_TEST(words_of_one_pmu_of_several_name_it)
{
	assert_words(spec_(.type = PERF_TYPE_HARDWARE, .pmu = "cpu_core",
			   .config = UINT64_C(4) << 32 | PERF_COUNT_HW_INSTRUCTIONS),
		     "cpu_core/instructions/");
}

UNIT_TEST(words_of_raw_events_are_their_numbers)
{
	assert_words(spec_(.name = "skl::INST_RETIRED:ANY", .class = EVENT_CLASS_HARDWARE,
			   .type = PERF_TYPE_RAW, .config = 0x1c2),
		     "cpu/config=0x1c2/");
	assert_words(spec_(.class = EVENT_CLASS_HARDWARE, .type = 10, .pmu = "armv8_pmuv3_0",
			   .config = 8, .config1 = 1, .config2 = 2),
		     "armv8_pmuv3_0/config=0x8,config1=0x1,config2=0x2/");
}

UNIT_TEST(words_of_tracepoints_are_without_the_filter)
{
	assert_words(spec_(.name = "sched:sched_switch/prev_prio<100/",
			   .type = PERF_TYPE_TRACEPOINT, .config = 314, .filter = "prev_prio<100"),
		     "sched:sched_switch");
}

UNIT_TEST(words_of_breakpoints_have_address_length_and_access)
{
	assert_words(spec_(.type = PERF_TYPE_BREAKPOINT, .config1 = 0x601040, .config2 = 4,
			   .bp_type = 2),
		     "mem:0x601040/4:w");
	assert_words(spec_(.type = PERF_TYPE_BREAKPOINT, .config1 = 0x601040, .config2 = 8,
			   .bp_type = 3, .exclude_kernel = true, .exclude_hv = true),
		     "mem:0x601040/8:rw:u");
}

UNIT_TEST(words_have_modifiers)
{
	assert_words(spec_(.type = PERF_TYPE_HARDWARE, .config = 0, .exclude_kernel = true,
			   .exclude_hv = true),
		     "cycles:u");
	assert_words(spec_(.type = PERF_TYPE_HARDWARE, .config = 0, .exclude_user = true,
			   .exclude_hv = true, .precise = 2),
		     "cycles:kpp");
	assert_words(spec_(.class = EVENT_CLASS_HARDWARE, .type = PERF_TYPE_RAW, .config = 0xc0,
			   .exclude_user = true, .precise = 1),
		     "cpu/config=0xc0/khp");
}

UNIT_TEST(words_of_what_cannot_be_sampled_are_none)
{
	assert_none(spec_(.class = EVENT_CLASS_SOFTWARE, .type = 9, .pmu = "msr"), "cannot sample");
	assert_none(spec_(.type = 7, .pmu = "uprobe", .target = "/bin/bash"), "perf probe");
	assert_none(spec_(.name = "mine", .type = PERF_TYPE_TRACEPOINT), "no name");
	assert_none(spec_(.type = PERF_TYPE_SOFTWARE, .config = 4711), "no name");
	assert_none(spec_(.type = PERF_TYPE_HW_CACHE, .config = 0xffffff), "no name");
}

/* perf's own names, by way of our parser. */
UNIT_TEST(words_are_what_was_typed)
{
	static const char *const names[] = {
		"cycles",          "instructions",  "cs",         "page-faults:u",
		"LLC-load-misses", "dTLB-stores:k", "task-clock",
	};
	struct event_finder *finder = event_finder_create("/nowhere");

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct event_set found = {0};
		const char *expected =
			strcmp(names[i], "page-faults:u") == 0 ? "faults:u" : names[i];

		assert_true(event_find(finder, names[i], &found, NULL, NULL));
		assert_words(found.evsels[0].specs[0], expected);
		event_set_fini(&found);
	}
	event_finder_destroy(finder);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
