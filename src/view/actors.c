/* A cache of answers, each at the place that its number modulo the size gives. */

#include "view/actors.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/history.h"
#include "model/snapshot.h"
#include "view/table.h"

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

bool actor_rule_asks(const struct view_settings *settings)
{
	return settings->pids || settings->wants_pid || settings->uid >= 0;
}

void actor_rule_init(struct actor_rule *rule, const struct view_settings *settings,
		     const struct snapshot *snapshot)
{
	*rule = (struct actor_rule){.settings = settings};
	for (size_t i = 0; settings->uid >= 0 && snapshot && i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->uid >= 0)
			map_put(&rule->uids, task->id, (void *)(uintptr_t)(task->uid + 1));
	}
}

void actor_rule_fini(struct actor_rule *rule)
{
	map_fini(&rule->uids);
}

static bool has_pid(const struct view_settings *settings, int32_t pid)
{
	for (size_t i = 0; i < settings->pid_count; i++)
		if (settings->pids[i] == pid)
			return true;
	return false;
}

bool actor_rule_passes(const struct actor *actor, const void *context)
{
	const struct actor_rule *rule = context;
	const struct view_settings *settings = rule->settings;

	if (!actor_rule_asks(settings))
		return true;
	if (!actor || actor->number < ACTOR_FIRST)
		return false;
	if (settings->pids && !has_pid(settings, actor->pid))
		return false;
	if (settings->wants_pid && !settings->wants_pid(actor->pid, settings->wants_context))
		return false;
	return settings->uid < 0 ||
	       (uintptr_t)map_get(&rule->uids, actor->task_id) == (uintptr_t)settings->uid + 1;
}

bool actor_choice_has(struct actor_choice *choice, uint64_t number)
{
	uint64_t *answer = &choice->answers[number % ACTOR_CHOICE_SLOTS];
	const struct actor *actor;

	if (number < ACTOR_FIRST)
		return false;
	if (!choice->wants)
		return true;
	if (*answer / 2 != number + 1) {
		actor = history_find_actor(choice->history, number);
		*answer =
			(number + 1) * 2 + (actor && choice->wants(actor, choice->context) ? 1 : 0);
	}
	return *answer % 2 == 1;
}
