#include "mode/strips_cursor.h"

#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "view/timeline.h"

#include "mode/app.h"
#include "mode/keys.h"
#include "mode/strips.h"

/* clang-format off */
static const uint64_t spans[] = { /* ns */
	   100000000,    200000000,    500000000,
	  1000000000,   2000000000,   5000000000,
	 10000000000,  20000000000,  50000000000,
	100000000000, 200000000000, 500000000000,
	0 /* all of the history */
};
/* clang-format on */

enum {
	SPAN_COUNT = sizeof(spans) / sizeof(*spans),
	SPAN_FIRST = 6
};

uint64_t strips_first_span_ns(void)
{
	return spans[SPAN_FIRST];
}

void strips_release(struct app *app)
{
	app->strips->made_of = NULL;
	app->strips->cursor_ns = 0;
	app->strips->end_ns = 0;
}

/* The newest cell of the selected CPU in which something is known. */
static size_t last_known_cell(const struct strips *strips)
{
	const struct timeline *timeline = &strips->timeline;
	const struct timeline_strip *strip = &timeline->strips[strips_index(strips)];
	size_t cell = timeline->cell_count;

	while (cell > 1 && strip->cells[cell - 1].kind == TIMELINE_NOTHING)
		cell--;
	return cell - 1;
}

/* Sees to it that there is a cursor; false: there is nothing to put it on. */
static bool take_cursor(struct app *app)
{
	struct strips *strips = app->strips;
	const struct timeline *timeline = &strips->timeline;

	if (timeline->strip_count == 0)
		return false;
	if (strips->cursor_ns != 0)
		return true;
	if (!playback_is_frozen(app->playback)) {
		playback_stop(app->playback);
		if (playback_is_frozen(app->playback))
			app_say(app, false, "frozen, still counting; %s: resume",
				keys_name_of(&app->keys, "freeze"));
	}
	strips->end_ns = timeline->begin_ns + timeline->cell_ns * timeline->cell_count;
	strips->cursor_ns = timeline->begin_ns + last_known_cell(strips) * timeline->cell_ns +
			    timeline->cell_ns / 2;
	app->needs_build = true;
	return true;
}

/* Moves the cursor and what is shown in time; strips_build() keeps them in what there is. */
static void shift(struct strips *strips, int64_t cursor_ns, int64_t end_ns)
{
	const uint64_t back = cursor_ns < 0 ? (uint64_t)-cursor_ns : 0;

	strips->cursor_ns = back >= strips->cursor_ns ? 1 : strips->cursor_ns + (uint64_t)cursor_ns;
	strips->end_ns += (uint64_t)end_ns;
}

void strips_step(struct app *app, int cells)
{
	struct strips *strips = app->strips;
	const bool had_cursor = strips->cursor_ns != 0;

	/* the first key only shows where the cursor is */
	if (!take_cursor(app) || !had_cursor)
		return;
	shift(strips, cells * (int64_t)strips->timeline.cell_ns, 0);
	app->needs_build = true;
}

void strips_point(struct app *app, size_t strip, size_t cell)
{
	struct strips *strips = app->strips;
	const struct timeline *timeline = &strips->timeline;

	if (strip >= timeline->strip_count || cell >= timeline->cell_count || !take_cursor(app))
		return;
	strips->cpu = timeline->strips[strip].cpu;
	strips->cursor_ns = timeline->begin_ns + cell * timeline->cell_ns + timeline->cell_ns / 2;
	app->needs_build = true;
}

static void select_cpu(struct app *app, int by)
{
	struct strips *strips = app->strips;
	const size_t count = strips->timeline.strip_count;
	const size_t index = strips_index(strips);

	if (count == 0)
		return;
	if (by < 0 && index > 0)
		strips->cpu = strips->timeline.strips[index - 1].cpu;
	if (by > 0 && index + 1 < count)
		strips->cpu = strips->timeline.strips[index + 1].cpu;
	app->needs_drawing = true;
}

static void shift_span(struct app *app, int by)
{
	struct strips *strips = app->strips;
	const struct timeline *timeline = &strips->timeline;
	const int64_t span_ns = (int64_t)(timeline->cell_ns * timeline->cell_count);

	shift(strips, by * span_ns, by * span_ns);
}

void strips_move(struct app *app, enum list_motion motion)
{
	struct playback_reach reach;

	if (motion == LIST_UP || motion == LIST_DOWN) {
		select_cpu(app, motion == LIST_UP ? -1 : 1);
		return;
	}
	if (!take_cursor(app))
		return;
	app->needs_build = true;
	switch (motion) {
	case LIST_PAGE_UP:
		shift_span(app, -1);
		return;
	case LIST_PAGE_DOWN:
		shift_span(app, 1);
		return;
	case LIST_HOME:
		app->strips->cursor_ns = 1;
		return;
	case LIST_END:
		if (playback_reach(app->playback, &reach))
			app->strips->cursor_ns = reach.newest_ns;
		return;
	case LIST_UP:
	case LIST_DOWN:
		return;
	}
}

static size_t span_index(const struct strips *strips)
{
	size_t index = 0;

	while (index + 1 < SPAN_COUNT && spans[index] != strips->span_ns)
		index++;
	return index;
}

/* The longest one that is shorter than the history; one step on all of it is shown. */
static size_t longest_index(const struct playback_reach *reach)
{
	size_t index = 0;

	while (index + 2 < SPAN_COUNT && spans[index + 1] < reach->newest_ns - reach->oldest_ns)
		index++;
	return index;
}

static void say_span(struct app *app)
{
	char text[UNITS_TEXT_MAX];

	if (app->strips->span_ns == 0) {
		app_say(app, false, "showing the whole history");
		return;
	}
	units_format_duration(text, app->strips->span_ns);
	app_say(app, false, "showing %s", text);
}

void strips_zoom(struct app *app, int by)
{
	struct strips *strips = app->strips;
	const struct timeline *timeline = &strips->timeline;
	const uint64_t before_ns = timeline->cell_ns * timeline->cell_count;
	size_t index = span_index(strips);
	struct playback_reach reach;

	if (!playback_reach(app->playback, &reach))
		return;
	if (by < 0)
		index = strips->span_ns == 0 ? longest_index(&reach) : index > 0 ? index - 1 : 0;
	else
		index = index >= longest_index(&reach) ? SPAN_COUNT - 1 : index + 1;
	strips->span_ns = spans[index];
	/* the cursor keeps its place on the screen */
	if (strips->cursor_ns != 0 && before_ns > 0 && strips->end_ns > strips->cursor_ns)
		strips->end_ns = strips->cursor_ns +
				 (uint64_t)((double)(strips->end_ns - strips->cursor_ns) /
					    (double)before_ns * (double)strips->span_ns);
	say_span(app);
	app->needs_build = true;
}
