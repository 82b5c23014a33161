/* One small function per column, all with the signature that the column table has. */

#include "view/getter.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/topology.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "model/timing.h"
#include "view/containers.h"
#include "view/groups.h"
#include "view/pairs.h"
#include "view/table.h"
#include "view/users.h"

static const double IDLE_PCT = 1; /* a CPU below that was idle */

static double number_or_unknown(int64_t number)
{
	return number < 0 ? NAN : (double)number;
}

double get_pid(const struct getter_input *in, const struct view_row *row)
{
	return number_or_unknown(row->pid);
}

double get_tid(const struct getter_input *in, const struct view_row *row)
{
	return number_or_unknown(row->tid);
}

double get_parent_pid(const struct getter_input *in, const struct view_row *row)
{
	return row->task ? number_or_unknown(row->task->parent_pid) : NAN;
}

double get_session(const struct getter_input *in, const struct view_row *row)
{
	return row->task && row->task->session > 0 ? (double)row->task->session : NAN;
}

double get_cpu(const struct getter_input *in, const struct view_row *row)
{
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

static const struct cpu_place *place_of(const struct getter_input *in, const struct view_row *row)
{
	const struct topology *topology = in->session ? in->session->topology : NULL;
	const struct cpu_place *place =
		row->cpu && topology ? topology_find(topology, row->cpu->cpu) : NULL;

	return place ? place : &nowhere;
}

double get_socket(const struct getter_input *in, const struct view_row *row)
{
	return number_or_unknown(place_of(in, row)->socket);
}

double get_core(const struct getter_input *in, const struct view_row *row)
{
	return number_or_unknown(place_of(in, row)->core);
}

double get_smt(const struct getter_input *in, const struct view_row *row)
{
	return number_or_unknown(place_of(in, row)->thread);
}

double get_node(const struct getter_input *in, const struct view_row *row)
{
	return number_or_unknown(place_of(in, row)->node);
}

struct getter_text get_cpu_kind(const struct getter_input *in, const struct view_row *row)
{
	return (struct getter_text){.text = place_of(in, row)->kind};
}

double get_threads(const struct getter_input *in, const struct view_row *row)
{
	return row->member_count > 0 ? (double)row->member_count : NAN;
}

double get_time_ns(const struct getter_input *in, const struct view_row *row)
{
	if (!row->total || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return (double)row->total[QUANTITY_RUN_NS];
}

double get_busy_pct(const struct getter_input *in, const struct view_row *row)
{
	/* Known means that the CPU was on for a while (rows.c). */
	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return 100.0 * (double)row->interval[QUANTITY_RUN_NS] /
	       (double)row->cpu->counter[QUANTITY_RUN_NS];
}

bool get_is_idle(const struct view_row *row)
{
	return row->kind == ROW_IDLE ||
	       (row->kind == ROW_CPU && !(get_busy_pct(NULL, row) >= IDLE_PCT));
}

bool get_is_run_time(double (*fact)(const struct getter_input *in, const struct view_row *row))
{
	return fact == get_time_ns || fact == get_busy_pct || fact == get_attributed_pct;
}

double get_attributed_pct(const struct getter_input *in, const struct view_row *row)
{
	double counted_ns;
	double nobodys_ns;

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

double get_when_us(const struct getter_input *in, const struct view_row *row)
{
	int64_t wall_ns, wall_us;

	if (!row->entry || row->entry->time_ns == SWITCH_NS_UNKNOWN)
		return NAN;
	/* In whole microseconds: a double holds them exactly, and no nanoseconds. */
	wall_ns = session_wall_ns(in->session->wall_offset_ns, row->entry->time_ns);
	wall_us = wall_ns / 1000;
	return wall_ns < 0 ? NAN : (double)wall_us;
}

double get_ran_us(const struct getter_input *in, const struct view_row *row)
{
	return row->entry ? us_or_unknown(row->entry->slice_ns) : NAN;
}

double get_off_us(const struct getter_input *in, const struct view_row *row)
{
	return row->entry ? us_or_unknown(row->entry->off_ns) : NAN;
}

double get_sch_delay_us(const struct getter_input *in, const struct view_row *row)
{
	return row->entry ? us_or_unknown(row->entry->wait_ns) : NAN;
}

double get_from_cpu(const struct getter_input *in, const struct view_row *row)
{
	if (!row->entry || row->entry->from_cpu == row->entry->cpu)
		return NAN;
	return number_or_unknown(row->entry->from_cpu);
}

/* NULL: nothing of that kind ended in the interval, or it is not known. */
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

double get_slice_mean_us(const struct getter_input *in, const struct view_row *row)
{
	const struct distribution *slices = lengths(row, TIMING_SLICES);

	return slices ? (double)slices->sum / (double)slices->count / 1000.0 : NAN;
}

double get_slice_median_us(const struct getter_input *in, const struct view_row *row)
{
	return quantile_us(row, TIMING_SLICES, 0.5);
}

double get_slice_p99_us(const struct getter_input *in, const struct view_row *row)
{
	return quantile_us(row, TIMING_SLICES, 0.99);
}

double get_slice_max_us(const struct getter_input *in, const struct view_row *row)
{
	const struct distribution *slices = lengths(row, TIMING_SLICES);

	return slices ? (double)slices->max / 1000.0 : NAN;
}

double get_preempted_p99_us(const struct getter_input *in, const struct view_row *row)
{
	return quantile_us(row, TIMING_PREEMPTED, 0.99);
}

double get_wakeup_p99_us(const struct getter_input *in, const struct view_row *row)
{
	return quantile_us(row, TIMING_WAKEUPS, 0.99);
}

double get_wakeup_max_us(const struct getter_input *in, const struct view_row *row)
{
	const struct distribution *waits = lengths(row, TIMING_WAKEUPS);

	return waits ? (double)waits->max / 1000.0 : NAN;
}

double get_cold_pct(const struct getter_input *in, const struct view_row *row)
{
	return row->timing ? timing_cold_cost_pct(row->timing) : NAN;
}

double get_cold_ipc(const struct getter_input *in, const struct view_row *row)
{
	return row->timing ? timing_cold_ipc(row->timing) : NAN;
}

double get_warm_ipc(const struct getter_input *in, const struct view_row *row)
{
	return row->timing ? timing_warm_ipc(row->timing) : NAN;
}

struct getter_text get_user(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind == ROW_EXITED)
		return (struct getter_text){.text = "(exited)"};
	if (!row->task)
		return (struct getter_text){.text = ""};
	return (struct getter_text){.text = users_name(in->users, row->task->uid)};
}

struct getter_text get_cgroup(const struct getter_input *in, const struct view_row *row)
{
	return (struct getter_text){.text = row->task && row->task->cgroup ? row->task->cgroup
									   : ""};
}

struct getter_text get_container(const struct getter_input *in, const struct view_row *row)
{
	const char *cgroup = row->task ? row->task->cgroup : NULL;

	return (struct getter_text){.text = containers_name(in->containers, cgroup)};
}

const char *get_type_word(size_t index)
{
	static const char *const words[] = {"user", "kernel"};

	return index < sizeof(words) / sizeof(words[0]) ? words[index] : NULL;
}

struct getter_text get_type(const struct getter_input *in, const struct view_row *row)
{
	return (struct getter_text){.text = row->task ? get_type_word(row->task->is_kernel_thread)
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

static struct getter_text task_command(const struct getter_input *in,
				       const struct snapshot_task *task)
{
	if (!in->command_lines)
		return (struct getter_text){.text = task->name};
	if (task->command_line && task->command_line[0] != '\0')
		return (struct getter_text){.text = without_directory(task->command_line)};
	return (struct getter_text){
		.text = task->name,
		.in_brackets = task->is_kernel_thread && task->name[0] != '\0',
	};
}

struct getter_text get_command(const struct getter_input *in, const struct view_row *row)
{
	switch (row->kind) {
	case ROW_TASK:
		return task_command(in, row->task);
	case ROW_EXITED:
		return (struct getter_text){.text = in->exited_words};
	case ROW_UNATTRIBUTED:
		return (struct getter_text){.text = in->unattributed_words};
	case ROW_SWITCH:
		return (struct getter_text){.text = row->prev ? row->prev->name : ""};
	case ROW_CPU:
	case ROW_PAIR:
	case ROW_LENGTH:
	case ROW_GROUP:
	case ROW_IDLE:
		break;
	}
	return (struct getter_text){.text = ""};
}

/* "nginx 4711"; without a number where it has none: idle, and whoever is not known. */
static struct getter_text actor_words(const struct actor *actor)
{
	if (!actor)
		return (struct getter_text){.text = ""};
	return (struct getter_text){
		.text = actor->name,
		.number = actor->tid > 0 ? actor->tid : 0,
	};
}

struct getter_text get_prev(const struct getter_input *in, const struct view_row *row)
{
	return actor_words(row->prev);
}

struct getter_text get_next(const struct getter_input *in, const struct view_row *row)
{
	return actor_words(row->next);
}

/* The end of idle time is of no kind that would be worth its place in the log. */
struct getter_text get_how(const struct getter_input *in, const struct view_row *row)
{
	const char *name;

	if (!row->entry)
		return (struct getter_text){.text = ""};
	name = switch_how_name(row->entry->how);
	if (row->entry->how == SWITCH_UNKNOWN || row->entry->how == SWITCH_IDLE)
		return (struct getter_text){.text = "", .untold = name};
	return (struct getter_text){.text = name};
}

/* SWITCH_UNKNOWN, the first, comes last. */
const char *get_how_word(size_t index)
{
	if (index >= SWITCH_HOWS)
		return NULL;
	return switch_how_name((enum switch_how)((index + 1) % SWITCH_HOWS));
}

struct getter_text get_group(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind == ROW_UNATTRIBUTED)
		return (struct getter_text){.text = in->unattributed_words};
	if (row->kind == ROW_IDLE)
		return (struct getter_text){.text = session_idle_name(in->session)};
	if (!row->group)
		return (struct getter_text){.text = ""};
	return (struct getter_text){
		.text = row->group->words,
		.ends_in_number = row->group->grouping->is_of_ids,
	};
}

double get_tasks(const struct getter_input *in, const struct view_row *row)
{
	return row->group ? (double)row->group->tasks : NAN;
}
