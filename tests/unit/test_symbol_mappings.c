/* What is mapped where in a process, as mappings take each other's place; and the ranges of an
 * object. */
#include "symbol/mappings.h"
#include "unit.h"

static struct code_objects objects;
static struct mappings mappings;
static struct process *process;

enum {
	SOME_OBJECTS = 10,
	ROUNDS = 50000
};

static int set_up(void **state)
{
	objects_init(&objects, false);
	for (uint64_t i = 0; i < SOME_OBJECTS; i++)
		objects_note_named(&objects, objects_intern(&objects, i + 1,
							    &(struct wire_object){.name = "/f"}));
	mappings = (struct mappings){.objects = &objects, .max = 4};
	process = mappings_get(&mappings, 1);
	return 0;
}

static int tear_down(void **state)
{
	mappings_fini(&mappings);
	objects_fini(&objects);
	return 0;
}

static void map(uint64_t start, uint64_t end, uint64_t at, uint32_t object)
{
	process_map(process, &(struct mapping){start, end, at, object, 0});
}

/* "START-END AT OBJECT" of each, in one text. */
static void expect(const char *text)
{
	char found[512] = "";

	for (size_t i = 0; i < process->count; i++) {
		const struct mapping *mapping = &process->mappings[i];
		size_t length = strlen(found);

		snprintf(found + length, sizeof(found) - length, "%s%llx-%llx %llx %u",
			 i > 0 ? ", " : "", (unsigned long long)mapping->start,
			 (unsigned long long)mapping->end, (unsigned long long)mapping->at,
			 mapping->object);
	}
	assert_string_equal(found, text);
}

UNIT_TEST(map_keeps_the_order_of_addresses)
{
	map(0x3000, 0x4000, 0, 3);
	map(0x1000, 0x2000, 0x100, 1);
	map(0x2000, 0x3000, 0, 2);

	expect("1000-2000 100 1, 2000-3000 0 2, 3000-4000 0 3");
}

UNIT_TEST(map_takes_the_place_of_what_was_there)
{
	static const struct {
		const char *name;
		uint64_t start, end;
		const char *result;
	} cases[] = {
		{"the same", 0x2000, 0x5000, "2000-5000 7000 9"},
		{"inside", 0x3000, 0x4000, "2000-3000 0 1, 3000-4000 7000 9, 4000-5000 2000 1"},
		{"its beginning", 0x2000, 0x3000, "2000-3000 7000 9, 3000-5000 1000 1"},
		{"its end", 0x4000, 0x5000, "2000-4000 0 1, 4000-5000 7000 9"},
		{"over its beginning", 0x1000, 0x3000, "1000-3000 7000 9, 3000-5000 1000 1"},
		{"over its end", 0x4000, 0x6000, "2000-4000 0 1, 4000-6000 7000 9"},
		{"all of it", 0x1000, 0x6000, "1000-6000 7000 9"},
		{"before", 0x1000, 0x2000, "1000-2000 7000 9, 2000-5000 0 1"},
		{"behind", 0x5000, 0x6000, "2000-5000 0 1, 5000-6000 7000 9"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		process_unmap_all(process);
		map(0x2000, 0x5000, 0, 1);
		map(cases[i].start, cases[i].end, 0x7000, 9);
		expect(cases[i].result);
	}
}

UNIT_TEST(map_over_several_leaves_the_outer_parts)
{
	map(0x1000, 0x3000, 0, 1);
	map(0x3000, 0x4000, 0, 2);
	map(0x5000, 0x7000, 0, 3);
	map(0x2000, 0x6000, 0x100, 4);

	expect("1000-2000 0 1, 2000-6000 100 4, 6000-7000 1000 3");
}

/* From above to below, so that each would move all others. */
UNIT_TEST(map_of_ever_new_addresses_keeps_the_newest)
{
	for (uint64_t i = ROUNDS; i > 0; i--)
		map(i * 0x2000, i * 0x2000 + 0x1000, i, 1);

	assert_true(process->count <= MAPPINGS_MAX + 1);
	assert_true(process->capacity <= 2 * (MAPPINGS_MAX + 2));
	for (uint64_t i = 1; i < MAPPINGS_MAX / 2; i++)
		assert_int_equal(process_find(process, i * 0x2000)->at, i);
	assert_null(process_find(process, ROUNDS * UINT64_C(0x2000)));
}

/* The one with most mappings makes room for objects of others. */
UNIT_TEST(objects_go_with_the_last_mapping_that_leads_to_them)
{
	const struct wire_object wire = {.name = "/gone"};
	const uint32_t before = objects.count, id = objects_intern(&objects, 1000, &wire);
	struct process *child = mappings_get(&mappings, 2);

	map(0x1000, 0x4000, 0, id);
	map(0x2000, 0x3000, 0, 1);
	process_map(child, &process->mappings[0]);
	map(0x1000, 0x4000, 0, 1);
	assert_int_equal(objects.count, before + 1);
	map(0x5000, 0x6000, 0, 1);
	assert_true(mappings_make_room(&mappings));
	assert_int_equal(process->count, 0);
	assert_true(mappings_make_room(&mappings));
	assert_int_equal(objects.count, before);
	assert_false(mappings_make_room(&mappings));
}

UNIT_TEST(find_knows_what_is_mapped_and_what_is_not)
{
	map(0x1000, 0x2000, 0, 1);
	map(0x3000, 0x4000, 0, 2);

	assert_null(process_find(process, 0xfff));
	assert_int_equal(process_find(process, 0x1fff)->object, 1);
	assert_null(process_find(process, 0x2000));
	assert_int_equal(process_find(process, 0x3000)->object, 2);
	assert_null(process_find(process, 0x4000));
}

UNIT_TEST(get_of_one_too_many_drops_the_one_used_longest_ago)
{
	mappings_get(&mappings, 2)->waiting.is_queued = true;
	mappings_get(&mappings, 3);
	mappings_get(&mappings, 4);
	mappings_get(&mappings, 1);
	mappings_get(&mappings, 5);

	assert_null(mappings_find(&mappings, 3));
	assert_non_null(mappings_find(&mappings, 1));
	assert_non_null(mappings_find(&mappings, 2)); /* somebody waits for it */
	assert_int_equal(mappings.by_pid.count, 4);
}

static struct code_object object;

static void add(uint64_t start, uint64_t end, uint32_t id)
{
	object_add_range(&object, &(struct object_range){start, end, id});
}

UNIT_TEST(ranges_are_found_once_they_are_sorted)
{
	object = (struct code_object){0};
	add(0x200, 0x300, 2);
	add(0x100, 0x180, 1);
	add(0x200, 0x300, 2);
	assert_int_equal(object_find(&object, 0x110), SYMBOL_NONE);
	object_sort(&object);
	add(0x150, 0x160, 4);
	add(0x400, 0x500, 3);
	add(0x080, 0x100, 5);
	object_sort(&object);

	assert_int_equal(object_find(&object, 0x7f), SYMBOL_NONE);
	assert_int_equal(object_find(&object, 0x80), 5);
	assert_int_equal(object_find(&object, 0x100), 1);
	assert_int_equal(object_find(&object, 0x155), 4);
	assert_int_equal(object_find(&object, 0x180), SYMBOL_NONE);
	assert_int_equal(object_find(&object, 0x2ff), 2);
	assert_int_equal(object_find(&object, 0x4ff), 3);
	assert_int_equal(object.range_count, 5);
	free(object.ranges);
}

UNIT_MAIN(set_up, tear_down)
