/*
 * Generic and cache names.
 *
 * A cache event's name is CACHE["-"OPERATION]["-"RESULT], the last two in any order; without an
 * operation it is loads, without a result it is all of them: L1-dcache-loads,
 * L1-dcache-load-misses, LLC-misses, dTLB. Each part has several spellings; perf writes the first
 * for the cache, the plural for an operation that comes last.
 */

#include "kernel/generic.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <linux/perf_event.h>

enum {
	SPELLINGS_MAX = 5
};

static const struct generic_event EVENTS[] = {
	/* clang-format off */
	{"cpu-cycles",              "cycles",               PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,              "cycles of the core's clock while it is not halted"},
	{"instructions",            NULL,                   PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,            "instructions that were carried out to their end"},
	{"cache-references",        NULL,                   PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES,        "accesses to a cache; which one depends on the processor (perftop check)"},
	{"cache-misses",            NULL,                   PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,            "accesses to that cache that did not find their data there"},
	{"branch-instructions",     "branches",             PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,     "branches that were carried out"},
	{"branch-misses",           NULL,                   PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,           "branches that went another way than predicted"},
	{"bus-cycles",              NULL,                   PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES,              "cycles of the bus while the core is not halted"},
	{"stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles in which no instruction could be issued for want of fetched ones"},
	{"stalled-cycles-backend",  "idle-cycles-backend",  PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,  "cycles in which instructions waited for data or for a free unit"},
	{"ref-cycles",              NULL,                   PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES,          "cycles of a clock that does not follow the core's frequency"},
	{"cpu-clock",               NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,               "time on the CPU by the CPU's clock, in nanoseconds"},
	{"task-clock",              NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,              "time on the CPU by the task's clock, in nanoseconds"},
	{"page-faults",             "faults",               PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,             "page faults of both kinds"},
	{"context-switches",        "cs",                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,        "switches from one task to another"},
	{"cpu-migrations",          "migrations",           PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,          "moves of a task to another CPU"},
	{"minor-faults",            NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN,         "page faults served without reading from a device"},
	{"major-faults",            NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ,         "page faults that had to read from a device"},
	{"alignment-faults",        NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS,        "unaligned accesses that the kernel carried out (not on x86)"},
	{"emulation-faults",        NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS,        "instructions that the kernel emulated"},
	{"cgroup-switches",         NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES,         "switches to a task of another control group"},
	{"bpf-output",              NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT,              "records written by BPF programs; as a count always 0"},
	{"dummy",                   NULL,                   PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,                   "nothing: its count is always 0"},
	/* clang-format on */
};

static const char *const TOOLS[] = {"duration_time", "user_time", "system_time"};

/* Spellings of a part, the one that perf writes first; of operations the second is the plural. */
typedef const char *spellings[SPELLINGS_MAX];

/* clang-format off */
static const spellings CACHES[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D]  = {"L1-dcache", "l1-d", "l1d", "L1-data"},
	[PERF_COUNT_HW_CACHE_L1I]  = {"L1-icache", "l1-i", "l1i", "L1-instruction"},
	[PERF_COUNT_HW_CACHE_LL]   = {"LLC", "L2"},
	[PERF_COUNT_HW_CACHE_DTLB] = {"dTLB", "d-tlb", "Data-TLB"},
	[PERF_COUNT_HW_CACHE_ITLB] = {"iTLB", "i-tlb", "Instruction-TLB"},
	[PERF_COUNT_HW_CACHE_BPU]  = {"branch", "branches", "bpu", "btb", "bpc"},
	[PERF_COUNT_HW_CACHE_NODE] = {"node"},
};

static const spellings OPERATIONS[PERF_COUNT_HW_CACHE_OP_MAX] = {
	[PERF_COUNT_HW_CACHE_OP_READ]     = {"load", "loads", "read"},
	[PERF_COUNT_HW_CACHE_OP_WRITE]    = {"store", "stores", "write"},
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {"prefetch", "prefetches", "speculative-read", "speculative-load"},
};

static const spellings RESULTS[PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = {"refs", "Reference", "ops", "access"},
	[PERF_COUNT_HW_CACHE_RESULT_MISS]   = {"misses", "miss"},
};

enum {
	READ     = 1 << PERF_COUNT_HW_CACHE_OP_READ,
	WRITE    = 1 << PERF_COUNT_HW_CACHE_OP_WRITE,
	PREFETCH = 1 << PERF_COUNT_HW_CACHE_OP_PREFETCH
};

/* What can be done with each: nothing stores into instructions or branches. */
static const int POSSIBLE[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D]  = READ | WRITE | PREFETCH,
	[PERF_COUNT_HW_CACHE_L1I]  = READ | PREFETCH,
	[PERF_COUNT_HW_CACHE_LL]   = READ | WRITE | PREFETCH,
	[PERF_COUNT_HW_CACHE_DTLB] = READ | WRITE | PREFETCH,
	[PERF_COUNT_HW_CACHE_ITLB] = READ,
	[PERF_COUNT_HW_CACHE_BPU]  = READ,
	[PERF_COUNT_HW_CACHE_NODE] = READ | WRITE | PREFETCH,
};
/* clang-format on */

static bool is_spelled(const char *word, const char *name, size_t length)
{
	return word && strlen(word) == length && strncasecmp(word, name, length) == 0;
}

const struct generic_event *generic_events(size_t *count)
{
	*count = sizeof(EVENTS) / sizeof(EVENTS[0]);
	return EVENTS;
}

const struct generic_event *generic_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(EVENTS) / sizeof(EVENTS[0]); i++)
		if (is_spelled(EVENTS[i].name, name, length) ||
		    is_spelled(EVENTS[i].alias, name, length))
			return &EVENTS[i];
	return NULL;
}

const struct generic_event *generic_of(uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < sizeof(EVENTS) / sizeof(EVENTS[0]); i++)
		if (EVENTS[i].type == type && EVENTS[i].config == config)
			return &EVENTS[i];
	return NULL;
}

bool generic_is_tool(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(TOOLS) / sizeof(TOOLS[0]); i++)
		if (is_spelled(TOOLS[i], name, length))
			return true;
	return false;
}

/*
 * Takes one part off the front of [*at, end) and the hyphen behind it. Returns its row in the
 * table; `rows` when none of them is there.
 */
static size_t take_cache_word(const char **at, const char *end, const spellings *table, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < SPELLINGS_MAX && table[i][j]; j++) {
			size_t length = strlen(table[i][j]), room = (size_t)(end - *at);

			if (length > room || strncasecmp(*at, table[i][j], length) != 0)
				continue;
			if (length == room || (length + 1 < room && (*at)[length] == '-')) {
				*at += length + (length < room);
				return i;
			}
		}
	}
	return rows;
}

/* The cache, then an operation and a result, each at most once. */
static bool take_cache_words(const char *at, const char *end, size_t parts[3])
{
	static const size_t op_none = PERF_COUNT_HW_CACHE_OP_MAX;
	static const size_t result_none = PERF_COUNT_HW_CACHE_RESULT_MAX;

	parts[0] = take_cache_word(&at, end, CACHES, PERF_COUNT_HW_CACHE_MAX);
	parts[1] = op_none;
	parts[2] = result_none;
	if (parts[0] == PERF_COUNT_HW_CACHE_MAX)
		return false;
	while (at < end) {
		const char *before = at;

		if (parts[1] == op_none)
			parts[1] = take_cache_word(&at, end, OPERATIONS, op_none);
		if (at == before && parts[2] == result_none)
			parts[2] = take_cache_word(&at, end, RESULTS, result_none);
		if (at == before)
			return false;
	}
	return true;
}

static uint64_t cache_config(size_t cache, size_t operation, size_t result)
{
	return cache | operation << 8 | result << 16;
}

enum cache_answer cache_find(const char *name, size_t length, uint64_t *config)
{
	size_t parts[3];

	if (!take_cache_words(name, name + length, parts))
		return CACHE_NO_NAME;
	if (parts[1] == PERF_COUNT_HW_CACHE_OP_MAX)
		parts[1] = PERF_COUNT_HW_CACHE_OP_READ;
	if (parts[2] == PERF_COUNT_HW_CACHE_RESULT_MAX)
		parts[2] = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if ((POSSIBLE[parts[0]] >> parts[1] & 1) == 0)
		return CACHE_IMPOSSIBLE;
	*config = cache_config(parts[0], parts[1], parts[2]);
	return CACHE_FOUND;
}

bool cache_name(uint64_t config, char name[static CACHE_NAME_MAX])
{
	const uint64_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16;

	if (cache >= PERF_COUNT_HW_CACHE_MAX || operation >= PERF_COUNT_HW_CACHE_OP_MAX ||
	    (POSSIBLE[cache] >> operation & 1) == 0 || result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return false;
	if (result == PERF_COUNT_HW_CACHE_RESULT_ACCESS)
		snprintf(name, CACHE_NAME_MAX, "%s-%s", CACHES[cache][0], OPERATIONS[operation][1]);
	else
		snprintf(name, CACHE_NAME_MAX, "%s-%s-%s", CACHES[cache][0],
			 OPERATIONS[operation][0], RESULTS[result][0]);
	return true;
}

void cache_describe(uint64_t config, char *text, size_t size)
{
	static const char *const caches[PERF_COUNT_HW_CACHE_MAX] = {
		[PERF_COUNT_HW_CACHE_L1D] = "the first-level data cache",
		[PERF_COUNT_HW_CACHE_L1I] = "the first-level instruction cache",
		[PERF_COUNT_HW_CACHE_LL] = "the last level of cache",
		[PERF_COUNT_HW_CACHE_DTLB] = "the translation buffer for data",
		[PERF_COUNT_HW_CACHE_ITLB] = "the translation buffer for code",
		[PERF_COUNT_HW_CACHE_BPU] = "the branch predictor",
		[PERF_COUNT_HW_CACHE_NODE] = "the memory of this node",
	};
	static const char *const operations[PERF_COUNT_HW_CACHE_OP_MAX] = {"loads", "stores",
									   "prefetches"};
	const bool is_miss = config >> 16 == PERF_COUNT_HW_CACHE_RESULT_MISS;

	snprintf(text, size, is_miss ? "%s that %s did not have" : "%s looked up in %s",
		 operations[config >> 8 & 0xff], caches[config & 0xff]);
}

void cache_visit(void (*visit)(const char *name, uint64_t config, void *context), void *context)
{
	char name[CACHE_NAME_MAX];

	for (size_t cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++) {
		for (size_t op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++) {
			for (size_t i = 0; i < PERF_COUNT_HW_CACHE_RESULT_MAX; i++) {
				const uint64_t config = cache_config(cache, op, i);

				if (cache_name(config, name))
					visit(name, config, context);
			}
		}
	}
}

/* --- branches */

/* Younger than the headers that this must build with. */
enum {
	BRANCH_PRIV_SAVE = 1 << 18 /* Linux 6.1 */
};

static const struct {
	const char *word;
	uint64_t bit;
} branch_words[] = {
	{"u", PERF_SAMPLE_BRANCH_USER},
	{"k", PERF_SAMPLE_BRANCH_KERNEL},
	{"hv", PERF_SAMPLE_BRANCH_HV},
	{"any", PERF_SAMPLE_BRANCH_ANY},
	{"any_call", PERF_SAMPLE_BRANCH_ANY_CALL},
	{"any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN},
	{"ind_call", PERF_SAMPLE_BRANCH_IND_CALL},
	{"ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP},
	{"call", PERF_SAMPLE_BRANCH_CALL},
	{"cond", PERF_SAMPLE_BRANCH_COND},
	{"abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX},
	{"in_tx", PERF_SAMPLE_BRANCH_IN_TX},
	{"no_tx", PERF_SAMPLE_BRANCH_NO_TX},
	{"save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE},
	{"priv", BRANCH_PRIV_SAVE},
};

uint64_t branch_bit(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(branch_words) / sizeof(*branch_words); i++)
		if (strlen(branch_words[i].word) == length &&
		    strncmp(branch_words[i].word, word, length) == 0)
			return branch_words[i].bit;
	return 0;
}

bool branch_words_parse(const char *text, uint64_t *branch_type)
{
	const uint64_t no_types =
		PERF_SAMPLE_BRANCH_PLM_ALL | PERF_SAMPLE_BRANCH_TYPE_SAVE | BRANCH_PRIV_SAVE;

	*branch_type = 0;
	for (;; text++) {
		const size_t length = strcspn(text, ",");
		const uint64_t bit = branch_bit(text, length);

		if (bit == 0)
			return false;
		*branch_type |= bit;
		text += length;
		if (*text == '\0')
			break;
	}
	if ((*branch_type & ~no_types) == 0)
		*branch_type |= PERF_SAMPLE_BRANCH_ANY;
	return true;
}
