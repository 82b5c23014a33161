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
struct strbuf;
struct view_state;
struct column;
struct column_list;
struct view_info;

/* The column of trends that a view comes with on the screen; NULL: none. */
const struct column *view_columns_trend(const struct app *app, const struct view_info *info);

/* It joins the others of each view. */
void view_columns_add_trends(struct app *app);

/* Fills an empty list with the columns of a view as it shows them. */
void view_columns_list(const struct app *app, const struct view_state *view,
		       struct column_list *list);

/* The column at this place of a view changes places with its neighbour. False: it has none there.
 */
bool view_columns_move(struct app *app, struct view_state *view, size_t index, bool is_down);

/* From now on this view is shown; what was chosen in the one before goes back to what it was when
 * that was entered: of functions the samples and the form, of pairs the form. */
void view_order_show_view(struct app *app, size_t index);

/* The settings are those with which the view that is shown was entered. */
void view_order_enter(struct app *app);

/* In which mode the view is: "off-CPU, callees"; nothing where it is as at first. */
void view_order_write_mode(const struct app *app, struct strbuf *out);

/* Whether the log on the screen is in another order than that of time. */
bool view_order_sorts_log(const struct app *app);

/* Back to the order of time: the cursor stays on its switch, between those around it. */
void view_order_leave(struct app *app);

/* If the rows of the view have one order, says so. A stopped log has more. */
bool view_order_is_fixed(struct app *app);

#endif
