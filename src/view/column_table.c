/*
 * The columns that there are without asking and that no kind of rows brings (row_kind.h), a line
 * each, and before them the getters: what columns show that is no metric. A getter has several
 * numbers where they are of one thing; the column says which (struct column, `part`). Numbers are
 * NaN and texts "" where the row has no such thing or it is unknown.
 *
 * Widths are for the values to be expected; whatever shows a value that is too wide cuts it or
 * pushes its line.
 */

#include "view/column_table.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/topology.h"
#include "base/units.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "model/timing.h"
#include "view/groups.h"
#include "view/interrupts.h"
#include "view/names.h"
#include "view/pairs.h"
#include "view/processes.h"
#include "view/stalls.h"
#include "view/table.h"

static const double IDLE_PCT = 1; /* a CPU below that was idle */

static double known(int64_t number)
{
	return number < 0 ? NAN : (double)number;
}

static double us_of(uint64_t ns)
{
	return ns == SWITCH_NS_UNKNOWN ? NAN : (double)ns / NS_PER_US;
}

enum {
	ID_PID,
	ID_TID,
	ID_PARENT,
	ID_SESSION,
	ID_THREADS, /* how many */
	ID_TASKS    /* the same of a group */
};

static double get_id(const struct getter_input *in, const struct view_row *row, int part)
{
	switch (part) {
	case ID_PID:
		return known(row->pid);
	case ID_TID:
		return known(row->tid);
	case ID_PARENT:
		return row->task ? known(row->task->parent_pid) : NAN;
	case ID_SESSION:
		return row->task && row->task->session > 0 ? (double)row->task->session : NAN;
	case ID_THREADS:
		return row->member_count > 0 ? (double)row->member_count : NAN;
	default:
		return row->group && !in->snapshot->lacks_idle ? (double)row->group->tasks : NAN;
	}
}

static struct getter_text get_host(const struct getter_input *in, const struct view_row *row)
{
	return (struct getter_text){.text = in->session ? in->session->host : "",
				    .ends_in_number = true};
}

static const struct cpu_location nowhere = {
	.cpu = -1,
	.socket = -1,
	.core = -1,
	.thread = -1,
	.node = -1,
};

static const struct cpu_location *location_of(const struct getter_input *in,
					      const struct view_row *row)
{
	const struct topology *topology = in->session ? in->session->topology : NULL;
	const struct cpu_location *place =
		row->cpu && topology ? topology_find(topology, row->cpu->cpu) : NULL;

	return place ? place : &nowhere;
}

static double get_cpu(const struct getter_input *in, const struct view_row *row, int part)
{
	if (row->cpu)
		return row->cpu->cpu;
	if (row->pair)
		return known(row->pair->cpu);
	if (row->entry)
		return known(row->entry->cpu);
	return row->task ? known(row->task->last_cpu) : NAN;
}

/* part: offset of an int in struct cpu_location */
static double get_location(const struct getter_input *in, const struct view_row *row, int part)
{
	return known(*(const int *)((const char *)location_of(in, row) + part));
}

static struct getter_text get_cpu_kind(const struct getter_input *in, const struct view_row *row)
{
	return as_text(location_of(in, row)->kind);
}

double row_busy_pct(const struct view_row *row)
{
	/* Known means that the CPU was on for a while (rows.c). */
	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return 100.0 * (double)row->interval[QUANTITY_RUN_NS] /
	       (double)row->cpu->counter[QUANTITY_RUN_NS];
}

bool row_is_idle(const struct view_row *row)
{
	return row->kind == ROW_IDLE || (row->kind == ROW_CPU && !(row_busy_pct(row) >= IDLE_PCT));
}

static double attributed_pct(const struct view_row *row)
{
	double counted_ns, unattributed_ns;

	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	counted_ns = (double)row->cpu->counter[QUANTITY_RUN_NS];
	unattributed_ns = (double)row->cpu->unattributed[QUANTITY_RUN_NS];
	if (counted_ns <= 0 || unattributed_ns > counted_ns)
		return NAN;
	/* Rounded down: 100.00 means that nothing is missing. */
	return floor(10000.0 * (counted_ns - unattributed_ns) / counted_ns) / 100.0;
}

enum {
	RUN_TIME_NS,
	RUN_BUSY_PCT,
	RUN_ATTRIBUTED_PCT
};

/* For what is derived from run times only. */
static double get_run(const struct getter_input *in, const struct view_row *row, int part)
{
	if (part == RUN_BUSY_PCT)
		return row_busy_pct(row);
	if (part == RUN_ATTRIBUTED_PCT)
		return attributed_pct(row);
	if (!row->total || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return (double)row->total[QUANTITY_RUN_NS];
}

bool column_is_run_time(const struct column *column)
{
	return column->number == get_run;
}

static double get_when(const struct getter_input *in, const struct view_row *row, int part)
{
	int64_t wall_ns, wall_us;

	if (!row->entry || row->entry->time_ns == SWITCH_NS_UNKNOWN)
		return NAN;
	/* In whole microseconds: a double holds them exactly, and no nanoseconds. */
	wall_ns = session_wall_ns(in->session->wall_offset_ns, row->entry->time_ns);
	wall_us = wall_ns / 1000;
	return wall_ns < 0 ? NAN : (double)wall_us;
}

/* part: offset of a time in struct switch_entry */
static double get_switch_time(const struct getter_input *in, const struct view_row *row, int part)
{
	if (!row->entry)
		return NAN;
	return us_of(*(const uint64_t *)(const void *)((const char *)row->entry + part));
}

static double get_from_cpu(const struct getter_input *in, const struct view_row *row, int part)
{
	if (!row->entry || row->entry->from_cpu == row->entry->cpu)
		return NAN;
	return known(row->entry->from_cpu);
}

/* The parts of a distribution: a percentile, or one of these. */
enum {
	LENGTH_MEAN = -1,
	LENGTH_MAX = -2
};

static double length_us(const struct view_row *row, enum timing_kind kind, int part)
{
	const struct distribution *lengths = row->timing ? &row->timing->of[kind] : NULL;

	if (!lengths || lengths->count == 0)
		return NAN;
	if (part == LENGTH_MEAN)
		return (double)lengths->sum / (double)lengths->count / NS_PER_US;
	if (part == LENGTH_MAX)
		return (double)lengths->max / NS_PER_US;
	return (double)distribution_quantile(lengths, part / 100.0) / NS_PER_US;
}

static double get_slice(const struct getter_input *in, const struct view_row *row, int part)
{
	return length_us(row, TIMING_SLICES, part);
}

static double get_preempted(const struct getter_input *in, const struct view_row *row, int part)
{
	if (row->unknown & 1u << QUANTITY_PREEMPTED_NS)
		return NAN;
	return length_us(row, TIMING_PREEMPTED, part);
}

static double get_wakeup(const struct getter_input *in, const struct view_row *row, int part)
{
	return length_us(row, TIMING_WAKEUPS, part);
}

enum {
	COLD_COST,
	COLD_IPC,
	COLD_WARM_IPC
};

static double get_cold(const struct getter_input *in, const struct view_row *row, int part)
{
	if (!row->timing)
		return NAN;
	if (part == COLD_COST)
		return timing_cold_cost_pct(row->timing);
	return part == COLD_IPC ? timing_cold_ipc(row->timing) : timing_warm_ipc(row->timing);
}

static const struct process_now *process_of(const struct getter_input *in,
					    const struct view_row *row)
{
	return row->kind == ROW_TASK ? processes_find(in->processes, row->task) : NULL;
}

/* part: offset of a number in struct process_now */
static double get_process(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct process_now *now = process_of(in, row);

	return now ? *(const double *)(const void *)((const char *)now + part) : NAN;
}

static double get_io(const struct getter_input *in, const struct view_row *row, int part)
{
	processes_want_io(in->processes);
	return get_process(in, row, part);
}

static double get_steal(const struct getter_input *in, const struct view_row *row, int part)
{
	return row->cpu ? cpu_steal_pct(in->snapshot, row->cpu->cpu) : NAN;
}

enum {
	IRQ_HARD,
	IRQ_SOFT
};

static double get_irq_share(const struct getter_input *in, const struct view_row *row, int part)
{
	return row->cpu ? cpu_interrupts_pct(in->snapshot, row->cpu->cpu, part == IRQ_SOFT) : NAN;
}

static double get_irq_rate(const struct getter_input *in, const struct view_row *row, int part)
{
	return row->cpu ? cpu_interrupts_rate(in->snapshot, row->cpu->cpu, part == IRQ_SOFT) : NAN;
}

static struct getter_text get_top_irq(const struct getter_input *in, const struct view_row *row)
{
	return as_text(row->cpu ? cpu_top_interrupt(in->snapshot, row->cpu->cpu) : "");
}

/* part: enum stall_number */
static double get_stall(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct task_group *group = row->group;

	if (row->task)
		return cgroup_stall_pct(in->snapshot, row->task->cgroup, SIZE_MAX,
					(enum stall_number)part);
	if (!group || !group->cgroup || !group->grouping->cgroup)
		return NAN;
	return cgroup_stall_pct(in->snapshot, group->cgroup, group->grouping->cgroup(group->cgroup),
				(enum stall_number)part);
}

uint32_t column_stalls(const struct column *column)
{
	uint32_t bit;

	if (column->number != get_stall) /* its part is another thing */
		return 0;
	bit = UINT32_C(1) << column->part;
	return bit & STALL_LIMIT ? STALL_HAS_CPU_STAT : bit;
}

static struct getter_text get_user(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind == ROW_EXITED)
		return as_text("(exited)");
	return as_text(row->task ? users_name(in->users, row->task->uid) : "");
}

static struct getter_text get_cgroup(const struct getter_input *in, const struct view_row *row)
{
	return as_text(row->task ? row->task->cgroup : "");
}

static struct getter_text get_container(const struct getter_input *in, const struct view_row *row)
{
	return as_text(containers_name(in->containers, row->task ? row->task->cgroup : NULL));
}

const char *task_type_word(size_t index)
{
	static const char *const words[] = {"user", "kernel"};

	return index < sizeof(words) / sizeof(words[0]) ? words[index] : NULL;
}

static struct getter_text get_type(const struct getter_input *in, const struct view_row *row)
{
	return as_text(row->task ? task_type_word(row->task->is_kernel_thread) : "");
}

static struct getter_text get_source(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind != ROW_TASK)
		return as_text("");
	return as_text(row->is_from_proc ? "proc" : "counters");
}

static struct getter_text get_state(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = process_of(in, row);

	if (row->entry)
		return as_text(task_state_name(row->entry->state));
	return as_text(now ? now->state : "");
}

static struct getter_text get_start(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = process_of(in, row);

	return as_text(now ? now->start : "");
}

bool column_is_of_proc(const struct column *column)
{
	return column->number == get_process || column->number == get_io ||
	       column->words == get_state || column->words == get_start;
}

bool column_is_of_hosts(const struct column *column)
{
	return column->words == get_host;
}

/* Drops the folder of the program: commands differ in what follows. */
static const char *without_directory(const char *command_line)
{
	const char *name = command_line;

	for (const char *c = command_line; *c != '\0' && *c != ' '; c++)
		if (*c == '/' && c[1] != '\0' && c[1] != ' ')
			name = c + 1;
	return name;
}

/* Whether a word of the command line, without folders, begins so: a script has the name of the
 * second one. */
static bool names_program(const char *command_line, const char *name)
{
	const char *word = command_line;

	for (const char *c = command_line; *c != '\0'; c++) {
		if (c == word && text_begins(word, name))
			return true;
		if (*c == '/' || *c == ' ')
			word = c + 1;
	}
	return false;
}

/* By it the threads of a process can be distinguished, which share its command line. */
static bool has_own_name(const struct snapshot_task *thread)
{
	return thread->tid != thread->pid && thread->name[0] != '\0' &&
	       !names_program(thread->command_line, thread->name);
}

static struct getter_text task_command(const struct getter_input *in,
				       const struct snapshot_task *task)
{
	const bool has_line = task->command_line && task->command_line[0] != '\0';

	if (!in->command_lines || (has_line && has_own_name(task)))
		return as_text(task->name);
	if (has_line)
		return (struct getter_text){
			.text = without_directory(task->command_line),
			.begins_with_program = true,
		};
	return (struct getter_text){
		.text = task->name,
		.in_brackets = task->is_kernel_thread && task->name[0] != '\0',
	};
}

struct getter_text get_command(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind == ROW_EXITED)
		return as_text(in->exited_words + row->words_at);
	if (row->kind == ROW_UNATTRIBUTED)
		return as_text(in->unattributed_words);
	if (row->entry)
		return as_text(row->prev ? row->prev->name : "");
	/* of a process that shares a line the threads' names tell them apart */
	if (row->task)
		return row->kind == ROW_ACCESS ? as_text(row->task->name)
					       : task_command(in, row->task);
	return as_text(row->function && row->tid == 0 ? session_idle_name(in->session) : "");
}

/* "nginx 4711"; without a number where it has none: idle, and unknown tasks. */
static struct getter_text actor_words(const struct actor *actor)
{
	struct getter_text words = as_text(actor ? actor->name : "");

	words.number = actor && actor->tid > 0 ? actor->tid : 0;
	return words;
}

static struct getter_text get_prev(const struct getter_input *in, const struct view_row *row)
{
	return actor_words(row->prev);
}

static struct getter_text get_next(const struct getter_input *in, const struct view_row *row)
{
	return actor_words(row->next);
}

/* The end of idle time has no kind worth showing in the log. */
static struct getter_text get_how(const struct getter_input *in, const struct view_row *row)
{
	const char *name;

	if (!row->entry)
		return as_text("");
	name = switch_how_name(row->entry->how);
	if (row->entry->how == SWITCH_UNKNOWN || row->entry->how == SWITCH_IDLE)
		return (struct getter_text){.text = "", .hidden = name};
	return (struct getter_text){.text = name, .mark = switch_how_mark(row->entry)};
}

/* All words of get_how(); SWITCH_UNKNOWN, the first, comes last. */
static const char *how_word(size_t index)
{
	if (index >= SWITCH_HOWS)
		return NULL;
	return switch_how_name((enum switch_how)((index + 1) % SWITCH_HOWS));
}

struct getter_text get_group(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind == ROW_UNATTRIBUTED)
		return as_text(in->unattributed_words);
	if (row->kind == ROW_IDLE)
		return as_text(session_idle_name(in->session));
	if (!row->group)
		return as_text("");
	return (struct getter_text){
		.text = row->group->words,
		.ends_in_number = row->group->grouping->is_of_ids,
	};
}

/* Rows that have something in a column. */
enum {
	TASKS = 1 << ROW_TASK | 1 << ROW_EXITED | 1 << ROW_UNATTRIBUTED,
	CPUS = 1 << ROW_CPU,
	SWITCHES = 1 << ROW_SWITCH,
	PAIRS = 1 << ROW_PAIR,
	GROUPS = 1 << ROW_GROUP | 1 << ROW_IDLE,
	SAMPLES = 1 << ROW_FUNCTION | 1 << ROW_ACCESS /* rows that are made of samples */
};

/* clang-format off */
#define METRIC(metric_) .metric = metric_
#define NUMBER(getter_, part_) .number = getter_, .part = part_
#define PLACE(member_) NUMBER(get_location, offsetof(struct cpu_location, member_))
#define SWITCH(member_) NUMBER(get_switch_time, offsetof(struct switch_entry, member_))
#define PROCESS(member_) NUMBER(get_process, offsetof(struct process_now, member_))
#define WORDS(getter_) .words = getter_
#define OF(rows_) .rows = rows_
#define STALL(number_) NUMBER(get_stall, number_), .needs = COLUMN_NEEDS_LIMITS, OF(TASKS | GROUPS)
#define IRQ .needs = COLUMN_NEEDS_STATES | COLUMN_NEEDS_WAKEUPS
const struct column column_table[] = {
	{ .name = "pid",     .title = "PID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_id, ID_PID), OF(TASKS | SWITCHES | PAIRS | SAMPLES), .help = "Process id." },
	{ .name = "tid",     .title = "TID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_id, ID_TID), OF(TASKS | SWITCHES | PAIRS | SAMPLES), .help = "Thread id." },
	{ .name = "ppid",    .title = "PPID",    .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_id, ID_PARENT), OF(TASKS), .help = "Process id of the parent." },
	{ .name = "session", .title = "SESSION", .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_id, ID_SESSION), OF(TASKS), .help = "Id of the session, the pid of the process that started it: a login, a terminal, a service." },
	{ .name = "cgroup",  .title = "CGROUP",  .width = 20, .format = COLUMN_TEXT,     .needs = COLUMN_NEEDS_CGROUPS, WORDS(get_cgroup), OF(TASKS), .help = "Path of the control group that the task is in." },
	{ .name = "container", .title = "CONTAINER", .width = 12, .format = COLUMN_TEXT, .needs = COLUMN_NEEDS_CGROUPS, WORDS(get_container), OF(TASKS), .help = "The container that the task is in, from the path of its cgroup: a short id (docker, podman, Kubernetes) or a name (lxc, systemd-nspawn)." },
	{ .name = "host",    .title = "HOST",    .width = 12, .format = COLUMN_TEXT,     WORDS(get_host), OF(TASKS | GROUPS | CPUS), .help = "Of several recordings (-i A -i B) the machine that it is of: its name, with a number where two have the same." },
	{ .name = "type",    .title = "TYPE",    .width = 6,  .format = COLUMN_TEXT,     WORDS(get_type), .word = task_type_word, OF(TASKS), .help = "Whether it is a kernel thread or a user program: kernel or user." },
	{ .name = "user",    .title = "USER",    .width = 8,  .format = COLUMN_TEXT,     WORDS(get_user), OF(TASKS | SAMPLES), .help = "Owner of the task." },
	{ .name = "source",  .title = "SOURCE",  .width = 8,  .format = COLUMN_TEXT,     WORDS(get_source), OF(TASKS), .help = "Where its numbers come from: counters, or proc: tasks of others, which an ordinary user may not count, are as the kernel says in /proc." },
	{ .name = "state",   .title = "S",       .width = 1,  .format = COLUMN_TEXT,     WORDS(get_state), OF(TASKS | SWITCHES), .help = "State, as in ps: R running or runnable, S sleeping, D uninterruptible sleep, mostly for a disk, I idle kernel thread, T stopped, t stopped by a debugger, Z ended and not yet collected, X dead, P parked. Tasks: the present state, from /proc. Switches: the state in which the outgoing task left, from sched:sched_switch." },
	{ .name = "prio",    .title = "PRI",     .width = 4,  .format = COLUMN_INTEGER,  PROCESS(priority), OF(TASKS), .help = "Priority in the kernel, the lower the sooner: 0 to 39, below 0 real-time. From /proc, of now." },
	{ .name = "nice",    .title = "NI",      .width = 3,  .format = COLUMN_INTEGER,  PROCESS(nice), OF(TASKS), .help = "Nice value: -20 has the largest share of the CPU, 19 the smallest. From /proc, of now." },
	{ .name = "rss",     .title = "RSS",     .width = 5,  .format = COLUMN_BYTES,    .descends = true, PROCESS(resident_bytes), OF(TASKS), .help = "Memory that is in RAM, with what is shared with others, in bytes. From /proc, of now." },
	{ .name = "mem%",    .title = "MEM %",   .width = 5,  .format = COLUMN_FIXED_1,  .descends = true, PROCESS(memory_pct), OF(TASKS), .help = "Memory that is in RAM, as a share of the machine's. From /proc, of now." },
	{ .name = "time+",   .title = "TIME+",   .width = 8,  .format = COLUMN_CPU_TIME, .descends = true, PROCESS(lifetime_ns), OF(TASKS), .help = "CPU time since the task began, as in top; time is that since perftop started. From /proc, to 10 ms." },
	{ .name = "user%",   .title = "USER %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, PROCESS(user_pct), OF(TASKS), .help = "Share of the time in which it ran in user mode; 100 is one CPU. From /proc, which counts in steps of 10 ms." },
	{ .name = "sys%",    .title = "SYS %",   .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, PROCESS(system_pct), OF(TASKS), .help = "Share of the time in which it ran in the kernel; 100 is one CPU. From /proc, which counts in steps of 10 ms." },
	{ .name = "start",   .title = "START",   .width = 5,  .format = COLUMN_TEXT,     WORDS(get_start), OF(TASKS), .help = "When it began: the time of day, or the date where that is more than a day ago." },
	{ .name = "io-read", .title = "READ/s",  .width = 6,  .format = COLUMN_BYTES,    .descends = true, NUMBER(get_io, offsetof(struct process_now, read_s)), OF(TASKS), .help = "Bytes per second that it read from storage. From /proc; of others' tasks with CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH." },
	{ .name = "io-write", .title = "WRITE/s", .width = 7, .format = COLUMN_BYTES,    .descends = true, NUMBER(get_io, offsetof(struct process_now, written_s)), OF(TASKS), .help = "Bytes per second that it wrote to storage. From /proc; of others' tasks with CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH." },
	{ .name = "cpu",     .title = "CPU",     .width = 3,  .format = COLUMN_INTEGER,  NUMBER(get_cpu, 0), OF(TASKS | CPUS | SWITCHES | PAIRS), .help = "The CPU; of a task: the one it ran on last." },
	{ .name = "threads", .title = "THR",     .width = 4,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(get_id, ID_THREADS), OF(TASKS | GROUPS), .help = "Threads of the process; of the row of exited processes: their number." },
	{ .name = "tasks",   .title = "TASKS",   .width = 5,  .format = COLUMN_INTEGER,  .descends = true, .total = TOTAL_SINCE_START, NUMBER(get_id, ID_TASKS), OF(GROUPS), .help = "How many processes, or threads where these have rows of their own, are in the group." },
	{ .name = "socket",  .title = "SOCKET",  .width = 6,  .format = COLUMN_INTEGER,  PLACE(socket), OF(CPUS), .help = "Socket (physical package) of the CPU." },
	{ .name = "core",    .title = "CORE",    .width = 4,  .format = COLUMN_INTEGER,  PLACE(core), OF(CPUS), .help = "Core of the CPU, as numbered within its socket." },
	{ .name = "smt",     .title = "SMT",     .width = 3,  .format = COLUMN_INTEGER,  PLACE(thread), OF(CPUS), .help = "Number of the CPU among the threads of its core, from 0." },
	{ .name = "node",    .title = "NODE",    .width = 4,  .format = COLUMN_INTEGER,  PLACE(node), OF(CPUS), .help = "NUMA node of the CPU." },
	{ .name = "cpu-kind", .title = "KIND",   .width = 4,  .format = COLUMN_TEXT,     WORDS(get_cpu_kind), OF(CPUS), .help = "Kind of core, where there are several: P for performance, E for efficiency, LP-E, M between them." },
	{ .name = "busy",    .title = "BUSY",    .width = 10, .format = COLUMN_BAR,      .descends = true, NUMBER(get_run, RUN_BUSY_PCT), OF(CPUS), .help = "Share of the time in which the CPU was not idle.", .good = "High under load; near 100 tasks begin to wait for each other." },
	{ .name = "cpu%",    .format = COLUMN_FIXED_1,  .descends = true, METRIC("cpu_pct") },
	{ .name = "ghz",     .format = COLUMN_FIXED_2,  .descends = true, METRIC("ghz") },
	{ .name = "ipc",     .format = COLUMN_FIXED_2,  .descends = true, METRIC("ipc") },
	{ .name = "miss%",   .format = COLUMN_FIXED_1,  .descends = true, .then = "miss/s", METRIC("miss_pct") },
	{ .name = "miss/s",  .format = COLUMN_SI,       .descends = true, METRIC("misses_s") },
	{ .name = "mpki",    .format = COLUMN_FIXED_1,  .descends = true, .then = "miss/s", METRIC("mpki") },
	{ .name = "br-mpki", .format = COLUMN_FIXED_2,  .descends = true, METRIC("branch_mpki") },
	{ .name = "sw/s",    .format = COLUMN_SI,       .descends = true, METRIC("switches_s") },
	{ .name = "pre/s",   .format = COLUMN_SI,       .descends = true, METRIC("preemptions_s") },
	{ .name = "migr/s",  .format = COLUMN_SI,       .descends = true, METRIC("migrations_s"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "fault/s", .format = COLUMN_SI,       .descends = true, METRIC("faults_s") },
	{ .name = "slice",   .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice, LENGTH_MEAN), METRIC("slice_us") },
	{ .name = "slice-p50", .title = "SL-P50", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice, 50), OF(TASKS | GROUPS), .help = "Median time on a CPU from one switch to the next, of the slices that ended in the interval; exact for up to 8 samples, otherwise within 10 %.", .good = "Long slices keep caches warm; short ones are normal for tasks that respond quickly." },
	{ .name = "slice-p99", .title = "SL-P99", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice, 99), OF(TASKS | GROUPS), .help = "99th percentile of slice length, of the slices that ended in the interval; exact for up to 8 samples, otherwise within 10 %.", .good = "Below what other tasks on this CPU can wait; 3 ms to 4 ms is a full time slice of the scheduler." },
	{ .name = "slice-max", .title = "SL-MAX", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice, LENGTH_MAX), OF(TASKS | GROUPS), .help = "The longest of the slices that ended in the interval.", .good = "Below what other tasks on this CPU can wait." },
	{ .name = "vol/s",   .format = COLUMN_SI,       .descends = true, METRIC("voluntary_s") },
	{ .name = "pwait%",  .format = COLUMN_FIXED_1,  .descends = true, METRIC("preempted_wait_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "pwait-p99", .title = "PW-P99", .width = 6, .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_LIMITS, NUMBER(get_preempted, 99), OF(TASKS | GROUPS), .help = "99th percentile of the waits after a preemption that ended in the interval; exact for up to 8 samples, otherwise within 10 %.", .good = "Near 0; a few ms mean that other tasks take turns on its CPU." },
	{ .name = "rqwait%", .format = COLUMN_FIXED_1,  .descends = true, METRIC("queued_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "off%",    .format = COLUMN_FIXED_1,  .descends = true, METRIC("off_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "dwait%",  .format = COLUMN_FIXED_1,  .descends = true, METRIC("uninterruptible_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "smt%",    .format = COLUMN_FIXED_1,  .descends = true, METRIC("smt_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "ipc-1t",  .format = COLUMN_FIXED_2,  .descends = true, METRIC("ipc_1t"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "ipc-2t",  .format = COLUMN_FIXED_2,  .descends = true, METRIC("ipc_2t"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "wake",    .format = COLUMN_DURATION, .descends = true, METRIC("wakeup_us"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "wake-p99", .title = "WK-P99", .width = 6,  .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_wakeup, 99), OF(TASKS | GROUPS), .help = "99th percentile of the waits between wake-up and running that ended in the interval; exact for up to 8 samples, otherwise within 10 %.", .good = "Below 100 us on a machine with idle CPUs; ms mean that it queues for one." },
	{ .name = "wake-max", .title = "WK-MAX", .width = 6,  .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_wakeup, LENGTH_MAX), OF(TASKS | GROUPS), .help = "The longest wait between being woken and running that ended in the interval.", .good = "Below 1 ms, which clients notice." },
	{ .name = "wakeups/s", .format = COLUMN_SI,       .descends = true, METRIC("wakeups_s"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "cold",    .title = "COLD %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, .is_estimate = true, NUMBER(get_cold, COLD_COST), OF(TASKS | GROUPS), .help = "An estimate of what cold caches cost at the beginning of slices: the share of the cycles there that warm ones would have saved, where slices of up to 100 us stand for the beginning of the longer ones and what these did beyond it is warm.", .good = "Below 5 %; above 20 % it is moved or interrupted too often for its caches." },
	{ .name = "cold-ipc", .title = "C-IPC",  .width = 5,  .format = COLUMN_FIXED_2,  .descends = true, .is_estimate = true, NUMBER(get_cold, COLD_IPC), OF(TASKS | GROUPS), .help = "An estimate of the IPC right after it was scheduled in: that of its slices of up to 100 us.", .good = "Near W-IPC: then little is lost when it is scheduled in." },
	{ .name = "warm-ipc", .title = "W-IPC",  .width = 5,  .format = COLUMN_FIXED_2,  .descends = true, .is_estimate = true, NUMBER(get_cold, COLD_WARM_IPC), OF(TASKS | GROUPS), .help = "An estimate of the IPC later in a slice: that of the slices over 100 us without what those of up to 100 us are like.", .good = "As IPC: above 1.5 the CPU is kept busy, below 0.5 it mostly waits." },
	{ .name = "throttled%", .title = "THROT %", .width = 7, .format = COLUMN_FIXED_1, .descends = true, STALL(STALL_THROTTLED), .help = "Share of the time in which the CPU limit of the cgroup, or of one above it, held its tasks back; 100 is one CPU.", .good = "0: the limit (cpu.max) is not reached." },
	{ .name = "periods%", .title = "PERIODS %", .width = 9, .format = COLUMN_FIXED_1, .descends = true, STALL(STALL_PERIODS_THROTTLED), .help = "Share of the periods of that limit, mostly of 100 ms, in which it was reached.", .good = "0: the limit (cpu.max) is not reached." },
	{ .name = "psi-cpu", .title = "PSI CPU", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, STALL(STALL_CPU_SOME), .help = "Pressure stall information of the cgroup: share of the time in which some of its tasks waited for a CPU.", .good = "Near 0." },
	{ .name = "psi-mem", .title = "PSI MEM", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, STALL(STALL_MEMORY_SOME), .help = "Pressure of the cgroup: share of the time in which some of its tasks waited for memory, which is reclaimed, or read back from disk or swap.", .good = "0: more than that is too little memory." },
	{ .name = "psi-io",  .title = "PSI IO",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, STALL(STALL_IO_SOME), .help = "Pressure of the cgroup: share of the time in which some of its tasks waited for storage.", .good = "Near 0." },
	{ .name = "psi-cpu-full", .title = "CPU FULL", .width = 8, .format = COLUMN_FIXED_1, .descends = true, STALL(STALL_CPU_FULL), .help = "Share of the time in which all tasks of the cgroup that were not idle waited for a CPU at once, as under a CPU limit.", .good = "0." },
	{ .name = "psi-mem-full", .title = "MEM FULL", .width = 8, .format = COLUMN_FIXED_1, .descends = true, STALL(STALL_MEMORY_FULL), .help = "Share of the time in which all tasks of the cgroup that were not idle waited for memory at once.", .good = "0." },
	{ .name = "psi-io-full", .title = "IO FULL", .width = 7, .format = COLUMN_FIXED_1, .descends = true, STALL(STALL_IO_FULL), .help = "Share of the time in which all tasks of the cgroup that were not idle waited for storage at once.", .good = "0." },
	{ .name = "steal%",  .title = "STEAL %", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, NUMBER(get_steal, 0), OF(CPUS), .help = "Share of the time in which the CPU had work and the hypervisor ran something else on it; the task that ran has it in its run time. From /proc, which counts in steps of 10 ms.", .good = "0: more is a host with too little CPU, or a limit set on it." },
	{ .name = "usr_pct", .format = COLUMN_FIXED_1,  .descends = true, .was_asked_for = true, METRIC("usr_pct"), OF(TASKS | GROUPS) },
	{ .name = "sys_pct", .format = COLUMN_FIXED_1,  .descends = true, .was_asked_for = true, METRIC("sys_pct"), OF(TASKS | GROUPS) },
	{ .name = "irq_pct", .format = COLUMN_FIXED_1,  .descends = true, .was_asked_for = true, METRIC("irq_pct"), OF(TASKS | GROUPS) },
	{ .name = "hardirq%", .title = "HARD %", .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, IRQ, NUMBER(get_irq_share, IRQ_HARD), OF(CPUS), .help = "Share of the CPU's time taken by hard interrupts: devices, timers, other CPUs.", .good = "Near 0." },
	{ .name = "softirq%", .title = "SOFT %", .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, IRQ, NUMBER(get_irq_share, IRQ_SOFT), OF(CPUS), .help = "Share of the CPU's time taken by soft interrupts, without hard ones that came in them: mostly packets of the network.", .good = "Near 0; much of it on one CPU of many is a queue that should be spread." },
	{ .name = "hardirq/s", .title = "HARD/s", .width = 6, .format = COLUMN_SI,       .descends = true, IRQ, NUMBER(get_irq_rate, IRQ_HARD), OF(CPUS), .help = "Hard interrupts a second.", .good = "As many as its devices and timers need; each takes about a microsecond, longer in a virtual machine." },
	{ .name = "softirq/s", .title = "SOFT/s", .width = 6, .format = COLUMN_SI,       .descends = true, IRQ, NUMBER(get_irq_rate, IRQ_SOFT), OF(CPUS), .help = "Soft interrupts a second.", .good = "As many as its devices and timers need." },
	{ .name = "top-irq", .title = "TOP IRQ", .width = 16, .format = COLUMN_TEXT,     IRQ, WORDS(get_top_irq), OF(CPUS), .help = "The interrupt that took the most of the CPU's time, as /proc/softirqs or the driver names it.", .good = "local_timer on an idle CPU; where it is a queue of the network, its packets come to this CPU." },
	{ .name = "time",    .title = "RUN TIME", .width = 8,  .format = COLUMN_CPU_TIME, .descends = true, .total = TOTAL_SINCE_START, NUMBER(get_run, RUN_TIME_NS), OF(TASKS | CPUS | GROUPS), .help = "CPU time since perftop started to watch; time+ is that since the process began." },
	{ .name = "trend",   .title = "TREND",   .width = 16, .format = COLUMN_TREND,    OF(TASKS | CPUS), .help = "History of the sort column (CPU % if it is not a number), all rows on one scale from 0, shares to 100 %." },
	{ .name = "attr%",   .title = "ATTR %",  .width = 6,  .format = COLUMN_FIXED_2,  .descends = true, NUMBER(get_run, RUN_ATTRIBUTED_PCT), OF(CPUS), .help = "Share of the CPU's time that is accounted to a task or to idle.", .good = "100; the rest is in the row unaccounted." },
	{ .name = "when",    .title = "TIME",    .width = 15, .format = COLUMN_CLOCK,    NUMBER(get_when, 0), OF(SWITCHES), .help = "Wall-clock time of the switch." },
	{ .name = "prev",    .title = "PREV",    .width = 18, .format = COLUMN_TEXT,     WORDS(get_prev), OF(SWITCHES), .help = "Outgoing task: name and thread id." },
	{ .name = "how",     .title = "HOW",     .width = 9,  .format = COLUMN_TEXT,     WORDS(get_how), .word = how_word, OF(SWITCHES), .help = "Why it left: preempted, blocked, yielded or exited; a yield where the kernel does not report it, and what a CPU limit holds back, look like a preemption. The letter after blocked is its state, as in ps: S sleeping, D uninterruptible sleep, T stopped, t stopped by a debugger, I idle and P parked kernel thread.", .good = "blocked: it had to wait for something; preempted: it was still runnable." },
	{ .name = "ran",     .title = "RAN",     .width = 6,  .format = COLUMN_DURATION, .descends = true, SWITCH(slice_ns), OF(SWITCHES), .help = "How long the outgoing task had been on the CPU.", .good = "Long ones keep caches warm; many short ones cost time for the switches." },
	{ .name = "off-cpu", .title = "OFF-CPU", .width = 7,  .format = COLUMN_DURATION, .descends = true, SWITCH(off_ns), OF(SWITCHES), .help = "How long the incoming task had been off the CPUs.", .good = "Alone it says little: idle tasks are off for long." },
	{ .name = "sch-delay", .title = "SCH DELAY", .width = 9, .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, SWITCH(wait_ns), OF(SWITCHES), .help = "How much of that it was runnable and waited for a CPU: all of it after a preemption, from the wake-up on after a sleep.", .good = "Near 0; ms mean that there are more tasks than CPUs to run them." },
	{ .name = "from",    .title = "FROM",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(get_from_cpu, 0), OF(SWITCHES), .help = "Previous CPU of the incoming task, if it was another one.", .good = "Empty: it stayed on its CPU, where its caches are warm." },
	{ .name = "next",    .title = "NEXT",    .width = 16, .format = COLUMN_TEXT,     WORDS(get_next), OF(SWITCHES), .help = "Incoming task: name and thread id." },
	{ .name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT,     WORDS(get_command), .shows_tree = true, OF(TASKS | SWITCHES | PAIRS | SAMPLES), .help = "Name of the task, or its command line without the folder of the program; command lines from 120 columns on." },
	{ .name = "group",   .title = "GROUP",   .width = 16, .format = COLUMN_TEXT,     WORDS(get_group), OF(GROUPS | 1 << ROW_UNATTRIBUTED), .help = "What the tasks of the row have in common; group-by says whether that is command, user, cgroup, container, parent, session or type." },
};
#undef METRIC
#undef PLACE
#undef SWITCH
#undef PROCESS
#undef NUMBER
#undef WORDS
#undef OF
#undef STALL
#undef IRQ
/* clang-format on */

const size_t column_table_count = sizeof(column_table) / sizeof(column_table[0]);
