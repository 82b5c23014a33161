/* From what is typed to columns. */

#include <locale.h>

#include "view/column.h"

#include "fake_app.h"
#include "session/resolve.h"
#include "unit.h"

static struct resolver *resolver(void)
{
	return &kit.engine.resolver;
}

static void assert_columns(const char *list, const char *expected)
{
	struct column_list selected = {0};
	struct error error = {0};
	char text[512] = "";
	size_t position;

	if (!resolve_columns(resolver(), list, &selected, &position, &error))
		fail_msg("%s: %s", list, error.text);
	for (size_t i = 0; i < selected.count; i++) {
		strcat(text, selected.columns[i]->name);
		strcat(text, "|");
	}
	assert_string_equal(text, expected);
	column_list_fini(&selected);
}

static void assert_refused(const char *list, enum error_code code, size_t place)
{
	struct column_list selected = {0};
	struct error error = {0};
	size_t position;

	assert_false(resolve_columns(resolver(), list, &selected, &position, &error));
	assert_int_equal(error.code, code);
	assert_int_equal(position, place);
	assert_int_equal(selected.count, 0);
	column_list_fini(&selected);
}

static bool is_counted(const char *name)
{
	return layout_find_event(&kit.source.layout, name) >= 0;
}

UNIT_TEST(choose_columns_takes_columns_metrics_and_events)
{
	assert_columns("pid, miss_pct,IPC", "pid|miss%|ipc|");
	assert_int_equal(kit.needed, 2);
	assert_columns("pid,sched:sched_switch,command", "pid|sched:sched_switch|command|");
	assert_true(is_counted("sched:sched_switch"));
}

UNIT_TEST(choose_columns_keeps_braces_and_terms_whole)
{
	assert_columns("{r01c2}", "{r01c2}|");
	assert_columns("cpu/a=1,b=2/", "cpu/a=1,b=2/|");
}

UNIT_TEST(choose_columns_unknown_is_named)
{
	struct column_list selected = {0};
	struct error error = {0};
	size_t position;

	assert_false(resolve_columns(resolver(), "pid,bad", &selected, &position, &error));
	assert_string_equal(error.text, "bad: unknown column");
	assert_int_equal(error_exit_status(&error), 2);
	assert_non_null(strstr(error.remedy, "any metric"));
}

/* What can only be an event is refused as one. */
UNIT_TEST(choose_columns_bad_event_keeps_its_own_sentence)
{
	assert_refused("pid,group:bad", ERROR_PERF_UNKNOWN, 10);
}

UNIT_TEST(choose_columns_nothing_is_refused)
{
	assert_refused("", ERROR_COLUMN_UNKNOWN, 0);
	assert_refused("pid,,ipc", ERROR_COLUMN_UNKNOWN, 4);
}

/* A metric whose events are not to be had shows that it is unknown; that is said. */
UNIT_TEST(choose_columns_metric_without_events_is_noted)
{
	kit.metrics_are_refused = true;
	assert_columns("pid,ipc", "pid|ipc|");
	assert_int_equal(resolver()->note.code, ERROR_PERF_UNKNOWN);
	kit.metrics_are_refused = false;
	assert_columns("pid,ipc", "pid|ipc|");
	assert_int_equal(resolver()->note.code, ERROR_NONE);
}

UNIT_TEST(choose_columns_removed_event_is_counted_again)
{
	int index;

	assert_columns("r1", "r1|");
	index = layout_find_event(&kit.source.layout, "r1");
	kit.source.layout.events[index].is_removed = true;
	assert_columns("r1", "r1|");
	assert_false(kit.source.layout.events[index].is_removed);
}

UNIT_TEST(choose_columns_of_a_kind_open_the_event)
{
	struct layout layout;

	layout_init(&layout);
	strcpy(layout.kinds[0].name, "cpu_core");
	columns_know_kinds(resolver()->columns, &layout);
	layout_fini(&layout);
	assert_columns("r7@cpu_core", "r7@cpu_core|");
	assert_true(is_counted("r7"));
	assert_false(is_counted("r7@cpu_core"));
}

UNIT_TEST(choose_sort_sign_is_against_the_natural_order)
{
	static const struct {
		const char *text;
		bool reversed;
	} cases[] = {
		{"miss%", false},                  /* biggest first by itself */
		{"-miss%", false},                 /* descending: the same */
		{"+miss%", true},  {"pid", false}, /* smallest first by itself */
		{"+pid", false},   {"-pid", true},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct sort_order order;
		size_t position;

		begin_case(cases[i].text);
		assert_true(resolve_order(resolver(), cases[i].text, &order, &position, NULL));
		assert_int_equal(order.sort_reversed, cases[i].reversed);
	}
}

static void assert_ordered_by(const char *text, const char *expected)
{
	struct sort_order order;
	struct error error = {0};
	char words[256];
	size_t position;

	if (!resolve_order(resolver(), text, &order, &position, &error))
		fail_msg("%s: %s", text, error.text);
	snprintf(words, sizeof(words), "%s%s,%s%s", order.sort->name,
		 order.sort_reversed ? " reversed" : "", order.then ? order.then->name : "",
		 order.then_reversed ? " reversed" : "");
	assert_string_equal(words, expected);
}

UNIT_TEST(choose_order_takes_one_column_or_two)
{
	assert_ordered_by("pid", "pid,");
	assert_ordered_by("user,cpu%", "user,cpu%");
	assert_ordered_by("-user, +cpu%", "user reversed,cpu% reversed");
	assert_ordered_by("+cpu/event=1,umask=2/,-pid",
			  "cpu/event=1,umask=2/ reversed,pid reversed");
}

static void assert_order_refused(const char *text, enum error_code code, size_t place)
{
	struct sort_order order = {0};
	struct error error = {0};
	size_t position;

	assert_false(resolve_order(resolver(), text, &order, &position, &error));
	assert_int_equal(error.code, code);
	assert_int_equal(position, place);
	assert_null(order.sort);
}

UNIT_TEST(choose_order_that_is_wrong_says_where)
{
	assert_order_refused("bad,pid", ERROR_COLUMN_UNKNOWN, 0);
	assert_order_refused("user,-bad", ERROR_COLUMN_UNKNOWN, 6);
	assert_order_refused("user,", ERROR_COLUMN_UNKNOWN, 5);
	assert_order_refused("user,pid,cpu%", ERROR_SORT_COUNT, 8);
}

static void assert_filter(const char *text)
{
	struct error error = {0};
	size_t position;

	if (!resolve_filter(resolver(), text, &position, &error))
		fail_msg("%s: %s", text, error.text);
}

static void assert_filter_refused(const char *text, enum error_code code, size_t place)
{
	struct error error = {0};
	size_t position;

	assert_false(resolve_filter(resolver(), text, &position, &error));
	if (error.code != code || position != place)
		fail_msg("%s: %s at %zu", text, error.text, position);
}

UNIT_TEST(choose_filter_counts_what_it_compares)
{
	assert_filter("ipc < 1 && !(miss% > 2) && ipc > 0");
	assert_int_equal(kit.needed, 2);
	assert_filter("sched:sched_switch > 5 || cpu/a=1,b=2/ > 6 && \"r1 x\" > 7");
	assert_true(is_counted("sched:sched_switch"));
	assert_true(is_counted("cpu/a=1,b=2/"));
	assert_true(is_counted("r1 x"));
	assert_int_equal(resolver()->note.code, ERROR_NONE);
}

UNIT_TEST(choose_filter_of_plain_words_counts_nothing)
{
	assert_filter("");
	assert_filter("nginx sched:sched_switch");
	assert_false(is_counted("sched:sched_switch"));
}

UNIT_TEST(choose_filter_removed_event_is_counted_again)
{
	int index;

	assert_filter("r1 > 5");
	index = layout_find_event(&kit.source.layout, "r1");
	kit.source.layout.events[index].is_removed = true;
	assert_filter("r1 > 5");
	assert_false(kit.source.layout.events[index].is_removed);
}

UNIT_TEST(choose_filter_refused_says_where_and_leaves_nothing_counted)
{
	assert_filter_refused("ipc <", ERROR_FILTER_EXPECTED, 5);
	assert_filter_refused("ipc < 1 && bad > 5", ERROR_FILTER_NAME, 11);
	assert_filter_refused("ipc < 1 && group:bad > 5", ERROR_PERF_UNKNOWN, 17);
	assert_filter_refused("r1 > 5 && bad > 5", ERROR_FILTER_NAME, 10);
	assert_true(
		kit.source.layout.events[layout_find_event(&kit.source.layout, "r1")].is_removed);
	assert_filter_refused("r2,r3 > 5", ERROR_FILTER_NAME, 0);
	assert_true(
		kit.source.layout.events[layout_find_event(&kit.source.layout, "r2")].is_removed);
}

UNIT_TEST(choose_filter_notes_what_the_machine_refuses)
{
	assert_filter("refused1 > 5 && refused2 > 5");
	assert_string_equal(resolver()->note.text, "refused1: not counted: the test says so");
	kit.source.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	assert_filter("ipc < 1");
	assert_string_equal(resolver()->note.text, "cycles: not counted: unsupported");
	assert_filter("pid = 1");
	assert_int_equal(resolver()->note.code, ERROR_NONE);
}

UNIT_TEST(choice_make_refuses_what_is_wrong_or_does_not_fit_the_view)
{
	static const struct {
		const char *view, *filter, *sort, *columns, *events;
		bool batch; /* which has no other view in which a filter might hold */
		enum error_code code;
		const char *text;
	} cases[] = {
		/* clang-format off */
		{"cpus", .filter = "kind = preempted"},
		{"cpus", .filter = "kind = preempted", .batch = true, .code = ERROR_FILTER_VIEW, .text = "kind: a filter of the view cpus cannot compare it"},
		{"switches", .filter = "kind = preempted", .batch = true},
		{"histogram", .filter = "kind = preempted", .batch = true},
		{"histogram", .filter = "slices > 5", .batch = true, .code = ERROR_FILTER_VIEW, .text = "slices: a filter of the view histogram cannot compare it"},
		{"switches", .sort = "ipc", .code = ERROR_SORT_FIXED, .text = "ipc: switches are in time order"},
		{"switches", .sort = "-when", .code = ERROR_SORT_FIXED, .text = "when"},
		{"switches", .sort = "+when"},
		{"timeline", .sort = "busy", .code = ERROR_SORT_FIXED, .text = "busy: CPUs are always in the order of their numbers"},
		{"cpus", .sort = "busy"},
		{"tasks", .sort = "when", .code = ERROR_SORT_VIEW, .text = "when: the rows of the view tasks have none"},
		{"histogram", .sort = "slices"},
		{"histogram", .sort = "times", .code = ERROR_SORT_VIEW, .text = "times"},
		{"pairs", .sort = "times"},
		{"tasks", .filter = "pid = 1 && bad < 2", .code = ERROR_FILTER_NAME, .text = "bad: unknown column (character 12 of "},
		{"tasks", .events = "r1,bad", .code = ERROR_PERF_UNKNOWN, .text = "(character 4 of 'r1,bad')"},
		{"tasks", .columns = "pid,bad", .code = ERROR_COLUMN_UNKNOWN, .text = "bad: unknown column (character 5 of 'pid,bad')"},
		{"tasks", .sort = "-bad", .code = ERROR_COLUMN_UNKNOWN, .text = "bad: unknown column (character 2 of '-bad')"},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *events = cases[i].events;
		const struct options options = {
			.view = view_find(cases[i].view),
			.filter = cases[i].filter,
			.sort_text = cases[i].sort,
			.column_list = cases[i].columns,
			.event_lists = &events,
			.event_list_count = events != NULL,
			.batch = cases[i].batch,
		};
		struct startup_selection selection = {0};
		struct error error = {0};

		begin_case(cases[i].text ? cases[i].text : cases[i].view);
		assert_int_equal(startup_selection_make(&selection, resolver(), &options, &error),
				 cases[i].code == ERROR_NONE);
		assert_int_equal(error.code, cases[i].code);
		if (cases[i].text) {
			assert_non_null(strstr(error.text, cases[i].text));
			assert_int_equal(error_exit_status(&error), cases[i].events ? 1 : 2);
		}
		startup_selection_fini(&selection);
	}
}

UNIT_TEST(choose_sort_by_nothing_is_refused)
{
	struct sort_order order;
	struct error error = {0};
	size_t position;

	assert_false(resolve_order(resolver(), "-", &order, &position, &error));
	assert_string_equal(error.text, "\"\": unknown column");
}

UNIT_TEST(choose_sort_by_an_event_opens_it)
{
	struct sort_order order;
	size_t position;

	assert_true(resolve_order(resolver(), "+r01c2", &order, &position, NULL));
	assert_string_equal(order.sort->event, "r01c2");
	assert_true(order.sort_reversed);
	assert_true(is_counted("r01c2"));
}

UNIT_TEST(choose_metric_named_as_a_column_is_refused)
{
	const struct column *column;
	struct error error = {0};
	size_t position;

	assert_false(resolve_metric(resolver(), " pid = cycles", &column, &position, &error));
	assert_int_equal(error.code, ERROR_METRIC_TAKEN);
	assert_int_equal(position, 1);
	assert_int_equal(metric_set_find(kit.world.metric_set, "pid"), -1);
}

UNIT_TEST(choose_metric_gives_its_column)
{
	const struct column *column;
	size_t position;

	assert_true(resolve_metric(resolver(), "mine = 2 * cycles", &column, &position, NULL));
	assert_string_equal(column->name, "mine");
}

UNIT_TEST(choose_refusal_names_the_event_and_why)
{
	struct column_list added = {0};
	struct error refusal = {0};
	size_t position;

	assert_true(resolve_events(resolver(), "r1,refused-x", &added, &position, NULL));
	assert_true(resolve_refusal(resolver(), &added, &refusal));
	assert_string_equal(refusal.text, "refused-x: not counted: the test says so");
	added.count = 1;
	assert_false(resolve_refusal(resolver(), &added, &refusal));
	column_list_fini(&added);
}

UNIT_TEST(choose_mark_counts_characters)
{
	struct error error;

	error_set(&error, ERROR_FORMULA, "wrong", NULL);
	resolve_mark(&error, "\xc3\xa4\xc3\xb6x", 4);
	assert_string_equal(error.text, "wrong (character 3 of '\xc3\xa4\xc3\xb6x')");
	error_set(&error, ERROR_FORMULA, "wrong", NULL);
	resolve_mark(&error, "abc", RESOLVE_NOWHERE);
	assert_string_equal(error.text, "wrong");
}

UNIT_TEST(choice_make_takes_options_in_order)
{
	const char *events[] = {"r1,r2", "r3"};
	const char *metrics[] = {"one = 2 * cycles"};
	const struct options options = {
		.event_lists = events,
		.event_list_count = 2,
		.metric_definitions = metrics,
		.metric_count = 1,
		.column_list = "pid,one",
		.sort_text = "-one",
		.view = view_find("tasks"),
	};
	struct startup_selection selection = {0};
	struct error error = {0};

	assert_true(startup_selection_make(&selection, resolver(), &options, &error));
	assert_int_equal(selection.extras.count, 4);
	assert_string_equal(selection.extras.columns[0]->name, "one");
	assert_string_equal(selection.extras.columns[3]->name, "r3");
	assert_int_equal(selection.columns.count, 2);
	assert_string_equal(selection.order.sort->name, "one");
	assert_false(selection.order.sort_reversed);
	startup_selection_fini(&selection);
}

static bool is_asked_for(const char *name)
{
	const int index = layout_find_event(&kit.source.layout, name);

	return index >= 0 && !kit.source.layout.events[index].is_removed;
}

UNIT_TEST(choose_columns_refused_leaves_nothing_counted)
{
	assert_columns("r7,pid", "r7|pid|");
	assert_refused("r7,r8,bad", ERROR_COLUMN_UNKNOWN, 6);
	assert_true(is_asked_for("r7"));
	assert_false(is_asked_for("r8"));
}

UNIT_TEST(choose_columns_mistyped_names_the_nearest)
{
	struct column_list selected = {0};
	struct error error = {0};
	size_t position;

	assert_false(resolve_columns(resolver(), "badipc", &selected, &position, &error));
	assert_string_equal(error.text, "badipc: unknown column");
	assert_non_null(strstr(error.remedy, "the nearest: ipc"));
}

/* The place alone: with all of the text nobody would find the sentence. */
UNIT_TEST(choose_mark_of_a_long_text_is_its_place)
{
	struct error error;
	char text[200];

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	error_set(&error, ERROR_FORMULA, "wrong", NULL);
	resolve_mark(&error, text, 150);
	assert_string_equal(error.text, "wrong (character 151)");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return unit_run(kit_set_up, kit_tear_down);
}
