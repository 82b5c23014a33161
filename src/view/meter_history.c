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
	size_t count = history->count;

	while (count > 0 && history->intervals[count - 1].time_ns > time_ns)
		count--;
	return count;
}

void meter_history_note(struct meter_history *history, uint64_t time_ns,
			const struct summary *summary)
{
	struct meter_interval *intervals = history->intervals;
	size_t at = count_until(history, time_ns);

	if (at > 0 && intervals[at - 1].time_ns == time_ns) {
		at--;
	} else if (history->count < METER_HISTORY_KEPT) {
		memmove(&intervals[at + 1], &intervals[at],
			(history->count - at) * sizeof(*intervals));
		history->count++;
	} else if (at == 0) {
		return; /* older than all that there is room for */
	} else {
		memmove(&intervals[0], &intervals[1],
			--at * sizeof(*intervals)); /* the oldest goes */
	}
	intervals[at].time_ns = time_ns;
	for (size_t i = 0; i < METER_KINDS; i++)
		intervals[at].points[i] = (struct meter_point){(float)summary->meters[i].value,
							       summary->meters[i].goodness};
}

uint64_t meter_history_newest_ns(const struct meter_history *history)
{
	return history->count > 0 ? history->intervals[history->count - 1].time_ns : 0;
}

const struct meter_interval *meter_history_last(const struct meter_history *history,
						uint64_t time_ns, size_t most, size_t *count)
{
	const size_t end = count_until(history, time_ns);

	*count = end < most ? end : most;
	return history->intervals + end - *count;
}

double meter_history_top(enum meter_kind kind, const struct meter_interval *intervals, size_t count)
{
	double largest = 0;
	double top;

	if (kind == METER_BUSY)
		return 100;
	for (size_t i = 0; i < count; i++)
		if (intervals[i].points[kind].value > largest)
			largest = intervals[i].points[kind].value;
	top = spark_top(largest);
	return kind == METER_MISS && top > 100 ? 100 : top;
}
