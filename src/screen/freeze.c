/*
 * The screen is frozen, at the present or in the past: what it shows are copies of its own, while
 * the engine goes on.
 */
#include "app.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/snapshot.h"

#include "command/keys.h"
#include "screen/past.h"
#include "screen/strips_cursor.h"

/* What is frozen is kept while the engine's own goes on. */
static void say_frozen(struct app *app)
{
	const double megabytes =
		app->past.frozen ? (double)history_bytes(app->past.frozen) / 1e6 : 0;
	const char *key = keys_name_of(&app->keys, "freeze");

	if (!app->frozen)
		app_say(app, false, "live again");
	else if (megabytes < 1)
		app_say(app, false, "frozen, still counting; %s: resume", key);
	else
		app_say(app, false,
			"frozen, still counting; %s: resume (keeps up to %.0f MB of history)", key,
			megabytes);
}

/* NULL: the newest is shown from now on. */
static void set_frozen(struct app *app, struct snapshot *snapshot)
{
	metrics_destroy(app->frozen_metrics);
	app->frozen_metrics = NULL;
	snapshot_destroy(app->frozen);
	app->frozen = snapshot;
	app->needs_build = true;
}

void app_freeze(struct app *app, bool frozen)
{
	set_frozen(app, frozen && engine_snapshot(app->engine)
				? snapshot_copy(engine_snapshot(app->engine))
				: NULL);
	past_freeze(app, app->frozen);
	if (!app->frozen)
		strips_release(app);
	say_frozen(app);
}

void app_show_past(struct app *app, const struct snapshot *snapshot)
{
	set_frozen(app, snapshot_copy(snapshot));
	past_show(app, snapshot->time_ns);
}

void app_show_newest(struct app *app)
{
	set_frozen(app, NULL);
	past_freeze(app, false);
}
