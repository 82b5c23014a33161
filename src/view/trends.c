/*
 * Intervals are ticks, counted from 1; a ring of ticks says when they ended, and each row has a
 * ring of values. A value is good only if its tick is not older than the ring is long, and a row
 * that was not there in a tick has NaN in it.
 */

#include "view/trends.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static size_t place_of_tick(uint64_t tick)
{
	return (size_t)(tick % TRENDS_KEPT);
}

static uint64_t oldest_tick(const struct trends *trends)
{
	return trends->ticks < TRENDS_KEPT ? 1 : trends->ticks - TRENDS_KEPT + 1;
}

void trends_fini(struct trends *trends)
{
	map_fini(&trends->indexes);
	free(trends->entries);
	*trends = (struct trends){0};
}

static struct trend *find_trend(const struct trends *trends, uint64_t id)
{
	const uintptr_t index = (uintptr_t)map_get(&trends->indexes, id);

	return index > 0 ? &trends->entries[index - 1] : NULL;
}

/* The last tick that ended up to this time; 0: none that is kept. */
static uint64_t tick_at(const struct trends *trends, uint64_t time_ns)
{
	for (uint64_t tick = trends->ticks; tick > 0 && tick >= oldest_tick(trends); tick--) {
		const uint64_t end_ns = trends->times_ns[place_of_tick(tick)];

		if (end_ns != 0 && end_ns <= time_ns)
			return tick;
	}
	return 0;
}

static void add_tick(struct trends *trends, uint64_t time_ns)
{
	trends->ticks++;
	trends->times_ns[place_of_tick(trends->ticks)] = time_ns;
	trends->largest[place_of_tick(trends->ticks)] = 0;
}

/* Rows without a value that is still kept. */
static void forget_gone(struct trends *trends)
{
	size_t kept = 0;

	map_fini(&trends->indexes);
	for (size_t i = 0; i < trends->count; i++) {
		const struct trend *trend = &trends->entries[i];

		if (trend->last_tick < oldest_tick(trends))
			continue;
		trends->entries[kept++] = *trend;
		map_put(&trends->indexes, trend->id, (void *)(uintptr_t)kept);
	}
	trends->count = kept;
	array_shrink(&trends->entries, &trends->capacity, kept, sizeof(*trends->entries));
}

/* Intervals are not all of one length. */
static bool is_hole(uint64_t between_ns, uint64_t interval_ns)
{
	return between_ns > interval_ns + interval_ns / 2;
}

bool trends_goes_on(const struct trends *trends, const struct column *of, uint64_t time_ns,
		    uint64_t interval_ns)
{
	const uint64_t known = of == trends->of ? tick_at(trends, time_ns) : 0;
	const uint64_t known_ns = known > 0 ? trends->times_ns[place_of_tick(known)] : 0;

	if (known == 0 || known_ns == time_ns)
		return known > 0;
	return known == trends->ticks && !is_hole(time_ns - known_ns, interval_ns);
}

bool trends_begin(struct trends *trends, const struct column *of, uint64_t time_ns,
		  uint64_t interval_ns)
{
	const uint64_t known = of == trends->of ? tick_at(trends, time_ns) : 0;
	const uint64_t known_ns = known > 0 ? trends->times_ns[place_of_tick(known)] : 0;

	if (known > 0 && known_ns == time_ns)
		return known == trends->ticks;
	if (known == 0 || known < trends->ticks) {
		map_fini(&trends->indexes);
		trends->count = 0;
		trends->ticks = 0;
		trends->of = of;
	} else if (is_hole(time_ns - known_ns, interval_ns)) {
		add_tick(trends, 0);
	}
	add_tick(trends, time_ns);
	if (trends->ticks % TRENDS_KEPT == 0)
		forget_gone(trends);
	return true;
}

bool trends_has(const struct trends *trends, uint64_t id)
{
	const struct trend *trend = find_trend(trends, id);

	return trend && trend->last_tick == trends->ticks;
}

/* One without a past. NULL: there are too many. */
static struct trend *begin_trend(struct trends *trends, uint64_t id)
{
	struct trend *trend;

	if (trends->count == TRENDS_MOST)
		return NULL;
	array_reserve(&trends->entries, &trends->capacity, trends->count + 1,
		      sizeof(*trends->entries));
	trend = &trends->entries[trends->count++];
	*trend = (struct trend){.id = id, .last_tick = trends->ticks - 1};
	for (size_t i = 0; i < TRENDS_KEPT; i++)
		trend->values[i] = NAN;
	map_put(&trends->indexes, id, (void *)(uintptr_t)trends->count);
	return trend;
}

void trends_put(struct trends *trends, uint64_t id, double value)
{
	float *largest = &trends->largest[place_of_tick(trends->ticks)];
	struct trend *trend = find_trend(trends, id);

	if (!trend)
		trend = begin_trend(trends, id);
	if (!trend)
		return;
	/* what the ring still has of ticks in which the row was not there */
	for (uint64_t tick = trends->ticks; tick > trend->last_tick + 1; tick--) {
		trend->values[place_of_tick(tick - 1)] = NAN;
		if (trends->ticks - tick >= TRENDS_KEPT)
			break;
	}
	trend->last_tick = trends->ticks;
	trend->values[place_of_tick(trends->ticks)] = (float)value;
	if (isfinite(value) && (float)value > *largest)
		*largest = (float)value;
}

/* NaN: the row was not there, or its value was not known. */
static double value_of(const struct trends *trends, const struct trend *trend, uint64_t tick)
{
	if (tick < oldest_tick(trends) || tick > trend->last_tick)
		return NAN;
	return trends->times_ns[place_of_tick(tick)] != 0
		       ? (double)trend->values[place_of_tick(tick)]
		       : NAN;
}

/* Of the ticks first to last, so that rows can be compared. */
static double highest_of(const struct trends *trends, uint64_t first, uint64_t last)
{
	double largest = 0;

	for (uint64_t tick = first; tick <= last; tick++)
		if ((double)trends->largest[place_of_tick(tick)] > largest)
			largest = (double)trends->largest[place_of_tick(tick)];
	return spark_top(largest);
}

bool trends_write(const struct trends *trends, uint64_t id, uint64_t time_ns, double full,
		  size_t columns, bool ascii, char *text, size_t size)
{
	const struct trend *trend = find_trend(trends, id);
	const uint64_t last = tick_at(trends, time_ns);
	const uint64_t oldest = oldest_tick(trends);
	const uint64_t first = last - oldest + 1 > columns ? last - columns + 1 : oldest;
	bool is_known = false;
	size_t length = 0;
	double top;

	if (!trend || last == 0)
		return false;
	top = fmax(full, highest_of(trends, first, last));
	for (uint64_t i = last - first + 1; i < columns && length + 1 < size; i++)
		text[length++] = ' ';
	text[length] = '\0';
	for (uint64_t tick = first; tick <= last && length < size; tick++) {
		const double value = value_of(trends, trend, tick);

		is_known = is_known || !isnan(value);
		length += (size_t)snprintf(text + length, size - length, "%s",
					   spark_sign(value / top, ascii));
	}
	return is_known;
}

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
