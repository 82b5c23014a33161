#include "model/interrupts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/arrival.h"
#include "model/record.h"
#include "model/snapshot.h"

enum {
	KNOWN_MAX = 65536 /* more are not believed */
};

void interrupts_fini(struct interrupts *interrupts)
{
	map_fini(&interrupts->known);
	free(interrupts->sums);
	free(interrupts->rows);
	*interrupts = (struct interrupts){0};
}

void interrupts_forget(struct cpu *cpu)
{
	cpu->soft.sum = cpu->hard.sum = 0;
}

/* Its index + 1; 0: there are too many. */
static size_t find_sum(struct interrupts *interrupts, const struct record *record)
{
	const struct record_interrupt *from = &record->interrupt;
	const uint64_t key =
		hash_mix(hash_mix(from->kind, (uint64_t)record->cpu), (uint64_t)from->number);
	const size_t found = (uintptr_t)map_get(&interrupts->known, key);
	struct snapshot_interrupt *sum;

	if (found > 0 || interrupts->count == KNOWN_MAX)
		return found;
	array_reserve(&interrupts->sums, &interrupts->capacity, interrupts->count + 1,
		      sizeof(*interrupts->sums));
	sum = &interrupts->sums[interrupts->count++];
	*sum = (struct snapshot_interrupt){
		.cpu = record->cpu,
		.kind = from->kind,
		.number = from->number,
	};
	if (from->name)
		memcpy(sum->name, from->name, strnlen(from->name, sizeof(sum->name) - 1));
	map_put(&interrupts->known, key, (void *)(uintptr_t)interrupts->count);
	return interrupts->count;
}

/* A soft one cannot come in a hard one: the end of that is missing. */
static void begin_interrupt(struct interrupts *interrupts, struct cpu *cpu,
			    const struct record *record)
{
	const bool is_soft = record->interrupt.kind == INTERRUPT_SOFT;
	struct open_interrupt *open = is_soft ? &cpu->soft : &cpu->hard;

	if (is_soft)
		cpu->hard.sum = 0;
	*open = (struct open_interrupt){
		.sum = find_sum(interrupts, record),
		.since_ns = record->time_ns,
		.switches = cpu->switches,
	};
}

/* That goes on, and that the record ends; NULL: it is another one. */
static struct snapshot_interrupt *sum_of_open(const struct interrupts *interrupts,
					      const struct cpu *cpu,
					      const struct open_interrupt *open,
					      const struct record *record)
{
	struct snapshot_interrupt *sum;

	if (open->sum == 0 || open->sum > interrupts->count)
		return NULL;
	sum = &interrupts->sums[open->sum - 1];
	return sum->cpu == record->cpu && sum->kind == record->interrupt.kind &&
			       sum->number == record->interrupt.number &&
			       open->switches == cpu->switches && open->since_ns <= record->time_ns
		       ? sum
		       : NULL;
}

/* What began in the interval before has its time from there on. */
static void end_interrupt(struct scheduling *scheduling, struct cpu *cpu,
			  const struct record *record)
{
	const bool is_soft = record->interrupt.kind == INTERRUPT_SOFT;
	struct open_interrupt *open = is_soft ? &cpu->soft : &cpu->hard;
	struct snapshot_interrupt *sum = sum_of_open(&scheduling->interrupts, cpu, open, record);
	struct task *running = cpu->running;
	uint64_t ns = ns_between(ns_later(open->since_ns, scheduling->interval_start_ns),
				 record->time_ns);

	if (!sum || (is_soft && cpu->hard.sum > 0)) {
		interrupts_forget(cpu);
		return;
	}
	open->sum = 0;
	if (is_soft)
		ns = ns_between(open->nested_ns, ns);
	else
		cpu->soft.nested_ns += ns;
	sum->count++;
	sum->ns += ns;
	if (running && running != &scheduling->attribution->idle)
		task_table_counts(scheduling->tasks, running)[QUANTITY_IRQ_NS] += ns;
}

void interrupts_take(struct scheduling *scheduling, const struct record *record)
{
	struct cpu *cpu;

	if (!scheduling->states.is_on)
		return;
	cpu = attribution_cpu(scheduling->attribution, record);
	scheduling->interrupts.have_come = true;
	if (record->interrupt.is_entry)
		begin_interrupt(&scheduling->interrupts, cpu, record);
	else
		end_interrupt(scheduling, cpu, record);
}

/* By their CPUs, and of these the one that took the most time first. */
static int compare_by_cpu(const void *a, const void *b)
{
	const struct snapshot_interrupt *one = a, *other = b;

	if (one->cpu != other->cpu)
		return one->cpu < other->cpu ? -1 : 1;
	if (one->ns != other->ns)
		return one->ns > other->ns ? -1 : 1;
	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

void interrupts_start(struct interrupts *interrupts)
{
	for (size_t i = 0; i < interrupts->count; i++)
		interrupts->sums[i].count = interrupts->sums[i].ns = 0;
}

void interrupts_close(struct interrupts *interrupts, struct snapshot *snapshot)
{
	size_t count = 0;

	free(interrupts->rows);
	interrupts->rows = xcalloc(interrupts->count + 1, sizeof(*interrupts->rows));
	for (size_t i = 0; i < interrupts->count; i++) {
		const struct snapshot_interrupt *sum = &interrupts->sums[i];

		if (sum->count > 0)
			interrupts->rows[count++] = *sum;
	}
	interrupts_start(interrupts);
	qsort(interrupts->rows, count, sizeof(*interrupts->rows), compare_by_cpu);
	snapshot->interrupts = interrupts->rows;
	snapshot->interrupt_count = count;
	snapshot->has_interrupts = interrupts->have_come;
}
