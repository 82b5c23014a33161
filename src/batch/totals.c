/*
 * Sums of estimates grow as sums of counts do, while an estimate from a sum may be less than the
 * one before. So each interval is scaled by itself.
 *
 * Series of their own have the first `limit` of the interval, and, while there is room, those that
 * were among the first most recently: a series that comes and goes is of little use to whoever
 * keeps it, and each new one costs it. One that gives its place to another keeps its sum, and goes
 * on with it should it come back.
 */

#include "batch/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/metric.h"

static const double ns_per_s = 1e9;

static void tally_fini(struct tally *tally)
{
	free(tally->events);
	*tally = (struct tally){0};
}

/* Events are added to a layout, none is ever taken off it. */
static void widen(struct tally *tally, size_t event_count)
{
	if (tally->event_count >= event_count)
		return;
	tally->events = xrealloc(tally->events, event_count, sizeof(*tally->events));
	for (size_t i = tally->event_count; i < event_count; i++)
		tally->events[i] = 0;
	tally->event_count = event_count;
}

/* NaN: not counted. */
static double worth(const struct layout *layout, size_t index, const uint64_t *counts,
		    uint64_t interval_ns)
{
	const struct event *event = &layout->events[index];

	if (event->state == EVENT_COUNTING && event->scale == 1.0)
		return (double)layout_event_count(layout, index, counts);
	return metrics_event_rate(layout, index, -1, counts, interval_ns).value *
	       ((double)interval_ns / ns_per_s);
}

void tally_add(struct tally *tally, const struct layout *layout, const uint64_t *counts,
	       uint32_t unknown, uint64_t interval_ns)
{
	for (int i = 0; i < QUANTITY_BUILTIN; i++)
		if (!(unknown & 1u << i))
			tally->quantities[i] += counts[i];
	widen(tally, layout->event_count);
	if (unknown & METRIC_EVENTS_UNKNOWN)
		return;
	for (size_t i = 0; i < layout->event_count; i++) {
		const double count = worth(layout, i, counts, interval_ns);

		if (isfinite(count))
			tally->events[i] += count;
	}
}

double tally_event(const struct tally *tally, size_t event)
{
	return event < tally->event_count ? tally->events[event] : 0;
}

static void destroy(struct top_one *one)
{
	tally_fini(&one->tally);
	free(one->labels);
	free(one);
}

void top_fini(struct top *top)
{
	for (size_t i = 0; i < top->count; i++)
		destroy(top->ones[i]);
	free(top->ones);
	map_fini(&top->by_key);
	tally_fini(&top->rest);
	*top = (struct top){0};
}

void top_begin(struct top *top, size_t limit)
{
	size_t kept = 0;

	for (size_t i = 0; i < top->count; i++) {
		struct top_one *one = top->ones[i];

		if (!one->is_over && !one->is_reused && i < top->shown_count + TOP_KEPT_MAX) {
			top->ones[kept++] = one;
			continue;
		}
		map_remove(&top->by_key, one->key);
		destroy(one);
	}
	top->count = kept;
	top->shown_count = 0;
	top->limit = limit;
	top->rank = 0;
	top->round++;
}

struct top_one *top_find(const struct top *top, uint64_t key)
{
	return map_get(&top->by_key, key);
}

static struct top_one *add(struct top *top, uint64_t key)
{
	struct top_one *one = xcalloc(1, sizeof(*one));

	one->key = key;
	array_reserve(&top->ones, &top->capacity, top->count + 1, sizeof(*top->ones));
	top->ones[top->count++] = one;
	map_put(&top->by_key, key, one);
	return one;
}

void top_offer(struct top *top, uint64_t key, bool may_enter)
{
	struct top_one *one = top_find(top, key);

	if (top->rank >= top->limit || (!one && !may_enter))
		return;
	if (!one)
		one = add(top, key);
	one->last_round = top->round;
	one->last_rank = top->rank++;
}

static int compare_indexes(const void *a, const void *b)
{
	const struct top_one *left = *(struct top_one *const *)a;
	const struct top_one *right = *(struct top_one *const *)b;

	if (left->last_round != right->last_round)
		return left->last_round > right->last_round ? -1 : 1;
	return left->last_rank < right->last_rank ? -1 : 1;
}

static int compare_keys(const void *a, const void *b)
{
	const struct top_one *left = *(struct top_one *const *)a;
	const struct top_one *right = *(struct top_one *const *)b;

	return left->key < right->key ? -1 : left->key > right->key;
}

void top_choose(struct top *top)
{
	if (top->count == 0)
		return;
	qsort(top->ones, top->count, sizeof(struct top_one *), compare_indexes);
	top->shown_count = top->count < top->limit ? top->count : top->limit;
	for (size_t i = 0; i < top->count; i++)
		top->ones[i]->is_shown = i < top->shown_count;
	qsort(top->ones, top->shown_count, sizeof(struct top_one *), compare_keys);
}

void top_name(struct top_one *one, const char *labels)
{
	if (one->labels && strcmp(one->labels, labels) == 0)
		return;
	free(one->labels);
	one->labels = xstrdup(labels);
}

struct totals *totals_create(void)
{
	return xcalloc(1, sizeof(struct totals));
}

void totals_destroy(struct totals *totals)
{
	if (!totals)
		return;
	tally_fini(&totals->all);
	top_fini(&totals->cpus);
	top_fini(&totals->tasks);
	top_fini(&totals->groups);
	top_fini(&totals->pairs);
	free(totals);
}
