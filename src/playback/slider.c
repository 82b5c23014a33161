/*
 * The line with the slider. Its strip is of a recording the overview that its source gives, of a
 * live session (and of a pipe, which cannot be looked through) what is kept of it.
 *
 * A cell shows the most that happens in one of its parts, so that a short burst is seen however
 * long the recording is; nothing is blank, and the least block is something.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/trends.h"

#include "perfdata/replay.h"
#include "playback/playback.h"
#include "playback/playback_parts.h"
#include "session/engine.h"

enum {
	CELLS_LEAST = 8, /* a shorter strip says nothing */
	GAP = 2,
	WORDS_MAX = 160
};

static const double MIB = 1 << 20;

static double load_of(const struct slider *slider, size_t cell, size_t cells)
{
	const size_t first = cell * slider->load_count / cells;
	size_t end = (cell + 1) * slider->load_count / cells;
	double load = 0;

	if (end == first)
		end = first + 1;
	for (size_t i = first; i < end && i < slider->load_count; i++)
		load = slider->loads[i] > load ? slider->loads[i] : load;
	return load;
}

static void add_slider_block(const struct slider *slider, double load, double most,
			     struct strbuf *out)
{
	strbuf_add(out, load > 0 ? spark_sign(load / most, slider->ascii) : " ");
}

static size_t slider_place(const struct slider *slider, size_t cells)
{
	const double position = slider->position * (double)cells;

	if (!(position > 0))
		return 0;
	return position < (double)cells ? (size_t)position : cells - 1;
}

static void add_strip(const struct slider *slider, size_t cells, struct strbuf *out)
{
	const size_t position = slider_place(slider, cells);
	double most = 0;

	for (size_t i = 0; i < slider->load_count; i++)
		most = slider->loads[i] > most ? slider->loads[i] : most;
	for (size_t i = 0; i < cells; i++)
		if (i == position)
			strbuf_add(out, slider->ascii ? "|" : "┃");
		else if (slider->load_count == 0)
			strbuf_add(out, slider->ascii ? "-" : "─");
		else
			add_slider_block(slider, load_of(slider, i, cells), most, out);
}

struct slider_marks slider_write(const struct slider *slider, struct strbuf *out)
{
	const size_t left = text_width(slider->left) + GAP;
	const size_t right = text_width(slider->right) + GAP;
	const bool has_right = left + CELLS_LEAST + right <= slider->width;
	size_t cells;

	strbuf_add(out, slider->left);
	if (left + CELLS_LEAST > slider->width)
		return (struct slider_marks){.mark = -1};
	cells = slider->width - left - (has_right ? right : 0);
	strbuf_add(out, "  ");
	add_strip(slider, cells, out);
	if (has_right)
		strbuf_printf(out, "  %s", slider->right);
	return (struct slider_marks){
		.mark = (int)(left + slider_place(slider, cells)),
		.first = (int)left,
		.cells = (int)cells,
	};
}

/* What is kept, as far as it reaches: what was thinned out has what follows it. */
static void look_at_kept(struct playback *playback, const struct playback_span *span)
{
	const double length_ns = (double)(span->last_ns - span->first_ns);
	size_t part = 0;

	memset(playback->loads, 0, sizeof(playback->loads));
	for (size_t i = 0; i < playback->kept.count; i++) {
		const struct kept_interval *kept = &playback->kept.intervals[i];
		const double end_ns = (double)(kept->snapshot->time_ns - span->first_ns);
		const size_t last = (size_t)(end_ns / length_ns * PLAYBACK_PARTS);

		for (; part < PLAYBACK_PARTS; part++) {
			if (kept->rate > playback->loads[part])
				playback->loads[part] = kept->rate;
			if (part >= last)
				break;
		}
	}
}

static void look_at_file(struct playback *playback)
{
	uint64_t parts[PLAYBACK_PARTS];

	if (playback->has_asked)
		return;
	playback->has_asked = true;
	playback->has_overview =
		replay_overview(engine_source(playback->engine), parts, PLAYBACK_PARTS);
	for (size_t i = 0; i < PLAYBACK_PARTS && playback->has_overview; i++)
		playback->loads[i] = (double)parts[i];
}

static void write_state(const struct playback *playback, char *words, size_t size)
{
	if (playback->sought_ns != 0)
		snprintf(words, size, "looking for it");
	else if (!playback->is_playing)
		snprintf(words, size, "stopped");
	else
		snprintf(words, size, playback->is_fast ? "playing, no waits" : "playing");
}

static void write_replay(const struct playback *playback, const struct playback_span *span,
			 bool has_tenths, char *left, char *right)
{
	char state[PLAYBACK_TIME_MAX], now[PLAYBACK_TIME_MAX], all[PLAYBACK_TIME_MAX];
	char clock[PLAYBACK_TIME_MAX];

	write_state(playback, state, sizeof(state));
	playback_time_write(span->now_ns > span->first_ns ? span->now_ns - span->first_ns : 0,
			    has_tenths, now);
	playback_time_write(span->last_ns - span->first_ns, false, all);
	playback_time_write_clock(session_wall_ns(span->wall_offset_ns, span->now_ns), has_tenths,
				  clock);
	snprintf(left, WORDS_MAX, "%s  %s of %s", state, now, all);
	snprintf(right, WORDS_MAX, "%s", clock);
}

static void write_live(const struct playback *playback, const struct playback_span *span,
		       bool has_tenths, char *left, char *right)
{
	const struct kept *keep = &playback->kept;
	char clock[PLAYBACK_TIME_MAX], ago[PLAYBACK_TIME_MAX], all[PLAYBACK_TIME_MAX];

	playback_time_write_clock(session_wall_ns(span->wall_offset_ns, span->now_ns), has_tenths,
				  clock);
	playback_time_write(span->last_ns > span->now_ns ? span->last_ns - span->now_ns : 0,
			    has_tenths, ago);
	playback_time_write(span->last_ns - span->first_ns, false, all);
	snprintf(left, WORDS_MAX, "%s  %s ago", clock, ago);
	snprintf(right, WORDS_MAX, "kept %s, %.1f of %.0f MiB", all, (double)keep->bytes / MIB,
		 (double)keep->bytes_max / MIB);
}

struct slider_marks playback_write_slider(struct playback *playback, size_t width, bool ascii,
					  struct strbuf *out)
{
	const struct snapshot *snapshot = playback_snapshot(playback);
	const struct playback_span span = playback_span(playback);
	char left[WORDS_MAX], right[WORDS_MAX];
	struct slider slider = {
		.left = left,
		.right = right,
		.loads = playback->loads,
		.load_count = PLAYBACK_PARTS,
		.width = width,
		.ascii = ascii,
	};
	bool has_tenths;

	if (!playback_has_keys(playback) || !snapshot || span.last_ns <= span.first_ns)
		return (struct slider_marks){.mark = -1};
	has_tenths = snapshot->interval_ns < NS_PER_S;
	if (engine_is_replay(playback->engine)) {
		look_at_file(playback);
		write_replay(playback, &span, has_tenths, left, right);
	} else {
		write_live(playback, &span, has_tenths, left, right);
	}
	if (!playback->has_overview)
		look_at_kept(playback, &span);
	/* in the middle of what is shown */
	slider.position =
		((double)span.now_ns - (double)snapshot->interval_ns / 2 - (double)span.first_ns) /
		(double)(span.last_ns - span.first_ns);
	return slider_write(&slider, out);
}
