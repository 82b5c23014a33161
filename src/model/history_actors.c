/*
 * The actors named by sealed entries are noted when these are sealed: the end of the last block
 * that names one of a piece. Open entries may still change places, so they are looked at in the
 * sweep itself.
 *
 * Copies share the pieces. An actor never changes but for its first name, for which a shared piece
 * is copied; those that are added behind do not matter to a copy, which has its own `next`.
 */
#include "model/history_actors.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct shared_actors {
	size_t references;
	struct actor actors[HISTORY_ACTORS_PIECE];
};

static const struct actor unknown = {.number = ACTOR_UNKNOWN, .pid = -1, .tid = -1};

static void drop_actors(struct shared_actors *shared)
{
	if (shared && --shared->references == 0)
		free(shared);
}

/* NULL: there is none, or no longer. */
static struct actors_piece *actors_piece_of(const struct history_actors *actors, uint64_t number)
{
	struct actors_piece *piece;

	if (number < actors->first || number >= actors->next)
		return NULL;
	piece = &actors->pieces[(number - actors->first) / HISTORY_ACTORS_PIECE];
	return piece->shared ? piece : NULL;
}

static struct actor *actor_in(const struct history_actors *actors, const struct actors_piece *piece,
			      uint64_t number)
{
	return &piece->shared->actors[(number - actors->first) % HISTORY_ACTORS_PIECE];
}

void history_actors_init(struct history_actors *actors)
{
	*actors = (struct history_actors){
		.idle = {.number = ACTOR_IDLE, .name = "idle"},
		.first = ACTOR_FIRST,
		.young = ACTOR_FIRST,
		.next = ACTOR_FIRST,
	};
}

void history_actors_fini(struct history_actors *actors)
{
	for (size_t i = 0; i < actors->piece_count; i++)
		drop_actors(actors->pieces[i].shared);
	free(actors->pieces);
}

void history_actors_copy(struct history_actors *copy, const struct history_actors *actors)
{
	*copy = *actors;
	copy->piece_capacity = actors->piece_count;
	copy->pieces = xcalloc(actors->piece_count, sizeof(*copy->pieces));
	for (size_t i = 0; i < actors->piece_count; i++) {
		copy->pieces[i] = actors->pieces[i];
		if (copy->pieces[i].shared)
			copy->pieces[i].shared->references++;
	}
}

static bool is_actor_of(const struct actor *actor, const struct snapshot_task *task)
{
	return actor->task_id == task->id && actor->pid == task->pid && actor->tid == task->tid;
}

static void set_actor_name(struct actor *actor, const struct snapshot_task *task)
{
	memcpy(actor->name, task->name, strnlen(task->name, sizeof(actor->name) - 1));
}

/* A copy of the history goes on to show them as they were. */
static void stop_sharing(struct actors_piece *piece)
{
	struct shared_actors *shared = piece->shared;

	if (shared->references == 1)
		return;
	piece->shared = xcalloc(1, sizeof(*piece->shared));
	*piece->shared = *shared;
	piece->shared->references = 1;
	drop_actors(shared);
}

void history_actors_name(struct history_actors *actors, uint64_t number,
			 const struct snapshot_task *task)
{
	struct actors_piece *piece = actors_piece_of(actors, number);

	if (!piece)
		return;

	const struct actor *actor = actor_in(actors, piece, number);
	if (actor->name[0] != '\0' || !is_actor_of(actor, task))
		return;
	stop_sharing(piece);
	set_actor_name(actor_in(actors, piece, number), task);
}

bool history_actors_are_full(const struct history_actors *actors)
{
	return actors->next == actors->first + actors->piece_count * HISTORY_ACTORS_PIECE;
}

static void begin_piece(struct history_actors *actors)
{
	struct actors_piece *piece;

	array_reserve(&actors->pieces, &actors->piece_capacity, actors->piece_count + 1,
		      sizeof(*actors->pieces));
	piece = &actors->pieces[actors->piece_count++];
	*piece = (struct actors_piece){.shared = xcalloc(1, sizeof(*piece->shared))};
	piece->shared->references = 1;
	actors->kept_count++;
	if (actors->piece_count > HISTORY_ACTORS_YOUNG)
		actors->young = actors->next - (HISTORY_ACTORS_YOUNG - 1) * HISTORY_ACTORS_PIECE;
}

uint64_t history_actors_add(struct history_actors *actors, const struct snapshot_task *task)
{
	if (history_actors_are_full(actors))
		begin_piece(actors);

	const uint64_t number = actors->next++;
	struct actors_piece *piece = actors_piece_of(actors, number);
	struct actor *actor = actor_in(actors, piece, number);
	*actor = (struct actor){
		.number = number, .task_id = task->id, .pid = task->pid, .tid = task->tid};
	set_actor_name(actor, task);
	return number;
}

const struct actor *history_actors_find(const struct history_actors *actors, uint64_t number)
{
	const struct actors_piece *piece;

	if (number == ACTOR_UNKNOWN)
		return &unknown;
	if (number == ACTOR_IDLE)
		return &actors->idle;
	piece = actors_piece_of(actors, number);
	return piece ? actor_in(actors, piece, number) : NULL;
}

void history_actors_note_young(struct history_actors *actors, uint64_t end)
{
	const size_t old = (size_t)(actors->young - actors->first) / HISTORY_ACTORS_PIECE;

	for (size_t i = old; i < actors->piece_count; i++)
		actors->pieces[i].end = end;
}

void history_actors_note(struct history_actors *actors, const uint64_t *numbers, size_t count,
			 uint64_t end)
{
	const uint64_t old = actors->young - actors->first;

	for (size_t i = 0; i < count; i++) {
		struct actors_piece *piece;

		if (numbers[i] - actors->first >= old)
			continue;
		piece = &actors->pieces[(numbers[i] - actors->first) / HISTORY_ACTORS_PIECE];
		if (end == HISTORY_ACTORS_OPEN)
			piece->sweep = actors->sweeps;
		else if (end > piece->end)
			piece->end = end;
	}
}

void history_actors_begin_sweep(struct history_actors *actors)
{
	actors->sweeps++;
}

/* The first ones that have gone need no place any more. */
static void close_up(struct history_actors *actors)
{
	size_t gone = 0;

	while (gone < actors->piece_count && !actors->pieces[gone].shared)
		gone++;
	actors->first += gone * HISTORY_ACTORS_PIECE;
	actors->piece_count -= gone;
	memmove(actors->pieces, actors->pieces + gone,
		actors->piece_count * sizeof(*actors->pieces));
}

void history_actors_end_sweep(struct history_actors *actors, uint64_t first)
{
	assert(history_actors_are_full(actors));
	for (size_t i = 0; i + HISTORY_ACTORS_YOUNG < actors->piece_count; i++) {
		struct actors_piece *piece = &actors->pieces[i];

		if (!piece->shared || piece->end > first || piece->sweep == actors->sweeps)
			continue;
		drop_actors(piece->shared);
		piece->shared = NULL;
		actors->kept_count--;
	}
	if (actors->kept_count < actors->piece_count)
		close_up(actors);
}

size_t history_actors_bytes(const struct history_actors *actors)
{
	return actors->kept_count * sizeof(struct shared_actors) +
	       actors->piece_capacity * sizeof(*actors->pieces);
}
