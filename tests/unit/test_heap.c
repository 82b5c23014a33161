/* Sequences of times that are merged. */

#include "base/heap.h"

#include "unit.h"

enum {
	SEQUENCES = 4,
	TIMES = 4
};

struct sequence {
	char name;
	size_t next;
	uint64_t times[TIMES]; /* 0: its end */
};

static struct heap heap;
static char text[256];

static void add(struct sequence *sequence, char name)
{
	sequence->name = name;
	if (sequence->times[0] != 0)
		heap_add(&heap, sequence, sequence->times[0]);
}

/* Up to `count` times as words: "a5" is of sequence a, time 5. */
static const char *take(size_t count)
{
	size_t used = 0;

	text[0] = '\0';
	for (; count > 0 && heap.count > 0; count--) {
		struct sequence *top = heap_top(&heap);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%c%llu ", top->name,
					 (unsigned long long)top->times[top->next++]);
		if (top->next < TIMES && top->times[top->next] != 0)
			heap_advance(&heap, top->times[top->next]);
		else
			heap_remove_top(&heap);
	}
	return text;
}

static int fini(void **state)
{
	heap_fini(&heap);
	return 0;
}

UNIT_TEST(heap_gives_the_earliest_first)
{
	/* clang-format off */
	static const struct {
		const char *name;
		uint64_t times[SEQUENCES][TIMES];
		const char *expected;
	} cases[] = {
		{"by time",                  {{3, 8}, {1, 9}, {2, 4}},           "b1 c2 a3 c4 a8 b9 "},
		{"one time: as added",       {{5, 5}, {5, 5}, {5, 5}, {5, 5}},   "a5 a5 b5 b5 c5 c5 d5 d5 "},
		{"a sequence's order stays", {{7, 2, 8}, {7}},                   "a7 a2 b7 a8 "},
		{"nothing",                  {{0}, {0}},                         ""},
	};
	/* clang-format on */

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct sequence sequences[SEQUENCES] = {0};

		begin_case(cases[i].name);
		heap_clear(&heap);
		for (size_t j = 0; j < SEQUENCES; j++) {
			memcpy(sequences[j].times, cases[i].times[j], sizeof(cases[i].times[j]));
			add(&sequences[j], (char)('a' + j));
		}
		assert_string_equal(take(99), cases[i].expected);
		assert_string_equal(take(99), "");
	}
}

UNIT_TEST(heap_add_in_the_middle_finds_its_place)
{
	struct sequence first = {.times = {3, 6}}, second = {.times = {1, 5}};

	add(&first, 'a');
	assert_string_equal(take(1), "a3 ");
	add(&second, 'b');

	assert_string_equal(take(99), "b1 b5 a6 ");

	/* all is forgotten */
	first.next = second.next = 0;
	add(&first, 'a');
	heap_clear(&heap);
	add(&second, 'b');
	assert_string_equal(take(99), "b1 b5 ");
}

UNIT_MAIN(NULL, fini)
