/* Records of several rings in one order. */

#include <linux/perf_event.h>

#include "kernel/attr.h"
#include "kernel/ring.h"
#include "source/tasks/merge.h"

#include "unit.h"

enum {
	PAGE = 4096,
	STRANDS = 4
};

/* What a ring tells, by its times; its owner is its name. */
static struct {
	struct sample_offsets offsets;
	struct merge merge;
	_Alignas(8) unsigned char memory[STRANDS][2 * PAGE];
	struct ring rings[STRANDS];
	char names[STRANDS][2];
	char text[256];
} kit;

static int init(void **state)
{
	static const struct attr_features features;
	const struct decode_format format = attr_decode_format(&features);

	kit.offsets = sample_offsets_of(&format);
	merge_begin(&kit.merge, UINT64_MAX);
	for (size_t i = 0; i < STRANDS; i++) {
		ring_attach(&kit.rings[i], kit.memory[i], PAGE, PAGE);
		kit.names[i][0] = (char)('a' + i);
	}
	return 0;
}

static int fini(void **state)
{
	merge_fini(&kit.merge);
	memset(&kit, 0, sizeof(kit));
	return 0;
}

static void put(size_t strand, uint64_t time_ns)
{
	struct perf_event_mmap_page *page = (void *)kit.memory[strand];
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t time_ns, cpu, id;
	} record = {.header = {.type = PERF_RECORD_SWITCH, .size = sizeof(record)},
		    .time_ns = time_ns};

	memcpy(kit.memory[strand] + PAGE + page->data_head, &record, sizeof(record));
	page->data_head += sizeof(record);
}

static void add(size_t strand)
{
	ring_begin(&kit.rings[strand]);
	merge_add(&kit.merge, &kit.rings[strand], kit.names[strand], &kit.offsets);
}

/* Up to `count` records as words: "a5" is of ring a, time 5. */
static const char *take(size_t count)
{
	const struct merge_strand *strand;
	size_t used = 0;

	kit.text[0] = '\0';
	while (count-- > 0 && (strand = merge_next(&kit.merge, &kit.offsets)) != NULL)
		used += (size_t)snprintf(kit.text + used, sizeof(kit.text) - used, "%s%llu ",
					 (const char *)strand->owner,
					 (unsigned long long)strand->time_ns);
	return kit.text;
}

UNIT_TEST(merge_next_gives_the_oldest_first)
{
	put(0, 3);
	put(0, 8);
	put(1, 1);
	put(1, 9);
	put(2, 2);
	put(2, 4);
	for (size_t i = 0; i < STRANDS; i++)
		add(i);

	assert_string_equal(take(99), "b1 c2 a3 c4 a8 b9 ");
	assert_string_equal(take(99), "");
}

UNIT_TEST(merge_next_of_one_time_gives_the_first_ring_first)
{
	for (size_t i = STRANDS; i-- > 0;) {
		put(i, 5);
		put(i, 5);
	}
	for (size_t i = 0; i < STRANDS; i++)
		add(i);

	assert_string_equal(take(99), "a5 a5 b5 b5 c5 c5 d5 d5 ");
}

/* Where one ring's own order is not that of time, it stays. */
UNIT_TEST(merge_next_keeps_the_order_of_a_ring)
{
	put(0, 7);
	put(0, 2);
	put(0, 8);
	put(1, 7);
	add(0);
	add(1);

	assert_string_equal(take(99), "a7 a2 b7 a8 ");
}

UNIT_TEST(merge_add_in_the_middle_loses_and_repeats_nothing)
{
	put(0, 3);
	put(0, 6);
	put(1, 1);
	put(1, 5);
	add(0);
	assert_string_equal(take(1), "a3 ");
	add(1);
	add(2); /* has nothing */

	assert_string_equal(take(99), "b1 b5 a6 ");
}

UNIT_TEST(merge_begin_begins_anew)
{
	put(0, 3);
	put(1, 4);
	add(0);
	add(1);
	assert_string_equal(take(1), "a3 ");
	merge_begin(&kit.merge, UINT64_MAX);
	assert_string_equal(take(99), "");
	put(0, 9);
	add(0);

	assert_string_equal(take(99), "a9 ");
}

/* In a ring whose own order is not that of time, what is behind it, too. */
UNIT_TEST(merge_next_leaves_what_is_later_for_the_next_sequence)
{
	put(0, 3);
	put(0, 6);
	put(0, 7);
	put(1, 8);
	put(1, 2);
	put(2, 5);
	merge_begin(&kit.merge, 5);
	for (size_t i = 0; i < STRANDS; i++)
		add(i);
	assert_string_equal(take(99), "a3 c5 ");
	for (size_t i = 0; i < STRANDS; i++)
		ring_end(&kit.rings[i]);

	put(2, 6);
	put(0, 9);
	merge_begin(&kit.merge, 8);
	for (size_t i = 0; i < STRANDS; i++)
		add(i);
	assert_string_equal(take(99), "a6 c6 a7 b8 b2 ");
}

int main(void)
{
	return unit_run(init, fini);
}
