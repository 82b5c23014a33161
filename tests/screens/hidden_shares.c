/*
 * hidden_shares: three functions that take 60, 30 and 10 % of its time, over two paths. main calls
 * path_one, that calls hot, in a library, and warm, whose loop was inlined; and path_two, that
 * calls cool, which is made at run time. hot has a name of C++, warm one of Rust. It runs until it
 * is killed, and leaves /tmp/perf-PID.map.
 */
#include "hidden_shares.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

static volatile uint64_t number;

void shares_warm(void) __asm__("_RNvCs15kBYyAo9fc_6shares4warm");
void shares_path_one(void);
void shares_path_two(void (*cool)(volatile uint64_t *number));

/* Its code refers to nothing, so that it can be anywhere. */
__attribute__((noinline, section("made"), no_sanitize("address", "undefined"))) static void
model_of_cool(volatile uint64_t *at)
{
	shares_turn(at, 10);
}

extern const char __start_made[], __stop_made[];

__attribute__((noinline)) void shares_warm(void)
{
	shares_turn(&number, 30);
}

__attribute__((noinline)) void shares_path_one(void)
{
	hidden_library(&number);
	shares_warm();
	number++;
}

__attribute__((noinline)) void shares_path_two(void (*cool)(volatile uint64_t *at))
{
	cool(&number);
	number++;
}

static void write_map(const void *code, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
	file = fopen(path, "w");
	if (!file)
		return;
	fprintf(file, "%" PRIxPTR " %zx shares_cool\n", (uintptr_t)code, size);
	fclose(file);
}

int main(void)
{
	const size_t size = (size_t)(__stop_made - __start_made);
	void *code = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*cool)(volatile uint64_t * at) = model_of_cool;

	if (code == MAP_FAILED)
		return 1;
	memcpy(code, __start_made, size);
	__builtin___clear_cache(code, (char *)code + size);
	memcpy(&cool, &code, sizeof(cool));
	write_map(code, size);
	for (;;) {
		shares_path_one();
		shares_path_two(cool);
	}
}
