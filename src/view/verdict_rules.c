/*
 * The rules. All times are of the interval, in percent of it or of the machine (its CPUs' time).
 *
 * What a rule must not name is the load as such: tasks that share CPUs all wait for them, and a
 * compilation starts processes, faults pages in and reads files. So each rule has a lower bound
 * beside its thresholds that tells the two apart: short lives, waits of tasks that use little,
 * switches without work between them.
 */
#include "view/verdict_rules.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/stalls.h"
#include "view/window.h"

enum {
	NAME_COLUMNS = 48,
	LOOKED_AT = 500,     /* of the processes that ended */
	STEPS_MAX = 16,      /* up to a parent that lives */
	STARTED_LEAST_S = 20 /* processes in a second that are worth looking at */
};

static const double NS_PER_S = 1e9;

/* A task that starts processes. */
struct starter {
	uint64_t id;
	const struct snapshot_task *task; /* NULL: not found yet */
	uint64_t count, run_ns; /* of those that ended in the interval; since their starts */
};

struct rule_look {
	const struct rule_input *input;
	const struct snapshot *snapshot;
	const struct snapshot_task **tasks; /* owned; that were there all the time, of users */
	size_t count, capacity;
	double cpus;              /* of the machine */
	struct starter *starters; /* owned */
	size_t starter_count, starter_capacity;
	struct rule_memory *memory;
	struct rule_delays delays; /* of now, and how long that is since the interval before */
	uint64_t waited_ns[RULE_DELAYS];
	bool has_waits;
	double least; /* what is less is not looked for: that of the rule */
};

static double per_second(const struct rule_look *look, uint64_t count)
{
	return (double)count * NS_PER_S / (double)look->snapshot->interval_ns;
}

static double pct_of_interval(const struct rule_look *look, uint64_t ns)
{
	return 100.0 * (double)ns / (double)look->snapshot->interval_ns;
}

static double voluntary_per_s(const struct rule_look *look, const struct snapshot_task *task)
{
	return per_second(look,
			  task->interval[QUANTITY_SWITCHES] - task->interval[QUANTITY_PREEMPTIONS]);
}

static double run_pct(const struct rule_look *look, const struct snapshot_task *task)
{
	return pct_of_interval(look, task->interval[QUANTITY_RUN_NS]);
}

static void write_name(char name[static NAME_COLUMNS], const char *raw)
{
	text_safe(name, NAME_COLUMNS, raw[0] != '\0' ? raw : "?", true);
}

/* Whether this one is named: the one that was named before gives way to one that is clearly worse.
 */
static bool is_worse(const struct rule_look *look, double value, uint64_t subject, uint64_t before,
		     const struct finding *finding)
{
	const double keeps = 1.5;
	const double own = subject == before ? value * keeps : value;
	const double other = finding->subject == before ? finding->value * keeps : finding->value;

	return value >= look->least && (finding->subject == 0 || own > other);
}

static void take_finding(struct finding *finding, uint64_t subject, double value, double lost_pct)
{
	*finding = (struct finding){
		.subject = subject,
		.value = value,
		.lost_pct = lost_pct < 100 ? lost_pct : 100,
	};
}

/* --- processes that live shortly */

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

	for (size_t i = 0; i < look->snapshot->task_count; i++) {
		const struct snapshot_task *task = &look->snapshot->tasks[i];

		if (!task->is_exited || task->is_held || task->pid != task->tid ||
		    task->parent_id == 0)
			continue;
		if (!last || last->id != task->parent_id)
			last = need_tally(look, by_id, task->parent_id);
		last->count++;
		if (ended++ % stands_for == 0)
			last->run_ns += stands_for * task->total[QUANTITY_RUN_NS];
	}
}

/* Finds the tasks that have started some, of those that have ended or not. True: there are more. */
static bool find_starters(struct rule_look *look, const struct map *by_id, bool have_ended)
{
	size_t found = 0;

	for (size_t i = 0; i < look->snapshot->task_count; i++) {
		const struct snapshot_task *task = &look->snapshot->tasks[i];
		struct starter *starter;

		if (task->is_exited != have_ended || !(starter = find_tally(look, by_id, task->id)))
			continue;
		starter->task = task;
		found++;
	}
	return found < look->starter_count;
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

static void gather_starters(struct rule_look *look)
{
	struct map by_id = {0}; /* number of the starter, from 1 */
	size_t count = 0;

	count_ended(look, &by_id);
	if (find_starters(look, &by_id, false)) {
		find_starters(look, &by_id, true);
		for (size_t i = 0; i < look->starter_count; i++)
			pass_upwards(look, &by_id, &look->starters[i]);
	}
	for (size_t i = 0; i < look->starter_count; i++)
		if (look->starters[i].task && !look->starters[i].task->is_exited)
			look->starters[count++] = look->starters[i];
	look->starter_count = count;
	map_fini(&by_id);
}

static bool is_starter(const struct rule_look *look, const struct snapshot_task *task)
{
	for (size_t i = 0; i < look->starter_count; i++)
		if (look->starters[i].task == task)
			return per_second(look, look->starters[i].count) >= STARTED_LEAST_S;
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

	if (mean_ns <= short_ns && per_second(look, starter->count) >= many_s)
		return true;
	return mean_ns <= most_ns && own_ns >= starter->run_ns / 5;
}

/* What is lost is theirs, and as much of the starter's. */
static void find_starter(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct starter *worst = NULL;
	char name[NAME_COLUMNS];

	for (size_t i = 0; i < look->starter_count; i++) {
		const struct starter *starter = &look->starters[i];
		const uint64_t own_ns = starter->task->interval[QUANTITY_RUN_NS];
		const uint64_t lost_ns =
			starter->run_ns + (own_ns < starter->run_ns ? own_ns : starter->run_ns);
		const double pct = pct_of_interval(look, lost_ns) / look->cpus;

		if (per_second(look, starter->count) < STARTED_LEAST_S ||
		    !are_short(look, starter, own_ns) ||
		    !is_worse(look, pct, starter->task->id, before, finding))
			continue;
		take_finding(finding, starter->task->id, pct, pct);
		worst = starter;
	}
	if (!worst)
		return;
	write_name(name, worst->task->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "%s starts %.0f processes/s, %.0f %% of the machine", name,
		 per_second(look, worst->count), finding->value);
}

/* --- waits for a CPU */

/* NULL: none that a limit held back in the interval. */
static const struct snapshot_cgroup *find_limit(const struct rule_look *look,
						const struct snapshot_task *task)
{
	size_t length = task->cgroup ? strlen(task->cgroup) : 0;
	const struct snapshot_cgroup *each;

	while (length > 0 && (each = snapshot_climb(look->snapshot, task->cgroup, &length)))
		if (each->limited_ns > 0)
			return each;
	return NULL;
}

static const struct rule_delay *find_delay(const struct rule_delays *delays, uint64_t id)
{
	for (size_t i = 0; i < delays->count; i++)
		if (delays->list[i].id == id)
			return &delays->list[i];
	return NULL;
}

/* In percent of the interval. */
static double waited_pct(const struct rule_look *look, const struct snapshot_task *task)
{
	const uint64_t *interval = task->interval;
	uint64_t ns = interval[QUANTITY_PREEMPTED_NS] > interval[QUANTITY_QUEUED_NS]
			      ? interval[QUANTITY_PREEMPTED_NS]
			      : interval[QUANTITY_QUEUED_NS];

	for (size_t i = 0; i < look->delays.count; i++)
		if (look->delays.list[i].id == task->id && look->waited_ns[i] > ns)
			ns = look->waited_ns[i];
	return fmin(pct_of_interval(look, ns), 100);
}

/* To wait is what it was asked for. */
static bool is_niced(const struct rule_look *look, const struct snapshot_task *task)
{
	const struct rule_witness *witness = &look->input->witness;
	struct rule_memory *memory = look->memory;
	struct rule_usage usage;
	struct rule_nice *nice;

	if (!witness->usage)
		return false;
	for (size_t i = 0; i < memory->nice_count; i++)
		if (memory->nice[i].id == task->id)
			return memory->nice[i].is_niced;
	if (memory->nice_count == RULE_NICE)
		memory->nice_count = 0;
	nice = &memory->nice[memory->nice_count++];
	nice->id = task->id;
	nice->is_niced =
		witness->usage(witness->context, task->pid, task->tid, &usage) && usage.nice > 0;
	return nice->is_niced;
}

/* It uses little of a CPU, and sleeps often: what competes for all of one waits in fairness. */
static bool is_light(const struct rule_look *look, const struct snapshot_task *task)
{
	const double most_pct = 35, least_s = 4;

	return run_pct(look, task) <= most_pct && voluntary_per_s(look, task) >= least_s &&
	       !is_starter(look, task);
}

/*
 * What ran most on the CPU where the task ran last, if that was much; NULL: there is none. A task
 * that is light waits behind several that share the CPU, too: that is load.
 */
static const struct snapshot_task *find_culprit(const struct rule_look *look,
						const struct snapshot_task *victim)
{
	const double least_pct = is_light(look, victim) ? 50 : 30;
	const struct snapshot_task *most = NULL;

	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];

		if (task->last_cpu == victim->last_cpu && task->pid != victim->pid &&
		    run_pct(look, task) >= least_pct &&
		    (!most || task->interval[QUANTITY_RUN_NS] > most->interval[QUANTITY_RUN_NS]))
			most = task;
	}
	return most;
}

/* Whether a CPU had nothing to do for most of the interval. */
static bool has_idle_cpu(const struct rule_look *look)
{
	const double least_pct = 60;

	for (size_t i = 0; i < look->snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &look->snapshot->cpus[i];

		if (cpu->is_online &&
		    pct_of_interval(look, cpu->idle[QUANTITY_RUN_NS]) >= least_pct)
			return true;
	}
	return false;
}

/* How long it waited in a way that is no fair share: it is light, or a CPU idled meanwhile. */
static double unfairly_waited_pct(const struct rule_look *look, const struct snapshot_task *task,
				  bool has_idle)
{
	const double least_pct = 20;
	const double preempted_pct = pct_of_interval(look, task->interval[QUANTITY_PREEMPTED_NS]);
	const double pct = waited_pct(look, task);

	if (is_light(look, task))
		return 2 * pct >= run_pct(look, task) ? pct : 0;
	return has_idle && preempted_pct >= least_pct ? preempted_pct : 0;
}

static void find_waiter(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const bool has_idle = has_idle_cpu(look);
	const struct snapshot_task *worst = NULL, *culprit = NULL;
	char name[NAME_COLUMNS], culprit_name[NAME_COLUMNS];

	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i], *most;
		const double pct = unfairly_waited_pct(look, task, has_idle);

		if (!is_worse(look, pct, task->id, before, finding) || find_limit(look, task) ||
		    is_niced(look, task) || !(most = find_culprit(look, task)))
			continue;
		take_finding(finding, task->id, pct, pct / look->cpus);
		worst = task;
		culprit = most;
	}
	if (!worst)
		return;
	finding->pid = worst->pid;
	write_name(name, worst->name);
	write_name(culprit_name, culprit->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s waits %.1f %% of the time for a CPU: %s",
		 name, finding->value, culprit_name);
}

/* --- limits and pressure of cgroups */

/* By its own limit, not by one above it. */
static void find_limited(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	char name[NAME_COLUMNS];

	for (size_t i = 0; i < look->snapshot->cgroup_count; i++) {
		const struct snapshot_cgroup *cgroup = &look->snapshot->cgroups[i];
		const uint64_t *numbers = cgroup->interval;
		double pct;

		if (!(cgroup->known & 1u << STALL_PERIODS_THROTTLED) || numbers[STALL_PERIODS] == 0)
			continue;
		pct = fmin(100.0 * (double)numbers[STALL_PERIODS_THROTTLED] /
				   (double)numbers[STALL_PERIODS],
			   100);
		if (!is_worse(look, pct, i + 1, before, finding))
			continue;
		take_finding(finding, i + 1, pct, pct / look->cpus);
		write_name(name, cgroup->path);
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "%s is held by its CPU limit %.0f %% of the time", name, pct);
	}
}

static void find_pressed(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	char name[NAME_COLUMNS];

	for (size_t i = 0; i < look->snapshot->cgroup_count; i++) {
		const struct snapshot_cgroup *cgroup = &look->snapshot->cgroups[i];
		const double pct = cgroup_stall_pct(look->snapshot, cgroup->path,
						    strlen(cgroup->path), STALL_MEMORY_SOME);

		if (!is_worse(look, pct, i + 1, before, finding))
			continue;
		take_finding(finding, i + 1, pct, pct);
		write_name(name, cgroup->path);
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "tasks of %s wait for memory %.0f %% of the time", name, pct);
	}
}

static void find_stolen(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	double sum = 0;

	for (size_t i = 0; i < look->snapshot->cpu_count; i++) {
		const double pct = cpu_steal_pct(look->snapshot, look->snapshot->cpus[i].cpu);

		sum += isnan(pct) ? 0 : pct / look->cpus;
	}
	if (!is_worse(look, sum, 1, before, finding))
		return;
	take_finding(finding, 1, sum, sum);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "the hypervisor takes %.0f %% of the CPUs' time", sum);
}

/* --- switches without work between them */

enum {
	SWITCHERS = 16 /* tasks that are looked at */
};

static bool wakes_more(const void *left, const void *right)
{
	const struct snapshot_task *const *a = left, *const *b = right;
	const uint64_t *one = (*a)->interval, *other = (*b)->interval;

	return one[QUANTITY_SWITCHES] - one[QUANTITY_PREEMPTIONS] >
	       other[QUANTITY_SWITCHES] - other[QUANTITY_PREEMPTIONS];
}

/* Tasks that sleep and wake most often, most first. */
static size_t find_switchers(const struct rule_look *look,
			     const struct snapshot_task *most[static SWITCHERS])
{
	const double least_s = 15;
	size_t count = 0;

	for (size_t i = 0; i < look->count; i++)
		if (voluntary_per_s(look, look->tasks[i]) >= least_s &&
		    !is_starter(look, look->tasks[i]))
			rank_insert(most, &count, SWITCHERS, sizeof(*most), &look->tasks[i],
				    wakes_more);
	return count;
}

/* Threads of one process that sleep and wake. */
struct crowd {
	int32_t pid;
	size_t threads; /* that do so about as often as the first, which does most */
	double rate, busy_pct, off_pct;
};

static struct crowd find_crowd(const struct rule_look *look,
			       const struct snapshot_task *const *most, size_t count, size_t first)
{
	const double least = 0.3 * voluntary_per_s(look, most[first]);
	struct crowd crowd = {.pid = most[first]->pid};

	for (size_t i = 0; i < count; i++) {
		if (most[i]->pid != crowd.pid)
			continue;
		if (i < first)
			return (struct crowd){0}; /* it was found already */
		crowd.threads += voluntary_per_s(look, most[i]) >= least;
		crowd.rate += voluntary_per_s(look, most[i]);
		crowd.busy_pct += run_pct(look, most[i]);
		crowd.off_pct += pct_of_interval(look, most[i]->interval[QUANTITY_OFF_NS]);
	}
	return crowd;
}

/* Whether one of them waits for a lock right now: each does now and then. */
static bool are_at_lock(const struct rule_look *look, const struct snapshot_task *const *most,
			size_t count, int32_t pid)
{
	const struct rule_witness *witness = &look->input->witness;
	const size_t looks = 2;

	for (size_t i = 0; i < looks * count && witness->waits_for_lock; i++)
		if (most[i % count]->pid == pid &&
		    witness->waits_for_lock(witness->context, pid, most[i % count]->tid))
			return true;
	return false;
}

/* Tasks that switch at least so often, as a part of how often the first does. */
static size_t count_alike(const struct rule_look *look, const struct snapshot_task *const *most,
			  size_t count, double part)
{
	size_t alike = 0;

	while (alike < count &&
	       voluntary_per_s(look, most[alike]) >= part * voluntary_per_s(look, most[0]))
		alike++;
	return alike;
}

/* Two that are about equal, and nobody else: each wakes the other. */
static bool are_two(const struct rule_look *look, const struct snapshot_task *const *most,
		    size_t count)
{
	return count >= 2 && count_alike(look, most, count, 0.6) == 2 &&
	       count_alike(look, most, count, 0.25) == 2;
}

/* What switches cost at least, in percent of the machine. */
static double lost_by_switches(const struct rule_look *look, double rate)
{
	const double switch_ns = 3000;

	return 100.0 * rate * switch_ns / NS_PER_S / look->cpus;
}

static void find_ping_pong(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct snapshot_task *most[SWITCHERS];
	const size_t count = find_switchers(look, most);
	char names[2][NAME_COLUMNS];
	double rate;

	if (!are_two(look, most, count))
		return;
	rate = voluntary_per_s(look, most[0]);
	if (!is_worse(look, rate, most[0]->id, before, finding) ||
	    are_at_lock(look, most, 2, most[0]->pid))
		return;
	take_finding(finding, most[0]->id, rate, lost_by_switches(look, 2 * rate));
	write_name(names[0], most[most[0]->id > most[1]->id]->name);
	write_name(names[1], most[most[0]->id < most[1]->id]->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s and %s wake each other %.0f times/s",
		 names[0], names[1], rate);
}

/* Threads that work, and sleep as often as each other. */
static void find_contention(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct snapshot_task *most[SWITCHERS], *worst = NULL;
	const size_t count = find_switchers(look, most);
	const double least_pct = 30;
	char name[NAME_COLUMNS];
	size_t threads = 0;

	for (size_t i = 0; i < count; i++) {
		const struct crowd crowd = find_crowd(look, most, count, i);

		if (crowd.threads < 2 || crowd.busy_pct < least_pct ||
		    !is_worse(look, crowd.rate, (uint64_t)crowd.pid, before, finding) ||
		    !are_at_lock(look, most, count, crowd.pid))
			continue;
		take_finding(finding, (uint64_t)crowd.pid, crowd.rate, crowd.off_pct / look->cpus);
		worst = most[i];
		threads = crowd.threads;
	}
	if (!worst)
		return;
	finding->pid = worst->pid;
	write_name(name, worst->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "%zu threads of %s contend for a lock, %.0f waits/s", threads, name,
		 finding->value);
}

/* --- memory and disk */

/* Whether it hardly does anything else; where that is not known, if there are very many. */
static bool is_mostly_faults(const struct rule_look *look, const struct snapshot_task *task,
			     double rate)
{
	const struct rule_witness *witness = &look->input->witness;
	const double many_s = 100000, least_pct = 70;
	struct rule_usage usage;

	return rate >= many_s ||
	       (witness->usage && witness->usage(witness->context, task->pid, task->tid, &usage) &&
		usage.system_pct >= least_pct);
}

static void find_faulter(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct layout *layout = look->snapshot->layout;
	const int event = layout_find_event(layout, METRIC_FAULTS_EVENT);
	const double fault_ns = 700;
	const struct snapshot_task *worst = NULL;
	char name[NAME_COLUMNS];

	if (event < 0 || !event_is_counted(&layout->events[event]))
		return;
	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		const double rate =
			per_second(look, layout_event_count(layout, (size_t)event, task->interval));

		if (is_starter(look, task) || !is_worse(look, rate, task->id, before, finding) ||
		    !is_mostly_faults(look, task, rate))
			continue;
		take_finding(finding, task->id, rate,
			     100.0 * rate * fault_ns / NS_PER_S / look->cpus);
		worst = task;
	}
	if (!worst)
		return;
	finding->pid = worst->pid;
	write_name(name, worst->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s has %.0f page faults/s", name,
		 finding->value);
}

/* Whether tasks wait for storage in the function: how such begin. */
static bool is_of_disk(const char *function)
{
	/* clang-format off */
	static const char *const begins[] = {
		"submit_bio", "wait_for_completion_io", "folio_wait_", "wait_on_page_", "bit_wait_io",
		"io_schedule", "rq_qos_", "wbt_", "blk_", "blkdev_", "wait_on_buffer", "__wait_on_buffer",
		"balance_dirty_", "filemap_", "jbd2_", "do_get_write_access", "wait_transaction_locked",
		"start_this_handle", "add_transaction_credits", "ext4_", "xfs_", "xlog_", "btrfs_", "iomap_",
		"vfs_fsync", "rpc_wait_", "nfs",
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (text_begins(function, begins[i]))
			return true;
	return false;
}

/*
 * Uninterruptible sleeps are also those for RCU, children and locks of the kernel. Of the present
 * it is there, or was when it was looked at last; of what is over it is not known.
 */
static bool is_at_disk(const struct rule_look *look, const struct snapshot_task *task)
{
	const struct rule_witness *witness = &look->input->witness;
	char function[64];

	if (!witness->function)
		return true;
	if (witness->function(witness->context, task->pid, task->tid, function, sizeof(function)))
		look->memory->at_disk = is_of_disk(function) ? task->id : 0;
	return look->memory->at_disk == task->id;
}

/*
 * Without the wait for a CPU after it, which is no part of it where wake-ups are reported. False:
 * how long that is must be asked, and is not known yet.
 */
static bool find_disk_wait(const struct rule_look *look, const struct snapshot_task *task,
			   double *pct)
{
	*pct = pct_of_interval(look, task->interval[QUANTITY_UNINTERRUPTIBLE_NS]);
	if (!look->input->witness.run_delay || look->input->session->queue != QUEUE_UNKNOWN)
		return true;
	for (size_t i = 0; i < look->delays.count; i++) {
		if (look->delays.list[i].id != task->id ||
		    !find_delay(&look->memory->delays, task->id))
			continue;
		*pct -= fmin(*pct, pct_of_interval(look, look->waited_ns[i]));
		return true;
	}
	return false;
}

static void find_disk_waiter(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const uint32_t unknown = look->snapshot->unknown | look->input->session->unknown;
	const struct snapshot_task *worst = NULL;
	char name[NAME_COLUMNS];

	if (unknown & 1u << QUANTITY_UNINTERRUPTIBLE_NS)
		return;
	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		double pct;

		if (!task_is_uninterruptible(task) || is_starter(look, task) ||
		    !find_disk_wait(look, task, &pct) ||
		    !is_worse(look, pct, task->id, before, finding) || !is_at_disk(look, task))
			continue;
		take_finding(finding, task->id, pct, pct / look->cpus);
		worst = task;
	}
	if (!worst)
		return;
	finding->pid = worst->pid;
	write_name(name, worst->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s waits %.0f %% of the time for the %s",
		 name, finding->value, look->input->witness.function ? "disk" : "disk, or a lock");
}

/* NaN: unknown. */
static double eval(const struct rule_look *look, const struct snapshot_task *task, const char *name)
{
	const struct metrics *metrics = look->input->metrics;
	const int metric = metrics ? metrics_find(metrics, name) : -1;

	if (metric < 0 || !metrics_is_available(metrics, (size_t)metric))
		return NAN;
	return metrics_eval(metrics, (size_t)metric, task->interval, task->unknown,
			    look->snapshot->interval_ns)
		.value;
}

static void find_memory_bound(const struct rule_look *look, uint64_t before,
			      struct finding *finding)
{
	const double least_pct = 30, most_ipc = 0.8;
	char name[NAME_COLUMNS];

	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		double misses;

		if (run_pct(look, task) < least_pct || !(eval(look, task, "ipc") <= most_ipc))
			continue;
		misses = eval(look, task, "mpki");
		if (!is_worse(look, misses, task->id, before, finding))
			continue;
		take_finding(finding, task->id, misses, run_pct(look, task) / look->cpus / 2);
		write_name(name, task->name);
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "%s waits for memory, %.0f cache misses per 1000 instructions", name,
			 misses);
	}
}

/* --- functions, where samples are taken */

/* CPU time of a process, or of it in a function. */
struct spent {
	int32_t pid;
	uint32_t function; /* number; 0: in all */
	uint64_t ns, samples;
};

struct spent_table {
	struct map by_key;  /* number in the list, from 1 */
	struct spent *list; /* owned */
	size_t count, capacity;
};

static struct spent *find_spent(struct spent_table *table, int32_t pid, uint32_t function)
{
	const uint64_t key = (uint64_t)function << 32 | (uint32_t)pid;
	const uintptr_t number = (uintptr_t)map_get(&table->by_key, key);

	if (number > 0)
		return &table->list[number - 1];
	array_reserve(&table->list, &table->capacity, table->count + 1, sizeof(*table->list));
	table->list[table->count++] = (struct spent){.pid = pid, .function = function};
	map_put(&table->by_key, key, (void *)(uintptr_t)table->count);
	return &table->list[table->count - 1];
}

static void add_spent(struct spent_table *table, const struct profile_entry *entry,
		      uint32_t function)
{
	struct spent *spent = find_spent(table, entry->pid, function);

	spent->ns += entry->ns;
	spent->samples += entry->samples;
}

/* 0: it is not known. */
static uint32_t find_function(const struct rule_look *look, uint32_t number)
{
	struct function_name name;

	if (number == 0)
		return 0;
	name = function_names_find(look->input->names, number, look->snapshot->time_ns);
	return name.reason ? 0 : name.same_as;
}

static void gather_spent(const struct rule_look *look, struct spent_table *table)
{
	const struct profile *profile = look->snapshot->profile;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		uint32_t function;

		if (entry->kind != SAMPLE_ON_CPU || entry->pid == look->input->witness.own_pid)
			continue;
		function = find_function(look, profile->nodes[entry->node].function);
		add_spent(table, entry, 0);
		if (function != 0)
			add_spent(table, entry, function);
	}
}

static const char *name_of_process(const struct rule_look *look, int32_t pid)
{
	for (size_t i = 0; i < look->snapshot->task_count; i++)
		if (look->snapshot->tasks[i].tid == pid)
			return look->snapshot->tasks[i].name;
	return "";
}

static void write_hot(const struct rule_look *look, const struct spent *spent,
		      struct finding *finding)
{
	char name[NAME_COLUMNS], function[NAME_COLUMNS];

	finding->pid = spent->pid;
	write_name(name, name_of_process(look, spent->pid));
	write_name(function,
		   function_names_find(look->input->names, spent->function, look->snapshot->time_ns)
			   .function);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s spends %.0f %% of its CPU time in %s",
		 name, finding->value, function);
}

/* Nothing need be wrong with it, so it is the least of what is named. */
static void find_hot(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const double least_pct = 10, weight = 0.01;
	const uint64_t least_samples = 20;
	struct spent_table table = {0};
	const struct spent *worst = NULL;

	if (!look->snapshot->profile || !look->input->names)
		return;
	gather_spent(look, &table);
	for (size_t i = 0; i < table.count; i++) {
		const struct spent *spent = &table.list[i];
		const struct spent *all = find_spent(&table, spent->pid, 0);
		const double pct = 100.0 * (double)spent->ns / (double)all->ns;
		const uint64_t subject = (uint64_t)spent->pid << 32 | spent->function;

		if (spent->function == 0 || spent->samples < least_samples ||
		    pct_of_interval(look, all->ns) < least_pct ||
		    !is_worse(look, pct, subject, before, finding))
			continue;
		take_finding(finding, subject, pct, weight * pct_of_interval(look, spent->ns));
		worst = spent;
	}
	if (worst)
		write_hot(look, worst, finding);
	map_fini(&table.by_key);
	free(table.list);
}

/* --- what they look at */

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

/* Those that do something all the time; perftop and its helpers are none of them. */
static bool is_looked_at(const struct rule_look *look, const struct snapshot_task *task)
{
	const int32_t own_pid = look->input->witness.own_pid;

	return !task->is_exited && !task->is_held && !task->is_new && !task->is_kernel_thread &&
	       !task->is_from_proc && (own_pid == 0 || task->pid != own_pid) &&
	       !text_begins(task->name, "perftop-") &&
	       (task->has_run || task_has_waited(task) || task_is_uninterruptible(task));
}

static void gather_tasks(struct rule_look *look)
{
	const struct snapshot *snapshot = look->snapshot;

	for (size_t i = 0; i < snapshot->task_count; i++) {
		if (!is_looked_at(look, &snapshot->tasks[i]))
			continue;
		array_reserve(&look->tasks, &look->capacity, look->count + 1, sizeof(*look->tasks));
		look->tasks[look->count++] = &snapshot->tasks[i];
	}
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

/* Tasks whose waits may be much: at the disk, or light beside one that uses much. */
static size_t find_light(const struct rule_look *look,
			 const struct snapshot_task *most[static RULE_DELAYS])
{
	size_t count = 0;

	for (size_t i = 0; i < look->count; i++)
		if (is_long_uninterruptible(look->tasks[i]) ||
		    (is_light(look, look->tasks[i]) && find_culprit(look, look->tasks[i])))
			rank_insert(most, &count, RULE_DELAYS, sizeof(*most), &look->tasks[i],
				    asks_more);
	return count;
}

/* How long they have waited, where wake-ups are not reported. */
static void ask_for_delays(struct rule_look *look)
{
	const struct rule_witness *witness = &look->input->witness;
	const struct snapshot_task *light[RULE_DELAYS];
	struct rule_delays *delays = &look->delays;
	size_t count;

	if (!witness->run_delay || look->input->session->queue != QUEUE_UNKNOWN)
		return;
	count = find_light(look, light);
	for (size_t i = 0; i < count; i++) {
		const struct rule_delay *last = find_delay(&look->memory->delays, light[i]->id);
		struct rule_delay *delay = &delays->list[delays->count];

		if (!witness->run_delay(witness->context, light[i]->pid, light[i]->tid,
					&delay->wait_ns))
			continue;
		delay->id = light[i]->id;
		if (last && delay->wait_ns > last->wait_ns)
			look->waited_ns[delays->count] = delay->wait_ns - last->wait_ns;
		delays->count++;
	}
}

static bool find_waits(const struct rule_look *look)
{
	const double least_pct = 10;

	for (size_t i = 0; i < look->count; i++) {
		const uint64_t *interval = look->tasks[i]->interval;
		const uint64_t ns = interval[QUANTITY_QUEUED_NS] + interval[QUANTITY_PREEMPTED_NS] +
				    interval[QUANTITY_UNINTERRUPTIBLE_NS];

		if (pct_of_interval(look, ns) >= least_pct)
			return true;
	}
	return false;
}

struct rule_look *rule_look_create(const struct rule_input *input, struct rule_memory *memory)
{
	struct rule_look *look = xcalloc(1, sizeof(*look));

	look->input = input;
	look->memory = memory;
	look->snapshot = input->snapshot;
	look->cpus = count_cpus(input);
	gather_tasks(look);
	if (per_second(look, input->snapshot->exited_count) >= STARTED_LEAST_S)
		gather_starters(look);
	ask_for_delays(look);
	look->has_waits = find_waits(look);
	return look;
}

void rule_find(struct rule_look *look, const struct rule *rule, uint64_t before,
	       struct finding *finding)
{
	*finding = (struct finding){0};
	look->least = rule->off;
	rule->find(look, before, finding);
}

void rule_look_destroy(struct rule_look *look)
{
	look->memory->delays = look->delays;
	free(look->tasks);
	free(look->starters);
	free(look);
}

bool rule_look_has_waits(const struct rule_look *look)
{
	return look->has_waits;
}

/* clang-format off */
static const struct rule rules[] = {
	{"starter",    find_starter,      .on = 10,     .off = 6,     .after = 2, {"group-by parent", "view groups"}},
	{"limit",      find_limited,      .on = 10,     .off = 5,     .after = 1, {"group-by cgroup", "view groups", "columns pressure"}},
	{"waits",      find_waiter,       .on = 8,      .off = 4,     .after = 2, {"pairs takers", "view pairs"}},
	{"lock",       find_contention,   .on = 60,     .off = 30,    .after = 2, {"samples off-cpu", "functions PID"}},
	{"ping-pong",  find_ping_pong,    .on = 2000,   .off = 1000,  .after = 2, {"pairs wakers", "view pairs", "sort times"}},
	{"faults",     find_faulter,      .on = 10000,  .off = 5000,  .after = 2, {"samples on-cpu", "functions PID"}},
	{"disk",       find_disk_waiter,  .on = 25,     .off = 12,    .after = 2, {"samples blocked", "functions PID"}},
	{"memory",     find_memory_bound, .on = 20,     .off = 12,    .after = 2, {"view tasks", "sort mpki"}},
	{"pressure",   find_pressed,      .on = 10,     .off = 5,     .after = 2, {"group-by cgroup", "view groups", "columns pressure"}},
	{"hot",        find_hot,          .on = 60,     .off = 45,    .after = 2, {"samples on-cpu", "functions PID"}},
	{"steal",      find_stolen,       .on = 10,     .off = 5,     .after = 2, {"view cpus", "columns pressure"}},
};
/* clang-format on */

const struct rule *rule_table(size_t *count)
{
	static_assert(sizeof(rules) / sizeof(*rules) <= RULES_MAX, "states of all rules");
	*count = sizeof(rules) / sizeof(*rules);
	return rules;
}
