#ifndef PERFTOP_VIEW_WINDOW_H
#define PERFTOP_VIEW_WINDOW_H

/*
 * The part of the history that a view shows. It has settled entries only, so that what was read
 * once does not change, and consecutive windows neither share entries nor leave any out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/history.h"

struct snapshot;
struct view_request;

struct window {
	const struct history *history; /* NULL: none is kept; there are no entries then */
	uint64_t first, end;           /* entries [first, end) */
	uint64_t begin_ns, end_ns;     /* of record time: they happened after the one and up to the
					  other */
	void (*meanwhile)(void *context); /* as in struct view_request; NULL: nothing to do */
	void *meanwhile_context;
};

struct window window_of(const struct view_request *request);

/* Takes out what is earlier. */
void window_begin_at(struct window *window, uint64_t begin_ns);

enum {
	WINDOW_CHUNK = 1024, /* entries that a scan takes at a time */
	WINDOW_FIELDS_MAX = 11
};

/* Entries [at, at + count) of a history: of each the fields that were asked for. */
struct window_chunk {
	uint64_t at;
	size_t count;
	uint64_t numbers[WINDOW_FIELDS_MAX][WINDOW_CHUNK];
};

/* Takes the next entries up to `end`; at first `at` is where to begin, `count` 0. False: no more.
 */
bool window_next(struct window_chunk *chunk, const struct history *history, uint64_t end,
		 const enum history_field *fields, size_t field_count);

/*
 * Called in a scan behind each chunk: once in some ms records that wait are handled,
 * so that no ring overflows however long the window is. Returns the entry to go on with: `next`, or
 * the first one that is still kept.
 */
uint64_t window_pause(const struct window *window, uint64_t next);

/* Inserts an item into an ordered list of at most `max`; the last one is dropped if it is full. */
void rank_insert(void *list, size_t *count, size_t max, size_t size, const void *item,
		 bool (*is_before)(const void *a, const void *b));

/* The tasks of the entries: their names, and which of them are meant. */

/* "nginx 4711"; "" when it is not known (NULL too). Raw bytes. */
void actor_write_words(const struct actor *actor, char *text, size_t size);

/* The same for the waker of a task: idle as a waker is an interrupt. */
void waker_write_words(const struct actor *actor, char *text, size_t size);

/* Whether the request asks for some tasks only: by process, by user. */
bool request_asks_for_tasks(const struct view_request *request);

/* Whether this process is among those that they name. */
bool request_has_pid(const struct view_request *request, int32_t pid);

/* Whether they want this thread of a process that they ask for. id: 0 unknown. */
bool request_wants_thread(const struct view_request *request, int32_t tid, uint64_t id);

enum {
	ACTOR_FILTER_SLOTS = 1024
};

/*
 * Which actors are selected, for each entry of a long scan: the latest answers are remembered. What
 * is no task (idle, unknown) is not selected.
 */
struct actor_filter {
	const struct history *history;
	bool (*wants)(const struct actor *actor, const void *context); /* NULL: all tasks */
	const void *context;
	/* private: */
	const struct view_request *request;
	struct map uids;                      /* task id to uid + 1 */
	uint64_t answers[ACTOR_FILTER_SLOTS]; /* (number + 1) * 2 + answer; zeros at first */
};

/* Those that the request asks for. snapshot: the users of tasks; NULL: they are unknown. */
void actor_filter_init(struct actor_filter *actors, const struct view_request *request,
		       const struct snapshot *snapshot);
void actor_filter_fini(struct actor_filter *actors);

bool actor_filter_has(struct actor_filter *actors, uint64_t number);

#endif
