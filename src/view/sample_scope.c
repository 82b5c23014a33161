#include "view/sample_scope.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/layout.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/filter.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/window.h"

/* Samples of different events are not summed. */
static bool is_at(const struct snapshot *interval, const struct profile *newest)
{
	return !interval->profile || interval->profile->by == newest->by;
}

static bool is_by_latency(const struct settings *settings)
{
	return settings->samples == SAMPLES_ON_CPU && settings->weight == WEIGHT_LATENCY;
}

size_t sample_scope_intervals(const struct view_request *request, const struct snapshot *now,
			      const struct snapshot *intervals[static SAMPLE_INTERVALS_MAX])
{
	const uint64_t window_ns = request->window_ns > 0 ? request->window_ns : UINT64_MAX;
	const struct profile *newest = now->profile;
	size_t count = 0, kept = 0;

	if (request->past)
		count = request->past(request->context, now->time_ns, intervals,
				      SAMPLE_INTERVALS_MAX - 1);
	for (size_t i = count; i-- > 0 && !newest;)
		newest = intervals[i]->profile;
	intervals[count++] = now;
	for (size_t i = 0; i < count; i++)
		if (now->time_ns - intervals[i]->time_ns < window_ns &&
		    (!newest || is_at(intervals[i], newest)) &&
		    (!is_by_latency(&request->settings) ||
		     intervals[i]->latency_scope == request->latency_scope))
			intervals[kept++] = intervals[i];
	return kept;
}

/* A filter is evaluated once for each key. */
static uint64_t fate_key(const struct profile_entry *entry)
{
	return (uint64_t)(uint32_t)entry->tid << 32 | (uint32_t)entry->cpu;
}

enum fate {
	FATE_LEFT_OUT = 1,
	FATE_MEANT
};

static bool passes(const struct sample_filter *wanted, const struct snapshot_task *known,
		   const struct profile_entry *entry)
{
	struct snapshot_task task = *known;
	struct view_row row;

	task.pid = entry->pid;
	task.tid = entry->tid;
	task.last_cpu = entry->cpu;
	row = rows_of_task(&task);
	return filter_passes(wanted->filter, wanted->source, &row);
}

/* Tasks that have ended have only ids and a CPU. Most tasks have no samples. */
static void find_fates(struct sample_scope *scope, const struct snapshot *snapshot)
{
	const struct profile *profile = snapshot->profile;
	uint64_t *nothing = xcalloc(layout_width(snapshot->layout), sizeof(*nothing));
	struct snapshot_task gone = {
		.uid = -1, .unknown = UINT32_MAX, .interval = nothing, .total = nothing};
	struct map tasks = {0};

	for (size_t i = 0; i < profile->entry_count; i++)
		map_put(&tasks, (uint64_t)profile->entries[i].tid, &gone);
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (map_get(&tasks, (uint64_t)snapshot->tasks[i].tid))
			map_put(&tasks, (uint64_t)snapshot->tasks[i].tid, &snapshot->tasks[i]);
	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		const uint64_t key = fate_key(entry);
		enum fate fate;

		if (map_get(&scope->fates, key))
			continue;
		fate = passes(scope->samples_of, map_get(&tasks, (uint64_t)entry->tid), entry)
			       ? FATE_MEANT
			       : FATE_LEFT_OUT;
		map_put(&scope->fates, key, (void *)(uintptr_t)fate);
	}
	map_fini(&tasks);
	free(nothing);
}

void sample_scope_init(struct sample_scope *scope, const struct view_request *request,
		       const struct sample_filter *samples_of, const struct snapshot *snapshot)
{
	*scope = (struct sample_scope){.request = request, .samples_of = samples_of};
	if (samples_of && snapshot->profile)
		find_fates(scope, snapshot);
	for (size_t i = 0; i < snapshot->task_count && request->uid >= 0; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->uid >= 0)
			map_put(&scope->users, (uint64_t)task->pid,
				(void *)(intptr_t)(task->uid + 1));
	}
}

void sample_scope_fini(struct sample_scope *scope)
{
	map_fini(&scope->users);
	map_fini(&scope->fates);
}

static bool is_of_user(const struct map *users, int32_t pid, int64_t uid)
{
	return (intptr_t)map_get(users, (uint64_t)pid) == (intptr_t)uid + 1;
}

static bool has_kind(const struct view_request *request, enum sample_kind kind)
{
	switch ((enum view_samples)request->settings.samples) {
	case SAMPLES_ON_CPU:
		return kind == SAMPLE_ON_CPU;
	case SAMPLES_OFF_CPU:
		return kind == SAMPLE_BLOCKED || kind == SAMPLE_PREEMPTED || kind == SAMPLE_QUEUED;
	case SAMPLES_BLOCKED:
		return kind == SAMPLE_BLOCKED;
	case SAMPLES_PREEMPTED:
		return kind == SAMPLE_PREEMPTED || kind == SAMPLE_QUEUED;
	case SAMPLES_WAKERS:
		return kind == SAMPLE_WAKER;
	case SAMPLES_BOTH:
		break;
	}
	return kind != SAMPLE_WAKER && kind != SAMPLE_BRANCH && kind != SAMPLE_MEMORY;
}

bool sample_scope_has(const struct sample_scope *scope, const struct profile_entry *entry)
{
	return has_kind(scope->request, entry->kind) && sample_scope_has_task(scope, entry);
}

bool sample_scope_has_task(const struct sample_scope *scope, const struct profile_entry *entry)
{
	const struct view_request *request = scope->request;

	if (!request_wants_thread(request, entry->tid, 0))
		return false;
	if (scope->samples_of && (uintptr_t)map_get(&scope->fates, fate_key(entry)) != FATE_MEANT)
		return false;
	if (request->pids && !request_has_pid(request, entry->pid))
		return false;
	if (request->wants_pid && !request->wants_pid(entry->pid, request->context))
		return false;
	return request->uid < 0 || is_of_user(&scope->users, entry->pid, request->uid);
}

uint64_t sample_scope_left_out(const struct sample_scope *scope, const struct profile *profile)
{
	return is_by_latency(&scope->request->settings) ? profile->left_out_latency
							: profile->left_out_weight;
}

uint64_t sample_scope_weight(const struct sample_scope *scope, const struct profile_entry *entry)
{
	const enum view_samples samples = (enum view_samples)scope->request->settings.samples;

	if (is_by_latency(&scope->request->settings))
		return entry->latency;
	return samples == SAMPLES_ON_CPU || samples == SAMPLES_WAKERS ? entry->weight : entry->ns;
}

bool sample_scope_weigh(const struct sample_scope *scope, const struct profile_entry *entry,
			uint64_t *weight)
{
	*weight = sample_scope_weight(scope, entry);
	return sample_scope_has(scope, entry);
}

void sample_window_begin(struct sample_window *window, const struct view_request *request,
			 const struct sample_filter *samples_of, const struct snapshot *now)
{
	*window = (struct sample_window){.scope = {.request = request, .samples_of = samples_of}};
	window->count = sample_scope_intervals(request, now, window->intervals);
	for (size_t i = 0; i < window->count; i++) {
		const struct profile *profile = window->intervals[i]->profile;

		window->lost += profile ? profile->lost : 0;
		window->left_out += profile ? profile->left_out : 0;
	}
}

bool sample_window_next(struct sample_window *window)
{
	struct sample_scope *scope = &window->scope;

	sample_scope_fini(scope);
	while (window->next < window->count) {
		window->interval = window->intervals[window->next++];
		window->profile = window->interval->profile;
		if (!window->profile)
			continue;
		sample_scope_init(scope, scope->request, scope->samples_of, window->interval);
		return true;
	}
	return false;
}
