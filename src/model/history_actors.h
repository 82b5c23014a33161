#ifndef PERFTOP_MODEL_HISTORY_ACTORS_H
#define PERFTOP_MODEL_HISTORY_ACTORS_H

/*
 * The tasks that a history's entries name, by number, in pieces of HISTORY_ACTORS_PIECE numbers
 * that follow each other: those of short tasks go together, as they came, and the memory of a piece
 * can be given back as a whole. The newest pieces are young: every entry is thought to name one in
 * them. Others are kept as long as an entry may name one in it; those that may go do so in a sweep,
 * when the newest piece is full.
 *
 * So that a task that lives on does not keep all that came with it, it gets a new number when its
 * old one is no longer young.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history.h"

#define HISTORY_ACTORS_OPEN UINT64_MAX

enum {
	HISTORY_ACTORS_PIECE = 4096,
	HISTORY_ACTORS_YOUNG = 16 /* pieces */
};

struct shared_actors;

struct actors_piece {
	struct shared_actors *shared; /* one reference; NULL: they have gone */
	uint64_t end;                 /* sealed entries that name one are below; 0: none */
	uint64_t sweep;               /* the last sweep in which an open entry named one */
};

struct history_actors {
	struct actor idle;
	struct actors_piece *pieces; /* owned */
	size_t piece_count, piece_capacity, kept_count;
	uint64_t first; /* number with which pieces[0] begins */
	uint64_t young; /* number with which the young pieces begin */
	uint64_t next;  /* number of the next new one */
	uint64_t sweeps;
};

void history_actors_init(struct history_actors *actors);
void history_actors_fini(struct history_actors *actors);

/* The pieces are shared. *copy must not own anything; none can be added to it. */
void history_actors_copy(struct history_actors *copy, const struct history_actors *actors);

/* Whether one that is known may still be given: it is young. ACTOR_UNKNOWN may not. */
static inline bool history_actors_ask(const struct history_actors *actors, uint64_t number)
{
	return number >= actors->young;
}

/* The first name that is known of an actor that had none; any other is left as it is. */
void history_actors_name(struct history_actors *actors, uint64_t number,
			 const struct snapshot_task *task);
uint64_t history_actors_add(struct history_actors *actors, const struct snapshot_task *task);

/* NULL: not kept. ACTOR_UNKNOWN and ACTOR_IDLE always are. */
const struct actor *history_actors_find(const struct history_actors *actors, uint64_t number);

/* The next one that is added begins a piece. */
bool history_actors_are_full(const struct history_actors *actors);

/*
 * Entries were sealed, all with sequence numbers below `end`: those that are young, and then those
 * of these numbers that are not, are kept until all entries below that are gone.
 */
void history_actors_note_young(struct history_actors *actors, uint64_t end);
void history_actors_note(struct history_actors *actors, const uint64_t *numbers, size_t count,
			 uint64_t end);

/* There are some that are not young. */
static inline bool history_actors_have_old(const struct history_actors *actors)
{
	return actors->young > actors->first;
}

/*
 * A sweep: after the first call, those are noted with HISTORY_ACTORS_OPEN as end that entries which
 * are open name; the second one frees those that no entry from `first` on names.
 */
void history_actors_begin_sweep(struct history_actors *actors);
void history_actors_end_sweep(struct history_actors *actors, uint64_t first);

size_t history_actors_bytes(const struct history_actors *actors);

#endif
