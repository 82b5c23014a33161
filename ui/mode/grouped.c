/*
 * The filter of a group is joined to the one there is by &&. Whoever changes the filter inside a
 * group has left it: Esc then does what it does elsewhere.
 */
#include "mode/grouped.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "view/groups.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/find.h"
#include "session/options.h"
#include "session/resolve.h"

void grouped_fini(struct grouped *grouped)
{
	strbuf_fini(&grouped->before);
	strbuf_fini(&grouped->inside);
}

void grouped_apply_options(struct app *app)
{
	engine_need_cgroups(app->engine,
			    startup_selection_needs(engine_selection(app->engine),
						    engine_resolver(app->engine)->columns,
						    app->options) &
				    COLUMN_NEEDS_CGROUPS);
}

bool grouped_is_shown(const struct app *app)
{
	return app->views[app->view].info->kind == ROW_GROUP;
}

const struct grouping *grouped_by(const struct app *app)
{
	return grouping_get(app->settings.group_by);
}

static bool enter(struct app *app, const char *filter, struct error *error)
{
	struct grouped *grouped = app->grouped;
	const size_t from = app->view;

	strbuf_clear(&grouped->before);
	strbuf_add(&grouped->before, strbuf_text(&app->filter));
	for (size_t i = 0; i < app->view_count; i++) {
		if (app->views[i].info->kind == ROW_TASK) {
			view_order_show_view(app, i);
			break;
		}
	}
	if (!filters_set(app, filter, error)) {
		view_order_show_view(app, from);
		return false;
	}
	strbuf_clear(&grouped->inside);
	strbuf_add(&grouped->inside, filter);
	grouped->view = from;
	grouped->is_inside = true;
	app_say(app, false, "tasks of the group; Esc: back");
	return true;
}

bool grouped_open(struct app *app, struct error *error)
{
	const struct view_row *row = app_row(app);
	struct strbuf filter = {0};
	bool good;

	if (!row || !row->group)
		return error_set(error, ERROR_GROUP_NONE, NULL, NULL);
	/* upon those that are in force */
	if (app->filter.length > 0)
		strbuf_printf(&filter, "%s\n", strbuf_text(&app->filter));
	good = group_write_filter(row->group, &filter);
	good = good ? enter(app, strbuf_text(&filter), error)
		    : error_set(error, ERROR_GROUP_QUOTES, NULL, NULL);
	strbuf_fini(&filter);
	return good;
}

bool grouped_leave(struct app *app)
{
	struct grouped *grouped = app->grouped;
	struct error error = {0};

	if (!grouped->is_inside)
		return false;
	grouped->is_inside = false;
	if (strcmp(strbuf_text(&app->filter), strbuf_text(&grouped->inside)) != 0)
		return false;
	view_order_show_view(app, grouped->view);
	return filters_set(app, strbuf_text(&grouped->before), &error);
}

void grouped_write(const struct app *app, struct strbuf *out)
{
	if (grouped_is_shown(app))
		strbuf_printf(out, "by %s  ", grouped_by(app)->name);
}
