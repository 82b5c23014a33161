/*
 * Records of different CPUs may come a little out of order: what is late is taken for now. The time
 * that passes is always shared, no more and no less; and a thread has its part of what it ran.
 */
#include "model/parallel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mul_div.h"
#include "model/arrival.h"
#include "model/attribution.h"

enum {
	PART_BITS = 10 /* the integral is in 1/1024 ns */
};

size_t parallel_bin(uint32_t running)
{
	size_t bin = PARALLEL_SINGLE;

	if (running <= PARALLEL_SINGLE)
		return running > 0 ? running - 1 : 0;
	while (bin + 1 < PARALLEL_BINS && running >= parallel_bin_begin(bin + 1))
		bin++;
	return bin;
}

uint32_t parallel_bin_begin(size_t bin)
{
	return bin < PARALLEL_SINGLE ? (uint32_t)bin + 1
				     : ((uint32_t)PARALLEL_SINGLE << (bin - PARALLEL_SINGLE)) + 1;
}

static void advance(struct parallel *parallel, uint64_t time_ns)
{
	const uint64_t ns = ns_between(parallel->at_ns, time_ns);

	parallel->at_ns = ns_later(parallel->at_ns, time_ns);
	if (parallel->running == 0)
		return;
	parallel->integral += (ns << PART_BITS) / parallel->running;
	parallel->interval_ns[parallel_bin(parallel->running)] += ns;
}

static struct parallel *parallel_of(struct attribution *attribution, struct task *thread)
{
	struct task *process = task_process(thread);

	if (attribution->parallelism.scope.number > 0)
		return &attribution->parallelism.all;
	if (!process->parallel)
		process->parallel = xcalloc(1, sizeof(*process->parallel));
	return process->parallel;
}

/* From here on the latency of what is on the CPU is not entered. */
static void begin_share(struct cpu *cpu, const struct parallel *parallel, uint64_t run_ns)
{
	cpu->shared = (struct share){parallel->at_ns, parallel->integral, run_ns};
}

/*
 * What the thread on the CPU has had since it came, or since this was done last: of the time that
 * it ran, the part that the integral is of the time that has passed, rounded up. These two end at
 * one clock, the run time at that of its counter. Of one that may have left unseen that is as
 * little known as its run time.
 */
static void enter(struct attribution *attribution, struct cpu *cpu, struct task *thread,
		  uint64_t run_ns)
{
	const struct parallel *parallel = parallel_of(attribution, thread);
	const uint64_t whole = (parallel->at_ns - cpu->shared.at_ns) << PART_BITS;
	const uint64_t others = whole - (parallel->integral - cpu->shared.integral);

	if (!thread->row.is_silent)
		attribution_wait(attribution, cpu, thread, QUANTITY_LATENCY_NS,
				 whole > 0 ? run_ns - mul_div(run_ns, others, whole)
					   : run_ns / parallel->running);
}

static void enter_sharing(struct attribution *attribution, struct cpu *cpu)
{
	const uint64_t *counts = task_table_counts(attribution->tasks, cpu->sharing);

	enter(attribution, cpu, cpu->sharing,
	      ns_between(cpu->shared.run_ns, counts[QUANTITY_RUN_NS]));
	begin_share(cpu, parallel_of(attribution, cpu->sharing), counts[QUANTITY_RUN_NS]);
}

static void set_running(struct parallel *parallel, uint32_t running)
{
	parallel->running = running;
	if (running < 2 && parallel->change_count == 0)
		return;
	if (parallel->change_count < PARALLEL_CHANGES_MAX)
		array_reserve(&parallel->changes, &parallel->change_capacity,
			      parallel->change_count + 1, sizeof(*parallel->changes));
	parallel->changes[parallel->change_count++ % PARALLEL_CHANGES_MAX] =
		(struct parallel_change){parallel->at_ns, running};
}

static void take_off(struct attribution *attribution, struct cpu *cpu)
{
	struct parallel *parallel = parallel_of(attribution, cpu->sharing);

	set_running(parallel, parallel->running - 1);
	task_take_reference(&cpu->sharing, NULL);
}

static bool is_in_scope(const struct attribution *attribution, const struct task *task)
{
	const struct parallel_scope *scope = &attribution->parallelism.scope;

	return task && task != &attribution->idle &&
	       (!scope->wants_pid || scope->wants_pid(task->row.pid, scope->context));
}

/* One of all tasks runs there of which no more is known so far. */
static bool runs_unseen(const struct attribution *attribution, const struct cpu *cpu)
{
	const struct parallel_scope *scope = &attribution->parallelism.scope;

	return !cpu->running && cpu->unseen_tid > 0 && scope->number > 0 && !scope->wants_pid;
}

static void end_share(struct attribution *attribution, struct cpu *cpu, uint64_t time_ns)
{
	struct parallel *all = &attribution->parallelism.all;

	if (cpu->sharing) {
		advance(parallel_of(attribution, cpu->sharing), time_ns);
		enter_sharing(attribution, cpu);
		take_off(attribution, cpu);
	} else if (cpu->shares_unseen) {
		advance(all, time_ns);
		set_running(all, all->running - 1);
		cpu->shares_unseen = false;
	}
}

void parallel_follow(struct attribution *attribution, struct cpu *cpu, uint64_t time_ns)
{
	struct parallel *parallel;
	struct task *next;
	uint64_t run_ns;

	if (!attribution->parallelism.is_on)
		return;
	next = is_in_scope(attribution, cpu->running) ? cpu->running : NULL;
	if (next == cpu->sharing && runs_unseen(attribution, cpu) == cpu->shares_unseen)
		return;
	end_share(attribution, cpu, time_ns);
	cpu->shares_unseen = runs_unseen(attribution, cpu);
	if (!next && !cpu->shares_unseen)
		return;
	if (next)
		task_take_reference(&cpu->sharing, next);
	parallel = next ? parallel_of(attribution, next) : &attribution->parallelism.all;
	run_ns = next ? task_table_counts(attribution->tasks, next)[QUANTITY_RUN_NS] : 0;
	advance(parallel, time_ns);
	set_running(parallel, parallel->running + 1);
	begin_share(cpu, parallel, run_ns);
}

/* None of its scope ran meanwhile, as far as is known: the clock of the slice is another one. */
static bool had_scope_alone(const struct parallel *parallel, uint64_t slice_ns, uint64_t now_ns)
{
	return parallel->running == 0 && parallel->at_ns + slice_ns <= now_ns + slice_ns / 100;
}

void parallel_take_unseen(struct attribution *attribution, struct cpu *cpu, struct task *task,
			  uint64_t slice_ns)
{
	struct parallel *parallel = parallel_of(attribution, task);
	const bool is_wanted = is_in_scope(attribution, task);

	if (is_wanted && cpu->shares_unseen) {
		advance(parallel, cpu->now_ns);
		enter(attribution, cpu, task, slice_ns);
		begin_share(cpu, parallel, 0);
	} else if (is_wanted && had_scope_alone(parallel, slice_ns, cpu->now_ns)) {
		parallel->at_ns = ns_later(parallel->at_ns, cpu->now_ns - slice_ns);
		parallel->running = 1;
		advance(parallel, cpu->now_ns);
		parallel->running = 0;
		attribution_wait(attribution, cpu, task, QUANTITY_LATENCY_NS, slice_ns);
	} else if (is_wanted && cpu->unseen_tid > 0 && cpu->unseen_tid != task->row.tid) {
		/* the one that came has gone without a record, and this one has come or goes on */
		attribution_wait(attribution, cpu, task, QUANTITY_LATENCY_NS,
				 slice_ns / (parallel->running + 1));
	} else {
		task->unshared_ns += slice_ns;
	}
}

static void follow_all(struct attribution *attribution, uint64_t time_ns)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			parallel_follow(attribution, attribution->cpus[i], time_ns);
}

static void drop_changes(struct parallel *parallel)
{
	free(parallel->changes);
	parallel->changes = NULL;
	parallel->change_count = parallel->change_capacity = 0;
}

static void leave_scopes(struct attribution *attribution)
{
	const struct task_list *all = &attribution->tasks->all;

	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		if (cpu->sharing)
			take_off(attribution, cpu);
		cpu->shares_unseen = false;
		cpu->unseen_tid = 0;
	}
	for (size_t i = 0; i < all->count; i++)
		if (all->tasks[i]->parallel)
			drop_changes(all->tasks[i]->parallel);
	drop_changes(&attribution->parallelism.all);
}

void parallel_turn(struct attribution *attribution, bool is_on, const struct parallel_scope *scope)
{
	struct parallelism *parallelism = &attribution->parallelism;

	if (is_on == parallelism->is_on && (!is_on || scope->number == parallelism->scope.number))
		return;
	leave_scopes(attribution);
	*parallelism = (struct parallelism){.is_on = is_on, .was_off = true, .scope = *scope};
	if (is_on)
		follow_all(attribution, attribution->scheduling->newest_ns);
}

void parallel_start(struct attribution *attribution, uint64_t time_ns)
{
	const struct task_list *all = &attribution->tasks->all;

	parallel_close(attribution, time_ns);
	memset(attribution->parallelism.all.shown_ns, 0, sizeof(uint64_t[PARALLEL_BINS]));
	for (size_t i = 0; i < all->count; i++)
		if (all->tasks[i]->parallel)
			memset(all->tasks[i]->parallel->shown_ns, 0,
			       sizeof(uint64_t[PARALLEL_BINS]));
}

/* The samples of the interval have come: what is left is how many run now. */
static void forget_changes(struct parallel *parallel)
{
	if (parallel->change_count == 0)
		return;
	array_shrink(&parallel->changes, &parallel->change_capacity, parallel->change_count,
		     sizeof(*parallel->changes));
	parallel->change_count = 0;
	set_running(parallel, parallel->running);
}

/* False: none of it ran. */
static bool show(struct parallel *parallel)
{
	uint64_t sum_ns = 0;

	forget_changes(parallel);
	memcpy(parallel->shown_ns, parallel->interval_ns, sizeof(parallel->shown_ns));
	memset(parallel->interval_ns, 0, sizeof(parallel->interval_ns));
	for (size_t i = 0; i < PARALLEL_BINS; i++)
		sum_ns += parallel->shown_ns[i];
	return sum_ns > 0;
}

void parallel_close(struct attribution *attribution, uint64_t time_ns)
{
	const struct task_list *all = &attribution->tasks->all;

	if (!attribution->parallelism.is_on && attribution->parallelism.was_off)
		return;
	follow_all(attribution, time_ns);
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu || !cpu->sharing)
			continue;
		advance(parallel_of(attribution, cpu->sharing), time_ns);
		enter_sharing(attribution, cpu);
		cpu->shared.run_ns = 0; /* of the next interval */
	}
	show(&attribution->parallelism.all);
	for (size_t i = 0; i < all->count; i++) /* what the row shows of one that ran is news */
		if (all->tasks[i]->parallel && show(all->tasks[i]->parallel))
			task_table_change(attribution->tasks, all->tasks[i]);
	attribution->parallelism.was_off = !attribution->parallelism.is_on;
}

void parallel_destroy(struct parallel *parallel)
{
	if (parallel)
		drop_changes(parallel);
	free(parallel);
}

void parallel_fini(struct parallelism *parallelism)
{
	drop_changes(&parallelism->all);
}

/* After the last change up to this time. Before the first one a single thread ran, unless older
 * ones are not kept any more. */
static uint32_t running_at(const struct parallel *parallel, uint64_t time_ns)
{
	size_t end = parallel->change_count;
	size_t begin = end > PARALLEL_CHANGES_MAX ? end - PARALLEL_CHANGES_MAX : 0;

	while (begin < end) {
		const size_t middle = begin + (end - begin) / 2;

		if (parallel->changes[middle % PARALLEL_CHANGES_MAX].time_ns > time_ns)
			end = middle;
		else
			begin = middle + 1;
	}
	return begin > 0 ? parallel->changes[(begin - 1) % PARALLEL_CHANGES_MAX].running : 1;
}

uint32_t parallel_at(struct attribution *attribution, struct task *thread, uint64_t time_ns)
{
	uint32_t running;

	if (parallel_unknown(attribution) != 0)
		return 0;
	running = running_at(parallel_of(attribution, thread), time_ns);
	return running > 0 ? running : 1;
}

const uint64_t *parallel_of_all(const struct attribution *attribution)
{
	const struct parallelism *parallelism = &attribution->parallelism;

	return parallelism->scope.number > 0 ? parallelism->all.shown_ns : NULL;
}

uint32_t parallel_unknown(const struct attribution *attribution)
{
	const bool is_known = attribution->parallelism.is_on && !attribution->parallelism.was_off &&
			      !attribution->scheduling->is_partial && attribution->made_count > 0;

	return is_known ? 0 : UINT32_C(1) << QUANTITY_LATENCY_NS;
}
