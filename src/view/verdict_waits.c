/*
 * Rules of tasks that wait: for a CPU, for locks, for each other, for a disk.
 *
 * Tasks that share CPUs all wait for them: what is named uses little, or waits while a CPU idles.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/verdict_look.h"

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

/* In percent of the interval. */
static double waited_pct(const struct rule_look *look, const struct snapshot_task *task)
{
	const uint64_t *interval = task->interval;
	uint64_t ns = interval[QUANTITY_PREEMPTED_NS] > interval[QUANTITY_QUEUED_NS]
			      ? interval[QUANTITY_PREEMPTED_NS]
			      : interval[QUANTITY_QUEUED_NS];
	uint64_t asked_ns;

	if (look_asked_wait(look, task, &asked_ns) && asked_ns > ns)
		ns = asked_ns;
	return fmin(look_pct(look, ns), 100);
}

/* To wait is what it was asked for. */
static bool is_niced(const struct rule_look *look, const struct snapshot_task *task)
{
	struct rule_usage usage;

	return look_ask_usage(look, task, &usage) && usage.nice > 0;
}

/* Whether a CPU had nothing to do for most of the interval. */
static bool has_idle_cpu(const struct rule_look *look)
{
	const double least_pct = 60;

	for (size_t i = 0; i < look->snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &look->snapshot->cpus[i];

		if (cpu->is_online && look_pct(look, cpu->idle[QUANTITY_RUN_NS]) >= least_pct)
			return true;
	}
	return false;
}

/* How long it waited in a way that is no fair share: it is light, or a CPU idled meanwhile. */
static double unfairly_waited_pct(const struct rule_look *look, const struct snapshot_task *task,
				  bool has_idle)
{
	const double least_pct = 20;
	const double preempted_pct = look_pct(look, task->interval[QUANTITY_PREEMPTED_NS]);
	const double pct = waited_pct(look, task);

	if (look_is_light(look, task))
		return 2 * pct >= look_run_pct(look, task) ? pct : 0;
	return has_idle && preempted_pct >= least_pct ? preempted_pct : 0;
}

static void write_wait(const struct rule_look *look, const struct candidate *victim,
		       struct finding *finding)
{
	const struct snapshot_task *culprit = look_find_culprit(look, victim->task);
	char name[FINDING_NAME_COLUMNS], culprit_name[FINDING_NAME_COLUMNS];

	finding_take(finding, victim->task->id, victim->value, victim->value / look->cpus);
	finding->pid = victim->task->pid;
	finding_write_name(name, victim->task->name);
	finding_write_name(culprit_name, culprit->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s waits %.1f %% of the time for a CPU: %s",
		 name, finding->value, culprit_name);
}

void rule_waits(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const bool has_idle = has_idle_cpu(look);
	struct candidates victims = {0};

	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		const double pct = unfairly_waited_pct(look, task, has_idle);

		if (pct >= look->least && look_find_culprit(look, task) && !find_limit(look, task))
			candidates_take(&victims, look, task, pct, before);
	}
	for (size_t i = 0; i < victims.count && finding->subject == 0; i++)
		if (!is_niced(look, victims.list[i].task))
			write_wait(look, &victims.list[i], finding);
}

/* --- switches without work between them */

/* Threads of one process that sleep and wake. */
struct crowd {
	int32_t pid;
	size_t threads; /* that do so about as often as the first, which does most */
	double rate, busy_pct, off_pct;
};

static struct crowd find_crowd(const struct rule_look *look,
			       const struct snapshot_task *const *most, size_t count, size_t first)
{
	const double least = 0.3 * look_voluntary_per_s(look, most[first]);
	struct crowd crowd = {.pid = most[first]->pid};

	for (size_t i = 0; i < count; i++) {
		if (most[i]->pid != crowd.pid)
			continue;
		if (i < first)
			return (struct crowd){0}; /* it was found already */
		crowd.threads += look_voluntary_per_s(look, most[i]) >= least;
		crowd.rate += look_voluntary_per_s(look, most[i]);
		crowd.busy_pct += look_run_pct(look, most[i]);
		crowd.off_pct += look_pct(look, most[i]->interval[QUANTITY_OFF_NS]);
	}
	return crowd;
}

/* Whether one of them waits for a lock right now: each does now and then. */
static bool are_at_lock(const struct rule_look *look, const struct snapshot_task *const *most,
			size_t count, int32_t pid)
{
	const struct rule_witness *witness = &look->input->witness;
	const size_t most_asked = 3 * LOOK_CANDIDATES; /* a look is short */
	size_t asked = 0;

	for (size_t i = 0; i < 3 * count && asked < most_asked && witness->waits_for_lock; i++) {
		if (most[i % count]->pid != pid)
			continue;
		if (witness->waits_for_lock(witness->context, pid, most[i % count]->tid))
			return true;
		asked++;
	}
	return false;
}

/* Tasks that switch at least so often, as a part of how often the first does. */
static size_t count_alike(const struct rule_look *look, const struct snapshot_task *const *most,
			  size_t count, double part)
{
	size_t alike = 0;

	while (alike < count && look_voluntary_per_s(look, most[alike]) >=
					part * look_voluntary_per_s(look, most[0]))
		alike++;
	return alike;
}

/* Two that are about equal, and no third: each wakes the other. */
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

void rule_ping_pong(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct snapshot_task *const *most = look->switchers;
	const size_t count = look->switcher_count;
	char names[2][FINDING_NAME_COLUMNS];
	double rate;

	if (!are_two(look, most, count))
		return;
	rate = look_voluntary_per_s(look, most[0]);
	if (!finding_is_worse(look, rate, most[0]->id, before, finding) ||
	    are_at_lock(look, most, 2, most[0]->pid))
		return;
	finding_take(finding, most[0]->id, rate, lost_by_switches(look, 2 * rate));
	finding_write_name(names[0], most[most[0]->id > most[1]->id]->name);
	finding_write_name(names[1], most[most[0]->id < most[1]->id]->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s and %s wake each other %.0f times/s",
		 names[0], names[1], rate);
}

/* Threads that work, and sleep as often as each other. */
void rule_lock(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct snapshot_task *const *most = look->switchers;
	const size_t count = look->switcher_count;
	const double least_pct = 30;
	char name[FINDING_NAME_COLUMNS];
	size_t threads = 0;

	for (size_t i = 0; i < count; i++) {
		const struct crowd crowd = find_crowd(look, most, count, i);

		if (crowd.threads < 2 || crowd.busy_pct < least_pct ||
		    !finding_is_worse(look, crowd.rate, (uint64_t)crowd.pid, before, finding) ||
		    !are_at_lock(look, most, count, crowd.pid))
			continue;
		finding_take(finding, (uint64_t)crowd.pid, crowd.rate, crowd.off_pct / look->cpus);
		finding->pid = crowd.pid;
		threads = crowd.threads;
	}
	if (threads == 0)
		return;
	finding_write_name(name, look_process_name(look, finding->pid));
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "%zu threads of %s contend for a lock, %.0f waits/s", threads, name,
		 finding->value);
}

/* --- locks that are never released */

static size_t count_deadlocked(const struct snapshot *snapshot, int32_t pid)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->lock_wait_count; i++)
		count += snapshot->lock_waits[i].is_deadlock && snapshot->lock_waits[i].pid == pid;
	return count;
}

/* Threads of a process, by number. What waits for a lock is known while locks or states are shown.
 */
void rule_deadlock(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct snapshot *snapshot = look->snapshot;
	char name[FINDING_NAME_COLUMNS];

	for (size_t i = 0; i < snapshot->lock_wait_count; i++) {
		const int32_t pid = snapshot->lock_waits[i].pid;
		double threads;

		if (!snapshot->lock_waits[i].is_deadlock || pid == finding->pid ||
		    !look_wants(look, pid))
			continue;
		threads = (double)count_deadlocked(snapshot, pid);
		if (!finding_is_worse(look, threads, (uint64_t)pid, before, finding))
			continue;
		finding_take(finding, (uint64_t)pid, threads, 100 * threads / look->cpus);
		finding->pid = pid;
	}
	if (finding->subject == 0)
		return;
	finding_write_name(name, look_process_name(look, finding->pid));
	if (finding->value > 1)
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "%.0f threads of %s wait for each other's locks, a deadlock",
			 finding->value, name);
	else
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "a thread of %s waits for a lock that it has itself", name);
}

/* --- the disk */

/* Where a task sleeps. */
enum sleep_place {
	PLACE_UNKNOWN,
	PLACE_DISK,
	PLACE_OTHER
};

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
 * Uninterruptible sleeps are also those for RCU, children and locks of the kernel. Where the task
 * sleeps is seen when it is looked at, and remembered for a look while it runs; of what is over it
 * is not known.
 */
static enum sleep_place find_sleep_place(const struct rule_look *look,
					 const struct snapshot_task *task)
{
	const struct rule_witness *witness = &look->input->witness;
	struct rule_memory *memory = look->memory;
	char function[64];

	if (!witness->function)
		return PLACE_UNKNOWN;
	if (witness->function(witness->context, task->pid, task->tid, function, sizeof(function))) {
		memory->sleeper = task->id;
		memory->at_disk = is_of_disk(function);
	}
	if (memory->sleeper != task->id)
		return PLACE_UNKNOWN;
	return memory->at_disk ? PLACE_DISK : PLACE_OTHER;
}

/* They say for what it was, also of a recording. */
static bool has_states(const struct rule_look *look)
{
	return !(look->snapshot->unknown & 1u << QUANTITY_DISK_NS);
}

/*
 * Without the wait for a CPU after it, which is no part of it where wake-ups are reported. False:
 * how long that is must be asked, and is not known yet.
 */
static bool find_disk_wait(const struct rule_look *look, const struct snapshot_task *task,
			   double *pct)
{
	uint64_t asked_ns;

	*pct = look_pct(
		look,
		task->interval[has_states(look) ? QUANTITY_DISK_NS : QUANTITY_UNINTERRUPTIBLE_NS]);
	if (!look->input->witness.run_delay || look->input->session->queue != QUEUE_UNKNOWN)
		return true;
	if (!look_asked_wait(look, task, &asked_ns))
		return false;
	*pct -= fmin(*pct, look_pct(look, asked_ns));
	return true;
}

static void write_disk_wait(const struct rule_look *look, const struct candidate *waiter,
			    enum sleep_place place, struct finding *finding)
{
	char name[FINDING_NAME_COLUMNS];

	finding_take(finding, waiter->task->id, waiter->value, waiter->value / look->cpus);
	finding->pid = waiter->task->pid;
	finding_write_name(name, waiter->task->name);
	if (!look->input->witness.function && !has_states(look)) /* or for a child */
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "%s sleeps uninterruptibly %.0f %% of the time (state D)", name,
			 finding->value);
	else
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "%s waits %.0f %% of the time for the %s", name, finding->value,
			 place == PLACE_DISK ? "disk" : "disk, or a lock");
}

/* Some that are not named yet are looked at now and then: it may be known where they sleep when
 * they are. */
static bool are_looked_at(const struct rule_look *look, const struct candidates *waiters)
{
	const uint64_t every = 4; /* intervals */

	return waiters->count > 0 && (waiters->list[0].value >= look->named_least ||
				      look->snapshot->sequence % every == 0);
}

void rule_disk(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const uint32_t unknown = look->snapshot->unknown | look->input->session->unknown;
	struct candidates waiters = {0};

	if (unknown & 1u << QUANTITY_UNINTERRUPTIBLE_NS)
		return;
	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		double pct;

		if (task_is_uninterruptible(task) && !look_is_starter(look, task) &&
		    find_disk_wait(look, task, &pct))
			candidates_take(&waiters, look, task, pct, before);
	}
	if (!are_looked_at(look, &waiters))
		return;
	for (size_t i = 0; i < waiters.count && finding->subject == 0; i++) {
		const enum sleep_place place =
			has_states(look) ? PLACE_DISK
					 : find_sleep_place(look, waiters.list[i].task);

		if (place != PLACE_OTHER)
			write_disk_wait(look, &waiters.list[i], place, finding);
	}
}
