/* Which rows there are and in which order: tree, folds, tags, filters, searches, groups, columns.
 * Rows by cpu%: 7 "nginx", 70 "nginx-worker", 8 "redis". */

#include "view/groups.h"

#include "app_story.h"

/* clang-format off */
static const struct story rows_stories[] = {
	{"tree puts tasks under their parents, which may never have run, and back",
	 "@family | pids [7] 70 8 | :tree | pids [7] 8 70 | walks 1 | screen tasks: tree | :tree | pids [7] 70 8 | walks 1"},
	{"fold folds and unfolds the row under the cursor",
	 "@family | :tree | :down | :fold | pids 7 [8] | :fold | pids 7 [8] 70"},
	{"plus unfolds what is folded, and asks for a column elsewhere",
	 "@family | :tree | :down | :fold | pids 7 [8] | key + | pids 7 [8] 70 | key + | typed "},
	{"fold on a leaf folds its parent",
	 "@family | :tree | :last | pids 7 8 [70] | :fold | pids 7 [8]"},
	{"fold on a row without children says so",
	 ":tree | :fold | pids [7] 70 8 | said this row has no children"},
	{"fold all takes the cursor to what its row is folded into",
	 "@family | :tree | :last | :fold all | pids 7 [8] | :fold all | pids 7 [8] 70"},
	{"fold all names the key that is bound",
	 "@family | :unbind * | :bind ^X fold all | :tree | :fold all | "
	 "said all branches folded; ^X unfolds them"},
	{"fold without a tree says how to get one",
	 "@family | :fold | said folding needs the tree view (t) | :fold all | pids [7] 70 8 | :tree | pids [7] 8 70"},
	{"fold refuses other words", "!fold some => usage: fold [all]"},
	{"the cursor stays on its task when the tree comes and goes",
	 "@family | :down | pids 7 [70] 8 | :tree | pids 7 8 [70] | :tree | pids 7 [70] 8"},
	{"kernel threads and exited tasks can be hidden",
	 "@kernel | @exit | :kernel-threads | pids [70] 8 | screen no kernel threads | :exited | pids [8] | "
	 "screen no exited | :kernel-threads | :exited | pids [7] 70 8"},
	{"rows can be chosen in a configuration",
	 "@starting | :tree | :fold all | :kernel-threads | :exited | @started | tree yes | folds all | kernel no | exited no"},
	{"an order by two columns holds until another order",
	 ":sort user,-pid | pids [70] 8 7 | :reverse | pids [70] 8 7 | :remove-column user | order pid | reversed yes | "
	 "then - | :sort user,pid | :sort-right | then -"},
	{"filters are stacked and taken off one by one",
	 ":filter nginx | :filter-add cpu% < 25 | pids [70] | screen filter: nginx · cpu% < 25 | :filter-add redis | pids  | "
	 "@read | :escape | pids [70] | :filter cpu% > 25 | pids [7] | screen filter: nginx · cpu% > 25 | :escape | "
	 "pids [7] 70 | :escape | pids [7] 70 8 | filter - | :filter-add redis | filter redis"},
	{"a refused filter leaves the stack as it was, and counts from its own text",
	 ":filter nginx | !filter-add bad > 1 => bad: unknown column | fault 11 | filter nginx"},
	{"the prompt of filter-add narrows while typing",
	 ":filter nginx | :ask filter-add | typed  | 'wor | pids [70] | key Esc | filter nginx | :ask filter-add | 'cpu% < | "
	 "pids [7] 70 | key Enter | prompt filter-add | ' 25 | key Enter | prompt - | filter nginx\ncpu% < 25 | pids [70] | "
	 ":ask filter | typed cpu% < 25 | key End | '0 | filter nginx\ncpu% < 250 | key Esc | filter nginx\ncpu% < 25"},
	{"the tree is the same on a frozen screen",
	 "@family | :freeze | @alone | :tree | pids [7] 8 70 | :fold all | pids [7] 8"},
	{"a frozen screen is sorted, filtered and opened, while the present has become another",
	 ":freeze | @alone | pids [7] 70 8 | :sort pid | pids [7] 8 70 | :filter nginx | pids [7] 70 | :filter-add worker | "
	 "pids [70] | :follow | screen following nginx-worker 70 | :task | open page | key q | :freeze | :filter | :filter | "
	 "pids [7]"},
};

static const struct story marks_stories[] = {
	{"without tags an action is meant for the row under the cursor",
	 "meant 7 | key Down | meant 70 | key 2 | meant "},
	{"Space tags and goes down",
	 "key Space | pids 7 [70] 8 | key Space | pids 7 70 [8] | meant 7 70 | screen tagged: 2 | key Up Space | meant 7 | "
	 "frozen no | key U | meant 8 | said no task is tagged"},
	{"tags are marked without colour", "@ascii | :tag | screen \n>     7  | screen \n     70 "},
	{"tags stay with their tasks when rows move, and go with them",
	 ":tag | :sort -pid | meant 7 | :tree | :threads | meant 7 | @reborn | tags 0"},
	{"tags that are not shown keep actions from the cursor",
	 ":tag | :filter redis | pids [8] | meant  | :view cpus | meant "},
	{"tag-children tags all that descend",
	 "@family | :down | :tag-children | meant 70 | :untag | :first | :tag-children | meant 7 70 8 | "
	 "said 3 tasks tagged; U takes all tags away | :untag | :filter nginx | :first | :tag-children | :filter | meant 7 70"},
	{"what is no task is not tagged",
	 ":view cpus | :tag | said this row is not a task | @read | :tag-children | said this row is not a task | @read | "
	 ":follow | said this row is not a task | tags 0"},
	{"tagged is a word of filters",
	 ":tag | :filter tagged | pids [7] | :filter !tagged && cpu% > 0 | pids [70] 8 | :filter \"tagged\" | pids  | "
	 ":filter tagged | :view cpus | screen left out: no tagged"},
	{"Space stops and goes on where time is stopped", "key Z Space | frozen no | tags 0"},
	{"Enter on the page of a task shows its functions, Esc goes back to both",
	 "key Down Enter | open page | key Enter | open - | view functions | screen of nginx-worker 70 | key Esc | view tasks | "
	 "open page | text 70 | key Backspace | open - | row 70"},
	{"functions of a row lead back to it",
	 ":functions | view functions | screen of nginx 7 | key Backspace | view tasks | open - | row 7"},
	{"functions of a task end with another view",
	 ":functions 8 | screen of redis 8 | :view functions | unseen of redis | key Esc | view functions"},
	{"functions of a task end with all tasks", ":functions 8 | key A | unseen of redis"},
	{"functions of no task are refused",
	 ":view cpus | !functions => no task selected | !functions 0 => 0: not a process id"},
	{"Space on the page of a task stops", ":task 7 | key Space | frozen yes"},
	{"tags are set and kept on a frozen screen",
	 "key Z Ins Ins | meant 7 70 | :sort pid | :filter nginx | meant 7 70 | key Space | :filter | meant 7 70"},
	{"the cursor stays on a task that sleeps, and what is meant is that task",
	 "key Down | @sleeper | pids 7 8 [70] | meant 70 | :sort -pid | pids [70] 8 7 | meant 70 | "
	 ":filter redis | pids [8] | :filter | pids [8] 7"},
	{"the cursor pins no row before it was moved",
	 ":sort -pid | pids [70] 8 7 | @sleeper | pids [8] 7"},
	{"a row is left out once the cursor has left it",
	 "key Down | @sleeper | pids 7 8 [70] | key Up | :sort pid | pids 7 [8]"},
	{"the cursor stays on a sleeper on a frozen screen", "key Down | @sleeper | key Z | :sort pid | pids 7 8 [70]"},
	{"a followed row is shown while it does not run",
	 "key Down F | @sleeper | pids 7 8 [70] | key F | said no longer following nginx-worker 70 | pids 7 8 [70]"},
	{"following ends with the task, though its number is used again",
	 "key F | @reborn | said nginx 7 is no longer shown; no longer following it | followed no"},
};

static const struct story orders_stories[] = {
	{"the menu begins at the sorted column and goes up and down",
	 "key F6 | open sort-menu | screen Sort by: | screen CPU % | screen Owner of the task. | key Up Up Up Enter | open - | "
	 "order pid | reversed no | pids [7] 8 70"},
	{"the menu is narrowed by letters",
	 "key . | 'fau | key Enter | order fault/s | reversed no | key F6 | 'zz | "
	 "screen no column of this view has that in its name | key Enter | open sort-menu | key Backspace Backspace | 'MISS | "
	 "key Enter | open - | order miss% | reversed no"},
	{"the menu turns round what is sorted already",
	 ":sort pid | key F6 Enter | open - | order pid | reversed yes | pids [70] 8 7"},
	{"the menu chooses a second column with Space",
	 ":sort +user | key F6 Home Space | open - | order user | reversed no | then pid | pids [7] 8 70 | key F6 | "
	 "screen Sort by: | key Esc | open - | order user"},
	{"the ends of the menu stay in the list", "key F6 End Down Enter | open - | order command"},
	{"the menu is not opened where the order is fixed",
	 "@history | :view switches | key F6 | open - | "
	 "said switches are in time order; stopped (Z) they sort by ran, off-cpu and sch-delay"},
	{"in a log that has no order yet a second column is the first one",
	 "@history | :view switches | key Z F6 | open sort-menu | key Space | open - | order when"},
	{"the dot steps on where time is stopped",
	 "key Z . | open - | key F6 | open sort-menu | key Home Enter | pids [7] 8 70"},
};

static const struct story searches_stories[] = {
	{"a search goes down, and the other way round",
	 ":search nginx | row 7 | :search-next | row 70 | :search-next | row 7 | :search-previous | row 70 | "
	 ":search-previous | row 7 | :search-next | row 70"},
	/* what more letters leave out may be found again before */
	{"while words are typed a search begins where the cursor was",
	 ":down | :ask search | 'r | row 70 | 'e | row 8 | key Backspace | row 70 | 'ed | key Enter | row 8"},
	{"a search that is left goes back", ":ask search | 'redis | row 8 | key Esc | row 7"},
	{"a search that is left goes back to a task that sleeps by now",
	 ":down | :ask search | 'redis | @sleeper | pids 7 [8] | key Esc | pids 7 8 [70]"},
};

static const struct story groups_stories[] = {
	{"by is of what is shown",
	 "key 4 b | group-by user | pairs other | screen by user | key 5 b | group-by user | pairs name"},
	{"Enter shows the members and Esc goes back",
	 ":view groups | rows 3 | key Enter | view tasks | filter command = \"nginx\" | rows 1 | row 7 | @read | "
	 ":escape | view groups | filter - | @read | :escape | view groups"},
	{"Esc does what the message about it says",
	 ":view groups | :task | said tasks of the group; Esc: back | :escape | view groups | said  | :task | @error | :escape | "
	 "view tasks"},
	{"Enter narrows a filter and Esc gives it back",
	 ":view groups | :filter cpu% > 15 | :task | filter cpu% > 15\ncommand = \"nginx\" | rows 1 | @read | :escape | "
	 "filter cpu% > 15 | :filter nginx | :task | filter nginx\ncommand = \"nginx\" | rows 1 | @read | :escape | "
	 "filter nginx | view groups"},
	{"another filter leaves the group",
	 ":view groups | :task | :filter redis | @read | :escape | view tasks | filter - | @read | :escape | view tasks"},
	{"group-by says and shows by what",
	 ":view groups | screen by command | :group-by cgroup | screen by cgroup | said a row for each cgroup"},
	{"group-by shows the groups, unless it is a setting",
	 ":group-by container | view groups | :view tasks | :in cpus group-by user | view tasks | @starting | "
	 ":group-by command | @started | view tasks | group-by command"},
};

static const struct story columns_stories[] = {
	{"added events come before the command",
	 ":event r1,r2 | columns  time r1 r2 command  | said 2 columns added to the view tasks | wrong no"},
	{"added events are of the view that is shown", ":view cpus | :event r1 | columns  r1  | :view tasks | hides r1"},
	{"events of the configuration are of all views",
	 "@starting | :event r1 | @started | columns r1 command  | :view cpus | columns  r1 "},
	{"what the machine refuses is said, and shown",
	 ":event test:refused | wrong yes | said test:refused: not counted: the test says so | columns test:refused command "},
	{"events come into a list of the view's own", ":columns pid,command | :event r1 | columns  pid r1 command "},
	{"a removed event takes its columns and its order",
	 ":event r1,r2 | :sort -r1 | :remove-event r1 | hides r1 | columns r2 command  | order - | said r1 is no longer counted"},
	{"a removed event comes again", ":event r1 | :remove-event r1 | :column r1 | columns r1 command "},
	{"a metric appears at once", ":metric double = 2 * cycles | columns double command  | says double"},
	{"a removed column leaves the others",
	 ":event r1 | :remove-column ghz | hides ghz | columns  pid user cpu% ipc  | columns r1 command  | :remove-column r1 | "
	 "hides r1"},
	{"a hidden or the last column is not removed",
	 "!remove-column ppid => ppid: not shown in this view | !remove-column moon => moon: not shown in this view | :columns pid | "
	 "!remove-column pid => pid: the last column of a view cannot be removed | columns  pid "},
	{"columns without an argument gives those of the view", ":event r1 | :columns | hides r1 | columns  pid user cpu% "},
	{"an order by what is hidden says so", ":sort ppid | says (column not shown)"},
	{"a removed column gives back the order",
	 ":event r1 | :sort +r1 | :remove-column user | order r1 | :remove-column r1 | order - | reversed no"},
	{"pairs are sorted by what they have",
	 ":view pairs | :sort times | order times | !sort cpu% => cpu%: the rows of the view pairs have none | order times | "
	 ":columns victim,taker | :sort lost | order lost | says (column not shown)"},
	/* typed where it cannot hold, and carried to where it can and where it cannot */
	{"a filter that does not fit the view says so",
	 ":filter kind = preempted | said kind: a filter of the view tasks cannot compare it; showing all rows | @read | "
	 ":view switches | said  | :view histogram | said  | :view tasks | "
	 "said kind: a filter of the view tasks cannot compare it; showing all rows | rows 3 | @read | :filter | :view cpus | said "},
	{"that is read where rows are not compared, too",
	 ":filter user = root | :mark | @read | :view pairs | said user: a filter of the view pairs cannot compare it; showing all rows"},
};
/* clang-format on */

UNIT_TEST(rows_are_as_their_stories_say)
{
	take_stories(rows_stories, COUNT_OF(rows_stories));
	take_stories(marks_stories, COUNT_OF(marks_stories));
	take_stories(orders_stories, COUNT_OF(orders_stories));
	take_stories(searches_stories, COUNT_OF(searches_stories));
	take_stories(groups_stories, COUNT_OF(groups_stories));
	take_stories(columns_stories, COUNT_OF(columns_stories));
}

/* The first column may be full. */
UNIT_TEST(tag_finds_room_behind_a_long_number)
{
	kit.app.screen.is_ascii = true;
	kit_task(7)->pid = 4194303;
	kit_build();
	run("tag");
	take_steps("screen \n4194303>");
}

UNIT_TEST(tags_rows_counts_more_than_there_is_room_for)
{
	const struct view_row *rows[1];

	run("tag");
	run("tag");
	assert_int_equal(tags_rows(&kit.app, rows, 1), 2);
	assert_int_equal(tags_rows(&kit.app, NULL, 0), 2);
}

UNIT_TEST(followed_row_keeps_its_line_of_the_screen)
{
	struct list *list = &kit.app.lists[kit.app.view];

	for (int i = 0; i < 12; i++)
		add_task(.pid = 100 + i, .run_ms = (uint64_t)(50 - i));
	kit.app.screen.height = 12;
	kit_build();
	run("sort pid");
	compose_frame_draw(&kit.app);
	take_steps("key End");
	compose_frame_draw(&kit.app);
	take_steps("key Up");
	take_steps("key F");
	take_steps("screen following task 110");
	const size_t line = list->cursor.at - list->cursor.top;
	run("sort cpu%");
	assert_int_equal(list->cursor.at - list->cursor.top, line);
	compose_frame_draw(&kit.app);
	assert_int_equal(list->cursor.at - list->cursor.top, line);
	assert_int_equal(app_row(&kit.app)->pid, 110);
	take_steps("key Up");
	assert_false(list->is_followed);
}

/* The bar of the cursor under it does not look out at its side. */
UNIT_TEST(menu_lines_hide_what_is_under_them)
{
	screen_resize(&kit.app.screen, 300, 20);
	take_steps("key F6");
	compose_frame_draw(&kit.app);
	for (int y = 18 - (int)view_table_column_count(kit.app.table); y < 18; y++)
		for (int x = 100; x < 300; x++)
			assert_false(kit.app.screen.cells[y * 300 + x].is_selected);
	/* nor a row at its foot, where there is no line for messages */
	screen_resize(&kit.app.screen, 20, 5);
	compose_frame_draw(&kit.app);
	for (int x = 0; x < 20; x++)
		assert_true(screen_is_blank(&kit.app.screen, x, 3));
}

static void tell(const char *name, size_t count)
{
	const uint64_t actor = told_actor(&kit.told, 7, 7, name);

	for (size_t i = 0; i < count; i++)
		switched(&kit.told, .prev = actor, .next = ACTOR_IDLE, .how = SWITCH_BLOCKED);
}

static uint64_t cursor_id(void)
{
	return app_row(&kit.app)->id;
}

/* "rare 1": so many switches of a task of that name; "line", "left", "next": what is under the
 * cursor, and what a search has not looked at. */
static bool take_log_step(const char *step)
{
	struct search *search = kit.app.parts[PART_search];
	char name[16];
	size_t number;

	if (sscanf(step, "line %zu", &number) == 1)
		assert_int_equal(cursor_id(), number);
	else if (sscanf(step, "left %zu", &number) == 1)
		assert_int_equal(search->left, number);
	else if (sscanf(step, "next %zu", &number) == 1)
		assert_int_equal(search->next_id, number);
	else if (sscanf(step, "@%15s %zu", name, &number) == 2)
		tell(name, number);
	else if (strcmp(step, "@log") == 0)
		kit_keep_history(64 * HISTORY_BLOCK);
	else
		return false;
	return true;
}

/* clang-format off */
static const struct story log_stories[] = {
	{"a search goes back from the newest line",
	 "@log | @rare 1 | @often 10 | @rare 1 | @often 10 | :view switches | :search rare | line 11 | :search-next | line 0 | "
	 ":search-next | line 11"},
	{"the previous one is newer",
	 "@log | @rare 1 | @often 10 | @rare 1 | @often 10 | :view switches | :search rare | :search-next | line 0 | "
	 ":search-previous | line 11"},
	{"a search that finds holds the cursor",
	 "@log | @rare 1 | @often 10 | :view switches | :search rare | @often 10 | :by | line 0"},
	{"of many rows it pauses and goes on",
	 "@log | @rare 1 | @often 100000 | :view switches | :search rare | "
	 "said \"rare\" is not in the last 50000 lines; n: search on, \\: filter all | :search-next | line 100000 | :search-next | "
	 "line 0"},
	{"for the same words it goes on, too",
	 "@log | @rare 1 | @often 50100 | :view switches | :search rare | left 101 | :search rare | line 0 | left 0"},
	{"for other words it begins anew",
	 "@log | @rare 1 | @often 50100 | :view switches | :search rare | :search rar | left 101"},
	{"after the cursor has moved it begins anew",
	 "@log | @rare 1 | @often 50100 | @end 50 | :view switches | :search rare | left 151 | key Up Up Up Up Up Up Up Up Up Up | "
	 ":search-next | left 151 | next 139"},
	{"without a match it says so",
	 "@log | @often 10 | :view switches | :search rare | said no match for \"rare\" | left 0"},
	{"in an empty log, too",
	 "@log | :view switches | :search rare | said no match for \"rare\" | @read | :search-next | said no match for \"rare\""},
};
/* clang-format on */

UNIT_TEST(searches_of_a_log_are_as_their_stories_say)
{
	more_steps = take_log_step;
	take_stories(log_stories, COUNT_OF(log_stories));
	more_steps = NULL;
}

UNIT_TEST(enter_on_no_group_is_refused)
{
	struct error error = {0};

	run("view groups");
	run("filter nobody");
	assert_false(command_run(&kit.app, "task", &error));
	assert_int_equal(error.code, ERROR_GROUP_NONE);
	run("task 7"); /* a page all the same */
	take_steps("open page");
}

UNIT_TEST(rows_need_cgroups_while_they_are_shown)
{
	run("view groups");
	run("group-by container");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_LIMITS);
	run("columns ipc,group");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_CGROUPS);
	run("view tasks");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), 0);
	run("column cgroup");
	kit_build();
	assert_int_equal(view_table_needs(kit.app.table), COLUMN_NEEDS_CGROUPS);
}

/* Of preempted waits, where there is no PMU: in the first interval as in all others. */
UNIT_TEST(first_needs_are_those_of_what_is_shown)
{
	kit.source.session.has_pmu = false;
	assert_int_equal(app_first_needs(&kit.app), COLUMN_NEEDS_LIMITS);
	run("columns pid");
	assert_int_equal(app_first_needs(&kit.app), 0);
	run("view pairs");
	run("columns victim");
	assert_int_equal(app_first_needs(&kit.app), COLUMN_NEEDS_LIMITS | COLUMN_NEEDS_WAKEUPS);
	run("view tasks");
	run("filter container = x || ipc < 1");
	assert_int_equal(app_first_needs(&kit.app), COLUMN_NEEDS_CGROUPS);
	run("filter container");
	assert_int_equal(app_first_needs(&kit.app), 0);
	run("view groups");
	run("columns group");
	run("group-by user");
	assert_int_equal(app_first_needs(&kit.app), 0);
	run("group-by cgroup");
	assert_int_equal(app_first_needs(&kit.app), COLUMN_NEEDS_CGROUPS);
	run("view tasks");
	run("column cgroup");
	assert_int_equal(app_first_needs(&kit.app), COLUMN_NEEDS_CGROUPS);
	run("column wake-p99");
	assert_int_equal(app_first_needs(&kit.app), COLUMN_NEEDS_CGROUPS | COLUMN_NEEDS_WAKEUPS);
}

UNIT_TEST(shown_add_events_wrong_changes_nothing_but_the_table_is_built)
{
	struct error error = {0};

	assert_false(view_columns_add_events(&kit.app, "r1,bad", &error));
	assert_int_equal(kit.app.fault, 3);
	/* the interval may have ended: rows of before are gone */
	assert_true(kit.app.needs_build);
	take_steps("hides r1");
}

UNIT_TEST(shown_remove_event_unknown_is_refused)
{
	struct error error = {0};

	assert_false(view_columns_remove_event(&kit.app, "r9", &error));
	assert_int_equal(error.code, ERROR_EVENT_NOT_WISHED);
}

UNIT_TEST(shown_add_metric_wrong_has_its_place)
{
	struct error error = {0};

	assert_false(view_columns_add_metric(&kit.app, "double = 2 * (cycles", &error));
	assert_true(kit.app.fault <= strlen("double = 2 * (cycles"));
	take_steps("hides double");
}

/* A frozen screen has its own layout and its own metrics, new ones too. */
UNIT_TEST(shown_add_metric_while_frozen_has_its_value)
{
	struct cell cell;

	playback_freeze(kit.app.playback, true);
	kit_build();
	assert_true(view_columns_add_events(&kit.app, "r1", NULL));
	assert_true(view_columns_add_metric(&kit.app, "double = 2 * cycles", NULL));
	assert_true(view_columns_set(&kit.app, "double,r1", NULL));
	kit_build();
	view_table_cell(kit.app.table, 0, 0, &cell);
	assert_string_equal(cell.text, "600M");
	view_table_cell(kit.app.table, 0, 1, &cell);
	assert_true(cell.is_unknown);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
