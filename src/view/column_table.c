/*
 * All columns that there are without asking, a line each. Widths are for the values to be expected;
 * one that is too wide pushes its line or is cut, as is decided by whoever shows it.
 */

#include "view/column_table.h"

#include <stddef.h>

#include "view/column.h"
#include "view/getter.h"
#include "view/groups.h"
#include "view/table.h"

/* Rows that have something in a column. */
enum {
	TASKS = 1 << ROW_TASK | 1 << ROW_EXITED | 1 << ROW_UNATTRIBUTED,
	CPUS = 1 << ROW_CPU,
	SWITCHES = 1 << ROW_SWITCH,
	PAIRS = 1 << ROW_PAIR,
	LENGTHS = 1 << ROW_LENGTH,
	GROUPS = 1 << ROW_GROUP | 1 << ROW_IDLE,
	COUNTED = TASKS | CPUS | SWITCHES | GROUPS /* those with counts */
};

/* clang-format off */
#define METRIC(metric_) .metric = metric_
#define NUMBER(fact_) .number = fact_
#define WORDS(fact_) .words = fact_
#define OF(rows_) .rows = rows_
const struct column column_table[] = {
	{ .name = "pid",     .title = "PID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_pid), OF(TASKS | SWITCHES | PAIRS), .help = "Process id." },
	{ .name = "tid",     .title = "TID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_tid), OF(TASKS | SWITCHES | PAIRS), .help = "Thread id." },
	{ .name = "ppid",    .title = "PPID",    .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_parent_pid), OF(TASKS), .help = "Process id of the parent." },
	{ .name = "session", .title = "SESSION", .width = 7,  .format = COLUMN_INTEGER,  NUMBER(get_session), OF(TASKS), .help = "Id of the session, the pid of the process that started it: a login, a terminal, a service." },
	{ .name = "cgroup",  .title = "CGROUP",  .width = 20, .format = COLUMN_TEXT,     .needs = COLUMN_NEEDS_CGROUPS, WORDS(get_cgroup), OF(TASKS), .help = "Path of the control group that the task is in." },
	{ .name = "container", .title = "CONTAINER", .width = 12, .format = COLUMN_TEXT, .needs = COLUMN_NEEDS_CGROUPS, WORDS(get_container), OF(TASKS), .help = "The container that the task is in, from the path of its cgroup: a short id (docker, podman, Kubernetes) or a name (lxc, systemd-nspawn)." },
	{ .name = "type",    .title = "TYPE",    .width = 6,  .format = COLUMN_TEXT,     WORDS(get_type), .word = get_type_word, OF(TASKS), .help = "Whether it is a kernel thread or a user program: kernel or user." },
	{ .name = "user",    .title = "USER",    .width = 8,  .format = COLUMN_TEXT,     WORDS(get_user), OF(TASKS), .help = "Owner of the task." },
	{ .name = "source",  .title = "SOURCE",  .width = 8,  .format = COLUMN_TEXT,     WORDS(get_source), OF(TASKS), .help = "Where its numbers come from: counters, or proc: tasks of others, which an ordinary user may not count, are as the kernel says in /proc." },
	{ .name = "state",   .title = "S",       .width = 1,  .format = COLUMN_TEXT,     WORDS(get_state), OF(TASKS), .help = "State, as in ps: R running or runnable, S sleeping, D waiting for a device, I idle kernel thread, T stopped, Z ended and not yet collected. From /proc, of now." },
	{ .name = "prio",    .title = "PRI",     .width = 4,  .format = COLUMN_INTEGER,  NUMBER(get_priority), OF(TASKS), .help = "Priority in the kernel, the lower the sooner: 0 to 39, below 0 real-time. From /proc, of now." },
	{ .name = "nice",    .title = "NI",      .width = 3,  .format = COLUMN_INTEGER,  NUMBER(get_nice), OF(TASKS), .help = "Nice value: -20 has the largest share of the CPU, 19 the smallest. From /proc, of now." },
	{ .name = "rss",     .title = "RSS",     .width = 5,  .format = COLUMN_BYTES,    .descends = true, NUMBER(get_resident), OF(TASKS), .help = "Memory that is in RAM, with what is shared with others, in bytes. From /proc, of now." },
	{ .name = "mem%",    .title = "MEM %",   .width = 5,  .format = COLUMN_FIXED_1,  .descends = true, NUMBER(get_memory_pct), OF(TASKS), .help = "The same as a share of the machine's memory." },
	{ .name = "time+",   .title = "TIME+",   .width = 8,  .format = COLUMN_CPU_TIME, .descends = true, NUMBER(get_lifetime_ns), OF(TASKS), .help = "CPU time since the task began, as in top; time is that since perftop started. From /proc, to 10 ms." },
	{ .name = "user%",   .title = "USER %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, NUMBER(get_user_pct), OF(TASKS), .help = "Share of the time in which it ran in user mode; 100 is one CPU. From /proc, which counts in steps of 10 ms." },
	{ .name = "sys%",    .title = "SYS %",   .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, NUMBER(get_system_pct), OF(TASKS), .help = "The same in the kernel." },
	{ .name = "start",   .title = "START",   .width = 5,  .format = COLUMN_TEXT,     WORDS(get_start), OF(TASKS), .help = "When it began: the time of day, or the date where that is more than a day ago." },
	{ .name = "io-read", .title = "READ/s",  .width = 6,  .format = COLUMN_BYTES,    .descends = true, NUMBER(get_read_s), OF(TASKS), .help = "Bytes per second that it read from storage. From /proc, which shows them of one's own tasks, or with CAP_SYS_PTRACE." },
	{ .name = "io-write", .title = "WRITE/s", .width = 7, .format = COLUMN_BYTES,    .descends = true, NUMBER(get_written_s), OF(TASKS), .help = "Bytes per second that it wrote to storage. As READ/s." },
	{ .name = "cpu",     .title = "CPU",     .width = 3,  .format = COLUMN_INTEGER,  NUMBER(get_cpu), OF(TASKS | CPUS | SWITCHES | PAIRS), .help = "The CPU; of a task: the one it ran on last." },
	{ .name = "threads", .title = "THR",     .width = 4,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(get_threads), OF(TASKS | GROUPS), .help = "Threads of the process; of the row of exited processes: their number." },
	{ .name = "tasks",   .title = "TASKS",   .width = 5,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(get_tasks), OF(GROUPS), .help = "How many processes, or threads where these have rows of their own, are in the group." },
	{ .name = "socket",  .title = "SOCKET",  .width = 6,  .format = COLUMN_INTEGER,  NUMBER(get_socket), OF(CPUS), .help = "Socket (physical package) of the CPU." },
	{ .name = "core",    .title = "CORE",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(get_core), OF(CPUS), .help = "Core of the CPU, as numbered within its socket." },
	{ .name = "smt",     .title = "SMT",     .width = 3,  .format = COLUMN_INTEGER,  NUMBER(get_smt), OF(CPUS), .help = "Number of the CPU among the threads of its core, from 0." },
	{ .name = "node",    .title = "NODE",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(get_node), OF(CPUS), .help = "NUMA node of the CPU." },
	{ .name = "cpu-kind", .title = "KIND",   .width = 4,  .format = COLUMN_TEXT,     WORDS(get_cpu_kind), OF(CPUS), .help = "Kind of core, where there are several: P for performance, E for efficiency, LP-E, M between them." },
	{ .name = "busy",    .title = "BUSY",    .width = 10, .format = COLUMN_BAR,      .descends = true, NUMBER(get_busy_pct), OF(CPUS), .help = "Share of the time in which the CPU was not idle." },
	{ .name = "cpu%",    .title = "CPU %",   .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("cpu_pct") },
	{ .name = "ghz",     .title = "GHz",     .width = 4,  .format = COLUMN_FIXED_2,  .descends = true, METRIC("ghz") },
	{ .name = "ipc",     .title = "IPC",     .width = 4,  .format = COLUMN_FIXED_2,  .descends = true, METRIC("ipc") },
	{ .name = "miss%",   .title = "MISS %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, .then = "miss/s", METRIC("miss_pct") },
	{ .name = "miss/s",  .title = "MISS/s",  .width = 6,  .format = COLUMN_SI,       .descends = true, METRIC("misses_s") },
	{ .name = "mpki",    .title = "MPKI",    .width = 5,  .format = COLUMN_FIXED_1,  .descends = true, .then = "miss/s", METRIC("mpki") },
	{ .name = "br-mpki", .title = "BR-MPKI", .width = 7,  .format = COLUMN_FIXED_2,  .descends = true, METRIC("branch_mpki") },
	{ .name = "sw/s",    .title = "SW/s",    .width = 5,  .format = COLUMN_SI,       .descends = true, METRIC("switches_s") },
	{ .name = "pre/s",   .title = "PRE/s",   .width = 5,  .format = COLUMN_SI,       .descends = true, METRIC("preemptions_s") },
	{ .name = "migr/s",  .title = "MIGR/s",  .width = 6,  .format = COLUMN_SI,       .descends = true, METRIC("migrations_s"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "fault/s", .title = "FAULT/s", .width = 7,  .format = COLUMN_SI,       .descends = true, METRIC("faults_s") },
	{ .name = "slice",   .title = "SLICE",   .width = 6,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice_mean_us), METRIC("slice_us") },
	{ .name = "slice-p50", .title = "SL-P50", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice_median_us), OF(TASKS | GROUPS), .help = "Median time on a CPU from one switch to the next, of the slices that ended in the interval; exact for up to 8 samples, otherwise within 10 %." },
	{ .name = "slice-p99", .title = "SL-P99", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice_p99_us), OF(TASKS | GROUPS), .help = "99th percentile of slice length, of the slices that ended in the interval; exact for up to 8 samples, otherwise within 10 %." },
	{ .name = "slice-max", .title = "SL-MAX", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_slice_max_us), OF(TASKS | GROUPS), .help = "The longest of the slices that ended in the interval." },
	{ .name = "vol/s",   .title = "VOL/s",   .width = 5,  .format = COLUMN_SI,       .descends = true, METRIC("voluntary_s") },
	{ .name = "pwait%",  .title = "PWAIT %", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("preempted_wait_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "pwait-p99", .title = "PW-P99", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(get_preempted_p99_us), OF(TASKS | GROUPS), .help = "99th percentile of the waits after a preemption that ended in the interval; exact for up to 8 samples, otherwise within 10 %." },
	{ .name = "rqwait%", .title = "RQWAIT %", .width = 8, .format = COLUMN_FIXED_1,  .descends = true, METRIC("queued_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "off%",    .title = "OFF %",   .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("off_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "wake",    .title = "WAKE",    .width = 6,  .format = COLUMN_DURATION, .descends = true, METRIC("wakeup_us"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "wake-p99", .title = "WK-P99", .width = 6,  .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_wakeup_p99_us), OF(TASKS | GROUPS), .help = "99th percentile of the waits between wake-up and running that ended in the interval; exact for up to 8 samples, otherwise within 10 %." },
	{ .name = "wake-max", .title = "WK-MAX", .width = 6,  .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_wakeup_max_us), OF(TASKS | GROUPS), .help = "The longest wait between being woken and running that ended in the interval." },
	{ .name = "wakeups/s", .title = "WAKE/s", .width = 6, .format = COLUMN_SI,       .descends = true, METRIC("wakeups_s"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "cold",    .title = "COLD %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, .is_estimate = true, NUMBER(get_cold_pct), OF(TASKS | GROUPS), .help = "An estimate of what cold caches cost at the beginning of slices: the share of the cycles there that warm ones would have saved, where slices of up to 100 us stand for the beginning of the longer ones and what these did beyond it is warm." },
	{ .name = "cold-ipc", .title = "C-IPC",  .width = 5,  .format = COLUMN_FIXED_2,  .descends = true, .is_estimate = true, NUMBER(get_cold_ipc), OF(TASKS | GROUPS), .help = "An estimate of the IPC right after it was scheduled in: that of its slices of up to 100 us." },
	{ .name = "warm-ipc", .title = "W-IPC",  .width = 5,  .format = COLUMN_FIXED_2,  .descends = true, .is_estimate = true, NUMBER(get_warm_ipc), OF(TASKS | GROUPS), .help = "An estimate of the IPC later in a slice: that of the slices over 100 us without what those of up to 100 us are like." },
	{ .name = "time",    .title = "RUN TIME", .width = 8,  .format = COLUMN_CPU_TIME, .descends = true, NUMBER(get_time_ns), OF(TASKS | CPUS | GROUPS), .help = "CPU time since perftop started to watch; time+ is that since the process began." },
	{ .name = "trend",   .title = "TREND",   .width = 16, .format = COLUMN_TREND,    OF(TASKS | CPUS), .help = "History of the sort column (CPU % if it is not a number), all rows on one scale from 0." },
	{ .name = "attr%",   .title = "ATTR %",  .width = 6,  .format = COLUMN_FIXED_2,  .descends = true, NUMBER(get_attributed_pct), OF(CPUS), .help = "Share of the CPU's time that is accounted to a task or to idle." },
	{ .name = "when",    .title = "TIME",    .width = 15, .format = COLUMN_CLOCK,    NUMBER(get_when_us), OF(SWITCHES), .help = "Wall-clock time of the switch." },
	{ .name = "prev",    .title = "PREV",    .width = 18, .format = COLUMN_TEXT,     WORDS(get_prev), OF(SWITCHES), .help = "Outgoing task: name and thread id." },
	{ .name = "how",     .title = "HOW",     .width = 9,  .format = COLUMN_TEXT,     WORDS(get_how), .word = get_how_word, OF(SWITCHES), .help = "Why it left: preempted, blocked, yielded or exited; a yield looks like a preemption where the kernel does not report it." },
	{ .name = "ran",     .title = "RAN",     .width = 6,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_ran_us), OF(SWITCHES), .help = "How long the outgoing task had been on the CPU." },
	{ .name = "off-cpu", .title = "OFF-CPU", .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_off_us), OF(SWITCHES), .help = "How long the incoming task had been off the CPUs." },
	{ .name = "sch-delay", .title = "SCH DELAY", .width = 9, .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_sch_delay_us), OF(SWITCHES), .help = "How much of that it was runnable and waited for a CPU: all of it after a preemption, from the wake-up on after a sleep." },
	{ .name = "from",    .title = "FROM",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(get_from_cpu), OF(SWITCHES), .help = "Previous CPU of the incoming task, if it was another one." },
	{ .name = "next",    .title = "NEXT",    .width = 16, .format = COLUMN_TEXT,     WORDS(get_next), OF(SWITCHES), .help = "Incoming task: name and thread id." },
	{ .name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT,     WORDS(get_command), .shows_tree = true, OF(TASKS | SWITCHES | PAIRS), .help = "Name of the task, or its command line without the folder of the program; command lines from 120 columns on." },
	{ .name = "group",   .title = "GROUP",   .width = 16, .format = COLUMN_TEXT,     WORDS(get_group), OF(GROUPS | 1 << ROW_UNATTRIBUTED), .help = "What the tasks of the row have in common; group-by says whether that is command, user, cgroup, container, parent, session or type." },
	{ .name = "victim",     .title = "VICTIM",  .width = 23, .format = COLUMN_TEXT,     WORDS(get_victim), OF(PAIRS), .help = "The task that was preempted." },
	{ .name = "taker",      .title = "TAKER",   .width = 23, .format = COLUMN_TEXT,     WORDS(get_taker), OF(PAIRS), .help = "A task that ran on that CPU until it came back." },
	{ .name = "times",      .title = "TIMES",   .width = 7,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(get_times), OF(PAIRS), .help = "In how many waits of the victim; a wait is counted when the victim runs again." },
	{ .name = "times/s",    .title = "TIMES/s", .width = 7,  .format = COLUMN_SI,       .descends = true, NUMBER(get_times_per_s), OF(PAIRS), .help = "How often per second of the window." },
	{ .name = "lost",       .title = "LOST",    .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_lost_us), OF(PAIRS), .help = "How long the victim waited while the taker ran." },
	{ .name = "lost/s",     .title = "LOST/s",  .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_lost_us_per_s), OF(PAIRS), .help = "Waiting time of the victim per second of the window." },
	{ .name = "lost-mean",  .title = "MEAN",    .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_lost_mean_us), OF(PAIRS), .help = "Average time lost per wait." },
	{ .name = "lost-worst", .title = "WORST",   .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(get_lost_worst_us), OF(PAIRS), .help = "Most time lost in one wait." },
	{ .name = "length",      .title = "FROM",    .width = 6,  .format = COLUMN_DURATION, NUMBER(get_length_us), OF(LENGTHS), .help = "Lower bound of the step; steps are powers of two in nanoseconds: 1.02us is 1024ns, 1.05ms is 2^20ns." },
	{ .name = "below",       .title = "BELOW",   .width = 6,  .format = COLUMN_DURATION, .is_shrinkable = true, NUMBER(get_below_us), OF(LENGTHS), .help = "Upper bound of the step, where the next one begins." },
	{ .name = "slices",      .title = "SLICES",  .width = 8,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(get_slices), OF(LENGTHS), .help = "Number of slices of tasks of this length; idle time is not counted." },
	{ .name = "slices-bar",  .title = "SLICES",  .width = 14, .format = COLUMN_BAR,      .descends = true, NUMBER(get_slices_bar), OF(LENGTHS), .help = "The same in percent of the step with most slices." },
	{ .name = "pwaits",      .title = "PWAITS",  .width = 8,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(get_preempted_waits), OF(LENGTHS), .help = "Number of waits after a preemption of this length." },
	{ .name = "pwaits-bar",  .title = "PREEMPTED", .width = 14, .format = COLUMN_BAR,    .descends = true, NUMBER(get_preempted_waits_bar), OF(LENGTHS), .help = "The same in percent of the step with most preempted waits." },
	{ .name = "rqwaits",     .title = "RQWAITS", .width = 8,  .format = COLUMN_INTEGER,  .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_queue_waits), OF(LENGTHS), .help = "Number of waits for a CPU, after a preemption or a wake-up, of this length; needs wake-up records." },
	{ .name = "rqwaits-bar", .title = "RUN QUEUE", .width = 14, .format = COLUMN_BAR,    .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(get_queue_waits_bar), OF(LENGTHS), .help = "The same in percent of the step with most of these waits." },
};
#undef METRIC
#undef NUMBER
#undef WORDS
#undef OF
/* clang-format on */

const struct column_renamed column_renamed[] = {
	{"left", "prev"},
	{"came", "next"},
	{"off-for", "off-cpu"},
	{"waited", "sch-delay"},
};

const size_t column_renamed_count = sizeof(column_renamed) / sizeof(column_renamed[0]);
const unsigned int column_counted_rows = COUNTED;
const size_t column_table_count = sizeof(column_table) / sizeof(column_table[0]);
