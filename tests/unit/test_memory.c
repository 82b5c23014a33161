/*
 * Allocation. The ways that end the program are walked in a child, whose exit
 * status and standard error are looked at.
 */
#include <unistd.h>

#include <sys/wait.h>

#include "base/memory.h"

#include "unit.h"

enum {
	SURVIVED = 99
}; /* status of a child that did not end where it should have */

static bool memory_is_gone; /* calloc and realloc answer NULL */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

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

static void assert_ends_for_want_of_memory(void (*body)(void))
{
	char output[256];

	assert_int_equal(run_child(body, output, sizeof(output)), 1);
	assert_string_equal(output, "perftop: out of memory\n");
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

UNIT_TEST(xcalloc_nothing_gives_a_valid_pointer)
{
	void *no_elements = xcalloc(0, 8);
	void *no_size = xcalloc(8, 0);

	assert_non_null(no_elements);
	assert_non_null(no_size);
	free(no_elements);
	free(no_size);
}

/* The product is 0 in 64 bits, and an unchecked calloc would succeed. */
static void calloc_overflow(void)
{
	xcalloc(SIZE_MAX / 2 + 1, 2);
}

UNIT_TEST(xcalloc_overflow_ends_the_program)
{
	assert_ends_for_want_of_memory(calloc_overflow);
}

static void calloc_without_memory(void)
{
	memory_is_gone = true;
	xcalloc(1, 1);
}

UNIT_TEST(xcalloc_without_memory_ends_the_program)
{
	assert_ends_for_want_of_memory(calloc_without_memory);
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

UNIT_TEST(xrealloc_to_nothing_gives_a_valid_pointer)
{
	void *memory = xrealloc(xcalloc(1, 8), 0, 8);

	assert_non_null(memory);
	free(memory);
}

static void realloc_overflow(void)
{
	xrealloc(NULL, SIZE_MAX / 4 + 2, 4);
}

UNIT_TEST(xrealloc_overflow_ends_the_program)
{
	assert_ends_for_want_of_memory(realloc_overflow);
}

static void realloc_without_memory(void)
{
	memory_is_gone = true;
	xrealloc(NULL, 1, 1);
}

UNIT_TEST(xrealloc_without_memory_ends_the_program)
{
	assert_ends_for_want_of_memory(realloc_without_memory);
}

UNIT_TEST(xstrdup_copies)
{
	char text[] = "name";

	char *copy = xstrdup(text);
	text[0] = 'X';

	assert_string_equal(copy, "name");
	free(copy);
}

UNIT_TEST(xstrndup_cuts_at_length_or_nul)
{
	const char no_end[] = {'a', 'b', 'c'};

	char *cut = xstrndup(no_end, 3);
	char *whole = xstrndup("ab", 100);
	char *nothing = xstrndup("ab", 0);

	assert_string_equal(cut, "abc");
	assert_string_equal(whole, "ab");
	assert_string_equal(nothing, "");
	free(cut);
	free(whole);
	free(nothing);
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

UNIT_TEST(array_reserve_doubles_the_capacity)
{
	uint16_t *array = NULL;
	size_t capacity = 0;
	array_reserve(&array, &capacity, 100, sizeof(*array));
	assert_int_equal(capacity, 100);

	array_reserve(&array, &capacity, 101, sizeof(*array));

	assert_int_equal(capacity, 200);
	free(array);
}

UNIT_TEST(array_reserve_need_beyond_double_is_met)
{
	char *array = NULL;
	size_t capacity = 0;
	array_reserve(&array, &capacity, 1, 1);

	array_reserve(&array, &capacity, 5000, 1);

	assert_int_equal(capacity, 5000);
	memset(array, 'x', 5000);
	free(array);
}

UNIT_TEST(array_reserve_enough_room_changes_nothing)
{
	char *array = NULL;
	size_t capacity = 0;
	array_reserve(&array, &capacity, 64, 1);
	char *before = array;

	array_reserve(&array, &capacity, 64, 1);

	assert_ptr_equal(array, before);
	assert_int_equal(capacity, 64);
	free(array);
}

UNIT_TEST(array_reserve_nothing_allocates_nothing)
{
	char *array = NULL;
	size_t capacity = 0;

	array_reserve(&array, &capacity, 0, 1);

	assert_null(array);
	assert_int_equal(capacity, 0);
}

static void reserve_overflow(void)
{
	uint64_t *array = NULL;
	size_t capacity = 0;

	array_reserve(&array, &capacity, SIZE_MAX / 8 + 2, sizeof(*array));
}

UNIT_TEST(array_reserve_overflow_ends_the_program)
{
	assert_ends_for_want_of_memory(reserve_overflow);
}

/* A capacity whose double does not fit into size_t: the double must not wrap to a small one. */
static void reserve_overflowing_double(void)
{
	void *array = NULL;
	size_t capacity = SIZE_MAX / 2 + 2;

	array_reserve(&array, &capacity, SIZE_MAX / 2 + 3, 2);
}

UNIT_TEST(array_reserve_overflow_of_the_double_ends_the_program)
{
	assert_ends_for_want_of_memory(reserve_overflowing_double);
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

UNIT_TEST(memory_on_exhaustion_hook_runs_once_before_the_line)
{
	char output[256];

	int status = run_child(end_with_hook, output, sizeof(output));

	assert_int_equal(status, 1);
	assert_string_equal(output, "hook\nperftop: out of memory\n");
}

static void end_with_hook_taken_back(void)
{
	memory_on_exhaustion(hook);
	memory_on_exhaustion(NULL);
	calloc_without_memory();
}

UNIT_TEST(memory_on_exhaustion_null_takes_the_hook_back)
{
	assert_ends_for_want_of_memory(end_with_hook_taken_back);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
