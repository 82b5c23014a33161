/*
 * Arrays ordered by time. Intervals come in order, except those of a recording that is played
 * again.
 */

#include "view/meters.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/column_table.h"
#include "view/stalls.h"
#include "view/trends.h"

/* How many ended up to this time. */
static size_t count_until(const struct meter_history *history, uint64_t time_ns)
{
	size_t count = history->count;

	while (count > 0 && history->intervals[count - 1].time_ns > time_ns)
		count--;
	return count;
}

void meter_history_note(struct meter_history *history, uint64_t time_ns,
			const struct summary *summary)
{
	struct meter_interval *intervals = history->intervals;
	size_t at = count_until(history, time_ns);

	if (at > 0 && intervals[at - 1].time_ns == time_ns) {
		at--;
	} else if (history->count < METER_HISTORY_KEPT) {
		memmove(&intervals[at + 1], &intervals[at],
			(history->count - at) * sizeof(*intervals));
		history->count++;
	} else if (at == 0) {
		return; /* older than all that there is room for */
	} else {
		memmove(&intervals[0], &intervals[1],
			--at * sizeof(*intervals)); /* the oldest goes */
	}
	intervals[at].time_ns = time_ns;
	for (size_t i = 0; i < METER_KINDS; i++)
		intervals[at].points[i] = (struct meter_point){(float)summary->meters[i].value,
							       summary->meters[i].goodness};
}

uint64_t meter_history_newest_ns(const struct meter_history *history)
{
	return history->count > 0 ? history->intervals[history->count - 1].time_ns : 0;
}

const struct meter_interval *meter_history_last(const struct meter_history *history,
						uint64_t time_ns, size_t most, size_t *count)
{
	const size_t end = count_until(history, time_ns);

	*count = end < most ? end : most;
	return history->intervals + end - *count;
}

bool meter_history_has(const struct meter_history *history, enum meter_kind kind)
{
	for (size_t i = 0; i < history->count; i++)
		if (!isnan(history->intervals[i].points[kind].value))
			return true;
	return false;
}

double meter_history_top(enum meter_kind kind, const struct meter_interval *intervals, size_t count)
{
	double largest = 0;
	double top;

	if (kind == METER_BUSY || kind == METER_SYSTEM)
		return 100;
	for (size_t i = 0; i < count; i++)
		if (intervals[i].points[kind].value > largest)
			largest = intervals[i].points[kind].value;
	top = spark_top(largest);
	return (kind == METER_MISS || kind == METER_PREEMPTED) && top > 100 ? 100 : top;
}

/* What a kind of strips is about. */
struct cpu_meter_kind {
	const char *metric; /* NULL: how busy it is */
	const char *title;  /* on the screen */
	int decimals, width;
	const char *unit;
};

/* clang-format off */
static const struct cpu_meter_kind kinds[CPU_METERS_OFF] = {
	[CPU_METERS_BUSY]  = {NULL,       "",     0, 4, "%"},
	[CPU_METERS_IPC]   = {"ipc",      "IPC",  2, 4, ""},
	[CPU_METERS_MISS]  = {"miss_pct", "miss", 1, 5, "%"},
};
/* clang-format on */

void cpu_meters_fini(struct cpu_meters *meters)
{
	free(meters->meters);
	rows_fini(&meters->rows);
	*meters = (struct cpu_meters){0};
}

/* Numbers that are too wide lose decimals. */
static void write_meter_text(struct cpu_meter *meter, const struct cpu_meter_kind *kind,
			     double value)
{
	const size_t room = (size_t)kind->width - strlen(kind->unit);
	char text[UNITS_TEXT_MAX];
	int decimals = kind->decimals;

	strcpy(meter->text, "-");
	if (!isfinite(value))
		return;
	do {
		units_format_fixed(text, value, decimals);
	} while (strlen(text) > room && decimals-- > 0);
	if (strlen(text) <= room)
		snprintf(meter->text, sizeof(meter->text), "%.5s%.2s", text, kind->unit);
}

/* From ticks, where switches do not say it. */
static struct cpu_meter meter_of_ticks(const struct snapshot *snapshot, int cpu)
{
	const struct cpu_shares shares = cpu_shares_make(snapshot, cpu);
	const double system_pct = shares.system_pct + shares.irq_pct;

	return (struct cpu_meter){
		.cpu = cpu,
		.busy_pct = shares.user_pct + system_pct,
		.system_pct = system_pct,
		.goodness = -1,
		.text = "-",
	};
}

/* The ratios of a CPU that was nearly idle mean nothing. */
static struct cpu_meter make_cpu_meter(const struct view_row *row, const struct snapshot *snapshot,
				       const struct cpu_meter_kind *kind,
				       const struct metrics *metrics)
{
	const int metric = kind->metric ? metrics_find(metrics, kind->metric) : -1;
	const double busy_pct = row_busy_pct(row);
	struct cpu_meter meter = meter_of_ticks(snapshot, row->cpu->cpu);
	double value = NAN;

	if (!isnan(busy_pct)) {
		meter.system_pct = cpu_system_pct(snapshot, meter.cpu, busy_pct);
		meter.busy_pct = busy_pct;
	}
	if (metric >= 0)
		value = metrics_eval(metrics, (size_t)metric, row->interval, row->unknown,
				     row->interval_ns)
				.value;
	write_meter_text(&meter, kind, kind->metric ? value : meter.busy_pct);
	if (metric >= 0 && !row_is_idle(row))
		meter.goodness = metric_goodness_shown(metrics_info(metrics, (size_t)metric), value,
						       meter.text);
	return meter;
}

/* Where tasks are watched and not CPUs: of these nothing but the ticks is known. */
static void make_unwatched(struct cpu_meters *meters, const struct snapshot *snapshot)
{
	meters->name[0] = '\0';
	array_reserve(&meters->meters, &meters->capacity, snapshot->cpu_time_count,
		      sizeof(*meters->meters));
	for (size_t i = 0; i < snapshot->cpu_time_count; i++) {
		const struct cpu_meter meter = meter_of_ticks(snapshot, (int)i);

		if (!isnan(meter.busy_pct))
			meters->meters[meters->count++] = meter;
	}
}

/* "IPC", "LLC miss"; "" of how busy it is. */
static void write_meter_name(struct cpu_meters *meters, const struct cpu_meter_kind *kind,
			     const struct metrics *metrics)
{
	const char *level = kind->metric ? metrics_level(metrics, kind->metric) : "";

	snprintf(meters->name, sizeof(meters->name), "%s%s%s", level, level[0] != '\0' ? " " : "",
		 kind->title);
}

void cpu_meters_make(struct cpu_meters *meters, enum cpu_meters_by by,
		     const struct snapshot *snapshot, const struct session *session,
		     const struct metrics *metrics)
{
	struct view_request request;
	const struct rows_input input = {
		.request = &request,
		.snapshot = snapshot,
		.session = session,
	};
	const struct cpu_meter_kind *kind = &kinds[by];

	view_request_init(&request, &view_cpus);
	rows_make_cpus(&meters->rows, &input);
	array_reserve(&meters->meters, &meters->capacity, meters->rows.count,
		      sizeof(*meters->meters));
	for (size_t i = 0; i < meters->rows.count; i++)
		meters->meters[i] = make_cpu_meter(&meters->rows.rows[i], snapshot, kind, metrics);
	meters->count = meters->rows.count;
	meters->text_width = kind->width;
	write_meter_name(meters, kind, metrics);
	if (snapshot->cpu_count == 0)
		make_unwatched(meters, snapshot);
}
