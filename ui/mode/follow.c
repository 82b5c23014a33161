/* The followed task is the list's matter (ui/list.h); its words are kept, for when it has gone. */
#include "mode/follow.h"

#include <stdio.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "model/snapshot.h"

#include "mode/app.h"
#include "mode/keys.h"
#include "mode/row_marks.h"

static void note_name(struct app *app, const struct view_row *row)
{
	char name[TASK_NAME_MAX * 4];

	text_safe(name, sizeof(name), row->task->name, app->ascii);
	snprintf(app->row_marks->followed, sizeof(app->row_marks->followed), "%s%s%d", name,
		 name[0] != '\0' ? " " : "", row->tid);
}

bool follow_toggle(struct app *app)
{
	struct list *list = &app_current(app)->list;
	const struct view_row *row = app_row(app);

	if (!row || row->kind != ROW_TASK)
		return false;
	if (list->is_followed) {
		list->is_followed = false;
		app_say(app, false, "no longer following %s", app->row_marks->followed);
	} else {
		list_select(list, app->table, list->cursor);
		list->is_followed = true;
		note_name(app, row);
		app_say(app, false, "following %s; %s or any movement stops",
			app->row_marks->followed, keys_name_of(&app->keys, "follow"));
	}
	app->needs_build = true;
	return true;
}

void follow_settings(const struct app *app, struct view_settings *settings)
{
	const struct list *list = &app->views[app->view].list;

	settings->followed = list->is_followed ? list->cursor_id : 0;
}

void follow_rows(struct app *app)
{
	struct list *list = &app_current(app)->list;
	const bool was_followed = list->is_followed;

	list_follow(list, app->table);
	if (was_followed && !list->is_followed)
		app_say(app, false, "%s is no longer shown; no longer following it",
			app->row_marks->followed);
}

void follow_write(const struct app *app, struct strbuf *out)
{
	if (app->views[app->view].list.is_followed)
		strbuf_printf(out, "following %s  ", app->row_marks->followed);
}
