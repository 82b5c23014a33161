/*
 * The table, and looking things up in it. Widths are for the values to be expected; one that is
 * too wide pushes its line or is cut, as is decided by whoever shows it.
 */

#include "view/column.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "model/metric.h"
#include "view/fact.h"

/* clang-format off */
#define METRIC(metric_) .metric = metric_
#define NUMBER(fact_) .number = fact_
#define WORDS(fact_) .words = fact_
static const struct column columns[] = {
	{ .name = "pid",     .title = "PID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_pid), .help = "Process id." },
	{ .name = "tid",     .title = "TID",     .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_tid), .help = "Thread id." },
	{ .name = "ppid",    .title = "PPID",    .width = 7,  .format = COLUMN_INTEGER,  NUMBER(fact_parent_pid), .help = "Process id of the parent." },
	{ .name = "user",    .title = "USER",    .width = 8,  .format = COLUMN_TEXT,     WORDS(fact_user), .help = "Whose the task is." },
	{ .name = "cpu",     .title = "CPU",     .width = 3,  .format = COLUMN_INTEGER,  NUMBER(fact_cpu), .help = "The CPU; of a task: the one it ran on last." },
	{ .name = "threads", .title = "THR",     .width = 4,  .format = COLUMN_INTEGER,  .descends = true, NUMBER(fact_threads), .help = "Threads of the process; of the row of exited processes: how many these are." },
	{ .name = "busy",    .title = "BUSY",    .width = 10, .format = COLUMN_BAR,      .descends = true, NUMBER(fact_busy_pct), .help = "Share of the time in which the CPU was not idle." },
	{ .name = "cpu%",    .title = "CPU %",   .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("cpu_pct") },
	{ .name = "ghz",     .title = "GHz",     .width = 4,  .format = COLUMN_FIXED_2,  .descends = true, METRIC("ghz") },
	{ .name = "ipc",     .title = "IPC",     .width = 4,  .format = COLUMN_FIXED_2,  .descends = true, METRIC("ipc") },
	{ .name = "miss%",   .title = "MISS %",  .width = 6,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("miss_pct") },
	{ .name = "mpki",    .title = "MPKI",    .width = 5,  .format = COLUMN_FIXED_1,  .descends = true, METRIC("mpki") },
	{ .name = "br-mpki", .title = "BR-MPKI", .width = 7,  .format = COLUMN_FIXED_2,  .descends = true, METRIC("branch_mpki") },
	{ .name = "sw/s",    .title = "SW/s",    .width = 5,  .format = COLUMN_SI,       .descends = true, METRIC("switches_s") },
	{ .name = "pre/s",   .title = "PRE/s",   .width = 5,  .format = COLUMN_SI,       .descends = true, METRIC("preemptions_s") },
	{ .name = "migr/s",  .title = "MIGR/s",  .width = 6,  .format = COLUMN_SI,       .descends = true, METRIC("migrations_s") },
	{ .name = "fault/s", .title = "FAULT/s", .width = 7,  .format = COLUMN_SI,       .descends = true, METRIC("faults_s") },
	{ .name = "slice",   .title = "SLICE",   .width = 6,  .format = COLUMN_DURATION, .descends = true, METRIC("slice_us") },
	{ .name = "time",    .title = "TIME",    .width = 8,  .format = COLUMN_CPU_TIME, .descends = true, NUMBER(fact_time_ns), .help = "Time on a CPU since perftop started to watch." },
	{ .name = "attr%",   .title = "ATTR %",  .width = 6,  .format = COLUMN_FIXED_2,  .descends = true, NUMBER(fact_attributed_pct), .help = "Share of the CPU's time that is known to be a task's or idle's." },
	{ .name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT,     WORDS(fact_command), .help = "Name of the task, or its command line." },
};
#undef METRIC
#undef NUMBER
#undef WORDS
/* clang-format on */

enum {
	COLUMN_COUNT = sizeof(columns) / sizeof(columns[0])
};

const struct column *column_table(size_t *count)
{
	*count = COLUMN_COUNT;
	return columns;
}

const struct column *column_find(const char *name)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (strcasecmp(columns[i].name, name) == 0)
			return &columns[i];
	}
	return NULL;
}

const char *column_help(const struct column *column)
{
	const struct metric_info *metrics;
	size_t count;

	if (column->help)
		return column->help;
	metrics = metric_table(&count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(metrics[i].name, column->metric) == 0)
			return metrics[i].help;
	}
	return "";
}

void column_names(char *text, size_t size)
{
	size_t length = 0;

	if (size == 0)
		return;
	text[0] = '\0';
	for (size_t i = 0; i < COLUMN_COUNT && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
					   columns[i].name);
}
