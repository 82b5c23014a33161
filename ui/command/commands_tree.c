/* The tree of tasks. */
#include <string.h>

#include "view/tree.h"

#include "command/commands_run.h"
#include "mode/app.h"
#include "mode/attach.h"
#include "mode/keys.h"
#include "mode/marks.h"

static bool is_tree_shown(const struct app *app)
{
	return app->tree && app->views[app->view].info->kind == ROW_TASK;
}

bool run_tree(struct app *app, const char *argument, struct error *error)
{
	if (app->tree)
		attach_introduce_all(app); /* parents that never ran */
	if (app->tree)
		app_say(app, false, "tree view: %s folds a branch, %s folds all",
			keys_name_of(&app->keys, "fold"), keys_name_of(&app->keys, "fold all"));
	else
		app_say(app, false, "flat list");
	return true;
}

/* The cursor goes up to the row that the one under it will be folded into. */
static void go_to_branch(struct app *app)
{
	struct list *list = &app_current(app)->list;
	const struct view_row *row = app_row(app);
	size_t place = list->cursor;
	uint32_t depth = row ? row->branch.depth : 0;

	for (size_t i = place; depth > 0 && i-- > 0;) {
		row = view_table_row(app->table, i);
		if (row->branch.depth >= depth)
			continue;
		depth = row->branch.depth;
		if (!tree_is_root(row))
			place = i;
	}
	if (place != list->cursor)
		list_select(list, app->table, place);
}

static void fold_all(struct app *app)
{
	struct folds *folds = &app->row_marks->folds;
	const bool all = !folds->all;

	folds_fini(folds);
	folds->all = all;
	if (all)
		go_to_branch(app);
	app_say(app, false, "%s",
		all ? "all branches folded; * unfolds them" : "all branches unfolded");
}

/* The row under the cursor; of one with no rows under it, its parent. */
static void fold_row(struct app *app)
{
	struct list *list = &app_current(app)->list;
	const struct view_row *row = app_row(app);
	size_t place = list->cursor;

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
	folds_toggle(&app->row_marks->folds, view_table_row(app->table, place)->id);
}

bool run_fold(struct app *app, const char *argument, struct error *error)
{
	const bool all = strcmp(argument, "all") == 0;

	if (argument[0] != '\0' && !all)
		return error_set(error, ERROR_COMMAND_USAGE, "fold [all]", NULL);
	if (!app->is_starting && !is_tree_shown(app)) {
		app_say(app, false, "folding needs the tree view (%s)",
			keys_name_of(&app->keys, "tree"));
		return true;
	}
	if (all)
		fold_all(app);
	else if (!app->is_starting)
		fold_row(app);
	app->needs_build = true;
	return true;
}
