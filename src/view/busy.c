/*
 * What scales a multiplexed event is the counting time of its group over the run time in
 * the same vector. When the run time of a CPU loses the idle task's share, the counting
 * times must shrink with it, or an event that counted half of the time on a CPU that was
 * busy for a tenth would look as if it had counted five times as long as anything ran.
 */

#include "view/busy.h"

#include <string.h>

#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"

/* Of a part of `whole` what is left when idle's share is taken off. */
static uint64_t shrink(uint64_t part, uint64_t whole, uint64_t idle)
{
	if (whole == 0 || idle > whole)
		return part;
	return (uint64_t)((unsigned __int128)part * (whole - idle) / whole);
}

bool busy_counts(uint64_t *counts, const uint64_t *counter, const uint64_t *idle,
		 const struct layout *layout)
{
	uint64_t busy;

	memcpy(counts, counter, layout_width(layout) * sizeof(*counts));
	counts[QUANTITY_RUN_NS] = 0;
	if (!counts_sub(&busy, &counter[QUANTITY_RUN_NS], &idle[QUANTITY_RUN_NS], 1))
		return false;
	counts[QUANTITY_RUN_NS] = busy;
	for (size_t i = 0; i < layout->group_count; i++) {
		const size_t place = layout_group_place(layout, i);
		const size_t clock = layout_kind_place(layout, layout->groups[i].kind);

		counts[place] = shrink(counter[place], counter[clock], idle[clock]);
	}
	return true;
}

void busy_sum_machine(uint64_t *sum, uint64_t *idle, const struct snapshot *snapshot)
{
	size_t width = layout_width(snapshot->layout);

	counts_clear(sum, width);
	counts_clear(idle, width);
	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		counts_add(sum, snapshot->cpus[i].counter, width);
		counts_add(idle, snapshot->cpus[i].idle, width);
	}
	if (snapshot->cpu_count > 0)
		return;
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (!snapshot->tasks[i].is_held && !snapshot->tasks[i].is_from_proc)
			counts_add(sum, snapshot->tasks[i].interval, width);
}
