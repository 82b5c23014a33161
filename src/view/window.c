/*
 * Where a window begins in time: at the entry before its first, since what an entry says of
 * lies before it; at the first itself when nothing is kept before that.
 */

#include "view/window.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/history.h"
#include "model/snapshot.h"
#include "view/table.h"

enum {
	PAUSE_CHUNKS = 8 /* some ms, where all tasks were preempted */
};

static uint64_t time_of_entry(const struct history *history, uint64_t sequence)
{
	return history_number(history, sequence, HISTORY_TIME_NS);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void window_begin_at(struct window *window, uint64_t begin_ns)
{
	uint64_t first;

	if (begin_ns <= window->begin_ns || window->first == window->end)
		return;
	/* The one that happened just then belongs to the time before. */
	first = history_seek(window->history, begin_ns + 1);
	if (first > window->first)
		window->first = least(first, window->end);
	window->begin_ns = least(begin_ns, window->end_ns);
}

/* Takes out what is earlier than so long before the newest. */
static void shorten_window(struct window *window, uint64_t window_ns)
{
	window_begin_at(window, window->end_ns > window_ns ? window->end_ns - window_ns : 0);
}

static struct window make(const struct history *history, uint64_t from, uint64_t to)
{
	struct window window = {.history = history};

	if (!history)
		return window;
	window.end = least(to, history_settled(history));
	window.first = history_first(history);
	if (window.first < from)
		window.first = from;
	if (window.first >= window.end) {
		window.first = window.end;
		return window;
	}
	window.end_ns = time_of_entry(history, window.end - 1);
	window.begin_ns = time_of_entry(
		history, window.first > history_first(history) ? window.first - 1 : window.first);
	return window;
}

struct window window_of(const struct view_request *request)
{
	const bool all = request->history_from == 0 && request->history_to == 0;
	struct window window = make(request->history, request->history_from,
				    all ? UINT64_MAX : request->history_to);

	window.meanwhile = request->meanwhile;
	window.meanwhile_context = request->context;
	if (request->window_ns > 0)
		shorten_window(&window, request->window_ns);
	return window;
}

uint64_t window_pause(const struct window *window, uint64_t next)
{
	uint64_t first;

	if (!window->meanwhile || next / WINDOW_CHUNK % PAUSE_CHUNKS != 0)
		return next;
	window->meanwhile(window->meanwhile_context);
	first = history_first(window->history);
	return next < first ? first : next;
}

bool window_next(struct window_chunk *chunk, const struct history *history, uint64_t end,
		 const enum history_field *fields, size_t field_count)
{
	chunk->at += chunk->count;
	if (chunk->at >= end)
		return false;
	chunk->count = (size_t)least(end - chunk->at, WINDOW_CHUNK);
	for (size_t i = 0; i < field_count; i++)
		history_numbers(history, chunk->at, chunk->count, fields[i], chunk->numbers[i]);
	return true;
}

void rank_insert(void *list, size_t *count, size_t max, size_t size, const void *item,
		 bool (*is_before)(const void *a, const void *b))
{
	char *items = list;
	size_t at = *count;

	while (at > 0 && is_before(item, items + (at - 1) * size))
		at--;
	if (at == max)
		return;
	if (*count < max)
		++*count;
	memmove(items + (at + 1) * size, items + at * size, (*count - at - 1) * size);
	memcpy(items + at * size, item, size);
}

void actor_write_words(const struct actor *actor, char *text, size_t size)
{
	if (!actor || actor->number == ACTOR_UNKNOWN)
		snprintf(text, size, "%s", "");
	else if (actor->number == ACTOR_IDLE)
		snprintf(text, size, "%s", actor->name);
	else if (actor->name[0] == '\0')
		snprintf(text, size, "%" PRId32, actor->tid);
	else
		snprintf(text, size, "%s %" PRId32, actor->name, actor->tid);
}

void waker_write_words(const struct actor *actor, char *text, size_t size)
{
	if (actor && actor->number == ACTOR_IDLE)
		snprintf(text, size, "interrupt");
	else
		actor_write_words(actor, text, size);
}

bool request_asks_for_tasks(const struct view_request *request)
{
	return request->pids || request->wants_pid || request->uid >= 0;
}

bool request_has_pid(const struct view_request *request, int32_t pid)
{
	if (!request->pids)
		return false;
	for (size_t i = 0; i < request->pid_count; i++)
		if (request->pids[i] == pid)
			return true;
	return false;
}

bool request_wants_thread(const struct view_request *request, int32_t tid, uint64_t id)
{
	if (request->tid != 0 && tid != request->tid)
		return false;
	return id == 0 || request->id_to == 0 || (id >= request->id_from && id < request->id_to);
}

static bool is_asked_actor(const struct actor *actor, const void *context)
{
	const struct actor_filter *actors = context;
	const struct view_request *request = actors->request;

	if (request->pids && !request_has_pid(request, actor->pid))
		return false;
	if (request->wants_pid && !request->wants_pid(actor->pid, request->context))
		return false;
	if (!request_wants_thread(request, actor->tid, actor->task_id))
		return false;
	return request->uid < 0 ||
	       (uintptr_t)map_get(&actors->uids, actor->task_id) == (uintptr_t)request->uid + 1;
}

void actor_filter_init(struct actor_filter *actors, const struct view_request *request,
		       const struct snapshot *snapshot)
{
	*actors = (struct actor_filter){.history = request->history, .request = request};
	if (!request_asks_for_tasks(request))
		return;
	actors->wants = is_asked_actor;
	actors->context = actors;
	for (size_t i = 0; request->uid >= 0 && snapshot && i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->uid >= 0)
			map_put(&actors->uids, task->id, (void *)(uintptr_t)(task->uid + 1));
	}
}

void actor_filter_fini(struct actor_filter *actors)
{
	map_fini(&actors->uids);
}

/* A cache of answers, each where its number modulo the size says. */
bool actor_filter_has(struct actor_filter *actors, uint64_t number)
{
	uint64_t *answer = &actors->answers[number % ACTOR_FILTER_SLOTS];
	const struct actor *actor;

	if (number < ACTOR_FIRST)
		return false;
	if (!actors->wants)
		return true;
	if (*answer / 2 != number + 1) {
		actor = history_find_actor(actors->history, number);
		*answer =
			(number + 1) * 2 + (actor && actors->wants(actor, actors->context) ? 1 : 0);
	}
	return *answer % 2 == 1;
}
