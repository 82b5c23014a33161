/* The columns there are: those of the table, of metrics, of events, of kinds of CPU. */

#include "model/formula.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/row_kind.h"
#include "view/title.h"

#include "unit.h"

struct scene {
	struct metric_set *set;
	struct columns *columns;
};

static int set_up(void **state)
{
	static struct scene scene;

	scene.set = metric_set_create();
	scene.columns = columns_create(scene.set, row_kinds);
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	columns_destroy(scene->columns);
	metric_set_destroy(scene->set);
	return 0;
}

static const struct column *find(const struct scene *scene, const char *name)
{
	return columns_find(scene->columns, name);
}

static const struct metric_info *define(const struct scene *scene, const char *definition)
{
	char message[FORMULA_ERROR_MAX];
	const struct metric_info *info;
	size_t position;

	if (!metric_set_add(scene->set, definition, &info, &position, message))
		fail_msg("%s: %s", definition, message);
	return info;
}

/* A machine with two kinds of CPU. */
static void know_kinds(const struct scene *scene)
{
	struct layout layout;

	layout_init(&layout);
	layout.kind_count = 2;
	strcpy(layout.kinds[0].name, "cpu_core");
	strcpy(layout.kinds[1].name, "cpu_atom");
	columns_know_kinds(scene->columns, &layout);
	layout_fini(&layout);
}

/* The kernel's names are not ours: of events another case is another. */
UNIT_TEST_OF(columns_find_finds_names_of_columns_metrics_and_events, struct scene *scene)
{
	static const char *const unknown[] = {"miss",
					      "",
					      "@",
					      "ipc@cpu_core",
					      "pid@cpu_core",
					      "ipc@cpu_none",
					      "uprobe:/bin/x:f",
					      "us",
					      "usrs",
					      "cycles"};

	columns_add_event(scene->columns, "uprobe:/bin/X:f", "");
	assert_string_equal(find(scene, "Miss%")->title, "MISS %");
	assert_ptr_equal(find(scene, "miss_pct"), find(scene, "miss%"));
	assert_non_null(find(scene, "uprobe:/bin/X:f"));
	assert_ptr_equal(find(scene, "usr"), find(scene, "usr_pct")); /* titles */
	assert_ptr_equal(find(scene, "DWait%"), find(scene, "uninterruptible_pct"));
	assert_ptr_equal(find(scene, "lat%"), find(scene, "lat_pct")); /* not latency% */
	for (size_t i = 0; i < COUNT_OF(unknown); i++) {
		assert_null(find(scene, unknown[i]));
		if (i == 3)
			know_kinds(scene); /* of facts there are none of a kind */
	}
}

UNIT_TEST_OF(columns_each_has_one_source_a_name_a_title_and_a_help, struct scene *scene)
{
	columns_add_event(scene->columns, "cycles", "");
	columns_add_event(scene->columns, "L1-dcache-load-misses", "");
	for (size_t i = 0; i < columns_count(scene->columns); i++) {
		const struct column *column = columns_get(scene->columns, i);

		/* a metric may have a fact that goes first */
		assert_int_equal((column->metric != NULL || column->number != NULL) +
					 (column->words != NULL) + (column->event != NULL) +
					 (column->format == COLUMN_TREND),
				 1);
		assert_int_equal(column->words != NULL, column->format == COLUMN_TEXT);
		assert_ptr_equal(find(scene, column->name), column);
		if (strlen(column->title) > (size_t)column->width)
			fail_msg("%s: %s does not fit", column->name, column->title);
		if (column->metric && !column->info)
			fail_msg("column %s: no metric %s", column->name, column->metric);
		assert_true(strlen(column_help(column)) >= strlen("Thread id."));
	}
}

UNIT_TEST_OF(columns_each_metric_has_exactly_one, struct scene *scene)
{
	for (size_t i = 0; i < metric_set_count(scene->set); i++) {
		const char *name = metric_set_info(scene->set, i)->name;
		size_t found = 0;

		for (size_t j = 0; j < columns_count(scene->columns); j++) {
			const struct column *column = columns_get(scene->columns, j);

			if (column->metric && strcmp(column->metric, name) == 0) {
				assert_ptr_equal(column->info, metric_set_info(scene->set, i));
				found++;
			}
		}
		assert_int_equal(found, 1);
	}
}

UNIT_TEST_OF(columns_users_metric_appears_by_itself, struct scene *scene)
{
	const size_t before = columns_count(scene->columns);
	const struct column *column;

	define(scene, "stalls = 100 * cycles / instructions");
	assert_int_equal(columns_count(scene->columns), before + 1);
	column = find(scene, "stalls");
	assert_string_equal(column->title, "STALLS");
	assert_string_equal(column->metric, "stalls");
	assert_string_equal(column_help(column), "100 * cycles / instructions");
	assert_true(column->descends);
	assert_true(column->was_asked_for);
}

/* Views keep pointers to columns while others come. */
UNIT_TEST_OF(columns_never_move, struct scene *scene)
{
	const struct column *pid = find(scene, "pid");
	const struct column *event = columns_add_event(scene->columns, "a", "");
	char name[16];

	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "event-%d", i);
		columns_add_event(scene->columns, name, "");
	}
	assert_ptr_equal(find(scene, "pid"), pid);
	assert_ptr_equal(find(scene, "a"), event);
	assert_string_equal(event->name, "a");
}

UNIT_TEST_OF(columns_add_event_is_a_rate, struct scene *scene)
{
	const struct column *column = columns_add_event(scene->columns, "sched:sched_switch", "");

	assert_string_equal(column->name, "sched:sched_switch");
	assert_string_equal(column->event, "sched:sched_switch");
	assert_string_equal(column->title, "SCHED_SWITCH/s");
	assert_int_equal(column->format, COLUMN_SI);
	assert_string_equal(column_help(column), "Event sched:sched_switch: times per second.");
	assert_ptr_equal(columns_add_event(scene->columns, "sched:sched_switch", ""), column);
	column = columns_add_event(scene->columns, "power/energy-pkg/", "Joules");
	assert_string_equal(column_help(column), "Event power/energy-pkg/: Joules per second.");
}

/* Who reads the printed table tells columns by their titles. */
UNIT_TEST_OF(columns_add_event_titles_differ, struct scene *scene)
{
	columns_add_event(scene->columns, "sched:sched_switch", "");
	assert_string_equal(
		columns_add_event(scene->columns, "sched:sched_switch/prev_pid==1/", "")->title,
		"SCHED_SWITCH#2/s");
	assert_string_equal(
		columns_add_event(scene->columns, "sched:sched_switch/prev_pid==2/", "")->title,
		"SCHED_SWITCH#3/s");
	const struct column *first = columns_add_event(scene->columns, "xfs:inode_put_page_in", "");
	const struct column *second =
		columns_add_event(scene->columns, "ext:inode_put_page_in", "");

	assert_string_equal(first->title, "XFS:INODE_PUT_PAGE_IN/s");
	assert_string_equal(second->title, "EXT:INODE_PUT_PAGE_IN/s");
	assert_int_equal(first->width, strlen(first->title));
}

UNIT_TEST_OF(columns_find_kind_splits_metrics_and_events, struct scene *scene)
{
	const struct column *column;

	know_kinds(scene);
	column = find(scene, "ipc@cpu_core");
	assert_string_equal(column->kind, "cpu_core");
	assert_string_equal(column->metric, "ipc");
	assert_string_equal(column->title, "IPC@CORE");
	assert_true(column->width >= 8);
	assert_non_null(strstr(column_help(column), "cpu_core"));
	assert_ptr_equal(find(scene, "ipc@cpu_core"), column);
	assert_null(find(scene, "cycles@cpu_atom"));
	columns_add_event(scene->columns, "cycles", "");
	assert_string_equal(find(scene, "cycles@cpu_atom")->event, "cycles");
	/* the one of all kinds is still its own */
	assert_null(find(scene, "ipc")->kind);
	assert_null(find(scene, "cycles")->kind);
}

UNIT_TEST_OF(columns_split_takes_only_known_kinds, struct scene *scene)
{
	char name[64];

	know_kinds(scene);
	assert_int_equal(columns_split(scene->columns, "cycles@CPU_ATOM", name, sizeof(name)), 1);
	assert_string_equal(name, "cycles");
	assert_int_equal(columns_split(scene->columns, "uprobe:/bin/a@b:f", name, sizeof(name)),
			 -1);
	assert_string_equal(name, "uprobe:/bin/a@b:f");
}

UNIT_TEST_OF(columns_metric_changed_says_the_new_help, struct scene *scene)
{
	struct metric_info changed = *define(scene, "mine = cycles / instructions");
	const struct column *column = find(scene, "mine");

	changed.help = "Something else.";
	changed.title = "OTHER";
	columns_metric_changed(scene->columns, &changed);
	assert_ptr_equal(find(scene, "mine"), column);
	assert_string_equal(column_help(column), "Something else.");
	assert_string_equal(column->title, "OTHER");
}

static enum metric_event look(const char *event, void *context)
{
	return strncmp(event, "cache-l", 7) != 0 ? METRIC_EVENT_COUNTED : METRIC_EVENT_ABSENT;
}

static enum cache_level all_of_l2(const char *event, void *context)
{
	return CACHE_LEVEL_L2;
}

/* A width that was set stays, and taken back it is that of the title that there is now. */
UNIT_TEST_OF(columns_metrics_fitted_have_the_titles_of_the_level, struct scene *scene)
{
	const struct metric_machine machine = {look, all_of_l2, NULL};
	const struct column *misses, *of_kind, *mpki;

	know_kinds(scene);
	misses = find(scene, "miss%");
	mpki = find(scene, "mpki");
	of_kind = find(scene, "miss%@cpu_atom");
	columns_set_width(scene->columns, mpki, 9);
	metric_set_fit(scene->set, &machine);
	columns_metrics_fitted(scene->columns);
	assert_string_equal(misses->title, "L2-MISS %");
	assert_int_equal(misses->width, 9);
	assert_non_null(strstr(column_help(misses), "second-level cache"));
	assert_string_equal(of_kind->title, "L2-MISS %@ATOM");
	assert_non_null(
		strstr(column_help(of_kind), "cpu_atom: Share of the requests to the second"));
	assert_int_equal(mpki->width, 9);
	columns_set_width(scene->columns, mpki, 0);
	assert_int_equal(mpki->width, 7);
}

UNIT_TEST_WITH(columns_is_built_in_knows_those_of_the_table_and_of_kinds, set_up, tear_down)
{
	const struct scene *scene = *state;

	assert_true(columns_is_built_in(scene->columns, "CPU"));
	assert_true(columns_is_built_in(scene->columns, "miss%"));
	assert_true(columns_is_built_in(scene->columns, "victim"));
	assert_false(columns_is_built_in(scene->columns, "miss_pct"));
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

/* Where a column's name is inserted it is before the command, and once. */
UNIT_TEST(column_list_is_changed)
{
	struct column_list list = {0}, copy;

	column_list_insert(&list, &pid);
	column_list_insert(&list, &command);
	assert_string_equal(names_of(&list), "pid command ");
	column_list_insert(&list, &ipc);
	column_list_insert(&list, &ipc);
	assert_string_equal(names_of(&list), "pid ipc command ");
	column_list_copy(&copy, &list);
	assert_true(column_list_remove(&list, &pid));
	assert_false(column_list_remove(&list, &pid));
	assert_string_equal(names_of(&list), "ipc command ");
	assert_true(column_list_has(&copy, &pid));
	column_list_fini(&list);
	column_list_fini(&copy);
}

UNIT_TEST_OF(column_word_next_splits_at_commas_but_not_in_events, struct scene *scene)
{
	static const char *const cases[][2] = {
		{"pid, ipc ,command", "pid|ipc|command|"},
		{"pid,,ipc", "pid||ipc|"},
		{"", ""},
		{"pid,cpu/event=0x3c,umask=0/,command", "pid|cpu/event=0x3c,umask=0/|command|"},
		{"{a,b}:u,pid", "{a,b}:u|pid|"},
		{"sched:x/a<1,b/,pid", "sched:x/a<1,b/|pid|"},
		{"cpu/a,b/@cpu_core,pid", "cpu/a,b/@cpu_core|pid|"},
		/* names of columns have slashes that do not pair, paths and lengths have one */
		{"sw/s,cpu/a,b/,pre/s,pid", "sw/s|cpu/a,b/|pre/s|pid|"},
		{"uprobe:/usr/bin/x:f,pid", "uprobe:/usr/bin/x:f|pid|"},
		{"mem:0x10/8:w,pid", "mem:0x10/8:w|pid|"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *list = cases[i][0];
		char word[64], text[256] = "";

		begin_case(list);
		while (column_word_next(scene->columns, &list, word, sizeof(word))) {
			strcat(text, word);
			strcat(text, "|");
		}
		assert_string_equal(text, cases[i][1]);
	}
}

UNIT_TEST_OF(column_word_next_too_long_is_cut, struct scene *scene)
{
	const char *list = "abcdefgh,pid";
	char word[4];

	assert_true(column_word_next(scene->columns, &list, word, sizeof(word)));
	assert_string_equal(word, "abc");
	assert_string_equal(list, "pid");
}

UNIT_TEST(title_of_an_event_is_what_says_most_of_its_name)
{
	static const char *const cases[][2] = {
		{"cycles", "CYCLES/s"},
		{"page-faults", "PAGE-FAULTS/s"},
		{"r01c2", "R01C2/s"},
		{"branch-instructions", "INSTRUCTIONS/s"},
		{"sched:sched_switch", "SCHED_SWITCH/s"},
		{"uprobe:/bin/bash:readline", "BASH:READLINE/s"},
		{"skl::INST_RETIRED:ANY", "RETIRED:ANY/s"},
		{"abcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZ/s"},
		{"cycles:u", "CYCLES:u/s"},
		{"instructions:u", "INSTRUCTION:u/s"},
		{"L1-dcache-load-misses:k", "L1D-MISS:k/s"},
		{"L1-dcache-load-misses", "L1D-MISS/s"},
		{"LLC-load-misses", "LLC-MISS/s"},
		{"LLC-store-misses", "LLC-ST-MISS/s"},
		{"dTLB-loads", "DTLB-LOAD/s"},
		{"L1-icache-prefetch-misses:u", "L1I-PF-MISS:u/s"},
		{"branch-load-misses", "BPU-MISS/s"},
		{"branch-misses", "BRANCH-MISSES/s"},
		{"LLC-", "LLC-/s"},
		{"msr/tsc/", "MSR/TSC/s"},
		{"cpu/event=0x3c,umask=0/", "CPU/0X3C,0/s"},
		{"sched:sched_switch/prev_prio<100/", "SCHED_SWITCH/s"},
		{"mem:0x601040/8:w", "0X601040/8:W/s"},
	};
	char title[TITLE_BYTES_MAX];

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		title_of_event(title, cases[i][0], COLUMN_TITLE_MAX);
		assert_string_equal(title, cases[i][1]);
	}
}

/* Whatever the name: it never gets wider, and it is ASCII. */
UNIT_TEST(title_of_anything_is_ascii_and_fits)
{
	static const char *const names[] = {
		"",      "/",    "::::::::::::::::::::",     "ä€ätoo long for it\x01",
		"=====", "a:uk", ":uuuuuuuuuuuuuuuuuuuuuuuu"};
	char title[TITLE_BYTES_MAX];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		title_of_event(title, names[i], COLUMN_TITLE_MAX);
		for (const char *c = title; *c != '\0'; c++)
			assert_true(*c > ' ' && *c < 0x7f);
		assert_true(strlen(title) <= 26);
	}
}

UNIT_TEST(title_add_kind_goes_before_the_rate)
{
	char title[TITLE_BYTES_MAX] = "CYCLES/s";

	title_add_kind(title, "cpu_atom");
	assert_string_equal(title, "CYCLES@ATOM/s");
	strcpy(title, "IPC");
	title_add_kind(title, "armv8_a53");
	assert_string_equal(title, "IPC@ARMV8_A53");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
