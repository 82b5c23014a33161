#include "mode/tags.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/snapshot.h"
#include "view/tree.h"

#include "mode/app.h"
#include "mode/row_marks.h"

/* The value of a set is of no meaning, but not NULL. */
static char member;

void tags_fini(struct tags *tags)
{
	map_fini(&tags->ids);
}

static bool is_task(const struct view_row *row)
{
	return row && row->kind == ROW_TASK;
}

bool tags_toggle(struct app *app)
{
	struct map *ids = &app->row_marks->tags.ids;
	const struct view_row *row = app_row(app);

	if (!is_task(row))
		return false;
	if (!map_remove(ids, row->id))
		map_put(ids, row->id, &member);
	app->needs_build = true;
	return true;
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

size_t tags_add_children(struct app *app)
{
	const struct view_row *row = app_row(app);
	struct map found = {0};
	size_t count = 0;

	if (!is_task(row))
		return 0;
	find_descendants(app_snapshot(app), row->id, &found);
	for (size_t i = 0; i < view_table_row_count(app->table); i++) {
		row = view_table_row(app->table, i);
		if (!is_task(row) || !map_get(&found, row->id))
			continue;
		map_put(&app->row_marks->tags.ids, row->id, &member);
		count++;
	}
	map_fini(&found);
	app->needs_build = true;
	return count;
}

void tags_clear(struct app *app)
{
	tags_fini(&app->row_marks->tags);
	app->needs_build = true;
}

void tags_refresh(struct app *app)
{
	const struct snapshot *snapshot = app_snapshot(app);
	struct map *ids = &app->row_marks->tags.ids;
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

	if (app->row_marks->tags.ids.count == 0) {
		if (is_task(row) && most > 0)
			rows[0] = row;
		return is_task(row);
	}
	if (app_current(app)->info->kind != ROW_TASK)
		return 0;
	for (size_t i = 0; i < view_table_row_count(app->table); i++) {
		row = view_table_row(app->table, i);
		if (!is_task(row) || !row->is_tagged)
			continue;
		if (count < most)
			rows[count] = row;
		count++;
	}
	return count;
}
