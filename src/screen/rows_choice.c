#include "screen/rows_choice.h"

#include "base/strbuf.h"

#include "screen/app.h"
#include "screen/follow.h"

void rows_choice_fini(struct rows_choice *choice)
{
	folds_fini(&choice->folds);
	tags_fini(&choice->tags);
}

void rows_choice_settings(const struct app *app, struct view_settings *settings)
{
	const struct rows_choice *choice = app->rows;

	settings->tree = app->tree;
	settings->folds = &choice->folds;
	settings->no_kernel_threads = app->no_kernel_threads;
	settings->no_exited = app->no_exited;
	settings->tags = &choice->tags.ids;
	follow_settings(app, settings);
}

void rows_choice_built(struct app *app)
{
	tags_refresh(app);
	follow_rows(app);
}

void rows_choice_write(const struct app *app, struct strbuf *out)
{
	const struct rows_choice *choice = app->rows;

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
