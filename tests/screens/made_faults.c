/*
 * made_faults FILE: a recording as of perf record -e page-faults -c 1 -d -g, of page faults that
 * are known: functions of two processes, and what is mapped where they fault (made_symbols.c).
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
	BUILDER = 4720,
	STEP_NS = 400000,
	MAIN = 0x4002d0, /* these four: tests/guest/functions.c */
	WORK = 0x400250,
	SLOW = 0x400200,
	QUICK = 0x4001b0,
	PAGE = 0x1000
};

static const uint64_t heap = 0x555500010000, stack = 0x7ffd00020000, file = 0x7f4200030000,
		      anonymous = 0x7f4300040000, library = 0x7f4400000010;

/* Of so many pages one after the other; `caller` has called the function. */
struct made_fault {
	int32_t pid;
	uint64_t ip, caller, address;
	int times;
};

static const struct made_fault *list_faults(size_t *count)
{
	static struct made_fault all[16];
	const struct made_fault made[] = {
		{SERVER, WORK, MAIN, heap, 60},        {SERVER, WORK, MAIN, stack, 20},
		{SERVER, QUICK, WORK, anonymous, 30},  {SERVER, SLOW, WORK, file, 45},
		{SERVER, MAIN, library, stack, 5},     {BUILDER, library, MAIN, heap, 25},
		{BUILDER, QUICK, MAIN, anonymous, 15},
	};

	_Static_assert(sizeof(made) <= sizeof(all), "there is room");
	memcpy(all, made, sizeof(made));
	*count = sizeof(made) / sizeof(made[0]);
	return all;
}

static void put_record(FILE *out, uint32_t type, const void *body, size_t size)
{
	const struct perf_event_header header = {
		.type = type,
		.misc = PERF_RECORD_MISC_USER,
		.size = (uint16_t)(sizeof(header) + size),
	};

	fwrite(&header, sizeof(header), 1, out);
	fwrite(body, size, 1, out);
}

static void put_comm(FILE *out, int32_t pid, const char *name)
{
	struct {
		int32_t pid, tid;
		char name[16];
	} body = {.pid = pid, .tid = pid};

	memcpy(body.name, name, strlen(name));
	put_record(out, PERF_RECORD_COMM, &body, sizeof(body));
}

static void put_fault(FILE *out, const struct made_fault *fault, uint64_t page, uint64_t number)
{
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

	put_record(out, PERF_RECORD_SAMPLE, &body, sizeof(body));
}

/* Those of all in turn, as long as there are any. */
static void put_faults(FILE *out)
{
	size_t count;
	const struct made_fault *faults = list_faults(&count);
	uint64_t number = 0;
	bool is_any = true;

	for (int turn = 0; is_any; turn++) {
		is_any = false;
		for (size_t i = 0; i < count; i++) {
			if (turn >= faults[i].times)
				continue;
			put_fault(out, &faults[i], (uint64_t)turn, number++);
			is_any = true;
		}
	}
}

/* The attribute and the places of what follows; data_bytes is known when that has been written. */
static void put_head(FILE *out, uint64_t data_bytes)
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
	enum {
		HEAD = 104,
		ATTRIBUTE = sizeof(attr) + 16,
		DATA = HEAD + ATTRIBUTE
	};
	const uint64_t magic = UINT64_C(0x32454c4946524550); /* PERFILE2 */
	const uint64_t head[HEAD / 8] = {magic, HEAD, ATTRIBUTE, HEAD, ATTRIBUTE, DATA, data_bytes};
	const uint64_t no_ids[2] = {0};

	rewind(out);
	fwrite(head, HEAD, 1, out);
	fwrite(&attr, sizeof(attr), 1, out);
	fwrite(no_ids, sizeof(no_ids), 1, out);
}

int main(int argc, char **argv)
{
	FILE *out = argc == 2 ? fopen(argv[1], "w+") : NULL;
	long begin, end;

	if (!out)
		return EXIT_FAILURE;
	put_head(out, 0);
	begin = ftell(out);
	put_comm(out, SERVER, "server");
	put_comm(out, BUILDER, "builder");
	put_faults(out);
	end = ftell(out);
	put_head(out, (uint64_t)(end - begin));
	return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
