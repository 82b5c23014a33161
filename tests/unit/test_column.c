/* The columns there are: those of the table, of metrics, of events, of kinds of CPU. */

#include "model/formula.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/column.h"

#include "unit.h"

struct scene {
	struct metric_set *set;
	struct columns *columns;
};

static int set_up(void **state)
{
	static struct scene scene;

	scene.set = metric_set_create();
	scene.columns = columns_create(scene.set);
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

UNIT_TEST(columns_find_any_case_finds)
{
	assert_string_equal(find(*state, "Miss%")->title, "MISS %");
}

UNIT_TEST(columns_find_earlier_name_gives_the_column_of_today)
{
	assert_ptr_equal(find(*state, "left"), find(*state, "prev"));
	assert_ptr_equal(find(*state, "Came"), find(*state, "next"));
	assert_ptr_equal(find(*state, "off-for"), find(*state, "off-cpu"));
	assert_ptr_equal(find(*state, "waited"), find(*state, "sch-delay"));
	assert_non_null(find(*state, "waited"));
}

UNIT_TEST(columns_find_unknown_gives_null)
{
	assert_null(find(*state, "miss"));
	assert_null(find(*state, ""));
	assert_null(find(*state, "@"));
	assert_null(find(*state, "ipc@cpu_core"));
}

UNIT_TEST(columns_find_metric_with_an_entry_gives_the_entry)
{
	assert_ptr_equal(find(*state, "miss_pct"), find(*state, "miss%"));
}

UNIT_TEST(columns_each_name_finds_its_own)
{
	struct scene *scene = *state;

	for (size_t i = 0; i < columns_count(scene->columns); i++) {
		const struct column *column = columns_get(scene->columns, i);

		assert_ptr_equal(find(scene, column->name), column);
	}
}

UNIT_TEST(columns_each_has_one_source)
{
	struct scene *scene = *state;

	columns_add_event(scene->columns, "cycles", "");
	for (size_t i = 0; i < columns_count(scene->columns); i++) {
		const struct column *column = columns_get(scene->columns, i);

		/* a metric may have a fact that goes first */
		assert_int_equal((column->metric != NULL || column->number != NULL) +
					 (column->words != NULL) + (column->event != NULL) +
					 (column->format == COLUMN_TREND),
				 1);
		assert_int_equal(column->words != NULL, column->format == COLUMN_TEXT);
	}
}

UNIT_TEST(columns_titles_fit_their_widths)
{
	struct scene *scene = *state;

	columns_add_event(scene->columns, "L1-dcache-load-misses", "");
	for (size_t i = 0; i < columns_count(scene->columns); i++) {
		const struct column *column = columns_get(scene->columns, i);

		if (strlen(column->title) > (size_t)column->width)
			fail_msg("%s: %s does not fit", column->name, column->title);
	}
}

UNIT_TEST(columns_each_metric_has_exactly_one)
{
	struct scene *scene = *state;

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

UNIT_TEST(columns_of_the_table_know_their_metric)
{
	struct scene *scene = *state;

	for (size_t i = 0; i < columns_count(scene->columns); i++) {
		const struct column *column = columns_get(scene->columns, i);

		if (column->metric && !column->info)
			fail_msg("column %s: no metric %s", column->name, column->metric);
	}
}

UNIT_TEST(columns_all_explain_themselves)
{
	struct scene *scene = *state;

	columns_add_event(scene->columns, "cycles", "");
	for (size_t i = 0; i < columns_count(scene->columns); i++) {
		const struct column *column = columns_get(scene->columns, i);

		assert_true(strlen(column_help(column)) >= strlen("Thread id."));
	}
}

UNIT_TEST(columns_users_metric_appears_by_itself)
{
	struct scene *scene = *state;
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
UNIT_TEST(columns_never_move)
{
	struct scene *scene = *state;
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

UNIT_TEST(columns_add_event_is_a_rate)
{
	struct scene *scene = *state;
	const struct column *column = columns_add_event(scene->columns, "sched:sched_switch", "");

	assert_string_equal(column->name, "sched:sched_switch");
	assert_string_equal(column->event, "sched:sched_switch");
	assert_string_equal(column->title, "SCHED_SWITCH/s");
	assert_int_equal(column->format, COLUMN_SI);
	assert_string_equal(column_help(column), "Event sched:sched_switch: times per second.");
}

UNIT_TEST(columns_add_event_names_its_unit)
{
	struct scene *scene = *state;
	const struct column *column =
		columns_add_event(scene->columns, "power/energy-pkg/", "Joules");

	assert_string_equal(column_help(column), "Event power/energy-pkg/: Joules per second.");
}

UNIT_TEST(columns_add_event_again_gives_the_same)
{
	struct scene *scene = *state;
	const struct column *column = columns_add_event(scene->columns, "cycles", "");

	assert_ptr_equal(columns_add_event(scene->columns, "cycles", ""), column);
}

/* Who reads the printed table tells columns by their titles. */
UNIT_TEST(columns_add_event_titles_differ)
{
	struct scene *scene = *state;

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

/* The kernel's names are not ours: another case is another event. */
UNIT_TEST(columns_find_event_minds_its_case)
{
	struct scene *scene = *state;

	columns_add_event(scene->columns, "uprobe:/bin/X:f", "");
	assert_non_null(find(scene, "uprobe:/bin/X:f"));
	assert_null(find(scene, "uprobe:/bin/x:f"));
}

UNIT_TEST(columns_find_kind_splits_metrics_and_events)
{
	struct scene *scene = *state;
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

UNIT_TEST(columns_find_kind_of_a_fact_is_unknown)
{
	know_kinds(*state);
	assert_null(find(*state, "pid@cpu_core"));
	assert_null(find(*state, "ipc@cpu_none"));
}

UNIT_TEST(columns_split_takes_only_known_kinds)
{
	struct scene *scene = *state;
	char name[64];

	know_kinds(scene);
	assert_int_equal(columns_split(scene->columns, "cycles@CPU_ATOM", name, sizeof(name)), 1);
	assert_string_equal(name, "cycles");
	assert_int_equal(columns_split(scene->columns, "uprobe:/bin/a@b:f", name, sizeof(name)),
			 -1);
	assert_string_equal(name, "uprobe:/bin/a@b:f");
}

UNIT_TEST(columns_metric_changed_says_the_new_help)
{
	struct scene *scene = *state;
	struct metric_info changed = *define(scene, "mine = cycles / instructions");
	const struct column *column = find(scene, "mine");

	changed.help = "Something else.";
	changed.title = "OTHER";
	columns_metric_changed(scene->columns, &changed);
	assert_ptr_equal(find(scene, "mine"), column);
	assert_string_equal(column_help(column), "Something else.");
	assert_string_equal(column->title, "OTHER");
}

UNIT_TEST_WITH(column_is_built_in_knows_the_table, NULL, NULL)
{
	assert_true(column_is_built_in("CPU"));
	assert_true(column_is_built_in("miss%"));
	assert_false(column_is_built_in("miss_pct"));
}

UNIT_TEST_WITH(column_names_lists_all_with_commas, NULL, NULL)
{
	char text[1024];

	column_names(text, sizeof(text));

	assert_memory_equal(text, "pid, tid, ppid, session, ", 25);
	assert_string_equal(strstr(text, "rqwaits,"), "rqwaits, rqwaits-bar");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
