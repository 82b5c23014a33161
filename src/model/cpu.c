/* Accounts, streams and the slice of a CPU share the width of the layout. */
#include "model/cpu.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/attribution.h"
#include "model/layout.h"
#include "model/snapshot.h"

struct cpu *cpu_create(int number, const struct layout *layout, struct journal *journal,
		       struct task *idle)
{
	struct cpu *cpu = xcalloc(1, sizeof(*cpu));
	const size_t width = layout_width(layout);

	cpu->number = number;
	cpu->group_count = layout->group_count;
	streams_init(&cpu->streams, layout);
	account_open(&cpu->counter, width);
	account_open(&cpu->idle, width);
	account_open(&cpu->unattributed, width);
	slices_init(&cpu->slices, journal, idle, number);
	return cpu;
}

void cpu_destroy(struct cpu *cpu)
{
	if (!cpu)
		return;
	streams_fini(&cpu->streams);
	account_fini(&cpu->counter);
	account_fini(&cpu->idle);
	account_fini(&cpu->unattributed);
	slices_fini(&cpu->slices);
	free(cpu);
}

/* What is counted of this switch from here on is in another interval than the switch itself. */
static void close_booking(struct cpu *cpu)
{
	if (cpu->booking != BOOKING_UNREAD)
		cpu->booking = BOOKING_NONE;
}

void cpu_start(struct cpu *cpu, size_t width)
{
	account_clear(&cpu->counter, width);
	account_clear(&cpu->idle, width);
	account_clear(&cpu->unattributed, width);
	cpu->doubted_ns = 0;
	close_booking(cpu);
	slices_start(&cpu->slices);
}

void cpu_change(struct cpu *cpu, const struct layout *layout, size_t group_count, size_t width)
{
	const size_t new_width = layout_width(layout);

	cpu->group_count = layout->group_count;
	streams_change(&cpu->streams, group_count, layout);
	account_widen(&cpu->counter, width, new_width);
	account_widen(&cpu->idle, width, new_width);
	account_widen(&cpu->unattributed, width, new_width);
	slices_widen(&cpu->slices, new_width);
}

void cpu_point(const struct cpu *cpu, struct snapshot_cpu *row)
{
	row->counter = cpu->counter.shown;
	row->idle = cpu->idle.shown;
	row->unattributed = cpu->unattributed.shown;
	row->counter_total = cpu->counter.total;
	row->idle_total = cpu->idle.total;
	row->unattributed_total = cpu->unattributed.total;
}

void cpu_void(struct cpu *cpu, size_t place)
{
	cpu->counter.shown[place] = 0;
	cpu->idle.shown[place] = 0;
	cpu->unattributed.shown[place] = 0;
}

bool cpu_close(struct cpu *cpu, size_t width, struct snapshot_cpu *row, const struct doubt *doubt)
{
	const bool has_counted = account_close(&cpu->counter, width);

	account_close(&cpu->idle, width);
	account_close(&cpu->unattributed, width);
	slices_show_idle(&cpu->slices);
	row->unknown = doubt_of(doubt, cpu->doubted_ns);
	cpu->doubted_ns = 0;
	close_booking(cpu);
	if (cpu->state != CPU_ONLINE && !has_counted)
		return false;
	row->cpu = cpu->number;
	row->is_online = cpu->state == CPU_ONLINE;
	cpu_point(cpu, row);
	return true;
}

struct cpu *attribution_add_cpu(struct attribution *attribution, size_t number)
{
	if (number >= attribution->cpu_count) {
		size_t capacity = attribution->cpu_count;

		array_reserve(&attribution->cpus, &capacity, number + 1, sizeof(struct cpu *));
		for (size_t i = attribution->cpu_count; i < capacity; i++)
			attribution->cpus[i] = NULL;
		attribution->cpu_count = capacity;
	}
	attribution->made_count++;
	attribution->cpus[number] = cpu_create((int)number, attribution->layout,
					       attribution->journal, &attribution->idle);
	return attribution->cpus[number];
}

void cpu_end_hole(struct cpu *cpu)
{
	if (cpu->hole.state == HOLE_NONE)
		return;
	cpu->hole.state = HOLE_NONE;
	for (size_t g = 0; g < cpu->group_count; g++)
		cpu->streams.streams[g].missed_idle = false;
}

void cpu_forget_who_runs(struct cpu *cpu)
{
	slices_break(&cpu->slices, NULL);
	task_take_reference(&cpu->running, NULL);
	task_take_reference(&cpu->leaver, NULL);
	cpu->booking = BOOKING_UNREAD;
	cpu_end_hole(cpu);
}

void attribution_count_one(struct attribution *attribution, struct cpu *cpu, struct task *owner,
			   enum quantity quantity, uint64_t time_ns)
{
	if (cpu->state != CPU_ONLINE)
		return;
	attribution_counts(attribution, cpu, owner)[quantity]++;
	cpu->counter.interval[quantity]++;
	slices_of(&cpu->slices, owner, time_ns, SLICE_NEWS)[quantity]++;
}

void attribution_wait(struct attribution *attribution, struct cpu *cpu, struct task *task,
		      const struct waits *waits)
{
	if (waits->is_none || cpu->state != CPU_ONLINE)
		return;
	waits_add(waits, task_table_counts(attribution->tasks, task));
	waits_add(waits, cpu->counter.interval);
}

static struct cpu *find_cpu(const struct attribution *attribution, int cpu)
{
	return cpu >= 0 && (size_t)cpu < attribution->cpu_count ? attribution->cpus[cpu] : NULL;
}

void attribution_doubt(struct attribution *attribution, int cpu, uint64_t ns)
{
	struct cpu *seen = find_cpu(attribution, cpu);

	if (seen)
		seen->doubted_ns += ns;
}

void attribution_enter_waits(struct attribution *attribution, int cpu, struct task *task,
			     const struct waits *waits)
{
	struct cpu *seen = find_cpu(attribution, cpu);

	if (seen)
		attribution_wait(attribution, seen, task, waits);
}

void attribution_place(struct attribution *attribution, struct cpu *cpu, struct task *task,
		       uint64_t time_ns)
{
	if (!task || task == &attribution->idle || time_ns < task->placed_ns)
		return;
	task->placed_ns = time_ns;
	if (task->row.last_cpu == cpu->number)
		return;
	if (task->row.last_cpu >= 0)
		attribution_count_one(attribution, cpu, task, QUANTITY_MIGRATIONS, time_ns);
	task->row.last_cpu = cpu->number;
	task_table_change(attribution->tasks, task);
}

uint64_t attribution_settled(const struct attribution *attribution, uint64_t time_ns)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		const struct cpu *cpu = attribution->cpus[i];

		if (cpu && cpu->slices.hides_idle && cpu->slices.idle_end_ns < time_ns)
			time_ns = cpu->slices.idle_end_ns;
	}
	return time_ns;
}
