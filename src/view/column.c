/*
 * The table, and what is made besides. Of each entry of the table there is a copy, too, that
 * knows its metric, so that all columns are of one kind. Invariant: an entry of the metric set has
 * exactly one column without a kind, and so has an event.
 *
 * Widths are for the values to be expected; one that is
 * too wide pushes its line or is cut, as is decided by whoever shows it.
 */

#include "view/column.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "model/layout.h"
#include "model/metric.h"
#include "view/fact.h"
#include "view/fact_history.h"
#include "view/groups.h"
#include "view/table.h"
#include "view/title.h"

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
static const struct column table[] = {
	{ .name = "pid",     .title = "PID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_pid), OF(TASKS | SWITCHES | PAIRS), .help = "Process id." },
	{ .name = "tid",     .title = "TID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_tid), OF(TASKS | SWITCHES | PAIRS), .help = "Thread id." },
	{ .name = "ppid",    .title = "PPID",    .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_parent_pid), OF(TASKS), .help = "Process id of the parent." },
	{ .name = "session", .title = "SESSION", .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_session), OF(TASKS), .help = "Id of the session, which is the process that began it: a login, a terminal, a service." },
	{ .name = "cgroup",  .title = "CGROUP",  .width = 20, .format = COLUMN_TEXT,     .needs = COLUMN_NEEDS_CGROUPS, WORDS(fact_cgroup), OF(TASKS), .help = "Path of the control group that the task is in." },
	{ .name = "container", .title = "CONTAINER", .width = 12, .format = COLUMN_TEXT, .needs = COLUMN_NEEDS_CGROUPS, WORDS(fact_container), OF(TASKS), .help = "The container that the task is in, as the path of its cgroup tells: a short id (docker, podman, Kubernetes) or a name (lxc, systemd-nspawn)." },
	{ .name = "type",    .title = "TYPE",    .width = 6,  .format = COLUMN_TEXT,     WORDS(fact_type), .word = fact_type_word, OF(TASKS), .help = "Whether it is a kernel thread or a user program: kernel or user." },
	{ .name = "user",    .title = "USER",    .width = 8,  .format = COLUMN_TEXT,     WORDS(fact_user), OF(TASKS), .help = "Whose the task is." },
	{ .name = "cpu",     .title = "CPU",     .width = 3,  .format = COLUMN_INTEGER,  NUMBER(fact_cpu), OF(TASKS | CPUS | SWITCHES | PAIRS), .help = "The CPU; of a task: the one it ran on last." },
	{ .name = "threads", .title = "THR",     .width = 4,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(fact_threads), OF(TASKS | GROUPS), .help = "Threads of the process; of the row of exited processes: how many these are." },
	{ .name = "tasks",   .title = "TASKS",   .width = 5,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(fact_tasks), OF(GROUPS), .help = "How many processes, or threads where these have rows of their own, are in the group." },
	{ .name = "socket",  .title = "SOCKET",  .width = 6,  .format = COLUMN_INTEGER,  NUMBER(fact_socket), OF(CPUS), .help = "The processor that the CPU is in: its physical package." },
	{ .name = "core",    .title = "CORE",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(fact_core), OF(CPUS), .help = "The core that the CPU belongs to, as the kernel numbers those of a socket." },
	{ .name = "smt",     .title = "SMT",     .width = 3,  .format = COLUMN_INTEGER,  NUMBER(fact_smt), OF(CPUS), .help = "Which of its core's threads the CPU is, from 0." },
	{ .name = "node",    .title = "NODE",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(fact_node), OF(CPUS), .help = "The node of memory that is near the CPU (NUMA)." },
	{ .name = "cpu-kind", .title = "KIND",   .width = 4,  .format = COLUMN_TEXT,     WORDS(fact_cpu_kind), OF(CPUS), .help = "Kind of core, where there are several: P for performance, E for efficiency, LP-E, M between them." },
	{ .name = "busy",    .title = "BUSY",    .width = 10, .format = COLUMN_BAR,      .descends = true, NUMBER(fact_busy_pct), OF(CPUS), .help = "Share of the time in which the CPU was not idle." },
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
	{ .name = "slice",   .title = "SLICE",   .width = 6,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_slice_mean_us), METRIC("slice_us") },
	{ .name = "slice-p50", .title = "SL-P50", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(fact_slice_median_us), OF(TASKS | GROUPS), .help = "Median time on a CPU from one switch to the next, of the slices that ended in the interval; exact up to 8 of them, else to a tenth." },
	{ .name = "slice-p99", .title = "SL-P99", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(fact_slice_p99_us), OF(TASKS | GROUPS), .help = "Length that 99 of 100 slices do not exceed, of those that ended in the interval; exact up to 8 of them, else to a tenth." },
	{ .name = "slice-max", .title = "SL-MAX", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(fact_slice_max_us), OF(TASKS | GROUPS), .help = "The longest of the slices that ended in the interval." },
	{ .name = "vol/s",   .title = "VOL/s",   .width = 5,  .format = COLUMN_SI,       .descends = true, METRIC("voluntary_s") },
	{ .name = "pwait%",  .title = "PWAIT %", .width = 7,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("preempted_wait_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "pwait-p99", .title = "PW-P99", .width = 6, .format = COLUMN_DURATION, .descends = true, NUMBER(fact_preempted_p99_us), OF(TASKS | GROUPS), .help = "Length that 99 of 100 waits after being pushed out do not exceed, of those that ended in the interval; exact up to 8 of them, else to a tenth." },
	{ .name = "rqwait%", .title = "RQWAIT %", .width = 8, .format = COLUMN_FIXED_1,  .descends = true, METRIC("queued_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "off%",    .title = "OFF %",   .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("off_pct"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "wake",    .title = "WAKE",    .width = 6,  .format = COLUMN_DURATION, .descends = true, METRIC("wakeup_us"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "wake-p99", .title = "WK-P99", .width = 6,  .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(fact_wakeup_p99_us), OF(TASKS | GROUPS), .help = "Length that 99 of 100 waits between being woken and running do not exceed, of those that ended in the interval; exact up to 8 of them, else to a tenth." },
	{ .name = "wakeups/s", .title = "WAKE/s", .width = 6, .format = COLUMN_SI,       .descends = true, METRIC("wakeups_s"), OF(TASKS | CPUS | GROUPS) },
	{ .name = "cold",    .title = "COLD %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, .is_estimate = true, NUMBER(fact_cold_pct), OF(TASKS | GROUPS), .help = "An estimate of what cold caches cost at the beginning of slices: the share of the cycles there that warm ones would have saved, where slices of up to 100 us stand for the beginning of the longer ones and what these did beyond it is warm." },
	{ .name = "cold-ipc", .title = "C-IPC",  .width = 5,  .format = COLUMN_FIXED_2,  .descends = true, .is_estimate = true, NUMBER(fact_cold_ipc), OF(TASKS | GROUPS), .help = "An estimate of the IPC right after it came to a CPU: that of its slices of up to 100 us." },
	{ .name = "warm-ipc", .title = "W-IPC",  .width = 5,  .format = COLUMN_FIXED_2,  .descends = true, .is_estimate = true, NUMBER(fact_warm_ipc), OF(TASKS | GROUPS), .help = "An estimate of the IPC later in a slice: that of the slices over 100 us without what those of up to 100 us are like." },
	{ .name = "time",    .title = "RUN TIME", .width = 8,  .format = COLUMN_CPU_TIME, .descends = true, NUMBER(fact_time_ns), OF(TASKS | CPUS | GROUPS), .help = "CPU time since perftop started to watch; time+ is that since the process began." },
	{ .name = "trend",   .title = "TREND",   .width = 16, .format = COLUMN_TREND,    OF(TASKS | CPUS), .help = "How the column that is sorted by has been in the last intervals, of all rows on one scale from 0; CPU % where that one is no amount." },
	{ .name = "attr%",   .title = "ATTR %",  .width = 6,  .format = COLUMN_FIXED_2,  .descends = true, NUMBER(fact_attributed_pct), OF(CPUS), .help = "Share of the CPU's time that is known to be a task's or idle's." },
	{ .name = "when",    .title = "TIME",    .width = 15, .format = COLUMN_CLOCK,    NUMBER(fact_when_us), OF(SWITCHES), .help = "When the CPU went from one to the other, by the wall clock." },
	{ .name = "left",    .title = "LEFT",    .width = 18, .format = COLUMN_TEXT,     WORDS(fact_left), OF(SWITCHES), .help = "Who left the CPU: name and thread id." },
	{ .name = "how",     .title = "HOW",     .width = 9,  .format = COLUMN_TEXT,     WORDS(fact_how), .word = fact_how_word, OF(SWITCHES), .help = "Why it left: preempted, blocked, yielded or exited; a yield looks like a preemption where no record tells of it." },
	{ .name = "ran",     .title = "RAN",     .width = 6,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_ran_us), OF(SWITCHES), .help = "How long who left had been on the CPU." },
	{ .name = "off-for", .title = "OFF FOR", .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_off_us), OF(SWITCHES), .help = "How long who came had been off the CPUs." },
	{ .name = "waited",  .title = "WAITED",  .width = 6,  .format = COLUMN_DURATION, .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(fact_waited_us), OF(SWITCHES), .help = "How long of that it was runnable and waited for a CPU: all of it after a preemption, from the wake-up on after a sleep." },
	{ .name = "from",    .title = "FROM",    .width = 4,  .format = COLUMN_INTEGER,  NUMBER(fact_from_cpu), OF(SWITCHES), .help = "The CPU that who came had run on before, where it was another." },
	{ .name = "came",    .title = "CAME",    .width = 16, .format = COLUMN_TEXT,     WORDS(fact_came), OF(SWITCHES), .help = "Who came to the CPU: name and thread id." },
	{ .name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT,     WORDS(fact_command), .shows_tree = true, OF(TASKS | SWITCHES | PAIRS), .help = "Name of the task, or its command line." },
	{ .name = "group",   .title = "GROUP",   .width = 16, .format = COLUMN_TEXT,     WORDS(fact_group), OF(GROUPS | 1 << ROW_UNATTRIBUTED), .help = "What the tasks of the row have in common; group-by says whether that is command, user, cgroup, container, parent, session or type." },
	{ .name = "victim",     .title = "VICTIM",  .width = 23, .format = COLUMN_TEXT,     WORDS(fact_victim), OF(PAIRS), .help = "The task that was pushed out of a CPU although it could have run on." },
	{ .name = "taker",      .title = "TAKER",   .width = 23, .format = COLUMN_TEXT,     WORDS(fact_taker), OF(PAIRS), .help = "A task that ran on that CPU until it came back." },
	{ .name = "times",      .title = "TIMES",   .width = 7,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(fact_times), OF(PAIRS), .help = "In how many waits of the victim; a wait is counted when the victim runs again." },
	{ .name = "times/s",    .title = "TIMES/s", .width = 7,  .format = COLUMN_SI,       .descends = true, NUMBER(fact_times_per_s), OF(PAIRS), .help = "How often per second of the time that is looked at." },
	{ .name = "lost",       .title = "LOST",    .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_lost_us), OF(PAIRS), .help = "How long the victim waited while the taker ran." },
	{ .name = "lost/s",     .title = "LOST/s",  .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_lost_us_per_s), OF(PAIRS), .help = "Waiting time of the victim per second of the time that is looked at." },
	{ .name = "lost-mean",  .title = "MEAN",    .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_lost_mean_us), OF(PAIRS), .help = "That of one wait, on average." },
	{ .name = "lost-worst", .title = "WORST",   .width = 7,  .format = COLUMN_DURATION, .descends = true, NUMBER(fact_lost_worst_us), OF(PAIRS), .help = "Most of it in one wait." },
	{ .name = "length",      .title = "FROM",    .width = 6,  .format = COLUMN_DURATION, NUMBER(fact_length_us), OF(LENGTHS), .help = "The shortest of these lengths; steps are powers of two of nanoseconds: 1.02us is 1024ns, 1.05ms is 2^20ns." },
	{ .name = "below",       .title = "BELOW",   .width = 6,  .format = COLUMN_DURATION, .gives_way = true, NUMBER(fact_below_us), OF(LENGTHS), .help = "All of these lengths are shorter than this, which is where the next step begins." },
	{ .name = "slices",      .title = "SLICES",  .width = 8,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(fact_slices), OF(LENGTHS), .help = "How many slices of tasks, from one switch to the next, were so long; idle time is none." },
	{ .name = "slices-bar",  .title = "SLICES",  .width = 14, .format = COLUMN_BAR,      .descends = true, NUMBER(fact_slices_bar), OF(LENGTHS), .help = "The same in percent of the step that has most slices." },
	{ .name = "pwaits",      .title = "PWAITS",  .width = 8,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(fact_preempted_waits), OF(LENGTHS), .help = "How many waits of tasks that were pushed out of a CPU were so long." },
	{ .name = "pwaits-bar",  .title = "PREEMPTED", .width = 14, .format = COLUMN_BAR,    .descends = true, NUMBER(fact_preempted_waits_bar), OF(LENGTHS), .help = "The same in percent of the step that has most preempted waits." },
	{ .name = "rqwaits",     .title = "RQWAITS", .width = 8,  .format = COLUMN_INTEGER,  .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(fact_queue_waits), OF(LENGTHS), .help = "How many waits for a CPU, after a preemption or a wake-up, were so long; known where wake-ups are told." },
	{ .name = "rqwaits-bar", .title = "RUN QUEUE", .width = 14, .format = COLUMN_BAR,    .descends = true, .needs = COLUMN_NEEDS_WAKEUPS, NUMBER(fact_queue_waits_bar), OF(LENGTHS), .help = "The same in percent of the step that has most of these waits." },
};
#undef METRIC
#undef NUMBER
#undef WORDS
#undef OF
/* clang-format on */

enum {
	TABLE_COUNT = sizeof(table) / sizeof(table[0]),
	KIND_NAME_MAX = LAYOUT_KIND_NAME_MAX,
	HELP_MAX = 512,
	WIDTH_LEAST = 6, /* of what has no width by hand: three digits, point, suffix, minus */
	WIDTH_MOST = 40
};

/* A column that is not of the table, with the texts that it owns. */
struct made {
	struct column column;
	char name[COLUMN_NAME_MAX];
	char title[TITLE_BYTES_MAX];
	char help[HELP_MAX];
	char kind[KIND_NAME_MAX];
	char of[COLUMN_NAME_MAX]; /* metric or event */
	int own_width;            /* while another one is set; 0: none is */
};

struct columns {
	const struct metric_set *set; /* borrowed */
	size_t metric_count;          /* of the set, that have been looked at */
	struct made **made;           /* owned, each by itself: they never move */
	size_t count, capacity;
	char kinds[LAYOUT_KINDS_MAX][KIND_NAME_MAX];
	size_t kind_count;
};

static struct made *append(struct columns *columns, const struct column *like)
{
	struct made *made = xcalloc(1, sizeof(*made));

	made->column = *like;
	made->column.name = made->name;
	made->column.title = made->title;
	array_reserve(&columns->made, &columns->capacity, columns->count + 1,
		      sizeof(*columns->made));
	columns->made[columns->count++] = made;
	return made;
}

static void widen(struct made *made)
{
	const int title = (int)strlen(made->title);

	if (made->column.width < title)
		made->column.width = title;
	if (made->column.width > WIDTH_MOST)
		made->column.width = WIDTH_MOST;
}

/* The entry of the table that shows the metric; NULL: none. */
static const struct column *table_entry_of(const char *metric)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (table[i].metric && strcmp(table[i].metric, metric) == 0)
			return &table[i];
	}
	return NULL;
}

static enum column_format format_of(const struct metric_info *info)
{
	if (strcmp(info->unit, "%") == 0)
		return COLUMN_FIXED_1;
	if (strcmp(info->unit, "us") == 0)
		return COLUMN_DURATION;
	return COLUMN_SI;
}

/*
 * What follows from what the metric is made of. Rates and shares of the interval say how much there
 * is of something, and waits matter most to tasks that hardly run; all else is a ratio.
 */
static void look_into(struct column *column, const struct metric_set *set)
{
	const uint32_t wakeups =
		1u << QUANTITY_QUEUED_NS | 1u << QUANTITY_WAKEUP_NS | 1u << QUANTITY_WAKEUPS;
	const int metric = metric_set_find(set, column->info->name);
	const struct metric_parts parts = metric_set_parts(set, (size_t)metric);

	column->needs = parts.quantities & wakeups ? COLUMN_NEEDS_WAKEUPS : 0;
	column->is_ratio = !parts.has_interval && (parts.quantities & LAYOUT_WAITS) == 0 &&
			   (parts.has_events || strcmp(column->info->unit, "%") == 0);
}

/* What the metric says of itself. */
static void describe_metric(const struct columns *columns, struct made *made,
			    const struct metric_info *info)
{
	made->column.info = info;
	look_into(&made->column, columns->set);
	made->column.metric = info->name;
	made->column.width = info->width > 0 ? info->width : WIDTH_LEAST;
	made->column.format = format_of(info);
	made->column.help = info->help[0] != '\0' ? NULL : info->formula;
	snprintf(made->title, sizeof(made->title), "%s", info->title);
	widen(made);
}

static void add_metric(struct columns *columns, const struct metric_info *info)
{
	const struct column like = {.descends = true, .was_asked_for = true};
	struct made *made = append(columns, &like);

	snprintf(made->name, sizeof(made->name), "%s", info->name);
	describe_metric(columns, made, info);
}

/* What the set has got meanwhile. */
static void look_at_set(struct columns *columns)
{
	while (columns->metric_count < metric_set_count(columns->set)) {
		const struct metric_info *info =
			metric_set_info(columns->set, columns->metric_count++);

		/* those of the table were made in its order */
		if (!table_entry_of(info->name))
			add_metric(columns, info);
	}
}

static void add_entry(struct columns *columns, const struct column *entry)
{
	struct made *made = append(columns, entry);
	const int metric = entry->metric ? metric_set_find(columns->set, entry->metric) : -1;

	made->column.name = entry->name;
	made->column.title = entry->title;
	if (metric < 0)
		return;
	made->column.info = metric_set_info(columns->set, (size_t)metric);
	look_into(&made->column, columns->set);
}

struct columns *columns_create(const struct metric_set *set)
{
	struct columns *columns = xcalloc(1, sizeof(*columns));

	columns->set = set;
	for (size_t i = 0; i < TABLE_COUNT; i++)
		add_entry(columns, &table[i]);
	look_at_set(columns);
	return columns;
}

void columns_metric_changed(struct columns *columns, const struct metric_info *info)
{
	look_at_set(columns);
	for (size_t i = 0; i < columns->count; i++) {
		struct made *made = columns->made[i];
		struct column *column = &made->column;

		if (!column->metric || strcmp(column->metric, info->name) != 0)
			continue;
		if (column->kind)
			column->info = info;
		else
			describe_metric(columns, made, info);
		made->own_width = 0;
	}
}

/* NULL: it is not one of these. */
static struct made *find_made(const struct columns *columns, const struct column *column)
{
	for (size_t i = 0; i < columns->count; i++) {
		if (&columns->made[i]->column == column)
			return columns->made[i];
	}
	return NULL;
}

void columns_set_width(struct columns *columns, const struct column *column, int width)
{
	struct made *made = find_made(columns, column);
	const int own = made->own_width > 0 ? made->own_width : made->column.width;

	made->own_width = width > 0 && width != own ? own : 0;
	made->column.width = made->own_width > 0 ? width : own;
}

int columns_set_width_of(const struct columns *columns, const struct column *column)
{
	return find_made(columns, column)->own_width > 0 ? column->width : 0;
}

void columns_destroy(struct columns *columns)
{
	if (!columns)
		return;
	for (size_t i = 0; i < columns->count; i++)
		free(columns->made[i]);
	free(columns->made);
	free(columns);
}

size_t columns_count(struct columns *columns)
{
	look_at_set(columns);
	return columns->count;
}

const struct column *columns_get(struct columns *columns, size_t index)
{
	assert(index < columns->count);
	return &columns->made[index]->column;
}

/* Names of events are what they are, capitals included; all others are ours. */
static bool has_name(const struct column *column, const char *name)
{
	return column->event ? strcmp(column->name, name) == 0
			     : strcasecmp(column->name, name) == 0;
}

static const struct column *find(struct columns *columns, const char *name)
{
	look_at_set(columns);
	for (size_t i = 0; i < columns->count; i++) {
		if (has_name(&columns->made[i]->column, name))
			return &columns->made[i]->column;
	}
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->made[i]->column;

		if (column->metric && !column->kind && strcasecmp(column->metric, name) == 0)
			return column;
	}
	return NULL;
}

int columns_split(const struct columns *columns, const char *text, char *name, size_t size)
{
	const char *at = strrchr(text, '@');

	snprintf(name, size, "%s", text);
	for (size_t i = 0; at && i < columns->kind_count; i++) {
		if (strcasecmp(at + 1, columns->kinds[i]) != 0)
			continue;
		if ((size_t)(at - text) < size)
			name[at - text] = '\0';
		return (int)i;
	}
	return -1;
}

/* What one kind of CPU has of a column; NULL: it is a fact about the row. */
static const struct column *split_off(struct columns *columns, const struct column *whole,
				      const char *kind)
{
	struct made *made;

	if (!whole->metric && !whole->event)
		return NULL;
	made = append(columns, whole);
	snprintf(made->name, sizeof(made->name), "%s@%s", whole->name, kind);
	snprintf(made->title, sizeof(made->title), "%s", whole->title);
	title_add_kind(made->title, kind);
	snprintf(made->kind, sizeof(made->kind), "%s", kind);
	snprintf(made->help, sizeof(made->help), "On CPUs of kind %s: %s", kind,
		 column_help(whole));
	made->column.kind = made->kind;
	made->column.help = made->help;
	made->column.was_asked_for = true;
	widen(made);
	return &made->column;
}

const struct column *columns_find(struct columns *columns, const char *name)
{
	const struct column *column = find(columns, name);
	char whole[COLUMN_NAME_MAX];
	int kind;

	if (column)
		return column;
	kind = columns_split(columns, name, whole, sizeof(whole));
	column = kind >= 0 ? find(columns, whole) : NULL;
	return column ? split_off(columns, column, columns->kinds[kind]) : NULL;
}

static const struct column *find_event(const struct columns *columns, const char *event)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->made[i]->column;

		if (column->event && !column->kind && strcmp(column->event, event) == 0)
			return column;
	}
	return NULL;
}

/* Whether another column has the title. */
static bool is_title_taken(const struct columns *columns, const struct made *by)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct made *other = columns->made[i];

		if (other != by && strcmp(other->column.title, by->title) == 0)
			return true;
	}
	return false;
}

/* Events that differ in what a title has no room for are told apart by numbers. */
static void make_title(const struct columns *columns, struct made *made)
{
	size_t number = 1;

	do {
		title_of_event(made->title, made->of, COLUMN_TITLE_MAX);
		if (number > 1)
			title_add_number(made->title, number);
		number++;
	} while (is_title_taken(columns, made));
}

const struct column *columns_add_event(struct columns *columns, const char *event, const char *unit)
{
	static const struct column like = {
		.width = WIDTH_LEAST,
		.format = COLUMN_SI,
		.descends = true,
		.was_asked_for = true,
	};
	const struct column *known = find_event(columns, event);
	struct made *made;

	if (known)
		return known;
	made = append(columns, &like);
	snprintf(made->name, sizeof(made->name), "%s", event);
	snprintf(made->of, sizeof(made->of), "%s", event);
	make_title(columns, made);
	snprintf(made->help, sizeof(made->help), "Event %s: %s per second.", event,
		 unit[0] != '\0' ? unit : "times");
	made->column.event = made->of;
	made->column.help = made->help;
	widen(made);
	return &made->column;
}

void columns_know_kinds(struct columns *columns, const struct layout *layout)
{
	columns->kind_count = 0;
	for (size_t i = 0; i < layout->kind_count; i++) {
		if (layout->kinds[i].name[0] == '\0')
			continue;
		snprintf(columns->kinds[columns->kind_count++], KIND_NAME_MAX, "%s",
			 layout->kinds[i].name);
	}
}

bool column_is_built_in(const char *name)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (strcasecmp(table[i].name, name) == 0)
			return true;
	}
	return false;
}

bool column_is_of(const struct column *column, enum row_kind kind)
{
	const unsigned int rows = column->rows != 0 ? column->rows : COUNTED;

	return (rows & 1u << kind) != 0;
}

const char *column_help(const struct column *column)
{
	if (column->help)
		return column->help;
	return column->info ? column->info->help : "";
}

void column_names(char *text, size_t size)
{
	size_t length = 0;

	if (size == 0)
		return;
	text[0] = '\0';
	for (size_t i = 0; i < TABLE_COUNT && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
					   table[i].name);
}
