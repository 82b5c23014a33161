#include "mode/welcome.h"

#include "kernel/sys.h"
#include "model/session.h"
#include "view/summary.h"

#include "mode/app.h"
#include "widget/frame.h"

static const uint64_t LASTS_NS = 20000000000;

enum {
	LINES = 3
};

/* Without and with a PMU. */
static const char *const lines[2][LINES] = {
	{
		"Up/Down select, Enter details; a: attach; /: search; k: signal",
		"P, S: sort by CPU, switches, or click a title; ?: what it means",
		"Tab: CPUs, switches and more; F1: all keys and numbers; q: leave",
	},
	{
		"Up/Down select, Enter details; a: attach; /: search; k: signal",
		"P I M: sort by CPU, IPC, misses, or click a title; ?: what it means",
		"Tab: CPUs, switches and more; F1: all keys and numbers; q: leave",
	},
};

void welcome_begin(struct app *app)
{
	app->welcome->until_ns = sys_now_ns() + LASTS_NS;
}

void welcome_end(struct app *app)
{
	app->needs_drawing = app->needs_drawing || app->welcome->until_ns != 0;
	app->welcome->until_ns = 0;
}

void welcome_show(struct app *app, struct frame *frame)
{
	if (app->welcome->until_ns == 0)
		return;
	if (sys_now_ns() >= app->welcome->until_ns) {
		app->welcome->until_ns = 0;
		return;
	}
	frame->hints = lines[engine_session(app->engine)->has_pmu];
	frame->hint_count = LINES;
}

void welcome_shorten(struct app *app, struct summary *summary)
{
	struct welcome *welcome = app->welcome;

	if (!summary->pmu_is_short)
		return;
	if (welcome->pmu_since_ns == 0)
		welcome->pmu_since_ns = sys_now_ns();
	/* a recording's screen depends on nothing but its keys */
	if (!engine_is_replay(app->engine) && sys_now_ns() - welcome->pmu_since_ns >= LASTS_NS)
		welcome->is_pmu_over = true;
	if (welcome->is_pmu_over)
		summary->pmu[0] = '\0';
}

void welcome_end_pmu(struct app *app)
{
	app->welcome->is_pmu_over = true;
	app->needs_drawing = true;
}
