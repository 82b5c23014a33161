/* Lists of columns, and of their names. */

#include "model/metric.h"
#include "view/column.h"

#include "unit.h"

static struct metric_set *set;
static struct columns *known;

static int set_up(void **state)
{
	set = metric_set_create();
	known = columns_create(set);
	return 0;
}

static int tear_down(void **state)
{
	columns_destroy(known);
	metric_set_destroy(set);
	return 0;
}

static const struct column pid = {.name = "pid", .format = COLUMN_INTEGER};
static const struct column ipc = {.name = "ipc", .format = COLUMN_FIXED_2};
static const struct column command = {.name = "command", .format = COLUMN_TEXT};

static const char *names_of(const struct column_list *list)
{
	static char text[128];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < list->count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s ",
					   list->columns[i]->name);
	return text;
}

UNIT_TEST(column_list_insert_stands_before_the_command)
{
	struct column_list list = {0};

	column_list_add(&list, &pid);
	column_list_add(&list, &command);
	column_list_insert(&list, &ipc);
	assert_string_equal(names_of(&list), "pid ipc command ");
	column_list_fini(&list);
}

UNIT_TEST(column_list_insert_without_a_command_stands_last)
{
	struct column_list list = {0};

	column_list_insert(&list, &pid);
	column_list_insert(&list, &ipc);
	assert_string_equal(names_of(&list), "pid ipc ");
	column_list_insert(&list, &command);
	assert_string_equal(names_of(&list), "pid ipc command ");
	column_list_fini(&list);
}

UNIT_TEST(column_list_insert_twice_is_there_once)
{
	struct column_list list = {0};

	column_list_add(&list, &ipc);
	column_list_add(&list, &command);
	column_list_insert(&list, &ipc);
	assert_string_equal(names_of(&list), "ipc command ");
	column_list_fini(&list);
}

UNIT_TEST(column_list_remove_says_whether_it_was_there)
{
	struct column_list list = {0};

	column_list_add(&list, &pid);
	column_list_add(&list, &ipc);
	assert_true(column_list_remove(&list, &pid));
	assert_false(column_list_remove(&list, &pid));
	assert_string_equal(names_of(&list), "ipc ");
	column_list_fini(&list);
}

UNIT_TEST(column_list_copy_is_independent)
{
	struct column_list list = {0}, copy;

	column_list_add(&list, &pid);
	column_list_copy(&copy, &list);
	column_list_remove(&list, &pid);
	assert_true(column_list_has(&copy, &pid));
	column_list_fini(&list);
	column_list_fini(&copy);
}

/* The words of a list, with '|' between. */
static void assert_words(const char *list, const char *expected)
{
	char word[64], text[256] = "";

	while (column_word_next(known, &list, word, sizeof(word))) {
		strcat(text, word);
		strcat(text, "|");
	}
	assert_string_equal(text, expected);
}

UNIT_TEST(column_word_next_splits_at_commas)
{
	assert_words("pid, ipc ,command", "pid|ipc|command|");
	assert_words("pid,,ipc", "pid||ipc|");
	assert_words("", "");
}

UNIT_TEST(column_word_next_keeps_an_event_whole)
{
	assert_words("pid,cpu/event=0x3c,umask=0/,command", "pid|cpu/event=0x3c,umask=0/|command|");
	assert_words("{a,b}:u,pid", "{a,b}:u|pid|");
	assert_words("sched:x/a<1,b/,pid", "sched:x/a<1,b/|pid|");
	assert_words("cpu/a,b/@cpu_core,pid", "cpu/a,b/@cpu_core|pid|");
}

/* Names of columns have slashes that do not pair. */
UNIT_TEST(column_word_next_knows_columns)
{
	assert_words("sw/s,cpu/a,b/,pre/s,pid", "sw/s|cpu/a,b/|pre/s|pid|");
}

/* A slash of a path or of a length is alone. */
UNIT_TEST(column_word_next_knows_paths)
{
	assert_words("uprobe:/usr/bin/x:f,pid", "uprobe:/usr/bin/x:f|pid|");
	assert_words("mem:0x10/8:w,pid", "mem:0x10/8:w|pid|");
}

UNIT_TEST(column_word_next_too_long_is_cut)
{
	const char *list = "abcdefgh,pid";
	char word[4];

	assert_true(column_word_next(known, &list, word, sizeof(word)));
	assert_string_equal(word, "abc");
	assert_string_equal(list, "pid");
}

int main(void)
{
	return unit_run_group(NULL, NULL, set_up, tear_down);
}
