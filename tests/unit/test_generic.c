/* perf's names of generic and cache events, and the numbers behind them. */

#include <linux/perf_event.h>

#include "kernel/generic.h"

#include "unit.h"

UNIT_TEST(generic_find_names_have_perf_numbers)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} events[] = {
		{"cycles", 0, 0},
		{"cpu-cycles", 0, 0},
		{"instructions", 0, 1},
		{"cache-references", 0, 2},
		{"cache-misses", 0, 3},
		{"branches", 0, 4},
		{"branch-instructions", 0, 4},
		{"branch-misses", 0, 5},
		{"bus-cycles", 0, 6},
		{"stalled-cycles-frontend", 0, 7},
		{"idle-cycles-frontend", 0, 7},
		{"stalled-cycles-backend", 0, 8},
		{"idle-cycles-backend", 0, 8},
		{"ref-cycles", 0, 9},
		{"cpu-clock", 1, 0},
		{"task-clock", 1, 1},
		{"page-faults", 1, 2},
		{"faults", 1, 2},
		{"context-switches", 1, 3},
		{"cs", 1, 3},
		{"cpu-migrations", 1, 4},
		{"migrations", 1, 4},
		{"minor-faults", 1, 5},
		{"major-faults", 1, 6},
		{"alignment-faults", 1, 7},
		{"emulation-faults", 1, 8},
		{"dummy", 1, 9},
		{"bpf-output", 1, 10},
		{"cgroup-switches", 1, 11},
		{"Page-Faults", 1, 2},
	};

	for (size_t i = 0; i < COUNT_OF(events); i++) {
		const struct generic_event *event =
			generic_find(events[i].name, strlen(events[i].name));

		assert_non_null(event);
		assert_int_equal(event->type, events[i].type);
		assert_int_equal(event->config, events[i].config);
	}
}

UNIT_TEST(generic_find_other_names_are_none)
{
	static const char *const names[] = {"", "cycle", "cyclesx", "cycles:u", "nonsense", "tsc"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_null(generic_find(names[i], strlen(names[i])));
	assert_non_null(generic_find("cycles:u", 6));
	assert_true(generic_is_tool("duration_time", 13));
	assert_true(generic_is_tool("user_time", 9));
	assert_false(generic_is_tool("task-clock", 10));
}

static enum cache_answer find(const char *name, uint64_t *config)
{
	return cache_find(name, strlen(name), config);
}

UNIT_TEST(cache_find_spellings_of_perf)
{
	static const struct {
		const char *name;
		uint64_t config; /* cache, operation << 8, result << 16 */
	} events[] = {
		{"L1-dcache-loads", 0x000000},
		{"L1-dcache-load-misses", 0x010000},
		{"L1-dcache-loads-misses", 0x010000},
		{"l1-d-store-miss", 0x010100},
		{"l1d-stores", 0x000100},
		{"L1-data-prefetch-misses", 0x010200},
		{"L1-icache-load-misses", 0x010001},
		{"l1i-prefetches", 0x000201},
		{"l1-i", 0x000001},
		{"L1-instruction-read-access", 0x000001},
		{"LLC", 0x000002},
		{"LLC-loads", 0x000002},
		{"LLC-misses", 0x010002},
		{"LLC-misses-loads", 0x010002},
		{"LLC-misses-stores", 0x010102},
		{"LLC-write-ops", 0x000102},
		{"L2-Reference", 0x000002},
		{"L2-refs", 0x000002},
		{"dTLB-store-misses", 0x010103},
		{"d-tlb-speculative-read-miss", 0x010203},
		{"Data-TLB-speculative-load", 0x000203},
		{"iTLB-load-misses", 0x010004},
		{"i-tlb", 0x000004},
		{"Instruction-TLB-misses", 0x010004},
		{"branch", 0x000005},
		{"branch-loads", 0x000005},
		{"branch-load-misses", 0x010005},
		{"branches-load-misses", 0x010005},
		{"bpu-miss", 0x010005},
		{"btb-loads", 0x000005},
		{"bpc-read", 0x000005},
		{"node", 0x000006},
		{"node-store-misses", 0x010106},
		{"node-prefetches", 0x000206},
		{"LLC-LOAD-misses", 0x010002},
	};

	for (size_t i = 0; i < COUNT_OF(events); i++) {
		uint64_t config = UINT64_MAX;

		assert_int_equal(find(events[i].name, &config), CACHE_FOUND);
		if (config != events[i].config)
			fail_msg("%s: %#lx", events[i].name, (unsigned long)config);
	}
}

UNIT_TEST(cache_find_other_names_are_impossible_or_none)
{
	static const struct {
		enum cache_answer answer;
		const char *const names[16];
	} cases[] = {
		{CACHE_IMPOSSIBLE,
		 {"L1-icache-stores", "L1-icache-store-misses", "iTLB-stores", "iTLB-prefetches",
		  "iTLB-store-misses", "branch-stores", "bpu-prefetches", "branch-write-miss"}},
		{CACHE_NO_NAME,
		 {"", "L1", "LLCx", "LLC-", "LLC-loads-", "LLC-x", "LLC--loads", "nodes", "loads",
		  "misses-LLC", "LLC-load-x", "LLC:loads", "branch-loadsx",
		  "LLC-loads-stores-misses", "LLC-misses-misses"}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		for (const char *const *name = cases[i].names; *name; name++) {
			uint64_t config;

			begin_case(*name);
			assert_int_equal(find(*name, &config), cases[i].answer);
		}
}

UNIT_TEST(names_are_found_by_their_numbers)
{
	static const uint64_t impossible[] = {0x000104, 0x000300, 0x020000, 0x000007, UINT64_MAX};
	char name[CACHE_NAME_MAX];

	assert_string_equal(generic_of(1, 2)->alias, "faults");
	assert_null(generic_of(0, 99));
	assert_null(generic_of(2, 0));
	assert_true(cache_name(0x010001, name));
	assert_string_equal(name, "L1-icache-load-misses");
	for (size_t i = 0; i < COUNT_OF(impossible); i++)
		assert_false(cache_name(impossible[i], name));
}

static void count_name(const char *name, uint64_t config, void *context)
{
	uint64_t found;
	size_t *count = context;

	assert_int_equal(find(name, &found), CACHE_FOUND);
	assert_int_equal(found, config);
	(*count)++;
}

UNIT_TEST(cache_visit_every_name_is_found_again)
{
	size_t count = 0;

	cache_visit(count_name, &count);

	/* 3 + 2 + 3 + 3 + 1 + 1 + 3 operations of two results */
	assert_int_equal(count, 32);
}

UNIT_TEST(branch_words_parse_has_the_bits_of_the_kernel)
{
	static const struct {
		const char *text;
		uint64_t bits; /* 0: refused */
	} cases[] = {
		{"any", PERF_SAMPLE_BRANCH_ANY},
		{"any_call,u", PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER},
		{"any_ret,k", PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_KERNEL},
		{"ind_call,hv", PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_HV},
		{"ind_jmp,cond", PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_COND},
		{"call,in_tx", PERF_SAMPLE_BRANCH_CALL | PERF_SAMPLE_BRANCH_IN_TX},
		{"no_tx,abort_tx", PERF_SAMPLE_BRANCH_NO_TX | PERF_SAMPLE_BRANCH_ABORT_TX},
		{"u", PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY},
		{"save_type,priv", PERF_SAMPLE_BRANCH_TYPE_SAVE | 1 << 18 | PERF_SAMPLE_BRANCH_ANY},
		{"stack", 0},
		{"any,", 0},
		{"", 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint64_t bits;

		begin_case(cases[i].text);
		assert_int_equal(branch_words_parse(cases[i].text, &bits), cases[i].bits != 0);
		if (cases[i].bits != 0)
			assert_int_equal(bits, cases[i].bits);
	}
}

UNIT_MAIN(NULL, NULL)
