/*
 * Arrays in the order of time. Intervals come in that order, but for those of a recording that is
 * played again, which are mostly the same as before.
 */

#include "view/meter_history.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
	LEVELS = 8
};

const char *spark_sign(double share, bool ascii)
{
	static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const signs[LEVELS] = {".", ":", "-", "=", "+", "*", "%", "#"};
	size_t level = 0;

	if (isnan(share))
		return " ";
	if (share > 0)
		level = share < 1 ? (size_t)(share * LEVELS) : LEVELS - 1;
	return ascii ? signs[level] : blocks[level];
}

double spark_top(double largest)
{
	static const double steps[] = {1, 1.5, 2, 3, 5, 8, 10};
	const double wanted = largest * 1.1;
	double decade;

	if (!(wanted > 0) || !isfinite(wanted))
		return 1;
	decade = pow(10, floor(log10(wanted)));
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i] * decade >= wanted)
			return steps[i] * decade;
	return 10 * decade;
}

/* How many ended up to this time. */
static size_t count_until(const struct meter_history *history, uint64_t time_ns)
{
	size_t place = history->count;

	while (place > 0 && history->times_ns[place - 1] > time_ns)
		place--;
	return place;
}

/* The oldest goes. */
static void drop_oldest(struct meter_history *history)
{
	history->count--;
	memmove(history->times_ns, history->times_ns + 1,
		history->count * sizeof(*history->times_ns));
	for (size_t i = 0; i < METER_KINDS; i++)
		memmove(history->points[i], history->points[i] + 1,
			history->count * sizeof(**history->points));
}

static void make_room(struct meter_history *history, size_t place)
{
	const size_t behind = history->count - place;

	memmove(history->times_ns + place + 1, history->times_ns + place,
		behind * sizeof(*history->times_ns));
	for (size_t i = 0; i < METER_KINDS; i++)
		memmove(history->points[i] + place + 1, history->points[i] + place,
			behind * sizeof(**history->points));
	history->count++;
}

void meter_history_note(struct meter_history *history, uint64_t time_ns,
			const struct summary *summary)
{
	size_t place = count_until(history, time_ns);

	if (place > 0 && history->times_ns[place - 1] == time_ns) {
		place--;
	} else if (history->count < METER_HISTORY_KEPT) {
		make_room(history, place);
	} else if (place == 0) {
		return; /* older than all that there is room for */
	} else {
		drop_oldest(history);
		make_room(history, --place);
	}
	history->times_ns[place] = time_ns;
	for (size_t i = 0; i < METER_KINDS; i++)
		history->points[i][place] = (struct meter_point){(float)summary->meters[i].value,
								 summary->meters[i].goodness};
}

uint64_t meter_history_newest_ns(const struct meter_history *history)
{
	return history->count > 0 ? history->times_ns[history->count - 1] : 0;
}

const struct meter_point *meter_history_points(const struct meter_history *history,
					       enum meter_kind kind, uint64_t time_ns, size_t most,
					       size_t *count)
{
	const size_t end = count_until(history, time_ns);

	*count = end < most ? end : most;
	return history->points[kind] + end - *count;
}

double meter_history_top(enum meter_kind kind, const struct meter_point *points, size_t count)
{
	double largest = 0;
	double top;

	if (kind == METER_BUSY)
		return 100;
	for (size_t i = 0; i < count; i++)
		if (points[i].value > largest)
			largest = points[i].value;
	top = spark_top(largest);
	return kind == METER_MISS && top > 100 ? 100 : top;
}
