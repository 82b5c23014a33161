#include "view/sample_scope.h"

#include "model/profile.h"
#include "model/snapshot.h"
#include "view/filter.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/window.h"

size_t sample_scope_intervals(const struct view_settings *settings, const struct snapshot *now,
			      const struct snapshot *intervals[static SAMPLE_INTERVALS_MAX])
{
	const uint64_t window_ns = settings->window_ns > 0 ? settings->window_ns : UINT64_MAX;
	size_t count = 0, kept = 0;

	if (settings->past)
		count = settings->past(settings->past_context, now->time_ns, intervals,
				       SAMPLE_INTERVALS_MAX - 1);
	for (size_t i = 0; i < count; i++)
		if (now->time_ns - intervals[i]->time_ns < window_ns)
			intervals[kept++] = intervals[i];
	intervals[kept++] = now;
	return kept;
}

static void find_threads(struct map *threads, const struct sample_filter *wanted,
			 const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct view_row row = rows_of_task(&snapshot->tasks[i]);

		if (filter_passes(wanted->filter, wanted->source, &row))
			map_put(threads, (uint64_t)row.tid, (void *)(intptr_t)(row.tid + 1));
	}
}

void sample_scope_init(struct sample_scope *scope, const struct view_settings *settings,
		       const struct snapshot *snapshot)
{
	*scope = (struct sample_scope){.settings = settings};
	if (settings->samples_of)
		find_threads(&scope->threads, settings->samples_of, snapshot);
	for (size_t i = 0; i < snapshot->task_count && settings->uid >= 0; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->uid >= 0)
			map_put(&scope->users, (uint64_t)task->pid,
				(void *)(intptr_t)(task->uid + 1));
	}
}

void sample_scope_fini(struct sample_scope *scope)
{
	map_fini(&scope->users);
	map_fini(&scope->threads);
}

static bool is_of_user(const struct map *users, int32_t pid, int64_t uid)
{
	return (intptr_t)map_get(users, (uint64_t)pid) == (intptr_t)uid + 1;
}

static bool has_kind(const struct view_settings *settings, enum sample_kind kind)
{
	switch (settings->samples) {
	case SAMPLES_ON_CPU:
		return kind == SAMPLE_ON_CPU;
	case SAMPLES_OFF_CPU:
		return kind != SAMPLE_ON_CPU;
	case SAMPLES_BLOCKED:
		return kind == SAMPLE_BLOCKED;
	case SAMPLES_PREEMPTED:
		return kind == SAMPLE_PREEMPTED;
	case SAMPLES_BOTH:
		break;
	}
	return true;
}

bool sample_scope_has(const struct sample_scope *scope, const struct profile_entry *entry)
{
	const struct view_settings *settings = scope->settings;

	if (!has_kind(settings, entry->kind))
		return false;
	if (settings->tid != 0 && settings->tid != entry->tid)
		return false;
	if (settings->samples_of && !map_get(&scope->threads, (uint64_t)entry->tid))
		return false;
	if (settings->pids && !settings_have_pid(settings, entry->pid))
		return false;
	if (settings->wants_pid && !settings->wants_pid(entry->pid, settings->wants_context))
		return false;
	return settings->uid < 0 || is_of_user(&scope->users, entry->pid, settings->uid);
}

uint64_t sample_scope_weight(const struct sample_scope *scope, const struct profile_entry *entry)
{
	return scope->settings->samples == SAMPLES_ON_CPU ? entry->weight : entry->ns;
}

bool sample_scope_weigh(const struct sample_scope *scope, const struct profile_entry *entry,
			uint64_t *weight)
{
	*weight = sample_scope_weight(scope, entry);
	return sample_scope_has(scope, entry);
}
