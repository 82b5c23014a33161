/* The commands there are, sorted by name. */
#include "command/commands.h"

#include <stddef.h>

#include "command/commands_run.h"
#include "mode/app.h"

#define ON(member_)  .switches = COMMAND_SWITCH, .member = offsetof(struct app, member_)
#define OFF(member_) .switches = COMMAND_SWITCH_INVERSE, .member = offsetof(struct app, member_)

/* clang-format off */
static const struct command_info commands[] = {
	{"affinity",      "CPUS",        "CPUs that the task may run on: 0-3,8; all", .run = run_affinity},
	{"all",           "",            "all tasks again after attach", .run = run_all},
	{"ask",           "PROMPT",       "type a command, or what follows attach, delay, filter...", .run = run_ask},
	{"attach",        "[PID|NAME]",  "show only this process; default: the selected row", .run = run_attach},
	{"bind",          "KEY COMMAND", "run this command when the key is pressed", .run = run_bind, .is_setting = true, .write = write_bind, .keyed = SETTINGS_BY_KEY},
	{"by",            "[task|name|cpu]", "pairs of tasks, of names, of tasks on a CPU; of groups as group-by; default: the next", .run = run_by, .is_setting = true, .write = write_by},
	{"colour",        "[task|ipc]",  "what the cells of the time line show; default: the other", .run = run_colour, .is_setting = true, .write = write_colour},
	{"column",        "COLUMN,...",       "add columns: names of columns, metrics, events", .run = run_column, .is_setting = true, .kind = SETTINGS_ADDS},
	{"columns",       "[COLUMN,...]",     "the columns of this view; default: the built-in ones", .run = run_columns, .is_setting = true, .kind = SETTINGS_OF_VIEW},
	{"command-lines", "[on|off]",    "command lines, or names of tasks; at first by the width", .run = run_command_lines, .is_setting = true, .write = write_command_lines},
	{"cpu-strips",    "[busy|ipc|miss|off]", "what the CPU bars show; default: the next", .run = run_cpu_strips, .is_setting = true, .write = write_cpu_strips},
	{"define",        "DEFINITION",  "NAME = FORMULA: a metric, without a column of it", .run = run_define, .is_setting = true, .kind = SETTINGS_METRIC},
	{"delay",         "SECONDS",     "length of an interval", .run = run_delay, .is_setting = true, .write = write_delay},
	{"dot",           "",            "next interval in a replay or when frozen; else sort-menu", .run = run_dot},
	{"down",          "",            "to the next row", .run = run_down},
	{"escape",        "",            "clear the message, then the last filter, then an attachment; leave a group", .run = run_escape},
	{"event",         "EVENT,...",       "count these events too, a column for each", .run = run_event, .is_setting = true, .kind = SETTINGS_ADDS},
	{"events",        "",            "search, add and remove events", .run = run_events},
	{"exited",        "[on|off]",    "show or hide exited tasks", .is_setting = true, OFF(no_exited), .said = {"hiding exited tasks", "showing exited tasks"}},
	{"filter",        "[EXPR]",      "only rows with this text, or ipc < 0.5 && user = www; replaces the last filter", .run = run_filter, .is_setting = true},
	{"filter-add",    "EXPR",        "filter the rows that are shown further", .run = run_filter_add, .is_setting = true},
	{"first",         "",            "to the first row", .run = run_first},
	{"fold",          "[all]",       "in a tree: fold the selected branch; all: every branch", .run = run_fold, .is_setting = true},
	{"follow",        "",            "follow the selected task until the cursor moves", .run = run_follow},
	{"freeze",        "",            "freeze the screen, not the counting; again: resume", .run = run_freeze},
	{"group-by",      "[command|user|cgroup|container|parent|session|type]",      "groups of: command, user, cgroup, container, parent, session, type; default: the next", .run = run_group_by, .is_setting = true, .write = write_group_by},
	{"hand-over",     "[PROGRAM]",   "perf record of the selected task; or any command", .run = run_hand_over},
	{"help",          "[WORD]",      "this page; or what a column, metric, event, command... is", .run = run_help},
	{"idle",          "[on|off]",    "show or hide idle tasks", .run = run_idle, .is_setting = true, ON(idle_tasks), .said = {"hiding idle tasks", "showing idle tasks"}},
	{"in",            "VIEW COMMAND", "run a setting's command in this view, not the current one", .run = run_in, .is_setting = true, .takes_command = true},
	{"jump",          "TIME",        "to a time: 1:30, -10s, +1m, 12:03:44, 50%", .run = run_jump},
	{"kernel-threads", "[on|off]",    "show or hide kernel threads", .is_setting = true, OFF(no_kernel_threads), .said = {"hiding kernel threads", "showing kernel threads"}},
	{"key-profile",   "htop|top|vim", "use the keys of htop, top or vim (own bindings stay)", .run = run_key_profile, .is_setting = true, .write = write_key_profile},
	{"last",          "",            "to the last row", .run = run_last},
	{"left",          "",            "previous interval in a replay or when frozen; else scroll left", .run = run_left},
	{"machine-line",  "[on|off]",    "load, memory, swap and uptime over the table, as in top", .is_setting = true, ON(has_machine_line)},
	{"metric",        "DEFINITION",  "NAME = FORMULA: a computed column", .run = run_metric, .is_setting = true, .kind = SETTINGS_METRIC},
	{"mouse",         "[on|off]",    "use the mouse, or leave it to the terminal", .run = run_mouse, .is_setting = true, OFF(mouse_is_off)},
	{"next-view",     "",            "to the next view", .run = run_next_view},
	{"nice",          "+1|-1|N",     "lower or raise its priority, or set the nice value (=-5)", .run = run_nice},
	{"page-down",     "",            "a page down", .run = run_page_down},
	{"page-up",       "",            "a page up", .run = run_page_up},
	{"previous-view", "",            "to the previous view", .run = run_previous_view},
	{"quit",          "",            "leave", .run = run_quit},
	{"record",        "[FILE]",      "record to this file; without one: end recording", .run = run_record},
	{"redraw",        "",            "redraw the screen", .run = run_redraw},
	{"remove-column", "COLUMN",       "remove a column (keeps counting its events)", .run = run_remove_column, .is_setting = true, .kind = SETTINGS_OF_VIEW, .of = "columns"},
	{"remove-event",  "COUNTED",       "stop counting this event", .run = run_remove_event, .is_setting = true},
	{"reverse",       "",            "reverse the order", .run = run_reverse, .is_setting = true, .kind = SETTINGS_OF_VIEW, .of = "sort"},
	{"right",         "",            "next interval in a replay or when frozen; else scroll right", .run = run_right},
	{"save",          "",            "write the settings into the configuration file", .run = run_save},
	{"scroll-left",   "",            "scroll left", .run = run_scroll_left},
	{"scroll-right",  "",            "scroll right", .run = run_scroll_right},
	{"search",        "[TEXT]",      "to the next row in which the text occurs", .run = run_search},
	{"search-next",   "",            "to the next match", .run = run_search_next},
	{"search-previous", "",          "to the previous match", .run = run_search_previous},
	{"setup",         "",            "choose columns and settings, and save them", .run = run_setup},
	{"signal",        "[SIGNAL]",      "send a signal, after confirmation; default: choose from a list", .run = run_signal},
	{"sort",          "[-|+]COLUMN,...", "sort the rows; - descending, + ascending; A,B: ties by B", .run = run_sort, .is_setting = true, .kind = SETTINGS_OF_VIEW},
	{"sort-left",     "",            "sort by the column to the left", .run = run_sort_left},
	{"sort-menu",     "",            "choose the sort column", .run = run_sort_menu},
	{"sort-right",    "",            "sort by the column to the right", .run = run_sort_right},
	{"space",         "",            "pause or resume a replay or a frozen screen; else tag the row", .run = run_space},
	{"speed",         "[2x|0.5x|max|faster|slower]",    "of a replay: 2x, 0.5x, max, faster, slower; default: the next", .run = run_speed},
	{"step-back",     "",            "previous interval; freezes", .run = run_step_back},
	{"step-on",       "",            "next interval", .run = run_step_on},
	{"tag",           "",            "tag or untag the row and go to the next", .run = run_tag},
	{"tag-children",  "",            "tag the row and its descendants", .run = run_tag_children},
	{"task",          "[PID]",       "the page about this task; default: the selected row, or the members of the group", .run = run_task},
	{"theme",         "[default|dark|light|mono|high-contrast]",      "colours: default, dark, light, mono, high-contrast; default: the next", .run = run_theme, .is_setting = true, .write = write_theme},
	{"threads",       "[on|off]",    "a row for each thread or for each process", .is_setting = true, ON(threads), .said = {"showing processes", "showing threads"}},
	{"tree",          "[on|off]",    "tree view or flat list", .run = run_tree, .is_setting = true, ON(tree)},
	{"unbind",        "KEY",         "unbind a key", .run = run_unbind, .is_setting = true, .kind = SETTINGS_ONE, .of = "bind", .keyed = SETTINGS_BY_KEY},
	{"untag",         "",            "untag all rows", .run = run_untag},
	{"up",            "",            "to the previous row", .run = run_up},
	{"user",          "[USER]",      "only tasks of this user; default: all users", .run = run_user, .is_setting = true},
	{"view",          "VIEW",        "to this view", .run = run_view, .is_setting = true},
	{"width",         "COLUMN [N]",  "width of the column; default: the built-in one", .run = run_width, .is_setting = true, .write = write_width, .keyed = SETTINGS_BY_FIRST},
	{"window",        "[interval|10s|1m|all]",     "pairs and histogram of: interval, 10s, all; default: next", .run = run_window, .is_setting = true, .write = write_window},
	{"zoom-in",       "",            "zoom in on the timeline", .run = run_zoom_in, .is_setting = true},
	{"zoom-out",      "",            "zoom out of the timeline", .run = run_zoom_out, .is_setting = true},
};
/* clang-format on */

#undef ON
#undef OFF

const struct command_table command_table = {
	.rows = commands,
	.count = sizeof(commands) / sizeof(*commands),
};
