/*
 * made_accesses FILE: a recording as of perf mem record, of accesses that are known. Two threads of
 * one process write the same cache line, at different offsets, and a process that has the same
 * address writes another one. There are both encodings of data_src and of weights, each with an
 * event of its own, and operations that access no memory, as IBS samples them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

enum {
	SERVER = 4711,
	WORKER = 4712, /* a thread of it */
	BUILDER = 4720,
	STEP_NS = 50000,
	MAIN = 0x4002d0, /* these four: tests/guest/functions.c */
	WORK = 0x400250,
	SLOW = 0x400200,
	QUICK = 0x4001b0,
	EVENTS = 2
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

/* Of so many samples each; those of event 1 have three weights, of which the first is meant. */
struct made_access {
	int32_t pid, tid, cpu;
	uint64_t ip, address;
	uint64_t data_src;
	uint32_t weight;
	int times, event;
};

static const uint64_t shared_line = 0x7f4200001040, other_line = 0x7f4200002000,
		      table_begin = 0x7f4200010000, kernel_line = 0xffff888000000040;

static const struct made_access *list_accesses(size_t *count)
{
	static struct made_access all[32];
	/* clang-format off */
	const struct made_access made[] = {
		{SERVER, SERVER, 0, SLOW, shared_line, STORE | HIT(L1) | TLB_HIT, 10, 200, 0},
		{SERVER, SERVER, 0, SLOW, shared_line + 16, LOAD | HIT(L3) | SNOOP(HITM) | TLB_HIT, 120, 100, 0},
		{SERVER, WORKER, 1, QUICK, shared_line + 8, STORE | LVL(MISS) | LVL(L1) | TLB_HIT, 40, 150, 0},
		{SERVER, WORKER, 1, QUICK, shared_line + 8, LOAD | HIT(REM_CCE1) | SNOOP(HITM) | TLB_MISS, 400, 50, 0},
		{BUILDER, BUILDER, 1, WORK, shared_line, STORE | HIT(L1) | LOCKED | TLB_HIT, 20, 60, 0},
		{SERVER, SERVER, 0, WORK, other_line + 8, STORE | HIT(L1) | TLB_HIT, 5, 300, 0},
		{SERVER, WORKER, 1, WORK, other_line + 24, LOAD | HIT(L1) | TLB_HIT, 5, 100, 0},
		{SERVER, WORKER, 1, WORK, table_begin, LOAD | HIT(L2) | SNOOP(NONE) | TLB_HIT, 14, 80, 0},
		{SERVER, WORKER, 1, WORK, table_begin + 0x1000, LOAD | HIT(LFB) | SNOOP(NONE) | TLB_HIT, 30, 40, 0},
		{SERVER, WORKER, 1, WORK, table_begin + 0x2000, LOAD | HIT(LOC_RAM) | SNOOP(MISS) | TLB_MISS, 250, 20, 0},
		{SERVER, WORKER, 1, WORK, table_begin + 0x3000, LOAD | HIT(REM_RAM1) | SNOOP(MISS) | TLB_MISS, 500, 10, 0},
		{BUILDER, BUILDER, 1, MAIN, kernel_line, LOAD | HIT(UNC) | TLB_HIT, 600, 5, 0},
		{BUILDER, BUILDER, 1, MAIN, table_begin, LOAD | NUMBER(PERF_MEM_LVLNUM_L1) | TLB_HIT, 4, 100, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 64, LOAD | NUMBER(PERF_MEM_LVLNUM_L2) | TLB_HIT | BLOCKED, 15, 40, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 128, LOAD | NUMBER(PERF_MEM_LVLNUM_L3) | SNOOP(HITM) | TLB_HIT, 90, 20, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 192, LOAD | NUMBER(PERF_MEM_LVLNUM_LFB) | TLB_HIT, 35, 12, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 256, LOAD | NUMBER(PERF_MEM_LVLNUM_RAM) | TLB_MISS, 260, 8, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 320, LOAD | NUMBER(PERF_MEM_LVLNUM_RAM) | REMOTE | HOPS(3) | TLB_MISS, 520, 6, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 384, LOAD | NUMBER(PERF_MEM_LVLNUM_ANY_CACHE) | REMOTE | HOPS(1) | TLB_HIT, 150, 4, 1},
		{BUILDER, BUILDER, 1, MAIN, table_begin + 448, LOAD | NUMBER(PERF_MEM_LVLNUM_L4) | TLB_HIT, 200, 2, 1},
		{BUILDER, BUILDER, 1, MAIN, 0, OP(NA) | LVL(NA) | NUMBER(PERF_MEM_LVLNUM_NA), 0, 500, 1},
	};
	/* clang-format on */

	_Static_assert(sizeof(made) <= sizeof(all), "there is room");
	memcpy(all, made, sizeof(made));
	*count = sizeof(made) / sizeof(made[0]);
	return all;
}

static void put_record(FILE *file, uint32_t type, uint16_t misc, const void *body, size_t size)
{
	const struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)(sizeof(header) + size),
	};

	fwrite(&header, sizeof(header), 1, file);
	fwrite(body, size, 1, file);
}

static void put_comm(FILE *file, int32_t pid, int32_t tid, const char *name)
{
	struct {
		int32_t pid, tid;
		char name[16];
	} body = {.pid = pid, .tid = tid};

	memcpy(body.name, name, strlen(name));
	put_record(file, PERF_RECORD_COMM, PERF_RECORD_MISC_USER, &body, sizeof(body));
}

static void put_sample(FILE *file, const struct made_access *access, uint64_t number)
{
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

	put_record(file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &body, sizeof(body));
}

/* Those of all in turn, as long as there are any. */
static void put_samples(FILE *file)
{
	size_t count;
	const struct made_access *accesses = list_accesses(&count);
	uint64_t number = 0;
	bool is_any = true;

	for (int turn = 0; is_any; turn++) {
		is_any = false;
		for (size_t i = 0; i < count; i++) {
			if (turn >= accesses[i].times)
				continue;
			put_sample(file, &accesses[i], number++);
			is_any = true;
		}
	}
}

/* The attributes and the places of what follows; data_bytes is known when that has been written. */
static void put_head(FILE *file, uint64_t data_bytes)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.sample_period = 1000,
		.comm = 1,
		.precise_ip = 2,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC,
	};
	enum {
		HEAD = 104,
		IDS = HEAD,
		ATTRIBUTES = HEAD + EVENTS * 8,
		ATTRIBUTE = sizeof(attr) + 16,
		DATA = ATTRIBUTES + EVENTS * ATTRIBUTE
	};
	const uint64_t magic = UINT64_C(0x32454c4946524550); /* PERFILE2 */
	const uint64_t head[HEAD / 8] = {
		magic, HEAD, ATTRIBUTE, ATTRIBUTES, EVENTS * ATTRIBUTE, DATA, data_bytes};
	const uint64_t ids[EVENTS] = {1, 2};

	rewind(file);
	fwrite(head, HEAD, 1, file);
	fwrite(ids, sizeof(ids), 1, file);
	for (uint64_t i = 0; i < EVENTS; i++) {
		struct perf_event_attr of_event = attr;
		const uint64_t place[2] = {IDS + i * 8, 8};

		of_event.config = i == 0 ? 0x1cd : 0x5301cd;
		of_event.sample_type |=
			i == 0 ? PERF_SAMPLE_WEIGHT : (uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
		fwrite(&of_event, sizeof(of_event), 1, file);
		fwrite(place, sizeof(place), 1, file);
	}
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "w+") : NULL;
	long begin, end;

	if (!file)
		return EXIT_FAILURE;
	put_head(file, 0);
	begin = ftell(file);
	put_comm(file, SERVER, SERVER, "server");
	put_comm(file, SERVER, WORKER, "worker");
	put_comm(file, BUILDER, BUILDER, "builder");
	put_samples(file);
	end = ftell(file);
	put_head(file, (uint64_t)(end - begin));
	return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
