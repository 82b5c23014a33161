/* The history on the screen: which is shown, how much of it, and what is said of it. */

#include "app_story.h"
#include "mode/app_run.h"

/* So many switches of nginx (7) and redis (8) on CPU 0. */
static void tell_switches(size_t count)
{
	const uint64_t nginx = kit_actor(7);
	const uint64_t redis = kit_actor(8);

	for (size_t i = 0; i < count; i++)
		switched(&kit.told, .prev = i % 2 == 0 ? nginx : redis,
			 .next = i % 2 == 0 ? redis : nginx, .slice_ns = TOLD_STEP_NS,
			 .off_ns = TOLD_STEP_NS, .how = SWITCH_PREEMPTED);
}

/* As at a refresh. */
static void refresh(void)
{
	kit_build();
	history_view_lines_are_shown(&kit.app);
	history_view_count_lines(&kit.app);
}

static bool take_fact(const char *word)
{
	struct error error = {0};
	size_t number;

	if (strcmp(word, "past") == 0)
		kit_keep_history(4 * HISTORY_BLOCK);
	else if (sscanf(word, "switches %zu", &number) == 1)
		tell_switches(number);
	else if (sscanf(word, "log of %zu", &number) == 1) { /* lines on the screen */
		run("view switches");
		refresh();
		kit.app.lists[kit.app.view].page = number;
	} else if (sscanf(word, "behind %zu", &number) == 1) {
		kit.app.engine->shed.level = (enum shed_level)number;
	} else if (strcmp(word, "refresh") == 0) {
		refresh();
	} else if (strcmp(word, "pause") == 0) {
		kit.told.now_ns += 3000000000;
	} else if (strcmp(word, "no scheduler") == 0) {
		kit.scheduler_is_refused = true;
	} else if (strcmp(word, "part") == 0) {
		kit.source.session.is_partial = true;
	} else if (strcmp(word, "scheduler") == 0) {
		if (!app_need(&kit.app, COLUMN_NEEDS_WAKEUPS, &error))
			app_refuse(&kit.app, &error);
	} else {
		return false;
	}
	return true;
}

static bool take_own_step(const char *step)
{
	struct strbuf out = {0};
	size_t number;
	bool is_own = true;

	if (step[0] == '@')
		return take_fact(step + 1);
	if (strncmp(step, "filters ", 8) == 0) {
		history_view_write_filters(&kit.app, &out);
		assert_string_equal(strbuf_text(&out), step + 8);
	} else if (strncmp(step, "history ", 8) == 0) {
		history_view_write_history(&kit.app, &out);
		assert_string_equal(strbuf_text(&out), step + 8);
	} else if (strncmp(step, "dropped ", 8) == 0) {
		assert_int_equal(history_view_write_left_out(&kit.app, &out), step[8] != '\0');
		assert_string_equal(strbuf_text(&out), step + 8);
	} else if (strncmp(step, "drops ", 6) == 0) {
		assert_int_equal(history_view_leaves_lines_out(&kit.app), step[6] == 'y');
	} else if (sscanf(step, "ms %zu", &number) == 1) {
		assert_int_equal(app_request(&kit.app).window_ns, UINT64_C(1000000) * number);
	} else if (sscanf(step, "by-number %zu", &number) == 1) {
		assert_int_equal(app_request(&kit.app).by, number);
	} else if (sscanf(step, "asks %zu", &number) == 1) {
		assert_int_equal(kit.changes, number);
	} else if (sscanf(step, "line %zu", &number) == 1) {
		assert_int_equal(kit.app.lists[kit.app.view].cursor.at, number);
		assert_int_equal(app_row(&kit.app)->id, number);
	} else if (strncmp(step, "wakeups ", 8) == 0) {
		kit_build();
		assert_int_equal(view_table_needs(kit.app.table) & COLUMN_NEEDS_WAKEUPS,
				 step[8] == 'y' ? COLUMN_NEEDS_WAKEUPS : 0);
	} else if (sscanf(step, "entries %zu", &number) == 1) {
		assert_int_equal(history_end(playback_history(kit.app.playback)), number);
	} else {
		is_own = false;
	}
	strbuf_fini(&out);
	return is_own;
}

#define WRONG ": a window is interval, all, or a time: 10s, 2m, 1h | "
/* clang-format off */
static const struct story history_stories[] = {
	{"a frozen history is a copy that stays",
	 "@past | @switches 10 | entries 10 | :freeze | @switches 10 | entries 10 | :freeze | entries 20"},
	{"a frozen screen without one says nothing of it", ":freeze | said frozen, still counting; Z: resume"},
	{"a window is a time or a word",
	 "@past | :window 10s | ms 10000 | :window 2.5 s | ms 2500 | :window 2m | ms 120000 | :window 250ms | ms 250 | :window 7 | "
	 "ms 7000 | :window all | ms 0 | :window interval | ms 1000"},
	{"a window without a word is the next",
	 "window 10 | :window | window 60 | :window | window 0 | :window | window interval | :window | window 10 | :window 7s | "
	 ":window | window interval"},
	{"a wrong window is refused and changes nothing",
	 "!window soon => soon" WRONG
	 "!window 10x => 10x" WRONG
	 "!window -1 => -1" WRONG
	 "!window 0 => 0" WRONG
	 "!window 1e999 => 1e999" WRONG
	 "!window 10 s s => 10 s s" WRONG
	 "!window . => ." WRONG
	 "!window 99999999999999999999999999999999999999s => "
	 "99999999999999999999999999999999999999s" WRONG "window 10"},
	{"by takes names and goes round",
	 ":by cpu | by-number 2 | :by | by-number 3 | :by | by-number 0 | :by | by-number 1 | said pairs by name | "
	 "!by colour => usage: by task|name|cpu|container | by-number 1"},
	{"the scheduler is asked for once, and a refusal is said",
	 "@no scheduler | @scheduler | said run-queue waits: the test says so | @read | @scheduler | asks 1 | said "},
	{"a scheduler that is there needs no words", "@scheduler | said "},
	{"wake-ups are needed by views and columns of waits",
	 "@past | wakeups no | :column slice | wakeups no | :column wake-p99 | wakeups yes | :columns | wakeups no | :view cpus | "
	 "wakeups no | :column rqwait% | wakeups yes | :view groups | wakeups no | :column wakeups/s | wakeups yes | "
	 ":view switches | wakeups yes | :view histogram | wakeups yes | :view timeline | wakeups no"},
	{"so they are by an order",
	 ":sort rqwait% | wakeups yes"},
	{"and by a filter", ":filter wake > 1ms | wakeups yes"},
	{"and by a metric", "wakeups no | :metric half = wakeups_s / 2 | wakeups yes"},
	{"who follows the log is told of lines that are not shown",
	 "@past | @switches 30 | @log of 40 | filters  | @switches 1290 | @refresh | "
	 "filters 1 250 of 1 290 new lines not shown   | @refresh | filters "},
	{"with a cursor that stays, or frozen, nothing is said",
	 "@past | @switches 30 | @log of 4 | :up | @switches 100 | @refresh | filters  | :last | "
	 "filters 96 of 100 new lines not shown   | :freeze | filters "},
	/* not what happened */
	{"lines that pass the filter are counted",
	 "@past | :filter redis | @switches 30 | @log of 4 | @switches 20 | @refresh | filters 16 of 20 new lines not shown  "},
	{"that waits are not known of a part of the CPUs is said where pairs would be",
	 "@past | @switches 30 | @part | :view pairs | screen how long tasks wait is unknown: they also run on CPUs that are not watched | "
	 ":view histogram | unseen is unknown"},
	{"pairs name their window and what they are by",
	 "@past | :view pairs | filters 10 s   | :view histogram | :window all | filters all of the history   | "
	 ":view tasks | filters "},
	{"a window that reaches back further than the history says how far that is",
	 "@past | :view pairs | @switches 1 | @pause | @switches 1499 | filters 3 of 10 s   | :view histogram | "
	 ":window 1m | filters 3 of 60 s   | :window 3s | filters 3 s   | :window all | filters all of the history   | "
	 ":window 10s | :view functions | filters 10 s  "},
	{"the history has a number, a span and a size",
	 "@past | :view switches | history history 0 | @switches 1 | @pause | @switches 1499 | "
	 "history history 1.50k (3 s, <1 MB) | :view tasks | history "},
	{"lines are dropped only when records come too fast",
	 "@past | @switches 30 | @log of 4 | drops no | @behind 1 | @switches 1200 | drops yes | "
	 "dropped 1 200 new lines dropped: records come faster than they can be shown | @refresh | dropped "},
	{"none are dropped in other views or frozen",
	 "@past | @switches 30 | @behind 3 | drops no | @log of 4 | :freeze | drops no"},
	/* there has to be something to look at */
	{"none are dropped the first time", "@past | @switches 30 | @behind 1 | :view switches | drops no"},
	{"the log follows its end until the cursor moves",
	 "@past | @switches 100 | @log of 10 | line 99 | @switches 50 | @refresh | line 149 | :up | @switches 50 | @refresh | "
	 "line 148 | :last | @switches 50 | @refresh | line 249"},
};
/* clang-format on */

UNIT_TEST(history_is_shown_as_its_stories_say)
{
	more_steps = take_own_step;
	take_stories(history_stories, COUNT_OF(history_stories));
	more_steps = NULL;
}

UNIT_TEST(settings_want_processes_that_are_attached_or_in_the_scope)
{
	struct view_request made = app_request(&kit.app);

	assert_null(made.wants_pid);
	run("attach 7");
	made = app_request(&kit.app);
	assert_true(made.wants_pid(7, made.context));
	assert_false(made.wants_pid(8, made.context));
	run("all");
	kit.app.engine->targets.kind = TARGET_PIDS_LIST;
	target_pids_add(&kit.app.engine->targets, 8);
	made = app_request(&kit.app);
	assert_true(made.wants_pid(8, made.context));
	assert_false(made.wants_pid(7, made.context));
	target_pids_fini(&kit.app.engine->targets);
}

UNIT_TEST(log_cursor_stays_with_its_entry_while_others_are_dropped)
{
	kit_keep_history(4 * HISTORY_BLOCK);
	tell_switches(4 * HISTORY_BLOCK);
	take_fact("log of 10");
	run("up");
	const uint64_t id = app_row(&kit.app)->id;
	tell_switches(2 * HISTORY_BLOCK);
	refresh();
	assert_true(history_first(kit.told.history) > 0);
	assert_int_equal(app_row(&kit.app)->id, id);
	tell_switches(6 * HISTORY_BLOCK);
	refresh();
	assert_int_equal(kit.app.lists[kit.app.view].cursor.at, 0);
	assert_int_equal(app_row(&kit.app)->id, history_first(kit.told.history));
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
