/*
 * The table of all hosts is joined of theirs, each built as if it were the only one, so that its
 * numbers are the same.
 */
#include "mode/host_rows.h"

#include "base/error.h"
#include "source/source.h"
#include "view/table.h"
#include "view/tree.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/attach.h"
#include "mode/code_page.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/history_view.h"
#include "mode/hosts.h"
#include "mode/marks.h"
#include "mode/strips.h"
#include "mode/task_scope.h"
#include "perfdata/replay.h"
#include "session/engine.h"
#include "widget/list.h"

/* --- rows of all of them */

/* What is attached to is of the one that is shown. */
static bool are_together(const struct app *app)
{
	const struct task_scope *scope = app->parts[PART_task_scope];

	return hosts_of(app)->count > 0 && !attach_is_on(app->parts[PART_attached]) &&
	       !scope->is_on && app->views[app->view].info->is_joined;
}

/* What is selected, folded or tagged has the ids of the joined table. */
static void build_host(struct app *app, size_t index)
{
	struct view_table *table = hosts_of(app)->list[index].table;
	struct view_request request = app_request(app);
	struct folds folds;

	request.selected ^= table_member_tag((uint32_t)index);
	request.tags = NULL;
	if (request.folds) {
		folds = *request.folds;
		folds.tag = table_member_tag((uint32_t)index);
		request.folds = &folds;
	}
	view_table_build(table, &request, app_snapshot(app), engine_session(app->engine),
			 app_metrics(app));
}

static void build_together(struct app *app)
{
	struct hosts *hosts = hosts_of(app);
	const size_t shown = hosts->shown;
	const struct row_marks *marks = app->parts[PART_row_marks];
	size_t count = 0, current = 0;

	for (size_t i = 0; i < hosts->count; i++) {
		hosts_enter(app, i);
		if (hosts->list[i].is_over || !app_snapshot(app))
			continue;
		build_host(app, i);
		if (i == shown)
			current = count;
		hosts->members[count++] = (struct table_member){hosts->list[i].table, (uint32_t)i};
	}
	hosts_enter(app, shown);
	app->table = hosts->joined;
	view_table_join(app->table, hosts->members, count, current, &marks->tags);
}

static void build_shown(struct app *app)
{
	const struct hosts *hosts = hosts_of(app);

	if (hosts->count > 0)
		app->table = hosts->list[hosts->shown].table;
	const struct view_request request = app_request(app);

	view_table_build(app->table, &request, app_snapshot(app), engine_session(app->engine),
			 app_metrics(app));
}

/* One that was chosen and has no rows is shown without them, until it has some. */
void host_rows_build(struct app *app)
{
	const bool are_joined = are_together(app);

	if (!are_joined || hosts_of(app)->is_chosen)
		build_shown(app);
	if (are_joined && (!hosts_of(app)->is_chosen || view_table_row_count(app->table) > 0))
		build_together(app);
}

/* --- the one that is shown */

/* What is above the tabs was another one's. */
static void show_host_session(struct app *app, size_t index)
{
	hosts_of(app)->shown = index;
	hosts_enter(app, index);
	appearance_forget(app);
	history_view_forget_lines(app);
	strips_release(app);
	app->needs_build = true;
}

/* The cursor goes to the first row of the host that is shown. False: it has none. */
static bool select_host(struct app *app)
{
	const size_t count = view_table_row_count(app->table);
	size_t row = 0;

	while (row < count && !hosts_has_row(app, row))
		row++;
	if (row < count)
		list_select(&app->lists[app->view], app->table, row);
	return row < count;
}

bool host_rows_follow(struct app *app)
{
	struct hosts *hosts = hosts_of(app);
	struct list *list = &app->lists[app->view];
	size_t host;

	if (hosts->count == 0 || app->table != hosts->joined || !are_together(app) ||
	    mode_is_open(app, &page_mode) || list->cursor.at >= view_table_row_count(app->table))
		return false;
	if (hosts->is_chosen && !select_host(app))
		return false;
	hosts->is_chosen = false;
	if (!list->has_cursor) /* else the uppermost row, now of one host, now of another */
		list_select(list, app->table, list->cursor.at);
	host = view_table_host(app->table, list->cursor.at);
	if (host == hosts->shown)
		return false;
	show_host_session(app, host);
	return true;
}

/* One that is not over, behind this one; the same: there is no other. */
static size_t next_host(const struct hosts *hosts, size_t index)
{
	size_t next = index;

	do
		next = (next + 1) % hosts->count;
	while (next != index && hosts->list[next].is_over);
	return next;
}

/* One of those that has something to show, likewise. */
static size_t next_seen_host(const struct hosts *hosts, size_t index)
{
	size_t next = next_host(hosts, index);

	while (next != index && !engine_snapshot(hosts->list[next].engine))
		next = next_host(hosts, next);
	return next;
}

/* Another host's task may have the same number. */
static void leave_task(struct app *app)
{
	mode_close(app, &page_mode);
	mode_close(app, &code_page_mode);
	task_scope_leave(app);
	if (attach_is_on(app->parts[PART_attached]))
		attach_to_all(app);
}

/* One that has nothing to show yet, while others have. */
static void leave_late_host(struct app *app)
{
	const struct hosts *hosts = hosts_of(app);

	for (size_t i = 0; i < hosts->count && !engine_snapshot(app->engine); i++)
		if (!hosts->list[i].is_over && engine_snapshot(hosts->list[i].engine))
			show_host_session(app, i);
}

/* It stays: what playback has said of it is that one can go back. */
static void say_end(struct app *app, size_t index)
{
	const struct host_session *host = &hosts_of(app)->list[index];
	char remarks[512];

	replay_remarks(engine_source(host->engine), remarks, sizeof(remarks));
	app_say(app, false, "%s: end of the recording, its rows are gone%s%s", host->name,
		remarks[0] != '\0' ? ": " : "", remarks);
	app->message.until_ns = 0;
}

void host_rows_look_after(struct app *app)
{
	struct hosts *hosts = hosts_of(app);

	leave_late_host(app);
	for (size_t i = 0; i < hosts->count; i++) {
		const struct source *source = engine_source(hosts->list[i].engine);

		if (hosts->list[i].is_over || source->poll_fd < 0 || !source_is_finished(source) ||
		    next_seen_host(hosts, i) == i)
			continue;
		hosts->list[i].is_over = true;
		say_end(app, i);
		app->needs_build = true;
		if (i != hosts->shown)
			continue;
		leave_task(app);
		hosts->is_chosen = false;
		show_host_session(app, next_seen_host(hosts, i));
	}
}

bool host_rows_choose(struct app *app, const char *name, struct error *error)
{
	struct hosts *hosts = hosts_of(app);
	size_t index;

	if (hosts->count == 0)
		return error_set(error, ERROR_HOSTS_NONE, NULL, NULL);
	index = name[0] == '\0' ? next_host(hosts, hosts->shown)
				: hosts_find(hosts, hosts->count, name);
	if (index == hosts->count)
		return error_set(error, ERROR_HOST_UNKNOWN, name, NULL);
	if (hosts->list[index].is_over)
		return error_set(error, ERROR_HOST_OVER, hosts->list[index].name, NULL);
	leave_task(app);
	show_host_session(app, index);
	hosts->is_chosen = true;
	return true;
}
