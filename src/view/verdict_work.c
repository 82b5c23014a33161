/*
 * Rules of tasks that run, but whose work is slow: page faults, cache misses; and of the function
 * that takes most of their time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/verdict_look.h"

/* Whether it hardly does anything else; where that is not known, if there are very many. */
static bool is_mostly_faults(const struct rule_look *look, const struct candidate *faulter)
{
	const double many_s = 100000, least_pct = 70;
	struct rule_usage usage;

	return faulter->value >= many_s ||
	       (look_ask_usage(look, faulter->task, &usage) && usage.system_pct >= least_pct);
}

static void write_faults(const struct rule_look *look, const struct candidate *faulter,
			 struct finding *finding)
{
	const double fault_ns = 700;
	char name[FINDING_NAME_COLUMNS];

	finding_take(finding, faulter->task->id, faulter->value,
		     100.0 * faulter->value * fault_ns / NS_PER_S / look->cpus);
	finding->pid = faulter->task->pid;
	finding_write_name(name, faulter->task->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s has %.0f page faults/s", name,
		 finding->value);
}

void rule_faults(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const struct layout *layout = look->snapshot->layout;
	const int event = layout_find_event(layout, METRIC_FAULTS_EVENT);
	struct candidates faulters = {0};

	if (event < 0 || !event_is_counted(&layout->events[event]))
		return;
	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		const double rate = look_per_second(
			look, layout_event_count(layout, (size_t)event, task->interval));

		if (rate >= look->least && !look_is_starter(look, task))
			candidates_take(&faulters, look, task, rate, before);
	}
	for (size_t i = 0; i < faulters.count && finding->subject == 0; i++)
		if (is_mostly_faults(look, &faulters.list[i]))
			write_faults(look, &faulters.list[i], finding);
}

void rule_memory_bound(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const double least_pct = 30, most_ipc = 0.8;
	const int ipc = look_find_metric(look, "ipc"), mpki = look_find_metric(look, "mpki");
	const struct snapshot_task *worst = NULL;
	char name[FINDING_NAME_COLUMNS];

	for (size_t i = 0; i < look->count; i++) {
		const struct snapshot_task *task = look->tasks[i];
		double misses;

		if (look_run_pct(look, task) < least_pct ||
		    !(look_eval(look, task, ipc) <= most_ipc))
			continue;
		misses = look_eval(look, task, mpki);
		if (!finding_is_worse(look, misses, task->id, before, finding))
			continue;
		finding_take(finding, task->id, misses, look_run_pct(look, task) / look->cpus / 2);
		worst = task;
	}
	if (!worst)
		return;
	finding_write_name(name, worst->name);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "%s waits for memory, %.0f cache misses per 1000 instructions", name,
		 finding->value);
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
	if (name.reason || strncmp(name.function, "0x", 2) == 0) /* its address, until it is read */
		return 0;
	return name.same_as;
}

static void gather_spent(const struct rule_look *look, struct spent_table *table)
{
	const struct profile *profile = look->snapshot->profile;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		uint32_t function;

		if (entry->kind != SAMPLE_ON_CPU || entry->pid == look->input->witness.own_pid ||
		    !look_wants(look, entry->pid))
			continue;
		function = find_function(look, profile->nodes[entry->node].function);
		add_spent(table, entry, 0);
		if (function != 0)
			add_spent(table, entry, function);
	}
}

static void write_hot(const struct rule_look *look, const struct spent *spent,
		      struct finding *finding)
{
	char name[FINDING_NAME_COLUMNS], function[FINDING_NAME_COLUMNS];

	finding->pid = spent->pid;
	finding_write_name(name, look_process_name(look, spent->pid));
	finding_write_name(function, function_names_find(look->input->names, spent->function,
							 look->snapshot->time_ns)
					     .function);
	snprintf(finding->sentence, RULE_SENTENCE_MAX, "%s spends %.0f %% of its CPU time in %s",
		 name, finding->value, function);
}

/* Nothing need be wrong with it, so it is the least of what is named. */
void rule_hot(const struct rule_look *look, uint64_t before, struct finding *finding)
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
		    look_pct(look, all->ns) < least_pct ||
		    !finding_is_worse(look, pct, subject, before, finding) ||
		    look_process_name(look, spent->pid)[0] == '\0') /* samples are of all */
			continue;
		finding_take(finding, subject, pct, weight * look_pct(look, spent->ns));
		worst = spent;
	}
	if (worst)
		write_hot(look, worst, finding);
	map_fini(&table.by_key);
	free(table.list);
}
