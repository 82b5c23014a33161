#ifndef PERFTOP_MODEL_JOURNAL_H
#define PERFTOP_MODEL_JOURNAL_H

/*
 * Where switches are written down: the history, and the timing of the task that ended its slice.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/seldom.h"
#include "model/history.h"
#include "model/history_actors.h"
#include "model/model.h"
#include "model/tasks.h"
#include "model/timing.h"

struct history;
struct slice;

enum {
	IPC_SOURCES_MAX = 8
};

/* A counter in a counts vector, and in the readings of its group. */
struct ipc_counter {
	size_t place, counting_place; /* of its count, and of its group's counting time */
	uint16_t group, member;
};

/* Instructions and cycles that were counted at the same time. */
struct ipc_source {
	struct ipc_counter instructions, cycles;
};

struct journal {
	struct task_table *tasks;            /* borrowed */
	struct history *history;             /* owned; NULL: none is kept */
	const struct history_actors *actors; /* its */
	size_t capacity;                     /* of it */
	size_t width;                        /* of a counts vector */
	enum model_shed shed;
	uint64_t settled_ns;                  /* nothing earlier may be added */
	uint64_t shed_switches, shed_details; /* since the last close */
	struct ipc_source ipc[IPC_SOURCES_MAX];
	size_t ipc_count;
};

void journal_init(struct journal *journal, struct task_table *tasks, const struct layout *layout);
void journal_fini(struct journal *journal);

/* Forgets what was written; capacity 0: no history from now on. */
void journal_keep(struct journal *journal, size_t capacity);

/* Forgets what was written and what was left out. */
void journal_start(struct journal *journal);

void journal_change(struct journal *journal, const struct layout *layout);
void journal_settle(struct journal *journal, uint64_t time_ns);

/* False: entries would go nowhere. */
static inline bool journal_is_kept(const struct journal *journal)
{
	return journal->history && journal->shed == MODEL_SHED_NOTHING;
}

/* The task's number as an actor; good until the next entry. A nameless task is asked for it. Where
 * entries are kept, journal_kept_actor() does. */
SELDOM void journal_make_actor(struct journal *journal, struct task *task);
static inline uint64_t journal_kept_actor(struct journal *journal, struct task *task)
{
	if (task->row.name[0] == '\0' || !history_actors_ask(journal->actors, task->actor))
		journal_make_actor(journal, task);
	return task->actor;
}
static inline uint64_t journal_actor(struct journal *journal, struct task *task)
{
	return journal_is_kept(journal) ? journal_kept_actor(journal, task)
					: (uint64_t)ACTOR_UNKNOWN;
}

/* The task has got its first name. */
void journal_name(struct journal *journal, const struct task *task);

/* Adds an entry to a history that is kept; an earlier time than may be added becomes the first that
 * may. */
static inline void journal_add(struct journal *journal, struct switch_entry *entry)
{
	if (entry->time_ns < journal->settled_ns)
		entry->time_ns = journal->settled_ns;
	history_add(journal->history, entry);
}

/* There was a switch for which there is no room or no time. */
static inline void journal_leave_out(struct journal *journal)
{
	journal->shed_switches += journal->history != NULL;
}

/* How long it took; SWITCH_NS_UNKNOWN: another group says it. */
static inline uint64_t slice_length(const struct slice *slice)
{
	return slice->is_clock ? slice->delta[READING_ENABLED_NS] : SWITCH_NS_UNKNOWN;
}

/* A slice of the task has ended, in which this was counted; NULL: nothing is known of it. */
void journal_slice(struct journal *journal, struct task *task, uint64_t slice_ns,
		   const uint64_t *counts);
/* The instructions and cycles of one group; NULL: it has not both. */
const struct ipc_source *journal_ipc_source(const struct journal *journal, uint16_t group);

/* --- the same of a slice that is the difference of two readings, as most are */

enum {
	JOURNAL_WHOLE_PART = 16 /* a group counted all the time when at most this part is missing */
};

static inline bool journal_is_whole(uint64_t counting_ns, uint64_t slice_ns)
{
	if (counting_ns == slice_ns)
		return true;
	return (counting_ns > slice_ns ? counting_ns - slice_ns : slice_ns - counting_ns) <=
	       slice_ns / JOURNAL_WHOLE_PART;
}

/* Instructions and cycles of a slice that were counted all the time. */
static inline void journal_add_part(struct timing *timing, uint64_t slice_ns, uint64_t instructions,
				    uint64_t cycles)
{
	struct timing_part *part = slice_ns <= TIMING_SHORT_NS ? &timing->cold : &timing->late;

	part->slices++;
	part->ns += slice_ns;
	part->instructions += instructions;
	part->cycles += cycles;
}

/* Where a slice is to be entered; NULL: nowhere. */
static inline struct timing *journal_timing(struct journal *journal, struct task *task,
					    uint64_t slice_ns)
{
	if (journal->shed == MODEL_SHED_DETAIL) {
		journal->shed_details++;
		return NULL;
	}
	return slice_ns == SWITCH_NS_UNKNOWN ? NULL : task_table_timing(journal->tasks, task);
}

static inline void journal_add_whole(const struct journal *journal, struct timing *timing,
				     uint64_t slice_ns, const struct slice *whole)
{
	const uint64_t *counts = whole->delta + READING_VALUES;

	for (size_t i = 0; i < journal->ipc_count; i++) {
		const struct ipc_source *source = &journal->ipc[i];

		if (source->cycles.counting_place != whole->group->value_index ||
		    source->instructions.counting_place != whole->group->value_index)
			continue;
		if (journal_is_whole(whole->delta[READING_RUNNING_NS], slice_ns))
			journal_add_part(timing, slice_ns, counts[source->instructions.member],
					 counts[source->cycles.member]);
		return;
	}
}

static inline void journal_whole_slice(struct journal *journal, struct task *task,
				       const struct slice *slice, uint64_t slice_ns)
{
	struct timing *timing = journal_timing(journal, task, slice_ns);

	if (!timing)
		return;
	journal_add_whole(journal, timing, slice_ns, slice);
	distribution_add(&timing->of[TIMING_SLICES], slice_ns);
}

#endif
