/* The help as a whole: each key is in its topic; and the help about one thing: every column of
 * every view, every metric, command, key and view explains itself. */

#include "base/list.h"
#include "model/metric_set.h"
#include "view/column_sets.h"

#include "app_kit.h"
#include "mode/help.h"
#include "mode/views.h"
#include "unit.h"

static struct strbuf text;
static struct text_marks marks;
static const struct metric_set *set;
static struct columns *columns;

static bool about(const char *name)
{
	text_marks_clear(&marks);
	return help_about(&text, &marks, &kit.app, name);
}

static int set_up(void **state)
{
	kit_set_up(state);
	set = engine_metric_set(kit.engine);
	columns = kit.engine->resolver.columns;
	return 0;
}

static int tear_down(void **state)
{
	strbuf_fini(&text);
	text_marks_fini(&marks);
	return kit_tear_down(state);
}

static enum metric_event look_without_llc(const char *event, void *context)
{
	return strncmp(event, "cache-llc-", 10) == 0 ? METRIC_EVENT_REFUSED : METRIC_EVENT_COUNTED;
}

static enum cache_level level_of_zen(const char *event, void *context)
{
	if (strncmp(event, "cache-llc-", 10) == 0)
		return CACHE_LEVEL_LLC;
	return strncmp(event, "cache-", 6) == 0 ? CACHE_LEVEL_L2 : CACHE_LEVEL_UNKNOWN;
}

UNIT_TEST(help_about_a_column_names_the_event_that_is_missing)
{
	const struct metric_machine machine = {look_without_llc, level_of_zen, NULL};

	assert_true(about("miss%"));
	assert_null(strstr(strbuf_text(&text), "missing"));
	metric_set_fit(kit.engine->metric_set, &machine);
	columns_metrics_fitted(columns);
	strbuf_clear(&text);
	assert_true(about("miss%"));
	assert_non_null(strstr(strbuf_text(&text),
			       "cache-llc-misses, which would be better: no event here"));
	assert_non_null(strstr(strbuf_text(&text), "# L2-MISS %"));
}

/* The line that begins with this word says something. */
static void assert_line(const char *name, const char *word)
{
	char begin[32];
	const char *line;

	snprintf(begin, sizeof(begin), "\n  %-8s  ", word);
	line = strstr(strbuf_text(&text), begin);
	if (line == NULL || strcspn(line + strlen(begin), "\n") < 1)
		fail_msg("%s does not tell its %s:\n%s", name, word, strbuf_text(&text));
}

static void assert_column_explains_itself(const char *name)
{
	static const char *const lines[] = {"meaning", "unit", "formula", "good", "order"};

	if (!about(name))
		fail_msg("nothing is known of %s", name);
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		assert_line(name, lines[i]);
}

UNIT_TEST(every_set_of_columns_explains_itself)
{
	for (const struct column_set *of = NULL; (of = column_set_next(of));) {
		assert_true(about(of->name));
		assert_line(of->name, "meaning");
		assert_line(of->name, "columns");
	}
	assert_true(about("topdown"));
	assert_non_null(strstr(strbuf_text(&text), "\n  MEM-BND %   "));
}

UNIT_TEST(every_column_of_every_view_explains_itself)
{
	size_t count = all_views.count, walked = 0;
	const struct view_info *const *views = all_views.views;

	for (size_t i = 0; i < count; i++) {
		const char *lists[] = {views[i]->columns, views[i]->columns_bare, views[i]->sort};
		char name[COLUMN_NAME_MAX];

		for (size_t j = 0; j < 3; j++) {
			while (lists[j] != NULL && word_list_next(&lists[j], name, sizeof(name))) {
				assert_column_explains_itself(name);
				walked++;
			}
		}
	}
	assert_true(walked > 40);
}

UNIT_TEST(every_column_there_is_explains_itself)
{
	for (size_t i = 0; i < columns_count(columns); i++)
		assert_column_explains_itself(columns_get(columns, i)->name);
}

/* What is no amount, or an amount of what is neither good nor bad; of all others a sentence says
 * what a good value is. */
static bool is_no_matter_of_good(const char *wanted)
{
	static const char names[] =
		"pid,tid,ppid,session,cgroup,container,host,type,user,cpu,threads,tasks,socket,"
		"core,smt,"
		"source,state,prio,nice,rss,mem%,time+,user%,sys%,start,io-read,io-write,"
		"node,cpu-kind,wait-kind,time,trend,when,prev,next,command,group,victim,taker,"
		"relation,wakee,"
		"waker,lock,lock-address,waiter,holder,chain,"
		"length,below,object,line,function,mapping,branch-type,branch-from,branch-to,"
		"privilege,address,distance";
	const char *cursor = names;
	char name[COLUMN_NAME_MAX];

	while (word_list_next(&cursor, name, sizeof(name)))
		if (strcmp(name, wanted) == 0)
			return true;
	return false;
}

UNIT_TEST(every_column_says_what_is_good_where_that_has_sense)
{
	for (size_t i = 0; i < columns_count(columns); i++) {
		const char *name = columns_get(columns, i)->name;
		bool says_nothing;

		about(name);
		says_nothing = strstr(strbuf_text(&text), "No value is good") != NULL;
		if (says_nothing != is_no_matter_of_good(name))
			fail_msg("%s:\n%s", name, strbuf_text(&text));
	}
}

UNIT_TEST(every_metric_tells_its_formula_by_its_own_name)
{
	for (size_t i = 0; i < metric_set_count(set); i++) {
		const struct metric_info *info = metric_set_info(set, i);

		assert_column_explains_itself(info->name);
		assert_non_null(strstr(strbuf_text(&text), info->formula));
		assert_non_null(strstr(strbuf_text(&text), info->help));
		assert_non_null(strstr(strbuf_text(&text), info->good));
	}
}

UNIT_TEST(every_command_tells_what_it_does_and_its_keys)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		assert_true(about(table[i].name));
		assert_non_null(strstr(strbuf_text(&text), table[i].help));
		assert_line(table[i].name, "usage");
	}
	assert_true(about("signal"));
	assert_non_null(strstr(strbuf_text(&text), "keys      k, F9\n"));
	assert_true(about("nice"));
	assert_non_null(strstr(strbuf_text(&text), "F7 (nice -1), F8 (nice +1)"));
}

UNIT_TEST(every_view_and_key_is_known)
{
	size_t count = all_views.count;
	const struct view_info *const *views = all_views.views;

	for (size_t i = 0; i < count; i++) {
		assert_true(about(views[i]->name));
		assert_non_null(strstr(strbuf_text(&text), views[i]->help));
	}
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count; i++)
		assert_true(about(table[i].key));
	assert_true(about("F9"));
	assert_non_null(strstr(strbuf_text(&text), "runs      signal\n"));
}

UNIT_TEST(keys_are_those_that_hold_now)
{
	struct pager *pager = kit.app.parts[PART_pager];
	struct error error = {0};

	assert_true(keys_bind(kit.app.parts[PART_keys], "x", "signal", &error));
	assert_true(keys_bind(kit.app.parts[PART_keys], "gs", "sort ipc", &error));
	assert_true(keys_bind(kit.app.parts[PART_keys], "k", NULL, &error));
	assert_true(about("signal"));
	assert_non_null(strstr(strbuf_text(&text), "keys      F9, x\n"));
	assert_true(about("ipc"));
	assert_non_null(strstr(strbuf_text(&text), "keys      I, gs\n"));
	assert_false(about("k"));
	assert_true(about("gs"));
	assert_non_null(strstr(strbuf_text(&text), "runs      sort ipc\n"));
	assert_true(command_run(&kit.app, "bind x next-form", &error));
	assert_true(command_run(&kit.app, "help next-form", &error));
	assert_non_null(strstr(pager->shown.text, "keys      t, F5, x\n"));
}

UNIT_TEST(events_are_described_by_the_catalog)
{
	assert_true(about("sched:sched_switch"));
	assert_non_null(strstr(strbuf_text(&text), "# Event sched:sched_switch (tracepoint)"));
	assert_non_null(strstr(strbuf_text(&text), "int prev_pid"));
	columns_add_event(columns, "page-faults", "");
	assert_column_explains_itself("page-faults");
	assert_non_null(strstr(strbuf_text(&text), "page faults of both kinds"));
}

UNIT_TEST(scale_says_which_end_is_good)
{
	assert_true(about("ipc"));
	assert_non_null(
		strstr(strbuf_text(&text), "\n  scale     best > 2.5 > 1.5 > 1 > 0.5 worst\n"));
	assert_true(about("miss%"));
	assert_non_null(
		strstr(strbuf_text(&text), "\n  scale     best < 5 < 10 < 25 < 50 worst\n"));
	assert_non_null(strstr(strbuf_text(&text), "keys      M\n"));
}

/* What the marks are on, in their order: of five colours the best first. */
static void assert_coloured(const char *const words[5])
{
	assert_int_equal(marks.count, 5);
	for (int i = 0; i < 5; i++) {
		const struct text_mark *mark = &marks.marks[i];
		const char *line = strbuf_text(&text);

		for (size_t at = 0; at < mark->line; at++)
			line = strchr(line, '\n') + 1;
		assert_int_equal(mark->goodness, 4 - i);
		assert_int_equal(mark->columns, strlen(words[i]));
		assert_memory_equal(line + mark->column, words[i], strlen(words[i]));
	}
}

UNIT_TEST(scale_is_in_its_colours)
{
	const char *const high[] = {"best > 2.5", "> 1.5", "> 1", "> 0.5", "worst"};
	const char *const low[] = {"best < 5", "< 10", "< 25", "< 50", "worst"};

	assert_true(about("ipc"));
	assert_coloured(high);
	assert_true(about("miss%"));
	assert_coloured(low);
	assert_true(about("cpu%"));
	assert_int_equal(marks.count, 0);
}

UNIT_TEST(what_nobody_knows_is_said)
{
	struct error error = {0};

	assert_false(about("nonsense"));
	assert_int_equal(text.length, 0);
	assert_false(command_run(&kit.app, "help nonsense", &error));
	assert_string_equal(error.text, "nonsense: no column, metric, event, command, view or key "
					"has this name");
}

UNIT_TEST(help_of_the_order_is_about_the_column_sorted_by)
{
	struct pager *pager = kit.app.parts[PART_pager];
	struct error error = {0};

	assert_true(command_run(&kit.app, "sort ipc", &error));
	kit_build();
	assert_true(command_run(&kit.app, "help .", &error));
	assert_true(mode_is_open(&kit.app, &pager_mode));
	assert_non_null(strstr(pager->shown.text, "# IPC: column ipc"));
	assert_true(command_run(&kit.app, "help", &error));
	assert_true(mode_top(&kit.app) == &help_mode);
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
	assert_true(place_of("\n## Help\n") < place_of("\n  F1 h "));
	assert_true(place_of("\n  F1 h ") < place_of("\n  q "));
	assert_true(place_of("\n## Order\n") < place_of("\n  M          sort miss%"));
	assert_true(place_of("sort by MISS %\n") < place_of("\n## Tree and tags\n"));
	assert_true(place_of("\n## Tree and tags\n") < place_of("\n  t F5 "));
	assert_true(place_of("\n## Acting\n") < place_of("\n  k F9 "));
	assert_true(place_of("\n  k F9 ") < place_of("\n## Counting\n"));
}

UNIT_TEST(commands_without_a_key_are_in_their_chapter)
{
	strbuf_clear(&text);
	help_write_chapter(&text, &kit.app, TOPIC_RECORDING);

	assert_true(place_of("\n## Commands (:)\n") < place_of("\n  record-past FILE "));
	assert_true(place_of("\n  record-past FILE ") < place_of("\n  hand-over [PROGRAM] "));
}

/* A command may say what follows it; a key has nothing behind it. */
UNIT_TEST(a_key_says_what_it_does_and_no_more)
{
	static const struct {
		const char *command, *help;
	} expected[] = {
		{"nice -1", "raise the priority"},
		{"nice +1", "lower the priority"},
		{"ask nice", "set the nice value"},
		{"calls flame", "flame graph of functions"},
		{"fold all", "in a tree: fold or unfold every branch"},
		{"speed max", "replay without waits"},
	};

	write_help(NULL);
	for (size_t i = 0; i < COUNT_OF(expected); i++) {
		char line[128];

		snprintf(line, sizeof(line), " %-16s  %s", expected[i].command, expected[i].help);
		place_of(line);
	}
}

UNIT_TEST(every_key_stands_once)
{
	size_t count, columns_at;
	const struct key_binding *table = keys_now(NULL, &count);

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
	struct keys keys;
	struct error error = {0};

	keys_init(&keys);
	assert_true(keys_bind(&keys, "y", "theme dark", &error));
	write_help(&keys);
	assert_true(place_of("\n  y          theme dark ") < place_of("\n## Views\n"));
	keys_fini(&keys);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
