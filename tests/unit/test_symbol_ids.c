/* What ids stand for, and how they are given anew. */
#include "symbol/entries.h"
#include "unit.h"

enum {
	SOME_MAX = 16,
	OBJECT = 3
};

static struct entries entries;

static int set_up(void **state)
{
	entries_init(&entries, SOME_MAX);
	return 0;
}

static int tear_down(void **state)
{
	entries_fini(&entries);
	return 0;
}

static struct symbol function(const char *name, uint64_t start)
{
	return (struct symbol){
		.name = name, .object = OBJECT, .start = start, .state = SYMBOL_FOUND};
}

static uint32_t intern(const char *name, uint64_t start)
{
	const struct symbol like = function(name, start);

	return entries_intern(&entries, &like);
}

static uint32_t add(const char *name)
{
	return entries_add(
		&entries,
		&(struct symbol){.name = name, .object = OBJECT, .state = SYMBOL_PENDING});
}

UNIT_TEST(intern_gives_equal_things_one_id)
{
	uint32_t id = intern("main", 0x100);

	assert_int_not_equal(id, SYMBOL_NONE);
	assert_int_equal(intern("main", 0x100), id);
	assert_int_not_equal(intern("main", 0x200), id);
	assert_int_not_equal(intern("other", 0x100), id);
	assert_string_equal(entries_get(&entries, id)->name, "main");
}

UNIT_TEST(intern_tells_lines_of_a_function_apart)
{
	struct symbol line = function("main", 0);
	uint32_t first, second;

	line.file = "/a.c";
	line.line = 1;
	first = entries_intern(&entries, &line);
	line.line = 2;
	second = entries_intern(&entries, &line);
	line.inlined_in = first;

	assert_int_not_equal(first, second);
	assert_int_not_equal(entries_intern(&entries, &line), second);
}

UNIT_TEST(intern_tells_a_function_that_was_inlined_from_the_one_that_has_code)
{
	struct symbol inlined = function("main", 0);

	inlined.is_inlined = true;
	assert_int_not_equal(entries_intern(&entries, &inlined), intern("main", 0));
}

UNIT_TEST(intern_without_room_gives_the_one_that_says_so)
{
	for (uint64_t i = 0; i < SOME_MAX; i++)
		intern("f", i);

	uint32_t id = intern("one more", 1);

	assert_int_equal(id, entries.crowded);
	assert_int_equal(entries_get(&entries, id)->reason, SYMBOL_REASON_CROWDED);
	assert_int_equal(add("0x1"), SYMBOL_NONE);
	assert_int_equal(entries.bound, SOME_MAX);
}

UNIT_TEST(forget_rest_gives_the_ids_of_what_is_not_kept_anew)
{
	uint32_t kept = intern("kept", 1), gone = intern("gone", 2);

	entries_keep(&entries, kept);
	entries_forget_rest(&entries);

	assert_int_equal(intern("kept", 1), kept);
	assert_int_equal(intern("new", 3), gone);
	assert_string_equal(entries_get(&entries, gone)->name, "new");
	assert_int_equal(entries.count, 3);
}

UNIT_TEST(forget_rest_keeps_what_the_kept_refer_to)
{
	uint32_t outer = intern("outer", 1), found = intern("found", 2), waited = add("0x10");
	uint32_t inlined = intern("inlined", 3);
	struct symbol line = function("inner", 0);
	uint32_t in_line;

	line.inlined_in = outer;
	line.function = found;
	line.inlined = inlined;
	in_line = entries_intern(&entries, &line);
	entries_merge(&entries, waited, in_line);
	entries_keep(&entries, waited);
	entries_forget_rest(&entries);

	assert_int_equal(intern("outer", 1), outer);
	assert_int_equal(intern("found", 2), found);
	assert_int_equal(intern("inlined", 3), inlined);
	assert_int_equal(entries_resolve(&entries, waited), in_line);
}

UNIT_TEST(forget_rest_keeps_what_is_pending)
{
	uint32_t pending = add("0x1"), settled = add("0x2"), found = intern("f", 1);

	entries_merge(&entries, settled, found);
	entries_forget_rest(&entries);

	assert_string_equal(entries_get(&entries, pending)->name, "0x1");
	assert_null(entries_get(&entries, settled)->name);
}

UNIT_TEST(waiting_leave_their_list_in_order)
{
	struct waiting_list list = {0};
	uint32_t first = add("0x1"), second = add("0x2");

	entries_wait(&entries, &list, first, 1);
	entries_wait(&entries, &list, second, 2);
	assert_int_equal(entries_take_waiting(&entries, &list), first);
	entries_wait(&entries, &list, first, 3);
	assert_int_equal(entries_take_waiting(&entries, &list), second);
	assert_int_equal(entries_take_waiting(&entries, &list), first);
	assert_int_equal(entries.items[first].address, 3);
	assert_int_equal(entries_take_waiting(&entries, &list), SYMBOL_NONE);
}

UNIT_TEST(resolve_follows_to_the_end)
{
	uint32_t first = add("0x1"), second = add("0x2"), found = intern("f", 1);

	entries_merge(&entries, first, second);
	assert_int_equal(entries_resolve(&entries, first), second);
	entries_merge(&entries, second, found);
	assert_int_equal(entries_resolve(&entries, first), found);
}

UNIT_MAIN(set_up, tear_down)
