/* The functions of an object by address. */
#include "symbol/table.h"
#include "unit.h"

static struct function_table table;

static int tear_down(void **state)
{
	table_fini(&table);
	return 0;
}

static void add(uint64_t start, uint64_t size, enum function_rank rank, const char *name)
{
	table_add(&table, &(struct table_function){
				  .start = start,
				  .size = size,
				  .rank = rank,
				  .name = name,
				  .name_length = strlen(name),
			  });
}

static void expect(uint64_t address, const char *name, uint64_t start, uint64_t end)
{
	uint64_t from, to;
	const struct function_row *function = table_find(&table, address, &from, &to);

	if (name) {
		assert_non_null(function);
		assert_string_equal(table_text(&table, function->name), name);
	} else {
		assert_null(function);
	}
	assert_true(from == start);
	assert_true(to == end);
}

UNIT_TEST(find_in_an_empty_table_is_none_anywhere)
{
	table_sort(&table, false);
	expect(5, NULL, 0, UINT64_MAX);
}

UNIT_TEST(find_knows_functions_and_gaps)
{
	add(0x200, 0x10, FUNCTION_GLOBAL, "second");
	add(0x100, 0x20, FUNCTION_GLOBAL, "first");
	table_sort(&table, false);

	expect(0xff, NULL, 0, 0x100);
	expect(0x100, "first", 0x100, 0x120);
	expect(0x11f, "first", 0x100, 0x120);
	expect(0x120, NULL, 0x120, 0x200);
	expect(0x20f, "second", 0x200, 0x210);
	expect(0x210, NULL, 0x210, UINT64_MAX);
}

UNIT_TEST(find_of_nested_functions_is_the_inner_one_with_the_outer_around_it)
{
	add(0x100, 0x100, FUNCTION_GLOBAL, "outer");
	add(0x140, 0x10, FUNCTION_LABEL, "inner");
	table_sort(&table, false);

	expect(0x13f, "outer", 0x100, 0x140);
	expect(0x14f, "inner", 0x140, 0x150);
	expect(0x150, "outer", 0x150, 0x200);
	expect(0x200, NULL, 0x200, UINT64_MAX);
}

UNIT_TEST(sort_gives_those_without_a_size_all_up_to_the_next)
{
	add(0x100, 0, FUNCTION_GLOBAL, "open");
	add(0x180, 0, FUNCTION_GLOBAL, "last");
	table_sort(&table, false);

	expect(0x17f, "open", 0x100, 0x180);
	expect(0x1fff, "last", 0x180, 0x2000);
	expect(0x2000, NULL, 0x2000, UINT64_MAX);
}

UNIT_TEST(sort_ends_the_last_of_a_module_soon)
{
	table_add(&table, &(struct table_function){.start = 0x1000,
						   .rank = FUNCTION_GLOBAL,
						   .name = "kernel",
						   .name_length = 6});
	table_add(&table, &(struct table_function){.start = 0x900000,
						   .rank = FUNCTION_GLOBAL,
						   .name = "driver",
						   .name_length = 6,
						   .module = "[usb]",
						   .module_length = 5});
	table_sort(&table, false);

	uint64_t start, end;

	expect(0x2fff, "kernel", 0x1000, 0x3000);
	expect(0x3000, NULL, 0x3000, 0x900000);
	assert_string_equal(table_text(&table, table_find(&table, 0x900000, &start, &end)->module),
			    "[usb]");
}

UNIT_TEST(sort_keeps_of_aliases_what_perf_keeps)
{
	static const struct {
		const char *name;
		uint64_t size;
		enum function_rank rank;
		const char *other;
		uint64_t other_size;
		enum function_rank other_rank;
	} cases[] = {
		{"sized", 8, FUNCTION_LABEL, "open", 0, FUNCTION_GLOBAL},
		{"local", 8, FUNCTION_LOCAL, "weak", 8, FUNCTION_WEAK},
		{"global", 8, FUNCTION_GLOBAL, "local_and_longer", 8, FUNCTION_LOCAL},
		{"read", 8, FUNCTION_GLOBAL, "__read", 8, FUNCTION_GLOBAL},
		{"a_longer_one", 8, FUNCTION_GLOBAL, "one", 8, FUNCTION_GLOBAL},
	};

	for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
		bool is_first = i % 2 == 0;

		begin_case(cases[i / 2].name);
		table_fini(&table);
		if (is_first)
			add(0x100, cases[i / 2].size, cases[i / 2].rank, cases[i / 2].name);
		add(0x100, cases[i / 2].other_size, cases[i / 2].other_rank, cases[i / 2].other);
		if (!is_first)
			add(0x100, cases[i / 2].size, cases[i / 2].rank, cases[i / 2].name);
		table_sort(&table, false);
		expect(0x100, cases[i / 2].name, 0x100, 0x108);
	}
}

UNIT_TEST(sort_for_the_newest_ends_what_was_there_before)
{
	add(0x100, 0x100, FUNCTION_GLOBAL, "old");
	add(0x180, 0x10, FUNCTION_GLOBAL, "older");
	add(0x180, 0x20, FUNCTION_GLOBAL, "new");
	table_sort(&table, true);

	expect(0x17f, "old", 0x100, 0x180);
	expect(0x180, "new", 0x180, 0x1a0);
	expect(0x1a0, NULL, 0x1a0, UINT64_MAX);
}

UNIT_TEST(add_leaves_out_what_makes_no_sense)
{
	add(0, 0x10, FUNCTION_GLOBAL, "null");
	add(0x100, 0x10, FUNCTION_GLOBAL, "");
	add(UINT64_MAX - 5, 6, FUNCTION_GLOBAL, "over_the_end");
	table_sort(&table, false);

	assert_int_equal(table.count, 0);
}

UNIT_TEST(add_cuts_names_that_are_too_long)
{
	char *name = malloc(70000);
	uint64_t start, end;

	memset(name, 'x', 69999);
	name[69999] = '\0';
	add(0x100, 0x10, FUNCTION_GLOBAL, name);
	table_sort(&table, false);

	assert_int_equal(strlen(table_text(&table, table_find(&table, 0x100, &start, &end)->name)),
			 TABLE_NAME_BYTES);
	free(name);
}

UNIT_MAIN(NULL, tear_down)
