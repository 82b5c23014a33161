/* The help as a whole: each key stands in the topic where one looks for it. */

#include "model/metric_set.h"

#include "command/help.h"
#include "fake_app.h"
#include "mode/keys.h"
#include "unit.h"

static struct strbuf text;
static struct metric_set *set;
static struct columns *columns;

static int set_up(void **state)
{
	set = metric_set_create();
	columns = columns_create(set);
	return 0;
}

static int tear_down(void **state)
{
	columns_destroy(columns);
	metric_set_destroy(set);
	strbuf_fini(&text);
	return 0;
}

static size_t place_of(const char *words)
{
	const char *found = strstr(strbuf_text(&text), words);

	if (found == NULL)
		fail_msg("\"%s\" is not in the help:\n%s", words, strbuf_text(&text));
	return (size_t)(found - strbuf_text(&text));
}

static void write_help(const struct keys *keys)
{
	help_write(&text, columns, set, keys);
}

UNIT_TEST(topics_stand_in_the_order_of_need)
{
	write_help(NULL);
	assert_true(place_of("\n## Help and leaving\n") < place_of("\n  F1 h "));
	assert_true(place_of("\n  F1 h ") < place_of("\n  q F10 "));
	assert_true(place_of("\n## Order\n") < place_of("\n  M          sort miss%"));
	assert_true(place_of("sort by MISS %\n") < place_of("\n## Tree and tags\n"));
	assert_true(place_of("\n## Tree and tags\n") < place_of("\n  t F5 "));
	assert_true(place_of("\n## Acting on tasks\n") < place_of("\n  k F9 "));
	assert_true(place_of("\n  k F9 ") < place_of("\n## What is counted\n"));
}

/* Each of ours has a topic: what lands among the others has none, or is spelled wrong there. */
UNIT_TEST(every_key_of_ours_has_a_topic)
{
	write_help(NULL);
	assert_null(strstr(strbuf_text(&text), "\n## Settings and others\n"));
}

UNIT_TEST(every_key_stands_once)
{
	size_t count, columns_at;
	const struct key_binding *table = keys_table(&count);

	write_help(NULL);
	columns_at = place_of("\n# Columns\n");
	for (size_t i = 0; i < count; i++) {
		size_t lines = 0;

		for (const char *line = strbuf_text(&text);
		     (size_t)(line - strbuf_text(&text)) < columns_at;
		     line += strcspn(line, "\n") + 1) {
			char begin[16], key[40];

			snprintf(begin, sizeof(begin), "%.13s", line);
			snprintf(key, sizeof(key), " %s ", table[i].key);
			lines += strncmp(line, "  ", 2) == 0 && strstr(begin + 1, key) != NULL;
		}
		if (lines != 1)
			fail_msg("%s stands in %zu lines", table[i].key, lines);
	}
}

UNIT_TEST(what_a_user_has_bound_is_there_too)
{
	struct keys keys = {0};
	struct error error = {0};

	assert_true(keys_bind(&keys, "y", "theme dark", &error));
	write_help(&keys);
	assert_true(place_of("\n## Settings and others\n") <
		    place_of("\n  y          theme dark "));
	keys_fini(&keys);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
