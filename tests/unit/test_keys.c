/* Keys that are bound anew, and two keys in a row. */

#include "base/error.h"

#include "mode/keys.h"
#include "term/key.h"
#include "unit.h"

static struct keys keys;

static int set_up(void **state)
{
	keys_init(&keys);
	return 0;
}

static int tear_down(void **state)
{
	keys_fini(&keys);
	return 0;
}

/* What holds of a key by name; NULL: nothing. */
static const struct key_binding *line_of(const char *name)
{
	size_t count;
	const struct key_binding *now = keys_now(&keys, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(now[i].key, name) == 0)
			return &now[i];
	return NULL;
}

static const char *type(const char *text)
{
	const char *command = NULL;
	bool waits;

	for (; *text != '\0'; text++)
		command = keys_type(&keys, (uint32_t)*text, &waits);
	return command;
}

UNIT_TEST(keys_without_changes_are_the_table)
{
	size_t count, table_count;
	const struct key_binding *now = keys_now(&keys, &count);
	const struct key_binding *table = keys_now(NULL, &table_count);

	assert_int_equal(count, table_count);
	assert_memory_equal(now, table, count * sizeof(*table));
	assert_string_equal(keys_bound(&keys, 'q'), "close");
}

UNIT_TEST(keys_bind_replaces_and_takes_back)
{
	assert_true(keys_bind(&keys, "q", "help", NULL));
	assert_string_equal(keys_bound(&keys, 'q'), "help");
	assert_true(keys_bind(&keys, "q", "sort ipc", NULL));
	assert_string_equal(keys_bound(&keys, 'q'), "sort ipc");
	assert_int_equal(keys.count, 1);
	assert_true(keys_bind(&keys, "q", "close", NULL));
	assert_int_equal(keys.count, 0);
	assert_string_equal(keys_bound(&keys, 'q'), "close");
}

UNIT_TEST(keys_bind_nothing_makes_a_key_do_nothing)
{
	assert_true(keys_bind(&keys, "F10", NULL, NULL));
	assert_null(keys_bound(&keys, KEY_CODE_F10));
	assert_null(line_of("F10"));
	assert_non_null(line_of("q"));
}

UNIT_TEST(keys_bind_takes_any_name_of_a_key)
{
	assert_true(keys_bind(&keys, "pagedown", "last", NULL));
	assert_string_equal(keys_bound(&keys, KEY_CODE_PAGE_DOWN), "last");
	assert_string_equal(line_of("PgDn")->command, "last");
	assert_true(keys_bind(&keys, "^x", "quit", NULL));
	assert_string_equal(keys_bound(&keys, 'X' - '@'), "quit");
}

UNIT_TEST(keys_bind_what_is_no_key_is_refused)
{
	static const char *const bad[] = {"", "F13", "ggg", "a b", "\xff", "\x01\x02", "Nokey"};
	struct error error = {0};

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		assert_false(keys_bind(&keys, bad[i], "quit", &error));
		assert_int_equal(error.code, ERROR_KEY_UNKNOWN);
	}
	assert_int_equal(keys.count, 0);
}

UNIT_TEST(keys_now_has_each_key_once)
{
	size_t count;
	const struct key_binding *now;

	keys_bind(&keys, "q", "help", NULL);
	keys_bind(&keys, "xx", "help", NULL);
	now = keys_now(&keys, &count);
	for (size_t i = 0; i < count; i++) {
		assert_non_null(now[i].command);
		for (size_t j = 0; j < i; j++)
			if (strcmp(now[i].key, now[j].key) == 0)
				fail_msg("%s stands twice", now[i].key);
	}
}

/* What is listed is what happens. */
UNIT_TEST(keys_now_is_what_typing_does)
{
	size_t count;
	bool waits;
	const struct key_binding *now;

	keys_bind(&keys, "g", NULL, NULL);
	keys_bind(&keys, "gg", "first", NULL);
	keys_bind(&keys, "q", "help", NULL);
	now = keys_now(&keys, &count);
	for (size_t i = 0; i < count; i++) {
		struct key_sequence wanted;
		const char *command;

		assert_true(keys_parse(now[i].key, &wanted));
		command = keys_type(&keys, wanted.two[0], &waits);
		if (wanted.two[1] != KEY_CODE_NONE) {
			assert_true(waits);
			command = keys_type(&keys, wanted.two[1], &waits);
		}
		assert_string_equal(command, now[i].command);
		assert_false(waits);
	}
}

UNIT_TEST(keys_name_of_is_the_key_that_holds)
{
	assert_string_equal(keys_name_of(&keys, "freeze"), "Z");
	keys_bind(&keys, "Z", NULL, NULL);
	assert_string_equal(keys_name_of(&keys, "freeze"), "freeze");
	keys_bind(&keys, "zz", "freeze", NULL);
	assert_string_equal(keys_name_of(&keys, "freeze"), "zz");
}

static size_t parsed;

uint32_t __real_key_parse(const char *name);

uint32_t __wrap_key_parse(const char *name)
{
	parsed++;
	return __real_key_parse(name);
}

/* At each key the names of a hundred would be read again. */
UNIT_TEST(keys_typing_parses_no_names)
{
	bool waits;

	keys_bind(&keys, "g", NULL, NULL);
	keys_bind(&keys, "gg", "first", NULL);
	parsed = 0;
	assert_string_equal(keys_type(&keys, 'q', &waits), "close");
	assert_null(keys_type(&keys, '%', &waits));
	assert_string_equal(type("gg"), "first");
	assert_int_equal(parsed, 0);
}

UNIT_TEST(keys_type_two_in_a_row)
{
	bool waits;

	keys_bind(&keys, "g", NULL, NULL);
	keys_bind(&keys, "j", "down", NULL);
	keys_bind(&keys, "gg", "first", NULL);
	keys_bind(&keys, "gt", "next-view", NULL);
	assert_null(keys_type(&keys, 'g', &waits));
	assert_true(waits);
	assert_string_equal(keys_type(&keys, 'g', &waits), "first");
	assert_false(waits);
	assert_string_equal(type("gt"), "next-view");
	/* what makes no pair does nothing, and the next key is one of its own */
	assert_null(type("gx"));
	assert_string_equal(type("j"), "down");
	assert_string_equal(type("gg"), "first");
}

UNIT_TEST(keys_type_first_of_two_does_its_own_where_it_has_one)
{
	bool waits;

	keys_bind(&keys, "qq", "quit", NULL);
	assert_string_equal(keys_type(&keys, 'q', &waits), "close");
	assert_false(waits);
	keys_bind(&keys, "q", NULL, NULL);
	assert_null(keys_type(&keys, 'q', &waits));
	assert_true(waits);
	assert_string_equal(keys_type(&keys, 'q', &waits), "quit");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
