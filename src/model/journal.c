/*
 * When the history begins anew its numbers do, so no task's old number may be asked for again.
 */
#include "model/journal.h"

#include <string.h>

#include "base/seldom.h"
#include "model/history.h"
#include "model/record.h"
#include "model/stream.h"
#include "model/timing.h"

/* Which counters belong to one event, and count on one kind of CPU. */
static bool counter_counts_event(const struct layout *layout, const struct counter *counter,
				 const char *name, size_t kind)
{
	return counter->is_live && layout->groups[counter->group].kind == kind &&
	       strcmp(layout->events[counter->event].name, name) == 0;
}

static struct ipc_counter ipc_counter_of(const struct layout *layout, const struct counter *counter)
{
	const struct event_group *group = &layout->groups[counter->group];
	struct ipc_counter found = {
		.place = counter->value_index,
		.counting_place = layout_group_index(layout, counter->group),
		.group = counter->group,
	};

	while (found.member + 1u < group->count &&
	       group->value_indexes[found.member] != counter->value_index)
		found.member++;
	return found;
}

static void add_ipc_source(struct journal *journal, const struct layout *layout,
			   const struct counter *instructions, const struct counter *cycles)
{
	if (journal->ipc_count == IPC_SOURCES_MAX)
		return;
	journal->ipc[journal->ipc_count++] = (struct ipc_source){
		.instructions = ipc_counter_of(layout, instructions),
		.cycles = ipc_counter_of(layout, cycles),
	};
}

/* Pairs within one group first: there the two were counted at the same time for sure. */
static void find_ipc_sources(struct journal *journal, const struct layout *layout, bool same_group)
{
	for (size_t i = 0; i < layout->counter_count; i++) {
		const struct counter *cycles = &layout->counters[i];
		const size_t kind = layout->groups[cycles->group].kind;

		if (!counter_counts_event(layout, cycles, "cycles", kind))
			continue;
		for (size_t j = 0; j < layout->counter_count; j++) {
			const struct counter *other = &layout->counters[j];

			if ((other->group == cycles->group) == same_group &&
			    counter_counts_event(layout, other, "instructions", kind))
				add_ipc_source(journal, layout, other, cycles);
		}
	}
}

void journal_change(struct journal *journal, const struct layout *layout)
{
	const size_t width = layout_width(layout);

	if (journal->history && width > journal->width)
		history_widen(journal->history, width);
	journal->width = width;
	journal->ipc_count = 0;
	find_ipc_sources(journal, layout, true);
	find_ipc_sources(journal, layout, false);
}

void journal_init(struct journal *journal, struct task_table *tasks, const struct layout *layout)
{
	*journal = (struct journal){.tasks = tasks};
	journal_change(journal, layout);
}

void journal_fini(struct journal *journal)
{
	history_destroy(journal->history);
	*journal = (struct journal){0};
}

void journal_keep(struct journal *journal, size_t capacity)
{
	const struct task_list *all = &journal->tasks->all;

	history_destroy(journal->history);
	journal->history = capacity ? history_create(capacity, journal->width) : NULL;
	journal->actors = journal->history ? history_actors(journal->history) : NULL;
	journal->capacity = capacity;
	journal->settled_ns = 0;
	for (size_t i = 0; i < all->count; i++) {
		all->tasks[i]->actor = ACTOR_UNKNOWN;
		all->tasks[i]->absence.queued_by = ACTOR_UNKNOWN;
	}
}

void journal_start(struct journal *journal)
{
	journal_keep(journal, journal->capacity);
	journal->shed_switches = 0;
	journal->shed_details = 0;
}

void journal_settle(struct journal *journal, uint64_t time_ns)
{
	if (time_ns <= journal->settled_ns)
		return;
	journal->settled_ns = time_ns;
	if (journal->history)
		history_settle(journal->history, time_ns);
}

void journal_make_actor(struct journal *journal, struct task *task)
{
	/* some tasks are only named by others' records and never have a reading of their own */
	if (task->row.name[0] == '\0' && !task->is_asked_for)
		task_table_ask(journal->tasks, task);
	if (!history_actors_ask(journal->actors, task->actor))
		task->actor = history_add_actor(journal->history, &task->row);
}

void journal_name(struct journal *journal, const struct task *task)
{
	if (journal->history)
		history_name_actor(journal->history, task->actor, &task->row);
}

const struct ipc_source *journal_ipc_source(const struct journal *journal, uint16_t group)
{
	for (size_t i = 0; i < journal->ipc_count; i++)
		if (journal->ipc[i].instructions.group == group &&
		    journal->ipc[i].cycles.group == group)
			return &journal->ipc[i];
	return NULL;
}

/* Of counts that were made at the same time, and all the time. */
static void add_slice_counts(const struct journal *journal, struct timing *timing,
			     uint64_t slice_ns, const uint64_t *counts)
{
	for (size_t i = 0; i < journal->ipc_count; i++) {
		const struct ipc_source *source = &journal->ipc[i];

		if (!journal_is_whole(counts[source->instructions.counting_place], slice_ns) ||
		    !journal_is_whole(counts[source->cycles.counting_place], slice_ns))
			continue;
		journal_add_part(timing, slice_ns, counts[source->instructions.place],
				 counts[source->cycles.place]);
		return;
	}
}

void journal_slice(struct journal *journal, struct task *task, uint64_t slice_ns,
		   const uint64_t *counts)
{
	struct timing *timing = journal_timing(journal, task, slice_ns);

	if (!timing)
		return;
	if (counts)
		add_slice_counts(journal, timing, slice_ns, counts);
	distribution_add(&timing->of[TIMING_SLICES], slice_ns);
}
