/*
 * Where a window begins in time: at the entry before its first, since what an entry says of
 * lies before it; at the first itself when nothing is kept before that.
 */

#include "view/window.h"

#include <stdbool.h>

#include "model/history.h"
#include "view/table.h"

static uint64_t time_of(const struct history *history, uint64_t sequence)
{
	return history_number(history, sequence, HISTORY_TIME_NS);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Takes out what is earlier than so long before the newest. */
static void shorten(struct window *window, uint64_t window_ns)
{
	const uint64_t begin_ns = window->end_ns > window_ns ? window->end_ns - window_ns : 0;
	uint64_t first;

	if (begin_ns <= window->begin_ns)
		return;
	/* The one that happened just then belongs to the time before. */
	first = history_seek(window->history, begin_ns + 1);
	if (first > window->first)
		window->first = least(first, window->end);
	window->begin_ns = begin_ns;
}

static struct window make(const struct history *history, uint64_t from, uint64_t to)
{
	struct window window = {.history = history};

	if (!history)
		return window;
	window.end = least(to, history_settled(history));
	window.first = history_first(history);
	if (window.first < from)
		window.first = from;
	if (window.first >= window.end) {
		window.first = window.end;
		return window;
	}
	window.end_ns = time_of(history, window.end - 1);
	window.begin_ns = time_of(history, window.first > history_first(history) ? window.first - 1
										 : window.first);
	return window;
}

struct window window_of_all(const struct history *history)
{
	return make(history, 0, UINT64_MAX);
}

struct window window_of(const struct view_settings *settings)
{
	const bool all = settings->history_from == 0 && settings->history_to == 0;
	struct window window = make(settings->history, settings->history_from,
				    all ? UINT64_MAX : settings->history_to);

	if (settings->window_ns > 0 && window.first < window.end)
		shorten(&window, settings->window_ns);
	return window;
}
