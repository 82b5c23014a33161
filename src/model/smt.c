/*
 * A core's times are those up to its newest record. Of the changes before that so many are kept
 * that one which comes late can be put among them: from there on the times of all its threads are
 * taken off and added again.
 */
#include "model/smt.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/mul_div.h"
#include "base/topology.h"
#include "model/attribution.h"
#include "model/counts.h"
#include "model/journal.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/stream.h"

enum {
	MIXED_PART = 10 /* of a slice so much may have been otherwise */
};

/* Core by core, and there by thread. */
static int compare_smt_cpus(const void *a, const void *b)
{
	const struct cpu_location *left = *(const struct cpu_location *const *)a;
	const struct cpu_location *right = *(const struct cpu_location *const *)b;

	if (left->socket != right->socket)
		return left->socket < right->socket ? -1 : 1;
	if (left->core != right->core)
		return left->core < right->core ? -1 : 1;
	return (left->thread > right->thread) - (left->thread < right->thread);
}

/* How many of the sorted CPUs, from the first on, have one core. */
static size_t count_core(const struct cpu_location *const *places, size_t count)
{
	size_t threads = 1;

	while (threads < count && places[threads]->socket == places[0]->socket &&
	       places[threads]->core == places[0]->core)
		threads++;
	return threads;
}

/*
 * Where dies of a socket number their cores alike, two threads of a core have the same number: then
 * it is not known which of them are together.
 */
static bool are_distinct(const struct cpu_location *const *places, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (places[i]->core < 0 || places[i]->thread < 0 ||
		    (i > 0 && places[i]->thread == places[i - 1]->thread))
			return false;
	return true;
}

static void add_core(struct smt *smt, const struct cpu_location *const *places, size_t count)
{
	struct smt_core *core = &smt->cores[smt->core_count++];

	*core = (struct smt_core){
		.threads = smt->threads + smt->thread_count,
		.count = count,
		.census.unknown = count,
	};
	for (size_t i = 0; i < count; i++)
		smt->threads[smt->thread_count++] = (struct smt_thread){
			.cpu = places[i]->cpu,
			.core = core,
		};
}

void smt_init(struct smt *smt, const struct topology *topology)
{
	const struct cpu_location **places;

	if (!topology_has_siblings(topology))
		return;
	places = xcalloc(topology->count, sizeof(*places));
	smt->threads = xcalloc(topology->count, sizeof(*smt->threads));
	smt->cores = xcalloc(topology->count, sizeof(*smt->cores));
	for (size_t i = 0; i < topology->count; i++)
		places[i] = &topology->cpus[i];
	qsort(places, topology->count, sizeof(*places), compare_smt_cpus);
	for (size_t i = 0, count; i < topology->count; i += count) {
		count = count_core(places + i, topology->count - i);
		if (are_distinct(places + i, count))
			add_core(smt, places + i, count);
	}
	free(places);
}

void smt_fini(struct smt *smt)
{
	free(smt->threads);
	free(smt->cores);
	*smt = (struct smt){0};
}

struct smt_thread *smt_find(const struct smt *smt, int cpu)
{
	for (size_t i = 0; i < smt->thread_count; i++)
		if (smt->threads[i].cpu == cpu)
			return &smt->threads[i];
	return NULL;
}

void smt_doubt(struct smt *smt)
{
	for (size_t i = 0; i < smt->core_count; i++)
		smt->cores[i].census.unknown++;
}

static void change_census(struct smt_census *census, unsigned int from, unsigned int to)
{
	census->busy += (size_t)(to == SMT_BUSY) - (from == SMT_BUSY);
	census->unknown += (size_t)(to == SMT_UNKNOWN) - (from == SMT_UNKNOWN);
}

/* The thread was in this state for so long, and all of the core like that. */
static void pass(struct smt_times *times, const struct smt_census *census, unsigned int own,
		 uint64_t ns)
{
	if (census->busy > (own == SMT_BUSY))
		times->beside_ns += ns;
	else if (census->unknown > (own == SMT_UNKNOWN))
		times->unknown_ns += ns;
	else
		times->alone_ns += ns;
}

/* What was between then and the core's time, as far back as changes are remembered. */
static struct smt_times times_since(const struct smt_thread *thread, uint64_t time_ns)
{
	const struct smt_core *core = thread->core;
	const size_t first =
		core->change_count > SMT_CHANGES ? core->change_count - SMT_CHANGES : 0;
	struct smt_census census = core->census;
	struct smt_times times = {0};
	unsigned int own = thread->state;
	uint64_t end_ns = core->now_ns;

	for (size_t i = core->change_count; i > first; i--) {
		const struct smt_change *last = &core->changes[(i - 1) % SMT_CHANGES];

		if (last->time_ns <= time_ns)
			break;
		pass(&times, &census, own, end_ns - last->time_ns);
		end_ns = last->time_ns;
		change_census(&census, last->after, last->before);
		own = last->thread == thread ? last->before : own;
	}
	if (end_ns > time_ns)
		pass(&times, &census, own, end_ns - time_ns);
	return times;
}

static void add_smt_times(struct smt_times *times, const struct smt_times *part)
{
	times->alone_ns += part->alone_ns;
	times->beside_ns += part->beside_ns;
	times->unknown_ns += part->unknown_ns;
}

static void subtract_smt(struct smt_times *times, const struct smt_times *part)
{
	times->alone_ns -= part->alone_ns;
	times->beside_ns -= part->beside_ns;
	times->unknown_ns -= part->unknown_ns;
}

static void advance_thread(struct smt_thread *thread, uint64_t time_ns)
{
	struct smt_core *core = thread->core;

	if (thread->heard_ns < time_ns)
		thread->heard_ns = time_ns;
	if (time_ns <= core->now_ns)
		return;
	for (size_t i = 0; i < core->count; i++)
		pass(&core->threads[i].times, &core->census, core->threads[i].state,
		     time_ns - core->now_ns);
	core->now_ns = time_ns;
}

struct smt_times smt_at(struct smt_thread *thread, uint64_t time_ns)
{
	struct smt_times times;

	advance_thread(thread, time_ns);
	times = thread->times;
	if (time_ns < thread->core->now_ns) {
		const struct smt_times later = times_since(thread, time_ns);

		subtract_smt(&times, &later);
	}
	return times;
}

/* Puts it among the others by its time. */
static void remember_change(struct smt_core *core, const struct smt_change *change)
{
	size_t at = core->change_count++;

	for (; at > 0 && core->change_count - at < SMT_CHANGES &&
	       core->changes[(at - 1) % SMT_CHANGES].time_ns > change->time_ns;
	     at--)
		core->changes[at % SMT_CHANGES] = core->changes[(at - 1) % SMT_CHANGES];
	core->changes[at % SMT_CHANGES] = *change;
}

/* To the times of all threads, or off them, what was between then and the core's time. */
static void revise(struct smt_core *core, uint64_t time_ns,
		   void (*how)(struct smt_times *times, const struct smt_times *part))
{
	for (size_t i = 0; i < core->count && time_ns < core->now_ns; i++) {
		const struct smt_times part = times_since(&core->threads[i], time_ns);

		how(&core->threads[i].times, &part);
	}
}

void smt_set(struct smt_thread *thread, enum smt_state state, uint64_t time_ns)
{
	struct smt_core *core = thread->core;
	const struct smt_change now = {
		.time_ns = time_ns > thread->heard_ns ? time_ns : thread->heard_ns,
		.thread = thread,
		.before = (uint8_t)thread->state,
		.after = (uint8_t)state,
	};

	advance_thread(thread, now.time_ns);
	if (now.before == now.after)
		return;
	revise(core, now.time_ns, subtract_smt);
	change_census(&core->census, now.before, now.after);
	thread->state = state;
	remember_change(core, &now);
	revise(core, now.time_ns, add_smt_times);
}

/* How much of a slice the thread was alone, and beside a busy one; the rest is unknown. */
struct shares {
	uint64_t alone_ns, beside_ns;
};

/* Of a difference that may be below zero so much as there is room for. */
static uint64_t limited(uint64_t difference, uint64_t room)
{
	if (difference > INT64_MAX)
		return 0;
	return difference < room ? difference : room;
}

/* ns * part / whole; mostly it is all or nothing. */
static uint64_t scaled(uint64_t ns, uint64_t part, uint64_t whole)
{
	if (part == 0 || ns == whole)
		return part;
	return part == whole ? ns : mul_div(ns, part, whole);
}

/*
 * From `since` on up to `until`. What was put right meanwhile may be more than the slice has room
 * for: the rest is left to the next one. Clocks of groups and times of records differ by what
 * passes between the two at a switch, so the times are taken as parts of the slice.
 */
static struct shares take_shares(struct smt_times *since, const struct smt_times *until,
				 uint64_t slice_ns)
{
	struct smt_times part = *until;
	uint64_t whole_ns;
	struct shares shares;

	subtract_smt(&part, since);
	whole_ns = part.alone_ns + part.beside_ns + part.unknown_ns;
	if (whole_ns == 0 || whole_ns > INT64_MAX)
		return (struct shares){0};
	part.beside_ns = limited(part.beside_ns, whole_ns);
	part.unknown_ns = limited(part.unknown_ns, whole_ns - part.beside_ns);
	part.alone_ns = whole_ns - part.beside_ns - part.unknown_ns;
	add_smt_times(since, &part);

	shares.beside_ns = scaled(slice_ns, part.beside_ns, whole_ns);
	shares.alone_ns = part.unknown_ns == 0 ? slice_ns - shares.beside_ns
					       : scaled(slice_ns, part.alone_ns, whole_ns);
	return shares;
}

static void enter_both(struct cpu *cpu, uint64_t *owner, enum quantity quantity, uint64_t number)
{
	cpu->counter.interval[quantity] += number;
	owner[quantity] += number;
}

void smt_enter_run(struct cpu *cpu, uint64_t run_ns, const struct smt_times *until, uint64_t *owner)
{
	const struct shares shares = take_shares(&cpu->smt_run, until, run_ns);

	enter_both(cpu, owner, QUANTITY_SMT_ALONE_NS, shares.alone_ns);
	enter_both(cpu, owner, QUANTITY_SMT_BESIDE_NS, shares.beside_ns);
}

static bool is_nearly_all(uint64_t part_ns, uint64_t slice_ns)
{
	return slice_ns > 0 && slice_ns - part_ns <= slice_ns / MIXED_PART;
}

/* Of a core with one thread too it is known that it is alone, but its IPC is nothing to compare
 * with. */
void smt_enter(const struct attribution *attribution, struct cpu *cpu, struct stream *stream,
	       const struct slice *slice, uint64_t slice_ns, const struct smt_times *until,
	       uint64_t *owner)
{
	const struct shares shares = take_shares(&stream->smt, until, slice_ns);
	const size_t group = (size_t)(slice->group - attribution->layout->groups);
	const struct ipc_source *source =
		slice->is_whole && cpu->smt->core->count > 1
			? journal_ipc_source(attribution->journal, (uint16_t)group)
			: NULL;

	if (slice->is_clock)
		smt_enter_run(cpu, slice->delta[READING_ENABLED_NS], until, owner);
	if (!source)
		return;
	const uint64_t cycles = slice->delta[READING_VALUES + source->cycles.member];
	const uint64_t instructions = slice->delta[READING_VALUES + source->instructions.member];

	if (is_nearly_all(shares.alone_ns, slice_ns)) {
		enter_both(cpu, owner, QUANTITY_SMT_ALONE_CYCLES, cycles);
		enter_both(cpu, owner, QUANTITY_SMT_ALONE_INSTRUCTIONS, instructions);
	} else if (is_nearly_all(shares.beside_ns, slice_ns)) {
		enter_both(cpu, owner, QUANTITY_SMT_BESIDE_CYCLES, cycles);
		enter_both(cpu, owner, QUANTITY_SMT_BESIDE_INSTRUCTIONS, instructions);
	}
}

void smt_read(struct cpu *cpu, uint64_t time_ns)
{
	cpu->smt_now = smt_at(cpu->smt, time_ns);
}

void smt_begin_slice(struct cpu *cpu, struct stream *stream, bool is_clock)
{
	stream->smt = cpu->smt_now;
	if (is_clock)
		cpu->smt_run = cpu->smt_now;
}
