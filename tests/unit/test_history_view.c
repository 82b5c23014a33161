/* The history on the screen: which is shown, how much of it, and what is said of it. */

#include <inttypes.h>

#include "fake_app.h"
#include "mode/command.h"
#include "mode/history_view.h"
#include "unit.h"

static void assert_refused(const char *command, enum error_code code)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, command, &error));
	assert_int_equal(error.code, code);
}

/* So many switches of nginx (7) and redis (8) on CPU 0. */
static void tell_switches(size_t count)
{
	const uint64_t nginx = told_actor(&kit.told, 7, 7, "nginx");
	const uint64_t redis = told_actor(&kit.told, 8, 8, "redis");

	for (size_t i = 0; i < count; i++)
		switched(&kit.told, .left = i % 2 == 0 ? nginx : redis,
			 .came = i % 2 == 0 ? redis : nginx, .slice_ns = TOLD_STEP_NS,
			 .off_ns = TOLD_STEP_NS, .how = SWITCH_PREEMPTED);
}

static int set_up(void **state)
{
	kit_set_up(state);
	kit_keep_history(4 * HISTORY_BLOCK);
	return 0;
}

/* As at a refresh. */
static void refresh(void)
{
	kit_build();
	history_view_lines_are_shown(&kit.app);
	history_view_count_lines(&kit.app);
}

static void show_log(size_t page)
{
	run("view switches");
	refresh();
	app_current(&kit.app)->list.page = page;
}

static struct view_settings settings(void)
{
	struct view_settings settings = {0};

	history_view_settings(&kit.app, &settings);
	return settings;
}

static void assert_filters(const char *expected)
{
	struct strbuf out = {0};

	history_view_write_filters(&kit.app, &out);
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_fini(&out);
}

static void assert_history(const char *expected)
{
	struct strbuf out = {0};

	history_view_write_history(&kit.app, &out);
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_fini(&out);
}

UNIT_TEST(past_history_frozen_is_a_copy_that_stays)
{
	tell_switches(10);
	assert_ptr_equal(playback_history(kit.app.playback), kit.told.history);
	run("freeze");
	tell_switches(10);

	assert_ptr_not_equal(playback_history(kit.app.playback), kit.told.history);
	assert_int_equal(history_end(playback_history(kit.app.playback)), 10);
	run("freeze");
	assert_int_equal(history_end(playback_history(kit.app.playback)), 20);
}

UNIT_TEST(past_history_frozen_without_one_is_none)
{
	told_fini(&kit.told);
	kit.told.history = NULL;
	run("freeze");

	assert_null(playback_history(kit.app.playback));
	assert_string_equal(kit.app.message, "frozen, still counting; Z: resume");
}

UNIT_TEST(past_settings_of_all_tasks_ask_for_nobody)
{
	assert_null(settings().wants_pid);
	assert_ptr_equal(settings().history, kit.told.history);
}

UNIT_TEST(past_settings_attached_want_these_processes)
{
	struct view_settings made;

	run("attach 7");
	made = settings();

	assert_true(made.wants_pid(7, made.wants_context));
	assert_false(made.wants_pid(8, made.wants_context));
}

UNIT_TEST(past_settings_of_a_scope_want_what_is_in_it)
{
	struct view_settings made;

	kit.app.engine->targets.kind = TARGET_PIDS_LIST;
	target_pids_add(&kit.app.engine->targets, 8);
	made = settings();

	assert_true(made.wants_pid(8, made.wants_context));
	assert_false(made.wants_pid(7, made.wants_context));
	target_pids_fini(&kit.app.engine->targets);
}

UNIT_TEST(window_takes_times_and_names)
{
	static const struct {
		const char *command;
		uint64_t window_ns;
	} cases[] = {
		{"window 10s", 10000000000}, {"window 2.5 s", 2500000000},
		{"window 2m", 120000000000}, {"window 250ms", 250000000},
		{"window 7", 7000000000},    {"window all", 0},
	};
	const size_t before = kit.builds;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].command);
		run(cases[i].command);
		assert_int_equal(settings().window_ns, cases[i].window_ns);
	}
	run("window interval");
	assert_int_equal(settings().window_ns, kit.world.snapshot.interval_ns);
	assert_int_equal(kit.builds, before + COUNT_OF(cases) + 1);
}

UNIT_TEST(window_alone_goes_round)
{
	static const uint64_t expected[] = {60000000000, 0, HISTORY_VIEW_INTERVAL, 10000000000};

	assert_int_equal(kit.app.history_view->window_ns, 10000000000);
	for (size_t i = 0; i < 4; i++) {
		run("window");
		assert_int_equal(kit.app.history_view->window_ns, expected[i]);
	}
	run("window 7s");
	run("window");
	assert_int_equal(kit.app.history_view->window_ns, HISTORY_VIEW_INTERVAL);
}

UNIT_TEST(window_wrong_is_refused_and_changes_nothing)
{
	static const char *const wrong[] = {
		"soon",  "10x",    "-1", "0",
		"1e999", "10 s s", ".",  "99999999999999999999999999999999999999s"};
	char command[80];

	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		snprintf(command, sizeof(command), "window %s", wrong[i]);
		assert_refused(command, ERROR_NUMBER_BAD);
		assert_int_equal(kit.app.history_view->window_ns, 10000000000);
	}
}

UNIT_TEST(by_takes_names_and_goes_round)
{
	run("by cpu");
	assert_int_equal(settings().by, BY_CPU);
	run("by");
	assert_int_equal(settings().by, BY_TASK);
	run("by");
	assert_int_equal(settings().by, BY_NAME);
	assert_string_equal(kit.app.message, "pairs by name");
	assert_refused("by colour", ERROR_COMMAND_USAGE);
	assert_int_equal(settings().by, BY_NAME);
}

UNIT_TEST(scheduler_is_asked_for_once_and_a_refusal_is_told)
{
	kit.scheduler_is_refused = true;
	history_view_need_scheduler(&kit.app);
	assert_string_equal(kit.app.message, "run-queue waits: the test says so");
	kit.app.message[0] = '\0';
	history_view_need_scheduler(&kit.app);

	assert_int_equal(kit.scheduler_asks, 1);
	assert_string_equal(kit.app.message, "");
	assert_true(kit.app.needs_build);
}

UNIT_TEST(scheduler_that_is_there_needs_no_words)
{
	history_view_need_scheduler(&kit.app);
	assert_string_equal(kit.app.message, "");
}

static unsigned int needs_of(const char *view, const char *column)
{
	char command[64];

	run("columns");
	snprintf(command, sizeof(command), "view %s", view);
	run(command);
	if (column != NULL) {
		snprintf(command, sizeof(command), "column %s", column);
		run(command);
	}
	kit_build();
	return view_table_needs(kit.app.table);
}

UNIT_TEST(wakeups_are_needed_by_views_and_columns_of_waits)
{
	assert_int_equal(needs_of("tasks", NULL), 0);
	assert_int_equal(needs_of("tasks", "slice"), 0);
	assert_int_equal(needs_of("tasks", "wake-p99"), COLUMN_NEEDS_WAKEUPS);
	assert_int_equal(needs_of("cpus", "rqwait%"), COLUMN_NEEDS_WAKEUPS);
	assert_int_equal(needs_of("groups", "wakeups/s"), COLUMN_NEEDS_WAKEUPS);
	assert_int_equal(needs_of("switches", NULL), COLUMN_NEEDS_WAKEUPS);
	assert_int_equal(needs_of("histogram", NULL), COLUMN_NEEDS_WAKEUPS);
	assert_int_equal(needs_of("timeline", NULL), 0);
}

UNIT_TEST(order_filter_and_metric_need_what_they_are_made_of)
{
	run("sort rqwait%");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_WAKEUPS);
	run("sort pid");
	run("filter wake > 1ms");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_WAKEUPS);
	run("filter");
	run("metric half = wakeups_s / 2");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_WAKEUPS);
}

UNIT_TEST(filters_following_tell_of_lines_not_shown)
{
	tell_switches(30);
	show_log(40);
	assert_filters("");
	tell_switches(1290);
	refresh();

	assert_filters("1 250 of 1 290 new lines not shown  ");
	refresh();
	assert_filters("");
}

UNIT_TEST(filters_of_a_cursor_that_stays_or_frozen_tell_nothing)
{
	tell_switches(30);
	show_log(4);
	run("up");
	tell_switches(100);
	refresh();
	assert_filters("");
	run("last");
	assert_filters("96 of 100 new lines not shown  ");
	run("freeze");
	assert_filters("");
}

/* What passes the filter is counted, not what happened. */
UNIT_TEST(filters_count_lines_that_are_rows)
{
	run("filter redis");
	tell_switches(30);
	show_log(4);
	tell_switches(20);
	refresh();

	assert_filters("16 of 20 new lines not shown  ");
}

UNIT_TEST(filters_of_pairs_tell_window_and_grouping)
{
	run("view pairs");
	assert_filters("by task  10 s  ");
	run("view histogram");
	run("window all");
	assert_filters("all of the history  ");
	run("view tasks");
	assert_filters("");
}

UNIT_TEST(history_tells_number_span_and_memory)
{
	run("view switches");
	assert_history("history 0");
	tell_switches(1);
	kit.told.now_ns += 3000000000;
	tell_switches(1499);

	assert_history("history 1.50k (3 s, <1 MB)");
	run("view tasks");
	assert_history("");
}

UNIT_TEST(leaves_lines_out_only_when_behind)
{
	struct strbuf out = {0};

	tell_switches(30);
	show_log(4);
	assert_false(history_view_leaves_lines_out(&kit.app));
	kit.app.engine->shed.level = SHED_LINES;
	tell_switches(1200);

	assert_true(history_view_leaves_lines_out(&kit.app));
	assert_true(history_view_write_left_out(&kit.app, &out));
	assert_string_equal(strbuf_text(&out), "1 200 new lines dropped: records come faster than "
					       "they can be shown");
	strbuf_clear(&out);
	refresh();
	assert_false(history_view_write_left_out(&kit.app, &out));
	assert_string_equal(strbuf_text(&out), "");
	strbuf_fini(&out);
}

UNIT_TEST(leaves_lines_out_of_no_other_view_and_not_frozen)
{
	tell_switches(30);
	kit.app.engine->shed.level = SHED_DETAIL;
	assert_false(history_view_leaves_lines_out(&kit.app));
	show_log(4);
	run("freeze");
	assert_false(history_view_leaves_lines_out(&kit.app));
}

/* The first time there has to be something to look at. */
UNIT_TEST(leaves_lines_out_never_the_first)
{
	tell_switches(30);
	kit.app.engine->shed.level = SHED_LINES;
	run("view switches");
	assert_false(history_view_leaves_lines_out(&kit.app));
}

UNIT_TEST(log_follows_its_end_until_the_cursor_moves)
{
	const struct list *list;

	tell_switches(100);
	show_log(10);
	list = &app_current(&kit.app)->list;
	assert_int_equal(list->cursor.at, 99);
	tell_switches(50);
	refresh();
	assert_int_equal(list->cursor.at, 149);
	run("up");
	tell_switches(50);
	refresh();
	assert_int_equal(list->cursor.at, 148);
	assert_int_equal(app_row(&kit.app)->id, 148);
	run("last");
	tell_switches(50);
	refresh();
	assert_int_equal(list->cursor.at, 249);
}

UNIT_TEST(log_cursor_stays_with_its_entry_while_others_are_dropped)
{
	const struct list *list;

	tell_switches(4 * HISTORY_BLOCK);
	show_log(10);
	list = &app_current(&kit.app)->list;
	run("up");
	const uint64_t id = app_row(&kit.app)->id;
	tell_switches(2 * HISTORY_BLOCK);
	refresh();
	assert_true(history_first(kit.told.history) > 0);
	assert_int_equal(app_row(&kit.app)->id, id);
	tell_switches(6 * HISTORY_BLOCK);
	refresh();
	assert_int_equal(list->cursor.at, 0);
	assert_int_equal(app_row(&kit.app)->id, history_first(kit.told.history));
}

int main(void)
{
	return unit_run(set_up, kit_tear_down);
}
