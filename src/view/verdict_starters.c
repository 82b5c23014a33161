/*
 * What starts processes that live shortly: those that ended in the interval, by their parent.
 */
#include <stdio.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/snapshot.h"
#include "view/verdict_look.h"

enum {
	LOOKED_AT = 500,     /* of the processes that ended */
	STEPS_MAX = 16,      /* up to a parent that lives */
	STARTED_LEAST_S = 20 /* processes in a second that are worth looking at */
};

static struct starter *find_tally(const struct rule_look *look, const struct map *by_id,
				  uint64_t id)
{
	const uintptr_t number = id != 0 ? (uintptr_t)map_get(by_id, id) : 0;

	return number > 0 ? &look->starters[number - 1] : NULL;
}

static struct starter *need_tally(struct rule_look *look, struct map *by_id, uint64_t id)
{
	struct starter *starter = find_tally(look, by_id, id);

	if (starter)
		return starter;
	array_reserve(&look->starters, &look->starter_capacity, look->starter_count + 1,
		      sizeof(*look->starters));
	starter = &look->starters[look->starter_count++];
	*starter = (struct starter){.id = id};
	map_put(by_id, id, (void *)(uintptr_t)look->starter_count);
	return starter;
}

/* Of thousands each of some hundreds stands for several: to look at all of them would cost more. */
static void count_ended(struct rule_look *look, struct map *by_id)
{
	const uint64_t stands_for = 1 + look->snapshot->exited_count / LOOKED_AT;
	struct starter *last = NULL; /* mostly they are one after the other */
	uint64_t ended = 0;

	for (size_t i = 0; i < look->ended_count; i++) {
		const struct snapshot_task *task = look->ended[i];

		if (!last || last->id != task->parent_id)
			last = need_tally(look, by_id, task->parent_id);
		last->count++;
		if (ended++ % stands_for == 0)
			last->run_ns += stands_for * task->total[QUANTITY_RUN_NS];
	}
}

/*
 * Finds the tasks that have started some, and have run in the interval therefore. True: others have
 * ended.
 */
static bool find_living(struct rule_look *look, const struct map *by_id)
{
	size_t found = 0;

	for (size_t i = 0; i < snapshot_active_count(look->snapshot); i++) {
		const struct snapshot_task *task = snapshot_active_task(look->snapshot, i);
		struct starter *starter;

		if (!task->has_counts || task->is_exited ||
		    !(starter = find_tally(look, by_id, task->id)))
			continue;
		starter->task = task;
		found++;
	}
	return found < look->starter_count;
}

static void find_ended(struct rule_look *look, const struct map *by_id)
{
	for (size_t i = 0; i < look->ended_count; i++) {
		struct starter *starter = find_tally(look, by_id, look->ended[i]->id);

		if (starter)
			starter->task = look->ended[i];
	}
}

/* What was started by one that lived as shortly was started by the nearest above it that lives. */
static void pass_upwards(struct rule_look *look, const struct map *by_id, struct starter *starter)
{
	struct starter *above = starter;

	for (int i = 0;
	     i < STEPS_MAX && above && above->task && above->task->is_exited && above->task->is_new;
	     i++)
		above = find_tally(look, by_id, above->task->parent_id);
	if (!above || above == starter || !above->task || above->task->is_exited)
		return;
	above->count += starter->count;
	above->run_ns += starter->run_ns;
}

void look_gather_starters(struct rule_look *look)
{
	struct map by_id = {0}; /* number of the starter, from 1 */
	size_t count = 0;

	if (look_per_second(look, look->snapshot->exited_count) < STARTED_LEAST_S)
		return;
	count_ended(look, &by_id);
	if (find_living(look, &by_id)) {
		find_ended(look, &by_id);
		for (size_t i = 0; i < look->starter_count; i++)
			pass_upwards(look, &by_id, &look->starters[i]);
	}
	for (size_t i = 0; i < look->starter_count; i++)
		if (look->starters[i].task && !look->starters[i].task->is_exited)
			look->starters[count++] = look->starters[i];
	look->starter_count = count;
	map_fini(&by_id);
}

bool look_is_starter(const struct rule_look *look, const struct snapshot_task *task)
{
	for (size_t i = 0; i < look->starter_count; i++)
		if (look->starters[i].task == task)
			return look_per_second(look, look->starters[i].count) >= STARTED_LEAST_S;
	return false;
}

/*
 * Whether to start them is most of the work: they do little, or no more than it took. A
 * compilation's do much more.
 */
static bool are_short(const struct rule_look *look, const struct starter *starter, uint64_t own_ns)
{
	const uint64_t short_ns = 4000000, most_ns = 20000000;
	const double many_s = 150;
	const uint64_t mean_ns = starter->run_ns / starter->count;

	if (mean_ns <= short_ns && look_per_second(look, starter->count) >= many_s)
		return true;
	return mean_ns <= most_ns && own_ns >= starter->run_ns / 5;
}

/* What is lost is theirs, and as much of the starter's. */
void rule_starter(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct starter *worst = NULL;
	char name[FINDING_NAME_COLUMNS];

	for (size_t i = 0; i < look->starter_count; i++) {
		const struct starter *starter = &look->starters[i];
		const uint64_t own_ns = starter->task->interval[QUANTITY_RUN_NS];
		const uint64_t lost_ns =
			starter->run_ns + (own_ns < starter->run_ns ? own_ns : starter->run_ns);
		const double pct = look_pct(look, lost_ns) / look->cpus;

		if (!look_wants(look, starter->task->pid) ||
		    look_per_second(look, starter->count) < STARTED_LEAST_S ||
		    !are_short(look, starter, own_ns) ||
		    !finding_is_worse(look, pct, starter->task->id, before, finding))
			continue;
		finding_take(finding, starter->task->id, pct, pct);
		worst = starter;
	}
	if (!worst)
		return;
	finding_write_name(name, worst->task->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "%s starts %.0f processes/s, %.0f %% of the machine", name,
		 look_per_second(look, worst->count), finding->value);
}
