/*
 * Absences (scheduling.h) are entered up to where they end or the interval does, and from where it
 * began. When an interval ends each task has what it ran and was off; the rest of its time is in no
 * known state.
 *
 * What a thread was seen to sleep for holds for the absence that goes on at that time. A record of
 * this comes before those of the switches that happened meanwhile, so it is looked at only where
 * the absence ends behind it.
 */
#include "model/states.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/arrival.h"

enum {
	SITES_MAX = 65536, /* of more than these all are learnt anew */
	CIRCLE_MAX = 64,   /* tasks that wait for each other; of more it is not seen */
	CHECKED_AT_ONCE = 2,
	CONFIRMED = 1,            /* in the place of an argument, which has the next bit */
	OWNERS_AT_ONCE = 8,       /* the same of long waits for locks: what has them */
	TICKS_NS = 20000000,      /* less is too few clock ticks for a share */
	SHARE_NS = 10 * TICKS_NS, /* of so much, what was before weighs as the fewest ticks */
};

static const enum quantity quantity_of[SLEEP_KINDS] = {
	[SLEEP_UNKNOWN] = QUANTITY_UNSURE_NS, [SLEEP_LOCK] = QUANTITY_LOCK_NS,
	[SLEEP_DISK] = QUANTITY_DISK_NS,      [SLEEP_NET] = QUANTITY_NET_NS,
	[SLEEP_OTHER] = QUANTITY_SLEEP_NS,    [SLEEP_STOPPED] = QUANTITY_STOP_NS,
	[SLEEP_FUTEX] = QUANTITY_LOCK_NS,     [SLEEP_UNLISTED] = QUANTITY_SLEEP_NS,
};

void states_fini(struct states *states)
{
	map_fini(&states->kinds);
	free(states->sites);
	free(states->waits);
	*states = (struct states){0};
}

void states_turn(struct scheduling *scheduling, bool is_on)
{
	const struct task_list *all = &scheduling->tasks->all;

	if (is_on == scheduling->states.is_on)
		return;
	for (size_t i = 0; i < all->count; i++) {
		free(all->tasks[i]->states);
		all->tasks[i]->states = NULL;
		all->tasks[i]->absence.site.place = 0;
	}
	states_fini(&scheduling->states);
	interrupts_fini(&scheduling->interrupts);
	scheduling->states.is_on = is_on;
	scheduling->states.was_off = true;
	scheduling->states.since_ns = is_on ? scheduling->newest_ns : 0;
}

static struct observed_states *states_of(struct task *task)
{
	if (!task->states)
		task->states = xcalloc(1, sizeof(*task->states));
	return task->states;
}

static bool is_on_cpu(const struct scheduling *scheduling, const struct task *task)
{
	const struct cpu *cpu = attribution_cpu_of(scheduling->attribution, task);

	return cpu && cpu->running == task;
}

/* It was off all the time since it is known. */
static bool has_never_come(const struct scheduling *scheduling, const struct task *task)
{
	return task->absence.kind == ABSENCE_UNKNOWN && task->absence.came_ns == 0 &&
	       !task->row.is_exited && !is_on_cpu(scheduling, task);
}

static uint64_t process_of(const struct task *task)
{
	return (task->process ? task->process : task)->row.id;
}

static struct known_site site_of(const struct task *task)
{
	return (struct known_site){
		.site = task->absence.site,
		.process = process_of(task),
		.pid = task->row.pid,
		.state = task->absence.state,
	};
}

/* In this place of this process, with this first argument or, if that makes no difference, with
 * any. */
static uint64_t site_key(const struct known_site *site, bool has_argument)
{
	uint64_t key = hash_mix(has_argument, site->process);

	key = hash_mix(key, site->site.place);
	key = hash_mix(key, site->state);
	return has_argument ? hash_mix(key, site->site.argument) : key;
}

/* In the absence that began at this time, or later, and goes on at that one. */
static bool was_seen_during(const struct task *task, uint64_t since_ns, uint64_t until_ns)
{
	const struct observed_states *states = task->states;

	return states && states->seen != SLEEP_UNKNOWN && states->seen_ns > since_ns &&
	       states->looked_ns < until_ns;
}

static enum sleep_kind known_at(const struct states *states, uint64_t key)
{
	return (enum sleep_kind)(uintptr_t)map_get(&states->kinds, key);
}

/* Whether none was known of it. */
static bool remember_kind(struct states *states, uint64_t key, enum sleep_kind kind)
{
	return !map_put(&states->kinds, key, (void *)(uintptr_t)kind);
}

/* Of which argument a site was learned, until a second one confirms it or is of another kind. */
static uint64_t argument_key(uint64_t any)
{
	return hash_mix(any, 1);
}

static void *argument_mark(uint64_t one)
{
	return (void *)(uintptr_t)(one | CONFIRMED << 1);
}

static void learn_of_any(struct states *states, uint64_t any, uint64_t one)
{
	void *const first = map_get(&states->kinds, argument_key(any));

	if (!first)
		map_put(&states->kinds, argument_key(any), argument_mark(one));
	else if (first != argument_mark(one))
		map_put(&states->kinds, argument_key(any), (void *)(uintptr_t)CONFIRMED);
}

/*
 * Of a place of several system calls only those with the same argument are of one kind, and these,
 * too, may be of several (SLEEP_KINDS): a file descriptor is given again.
 */
static void remember_site(struct states *states, const struct known_site *site,
			  enum sleep_kind kind, bool is_of_call, bool is_of_several)
{
	const uint64_t any = site_key(site, false), one = site_key(site, true);
	const enum sleep_kind of_one = known_at(states, one);
	const bool is_same = of_one == SLEEP_UNKNOWN || of_one == kind;

	if (states->kinds.count >= SITES_MAX) {
		map_clear(&states->kinds);
		states->site_count = 0;
	}
	if (is_of_several || !is_same) {
		remember_kind(states, any, SLEEP_KINDS);
		map_put(&states->kinds, argument_key(any), (void *)(uintptr_t)CONFIRMED);
	} else if (is_of_call) {
		remember_kind(states, any, kind);
		learn_of_any(states, any, one);
	}
	if (!remember_kind(states, one, is_same ? kind : SLEEP_KINDS))
		return;
	array_reserve(&states->sites, &states->site_capacity, states->site_count + 1,
		      sizeof(*states->sites));
	states->sites[states->site_count++] = *site;
}

static void learn_site(struct states *states, const struct task *task, enum sleep_kind kind)
{
	const struct known_site site = site_of(task);
	const enum sleep_kind known = known_at(states, site_key(&site, false));

	remember_site(states, &site, kind, task->states->is_seen_of_call,
		      known != SLEEP_UNKNOWN && known != kind);
}

/* The kind of any was learned of this one, or of several. */
static bool is_learned_of(const struct states *states, uint64_t any, uint64_t one)
{
	const void *first = map_get(&states->kinds, argument_key(any));

	return first == (void *)(uintptr_t)CONFIRMED || first == argument_mark(one);
}

/* It is of the kind of another argument, and no second one was seen yet. */
static bool is_unconfirmed(const struct states *states, const struct task *task)
{
	const struct known_site site = site_of(task);
	const uint64_t any = site_key(&site, false);

	return map_get(&states->kinds, argument_key(any)) &&
	       !is_learned_of(states, any, site_key(&site, true));
}

/* SLEEP_UNKNOWN: of this site it is not. */
static enum sleep_kind kind_at_site(const struct states *states, const struct task *task)
{
	const struct known_site site = site_of(task);
	enum sleep_kind kind = known_at(states, site_key(&site, false));

	if (kind == SLEEP_UNKNOWN || kind == SLEEP_KINDS)
		kind = known_at(states, site_key(&site, true));
	return kind == SLEEP_KINDS ? SLEEP_UNKNOWN : kind;
}

struct record_sleep states_tell(const struct states *states, const struct known_site *site)
{
	const uint64_t any = site_key(site, false), one = site_key(site, true);
	const enum sleep_kind of_any = known_at(states, any), kind = known_at(states, one);

	return (struct record_sleep){
		.kind = (uint8_t)(kind == SLEEP_KINDS ? SLEEP_UNKNOWN : kind),
		.is_of_call = of_any == kind && is_learned_of(states, any, one),
		.site = site->site,
		.state = site->state,
		.is_of_several = of_any == SLEEP_KINDS,
	};
}

/*
 * What a sleep in state D was for, by what ended it. No interrupt gives a lock away, and a child
 * ends its parent's vfork(2). What takes locks is not in a stack that is read (__sched), what calls
 * it is: where that is listed nowhere, and a program ends the sleep, it is a lock.
 */
static enum sleep_kind kind_by_waker(const struct scheduling *scheduling, const struct task *task,
				     bool is_unlisted)
{
	const struct absence *absence = &task->absence;
	const struct task *waker;

	if (absence->woken_ns == 0 || absence->waker_tid < 0)
		return SLEEP_UNKNOWN;
	if (absence->waker_tid == 0)
		return SLEEP_DISK;
	waker = task_table_lookup(scheduling->tasks, absence->waker_tid);
	if (waker && waker->row.parent_pid == task->row.pid)
		return SLEEP_OTHER;
	return is_unlisted && waker && !waker->row.is_kernel_thread ? SLEEP_LOCK : SLEEP_UNKNOWN;
}

static enum sleep_kind seen_kind(const struct scheduling *scheduling, const struct task *task)
{
	const enum sleep_kind kind = task->states->seen;

	if (kind != SLEEP_UNLISTED)
		return kind;
	return absence_is_uninterruptible(&task->absence) ? kind_by_waker(scheduling, task, true)
							  : SLEEP_OTHER;
}

static enum sleep_kind kind_of_sleep(struct scheduling *scheduling, const struct task *task,
				     uint64_t since_ns, uint64_t until_ns)
{
	const struct absence *absence = &task->absence;
	const bool has_site = absence->kind == ABSENCE_BLOCKED && absence->site.place != 0;
	enum sleep_kind kind = SLEEP_UNKNOWN;

	if (absence->kind == ABSENCE_BLOCKED && absence->state >= TASK_STATE_STOPPED)
		return absence->state <= TASK_STATE_TRACED ? SLEEP_STOPPED : SLEEP_OTHER;
	if (was_seen_during(task, since_ns, until_ns))
		kind = seen_kind(scheduling, task);
	if (kind != SLEEP_UNKNOWN) {
		if (has_site)
			learn_site(&scheduling->states, task, kind);
		return kind;
	}
	kind = has_site ? kind_at_site(&scheduling->states, task) : SLEEP_UNKNOWN;
	return kind == SLEEP_UNKNOWN && absence_is_uninterruptible(absence)
		       ? kind_by_waker(scheduling, task, false)
		       : kind;
}

static void add_state_time(struct scheduling *scheduling, struct task *task, enum quantity quantity,
			   uint64_t since_ns, uint64_t until_ns)
{
	const uint64_t ns = ns_between(ns_later(since_ns, scheduling->interval_start_ns), until_ns);

	if (ns > 0)
		task_table_counts(scheduling->tasks, task)[quantity] += ns;
}

/* It sleeps since then, if not for longer. */
static uint64_t slept_since(const struct task *task)
{
	return task->absence.kind == ABSENCE_BLOCKED ? task->absence.left_ns : task->first_ns;
}

/* From there on it slept, as far as is known; after a loss only what was seen is. */
static bool find_sleep(const struct scheduling *scheduling, const struct task *task,
		       uint64_t until_ns, uint64_t *since_ns)
{
	*since_ns = slept_since(task);
	if (scheduling_knows(scheduling, *since_ns, until_ns))
		return true;
	if (!was_seen_during(task, ns_later(*since_ns, scheduling->lost_ns), until_ns))
		return false;
	*since_ns = task->states->first_seen_ns - 1;
	return true;
}

static enum sleep_kind enter_sleep(struct scheduling *scheduling, struct task *task,
				   uint64_t until_ns)
{
	enum sleep_kind kind = SLEEP_UNKNOWN;
	const uint64_t woken_ns = task->absence.woken_ns;
	const bool is_woken = woken_ns > 0 && woken_ns < until_ns;
	const uint64_t ends_ns = is_woken ? woken_ns : until_ns;
	uint64_t since_ns;

	if (find_sleep(scheduling, task, ends_ns, &since_ns)) {
		kind = kind_of_sleep(scheduling, task, since_ns, ends_ns);
		add_state_time(scheduling, task, quantity_of[kind], since_ns, ends_ns);
	}
	if (is_woken && scheduling_knows(scheduling, woken_ns, until_ns))
		add_state_time(scheduling, task, QUANTITY_RUNQ_NS, woken_ns, until_ns);
	return kind;
}

static bool is_asleep(const struct scheduling *scheduling, const struct task *task)
{
	const enum absence_kind kind = task->absence.kind;

	return (kind == ABSENCE_BLOCKED || has_never_come(scheduling, task)) &&
	       !task->row.is_exited && task->absence.woken_ns == 0;
}

/* Returns what it slept for, if it did. */
static enum sleep_kind enter_absence(struct scheduling *scheduling, struct task *task,
				     uint64_t until_ns)
{
	const struct absence *absence = &task->absence;

	switch (absence->kind) {
	case ABSENCE_PREEMPTED:
		if (scheduling_knows(scheduling, absence->left_ns, until_ns))
			add_state_time(scheduling, task, QUANTITY_PUSHED_NS, absence->left_ns,
				       until_ns);
		break;
	case ABSENCE_BLOCKED:
		return enter_sleep(scheduling, task, until_ns);
	case ABSENCE_UNKNOWN:
		if (has_never_come(scheduling, task) && (absence->waiting > 0 || task->states))
			enter_sleep(scheduling, task, until_ns);
		break;
	}
	return SLEEP_UNKNOWN;
}

uint64_t states_arrive(struct scheduling *scheduling, struct task *task, uint64_t time_ns)
{
	const struct record_site *site = &task->absence.site;

	return enter_absence(scheduling, task, time_ns) == SLEEP_FUTEX && site->place != 0 &&
			       !site->is_other
		       ? site->argument
		       : 0;
}

void states_site(struct scheduling *scheduling, const struct record *record)
{
	struct task *task =
		scheduling->states.is_on ? task_table_lookup(scheduling->tasks, record->tid) : NULL;

	if (task && task->absence.kind == ABSENCE_BLOCKED)
		task->absence.site = record->site;
}

/* In the absence that goes on since then: when nothing is seen later it has ended meanwhile, and
 * was that until then. */
static bool was_seen(const struct task *task, uint64_t since_ns)
{
	const struct observed_states *states = task->states;

	return states && states->seen != SLEEP_UNKNOWN && states->seen_ns > since_ns;
}

static void take_site(struct scheduling *scheduling, const struct record *record)
{
	const struct record_sleep *sleep = &record->sleep;
	const struct task *process = task_table_lookup(scheduling->tasks, record->pid);
	const enum sleep_kind kind =
		sleep->kind == SLEEP_UNKNOWN ? SLEEP_KINDS : (enum sleep_kind)sleep->kind;

	if (process)
		remember_site(&scheduling->states,
			      &(struct known_site){sleep->site, process_of(process), record->pid,
						   sleep->state},
			      kind, sleep->is_of_call, sleep->is_of_several);
}

void states_sleep(struct scheduling *scheduling, const struct record *record)
{
	struct task *task;

	if (!scheduling->states.is_on || record->sleep.kind >= SLEEP_KINDS)
		return;
	if (record->sleep.site.place != 0) {
		take_site(scheduling, record);
		return;
	}
	task = task_table_lookup(scheduling->tasks, record->tid);
	if (!task || (record->sleep.kind == SLEEP_UNKNOWN && was_seen(task, slept_since(task))))
		return;
	if (!was_seen(task, ns_later(slept_since(task), scheduling->lost_ns)))
		states_of(task)->first_seen_ns = record->time_ns;
	states_of(task)->seen = (enum sleep_kind)record->sleep.kind;
	task->states->is_seen_of_call = record->sleep.is_of_call;
	task->states->seen_ns = record->time_ns;
	task->states->looked_ns = record->sleep.until_ns;
	task->states->lock = record->sleep.lock;
	task->states->holder_tid = record->sleep.holder_tid;
}

void states_cpu_use(struct scheduling *scheduling, const struct record *record)
{
	struct task *task;

	/* of one that has gone it was read before */
	if (!scheduling->states.is_on || (scheduling->interval_start_ns > 0 &&
					  !task_table_lookup(scheduling->tasks, record->tid)))
		return;
	task = task_table_find(scheduling->tasks, record->pid, record->tid, record->time_ns);
	if (!task)
		return;
	/* what is said last before the first interval begins, as in a recording of it; of two at
	 * one time (resync.c) the first */
	if (states_of(task)->used_ns == 0 ||
	    (scheduling->interval_start_ns == 0 && task->states->used_ns != record->time_ns))
		task->states->before = record->cpu_use;
	task->states->used_ns = record->time_ns;
	task->states->now = record->cpu_use;
}

/* The kernel has the time of soft interrupts among the system's. */
static void take_out_interrupts(uint64_t *counts)
{
	const uint64_t irq_ns = counts[QUANTITY_IRQ_NS], system_ns = counts[QUANTITY_SYSTEM_NS];

	counts[QUANTITY_SYSTEM_NS] = ns_between(irq_ns, system_ns);
	counts[QUANTITY_USER_NS] =
		ns_between(ns_between(system_ns, irq_ns), counts[QUANTITY_USER_NS]);
}

/* The share begins anew, with what it was in weight of the fewest ticks: it is never unknown again.
 */
static void begin_share(struct observed_states *states, const struct record_cpu_use *use)
{
	const double all_ns = (double)(use->user_ns + use->system_ns);
	const uint64_t user_ns = (uint64_t)((double)use->user_ns * TICKS_NS / all_ns + 0.5);

	states->before.user_ns = states->now.user_ns - user_ns;
	states->before.system_ns = states->now.system_ns + user_ns - TICKS_NS;
}

static void split_run(struct task *task, uint64_t *counts)
{
	const uint64_t run_ns = counts[QUANTITY_RUN_NS];
	struct observed_states *states = task->states;
	struct record_cpu_use use = {0};
	uint64_t all_ns;

	if (states) {
		use.user_ns = ns_between(states->before.user_ns, states->now.user_ns);
		use.system_ns = ns_between(states->before.system_ns, states->now.system_ns);
		/* one that is not known for longer has run so long in all: it began with nothing */
		if (use.user_ns + use.system_ns == 0 &&
		    states->now.user_ns + states->now.system_ns <= run_ns + TICKS_NS)
			use = states->now;
	}
	all_ns = use.user_ns + use.system_ns;
	if (counts[QUANTITY_IRQ_NS] > run_ns)
		counts[QUANTITY_IRQ_NS] = run_ns;
	if (all_ns < TICKS_NS || all_ns < use.user_ns) {
		counts[QUANTITY_UNSURE_NS] += run_ns - counts[QUANTITY_IRQ_NS];
		return;
	}
	counts[QUANTITY_USER_NS] =
		(uint64_t)((double)run_ns * (double)use.user_ns / (double)all_ns);
	counts[QUANTITY_SYSTEM_NS] = run_ns - counts[QUANTITY_USER_NS];
	take_out_interrupts(counts);
	if (all_ns >= SHARE_NS)
		begin_share(states, &use);
}

/* Where more is known than it was there, by the time between two readings, it was there longer. */
static void close_life(const struct scheduling *scheduling, const struct task *task,
		       uint64_t *counts, uint64_t time_ns)
{
	const uint64_t since_ns = ns_later(task->first_ns, scheduling->interval_start_ns);
	const uint64_t until_ns = task->row.is_exited ? task->exit_ns : time_ns;
	const uint64_t life_ns = ns_between(since_ns, until_ns);
	uint64_t known_ns = 0;

	for (int i = QUANTITY_LIFE_NS + 1; i <= QUANTITY_UNSURE_NS; i++)
		known_ns += counts[i];
	counts[QUANTITY_LIFE_NS] = ns_later(life_ns, known_ns);
	counts[QUANTITY_UNSURE_NS] += counts[QUANTITY_LIFE_NS] - known_ns;
}

/* Its holder, a thread of the same process; NULL: it waits for no lock, or that is not known. */
static struct task *find_holder(const struct scheduling *scheduling, const struct task *task,
				uint64_t since_ns, uint64_t time_ns)
{
	const struct observed_states *states = task->states;
	struct task *holder;

	if (!was_seen_during(task, since_ns, time_ns) || states->seen != SLEEP_FUTEX)
		return NULL;
	holder = task_table_lookup(scheduling->tasks, states->holder_tid);
	return holder && holder->row.pid == task->row.pid ? holder : NULL;
}

/*
 * The task that has the lock which this one waits for at that time; NULL: it does not wait for one,
 * or the holder is unknown.
 */
static struct task *find_lock_holder(const struct scheduling *scheduling, const struct task *task,
				     uint64_t time_ns, uint64_t *since_ns)
{
	if (!task->states || task->states->holder_tid <= 0 || !is_asleep(scheduling, task) ||
	    !find_sleep(scheduling, task, time_ns, since_ns) || *since_ns >= time_ns)
		return NULL;
	return find_holder(scheduling, task, *since_ns, time_ns);
}

/* Each has waited since before it was seen to have the lock for which the one before it waits. What
 * is met twice, and is not the task, is in a circle behind which that waits; kept for this is the
 * one that was met after the last power of two of steps. */
static bool is_in_circle(const struct scheduling *scheduling, const struct task *task,
			 uint64_t time_ns)
{
	const struct task *each = task, *holder, *met = NULL;
	uint64_t seen_ns = time_ns, since_ns;

	for (size_t i = 0; i <= CIRCLE_MAX; i++) {
		holder = find_lock_holder(scheduling, each, time_ns, &since_ns);
		if (!holder || since_ns >= seen_ns || each == met)
			return false;
		if (i > 0 && each == task)
			return true;
		if (i > 0 && (i & (i - 1)) == 0)
			met = each;
		seen_ns = each->states->seen_ns;
		each = holder;
	}
	return false;
}

static void note_lock_wait(struct scheduling *scheduling, struct task *task, uint64_t time_ns)
{
	struct journal *journal = scheduling->attribution->journal;
	struct states *states = &scheduling->states;
	uint64_t since_ns;
	struct task *holder = find_lock_holder(scheduling, task, time_ns, &since_ns);

	if (!holder)
		return;
	array_reserve(&states->waits, &states->wait_capacity, states->wait_count + 1,
		      sizeof(*states->waits));
	states->waits[states->wait_count++] = (struct snapshot_lock_wait){
		.waiter = journal_actor(journal, task),
		.holder = journal_actor(journal, holder),
		.lock = task->states->lock,
		.since_ns = since_ns,
		.pid = task->row.pid,
		.is_deadlock = is_in_circle(scheduling, task, time_ns),
	};
}

void states_close(struct scheduling *scheduling, uint64_t time_ns)
{
	const struct task_list *all = &scheduling->tasks->all;

	scheduling->states.wait_count = 0;
	for (size_t i = 0; scheduling->states.is_on && i < all->count; i++) {
		struct task *task = all->tasks[i];
		const bool has_ended =
			task->row.is_exited && task->exit_ns < scheduling->interval_start_ns;

		if (task->row.is_held || (has_ended && !task->is_counted))
			continue;
		if (!task->row.is_exited)
			enter_absence(scheduling, task, time_ns);
		note_lock_wait(scheduling, task, time_ns);
		split_run(task, task_table_counts(scheduling->tasks, task));
		close_life(scheduling, task, task->account.interval, time_ns);
	}
	scheduling->states.was_off = !scheduling->states.is_on;
}

/* It sleeps now, what for is not known but by its site, and it was not looked at in this absence;
 * or another task may have by now the lock for which it waits. */
static bool is_to_be_seen(const struct scheduling *scheduling, const struct task *task)
{
	const struct absence *absence = &task->absence;
	const struct observed_states *states = task->states;
	const uint64_t since_ns = ns_later(slept_since(task), scheduling->lost_ns);

	return is_asleep(scheduling, task) &&
	       (absence->kind != ABSENCE_BLOCKED || absence->state < TASK_STATE_STOPPED) &&
	       (!states || states->seen_ns <= since_ns ||
		(states->holder_tid != 0 && states->seen_ns < scheduling->interval_start_ns));
}

/* Why it is looked at. */
enum look_reason {
	LOOK_TO_KNOW,
	LOOK_TO_CHECK, /* whether what is known of its site still holds */
	LOOK_AT_OWNER, /* a long wait for a lock: what has that */
	LOOKS
};

static enum look_reason find_look_reason(const struct scheduling *scheduling,
					 const struct task *task)
{
	const struct absence *absence = &task->absence;
	const bool has_site = absence->kind == ABSENCE_BLOCKED && absence->site.place != 0;
	const enum sleep_kind kind =
		has_site ? kind_at_site(&scheduling->states, task) : SLEEP_UNKNOWN;

	if (kind == SLEEP_UNKNOWN || is_unconfirmed(&scheduling->states, task))
		return LOOK_TO_KNOW;
	return kind == SLEEP_FUTEX && absence->left_ns < scheduling->interval_start_ns
		       ? LOOK_AT_OWNER
		       : LOOK_TO_CHECK;
}

/* Of those at sites that are known a few at once; the next time begins with the first that was
 * left. */
size_t states_unseen(struct scheduling *scheduling, struct task_ref *refs, size_t max)
{
	static const size_t most[LOOKS] = {SIZE_MAX, CHECKED_AT_ONCE, OWNERS_AT_ONCE};
	const struct task_list *all = &scheduling->tasks->all;
	struct states *states = &scheduling->states;
	size_t count = 0, looks[LOOKS] = {0}, left = SIZE_MAX;

	for (size_t i = 0; states->is_on && i < all->count && count < max; i++) {
		const size_t place = states->next++;
		const struct task *task = all->tasks[place % all->count];
		enum look_reason reason;

		if (!is_to_be_seen(scheduling, task))
			continue;
		reason = find_look_reason(scheduling, task);
		if (looks[reason]++ < most[reason])
			refs[count++] = (struct task_ref){task->row.pid, task->row.tid};
		else if (left == SIZE_MAX)
			left = place;
	}
	if (left != SIZE_MAX)
		states->next = left;
	return count;
}
