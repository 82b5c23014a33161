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

enum {
	NAMES_MAX = 256
};

void grouped_fini(struct grouped *grouped)
{
	strbuf_fini(&grouped->before);
	strbuf_fini(&grouped->inside);
}

void grouped_apply_options(struct app *app)
{
	if (app->options->grouping)
		app->grouped->grouping = app->options->grouping;
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

static const struct grouping *current(const struct app *app)
{
	size_t count;

	return app->grouped->grouping ? app->grouped->grouping : grouping_table(&count);
}

static const struct grouping *next(const struct app *app)
{
	size_t count;
	const struct grouping *table = grouping_table(&count);

	return &table[((size_t)(current(app) - table) + 1) % count];
}

bool grouped_set_by(struct app *app, const char *name, struct error *error)
{
	const struct grouping *grouping = name[0] != '\0' ? grouping_find(name) : next(app);
	char names[NAMES_MAX];

	if (!grouping) {
		grouping_names(names, sizeof(names));
		return error_set(error, ERROR_GROUPING_UNKNOWN, name, names);
	}
	app->grouped->grouping = grouping;
	app->needs_build = true;
	app_say(app, false, "%s", grouping->help);
	return true;
}

void grouped_write_by(const struct app *app, struct strbuf *out)
{
	size_t count;

	if (current(app) != grouping_table(&count))
		strbuf_printf(out, "group-by %s\n", current(app)->name);
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
		strbuf_printf(out, "by %s  ", current(app)->name);
}
