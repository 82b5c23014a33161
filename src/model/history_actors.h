#ifndef PERFTOP_MODEL_HISTORY_ACTORS_H
#define PERFTOP_MODEL_HISTORY_ACTORS_H

/*
 * The tasks that a history's entries name, by number. One is kept as long as an entry may name it,
 * and until HISTORY_ACTORS_RECENT others have been asked for since it was asked for last. Those
 * that may go do so in a sweep, when there are half as many again as the last sweep left.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/history.h"

#define HISTORY_ACTORS_OPEN UINT64_MAX

enum {
	HISTORY_ACTORS_RECENT = 1024,
	HISTORY_ACTORS_NAMED = 3, /* by an entry, at the most */
	HISTORY_ACTORS_NEAR = 256 /* those that switch now */
};

struct kept_actor;

struct history_actors {
	struct actor idle;
	struct map by_number;                         /* of kept actors; owned */
	struct kept_actor *near[HISTORY_ACTORS_NEAR]; /* borrowed; found last, by number */
	uint64_t next;                                /* number of the next new one */
	uint64_t asks; /* times history_actors_find_or_add() was called */
	uint64_t sweeps;
	size_t sweep_at; /* so many */
};

void history_actors_init(struct history_actors *actors);
void history_actors_fini(struct history_actors *actors);

/* *copy must not own anything. */
void history_actors_copy(struct history_actors *copy, const struct history_actors *actors);

/* The number of the task as it is named now, or as it gets its first name by this; 0: it has none
 * that is still kept and given as known.
 */
uint64_t history_actors_known(struct history_actors *actors, uint64_t known,
			      const struct snapshot_task *task);

/* The first name that is known of an actor that had none; any other is left as it is. */
void history_actors_name(struct history_actors *actors, uint64_t number,
			 const struct snapshot_task *task);
uint64_t history_actors_add(struct history_actors *actors, const struct snapshot_task *task);

/* NULL: not kept. ACTOR_UNKNOWN and ACTOR_IDLE always are. */
const struct actor *history_actors_find(const struct history_actors *actors, uint64_t number);

bool history_actors_are_many(const struct history_actors *actors);

/*
 * These are named by packed entries, all with sequence numbers below `end`: they are kept until
 * all entries below that are gone.
 */
void history_actors_note(struct history_actors *actors, const uint64_t *numbers, size_t count,
			 uint64_t end);

/*
 * A sweep: after the first call, those are noted with HISTORY_ACTORS_OPEN as end that entries which
 * are not packed name; the second one frees those that no entry from `first` on names.
 */
void history_actors_begin_sweep(struct history_actors *actors);
void history_actors_end_sweep(struct history_actors *actors, uint64_t first);

size_t history_actors_bytes(const struct history_actors *actors);

#endif
