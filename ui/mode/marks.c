#include "mode/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/snapshot.h"
#include "view/functions.h"
#include "view/tree.h"

#include "mode/app.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/drawing.h"
#include "mode/keys.h"

/* The value of a set is of no meaning, but not NULL. */
static char member;

static bool is_task_row(const struct view_row *row)
{
	return row && row->kind == ROW_TASK;
}

static void say_no_task(struct app *app)
{
	app_say(app, false, "this row is not a task");
}

static struct row_marks *marks_of(const struct app *app)
{
	return app->parts[PART_row_marks];
}

void tags_toggle(struct app *app)
{
	struct map *tags = &marks_of(app)->tags;
	const struct view_row *row = app_row(app);

	if (!is_task_row(row)) {
		say_no_task(app);
		return;
	}
	if (!map_remove(tags, row->id))
		map_put(tags, row->id, &member);
	list_move(&app->lists[app->view], app->table, CURSOR_DOWN);
	app->needs_build = true;
}

/* Rows of all tasks there are, for a tree of them. */
static struct view_row *list_tasks(const struct snapshot *snapshot)
{
	struct view_row *rows = xcalloc(snapshot->task_count + 1, sizeof(*rows));

	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		rows[i] = (struct view_row){
			.id = task->id,
			.task = task,
			.pid = task->pid,
			.tid = task->tid,
			.is_exited = task->is_exited,
		};
	}
	return rows;
}

/* The tasks that descend from one, and itself. */
static void find_descendants(const struct snapshot *snapshot, uint64_t id, struct map *found)
{
	struct view_row *rows = list_tasks(snapshot);
	uint8_t *below = xcalloc(snapshot->task_count + 1, sizeof(*below));
	struct tree *tree = tree_create();

	for (size_t i = 0; i < snapshot->task_count; i++)
		below[i] = rows[i].id == id;
	tree_link(tree, rows, snapshot->task_count);
	tree_spread(tree, below);
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (below[i])
			map_put(found, rows[i].id, &member);
	tree_destroy(tree);
	free(below);
	free(rows);
}

void tags_add_children(struct app *app)
{
	const struct view_row *row = app_row(app);
	struct map found = {0};
	size_t count = 0;
	uint64_t tag; /* of its host */

	if (!is_task_row(row)) {
		say_no_task(app);
		return;
	}
	tag = row->id ^ row->task->id;
	find_descendants(app_snapshot(app), row->task->id, &found);
	for (size_t i = 0; i < view_table_row_count(app->table); i++) {
		row = view_table_row(app->table, i);
		if (!is_task_row(row) || (row->id ^ row->task->id) != tag ||
		    !map_get(&found, row->task->id))
			continue;
		map_put(&marks_of(app)->tags, row->id, &member);
		count++;
	}
	map_fini(&found);
	app->needs_build = true;
	app_say(app, false, "%zu task%s tagged; %s takes all tags away", count, units_plural(count),
		keys_name_of(app->parts[PART_keys], "untag"));
}

void tags_clear(struct app *app)
{
	map_fini(&marks_of(app)->tags);
	app->needs_build = true;
	app_say(app, false, "no task is tagged");
}

/* Of tasks that are no longer known, but for those of another time, which come back. */
static void drop_tags(struct app *app)
{
	const struct snapshot *snapshot = app_snapshot(app);
	struct map *ids = &marks_of(app)->tags;
	struct map left = {0};

	if (ids->count == 0 || playback_has_keys(app->playback))
		return;
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (map_get(ids, snapshot->tasks[i].id))
			map_put(&left, snapshot->tasks[i].id, &member);
	map_fini(ids);
	*ids = left;
}

size_t tags_rows(struct app *app, const struct view_row **rows, size_t most)
{
	const struct view_row *row = app_row(app);
	size_t count = 0;

	if (marks_of(app)->tags.count == 0) {
		if (is_task_row(row) && most > 0)
			rows[0] = row;
		return is_task_row(row);
	}
	if (!view_is_of_tasks(app_current(app)->info))
		return 0;
	for (size_t i = 0; i < view_table_row_count(app->table); i++) {
		row = view_table_row(app->table, i);
		if (!is_task_row(row) || !row->is_tagged)
			continue;
		if (count < most)
			rows[count] = row;
		count++;
	}
	return count;
}

/* For when the task has gone. */
static void note_name(struct app *app, const struct view_row *row)
{
	char name[TASK_NAME_MAX * 4];

	text_safe(name, sizeof(name), row->task->name, app->screen.is_ascii);
	snprintf(marks_of(app)->followed, sizeof(marks_of(app)->followed), "%s%s%d", name,
		 name[0] != '\0' ? " " : "", row->tid);
}

void follow_toggle(struct app *app)
{
	struct list *list = &app->lists[app->view];
	const struct view_row *row = app_row(app);

	if (!is_task_row(row)) {
		say_no_task(app);
		return;
	}
	if (list->is_followed) {
		list->is_followed = false;
		app_say(app, false, "no longer following %s", marks_of(app)->followed);
	} else {
		list_select(list, app->table, list->cursor.at);
		list->is_followed = true;
		note_name(app, row);
		app_say(app, false, "following %s; %s or any movement stops",
			marks_of(app)->followed, keys_name_of(app->parts[PART_keys], "follow"));
	}
	app->needs_build = true;
}

bool row_marks_is_tree(const struct app *app)
{
	const struct view_info *info = app->views[app->view].info;

	return (info->is_tree && !app_drawing(app)) ||
	       (app->request.settings.tree && view_is_of_tasks(info));
}

/* What is folded in the view that is shown. */
static struct folds *folds_of(struct app *app)
{
	return app->views[app->view].info->is_tree ? &marks_of(app)->calls : &marks_of(app)->folds;
}

void row_marks_tree(struct app *app)
{
	if (app->request.settings.tree)
		attach_introduce_all(app); /* parents that never ran */
	if (app->request.settings.tree)
		app_say(app, false, "tree view: %s folds a branch, %s folds all",
			keys_name_of(app->parts[PART_keys], "fold"),
			keys_name_of(app->parts[PART_keys], "fold all"));
	else
		app_say(app, false, "flat list");
}

/* The cursor goes up to the row that the one under it will be folded into. */
static void go_to_branch(struct app *app)
{
	struct list *list = &app->lists[app->view];
	const struct view_row *row = app_row(app);
	size_t place = list->cursor.at;
	uint32_t depth = row ? row->branch.depth : 0;

	for (size_t i = place; depth > 0 && i-- > 0;) {
		row = view_table_row(app->table, i);
		if (row->branch.depth >= depth)
			continue;
		depth = row->branch.depth;
		if (tree_folds(row))
			place = i;
	}
	if (place != list->cursor.at)
		list_select(list, app->table, place);
}

static void fold_all(struct app *app)
{
	struct folds *folds = folds_of(app);
	const bool all = !folds->all;

	folds_fini(folds);
	folds->all = all;
	if (all)
		go_to_branch(app);
	if (!all)
		app_say(app, false, "all branches unfolded");
	else
		app_say(app, false, "%s branches folded; %s unfolds them",
			app_current(app)->info->is_tree ? "small" : "all",
			keys_name_of(app->parts[PART_keys], "fold all"));
}

/* The row under the cursor; of one with no rows under it, its parent. */
static void fold_row(struct app *app)
{
	struct list *list = &app->lists[app->view];
	const struct view_row *row = app_row(app);
	size_t place = list->cursor.at;

	if (!row)
		return;
	if (!row->branch.has_children && row->branch.folded == 0) {
		const uint32_t depth = row->branch.depth;

		while (place > 0 && view_table_row(app->table, place)->branch.depth >= depth)
			place--;
		if (depth == 0) {
			app_say(app, false, "this row has no children");
			return;
		}
		list_select(list, app->table, place);
	}
	folds_toggle(folds_of(app), view_table_row(app->table, place)->id);
}

bool row_marks_fold(struct app *app, const char *argument, struct error *error)
{
	const bool all = strcmp(argument, "all") == 0;

	if (argument[0] != '\0' && !all)
		return error_set(error, ERROR_COMMAND_USAGE, "fold [all]", NULL);
	if (!app->is_starting && !row_marks_is_tree(app)) {
		app_say(app, false, "folding needs the tree view (%s)",
			keys_name_of(app->parts[PART_keys], "next-form"));
		return true;
	}
	if (all)
		fold_all(app);
	else if (!app->is_starting)
		fold_row(app);
	app->needs_build = true;
	return true;
}

void row_marks_hold_function(struct app *app)
{
	const struct view_row *row = app_row(app);

	if (!row || !row->function)
		return;
	marks_of(app)->function.is_held = true;
	marks_of(app)->function.number = row->function->number;
}

/* Where it is most, or in the first row. */
static void go_to_function(struct app *app)
{
	const size_t count = view_table_row_count(app->table);
	size_t found = 0;

	marks_of(app)->function.is_held = false;
	if (count == 0 || app_current(app)->info->form != SETTING_calls)
		return;
	for (size_t i = count; i-- > 0;) {
		const struct function *function = view_table_row(app->table, i)->function;
		const struct function *best = view_table_row(app->table, found)->function;

		if (function->number != marks_of(app)->function.number)
			continue;
		if (best->number != function->number ||
		    function->total_weight >= best->total_weight)
			found = i;
	}
	list_select(&app->lists[app->view], app->table, found);
}

void row_marks_built(struct app *app)
{
	struct list *list = &app->lists[app->view];
	const bool was_followed = list->is_followed;

	drop_tags(app);
	list_follow(list, app->table);
	if (marks_of(app)->function.is_held)
		go_to_function(app);
	if (was_followed && !list->is_followed)
		app_say(app, false, "%s is no longer shown; no longer following it",
			marks_of(app)->followed);
}

void row_marks_write(const struct app *app, struct strbuf *out)
{
	const struct row_marks *marks = marks_of(app);

	if (!view_is_of_tasks(app->views[app->view].info))
		return;
	if (!app->request.settings.kernel_threads)
		strbuf_add(out, "no kernel threads  ");
	if (!app->request.settings.exited)
		strbuf_add(out, "no exited  ");
	if (marks->tags.count > 0)
		strbuf_printf(out, "tagged: %zu  ", marks->tags.count);
	if (app->lists[app->view].is_followed)
		strbuf_printf(out, "following %s  ", marks->followed);
}

static void init_marks(void *state)
{
	struct row_marks *marks = state;

	marks->calls.all = true;
}

static void fini_marks(void *state)
{
	struct row_marks *marks = state;

	folds_fini(&marks->folds);
	folds_fini(&marks->calls);
	map_fini(&marks->tags);
}

const struct app_part part_row_marks = {
	.bytes = sizeof(struct row_marks), .init = init_marks, .fini = fini_marks};
