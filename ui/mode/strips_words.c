/*
 * What is said below the strips: the ends of the time that is shown, and the slice in the cell
 * under the cursor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/session.h"
#include "view/actors.h"

#include "mode/app.h"
#include "mode/history_view.h"
#include "mode/strips.h"

enum {
	NS_PER_S = 1000000000
};

static void write_clock(const struct app *app, uint64_t time_ns, int decimals, char *text,
			size_t size)
{
	const int64_t wall_ns =
		session_wall_ns(engine_session(app->engine)->wall_offset_ns, time_ns);
	const time_t wall = (time_t)(wall_ns / NS_PER_S);
	char clock[16], fraction[16];
	struct tm local;

	if (wall_ns < 0 || !localtime_r(&wall, &local) ||
	    strftime(clock, sizeof(clock), "%H:%M:%S", &local) == 0)
		strcpy(clock, "-");
	snprintf(fraction, sizeof(fraction), "%09d", wall_ns < 0 ? 0 : (int)(wall_ns % NS_PER_S));
	snprintf(text, size, "%s.%.*s", clock, decimals, fraction);
}

static double slice_ipc(struct app *app, const struct switch_entry *entry)
{
	const struct metrics *metrics = app_metrics(app);
	const int ipc = metrics_find(metrics, "ipc");

	if (ipc < 0 || !entry->has_counts || !metrics_is_available(metrics, (size_t)ipc))
		return NAN;
	return metrics_eval(metrics, (size_t)ipc, entry->counts, 0, entry->slice_ns).value;
}

static void add_actor(const struct app *app, struct strbuf *out, uint64_t number)
{
	char words[STRIPS_WORDS];

	actor_write_words(history_find_actor(playback_history(app->playback), number), words,
			  sizeof(words));
	if (words[0] == '\0')
		strbuf_add(out, "somebody unknown");
	else
		text_append_safe(out, words, strlen(words), app->ascii);
}

/* "nginx 4711 ran 3.98ms until 12:03:44.120482, preempted; kworker/2:1 88 came; IPC 0.31" */
static void emit_slice(struct app *app, struct strbuf *out, const struct switch_entry *entry)
{
	const double ipc = slice_ipc(app, entry);
	char length[UNITS_TEXT_MAX] = "-", clock[32];

	if (entry->slice_ns != SWITCH_NS_UNKNOWN)
		units_format_duration(length, entry->slice_ns);
	write_clock(app, entry->time_ns, 6, clock, sizeof(clock));
	add_actor(app, out, entry->left);
	strbuf_printf(out, entry->left == ACTOR_IDLE ? " for %s until %s" : " ran %s until %s",
		      length, clock);
	if (entry->left != ACTOR_IDLE)
		strbuf_printf(out, ", %s",
			      entry->how == SWITCH_UNKNOWN ? "why is unknown"
							   : switch_how_name(entry->how));
	strbuf_add(out, "; ");
	add_actor(app, out, entry->came);
	strbuf_add(out, entry->came == ACTOR_IDLE ? " followed" : " came");
	if (isfinite(ipc))
		strbuf_printf(out, "; IPC %.2f", ipc);
}

static void write_cell(struct app *app, struct strbuf *out, const struct timeline_cell *cell)
{
	const struct history *history = playback_history(app->playback);
	struct switch_entry entry;
	uint64_t *counts;

	if (cell->kind == TIMELINE_NOTHING) {
		strbuf_add(out, "nothing is known of this time");
		return;
	}
	if (cell->sequence < history_first(history) || cell->sequence >= history_settled(history)) {
		add_actor(app, out, cell->actor);
		strbuf_add(out,
			   cell->actor == ACTOR_IDLE ? ", and still is" : " runs, and runs on");
		return;
	}
	counts = xcalloc(history_width(history), sizeof(*counts));
	history_get(history, cell->sequence, &entry, counts);
	emit_slice(app, out, &entry);
	free(counts);
}

static void write_detail(struct app *app, struct strips_words *words)
{
	const struct strips *strips = app->strips;
	const struct timeline_cell *cell = strips_cell(strips);
	struct strbuf out = {0};

	if (!cell) {
		snprintf(words->detail, sizeof(words->detail),
			 "Left and Right go to a cell and freeze the screen");
		return;
	}
	strbuf_printf(&out, "CPU %d: ", strips->timeline.strips[strips_index(strips)].cpu);
	write_cell(app, &out, cell);
	if (isfinite(cell->busy_pct))
		strbuf_printf(&out, " (of the cell's time tasks ran %.0f %%)", cell->busy_pct);
	text_safe(words->detail, sizeof(words->detail), strbuf_text(&out), app->ascii);
	strbuf_fini(&out);
}

/* Digits behind the second that distinguish cells. */
static int decimals_of(uint64_t cell_ns)
{
	return cell_ns >= 100000000 ? 1 : cell_ns >= 1000000 ? 3 : 6;
}

static void write_axis(const struct app *app, struct strips_words *words)
{
	const struct timeline *timeline = &app->strips->timeline;
	const int decimals = decimals_of(timeline->cell_ns);
	const uint64_t span_ns = timeline->cell_ns * timeline->cell_count;
	char cell[UNITS_TEXT_MAX], span[UNITS_TEXT_MAX];

	write_clock(app, timeline->begin_ns, decimals, words->begin, sizeof(words->begin));
	write_clock(app, timeline->begin_ns + span_ns, decimals, words->end, sizeof(words->end));
	units_format_duration(cell, timeline->cell_ns);
	units_format_duration(span, span_ns);
	snprintf(words->scale, sizeof(words->scale), "%s, a cell %s", span, cell);
}

void strips_picture(struct app *app, struct strips_words *words)
{
	struct strips *strips = app->strips;
	const char *nothing = history_view_nothing(app);

	*words = (struct strips_words){
		.picture =
			{
				.timeline = &strips->timeline,
				.nothing = nothing ? nothing : "no switch has been seen yet",
				.colours = strips->colours,
				.names = words->names,
				.by_ipc = strips->by_ipc,
				.cpu = strips_index(strips),
				.cell = strips_cell_index(strips),
				.top = &strips->top,
				.begin = words->begin,
				.scale = words->scale,
				.end = words->end,
				.detail = words->detail,
			},
	};
	for (size_t i = 0; i < TIMELINE_COLOURS; i++)
		words->names[i] = strips->names[i];
	if (strips->timeline.strip_count == 0)
		return;
	write_axis(app, words);
	write_detail(app, words);
}
