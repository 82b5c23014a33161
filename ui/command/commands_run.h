#ifndef PERFTOP_COMMANDS_RUN_H
#define PERFTOP_COMMANDS_RUN_H

/* What each command does, for the table in commands.c; `argument` is what follows its name. */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

typedef bool command_run_fn(struct app *app, const char *argument, struct error *error);
typedef void command_write_fn(const struct app *app, struct strbuf *out);

/* commands_move.c */
command_run_fn run_search;
command_run_fn run_search_next;
command_run_fn run_search_previous;
command_run_fn run_freeze;
command_run_fn run_up;
command_run_fn run_down;
command_run_fn run_page_up;
command_run_fn run_page_down;
command_run_fn run_first;
command_run_fn run_last;
command_run_fn run_scroll_left;
command_run_fn run_scroll_right;
command_run_fn run_left;
command_run_fn run_right;
command_run_fn run_dot;
command_run_fn run_step_back;
command_run_fn run_step_on;
command_run_fn run_jump;
command_run_fn run_speed;
command_run_fn run_zoom_in;
command_run_fn run_zoom_out;

/* commands_act.c */
command_run_fn run_signal;
command_run_fn run_nice;
command_run_fn run_affinity;
command_run_fn run_mouse;

/* commands_rows.c */
command_run_fn run_attach;
command_run_fn run_all;
command_run_fn run_sort;
command_run_fn run_sort_menu;
command_run_fn run_sort_left;
command_run_fn run_sort_right;
command_run_fn run_reverse;
command_run_fn run_filter;
command_run_fn run_filter_add;
command_run_fn run_idle;
command_run_fn run_command_lines;
command_write_fn write_command_lines;
command_run_fn run_user;

/* commands_tags.c */
command_run_fn run_tag;
command_run_fn run_tag_children;
command_run_fn run_untag;
command_run_fn run_space;
command_run_fn run_follow;

/* commands_tree.c */
command_run_fn run_tree;
command_run_fn run_fold;

/* commands_show.c */
command_run_fn run_quit;
command_run_fn run_help;
command_run_fn run_delay;
command_write_fn write_delay;
command_run_fn run_view;
command_run_fn run_next_view;
command_run_fn run_previous_view;
command_run_fn run_columns;
command_run_fn run_column;
command_run_fn run_remove_column;
command_run_fn run_event;
command_run_fn run_remove_event;
command_run_fn run_metric;
command_run_fn run_events;
command_run_fn run_record;
command_run_fn run_hand_over;
command_run_fn run_task;
command_run_fn run_window;
command_write_fn write_window;
command_run_fn run_by;
command_write_fn write_by;
command_run_fn run_group_by;
command_write_fn write_group_by;
command_run_fn run_colour;
command_write_fn write_colour;
command_run_fn run_escape;
command_run_fn run_redraw;
command_run_fn run_ask;

/* commands_look.c */
command_run_fn run_theme;
command_write_fn write_theme;
command_run_fn run_cpu_strips;
command_write_fn write_cpu_strips;

/* commands_settings.c */
command_run_fn run_bind;
command_run_fn run_unbind;
command_write_fn write_bind;
command_run_fn run_key_profile;
command_write_fn write_key_profile;
command_run_fn run_in;
command_run_fn run_width;
command_write_fn write_width;
command_run_fn run_define;
command_run_fn run_save;
command_run_fn run_setup;

#endif
