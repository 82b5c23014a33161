/*
 * made_accesses FILE: a recording as of perf mem record, of accesses that are known. Two threads of
 * one process write the same cache line, at different offsets, and a process that has the same
 * address writes another one. There are both encodings of data_src and of weights, each with an
 * event of its own, and operations that access no memory, as IBS samples them.
 */
#include "made_perfdata.h"

enum {
	SERVER = 4711,
	WORKER = 4712, /* a thread of it */
	BUILDER = 4720,
	STEP_NS = 50000,
	MAIN = 0x4002d0, /* these four: tests/guest/functions.c */
	WORK = 0x400250,
	SLOW = 0x400200,
	QUICK = 0x4001b0
};

#define OP(operation_) ((uint64_t)PERF_MEM_OP_##operation_ << PERF_MEM_OP_SHIFT)
#define LOAD           OP(LOAD)
#define STORE          OP(STORE)
#define LVL(level_)    ((uint64_t)PERF_MEM_LVL_##level_ << PERF_MEM_LVL_SHIFT)
#define HIT(level_)    (LVL(HIT) | LVL(level_))
#define NUMBER(level_) ((uint64_t)(level_) << 33)
#define REMOTE         (UINT64_C(1) << 37)
#define HOPS(hops_)    ((uint64_t)(hops_) << 43)
#define SNOOP(how_)    ((uint64_t)PERF_MEM_SNOOP_##how_ << PERF_MEM_SNOOP_SHIFT)
#define TLB_HIT        ((uint64_t)(PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1) << PERF_MEM_TLB_SHIFT)
#define TLB_MISS       ((uint64_t)(PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2) << PERF_MEM_TLB_SHIFT)
#define LOCKED         ((uint64_t)PERF_MEM_LOCK_LOCKED << PERF_MEM_LOCK_SHIFT)
#define BLOCKED        (UINT64_C(4) << 40) /* by its address */

#define SHARED_LINE UINT64_C(0x7f4200001040)
#define OTHER_LINE  UINT64_C(0x7f4200002000)
#define TABLE       UINT64_C(0x7f4200010000)
#define KERNEL_LINE UINT64_C(0xffff888000000040)

/* clang-format off */
/* Of so many samples each; those of event 1 have three weights, of which the first is meant. */
static const struct made_access {
	int32_t pid, tid, cpu;
	uint64_t ip, address;
	uint64_t data_src;
	uint32_t weight;
	uint64_t times;
	int event;
} accesses[] = {
	{SERVER, SERVER, 0, SLOW, SHARED_LINE, STORE | HIT(L1) | TLB_HIT, 10, 200, 0},
	{SERVER, SERVER, 0, SLOW, SHARED_LINE + 16, LOAD | HIT(L3) | SNOOP(HITM) | TLB_HIT, 120, 100, 0},
	{SERVER, WORKER, 1, QUICK, SHARED_LINE + 8, STORE | LVL(MISS) | LVL(L1) | TLB_HIT, 40, 150, 0},
	{SERVER, WORKER, 1, QUICK, SHARED_LINE + 8, LOAD | HIT(REM_CCE1) | SNOOP(HITM) | TLB_MISS, 400, 50, 0},
	{BUILDER, BUILDER, 1, WORK, SHARED_LINE, STORE | HIT(L1) | LOCKED | TLB_HIT, 20, 60, 0},
	{SERVER, SERVER, 0, WORK, OTHER_LINE + 8, STORE | HIT(L1) | TLB_HIT, 5, 300, 0},
	{SERVER, WORKER, 1, WORK, OTHER_LINE + 24, LOAD | HIT(L1) | TLB_HIT, 5, 100, 0},
	{SERVER, WORKER, 1, WORK, TABLE, LOAD | HIT(L2) | SNOOP(NONE) | TLB_HIT, 14, 80, 0},
	{SERVER, WORKER, 1, WORK, TABLE + 0x1000, LOAD | HIT(LFB) | SNOOP(NONE) | TLB_HIT, 30, 40, 0},
	{SERVER, WORKER, 1, WORK, TABLE + 0x2000, LOAD | HIT(LOC_RAM) | SNOOP(MISS) | TLB_MISS, 250, 20, 0},
	{SERVER, WORKER, 1, WORK, TABLE + 0x3000, LOAD | HIT(REM_RAM1) | SNOOP(MISS) | TLB_MISS, 500, 10, 0},
	{BUILDER, BUILDER, 1, MAIN, KERNEL_LINE, LOAD | HIT(UNC) | TLB_HIT, 600, 5, 0},
	{BUILDER, BUILDER, 1, MAIN, TABLE, LOAD | NUMBER(PERF_MEM_LVLNUM_L1) | TLB_HIT, 4, 100, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 64, LOAD | NUMBER(PERF_MEM_LVLNUM_L2) | TLB_HIT | BLOCKED, 15, 40, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 128, LOAD | NUMBER(PERF_MEM_LVLNUM_L3) | SNOOP(HITM) | TLB_HIT, 90, 20, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 192, LOAD | NUMBER(PERF_MEM_LVLNUM_LFB) | TLB_HIT, 35, 12, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 256, LOAD | NUMBER(PERF_MEM_LVLNUM_RAM) | TLB_MISS, 260, 8, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 320, LOAD | NUMBER(PERF_MEM_LVLNUM_RAM) | REMOTE | HOPS(3) | TLB_MISS, 520, 6, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 384, LOAD | NUMBER(PERF_MEM_LVLNUM_ANY_CACHE) | REMOTE | HOPS(1) | TLB_HIT, 150, 4, 1},
	{BUILDER, BUILDER, 1, MAIN, TABLE + 448, LOAD | NUMBER(PERF_MEM_LVLNUM_L4) | TLB_HIT, 200, 2, 1},
	{BUILDER, BUILDER, 1, MAIN, 0, OP(NA) | LVL(NA) | NUMBER(PERF_MEM_LVLNUM_NA), 0, 500, 1},
};
/* clang-format on */

static bool put_sample(FILE *out, size_t index, uint64_t turn, uint64_t number)
{
	const struct made_access *access = &accesses[index];
	const bool has_three = access->event == 1;
	const struct {
		uint64_t identifier, ip;
		int32_t pid, tid;
		uint64_t time_ns, address;
		uint32_t cpu, reserved;
		uint64_t period, weight, data_src;
	} body = {
		.identifier = (uint64_t)access->event + 1,
		.ip = access->ip,
		.pid = access->pid,
		.tid = access->tid,
		.time_ns = (number + 1) * STEP_NS,
		.address = access->address,
		.cpu = (uint32_t)access->cpu,
		.period = 1000,
		.weight = access->weight | (has_three ? UINT64_C(0x0007000500000000) : 0),
		.data_src = access->data_src,
	};

	if (turn >= access->times)
		return false;
	put_record(out, PERF_RECORD_SAMPLE, &body, sizeof(body));
	return true;
}

static void put_records(FILE *out)
{
	put_comm(out, SERVER, SERVER, "server");
	put_comm(out, SERVER, WORKER, "worker");
	put_comm(out, BUILDER, BUILDER, "builder");
	put_in_turn(out, sizeof(accesses) / sizeof(*accesses), put_sample);
}

int main(int argc, char **argv)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = 0x1cd,
		.size = sizeof(attr),
		.sample_period = 1000,
		.comm = 1,
		.precise_ip = 2,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT,
	};
	struct perf_event_attr attrs[] = {attr, attr};
	const struct made_perfdata made = {.attrs = attrs, .count = 2, .put_records = put_records};

	attrs[1].config = 0x5301cd;
	attrs[1].sample_type ^= PERF_SAMPLE_WEIGHT | (uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
	return argc == 2 ? make_perfdata(argv[1], &made) : EXIT_FAILURE;
}
