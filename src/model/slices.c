/*
 * The order in which the parts are written down is that in which they ran: idle, no task's, the
 * owner's.
 */
#include "model/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/seldom.h"
#include "model/counts.h"

static void point_slices(struct slices *slices)
{
	for (size_t i = 0; i < SLICE_PARTS; i++)
		slices->parts[i].counts = slices->block + i * slices->width;
}

void slices_settle(struct slices *slices)
{
	if (!slices->has_whole)
		return;
	slices->has_whole = false;
	slice_credit(&slices->whole, slices->parts[SLICE_OWN].counts);
}

void slices_init(struct slices *slices, struct journal *journal, struct task *idle, int cpu)
{
	*slices = (struct slices){
		.journal = journal, .idle = idle, .cpu = cpu, .width = journal->width};
	slices->block = xcalloc(SLICE_PARTS * slices->width, sizeof(*slices->block));
	point_slices(slices);
}

void slices_fini(struct slices *slices)
{
	free(slices->block);
	*slices = (struct slices){0};
}

void slices_widen(struct slices *slices, size_t width)
{
	uint64_t *block = xcalloc(SLICE_PARTS * width, sizeof(*block));

	for (size_t i = 0; i < SLICE_PARTS; i++)
		memcpy(block + i * width, slices->parts[i].counts, slices->width * sizeof(*block));
	free(slices->block);
	slices->block = block;
	slices->width = width;
	point_slices(slices);
}

static void clear_part(struct slices *slices, struct slice_count *count)
{
	if (count->news != SLICE_NO_NEWS)
		counts_clear(count->counts, slices->width);
	count->news = SLICE_NO_NEWS;
}

void slices_start(struct slices *slices)
{
	slices_settle(slices);
	for (int i = 0; i < SLICE_PARTS && !slices->is_given; i++)
		clear_part(slices, &slices->parts[i]);
	slices->hides_idle = slices->is_given = false;
}

static bool is_idle(const struct slices *slices, const struct task *task)
{
	return task == slices->idle;
}

/* A slice that is in a vector, which is empty then. */
static void write_part(struct slices *slices, enum slice_part part, struct task *prev,
		       struct switch_entry *entry, struct task *next)
{
	struct slice_count *count = &slices->parts[part];

	entry->has_counts = count->news >= SLICE_NEWS_COUNTS;
	entry->counts = count->counts;
	if (prev && !is_idle(slices, prev))
		journal_slice(slices->journal, prev, entry->slice_ns, count->counts);
	if (journal_is_kept(slices->journal))
		slices_log(slices, prev, entry, next);
	else
		journal_leave_out(slices->journal);
	clear_part(slices, count);
}

static uint64_t slice_ns_of(const struct slice_count *count)
{
	return count->news == SLICE_NEWS_TIME ? count->counts[QUANTITY_RUN_NS] : SWITCH_NS_UNKNOWN;
}

void slices_write_vector(struct slices *slices, struct switch_entry *entry, struct task *next)
{
	const enum slice_part part = slices->owner ? SLICE_OWN : SLICE_STRAY;

	entry->slice_ns = slice_ns_of(&slices->parts[part]);
	write_part(slices, part, slices->owner, entry, next);
}

void slices_show_idle(struct slices *slices)
{
	if (!slices->hides_idle)
		return;
	slices->hides_idle = false;
	slices->after_idle.slice_ns = slice_ns_of(&slices->parts[SLICE_HIDDEN]);
	write_part(slices, SLICE_HIDDEN, slices->idle, &slices->after_idle, slices->owner);
}

/* No task's ran before the owner's, as far as is known. Without time it is counts only. */
static void write_stray(struct slices *slices, uint64_t end_ns)
{
	slices_settle(slices);
	const struct slice_count *own = &slices->parts[SLICE_OWN];
	const uint64_t own_ns = own->news == SLICE_NEWS_TIME ? own->counts[QUANTITY_RUN_NS] : 0;
	const struct slice_count *stray = &slices->parts[SLICE_STRAY];
	struct switch_entry entry = switch_unknown;

	entry.slice_ns = stray->counts[QUANTITY_RUN_NS];
	entry.time_ns = own->news == SLICE_NO_NEWS ? stray->counted_ns
			: end_ns > own_ns          ? end_ns - own_ns
						   : 0;
	write_part(slices, SLICE_STRAY, NULL, &entry, slices->owner);
}

/* Writes down what was before the owner's slice, which ends at this time. */
void slices_write_before(struct slices *slices, uint64_t end_ns)
{
	slices_show_idle(slices);
	if (slices->owner && slices->parts[SLICE_STRAY].news != SLICE_NO_NEWS)
		write_stray(slices, end_ns);
}

void slices_adopt(struct slices *slices, struct task *owner)
{
	slices->owner = owner;
	slices->is_announced = false;
}

/* Ends the slice where its last count was. */
void slices_cut(struct slices *slices, struct task *next)
{
	slices_settle(slices);
	const struct slice_count *count = &slices->parts[slices->owner ? SLICE_OWN : SLICE_STRAY];
	struct switch_entry entry = switch_unknown;

	entry.time_ns = count->counted_ns;
	entry.how = is_idle(slices, slices->owner) ? SWITCH_IDLE : SWITCH_UNKNOWN;
	if (slices->is_counted) {
		slices_write_before(slices, count->counted_ns);
		if (count->news != SLICE_NO_NEWS)
			slices_write(slices, &entry, next);
	}
	slices_adopt(slices, next);
}

void slices_stop(struct slices *slices)
{
	slices_cut(slices, NULL);
	slices->is_counted = false;
}

void slices_hide_idle(struct slices *slices, const struct switch_entry *entry, struct task *next)
{
	slices_settle(slices);
	const struct slice_count own = slices->parts[SLICE_OWN];

	slices->parts[SLICE_OWN] = slices->parts[SLICE_HIDDEN];
	slices->parts[SLICE_HIDDEN] = own;
	slices->hides_idle = slices->is_counted;
	slices->after_idle = *entry;
	slices_adopt(slices, next);
}

static uint64_t *note_slice_news(struct slice_count *count, uint64_t now_ns, enum slice_news news)
{
	count->counted_ns = now_ns;
	if (count->news < news)
		count->news = news;
	return count->counts;
}

uint64_t *slices_of(struct slices *slices, struct task *owner, uint64_t now_ns,
		    enum slice_news news)
{
	if (owner && owner != slices->owner)
		slices_break(slices, owner);

	slices_settle(slices);
	slices->is_announced = false;
	return note_slice_news(&slices->parts[owner ? SLICE_OWN : SLICE_STRAY], now_ns, news);
}

void slices_give(struct slices *slices, const struct record *record)
{
	const struct record_slice *given = &record->slice;

	slices_of(slices, slices->owner, record->time_ns,
		  (enum slice_news)given->news)[given->place] = given->value;
	slices->is_given = true;
}

const struct slice_count *slices_copy(const struct slices *slices, uint64_t *counts)
{
	const struct slice_count *own = &slices->parts[slices->owner ? SLICE_OWN : SLICE_STRAY];

	memcpy(counts, own->counts, slices->width * sizeof(*counts));
	if (slices->has_whole)
		slice_credit(&slices->whole, counts);
	return own;
}

/* Into the vector, with what is there already. */
void slices_add_to(struct slices *slices, struct task *owner, uint64_t now_ns)
{
	slice_credit(&slices->whole,
		     slices_of(slices, owner, now_ns,
			       slices->whole.is_clock ? SLICE_NEWS_TIME : SLICE_NEWS_COUNTS));
}

uint64_t *slices_of_hidden(struct slices *slices, uint64_t now_ns, enum slice_news news)
{
	/* the rest of one that had to be written down before all of its groups were read */
	if (!slices->hides_idle) {
		const uint64_t end_ns = slices->after_idle.time_ns;

		slices->hides_idle = true;
		slices->after_idle = switch_unknown;
		slices->after_idle.time_ns = end_ns;
		slices->after_idle.how = SWITCH_IDLE;
	}
	return note_slice_news(&slices->parts[SLICE_HIDDEN], now_ns, news);
}
