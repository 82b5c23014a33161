/*
 * made_branches FILE [ADDRESS]: a recording as of perf record -b, of branches that are known: out
 * of each ten of this program's process 6 go from `first` to `goal`, 3 of them mispredicted, 3 from
 * `second`, all predicted, and 1 from `third`, the abort of a transaction by a conflict. Each is
 * said to come 20 cycles behind the one before, and samples are where these lead from, as often.
 * The code is that of this program, or as if it were in the page at ADDRESS that made_symbols.c
 * names.
 */
#include <inttypes.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "made_perfdata.h"

enum {
	SAMPLES = 100,
	BRANCHES = 10,
	PATH_BYTES = 4096,
	MILLISECOND = 1000000
};

struct code {
	uint64_t address, length, offset;
	char path[PATH_BYTES];
};

__attribute__((noinline, aligned(64))) static void first(void)
{
	__asm__ volatile("nop\nnop\nnop\nnop");
}

__attribute__((noinline, aligned(64))) static void second(void)
{
	__asm__ volatile("nop\nnop\nnop\nnop\nnop");
}

__attribute__((noinline, aligned(64))) static void third(void)
{
	__asm__ volatile("nop\nnop\nnop\nnop\nnop\nnop");
}

__attribute__((noinline, aligned(64))) static void goal(void)
{
	__asm__ volatile("nop\nnop\nnop\nnop\nnop\nnop\nnop");
}

static uint64_t address_of(void (*function)(void))
{
	return (uint64_t)(uintptr_t)function;
}

/* The mapping that has main's neighbours. */
static bool find_code(struct code *code)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[PATH_BYTES + 128];
	uint64_t end;

	if (!maps)
		return false;
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095s",
			   &code->address, &end, &code->offset, code->path) != 4)
			continue;
		code->length = end - code->address;
		if (address_of(goal) - code->address < code->length) {
			fclose(maps);
			return true;
		}
	}
	fclose(maps);
	return false;
}

static uint64_t task(void)
{
	const uint64_t pid = (uint64_t)getpid();

	return pid | pid << 32;
}

static void put_code(FILE *out, const struct code *code)
{
	struct {
		uint64_t task, address, length, offset;
		uint32_t major, minor;
		uint64_t inode, generation;
		uint32_t protection, flags;
		char path[PATH_BYTES];
	} body = {
		.task = task(),
		.address = code->address,
		.length = code->length,
		.offset = code->offset,
	};
	const size_t bytes = (strlen(code->path) / 8 + 1) * 8;
	struct stat about;

	if (stat(code->path, &about) != 0) /* it is named all the same */
		about = (struct stat){0};
	body.major = major(about.st_dev);
	body.minor = minor(about.st_dev);
	body.inode = about.st_ino;
	body.protection = PROT_READ | PROT_EXEC;
	body.flags = MAP_PRIVATE;
	memcpy(body.path, code->path, strlen(code->path));
	put_record(out, PERF_RECORD_MMAP2, &body, offsetof(__typeof__(body), path) + bytes);
}

/* Where the functions are. */
static struct places {
	uint64_t first, second, third, goal;
} places;

static struct code code;

static void put_sample(FILE *out, uint64_t number)
{
	const uint64_t from[BRANCHES] = {places.third, places.second, places.second, places.second,
					 places.first, places.first,  places.first,  places.first,
					 places.first, places.first};
	struct {
		uint64_t ip, task, time_ns, period, count;
		struct perf_branch_entry branches[BRANCHES];
		uint64_t transaction;
	} body = {
		.ip = from[number % BRANCHES] + 2,
		.task = task(),
		.time_ns = (number + 1) * MILLISECOND,
		.period = 1000,
		.count = BRANCHES,
		.transaction = PERF_TXN_CONFLICT | PERF_TXN_TRANSACTION,
	};

	for (size_t i = 0; i < BRANCHES; i++) {
		struct perf_branch_entry *branch = &body.branches[i];

		branch->from = from[i] + 2;
		branch->to = places.goal;
		branch->mispred = i >= 7;
		branch->predicted = i < 7;
		branch->abort = i == 0;
		branch->cycles = 20;
		branch->type = i < 4 ? PERF_BR_CALL : PERF_BR_COND;
	}
	put_record(out, PERF_RECORD_SAMPLE, &body, sizeof(body));
}

static void put_records(FILE *out)
{
	put_comm(out, getpid(), getpid(), "made_branches");
	put_code(out, &code);
	for (uint64_t i = 0; i < SAMPLES; i++)
		put_sample(out, i);
}

int main(int argc, char **argv)
{
	const uint64_t page = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.sample_period = 1000,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK |
			       PERF_SAMPLE_TRANSACTION,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER,
	};
	const struct made_perfdata made = {
		.attrs = &attr,
		.count = 1,
		.features = 1 << 15, /* HEADER_BRANCH_STACK, without which perf report shows none */
		.put_records = put_records,
	};

	if (page > 0) {
		places = (struct places){page + 0x1b0, page + 0x1f0, page + 0x250, page + 0x300};
		code = (struct code){
			.address = page, .length = 0x1000, .path = "/usr/bin/functions"};
	} else {
		places = (struct places){address_of(first), address_of(second), address_of(third),
					 address_of(goal)};
		if (!find_code(&code))
			return EXIT_FAILURE;
	}
	return argc == 2 || page > 0 ? make_perfdata(argv[1], &made) : EXIT_FAILURE;
}
