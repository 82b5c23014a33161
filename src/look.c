#include "look.h"

#include "app.h"
#include "ui/frame.h"
#include "view/meter_history.h"
#include "view/summary.h"

void look_fini(struct look *look)
{
	*look = (struct look){0};
}

void look_keep(struct app *app)
{
	const struct snapshot *snapshot = app->engine.snapshot;
	struct summary summary;

	if (snapshot == NULL || snapshot->time_ns == meter_history_newest_ns(&app->look.history))
		return;
	summary_make(&summary, snapshot, engine_session(&app->engine), app->engine.metrics,
		     app->ascii);
	meter_history_note(&app->look.history, snapshot->time_ns, &summary);
}

void look_fill(struct app *app, struct frame *frame)
{
	frame->meters = &app->look.history;
	frame->time_ns = app_snapshot(app)->time_ns;
}
