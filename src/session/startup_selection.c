#include "session/startup_selection.h"

#include <stddef.h>

#include "base/error.h"
#include "view/column.h"
#include "view/filter.h"
#include "view/groups.h"
#include "view/table.h"

#include "session/options.h"

bool startup_selection_add_metric(struct startup_selection *selection, struct resolver *resolver,
				  const char *definition, struct error *error)
{
	const struct column *column;
	size_t position;

	if (!resolve_metric(resolver, definition, &column, &position, error)) {
		resolve_mark(error, definition, position);
		return false;
	}
	if (selection)
		column_list_insert(&selection->extras, column);
	return true;
}

bool startup_selection_add_events(struct startup_selection *selection, struct resolver *resolver,
				  const char *list, struct error *error)
{
	struct column_list added = {0};
	size_t position;
	const bool good = resolve_events(resolver, list, &added, &position, error);

	for (size_t i = 0; i < added.count; i++)
		column_list_insert(&selection->extras, added.columns[i]);
	column_list_fini(&added);
	if (!good)
		resolve_mark(error, list, position);
	return good;
}

/* Of -m and -e. */
static bool take_extras(struct startup_selection *selection, struct resolver *resolver,
			const struct options *options, struct error *error)
{
	for (size_t i = 0; i < options->metric_count; i++)
		if (!startup_selection_add_metric(selection, resolver,
						  options->metric_definitions[i], error))
			return false;
	for (size_t i = 0; i < options->event_list_count; i++)
		if (!startup_selection_add_events(selection, resolver, options->event_lists[i],
						  error))
			return false;
	return true;
}

static bool take_columns(struct startup_selection *selection, struct resolver *resolver,
			 const char *list, struct error *error)
{
	size_t position;

	if (!list || resolve_columns(resolver, list, &selection->columns, &position, error))
		return true;
	resolve_mark(error, list, position);
	return false;
}

/* On the screen there are other views, too, in which it holds. */
static bool take_filter(struct resolver *resolver, const struct options *options,
			struct error *error)
{
	const char *text = options->filter;
	size_t position;

	if (!text)
		return true;
	if (resolve_filter(resolver, text, &position, error))
		return !options->batch || resolve_fits_view(resolver, text, options->view, error);
	resolve_mark(error, text, position);
	return false;
}

static bool has_column(const struct column *column, const struct view_info *view,
		       struct error *error)
{
	return column_is_of(column, view->kind) ||
	       error_set(error, ERROR_SORT_VIEW, column->name, view->name);
}

/* By what the rows have; those in an order of their own have that of the view's column already. */
static bool check_order(const struct startup_selection *selection, const struct resolver *resolver,
			const struct view_info *view, struct error *error)
{
	const struct sort_order *order = &selection->order;

	if (!order->sort)
		return true;
	if (!view->fixed_order)
		return has_column(order->sort, view, error) &&
		       (!order->then || has_column(order->then, view, error));
	if (order->sort == columns_find(resolver->columns, view->sort) && !order->sort_reversed)
		return true;
	return error_set(error, ERROR_SORT_FIXED, order->sort->name, view->fixed_order);
}

static bool take_sort(struct startup_selection *selection, struct resolver *resolver,
		      const struct options *options, struct error *error)
{
	const char *text = options->sort_text;
	size_t position;

	if (!text)
		return true;
	if (resolve_order(resolver, text, &selection->order, &position, error))
		return check_order(selection, resolver, options->view, error);
	resolve_mark(error, text, position);
	return false;
}

bool startup_selection_make(struct startup_selection *selection, struct resolver *resolver,
			    const struct options *options, struct error *error)
{
	return take_extras(selection, resolver, options, error) &&
	       take_columns(selection, resolver, options->column_list, error) &&
	       take_sort(selection, resolver, options, error) &&
	       take_filter(resolver, options, error);
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

unsigned int startup_selection_needs(const struct startup_selection *selection,
				     struct columns *columns, const struct options *options)
{
	const struct sort_order *order = &selection->order;

	return list_needs(&selection->columns) | list_needs(&selection->extras) |
	       (order->sort ? order->sort->needs : 0) | (order->then ? order->then->needs : 0) |
	       (options->grouping ? columns_find(columns, options->grouping->column)->needs : 0) |
	       text_needs(options->filter, columns);
}

void startup_selection_fini(struct startup_selection *selection)
{
	column_list_fini(&selection->columns);
	column_list_fini(&selection->extras);
	*selection = (struct startup_selection){0};
}
