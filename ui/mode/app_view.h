#ifndef PERFTOP_APP_VIEW_H
#define PERFTOP_APP_VIEW_H

/*
 * Which columns the views of the screen show, and what is counted for them: adding and taking out
 * while everything else goes on.
 *
 * Where a text is refused, app->fault is the byte offset of the fault in it (session/resolve.h),
 * and nothing has changed. Before the screen runs (configuration) what is added goes to all views,
 * later to the one that is shown.
 */

/* Which view is shown, and in which order its rows are. */

#include <stdbool.h>
#include <stddef.h>

struct app;
struct app_view;
struct column_list;
struct error;
struct sort_order;

/* Fills an empty list with the columns of a view as it shows them. */
void view_columns_list(const struct app *app, const struct app_view *view,
		       struct column_list *list);

/* Counts the events of a list and shows their columns. */
bool view_columns_add_events(struct app *app, const char *list, struct error *error);

/* An event that is no longer to be counted; its columns go. */
bool view_columns_remove_event(struct app *app, const char *name, struct error *error);

/* Defines a metric and shows it. */
bool view_columns_add_metric(struct app *app, const char *definition, struct error *error);

/* Defines it without a column. */
bool view_columns_define_metric(struct app *app, const char *definition, struct error *error);

bool view_columns_add(struct app *app, const char *list, struct error *error);

/* The column at this place of a view changes places with its neighbour. False: it has none there.
 */
bool view_columns_move(struct app *app, struct app_view *view, size_t index, bool is_down);

bool view_columns_remove(struct app *app, const char *name, struct error *error);

/* The columns of the current view; "": those it came with. */
bool view_columns_set(struct app *app, const char *list, struct error *error);

/* From now on this view is shown. */
void view_order_show_view(struct app *app, size_t index);

/* The next one (1), or the one before (-1). */
void view_order_next_view(struct app *app, int by);

void view_order_set(struct app_view *view, const struct sort_order *order);

/* Whether the log on the screen is in another order than that of time. */
bool view_order_sorts_log(const struct app *app);

/* Back to the order of time: the cursor stays on its switch, between those around it. */
void view_order_leave(struct app *app);

bool view_order_sort(struct app *app, const char *text, struct error *error);

/* If the rows of the view have one order, says so. A stopped log has more. */
bool view_order_is_fixed(struct app *app);

/* By the next column to one side or the other (by: 1 or -1) that rows can be sorted by. */
void view_order_step(struct app *app, int by);

void view_order_reverse(struct app *app);

#endif
