/*
 * made_faults FILE: a recording as of perf record -e page-faults -c 1 -d -g, of page faults that
 * are known: functions of two processes, and what is mapped where they fault (made_symbols.c).
 */
#include "made_perfdata.h"

enum {
	SERVER = 4711,
	BUILDER = 4720,
	STEP_NS = 400000,
	MAIN = 0x4002d0, /* these four: tests/guest/functions.c */
	WORK = 0x400250,
	SLOW = 0x400200,
	QUICK = 0x4001b0,
	PAGE = 0x1000
};

#define HEAP      UINT64_C(0x555500010000)
#define STACK     UINT64_C(0x7ffd00020000)
#define MAPPED    UINT64_C(0x7f4200030000)
#define ANONYMOUS UINT64_C(0x7f4300040000)
#define LIBRARY   UINT64_C(0x7f4400000010)

/* Of so many pages one after the other; `caller` has called the function. */
static const struct made_fault {
	int32_t pid;
	uint64_t ip, caller, address;
	uint64_t times;
} faults[] = {
	{SERVER, WORK, MAIN, HEAP, 60},        {SERVER, WORK, MAIN, STACK, 20},
	{SERVER, QUICK, WORK, ANONYMOUS, 30},  {SERVER, SLOW, WORK, MAPPED, 45},
	{SERVER, MAIN, LIBRARY, STACK, 5},     {BUILDER, LIBRARY, MAIN, HEAP, 25},
	{BUILDER, QUICK, MAIN, ANONYMOUS, 15},
};

static bool put_fault(FILE *out, size_t index, uint64_t page, uint64_t number)
{
	const struct made_fault *fault = &faults[index];
	const struct {
		uint64_t ip;
		int32_t pid, tid;
		uint64_t time_ns, address;
		uint32_t cpu, reserved;
		uint64_t period, chain_length, chain[3];
	} body = {
		.ip = fault->ip,
		.pid = fault->pid,
		.tid = fault->pid,
		.time_ns = (number + 1) * STEP_NS,
		.address = fault->address + page * PAGE,
		.cpu = fault->pid == SERVER ? 0 : 1,
		.period = 1,
		.chain_length = 3,
		.chain = {PERF_CONTEXT_USER, fault->ip, fault->caller},
	};

	if (page >= fault->times)
		return false;
	put_record(out, PERF_RECORD_SAMPLE, &body, sizeof(body));
	return true;
}

static void put_records(FILE *out)
{
	put_comm(out, SERVER, SERVER, "server");
	put_comm(out, BUILDER, BUILDER, "builder");
	put_in_turn(out, sizeof(faults) / sizeof(*faults), put_fault);
}

int main(int argc, char **argv)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.size = sizeof(attr),
		.sample_period = 1,
		.comm = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_CALLCHAIN,
	};
	const struct made_perfdata made = {.attrs = &attr, .count = 1, .put_records = put_records};

	return argc == 2 ? make_perfdata(argv[1], &made) : EXIT_FAILURE;
}
