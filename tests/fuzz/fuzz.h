#ifndef PERFTOP_TESTS_FUZZ_FUZZ_H
#define PERFTOP_TESTS_FUZZ_FUZZ_H

/*
 * What fuzz targets share. Each gets any bytes; a promise that is broken ends in abort(3), and the
 * sanitizers of -fsanitize=fuzzer,address,undefined see the rest.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

/* The bytes in memory of their own, so that one byte more is seen; free(). */
static inline void *fuzz_copy(const void *data, size_t size)
{
	void *copy = malloc(size > 0 ? size : 1);

	require(copy != NULL);
	if (size > 0)
		memcpy(copy, data, size);
	return copy;
}

/* The bytes behind a beginning, as a string; free(). */
static inline char *fuzz_text(const char *beginning, const uint8_t *data, size_t size)
{
	const size_t length = strlen(beginning);
	char *text = calloc(length + size + 1, 1);

	require(text != NULL);
	memcpy(text, beginning, length);
	if (size > 0)
		memcpy(text + length, data, size);
	return text;
}

/* xorshift64* */
static inline uint64_t fuzz_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* A recording that is made; what has no room in it is left out. */
enum {
	MADE_MAX = 1 << 21,
	MADE_HEADER = 104,
	MADE_ENTRY = 144 /* an attribute of 128 bytes and the place of its ids */
};

struct made {
	uint8_t bytes[MADE_MAX] __attribute__((aligned(8)));
	size_t size;
};

static inline void put(struct made *made, const void *bytes, size_t size)
{
	if (size <= MADE_MAX - made->size) {
		memcpy(made->bytes + made->size, bytes, size);
		made->size += size;
	}
}

static inline void put_u64(struct made *made, uint64_t value)
{
	put(made, &value, sizeof(value));
}

/* The header of a file with so many attributes behind it. */
static inline void put_header(struct made *made, size_t attributes, uint64_t data_at,
			      uint64_t data_size, uint64_t features)
{
	const uint64_t words[] = {UINT64_C(0x32454c4946524550),
				  MADE_HEADER,
				  MADE_ENTRY,
				  MADE_HEADER,
				  attributes,
				  data_at,
				  data_size,
				  0,
				  0,
				  features,
				  0,
				  0,
				  0};

	put(made, words, sizeof(words));
}

/* One of them: perf's software event `config`, and where its ids are. */
static inline void put_entry(struct made *made, uint64_t config, uint64_t sample_type,
			     uint64_t read_format, uint64_t flags, uint64_t ids_at,
			     uint64_t ids_size)
{
	const uint64_t words[] = {
		UINT64_C(128) << 32 | 1, config, 1, sample_type, read_format, flags};
	const uint8_t rest[128 - sizeof(words)] = {0};

	put(made, words, sizeof(words));
	put(made, rest, sizeof(rest));
	put_u64(made, ids_at);
	put_u64(made, ids_size);
}

#endif
