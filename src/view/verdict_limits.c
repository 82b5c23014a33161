/*
 * Rules of what holds all tasks back: CPU limits, too little memory, a slow clock, a hypervisor.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "model/layout.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/stalls.h"
#include "view/verdict_look.h"

/* Whether a task of the scope is in it. */
static bool is_in_scope(const struct rule_look *look, const struct snapshot_cgroup *cgroup)
{
	const size_t length = strlen(cgroup->path);

	if (!look->input->wants_pid || strcmp(cgroup->path, "/") == 0)
		return true;
	for (size_t i = 0; i < look->count; i++) {
		const char *path = look->tasks[i]->cgroup;

		if (path && text_begins(path, cgroup->path) &&
		    (path[length] == '/' || path[length] == '\0'))
			return true;
	}
	return false;
}

/* Of the time, as far as its CPUs together say; in the other part of a period it has run. */
static double held_pct(const struct snapshot_cgroup *cgroup)
{
	const uint64_t *numbers = cgroup->interval;
	const double periods_pct =
		100.0 * (double)numbers[STALL_PERIODS_THROTTLED] / (double)numbers[STALL_PERIODS];

	if (!(cgroup->known & 1u << STALL_THROTTLED) || cgroup->span_ns == 0)
		return fmin(periods_pct, 100);
	return fmin(fmin(periods_pct, 100),
		    100.0 * NS_PER_US * (double)numbers[STALL_THROTTLED] / (double)cgroup->span_ns);
}

/* By its own limit, not by one above it. */
void rule_limit(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	char name[FINDING_NAME_COLUMNS];

	for (size_t i = 0; i < look->snapshot->cgroup_count; i++) {
		const struct snapshot_cgroup *cgroup = &look->snapshot->cgroups[i];
		double pct;

		if (!(cgroup->known & 1u << STALL_PERIODS_THROTTLED) ||
		    cgroup->interval[STALL_PERIODS] == 0)
			continue;
		pct = held_pct(cgroup);
		if (!finding_is_worse(look, pct, i + 1, before, finding) ||
		    !is_in_scope(look, cgroup))
			continue;
		finding_take(finding, i + 1, pct, pct / look->cpus);
		finding_write_name(name, cgroup->path);
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "%s is held by its CPU limit %.0f %% of the time", name, pct);
	}
}

void rule_pressure(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	char name[FINDING_NAME_COLUMNS];

	for (size_t i = 0; i < look->snapshot->cgroup_count; i++) {
		const struct snapshot_cgroup *cgroup = &look->snapshot->cgroups[i];
		const double pct = cgroup_stall_pct(look->snapshot, cgroup->path,
						    strlen(cgroup->path), STALL_MEMORY_SOME);

		if (!finding_is_worse(look, pct, i + 1, before, finding) ||
		    !is_in_scope(look, cgroup))
			continue;
		finding_take(finding, i + 1, pct, pct);
		finding_write_name(name, cgroup->path);
		snprintf(finding->sentence, RULE_SENTENCE_MAX,
			 "tasks of %s wait for memory %.0f %% of the time", name, pct);
	}
}

/* The mean of all CPUs, in percent. */
static double stolen_pct(const struct rule_look *look)
{
	double sum = 0;

	for (size_t i = 0; i < look->snapshot->cpu_count; i++) {
		const double pct = cpu_steal_pct(look->snapshot, look->snapshot->cpus[i].cpu);

		sum += isnan(pct) ? 0 : pct / look->cpus;
	}
	return sum;
}

void rule_steal(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const double pct = stolen_pct(look);

	if (!finding_is_worse(look, pct, 1, before, finding))
		return;
	finding_take(finding, 1, pct, pct);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "the hypervisor takes %.0f %% of the CPUs' time", pct);
}

/* Bytes in a second since it was asked last; NaN: not known. */
static double ask_swap_rate(const struct rule_look *look)
{
	const struct rule_witness *witness = &look->input->witness;
	const struct rule_swap last = look->memory->swap;
	struct rule_swap now = {.time_ns = look->snapshot->time_ns};

	if (!witness->swapped_in || !witness->swapped_in(witness->context, &now.bytes))
		return NAN;
	look->memory->swap = now;
	if (last.time_ns == 0 || now.time_ns <= last.time_ns || now.bytes < last.bytes)
		return NAN;
	return NS_PER_S * (double)(now.bytes - last.bytes) / (double)(now.time_ns - last.time_ns);
}

/* What is written to it may be what nothing needs; what is read back some task waits for. */
void rule_swap(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	const double least_pct = 10, bytes = 1e6;
	const double mb_s = look->blocked_pct < least_pct ? NAN : ask_swap_rate(look) / bytes;

	if (!finding_is_worse(look, mb_s, 1, before, finding))
		return;
	finding_take(finding, 1, mb_s, look->blocked_pct);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "%.0f MB/s are read back from swap: too little memory", mb_s);
}

/* How fast the CPUs run on which tasks compute, and how much of the machine these are. */
static double mean_clock(const struct rule_look *look, double *machine_pct)
{
	const double least_pct = 30;
	const int metric = look_find_metric(look, "ghz");
	double cycles = 0, pct = 0;

	for (size_t i = 0; i < look->count; i++) {
		const double run_pct = look_run_pct(look, look->tasks[i]);
		const double ghz =
			run_pct >= least_pct ? look_eval(look, look->tasks[i], metric) : NAN;

		if (!(ghz > 0))
			continue;
		cycles += ghz * run_pct;
		pct += run_pct;
	}
	*machine_pct = pct / look->cpus;
	return cycles / pct; /* 0/0 is NaN: unknown */
}

/*
 * Cycles are those of the kernel, too, where the whole machine is counted; a CPU that a hypervisor
 * has taken makes none, and CPUs of several kinds run at several clocks.
 */
static bool is_clock_known(const struct rule_look *look)
{
	const struct session *session = look->input->session;
	const double most_stolen_pct = 5;

	return session->scope == SCOPE_SYSTEM && !session->is_estimated &&
	       look->snapshot->layout->kind_count == 1 && stolen_pct(look) < most_stolen_pct;
}

/* What they can do is what they did in two intervals, one after the other. */
void rule_clock(const struct rule_look *look, uint64_t before, struct finding *finding)
{
	struct rule_memory *memory = look->memory;
	double machine_pct = 0, pct, best;
	const double ghz = is_clock_known(look) ? mean_clock(look, &machine_pct) : NAN;

	if (isnan(ghz))
		return;
	best = fmax(memory->best_ghz, fmin(memory->last_ghz, ghz));
	memory->last_ghz = ghz;
	memory->best_ghz = best;
	pct = 100 * (1 - ghz / best);
	if (!finding_is_worse(look, pct, 1, before, finding))
		return;
	finding_take(finding, 1, pct, machine_pct * pct / 100);
	snprintf(finding->sentence, RULE_SENTENCE_MAX,
		 "busy CPUs run at %.1f GHz, %.1f before: heat, or a power limit", ghz, best);
}
