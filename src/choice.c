#include "choice.h"

#include <stddef.h>

#include "base/error.h"
#include "options.h"
#include "view/column.h"
#include "view/filter.h"
#include "view/groups.h"
#include "view/table.h"

static bool add_metrics(struct choice *choice, struct chooser *chooser,
			const struct options *options, struct error *error)
{
	for (size_t i = 0; i < options->metric_count; i++) {
		const char *definition = options->metric_definitions[i];
		const struct column *column = NULL;
		size_t position;

		if (!choose_metric(chooser, definition, &column, &position, error)) {
			choose_mark(error, definition, position);
			return false;
		}
		column_list_insert(&choice->extras, column);
	}
	return true;
}

static bool add_events(struct choice *choice, struct chooser *chooser,
		       const struct options *options, struct error *error)
{
	for (size_t i = 0; i < options->event_list_count; i++) {
		const char *list = options->event_lists[i];
		size_t position;

		if (!choose_events(chooser, list, &choice->extras, &position, error)) {
			choose_mark(error, list, position);
			return false;
		}
	}
	return true;
}

static bool take_columns(struct choice *choice, struct chooser *chooser, const char *list,
			 struct error *error)
{
	size_t position;

	if (!list || choose_columns(chooser, list, &choice->columns, &position, error))
		return true;
	choose_mark(error, list, position);
	return false;
}

/* On the screen there are other views, too, in which it holds. */
static bool take_filter(struct chooser *chooser, const struct options *options, struct error *error)
{
	const char *text = options->filter;
	size_t position;

	if (!text)
		return true;
	if (choose_filter(chooser, text, &position, error))
		return !options->batch || choose_fits_view(chooser, text, options->view, error);
	choose_mark(error, text, position);
	return false;
}

static bool has_column(const struct column *column, const struct view_info *view,
		       struct error *error)
{
	return column_is_of(column, view->kind) ||
	       error_set(error, ERROR_SORT_VIEW, column->name, view->name);
}

/* By what the rows have; those in an order of their own have that of the view's column already. */
static bool check_order(const struct choice *choice, const struct chooser *chooser,
			const struct view_info *view, struct error *error)
{
	const struct chosen_order *order = &choice->order;

	if (!order->sort)
		return true;
	if (!view->fixed_order)
		return has_column(order->sort, view, error) &&
		       (!order->then || has_column(order->then, view, error));
	if (order->sort == columns_find(chooser->columns, view->sort) && !order->sort_reversed)
		return true;
	return error_set(error, ERROR_SORT_FIXED, order->sort->name, view->fixed_order);
}

static bool take_sort(struct choice *choice, struct chooser *chooser, const struct options *options,
		      struct error *error)
{
	const char *text = options->sort_text;
	size_t position;

	if (!text)
		return true;
	if (choose_order(chooser, text, &choice->order, &position, error))
		return check_order(choice, chooser, options->view, error);
	choose_mark(error, text, position);
	return false;
}

bool choice_make(struct choice *choice, struct chooser *chooser, const struct options *options,
		 struct error *error)
{
	return add_metrics(choice, chooser, options, error) &&
	       add_events(choice, chooser, options, error) &&
	       take_columns(choice, chooser, options->column_list, error) &&
	       take_sort(choice, chooser, options, error) && take_filter(chooser, options, error);
}

static unsigned int list_needs(const struct column_list *list)
{
	unsigned int needs = 0;

	for (size_t i = 0; i < list->count; i++)
		needs |= list->columns[i]->needs;
	return needs;
}

static unsigned int text_needs(const char *filter_text, struct columns *columns)
{
	struct filter *filter;
	unsigned int needs = 0;
	size_t position;

	if (!filter_text || !filter_is_expression(filter_text))
		return 0;
	filter = filter_create(filter_text, columns, &position, &(struct error){0});
	if (filter)
		needs = filter_needs(filter);
	filter_destroy(filter);
	return needs;
}

unsigned int choice_needs(const struct choice *choice, struct columns *columns,
			  const struct options *options)
{
	const struct chosen_order *order = &choice->order;

	return list_needs(&choice->columns) | list_needs(&choice->extras) |
	       (order->sort ? order->sort->needs : 0) | (order->then ? order->then->needs : 0) |
	       (options->grouping ? columns_find(columns, options->grouping->column)->needs : 0) |
	       text_needs(options->filter, columns);
}

void choice_fini(struct choice *choice)
{
	column_list_fini(&choice->columns);
	column_list_fini(&choice->extras);
	*choice = (struct choice){0};
}
