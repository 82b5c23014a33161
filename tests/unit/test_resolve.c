/* From what is typed to columns. */

#include <locale.h>

#include "view/column.h"

#include "app_kit.h"
#include "error_name.h"
#include "mode/views.h"
#include "session/resolve.h"
#include "unit.h"

static struct resolver *resolver(void)
{
	return engine_resolver(kit.engine);
}

static bool is_counted(const char *name)
{
	const int index = layout_find_event(&kit.source.layout, name);

	return index >= 0 && !kit.source.layout.events[index].is_removed;
}

static void remove_event(const char *name)
{
	assert_true(engine_remove_event(kit.engine, name, NULL));
}

enum resolved {
	COLUMNS,
	ORDER,
	FILTER
};

/* Resolves a text; what it means goes to `words`, without columns and orders nothing. */
static bool resolve(enum resolved what, const char *text, char words[static 512], size_t *position,
		    struct error *error)
{
	struct column_list selected = {0};
	struct sort_order order = {0};
	bool good = false;

	words[0] = '\0';
	switch (what) {
	case COLUMNS:
		good = resolve_columns(resolver(), text, &selected, position, error);
		for (size_t i = 0; i < selected.count; i++)
			strcat(strcat(words, selected.columns[i]->name), "|");
		column_list_fini(&selected);
		break;
	case ORDER:
		good = resolve_order(resolver(), text, &order, position, error);
		if (order.sort)
			snprintf(words, 512, "%s%s,%s%s", order.sort->name,
				 order.sort_reversed ? " reversed" : "",
				 order.then ? order.then->name : "",
				 order.then_reversed ? " reversed" : "");
		break;
	case FILTER:
		good = resolve_filter(resolver(), text, position, error);
		break;
	}
	return good;
}

static void assert_resolved(enum resolved what, const char *text, const char *expected)
{
	struct error error = {0};
	char words[512];
	size_t position;

	if (!resolve(what, text, words, &position, &error))
		fail_msg("%s: %s", text, error.text);
	assert_string_equal(words, expected);
}

UNIT_TEST(resolve_finds_columns_metrics_and_events)
{
	static const struct {
		enum resolved what;
		const char *text, *expected;
		const char *counted; /* then; NULL: nothing of note */
	} cases[] = {
		/* clang-format off */
		{COLUMNS, "pid, miss_pct,IPC", "pid|miss%|ipc|", NULL},
		{COLUMNS, "pid,sched:sched_switch,command", "pid|sched:sched_switch|command|", "sched:sched_switch"},
		{COLUMNS, "ipc,pid,IPC,pid", "ipc|pid|", NULL}, /* each once */
		{COLUMNS, "{r01c2}", "r01c2|", NULL},
		{COLUMNS, "cpu/a=1,b=2/", "cpu/a=1,b=2/|", NULL},
		/* signs are against the natural order: the biggest misses first, the smallest pid */
		{ORDER, "miss%", "miss%,", NULL}, {ORDER, "-miss%", "miss%,", NULL}, {ORDER, "+miss%", "miss% reversed,", NULL},
		{ORDER, "pid", "pid,", NULL}, {ORDER, "+pid", "pid,", NULL}, {ORDER, "-pid", "pid reversed,", NULL},
		{ORDER, "user,cpu%", "user,cpu%", NULL},
		{ORDER, "-user, +cpu%", "user reversed,cpu% reversed", NULL},
		{ORDER, "+cpu/event=1,umask=2/,-pid", "cpu/event=1,umask=2/ reversed,pid reversed", NULL},
		{ORDER, "+r01c2", "r01c2 reversed,", "r01c2"},
		{FILTER, "", "", NULL},
		{FILTER, "sched:sched_switch > 5", "", "sched:sched_switch"},
		{FILTER, "ipc > 0 || cpu/a=1,b=2/ > 6", "", "cpu/a=1,b=2/"},
		{FILTER, "ipc > 0 && \"test:one/prev_pid > 5/\" > 7", "", "test:one/prev_pid > 5/"},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		kit_tear_down(NULL);
		kit_set_up(NULL);
		assert_resolved(cases[i].what, cases[i].text, cases[i].expected);
		assert_true(!cases[i].counted || is_counted(cases[i].counted));
		assert_int_equal(resolver()->note.code, ERROR_NONE);
	}
	assert_resolved(FILTER, "l1d_mpki < 1 && !(branch_pct > 2) && l1d_mpki > 0", "");
	assert_true(is_counted("branches") && is_counted("L1-dcache-load-misses"));
	/* plain words are looked for */
	assert_resolved(FILTER, "nginx sched:sched_switch", "");
	assert_false(is_counted("sched:sched_switch"));
}

UNIT_TEST(resolve_refuses_what_is_wrong_and_says_where)
{
	static const struct {
		enum resolved what;
		const char *text;
		enum error_code code;
		size_t position;
	} cases[] = {
		/* clang-format off */
		{COLUMNS, "pid,bad", ERROR_COLUMN_UNKNOWN, 4},
		{COLUMNS, "pid,group:bad", ERROR_EVENT_UNKNOWN, 4}, /* what can only be an event is refused as one */
		{COLUMNS, "pid,slots-retiring", ERROR_EVENT_REFUSED, 4}, /* and what is known as one */
		{COLUMNS, "", ERROR_COLUMN_UNKNOWN, 0},
		{COLUMNS, "pid,,ipc", ERROR_COLUMN_UNKNOWN, 4},
		{COLUMNS, "r1,r2,bad", ERROR_COLUMN_UNKNOWN, 6},
		{ORDER, "bad,pid", ERROR_COLUMN_UNKNOWN, 0},
		{ORDER, "user,-bad", ERROR_COLUMN_UNKNOWN, 6},
		{ORDER, "user,", ERROR_COLUMN_UNKNOWN, 5},
		{ORDER, "user,pid,cpu%", ERROR_SORT_COUNT, 8},
		{ORDER, "-", ERROR_COLUMN_UNKNOWN, 1},
		{FILTER, "ipc <", ERROR_FILTER_EXPECTED, 5},
		{FILTER, "ipc < 1 && bad > 5", ERROR_FILTER_NAME, 11},
		{FILTER, "ipc < 1 && group:bad > 5", ERROR_EVENT_UNKNOWN, 11},
		{FILTER, "r1 > 5 && bad > 5", ERROR_FILTER_NAME, 10},
		{FILTER, "r1,r2 > 5", ERROR_FILTER_NAME, 0},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};
		char words[512];
		size_t position;

		begin_case(cases[i].text);
		assert_false(resolve(cases[i].what, cases[i].text, words, &position, &error));
		assert_string_equal(error_name(error.code), error_name(cases[i].code));
		assert_int_equal(position, cases[i].position);
		assert_string_equal(words, "");
		/* nothing is left counted */
		assert_false(is_counted("r1") || is_counted("r2"));
	}
}

UNIT_TEST(resolve_columns_unknown_is_refused_with_where_they_are)
{
	struct error error = {0};
	char words[512];
	size_t position;

	assert_false(resolve(COLUMNS, "pid,bad", words, &position, &error));
	assert_string_equal(error.text, "bad: unknown column");
	assert_int_equal(error_exit_status(&error), 2);
	assert_non_null(strstr(error.remedy, "perftop events"));
	assert_false(resolve(ORDER, "-", words, &position, &error));
	assert_string_equal(error.text, "'': unknown column");
}

/* A metric whose events are not available shows that it is unknown; that is said. */
UNIT_TEST(resolve_columns_metric_without_events_is_noted)
{
	kit.change_is_refused = true;
	assert_resolved(COLUMNS, "pid,branch_pct", "pid|branch_pct|");
	assert_int_equal(resolver()->note.code, ERROR_PROCESS_FOREIGN);
	kit.change_is_refused = false;
	assert_resolved(COLUMNS, "pid,branch_pct", "pid|branch_pct|");
	assert_int_equal(resolver()->note.code, ERROR_NONE);
}

UNIT_TEST(resolve_of_a_removed_event_counts_it_again)
{
	assert_resolved(COLUMNS, "r1", "r1|");
	remove_event("r1");
	assert_resolved(COLUMNS, "r1", "r1|");
	assert_true(is_counted("r1"));
	remove_event("r1");
	assert_resolved(FILTER, "r1 > 5", "");
	assert_true(is_counted("r1"));
}

UNIT_TEST(resolve_columns_refused_leaves_what_was_counted)
{
	struct error error = {0};
	char words[512];
	size_t position;

	assert_resolved(COLUMNS, "r7,pid", "r7|pid|");
	assert_false(resolve(COLUMNS, "r7,r8,bad", words, &position, &error));
	assert_true(is_counted("r7"));
	assert_false(is_counted("r8"));
}

UNIT_TEST(resolve_columns_of_a_kind_open_the_event)
{
	struct layout layout;

	layout_init(&layout);
	strcpy(layout.kinds[0].name, "cpu_core");
	columns_know_kinds(resolver()->columns, &layout);
	layout_fini(&layout);
	assert_resolved(COLUMNS, "r7@cpu_core", "r7@cpu_core|");
	assert_true(is_counted("r7"));
	assert_false(is_counted("r7@cpu_core"));
}

UNIT_TEST(resolve_filter_notes_what_the_machine_refuses)
{
	assert_resolved(FILTER, "test:refused > 5 && test:refused2 > 5", "");
	assert_string_equal(resolver()->note.text, "test:refused: not counted: the test says so");
	kit.source.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	assert_resolved(FILTER, "ipc < 1", "");
	assert_string_equal(resolver()->note.text, "cycles: not counted: unsupported");
	assert_resolved(FILTER, "pid = 1", "");
	assert_int_equal(resolver()->note.code, ERROR_NONE);
}

UNIT_TEST(options_that_are_wrong_or_do_not_fit_the_view_are_refused)
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
		{"tasks", .events = "r1,bad", .code = ERROR_EVENT_UNKNOWN, .text = "(character 4 of 'r1,bad')"},
		{"tasks", .columns = "pid,bad", .code = ERROR_COLUMN_UNKNOWN, .text = "bad: unknown column (character 5 of 'pid,bad')"},
		{"tasks", .sort = "-bad", .code = ERROR_COLUMN_UNKNOWN, .text = "bad: unknown column (character 2 of '-bad')"},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *events = cases[i].events;
		const struct options options = {
			.view = view_find(&all_views, cases[i].view),
			.has_view = true,
			.uid = -1,
			.filter = cases[i].filter,
			.sort_text = cases[i].sort,
			.column_list = cases[i].columns,
			.event_lists = &events,
			.event_list_count = events != NULL,
			.batch = cases[i].batch,
		};
		struct strbuf remarks = {0};
		struct error error = {0};

		begin_case(cases[i].text ? cases[i].text : cases[i].view);
		kit.app.options = &options;
		kit.app.is_starting = true;
		assert_int_equal(app_take_options(&kit.app, &remarks, &error),
				 cases[i].code == ERROR_NONE);
		kit.app.is_starting = false;
		assert_string_equal(error_name(error.code), error_name(cases[i].code));
		if (cases[i].text) {
			assert_non_null(strstr(error.text, cases[i].text));
			assert_int_equal(error_exit_status(&error), 2);
		}
		strbuf_fini(&remarks);
	}
	kit.app.options = &kit.options;
}

UNIT_TEST(resolve_metric_named_as_a_column_is_refused)
{
	const struct column *column;
	struct error error = {0};
	size_t position;

	assert_false(resolve_metric(resolver(), " pid = cycles", &column, &position, &error));
	assert_int_equal(error.code, ERROR_METRIC_TAKEN);
	assert_int_equal(position, 1);
	assert_int_equal(metric_set_find(engine_metric_set(kit.engine), "pid"), -1);
}

UNIT_TEST(resolve_metric_gives_its_column)
{
	const struct column *column;
	size_t position;

	assert_true(resolve_metric(resolver(), "mine = 2 * cycles", &column, &position, NULL));
	assert_string_equal(column->name, "mine");
}

UNIT_TEST(resolve_refusal_names_the_event_and_why)
{
	struct column_list added = {0};
	struct error refusal = {0};
	size_t position;

	assert_true(resolve_events(resolver(), "r1,test:refused", &added, &position, NULL));
	assert_true(resolve_refusal(resolver(), &added, &refusal));
	assert_string_equal(refusal.text, "test:refused: not counted: the test says so");
	added.count = 1;
	assert_false(resolve_refusal(resolver(), &added, &refusal));
	column_list_fini(&added);
}

UNIT_TEST(resolve_mark_counts_characters)
{
	struct error error;

	error_set(&error, ERROR_FORMULA, "wrong", NULL);
	resolve_mark(&error, "\xc3\xa4\xc3\xb6x", 4);
	assert_string_equal(error.text, "wrong (character 3 of '\xc3\xa4\xc3\xb6x')");
	error_set(&error, ERROR_FORMULA, "wrong", NULL);
	resolve_mark(&error, "abc", RESOLVE_NOWHERE);
	assert_string_equal(error.text, "wrong");
}

/* What the options have is there; the remarks. */
static const char *take_options(const struct options *options, struct strbuf *remarks)
{
	struct error error = {0};

	kit.app.options = options;
	strbuf_clear(remarks);
	kit.app.is_starting = true;
	if (!app_take_options(&kit.app, remarks, &error))
		fail_msg("%s", error.text);
	kit.app.options = &kit.options;
	return strbuf_text(remarks);
}

UNIT_TEST(options_are_taken_in_order)
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
		.view = view_find(&all_views, "cpus"),
		.has_view = true,
		.uid = -1,
	};
	struct strbuf remarks = {0};
	const struct view_state *view;

	assert_string_equal(take_options(&options, &remarks), "");
	view = app_current(&kit.app);
	assert_string_equal(view->info->name, "cpus");
	assert_int_equal(view->columns.count, 2);
	assert_string_equal(view->order.sort->name, "one");
	assert_false(view->order.sort_reversed);
	view = &kit.app.views[0];
	assert_int_equal(view->columns.count, 0);
	assert_int_equal(view->extras.count, 4);
	assert_string_equal(view->extras.columns[0]->name, "one");
	assert_string_equal(view->extras.columns[3]->name, "r3");
	strbuf_fini(&remarks);
}

UNIT_TEST(options_hold_against_the_configuration)
{
	const struct options options = {
		.column_list = "pid",
		.filter = "b",
		.view = view_find(&all_views, "tasks"),
		.uid = 7,
		.settings.threads = 1,
	};
	struct strbuf remarks = {0};

	kit.app.is_starting = true;
	run("columns tid,command");
	run("filter a");
	run("filter-add c");
	run("user 0");
	take_options(&options, &remarks);
	assert_int_equal(app_current(&kit.app)->columns.count, 1);
	assert_string_equal(strbuf_text(&kit.app.filter), "b");
	assert_int_equal(kit.app.request.uid, 7);
	assert_true(kit.app.request.settings.threads);
	strbuf_fini(&remarks);
}

/* Where no row has a value, that is said, and the order is that of the view. */
UNIT_TEST(options_sort_by_nothing_that_is_not_counted)
{
	const struct options options = {
		.sort_text = "ipc,cpu", .view = view_find(&all_views, "tasks"), .uid = -1};
	struct strbuf remarks = {0};

	kit.source.session.has_pmu = true;
	kit.source.layout.events[CYCLES].state = EVENT_UNSUPPORTED;
	assert_string_equal(take_options(&options, &remarks),
			    "IPC: not counted here (cycles); rows are not sorted by it\n");
	assert_null(app_current(&kit.app)->order.sort);
	assert_null(app_current(&kit.app)->order.then);

	kit.source.layout.events[CYCLES].state = EVENT_COUNTING;
	assert_string_equal(take_options(&options, &remarks), "");
	assert_string_equal(app_current(&kit.app)->order.sort->name, "ipc");
	strbuf_fini(&remarks);
}

/* Without counters, too, other events have reasons of their own. */
UNIT_TEST(is_sortable_says_the_reason_of_the_event)
{
	const struct column *column = columns_find(resolver()->columns, "ipc");
	struct event *event = &kit.source.layout.events[CYCLES];
	struct error error = {0};

	kit.source.session.has_pmu = false;
	event->state = EVENT_UNSUPPORTED;
	strcpy(event->reason, "no hardware counters: this machine has none");
	assert_false(resolve_is_sortable(resolver(), column, &error));
	assert_non_null(strstr(error.text, "not counted here (no hardware counters);"));
	strcpy(event->reason, "the kernel refuses the filter: (((");
	assert_false(resolve_is_sortable(resolver(), column, &error));
	assert_non_null(
		strstr(error.text, "not counted here (the kernel refuses the filter: ((();"));
	event->state = EVENT_COUNTING;
	event->reason[0] = '\0';
}

/* They may come later in it. */
UNIT_TEST(is_sortable_without_wakeups_where_a_recording_begins)
{
	const struct column *column = columns_find(resolver()->columns, "wakeup_us");
	struct error error = {0};

	kit.engine->is_replay = true;
	kit.source.session.queue = QUEUE_UNKNOWN;
	assert_true(resolve_is_sortable(resolver(), column, &error));
}

/* The place alone: with all of the text nobody would find the sentence. */
UNIT_TEST(resolve_mark_of_a_long_text_is_its_place)
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
