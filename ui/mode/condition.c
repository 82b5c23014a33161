#include "mode/condition.h"

#include <string.h>

#include "base/strbuf.h"
#include "model/snapshot.h"
#include "view/filter.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "session/engine.h"
#include "session/resolve.h"
#include "session/unknown.h"

/* The rows that are asked for and pass this filter, too, with columns of what it compares. Of
 * states those that sleep all the time have the most. *filter is for the caller to release. */
static struct view_request request_of_condition(const struct condition *condition,
						const struct view_request *asked,
						struct strbuf *filter)
{
	struct view_request request = *asked;

	strbuf_printf(filter, "%s\n%s", request.filter, condition->text);
	request.filter = strbuf_text(filter);
	request.most_rows = 0;
	request.mark = (struct view_mark){0}; /* what is there, not what was */
	request.state.columns = (struct column_list){0};
	request.state.set = NULL;
	request.state.extras = condition->compared;
	request.settings.idle |= condition->is_of_states;
	return request;
}

unsigned int condition_needs(const struct condition *condition, const struct app *app,
			     const struct view_request *request)
{
	struct strbuf filter = {0};
	struct view_request all;
	unsigned int needs;

	if (!condition->text)
		return 0;
	all = request_of_condition(condition, request, &filter);
	needs = app_needs_of(app, &all);
	strbuf_fini(&filter);
	return needs;
}

bool condition_look(struct condition *condition, const struct app *app, struct view_table *table,
		    const struct view_request *request)
{
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	struct column_list *doubtful = &condition->doubtful;
	struct strbuf filter = {0};
	struct view_request all;

	if (!condition->text || !snapshot)
		return false;
	for (size_t i = doubtful->count; i > 0; i--)
		if (!column_is_unknown(app->engine, doubtful->columns[i - 1], snapshot, NULL))
			column_list_remove(doubtful, doubtful->columns[i - 1]);
	all = request_of_condition(condition, request, &filter);
	view_table_build(table, &all, snapshot, engine_session(app->engine),
			 engine_metrics(app->engine));
	strbuf_fini(&filter);
	return view_table_row_count(table) > 0;
}

static bool is_known_to_any(struct app *app, const struct column *column, bool has_counted,
			    struct strbuf *why)
{
	bool is_known = false;

	for (size_t i = 0; i < app_hosts(app) && !is_known; i++) {
		app_show_host(app, i);
		strbuf_clear(why);
		/* wake-ups may come later in a recording: that is seen at its end */
		is_known =
			(engine_is_replay(app->engine) && !has_counted &&
			 column->needs & COLUMN_NEEDS_WAKEUPS) ||
			!column_is_unknown(app->engine, column,
					   has_counted ? engine_snapshot(app->engine) : NULL, why);
	}
	return is_known;
}

bool condition_is_known(const struct condition *condition, struct app *app, bool has_counted,
			struct error *error)
{
	const struct column_list *doubtful = &condition->doubtful;
	struct strbuf why = {0};
	bool good = true;

	for (size_t i = 0; i < doubtful->count && good; i++)
		good = is_known_to_any(app, doubtful->columns[i], has_counted, &why) ||
		       error_set(error, condition->never, condition->text, strbuf_text(&why));
	app_show_host(app, 0);
	strbuf_fini(&why);
	return good;
}

bool condition_prepare(struct condition *condition, struct app *app, const struct view_info *view,
		       struct error *error)
{
	struct resolver *resolver = engine_resolver(app->engine);
	const char *text = condition->text;
	const struct column *column;
	struct filter *filter;
	size_t position = 0;

	if (!text)
		return true;
	if (text[strspn(text, " ")] == '\0')
		return error_set(error, ERROR_FILTER_EXPECTED, "an expression", NULL);
	if (!resolve_filter(resolver, text, &position, error))
		return resolve_mark(error, text, position);
	filter = filter_create(text, resolver->columns, &position, NULL);
	for (size_t i = 0; (column = filter_column(filter, i, ROW_TASK)); i++)
		if (!column_list_has(&condition->compared, column))
			column_list_add(&condition->compared, column);
	condition->is_of_states = (filter_needs(filter) & COLUMN_NEEDS_STATES) != 0;
	column_list_copy(&condition->doubtful, &condition->compared);
	filter_destroy(filter);
	return resolve_fits_view(resolver, text, view, error) &&
	       condition_is_known(condition, app, false, error);
}

/* It names the row, or is compared. */
static bool is_said(const struct condition *condition, const struct column *column)
{
	static const char *const names[] = {"host", "pid", "tid", "command"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(column->name, names[i]) == 0)
			return true;
	return column_list_has(&condition->compared, column);
}

void condition_write_row(const struct condition *condition, const struct view_table *table,
			 struct strbuf *out)
{
	const size_t count = view_table_column_count(table);
	struct cell cell;

	for (size_t i = 0; i < count; i++) {
		const struct column *column = view_table_column(table, i);
		const bool is_inner = i > 0 && i + 1 < count;

		if (is_inner && !is_said(condition, column))
			continue;
		view_table_cell(table, 0, i, &cell);
		if (is_inner && cell.is_unknown) /* of a function's tasks, not its own */
			continue;
		strbuf_printf(out, "%s%s %s", i > 0 ? ", " : "", column->title, cell.text);
	}
}

void condition_fini(struct condition *condition)
{
	column_list_fini(&condition->compared);
	column_list_fini(&condition->doubtful);
}
