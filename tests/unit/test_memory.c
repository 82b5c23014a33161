/*
 * Allocation. The ways that end the program are walked in a child, whose exit
 * status and standard error are looked at.
 */
#include <unistd.h>

#include <sys/wait.h>

#include "base/memory.h"
#include "kernel/proc.h"

#include "unit.h"

enum {
	SURVIVED = 99
}; /* status of a child that did not end where it should have */

static bool memory_is_gone; /* calloc and realloc answer NULL */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
	return memory_is_gone ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return memory_is_gone ? NULL : __real_realloc(memory, size);
}

/* Runs body in a child; returns its exit status, what it wrote to standard error in output. */
static int run_child(void (*body)(void), char *output, size_t size)
{
	int ends[2];
	int status;
	size_t used = 0;
	ssize_t got;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		body();
		_exit(SURVIVED);
	}
	close(ends[1]);
	while (used + 1 < size && (got = read(ends[0], output + used, size - 1 - used)) > 0)
		used += (size_t)got;
	output[used] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

UNIT_TEST(xcalloc_gives_zeroed_memory)
{
	static const char zeroes[600];

	/* Dirty the memory that is likely to be given next. */
	char *used = xcalloc(100, 6);
	memset(used, 'x', 600);
	free(used);
	char *memory = xcalloc(100, 6);

	assert_memory_equal(memory, zeroes, 600);
	free(memory);
}

/* The product is 0 in 64 bits, and an unchecked calloc would succeed. */
static void calloc_overflow(void)
{
	xcalloc(SIZE_MAX / 2 + 1, 2);
}

static void calloc_without_memory(void)
{
	memory_is_gone = true;
	xcalloc(1, 1);
}

UNIT_TEST(xrealloc_keeps_what_was_there)
{
	int *numbers = xcalloc(2, sizeof(*numbers));
	numbers[0] = 11;
	numbers[1] = 22;

	numbers = xrealloc(numbers, 5000, sizeof(*numbers));

	assert_int_equal(numbers[0], 11);
	assert_int_equal(numbers[1], 22);
	numbers[4999] = 33;
	free(numbers);
}

static void realloc_overflow(void)
{
	xrealloc(NULL, SIZE_MAX / 4 + 2, 4);
}

static void realloc_without_memory(void)
{
	memory_is_gone = true;
	xrealloc(NULL, 1, 1);
}

UNIT_TEST(array_reserve_growing_by_one_keeps_elements_and_moves_rarely)
{
	uint64_t *array = NULL;
	size_t capacity = 0;
	size_t growths = 0;

	for (size_t count = 0; count < 10000; count++) {
		size_t before = capacity;

		array_reserve(&array, &capacity, count + 1, sizeof(*array));
		assert_true(capacity > count);
		if (capacity != before)
			growths++;
		array[count] = count * 3;
	}

	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(array[i], i * 3);
	assert_in_range(growths, 1, 14);
	free(array);
}

static void reserve_overflow(void)
{
	uint64_t *array = NULL;
	size_t capacity = 0;

	array_reserve(&array, &capacity, SIZE_MAX / 8 + 2, sizeof(*array));
}

/* A capacity whose double does not fit into size_t: the double must not wrap to a small one. */
static void reserve_overflowing_double(void)
{
	void *array = NULL;
	size_t capacity = SIZE_MAX / 2 + 2;

	array_reserve(&array, &capacity, SIZE_MAX / 2 + 3, 2);
}

/* Wants memory itself, as putting a terminal back may. */
static void hook(void)
{
	ssize_t written = write(STDERR_FILENO, "hook\n", 5);

	if (written == 5)
		xcalloc(1, 1);
}

static void end_with_hook(void)
{
	memory_on_exhaustion(hook);
	calloc_without_memory();
}

static void end_with_hook_taken_back(void)
{
	memory_on_exhaustion(hook);
	memory_on_exhaustion(NULL);
	calloc_without_memory();
}

UNIT_TEST(memory_that_is_missing_ends_the_program)
{
	static const struct {
		const char *name;
		void (*body)(void);
		const char *output;
	} cases[] = {
		{"xcalloc, overflow", calloc_overflow, ""},
		{"xcalloc", calloc_without_memory, ""},
		{"xrealloc, overflow", realloc_overflow, ""},
		{"xrealloc", realloc_without_memory, ""},
		{"array_reserve, overflow", reserve_overflow, ""},
		{"array_reserve, overflow of the double", reserve_overflowing_double, ""},
		{"a hook runs once before the line", end_with_hook, "hook\n"},
		{"a hook that is taken back", end_with_hook_taken_back, ""},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char output[256], expected[256];

		begin_case(cases[i].name);
		assert_int_equal(run_child(cases[i].body, output, sizeof(output)), 1);
		snprintf(expected, sizeof(expected), "%sperftop: out of memory\n", cases[i].output);
		assert_string_equal(output, expected);
	}
}

UNIT_TEST(memory_of_no_bytes_is_a_valid_pointer)
{
	void *const none[] = {xcalloc(0, 8), xcalloc(8, 0), xrealloc(xcalloc(1, 8), 0, 8)};

	for (size_t i = 0; i < COUNT_OF(none); i++) {
		assert_non_null(none[i]);
		free(none[i]);
	}
}

UNIT_TEST(xstrdup_and_xstrndup_copy_up_to_the_length_or_nul)
{
	const char no_end[] = {'a', 'b', 'c'};
	char text[] = "name";
	char *const copies[] = {xstrdup(text), xstrndup(no_end, 3), xstrndup("ab", 100),
				xstrndup("ab", 0)};
	static const char *const expected[] = {"name", "abc", "ab", ""};

	text[0] = 'X';
	for (size_t i = 0; i < COUNT_OF(copies); i++) {
		assert_string_equal(copies[i], expected[i]);
		free(copies[i]);
	}
}

UNIT_TEST(array_reserve_doubles_unless_that_is_too_little_or_there_is_room)
{
	static const struct {
		size_t first, then, capacity;
	} cases[] = {{100, 101, 200}, {20, 5000, 5000}, {64, 64, 64}, {0, 0, 0}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint16_t *array = NULL;
		size_t capacity = 0;

		array_reserve(&array, &capacity, cases[i].first, sizeof(*array));
		assert_int_equal(capacity, cases[i].first);
		const uint16_t *before = array;
		array_reserve(&array, &capacity, cases[i].then, sizeof(*array));
		assert_int_equal(capacity, cases[i].capacity);
		if (cases[i].first == cases[i].then)
			assert_ptr_equal(array, before);
		if (capacity > 0)
			memset(array, 'x', capacity * sizeof(*array));
		else
			assert_null(array);
		free(array);
	}
}

UNIT_TEST(array_shrink_halves_what_is_large_and_mostly_free)
{
	static const struct {
		size_t capacity, need, left;
	} cases[] = {{4096, 1023, 2048}, {4096, 1024, 4096}, {1024, 0, 1024}, {1026, 1, 513}, {0}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint16_t *array = NULL;
		size_t capacity = 0;

		array_reserve(&array, &capacity, cases[i].capacity, sizeof(*array));
		for (size_t k = 0; k < cases[i].need; k++)
			array[k] = (uint16_t)k;
		array_shrink(&array, &capacity, cases[i].need, sizeof(*array));
		assert_int_equal(capacity, cases[i].left);
		for (size_t k = 0; k < cases[i].need; k++)
			assert_int_equal(array[k], k);
		free(array);
	}
}

#if defined(__GLIBC__) && !defined(PERFTOP_SANITIZED)
static void *fill(size_t bytes)
{
	void *memory = xcalloc(1, bytes);

	memset(memory, 'x', bytes);
	return memory;
}

/* Left to itself the library keeps pieces of a size that was once freed. */
UNIT_TEST(memory_keep_large_apart_gives_back_each_that_is_freed)
{
	enum {
		LARGE = 8 << 20
	};

	memory_keep_large_apart();
	free(fill((size_t)2 * LARGE));
	const uint64_t before = proc_own_rss_bytes();
	void *first = fill(LARGE), *second = fill(LARGE);
	const uint64_t with = proc_own_rss_bytes();
	free(first); /* which a heap could not do under the other */

	assert_true(with - before >= 2 * LARGE - LARGE / 8);
	assert_true(proc_own_rss_bytes() <= with - LARGE + LARGE / 8);
	free(second);
}

UNIT_TEST(memory_trim_gives_back_what_is_free_between_what_is_not)
{
	enum {
		PIECES = 20000,
		BYTES = 1000
	};
	static void *pieces[PIECES];

	for (size_t i = 0; i < PIECES; i++)
		pieces[i] = fill(BYTES);
	void *last = fill(BYTES);
	for (size_t i = 0; i < PIECES; i++)
		free(pieces[i]);
	const uint64_t before = proc_own_rss_bytes();
	memory_trim();

	assert_true(proc_own_rss_bytes() <= before - (size_t)PIECES * BYTES / 2);
	free(last);
}
#endif

UNIT_TEST(array_not_above_counts_up_to_the_limit)
{
	static const struct {
		uint64_t key;
		char rest;
	} pairs[] = {{2, 0}, {4, 0}, {4, 0}, {UINT64_MAX, 0}};
	static const struct {
		uint64_t limit;
		size_t count;
	} cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 3}, {5, 3}, {UINT64_MAX, 4}};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(
			array_not_above(pairs, COUNT_OF(pairs), sizeof(*pairs), cases[i].limit),
			cases[i].count);
	assert_int_equal(array_not_above(NULL, 0, sizeof(*pairs), 7), 0);
}

UNIT_MAIN(NULL, NULL)
