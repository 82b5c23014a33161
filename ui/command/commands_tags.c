/* Tags of rows, and the row that is followed. */
#include "base/units.h"

#include "command/commands_run.h"
#include "mode/app.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/pager.h"

static void say_no_task(struct app *app)
{
	app_say(app, false, "this row is not a task");
}

bool run_tag(struct app *app, const char *argument, struct error *error)
{
	if (tags_toggle(app))
		return run_down(app, argument, error);
	say_no_task(app);
	return true;
}

/* Where time can be stopped or is stopped, it is the key for that. */
bool run_space(struct app *app, const char *argument, struct error *error)
{
	if (!playback_has_keys(app->playback) && !app->page->is_open)
		return run_tag(app, argument, error);
	playback_toggle(app->playback);
	return true;
}

bool run_tag_children(struct app *app, const char *argument, struct error *error)
{
	const size_t count = tags_add_children(app);

	if (count == 0)
		say_no_task(app);
	else
		app_say(app, false, "%zu task%s tagged; %s takes all tags away", count,
			units_plural(count), keys_name_of(&app->keys, "untag"));
	return true;
}

bool run_untag(struct app *app, const char *argument, struct error *error)
{
	tags_clear(app);
	app_say(app, false, "no task is tagged");
	return true;
}

bool run_follow(struct app *app, const char *argument, struct error *error)
{
	if (!follow_toggle(app))
		say_no_task(app);
	return true;
}
