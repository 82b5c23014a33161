/* Names of users, against a user database of the test's own. */

#include <pwd.h>

#include "view/names.h"

#include "unit.h"

/* The one entry there is. */
static struct {
	uid_t uid;
	const char *name;
	int lookups;
} database;

static struct passwd *answer(bool matches)
{
	static char name[64];
	static struct passwd entry;

	database.lookups++;
	snprintf(name, sizeof(name), "%s", database.name);
	entry = (struct passwd){.pw_uid = database.uid, .pw_name = name};
	return matches ? &entry : NULL;
}

struct passwd *__wrap_getpwuid(uid_t uid)
{
	return answer(uid == database.uid);
}

struct passwd *__wrap_getpwnam(const char *name)
{
	return answer(strcmp(name, database.name) == 0);
}

static int set_up(void **state)
{
	database.uid = 1000;
	database.name = "ben";
	database.lookups = 0;
	*state = users_create();
	return 0;
}

static int tear_down(void **state)
{
	users_destroy(*state);
	return 0;
}

UNIT_TEST(users_name_is_the_name_or_the_number_looked_up_once)
{
	for (int i = 0; i < 2; i++) {
		assert_string_equal(users_name(*state, 1000), "ben");
		assert_string_equal(users_name(*state, 4242), "4242");
		assert_string_equal(users_name(*state, -1), "");
	}
	assert_int_equal(database.lookups, 2);
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

UNIT_TEST(users_find_gives_the_uid_of_a_name_or_number)
{
	static const char *const words[] = {"", "nobody-here", "-1", "4294967295", "12x"};

	assert_int_equal(users_find("ben"), 1000);
	assert_int_equal(users_find("77"), 77);
	for (size_t i = 0; i < COUNT_OF(words); i++)
		assert_int_equal(users_find(words[i]), -1);
	database.name = "77";
	assert_int_equal(users_find("77"), 1000);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
