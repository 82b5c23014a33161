/*
 * One small function per fact. They have one signature, that of the column table, and
 * therefore some leave `facts` unused.
 */

#include "view/fact.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/topology.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "model/timing.h"
#include "view/containers.h"
#include "view/pairs.h"
#include "view/table.h"
#include "view/users.h"

static const double IDLE_PCT = 1; /* a CPU below that was idle */

static double number_or_unknown(int64_t number)
{
	return number < 0 ? NAN : (double)number;
}

double fact_pid(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return number_or_unknown(row->pid);
}

double fact_tid(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return number_or_unknown(row->tid);
}

double fact_parent_pid(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->task ? number_or_unknown(row->task->parent_pid) : NAN;
}

double fact_session(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->task && row->task->session > 0 ? (double)row->task->session : NAN;
}

double fact_cpu(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	if (row->cpu)
		return row->cpu->cpu;
	if (row->pair)
		return number_or_unknown(row->pair->cpu);
	if (row->entry)
		return number_or_unknown(row->entry->cpu);
	return row->task ? number_or_unknown(row->task->last_cpu) : NAN;
}

static const struct cpu_place nowhere = {
	.cpu = -1,
	.socket = -1,
	.core = -1,
	.thread = -1,
	.node = -1,
};

static const struct cpu_place *place_of(const struct facts *facts, const struct view_row *row)
{
	const struct topology *topology = facts->session ? facts->session->topology : NULL;
	const struct cpu_place *place =
		row->cpu && topology ? topology_find(topology, row->cpu->cpu) : NULL;

	return place ? place : &nowhere;
}

double fact_socket(const struct facts *facts, const struct view_row *row)
{
	return number_or_unknown(place_of(facts, row)->socket);
}

double fact_core(const struct facts *facts, const struct view_row *row)
{
	return number_or_unknown(place_of(facts, row)->core);
}

double fact_smt(const struct facts *facts, const struct view_row *row)
{
	return number_or_unknown(place_of(facts, row)->thread);
}

double fact_node(const struct facts *facts, const struct view_row *row)
{
	return number_or_unknown(place_of(facts, row)->node);
}

struct fact_words fact_cpu_kind(const struct facts *facts, const struct view_row *row)
{
	return (struct fact_words){.text = place_of(facts, row)->kind};
}

double fact_threads(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->member_count > 0 ? (double)row->member_count : NAN;
}

double fact_time_ns(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	if (!row->total || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return (double)row->total[QUANTITY_RUN_NS];
}

double fact_busy_pct(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	/* Known means that the CPU was on for a while (rows.c). */
	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return 100.0 * (double)row->interval[QUANTITY_RUN_NS] /
	       (double)row->cpu->counter[QUANTITY_RUN_NS];
}

bool fact_is_idle(const struct view_row *row)
{
	return row->kind == ROW_IDLE ||
	       (row->kind == ROW_CPU && !(fact_busy_pct(NULL, row) >= IDLE_PCT));
}

bool fact_is_run_time(double (*fact)(const struct facts *facts, const struct view_row *row))
{
	return fact == fact_time_ns || fact == fact_busy_pct || fact == fact_attributed_pct;
}

double fact_attributed_pct(const struct facts *facts, const struct view_row *row)
{
	double counted_ns;
	double nobodys_ns;

	(void)facts;
	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	counted_ns = (double)row->cpu->counter[QUANTITY_RUN_NS];
	nobodys_ns = (double)row->cpu->unattributed[QUANTITY_RUN_NS];
	if (counted_ns <= 0 || nobodys_ns > counted_ns)
		return NAN;
	/* Cut, not rounded: 100.00 says that nothing at all is missing. */
	return floor(10000.0 * (counted_ns - nobodys_ns) / counted_ns) / 100.0;
}

static double us_or_unknown(uint64_t ns)
{
	return ns == SWITCH_NS_UNKNOWN ? NAN : (double)ns / 1000.0;
}

double fact_when_us(const struct facts *facts, const struct view_row *row)
{
	int64_t wall_ns, wall_us;

	if (!row->entry || row->entry->time_ns == SWITCH_NS_UNKNOWN)
		return NAN;
	/* In whole microseconds: a double holds them exactly, and no nanoseconds. */
	wall_ns = session_wall_ns(facts->session->wall_offset_ns, row->entry->time_ns);
	wall_us = wall_ns / 1000;
	return wall_ns < 0 ? NAN : (double)wall_us;
}

double fact_ran_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->entry ? us_or_unknown(row->entry->slice_ns) : NAN;
}

double fact_off_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->entry ? us_or_unknown(row->entry->off_ns) : NAN;
}

double fact_waited_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->entry ? us_or_unknown(row->entry->wait_ns) : NAN;
}

double fact_from_cpu(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	if (!row->entry || row->entry->from_cpu == row->entry->cpu)
		return NAN;
	return number_or_unknown(row->entry->from_cpu);
}

/* NULL: nothing of that kind ended in the interval, or nobody knows. */
static const struct distribution *lengths(const struct view_row *row, enum timing_kind kind)
{
	if (!row->timing || row->timing->of[kind].count == 0)
		return NULL;
	return &row->timing->of[kind];
}

static double quantile_us(const struct view_row *row, enum timing_kind kind, double q)
{
	const struct distribution *distribution = lengths(row, kind);

	return distribution ? (double)distribution_quantile(distribution, q) / 1000.0 : NAN;
}

double fact_slice_mean_us(const struct facts *facts, const struct view_row *row)
{
	const struct distribution *slices = lengths(row, TIMING_SLICES);

	(void)facts;
	return slices ? (double)slices->sum / (double)slices->count / 1000.0 : NAN;
}

double fact_slice_median_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return quantile_us(row, TIMING_SLICES, 0.5);
}

double fact_slice_p99_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return quantile_us(row, TIMING_SLICES, 0.99);
}

double fact_slice_max_us(const struct facts *facts, const struct view_row *row)
{
	const struct distribution *slices = lengths(row, TIMING_SLICES);

	(void)facts;
	return slices ? (double)slices->max / 1000.0 : NAN;
}

double fact_preempted_p99_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return quantile_us(row, TIMING_PREEMPTED, 0.99);
}

double fact_wakeup_p99_us(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return quantile_us(row, TIMING_WAKEUPS, 0.99);
}

double fact_wakeup_max_us(const struct facts *facts, const struct view_row *row)
{
	const struct distribution *waits = lengths(row, TIMING_WAKEUPS);

	(void)facts;
	return waits ? (double)waits->max / 1000.0 : NAN;
}

double fact_cold_pct(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->timing ? timing_cold_cost_pct(row->timing) : NAN;
}

double fact_cold_ipc(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->timing ? timing_cold_ipc(row->timing) : NAN;
}

double fact_warm_ipc(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->timing ? timing_warm_ipc(row->timing) : NAN;
}

struct fact_words fact_user(const struct facts *facts, const struct view_row *row)
{
	if (row->kind == ROW_EXITED)
		return (struct fact_words){.text = "(exited)"};
	if (!row->task)
		return (struct fact_words){.text = ""};
	return (struct fact_words){.text = users_name(facts->users, row->task->uid)};
}

struct fact_words fact_cgroup(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return (struct fact_words){.text = row->task && row->task->cgroup ? row->task->cgroup : ""};
}

struct fact_words fact_container(const struct facts *facts, const struct view_row *row)
{
	const char *cgroup = row->task ? row->task->cgroup : NULL;

	return (struct fact_words){.text = containers_name(facts->containers, cgroup)};
}

const char *fact_type_word(size_t index)
{
	static const char *const words[] = {"user", "kernel"};

	return index < sizeof(words) / sizeof(words[0]) ? words[index] : NULL;
}

struct fact_words fact_type(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return (struct fact_words){.text = row->task ? fact_type_word(row->task->is_kernel_thread)
						     : ""};
}

/* Of the program: what distinguishes commands stands behind it. */
static const char *without_directory(const char *command_line)
{
	const char *name = command_line;

	for (const char *c = command_line; *c != '\0' && *c != ' '; c++)
		if (*c == '/' && c[1] != '\0' && c[1] != ' ')
			name = c + 1;
	return name;
}

static struct fact_words task_command(const struct facts *facts, const struct snapshot_task *task)
{
	if (!facts->command_lines)
		return (struct fact_words){.text = task->name};
	if (task->command_line && task->command_line[0] != '\0')
		return (struct fact_words){.text = without_directory(task->command_line)};
	return (struct fact_words){
		.text = task->name,
		.in_brackets = task->is_kernel_thread && task->name[0] != '\0',
	};
}

struct fact_words fact_command(const struct facts *facts, const struct view_row *row)
{
	switch (row->kind) {
	case ROW_TASK:
		return task_command(facts, row->task);
	case ROW_EXITED:
		return (struct fact_words){.text = facts->exited_words};
	case ROW_UNATTRIBUTED:
		return (struct fact_words){.text = facts->unattributed_words};
	case ROW_SWITCH:
		return (struct fact_words){.text = row->left ? row->left->name : ""};
	case ROW_CPU:
	case ROW_PAIR:
	case ROW_LENGTH:
	case ROW_GROUP:
	case ROW_IDLE:
		break;
	}
	return (struct fact_words){.text = ""};
}

/* "nginx 4711"; without a number where it has none: idle, and whoever is not known. */
static struct fact_words actor_words(const struct actor *actor)
{
	if (!actor)
		return (struct fact_words){.text = ""};
	return (struct fact_words){
		.text = actor->name,
		.number = actor->tid > 0 ? actor->tid : 0,
	};
}

struct fact_words fact_left(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return actor_words(row->left);
}

struct fact_words fact_came(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return actor_words(row->came);
}

/* The end of idle time is of no kind that would be worth its place in the log. */
struct fact_words fact_how(const struct facts *facts, const struct view_row *row)
{
	const char *name;

	(void)facts;
	if (!row->entry)
		return (struct fact_words){.text = ""};
	name = switch_how_name(row->entry->how);
	if (row->entry->how == SWITCH_UNKNOWN || row->entry->how == SWITCH_IDLE)
		return (struct fact_words){.text = "", .untold = name};
	return (struct fact_words){.text = name};
}

/* SWITCH_UNKNOWN, the first, comes last. */
const char *fact_how_word(size_t index)
{
	if (index >= SWITCH_HOWS)
		return NULL;
	return switch_how_name((enum switch_how)((index + 1) % SWITCH_HOWS));
}
