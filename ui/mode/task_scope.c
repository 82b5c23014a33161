#include "mode/task_scope.h"

#include <stdio.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/page.h"
#include "mode/pager.h"

static bool is_view_of_functions(const struct app_view *view)
{
	return view->info->kind == ROW_FUNCTION;
}

bool task_scope_is_in_force(const struct app *app)
{
	return app->task_scope.is_on && is_view_of_functions(&app->views[app->view]);
}

static void show_functions(struct app *app)
{
	for (size_t i = 0; i < app->view_count; i++)
		if (is_view_of_functions(&app->views[i]))
			view_order_show_view(app, i);
}

bool task_scope_open(struct app *app, const char *words, struct error *error)
{
	struct task_scope scope = {
		.is_on = true,
		.has_page = mode_is_open(app, &page_mode),
		.view = app->view,
	};

	if (!page_find_task(app, words, &scope.pid, &scope.tid, error))
		return false;
	if (scope.has_page)
		pager_close(app);
	show_functions(app);
	app->task_scope = scope;
	app_say(app, false, "functions of this task; %s: back", keys_name_of(&app->keys, "escape"));
	return true;
}

bool task_scope_leave(struct app *app)
{
	const struct task_scope scope = app->task_scope;
	struct error error = {0};
	char number[16];

	if (!task_scope_is_in_force(app))
		return false;
	view_order_show_view(app, scope.view);
	snprintf(number, sizeof(number), "%d", scope.tid);
	if (scope.has_page)
		page_open(app, number, &error);
	return true;
}

void task_scope_settings(const struct app *app, struct view_settings *settings)
{
	const struct task_scope *scope = &app->task_scope;

	if (!task_scope_is_in_force(app))
		return;
	settings->pids = &scope->pid;
	settings->pid_count = 1;
	settings->tid = scope->tid != scope->pid ? scope->tid : 0;
	settings->uid = -1;
	settings->wants_pid = NULL;
}

void task_scope_write(const struct app *app, struct strbuf *out)
{
	char name[80];

	if (!task_scope_is_in_force(app))
		return;
	page_name_task(app, app->task_scope.pid, app->task_scope.tid, name, sizeof(name));
	strbuf_printf(out, "of %s  ", name);
}
