#ifndef PERFTOP_VIEW_ORDER_H
#define PERFTOP_VIEW_ORDER_H

/* Which view is shown, and in which order its rows are. */

#include <stdbool.h>
#include <stddef.h>

struct app;
struct app_view;
struct error;
struct sort_order;

/* From now on this view is shown. */
void view_order_show_view(struct app *app, size_t index);

void view_order_set(struct app_view *view, const struct sort_order *order);

/* Whether the log on the screen is in another order than that of time. */
bool view_order_sorts_log(const struct app *app);

/* Back to the order of time: the cursor stays on its switch, between those around it. */
void view_order_leave(struct app *app);

bool view_order_sort(struct app *app, const char *text, struct error *error);

#endif
