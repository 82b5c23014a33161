#include "mode/row_marks.h"

#include "base/strbuf.h"

#include "mode/app.h"
#include "mode/follow.h"

void row_marks_fini(struct row_marks *choice)
{
	folds_fini(&choice->folds);
	tags_fini(&choice->tags);
}

void row_marks_settings(const struct app *app, struct view_settings *settings)
{
	const struct row_marks *choice = app->row_marks;

	settings->tree = app->tree;
	settings->folds = &choice->folds;
	settings->no_kernel_threads = app->no_kernel_threads;
	settings->no_exited = app->no_exited;
	settings->tags = &choice->tags.ids;
	follow_settings(app, settings);
}

void row_marks_built(struct app *app)
{
	tags_refresh(app);
	follow_rows(app);
}

void row_marks_write(const struct app *app, struct strbuf *out)
{
	const struct row_marks *choice = app->row_marks;

	if (app->views[app->view].info->kind != ROW_TASK)
		return;
	if (app->tree)
		strbuf_add(out, "tree  ");
	if (app->no_kernel_threads)
		strbuf_add(out, "no kernel threads  ");
	if (app->no_exited)
		strbuf_add(out, "no exited  ");
	if (choice->tags.ids.count > 0)
		strbuf_printf(out, "tagged: %zu  ", choice->tags.ids.count);
	follow_write(app, out);
}
