/*
 * The actors named by packed entries are noted when these are packed, once for each block: the end
 * of the last block that names an actor. Open entries may still change places, so they are looked
 * at in the sweep itself.
 */
#include "model/history_actors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	SWEEP_MIN = 4096,     /* actors that are not worth a sweep */
	CACHE = 1024,         /* numbers */
	ALLOCATION_BYTES = 16 /* what the allocator takes for each, besides */
};

/* Kept in the map. */
struct kept_actor {
	struct actor actor;
	uint64_t end;   /* entries that name it are below; 0: none was packed */
	uint64_t asked; /* value of `asks` when it was asked for last */
	uint64_t sweep; /* the last sweep in which an open entry named it */
};

static const struct actor unknown = {.number = ACTOR_UNKNOWN, .pid = -1, .tid = -1};

static void forget_near(struct history_actors *actors)
{
	memset(actors->near, 0, sizeof(actors->near));
}

static struct kept_actor *find(const struct history_actors *actors, uint64_t number)
{
	struct kept_actor *near = actors->near[number % HISTORY_ACTORS_NEAR];

	return near && near->actor.number == number ? near : map_get(&actors->by_number, number);
}

/* The same for one that is asked for, and most likely will be again. */
static struct kept_actor *find_again(struct history_actors *actors, uint64_t number)
{
	struct kept_actor *kept = find(actors, number);

	if (kept)
		actors->near[number % HISTORY_ACTORS_NEAR] = kept;
	return kept;
}

void history_actors_init(struct history_actors *actors)
{
	*actors = (struct history_actors){
		.idle = {.number = ACTOR_IDLE, .name = "idle"},
		.next = ACTOR_FIRST,
		.sweep_at = SWEEP_MIN,
	};
}

void history_actors_fini(struct history_actors *actors)
{
	size_t cursor = 0;
	uint64_t number;
	void *kept;

	while (map_next(&actors->by_number, &cursor, &number, &kept))
		free(kept);
	map_fini(&actors->by_number);
}

void history_actors_copy(struct history_actors *copy, const struct history_actors *actors)
{
	size_t cursor = 0;
	uint64_t number;
	void *kept;

	*copy = *actors;
	copy->by_number = (struct map){0};
	forget_near(copy);
	while (map_next(&actors->by_number, &cursor, &number, &kept)) {
		struct kept_actor *own = xcalloc(1, sizeof(*own));

		memcpy(own, kept, sizeof(*own));
		map_put(&copy->by_number, number, own);
	}
}

static struct actor describe(const struct snapshot_task *task)
{
	struct actor actor = {.task_id = task->id, .pid = task->pid, .tid = task->tid};

	memcpy(actor.name, task->name, strnlen(task->name, sizeof(actor.name) - 1));
	return actor;
}

static bool is_of(const struct kept_actor *kept, const struct snapshot_task *task)
{
	return kept->actor.task_id == task->id && kept->actor.pid == task->pid &&
	       kept->actor.tid == task->tid;
}

/* Mostly the bytes behind the names' ends are equal too. */
static bool has_name_of(const struct kept_actor *kept, const struct snapshot_task *task)
{
	const size_t size = sizeof(kept->actor.name) - 1;

	return memcmp(kept->actor.name, task->name, size) == 0 ||
	       strncmp(kept->actor.name, task->name, size) == 0;
}

static void set_name(struct kept_actor *kept, const struct snapshot_task *task)
{
	memcpy(kept->actor.name, task->name, strnlen(task->name, sizeof(kept->actor.name) - 1));
}

void history_actors_name(struct history_actors *actors, uint64_t number,
			 const struct snapshot_task *task)
{
	struct kept_actor *kept = number >= ACTOR_FIRST ? find(actors, number) : NULL;

	if (kept && kept->actor.name[0] == '\0' && is_of(kept, task))
		set_name(kept, task);
}

uint64_t history_actors_known(struct history_actors *actors, uint64_t known,
			      const struct snapshot_task *task)
{
	struct kept_actor *kept = known >= ACTOR_FIRST ? find_again(actors, known) : NULL;

	if (!kept || !is_of(kept, task) || !has_name_of(kept, task))
		return ACTOR_UNKNOWN;
	kept->asked = ++actors->asks;
	return known;
}

uint64_t history_actors_add(struct history_actors *actors, const struct snapshot_task *task)
{
	struct kept_actor *kept = xcalloc(1, sizeof(*kept));

	kept->actor = describe(task);
	kept->actor.number = actors->next++;
	kept->asked = ++actors->asks;
	map_put(&actors->by_number, kept->actor.number, kept);
	return kept->actor.number;
}

const struct actor *history_actors_find(const struct history_actors *actors, uint64_t number)
{
	const struct kept_actor *kept;

	if (number == ACTOR_UNKNOWN)
		return &unknown;
	if (number == ACTOR_IDLE)
		return &actors->idle;
	kept = find(actors, number);
	return kept ? &kept->actor : NULL;
}

bool history_actors_are_many(const struct history_actors *actors)
{
	return actors->by_number.count >= actors->sweep_at;
}

/* Entries mostly name actors that others have named: those are not looked up again. */
void history_actors_note(struct history_actors *actors, const uint64_t *numbers, size_t count,
			 uint64_t end)
{
	uint64_t done[CACHE] = {0};

	for (size_t i = 0; i < count; i++) {
		const uint64_t number = numbers[i];
		struct kept_actor *kept;

		if (number < ACTOR_FIRST || done[number % CACHE] == number)
			continue;
		done[number % CACHE] = number;
		kept = find(actors, number);
		if (!kept)
			continue;
		if (end == HISTORY_ACTORS_OPEN)
			kept->sweep = actors->sweeps;
		else if (end > kept->end)
			kept->end = end;
	}
}

static bool may_go(const struct history_actors *actors, const struct kept_actor *kept,
		   uint64_t first)
{
	return kept->end <= first && kept->sweep != actors->sweeps &&
	       actors->asks - kept->asked >= HISTORY_ACTORS_RECENT;
}

void history_actors_begin_sweep(struct history_actors *actors)
{
	actors->sweeps++;
	forget_near(actors);
}

void history_actors_end_sweep(struct history_actors *actors, uint64_t first)
{
	struct map stay = {0};
	size_t cursor = 0;
	uint64_t number;
	void *value;

	while (map_next(&actors->by_number, &cursor, &number, &value))
		if (may_go(actors, value, first))
			free(value);
		else
			map_put(&stay, number, value);
	map_fini(&actors->by_number);
	actors->by_number = stay;
	actors->sweep_at = stay.count + stay.count / 2;
	if (actors->sweep_at < SWEEP_MIN)
		actors->sweep_at = SWEEP_MIN;
}

size_t history_actors_bytes(const struct history_actors *actors)
{
	return actors->by_number.count * (sizeof(struct kept_actor) + ALLOCATION_BYTES) +
	       actors->by_number.slot_count * (sizeof(uint64_t) + sizeof(void *));
}
