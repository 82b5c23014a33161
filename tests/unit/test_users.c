/* Names of users, against a user database of the test's own. */

#include <errno.h>
#include <pwd.h>

#include "view/names.h"

#include "unit.h"

/* The one entry there is. */
static struct {
	uid_t uid;
	const char *name;
	size_t bytes; /* a smaller buffer is refused */
	int lookups;
} database;

static int answer(bool matches, struct passwd *entry, char *buffer, size_t size,
		  struct passwd **result)
{
	*result = NULL;
	database.lookups++;
	if (size < database.bytes)
		return ERANGE;
	if (!matches)
		return 0;
	snprintf(buffer, size, "%s", database.name);
	*entry = (struct passwd){.pw_uid = database.uid, .pw_name = buffer};
	*result = entry;
	return 0;
}

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t size,
		      struct passwd **result);
int __wrap_getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size,
		      struct passwd **result);

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t size,
		      struct passwd **result)
{
	return answer(uid == database.uid, entry, buffer, size, result);
}

int __wrap_getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size,
		      struct passwd **result)
{
	return answer(strcmp(name, database.name) == 0, entry, buffer, size, result);
}

static int set_up(void **state)
{
	database.uid = 1000;
	database.name = "ben";
	database.bytes = 0;
	database.lookups = 0;
	*state = users_create();
	return 0;
}

static int tear_down(void **state)
{
	users_destroy(*state);
	return 0;
}

UNIT_TEST(users_name_known_uid_is_its_name)
{
	const char *name = users_name(*state, 1000);

	assert_string_equal(name, "ben");
}

UNIT_TEST(users_name_unknown_uid_is_its_number)
{
	const char *name = users_name(*state, 4242);

	assert_string_equal(name, "4242");
}

UNIT_TEST(users_name_of_no_uid_is_empty)
{
	const char *name = users_name(*state, -1);

	assert_string_equal(name, "");
}

UNIT_TEST(users_name_asked_twice_looks_up_once)
{
	users_name(*state, 1000);
	users_name(*state, 4242);

	users_name(*state, 1000);
	users_name(*state, 4242);

	assert_int_equal(database.lookups, 2);
}

UNIT_TEST(users_name_of_long_entry_is_found_with_larger_buffer)
{
	database.bytes = 5000;

	assert_string_equal(users_name(*state, 1000), "ben");
}

UNIT_TEST(users_name_of_endless_entry_is_its_number)
{
	database.bytes = SIZE_MAX;

	assert_string_equal(users_name(*state, 1000), "1000");
}

UNIT_TEST(users_name_with_control_character_is_harmless)
{
	database.name = "be\033n";

	assert_string_equal(users_name(*state, 1000), "be\\x1Bn");
}

/* Of a recording: 7 is "otto", nobody else is known. */
static const char *ask(void *context, int64_t uid)
{
	int *asked = context;

	(*asked)++;
	return uid == 7 ? "ot\nto" : NULL;
}

UNIT_TEST(users_that_are_asked_for_elsewhere_are_not_looked_up_here)
{
	int asked = 0;

	users_ask(*state, ask, &asked);
	assert_string_equal(users_name(*state, 7), "ot\\x0Ato");
	assert_string_equal(users_name(*state, 7), "ot\\x0Ato");
	assert_string_equal(users_name(*state, 1000), "1000");
	assert_int_equal(asked, 2);
	assert_int_equal(database.lookups, 0);
}

UNIT_TEST(users_find_login_name_gives_uid)
{
	assert_int_equal(users_find("ben"), 1000);
}

UNIT_TEST(users_find_number_gives_number)
{
	assert_int_equal(users_find("77"), 77);
}

UNIT_TEST(users_find_name_of_digits_gives_its_uid)
{
	database.name = "77";

	assert_int_equal(users_find("77"), 1000);
}

UNIT_TEST(users_find_nonsense_gives_none)
{
	static const char *const words[] = {"", "nobody-here", "-1", "4294967295", "12x"};

	for (size_t i = 0; i < COUNT_OF(words); i++)
		assert_int_equal(users_find(words[i]), -1);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
