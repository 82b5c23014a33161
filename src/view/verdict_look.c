/*
 * The tasks of an interval, looked at once for all rules: those that did something, what ran most
 * on each CPU, what sleeps and wakes most often, and whose waits are asked for.
 */
#include "view/verdict_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/topology.h"
#include "base/units.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/window.h"

const char *look_process_name(const struct rule_look *look, int32_t pid)
{
	const struct snapshot_task *task = snapshot_find_task(look->snapshot, pid);

	return task ? task->name : "";
}

double look_per_second(const struct rule_look *look, uint64_t count)
{
	return (double)count * NS_PER_S / (double)look->snapshot->interval_ns;
}

double look_pct(const struct rule_look *look, uint64_t ns)
{
	return 100.0 * (double)ns / (double)look->snapshot->interval_ns;
}

double look_run_pct(const struct rule_look *look, const struct snapshot_task *task)
{
	return look_pct(look, task->interval[QUANTITY_RUN_NS]);
}

double look_voluntary_per_s(const struct rule_look *look, const struct snapshot_task *task)
{
	return look_per_second(look, task->interval[QUANTITY_SWITCHES] -
					     task->interval[QUANTITY_PREEMPTIONS]);
}

int look_find_metric(const struct rule_look *look, const char *name)
{
	const struct metrics *metrics = look->input->metrics;
	const int index = metrics ? metrics_find(metrics, name) : -1;

	return index >= 0 && metrics_is_available(metrics, (size_t)index) ? index : -1;
}

double look_eval(const struct rule_look *look, const struct snapshot_task *task, int metric)
{
	if (metric < 0)
		return NAN;
	return metrics_eval(look->input->metrics, (size_t)metric, task->interval, task->unknown,
			    look->snapshot->interval_ns)
		.value;
}

bool look_wants(const struct rule_look *look, int32_t pid)
{
	const struct rule_input *input = look->input;

	return !input->wants_pid || input->wants_pid(pid, input->scope);
}

bool look_is_light(const struct rule_look *look, const struct snapshot_task *task)
{
	const double most_pct = 35, least_s = 4;

	return look_run_pct(look, task) <= most_pct &&
	       look_voluntary_per_s(look, task) >= least_s && !look_is_starter(look, task);
}

const struct snapshot_task *look_find_culprit(const struct rule_look *look,
					      const struct snapshot_task *victim)
{
	const double least_pct = look_is_light(look, victim) ? 50 : 30;
	const struct snapshot_task *most;

	if (victim->last_cpu < 0 || (size_t)victim->last_cpu >= look->runner_count)
		return NULL;
	most = look->runners[victim->last_cpu].first;
	if (most && most->pid == victim->pid)
		most = look->runners[victim->last_cpu].other;
	return most && look_run_pct(look, most) >= least_pct ? most : NULL;
}

static const struct rule_delay *find_delay(const struct rule_delays *delays, uint64_t id)
{
	for (size_t i = 0; i < delays->count; i++)
		if (delays->list[i].id == id)
			return &delays->list[i];
	return NULL;
}

bool look_asked_wait(const struct rule_look *look, const struct snapshot_task *task, uint64_t *ns)
{
	const struct rule_delay *delay = find_delay(&look->delays, task->id);

	if (!delay || !find_delay(&look->memory->delays, task->id))
		return false;
	*ns = look->waited_ns[delay - look->delays.list];
	return true;
}

/* The one that was named before gives way to one that is clearly worse. */
static const double KEEPS = 1.5;

static bool weighs_more(const void *left, const void *right)
{
	const struct candidate *one = left, *other = right;

	return one->weight > other->weight;
}

void candidates_take(struct candidates *candidates, const struct rule_look *look,
		     const struct snapshot_task *task, double value, uint64_t before)
{
	const struct candidate candidate = {
		.task = task,
		.value = value,
		.weight = task->id == before ? value * KEEPS : value,
	};

	if (value >= look->least)
		rank_insert(candidates->list, &candidates->count, LOOK_CANDIDATES,
			    sizeof(candidate), &candidate, weighs_more);
}

static struct rule_asked *find_usage_asked(struct rule_memory *memory, uint64_t id)
{
	for (size_t i = 0; i < memory->asked_count; i++)
		if (memory->asked[i].id == id)
			return &memory->asked[i];
	return NULL;
}

bool look_ask_usage(const struct rule_look *look, const struct snapshot_task *task,
		    struct rule_usage *usage)
{
	const struct rule_witness *witness = &look->input->witness;
	struct rule_memory *memory = look->memory;
	struct rule_asked *asked = find_usage_asked(memory, task->id);

	if (!witness->usage)
		return false;
	if (!asked) {
		if (memory->asked_count == RULE_ASKED)
			memory->asked_count = 0;
		asked = &memory->asked[memory->asked_count++];
		asked->id = task->id;
		asked->is_known =
			witness->usage(witness->context, task->pid, task->tid, &asked->usage);
	}
	*usage = asked->usage;
	return asked->is_known;
}

bool finding_is_worse(const struct rule_look *look, double value, uint64_t subject, uint64_t before,
		      const struct finding *finding)
{
	const double own = subject == before ? value * KEEPS : value;
	const double other = finding->subject == before ? finding->value * KEEPS : finding->value;

	return value >= look->least && (finding->subject == 0 || own > other);
}

void finding_take(struct finding *finding, uint64_t subject, double value, double lost_pct)
{
	*finding = (struct finding){
		.subject = subject,
		.value = value,
		.lost_pct = lost_pct < 100 ? lost_pct : 100,
	};
}

void finding_write_name(char name[static FINDING_NAME_COLUMNS], const char *raw)
{
	text_safe(name, FINDING_NAME_COLUMNS, raw[0] != '\0' ? raw : "?", true);
}

static double count_cpus(const struct rule_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	int online = 0;

	for (size_t i = 0; i < snapshot->cpu_count; i++)
		online += snapshot->cpus[i].is_online;
	if (online > 0)
		return online;
	return input->session->cpu_count > 0 ? input->session->cpu_count : 1;
}

/* Of those that have counts; perftop and its helpers are none of them. */
static bool is_looked_at(const struct rule_look *look, const struct snapshot_task *task)
{
	const int32_t own_pid = look->input->witness.own_pid;

	return !task->is_held && !task->is_new && !task->is_kernel_thread && !task->is_from_proc &&
	       (own_pid == 0 || task->pid != own_pid) &&
	       (task->has_run || task_has_waited(task) || task_is_uninterruptible(task)) &&
	       !text_begins(task->name, "perftop-");
}

static bool is_longer_run(const struct snapshot_task *task, const struct snapshot_task *most)
{
	return !most || task->interval[QUANTITY_RUN_NS] > most->interval[QUANTITY_RUN_NS];
}

static void note_runner(struct rule_look *look, const struct snapshot_task *task)
{
	const size_t cpu = (size_t)task->last_cpu;
	struct runners *runners;

	if (task->last_cpu < 0 || cpu >= TOPOLOGY_CPUS_MAX)
		return;
	while (look->runner_count <= cpu) {
		array_reserve(&look->runners, &look->runner_capacity, look->runner_count + 1,
			      sizeof(*look->runners));
		look->runners[look->runner_count++] = (struct runners){0};
	}
	runners = &look->runners[cpu];
	if (is_longer_run(task, runners->first)) {
		if (runners->first && runners->first->pid != task->pid)
			runners->other = runners->first;
		runners->first = task;
	} else if (task->pid != runners->first->pid && is_longer_run(task, runners->other)) {
		runners->other = task;
	}
}

static void note_ended(struct rule_look *look, const struct snapshot_task *task)
{
	if (task->is_held || task->pid != task->tid || task->parent_id == 0)
		return;
	array_reserve(&look->ended, &look->ended_capacity, look->ended_count + 1,
		      sizeof(*look->ended));
	look->ended[look->ended_count++] = task;
}

static void note_task(struct rule_look *look, const struct snapshot_task *task)
{
	if (!is_looked_at(look, task))
		return;
	note_runner(look, task);
	if (!look_wants(look, task->pid))
		return;
	array_reserve(&look->tasks, &look->capacity, look->count + 1, sizeof(*look->tasks));
	look->tasks[look->count++] = task;
}

/* Of thousands most do nothing, and are not even glanced at where that is known. */
static void gather_tasks(struct rule_look *look)
{
	const struct snapshot *snapshot = look->snapshot;

	for (size_t i = 0; i < snapshot_active_count(snapshot); i++) {
		const struct snapshot_task *task = snapshot_active_task(snapshot, i);

		if (task->is_exited)
			note_ended(look, task);
		else if (task->has_counts)
			note_task(look, task);
	}
}

static bool wakes_more(const void *left, const void *right)
{
	const struct snapshot_task *const *a = left, *const *b = right;
	const uint64_t *one = (*a)->interval, *other = (*b)->interval;

	return one[QUANTITY_SWITCHES] - one[QUANTITY_PREEMPTIONS] >
	       other[QUANTITY_SWITCHES] - other[QUANTITY_PREEMPTIONS];
}

static bool is_long_uninterruptible(const struct snapshot_task *task)
{
	const uint64_t long_ns = 100000000;

	return task->interval[QUANTITY_UNINTERRUPTIBLE_NS] >= long_ns;
}

/* Those that seem to be at the disk, then those that wake up most often. */
static bool asks_more(const void *left, const void *right)
{
	const struct snapshot_task *const *a = left, *const *b = right;
	const bool one = is_long_uninterruptible(*a), other = is_long_uninterruptible(*b);

	return one != other ? one : wakes_more(left, right);
}

/* Its waits may be much: at the disk, or light beside one that uses much. */
static bool is_asked_for(const struct rule_look *look, const struct snapshot_task *task)
{
	return is_long_uninterruptible(task) ||
	       (look_is_light(look, task) && look_find_culprit(look, task));
}

/* How long they have waited, where wake-ups are not reported. */
static void ask_for_delays(struct rule_look *look, const struct snapshot_task *const *tasks,
			   size_t count)
{
	const struct rule_witness *witness = &look->input->witness;
	struct rule_delays *delays = &look->delays;

	for (size_t i = 0; i < count; i++) {
		const struct rule_delay *last = find_delay(&look->memory->delays, tasks[i]->id);
		struct rule_delay *delay = &delays->list[delays->count];

		if (!witness->run_delay(witness->context, tasks[i]->pid, tasks[i]->tid,
					&delay->wait_ns))
			continue;
		delay->id = tasks[i]->id;
		if (last && delay->wait_ns > last->wait_ns)
			look->waited_ns[delays->count] = delay->wait_ns - last->wait_ns;
		delays->count++;
	}
}

static void note_waits(struct rule_look *look, const struct snapshot_task *task)
{
	const double least_pct = 10;
	const uint64_t *interval = task->interval;
	const uint64_t blocked_ns = interval[QUANTITY_UNINTERRUPTIBLE_NS];

	look->blocked_pct = fmax(look->blocked_pct, look_pct(look, blocked_ns));
	look->has_waits |= look_pct(look, blocked_ns + interval[QUANTITY_QUEUED_NS] +
						  interval[QUANTITY_PREEMPTED_NS]) >= least_pct;
}

/* Which of them rules look at most closely. */
static void rank_tasks(struct rule_look *look)
{
	const bool asks_proc =
		look->input->witness.run_delay && look->input->session->queue == QUEUE_UNKNOWN;
	const double least_s = 15;
	const struct snapshot_task *asked[RULE_DELAYS];
	size_t asked_count = 0;

	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];

		note_waits(look, task);
		if (look_voluntary_per_s(look, task) >= least_s && !look_is_starter(look, task))
			rank_insert(look->switchers, &look->switcher_count, LOOK_SWITCHERS,
				    sizeof(*look->switchers), &look->tasks[i], wakes_more);
		if (asks_proc && is_asked_for(look, task))
			rank_insert(asked, &asked_count, RULE_DELAYS, sizeof(*asked),
				    &look->tasks[i], asks_more);
	}
	ask_for_delays(look, asked, asked_count);
}

struct rule_look *rule_look_create(const struct rule_input *input, struct rule_memory *memory)
{
	struct rule_look *look = xcalloc(1, sizeof(*look));

	look->input = input;
	look->memory = memory;
	look->snapshot = input->snapshot;
	look->cpus = count_cpus(input);
	if (input->snapshot->sequence - memory->asked_from >= RULE_ASKED_FOR) {
		memory->asked_from = input->snapshot->sequence;
		memory->asked_count = 0;
	}
	gather_tasks(look);
	look_gather_starters(look);
	rank_tasks(look);
	return look;
}

void rule_look_destroy(struct rule_look *look)
{
	look->memory->delays = look->delays;
	free(look->tasks);
	free(look->ended);
	free(look->runners);
	free(look->starters);
	free(look);
}

bool rule_look_has_waits(const struct rule_look *look)
{
	return look->has_waits;
}
