#include "mode/compared.h"

#include "base/strbuf.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/difference.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "playback/time.h"

static void fini_compared(void *state)
{
	snapshot_destroy(((struct compared *)state)->mark);
}

static struct compared *compared_of(const struct app *app)
{
	return app->parts[PART_compared];
}

const struct snapshot *compared_mark(const struct app *app)
{
	return compared_of(app)->is_on ? compared_of(app)->mark : NULL;
}

static void write_mark_time(const struct app *app, char text[static PLAYBACK_TIME_MAX])
{
	const int64_t offset_ns = engine_session(app->engine)->wall_offset_ns;
	const uint64_t time_ns = compared_of(app)->mark->time_ns;

	playback_time_write_clock(session_wall_ns(offset_ns, time_ns), false, text);
}

/* Rows of the last build may be of the mark: it is kept until there is another one. */
void compared_toggle(struct app *app)
{
	struct compared *compared = compared_of(app);
	const struct snapshot *shown = app_snapshot(app);
	char time[PLAYBACK_TIME_MAX];

	app->needs_build = true;
	if (compared->is_on) {
		compared->is_on = false;
		app_say(app, false, "mark taken off: values, not differences");
	} else if (!shown) {
		app_say(app, true, "nothing to mark: the first interval has not ended");
	} else {
		snapshot_destroy(compared->mark);
		compared->mark = snapshot_copy(shown);
		compared->is_on = true;
		write_mark_time(app, time);
		app_say(app, false,
			"marked %s: from now on + more, - less than then; %s: take it off", time,
			keys_name_of(app->parts[PART_keys], "mark"));
	}
}

void compared_write(const struct app *app, struct strbuf *out)
{
	char time[PLAYBACK_TIME_MAX];

	if (!compared_mark(app))
		return;
	write_mark_time(app, time);
	strbuf_printf(out, "against %s%s  ", time,
		      difference_is_of_view(app->views[app->view].info) ? ""
									: ": not in this view");
}

const struct app_part part_compared = {
	.bytes = sizeof(struct compared),
	.fini = fini_compared,
};
