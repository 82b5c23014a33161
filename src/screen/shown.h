#ifndef PERFTOP_SHOWN_H
#define PERFTOP_SHOWN_H

/*
 * Which columns the views of the screen show, and what is counted for them: adding and taking out
 * while everything else goes on.
 *
 * Where a text is refused, app->fault is the byte offset of the fault in it (session/resolve.h),
 * and nothing has changed. Before the screen runs (configuration) what is added goes to all views,
 * later to the one that is shown.
 */

#include <stdbool.h>
#include <stddef.h>

struct app;
struct app_view;
struct column_list;
struct error;
struct sort_order;

/* Fills an empty list with the columns of a view as it shows them. */
void shown_list(const struct app *app, const struct app_view *view, struct column_list *list);

/* Counts the events of a list and shows their columns. */
bool shown_add_events(struct app *app, const char *list, struct error *error);

/* An event that is no longer to be counted; its columns go. */
bool shown_remove_event(struct app *app, const char *name, struct error *error);

/* Defines a metric and shows it. */
bool shown_add_metric(struct app *app, const char *definition, struct error *error);

/* Defines it without a column. */
bool shown_define_metric(struct app *app, const char *definition, struct error *error);

bool shown_add_columns(struct app *app, const char *list, struct error *error);
/* The column at this place of a view changes places with its neighbour. False: it has none there.
 */
bool shown_move_column(struct app *app, struct app_view *view, size_t index, bool is_down);

bool shown_remove_column(struct app *app, const char *name, struct error *error);

/* The columns of the current view; "": those it came with. */
bool shown_set_columns(struct app *app, const char *list, struct error *error);

/* Which rows are shown: filter.h; "": all. */
bool shown_filter(struct app *app, const char *text, struct error *error);

/* One that is still being typed, or held before: nothing is said about it, nor counted for it. */
void shown_try_filter(struct app *app, const char *text);

/* Says it if the filter compares what the rows of the current view do not have, where it is left
 * out. */
void shown_tell_unsupported(struct app *app);

/* From now on this view is shown. */
void shown_show_view(struct app *app, size_t index);

void shown_set_order(struct app_view *view, const struct sort_order *order);

/* Whether the log on the screen is in another order than that of time. */
bool shown_sorts_log(const struct app *app);

/* Back to the order of time: the cursor stays on its switch, between those around it. */
void shown_leave_order(struct app *app);

bool shown_sort(struct app *app, const char *text, struct error *error);

#endif
