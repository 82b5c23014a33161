#include "fail_if.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "model/snapshot.h"
#include "view/filter.h"
#include "view/table.h"

#include "mode/app_run.h"
#include "session/engine.h"
#include "session/options.h"
#include "session/resolve.h"
#include "session/unknown.h"

/* Builds the rows that are asked for and pass this filter, too. */
static void build_failures(const struct fail_if *fail_if, const struct view_request *asked,
			   const struct snapshot *snapshot)
{
	struct engine *engine = app_engine(fail_if->app);
	struct view_request request = *asked;
	struct strbuf filter = {0};

	strbuf_printf(&filter, "%s\n%s", request.filter, fail_if->options->fail_if);
	request.filter = strbuf_text(&filter);
	request.most_rows = 0;
	request.mark = (struct view_mark){0}; /* what is there, not what was */
	view_table_build(app_table(fail_if->app), &request, snapshot, engine_session(engine),
			 engine_metrics(engine));
	strbuf_fini(&filter);
}

/* "PID 4711, COMMAND nginx, LOCK 48.1": its cells. */
static void write_failure(const struct view_table *table, struct strbuf *out)
{
	struct cell cell;

	for (size_t i = 0; i < view_table_column_count(table); i++) {
		view_table_cell(table, 0, i, &cell);
		strbuf_printf(out, "%s%s %s", i > 0 ? ", " : "", view_table_column(table, i)->title,
			      cell.text);
	}
}

bool fail_if_look(struct fail_if *fail_if, const struct view_request *request, struct error *error)
{
	const struct engine *engine = app_engine(fail_if->app);
	const struct snapshot *snapshot = engine_snapshot(engine);
	const struct view_table *table = app_table(fail_if->app);
	struct column_list *doubtful = &fail_if->doubtful;
	struct strbuf row = {0};

	if (!fail_if->options->fail_if || !snapshot)
		return false;
	for (size_t i = doubtful->count; i > 0; i--)
		if (!column_is_unknown(engine, doubtful->columns[i - 1], snapshot, NULL))
			column_list_remove(doubtful, doubtful->columns[i - 1]);
	build_failures(fail_if, request, snapshot);
	if (view_table_row_count(table) == 0)
		return false;
	write_failure(table, &row);
	error_set(error, ERROR_FAIL_IF, fail_if->options->fail_if, strbuf_text(&row));
	strbuf_fini(&row);
	return true;
}

static bool is_known_to_any(const struct fail_if *fail_if, const struct column *column,
			    bool has_counted, struct strbuf *why)
{
	bool is_known = false;

	for (size_t i = 0; i < app_hosts(fail_if->app) && !is_known; i++) {
		const struct engine *engine;

		app_show_host(fail_if->app, i);
		engine = app_engine(fail_if->app);
		strbuf_clear(why);
		/* wake-ups may come later in a recording: that is seen at its end */
		is_known = (engine_is_replay(engine) && !has_counted &&
			    column->needs & COLUMN_NEEDS_WAKEUPS) ||
			   !column_is_unknown(engine, column,
					      has_counted ? engine_snapshot(engine) : NULL, why);
	}
	return is_known;
}

bool fail_if_is_known(const struct fail_if *fail_if, bool has_counted, struct error *error)
{
	const struct column_list *doubtful = &fail_if->doubtful;
	struct strbuf why = {0};
	bool good = true;

	for (size_t i = 0; i < doubtful->count && good; i++)
		good = is_known_to_any(fail_if, doubtful->columns[i], has_counted, &why) ||
		       error_set(error, ERROR_FAIL_IF_NEVER, fail_if->options->fail_if,
				 strbuf_text(&why));
	app_show_host(fail_if->app, 0);
	strbuf_fini(&why);
	return good;
}

bool fail_if_prepare(struct fail_if *fail_if, const struct view_info *view, struct error *error)
{
	struct resolver *resolver = engine_resolver(app_engine(fail_if->app));
	const char *text = fail_if->options->fail_if;
	const struct column *column;
	struct filter *filter;
	size_t position = 0;

	if (!text)
		return true;
	if (!resolve_filter(resolver, text, &position, error))
		return resolve_mark(error, text, position);
	filter = filter_create(text, resolver->columns, &position, NULL);
	for (size_t i = 0; (column = filter_column(filter, i, ROW_TASK)); i++)
		if (!column_list_has(&fail_if->doubtful, column))
			column_list_add(&fail_if->doubtful, column);
	filter_destroy(filter);
	return resolve_fits_view(resolver, text, view, error) &&
	       fail_if_is_known(fail_if, false, error);
}

unsigned int fail_if_needs(const struct fail_if *fail_if, const struct view_request *request)
{
	const struct snapshot nothing = {.layout = engine_layout(app_engine(fail_if->app))};

	if (!fail_if->options->fail_if)
		return 0;
	build_failures(fail_if, request, &nothing);
	return view_table_needs(app_table(fail_if->app));
}
