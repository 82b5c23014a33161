#ifndef PERFTOP_MODEL_SLICES_H
#define PERFTOP_MODEL_SLICES_H

/*
 * The slice that a CPU is in: its owner and what it has counted so far. It begins and ends with
 * switch records, or, when these are missing, where another task turns out to run.
 *
 * Whatever a CPU counts goes into one of three vectors:
 *
 *	own      of the task (or idle) that runs
 *	stray    no task's; becomes a slice of its own before that of the owner
 *	hidden   of idle that has left no records, until it is counted: it has ended already, but
 *	         its counts are known only with those of the task that came after it
 *
 * So the slices that were written down and these three add up to what the CPU has counted.
 * Waits are no counts of a slice: the entry in which a task comes reports them.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/seldom.h"
#include "model/journal.h"
#include "model/scheduling.h"
#include "model/stream.h"

enum slice_part {
	SLICE_OWN,
	SLICE_STRAY,
	SLICE_HIDDEN,
	SLICE_PARTS
};

/* What is reported of a slice. Each is more than those before. The numbers are in recordings. */
enum slice_news {
	SLICE_NO_NEWS,
	SLICE_NEWS,        /* something that no counter counts */
	SLICE_NEWS_COUNTS, /* counters were read */
	SLICE_NEWS_TIME    /* and its run time is among them */
};

struct slice_count {
	uint64_t *counts;     /* owned by struct slices */
	uint64_t counted_ns;  /* record time of the last that was added */
	enum slice_news news; /* the most that is in them */
};

/* Of one CPU. */
struct slices {
	struct journal *journal; /* borrowed */
	struct task *idle;       /* borrowed; represents the idle tasks */
	int cpu;
	bool is_counted;    /* there are readings of this CPU: what ends is written down */
	bool is_announced;  /* the last switch named the incoming task; it has not been seen yet */
	bool hides_idle;    /* a hidden slice is to be written down */
	bool is_given;      /* before the start: the owner's slice is */
	struct task *owner; /* NULL: unknown; between two records no other one than the CPU's
			       running task, which holds a reference */
	size_t width;
	uint64_t *block; /* owned */
	struct slice_count parts[SLICE_PARTS];
	struct slice whole; /* has_whole: all that there is of the owner's, in no vector yet */
	bool has_whole;
	struct switch_entry after_idle; /* the switch at the end of the hidden slice */
};

void slices_init(struct slices *slices, struct journal *journal, struct task *idle, int cpu);
void slices_fini(struct slices *slices);
void slices_widen(struct slices *slices, size_t width);

/* Forgets what was counted, but not the running task, and of that not what is given. */
void slices_start(struct slices *slices);

/* One number of what the owner's slice has counted before anything was read here, up to then. */
void slices_give(struct slices *slices, const struct record *record);

/*
 * The vector for what was counted for the owner (NULL: for no task) up to this time. Likewise for
 * idle that has left no records.
 */
uint64_t *slices_of(struct slices *slices, struct task *owner, uint64_t now_ns,
		    enum slice_news news);
uint64_t *slices_of_hidden(struct slices *slices, uint64_t now_ns, enum slice_news news);

/* What was counted for the owner so far; counts: zeros, to be filled. */
const struct slice_count *slices_copy(const struct slices *slices, uint64_t *counts);

/*
 * Room for the next reading's slice, and that slice for the owner (NULL: for no task). What is all
 * that was counted in a slice, as it mostly is, is written down from where it is.
 */
void slices_settle(struct slices *slices); /* into the vector, before the layout changes */
static inline struct slice *slices_room(struct slices *slices)
{
	if (slices->has_whole)
		slices_settle(slices);
	return &slices->whole;
}
void slices_add_to(struct slices *slices, struct task *owner, uint64_t now_ns);
static inline void slices_add(struct slices *slices, struct task *owner, uint64_t now_ns)
{
	struct slice_count *own = &slices->parts[SLICE_OWN];

	if (!owner || owner != slices->owner || own->news != SLICE_NO_NEWS) {
		slices_add_to(slices, owner, now_ns);
		return;
	}
	own->counted_ns = now_ns;
	own->news = slices->whole.is_clock ? SLICE_NEWS_TIME : SLICE_NEWS_COUNTS;
	slices->has_whole = true;
	slices->is_announced = false;
}

/* Another task runs than was thought, if it is another; no record says since when. */
void slices_cut(struct slices *slices, struct task *next);
static inline void slices_break(struct slices *slices, struct task *next)
{
	if (slices->owner != next)
		slices_cut(slices, next);
}

/* The CPU is counted no more, until is_counted is set again. */
void slices_stop(struct slices *slices);

static inline uint64_t slices_actor(const struct slices *slices, struct task *task)
{
	if (!task)
		return ACTOR_UNKNOWN;
	return task == slices->idle ? (uint64_t)ACTOR_IDLE
				    : journal_kept_actor(slices->journal, task);
}

/* Puts a slice of this task that is over into the history. */
static inline void slices_log(struct slices *slices, struct task *prev, struct switch_entry *entry,
			      struct task *next)
{
	entry->prev = slices_actor(slices, prev);
	entry->next = slices_actor(slices, next);
	entry->cpu = slices->cpu;
	journal_add(slices->journal, entry);
}

/* Writes down the slice that ends, and for slices_end() what was before it; of that slice what is
 * in a vector. */
SELDOM void slices_write_before(struct slices *slices, uint64_t end_ns);
SELDOM void slices_write_vector(struct slices *slices, struct switch_entry *entry,
				struct task *next);
static inline void slices_write(struct slices *slices, struct switch_entry *entry,
				struct task *next)
{
	if (!slices->has_whole) {
		slices_write_vector(slices, entry, next);
		return;
	}
	entry->slice_ns = slice_length(&slices->whole);
	if (slices->owner != slices->idle)
		journal_whole_slice(slices->journal, slices->owner, &slices->whole,
				    entry->slice_ns);
	if (journal_is_kept(slices->journal)) {
		entry->has_counts = true;
		entry->whole = &slices->whole;
		slices_log(slices, slices->owner, entry, next);
	} else {
		journal_leave_out(slices->journal);
	}
	slices->has_whole = false;
	slices->parts[SLICE_OWN].news = SLICE_NO_NEWS;
}

/*
 * The owner leaves and the next one comes, NULL: an unknown one. What the entry does not say of the
 * slice that ends is filled in if it is written down.
 */
static inline void slices_end(struct slices *slices, struct switch_entry *entry, struct task *next)
{
	if (slices->is_counted) {
		if (slices->hides_idle || slices->parts[SLICE_STRAY].news != SLICE_NO_NEWS)
			slices_write_before(slices, entry->time_ns);
		slices_write(slices, entry, next);
	}
	slices->owner = next;
	slices->is_announced = true;
}

/* Idle leaves, of which there are no records: its counts will come later. */
void slices_hide_idle(struct slices *slices, const struct switch_entry *entry, struct task *next);

/* A task comes of which nothing was reported when it was announced. */
void slices_adopt(struct slices *slices, struct task *owner);

/* A hidden slice with known counts is written down. */
void slices_show_idle(struct slices *slices);

#endif
