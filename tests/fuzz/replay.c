/*
 * A main() for fuzz targets where the compiler has no fuzzer of its own:
 *
 *	fuzz_X [-n COUNT] [-s SEED] [FILE...]
 *
 * Files are run as they are; then COUNT inputs are made: random bytes, and mutations of the
 * files, of a few sentences that are near to what is expected, and of earlier inputs. The
 * same seed makes the same inputs. A crash is the verdict; `-s SEED -n COUNT` finds it again.
 */
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

enum {
	INPUT_MAX = 4096,
	POOL_MAX = 64
};

struct input {
	uint8_t bytes[INPUT_MAX];
	size_t size;
};

struct pool {
	struct input inputs[POOL_MAX];
	size_t count;
	uint64_t random;
};

static const char *const sentences[] = {
	"",
	"0",
	"1,2,3-5,8",
	"18446744073709551615",
	"-1e308 nan inf 0x1p-3",
	"instructions / cycles * 100 + (1 - 2)",
	"\"cache-misses\" / 1k",
	"sort -miss%",
	"ipc < 0.5 && !(command ~ \"^kworker\" || slice > 5ms) or kind = preempted",
	"{cycles:u,L1-dcache-loads}:k,cpu/event=0x3c,umask=1,name='x,/y'/pp",
	"sched:sched_switch/prev_comm == \"a,b/c\" && x < 1/,mem:0x601040/8:rw:u,r01c2",
	"uprobe:/bin/bash:readline+0x10,kretprobe:do_exit:k",
	"config1:0-7,32-35",
	"\033[31;1m\033]0;title\007\x9b",
	"\xe6\x97\xa5\xe6\x9c\xac e\xcc\x81 \xf0\x9f\x98\x80 \xff\xc3",
	"\x09\x00\x00\x00\x01\x00\x28\x00\x01\x00\x00\x00\x01\x00\x00\x00",
};

static size_t below(struct pool *pool, size_t limit)
{
	return limit ? (size_t)(fuzz_random(&pool->random) % limit) : 0;
}

/* A full pool forgets one at random. */
static struct input *pool_add(struct pool *pool)
{
	return pool->count < POOL_MAX ? &pool->inputs[pool->count++]
				      : &pool->inputs[below(pool, POOL_MAX)];
}

static void fill(struct input *input, const void *bytes, size_t size)
{
	input->size = size < INPUT_MAX ? size : INPUT_MAX;
	memcpy(input->bytes, bytes, input->size);
}

static void make_random(struct pool *pool, struct input *input)
{
	input->size = below(pool, below(pool, 8) ? 128 : INPUT_MAX + 1);
	for (size_t i = 0; i < input->size; i++)
		input->bytes[i] = (uint8_t)fuzz_random(&pool->random);
}

static void insert(struct pool *pool, struct input *input, const uint8_t *bytes, size_t size)
{
	size_t at = below(pool, input->size + 1);

	if (size > INPUT_MAX - input->size)
		return;
	memmove(input->bytes + at + size, input->bytes + at, input->size - at);
	memcpy(input->bytes + at, bytes, size);
	input->size += size;
}

static void mutate_once(struct pool *pool, struct input *input)
{
	static const uint8_t borders[] = {0, 1, 7, 8, 0x7f, 0x80, 0xff};
	const struct input *other = &pool->inputs[below(pool, pool->count)];
	size_t at = below(pool, input->size), from = below(pool, other->size);
	uint8_t byte = (uint8_t)fuzz_random(&pool->random);

	if (input->size == 0) {
		insert(pool, input, &byte, 1);
		return;
	}
	switch (below(pool, 7)) {
	case 0:
		input->bytes[at] ^= (uint8_t)(1 << below(pool, 8));
		break;
	case 1:
		input->bytes[at] = borders[below(pool, sizeof(borders))];
		break;
	case 2:
		input->bytes[at] = byte;
		break;
	case 3:
		input->size = at;
		break;
	case 4:
		insert(pool, input, &byte, 1);
		break;
	case 5:
		memmove(input->bytes + at, input->bytes + at + 1, input->size - at - 1);
		input->size--;
		break;
	default:
		insert(pool, input, other->bytes + from, below(pool, other->size - from + 1));
		break;
	}
}

static void make(struct pool *pool, struct input *input)
{
	if (below(pool, 10) == 0) {
		make_random(pool, input);
		return;
	}
	*input = pool->inputs[below(pool, pool->count)];
	for (size_t rounds = 1 + below(pool, 6); rounds > 0; rounds--)
		mutate_once(pool, input);
}

/* A copy of exactly the input's size, so that a sanitizer sees the first byte beyond it. */
static void run(const struct input *input)
{
	uint8_t *exact = fuzz_copy(input->bytes, input->size);

	LLVMFuzzerTestOneInput(exact, input->size);
	free(exact);
}

static int run_file(struct pool *pool, const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *file = fopen(path, "rb");

	if (!file) {
		perror(path);
		return 1;
	}
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, size);
	fill(pool_add(pool), bytes, size);
	return 0;
}

int main(int argc, char **argv)
{
	static struct pool pool = {.random = 88172645463325252ull};
	long count = 20000;
	int status = 0;

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int option; (option = getopt(argc, argv, "n:s:")) != -1;)
		if (option == 'n')
			count = atol(optarg);
		else if (option == 's')
			pool.random ^= strtoull(optarg, NULL, 10);
		else
			return 2;
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		fill(pool_add(&pool), sentences[i], strlen(sentences[i]));
	for (int i = optind; i < argc; i++)
		status |= run_file(&pool, argv[i]);
	for (long i = 0; i < count; i++) {
		struct input input = {.size = 0};

		make(&pool, &input);
		run(&input);
		if (below(&pool, 16) == 0)
			*pool_add(&pool) = input;
	}
	printf("%ld inputs\n", count);
	return status;
}
