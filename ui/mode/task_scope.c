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

static struct task_scope *scope_of(const struct app *app)
{
	return app->parts[PART_task_scope];
}

/* `words`: of a process or thread; "": of the page that is open, or of what is under the cursor. */
bool task_scope_open(struct app *app, const char *words, struct error *error)
{
	const bool is_of_page = mode_is_open(app, &page_mode);
	struct task_scope scope = *scope_of(app);

	if (!scope.is_on) /* of another task's functions one goes back to where one was before */
		scope = (struct task_scope){
			.is_on = true,
			.has_page = is_of_page,
			.view = app->view,
			.samples = app->request.settings.samples,
		};
	if (!page_find_task(app, words, &scope.pid, &scope.tid, error))
		return false;
	if (is_of_page)
		pager_close(app);
	command_do(app, "view %s", view_functions.name);
	*scope_of(app) = scope;
	app_say(app, false, "functions of this task; %s: back",
		keys_name_of(app->parts[PART_keys], "escape"));
	return true;
}

bool task_scope_leave(struct app *app)
{
	const struct task_scope scope = *scope_of(app);
	struct error error = {0};
	char number[16];

	if (!scope_of(app)->is_on)
		return false;
	view_order_show_view(app, scope.view);
	snprintf(number, sizeof(number), "%d", scope.tid);
	if (scope.has_page)
		page_open(app, number, &error);
	return true;
}

void task_scope_write(const struct app *app, struct strbuf *out)
{
	char name[80];

	if (!scope_of(app)->is_on)
		return;
	page_name_task(app, scope_of(app)->pid, scope_of(app)->tid, name, sizeof(name));
	strbuf_printf(out, "of %s  ", name);
}

const struct app_part part_task_scope = {.bytes = sizeof(struct task_scope)};
