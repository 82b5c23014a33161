/*
 * Words for the head of the screen. Each part is made by one function from the snapshot or from the
 * session; none of them guesses: unknown is "-".
 */

#include "view/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mul_div.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/stalls.h"

enum {
	ATTRIBUTED_DECIMALS_MIN = 1,
	ATTRIBUTED_DECIMALS_MAX = 9,
	MISSING_NAMED_MAX = 6
};

static const double UNSEEN_PCT = 0.5;  /* is shown as 0, whatever it was for */
static const double SHORTEST_S = 0.01; /* below, an interval's length is not cut to digits of 1 s */

/* Everything the parts are made of. */
struct summary_input {
	const struct snapshot *snapshot;
	const struct session *session;
	const struct metrics *metrics;
	bool ascii;
	const char *separator; /* between statements */
};

/* Writes a finished text to its place, made harmless and cut to size, and frees it. */
static void put_safe(char *index, size_t size, struct strbuf *text, bool ascii)
{
	text_safe(index, size, strbuf_text(text), ascii);
	strbuf_fini(text);
}

static void make_scope(struct summary *summary, const struct summary_input *head)
{
	const struct session *session = head->session;
	struct strbuf scope = {0};
	struct strbuf reason = {0};

	if (session->host[0] != '\0')
		strbuf_printf(&scope, "%s: ", session->host);
	strbuf_add(&scope, session->scope_words);
	if (session->scope == SCOPE_SYSTEM && session->cpu_count > 0)
		strbuf_printf(&scope, "%s%d CPU%s", head->separator, session->cpu_count,
			      units_plural((uint64_t)session->cpu_count));
	put_safe(summary->scope, sizeof(summary->scope), &scope, head->ascii);

	strbuf_add(&reason, session->scope_reason);
	if (session->scope_reason[0] != '\0' && session->scope_remedy[0] != '\0')
		strbuf_add(&reason, "; ");
	strbuf_add(&reason, session->scope_remedy);
	put_safe(summary->scope_reason, sizeof(summary->scope_reason), &reason, head->ascii);
}

/* Cuts zeros behind the decimal point, and the point when nothing is left behind it. */
static void cut_zeros(char *text)
{
	size_t length = strlen(text);

	if (!strchr(text, '.'))
		return;
	while (text[length - 1] == '0')
		length--;
	if (text[length - 1] == '.')
		length--;
	text[length] = '\0';
}

static void make_times(struct summary *summary, const struct summary_input *head)
{
	const struct snapshot *snapshot = head->snapshot;
	double seconds = (double)snapshot->interval_ns / NS_PER_S;
	int64_t wall_ns = session_wall_ns(head->session->wall_offset_ns, snapshot->time_ns);
	char text[UNITS_TEXT_MAX];

	units_format_clock(summary->clock, wall_ns, 0);
	/* Intervals differ from their nominal length; the last digits are noise. */
	units_format_fixed(text, seconds, seconds < 1 ? 2 : 1);
	cut_zeros(text);
	strcat(text, " s");
	if (snapshot->interval_ns > 0 && seconds < SHORTEST_S)
		units_format_duration(text, snapshot->interval_ns);
	snprintf(summary->interval, sizeof(summary->interval), "%.15s", text);
}

/* Adds decimals until the text is not 100: that means all. */
static void make_attributed(struct summary *summary, const struct summary_input *head)
{
	const double pct = head->snapshot->attributed_pct;
	const bool is_all = head->snapshot->unattributed_ns == 0;
	char text[UNITS_TEXT_MAX];

	summary->lacks_much = !is_all && !(pct >= 99);
	if (!isfinite(pct)) {
		strcpy(summary->attributed, "-");
		return;
	}
	if (is_all) {
		strcpy(summary->attributed, "100 %");
		return;
	}
	for (int digits = ATTRIBUTED_DECIMALS_MIN; digits <= ATTRIBUTED_DECIMALS_MAX; digits++) {
		units_format_fixed(text, pct, digits);
		if (strncmp(text, "100", 3) != 0)
			break;
	}
	if (strncmp(text, "100", 3) == 0)
		strcpy(text, "99.999999999");
	snprintf(summary->attributed, sizeof(summary->attributed), "%s %%", text);
}

static void make_lost(struct summary *summary, const struct summary_input *head)
{
	const struct snapshot *snapshot = head->snapshot;
	struct strbuf text = {0};
	char duration[UNITS_TEXT_MAX];

	if (snapshot->lost_records > 0)
		strbuf_printf(&text, "lost %" PRIu64 " record%s (%" PRIu64 " since start)",
			      snapshot->lost_records, units_plural(snapshot->lost_records),
			      snapshot->lost_records_total);
	else if (snapshot->lost_records_total > 0)
		strbuf_printf(&text, "lost %" PRIu64 " record%s before",
			      snapshot->lost_records_total,
			      units_plural(snapshot->lost_records_total));
	if (snapshot->throttled > 0)
		strbuf_printf(&text, "%sthrottled %" PRIu64 " time%s", text.length > 0 ? ", " : "",
			      snapshot->throttled, units_plural(snapshot->throttled));
	if (snapshot->throttled_ns > 0) {
		units_format_duration(duration, snapshot->throttled_ns);
		strbuf_printf(&text, " for %s", duration);
	}
	put_safe(summary->lost, sizeof(summary->lost), &text, head->ascii);
}

/* One clock tick in an interval is not reported. */
static void make_steal(struct summary *summary, const struct summary_input *head)
{
	const struct snapshot *snapshot = head->snapshot;
	double sum = 0;

	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const double pct = cpu_steal_pct(snapshot, snapshot->cpus[i].cpu);

		sum += isfinite(pct) ? pct : 0;
	}
	summary->steal[0] = '\0';
	if (sum >= (double)snapshot->cpu_count && sum > 0)
		snprintf(summary->steal, sizeof(summary->steal), "steal %.0f %%",
			 sum / (double)snapshot->cpu_count);
}

static void write_own_usage(struct summary *summary, const struct summary_input *head)
{
	const struct snapshot *snapshot = head->snapshot;
	char text[UNITS_TEXT_MAX];

	strcpy(summary->own_memory, "-");
	if (head->session->is_live && own_is_known(&snapshot->own))
		units_format_bytes(summary->own_memory, snapshot->own.rss_bytes);
	/* perftop's own time is read after the interval's end, and contains some of the next one */
	summary->own_cpu[0] = '\0';
	if (!head->session->is_live)
		return;
	if ((double)snapshot->interval_ns < SHORTEST_S * NS_PER_S) {
		strcpy(summary->own_cpu, "-");
		return;
	}
	units_format_fixed(text,
			   100.0 * (double)snapshot->own.cpu_ns / (double)snapshot->interval_ns, 1);
	snprintf(summary->own_cpu, sizeof(summary->own_cpu), "%s %% CPU%s", text,
		 snapshot->own.is_urgent ? " (RT)" : "");
}

double summary_readings_pct(const struct snapshot *snapshot, const struct session *session)
{
	const struct own_usage *own = &snapshot->own;

	if (own->switch_ns == 0 || snapshot->interval_ns == 0 || session->cpu_count <= 0)
		return NAN;
	return 100.0 * (double)own->readings_ns /
	       ((double)snapshot->interval_ns * session->cpu_count);
}

static void make_readings(struct summary *summary, const struct summary_input *head)
{
	const double pct = summary_readings_pct(head->snapshot, head->session);
	char text[UNITS_TEXT_MAX];

	strcpy(summary->readings, "-");
	if (!head->session->is_live || !isfinite(pct))
		return;
	units_format_fixed(text, pct, pct < 1 ? 2 : 1);
	snprintf(summary->readings, sizeof(summary->readings), "~%s %%", text);
}

struct event_census {
	size_t wanted, counted, multiplexed;
	const struct event *missing;  /* first one that is not counted; NULL: none */
	const struct event *rotating; /* first multiplexed one; NULL: none */
};

static struct event_census take_census(const struct layout *layout)
{
	struct event_census census = {0};

	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];

		if (event->is_removed)
			continue;
		census.wanted++;
		if (!event_is_counted(event)) {
			census.missing = census.missing ? census.missing : event;
			continue;
		}
		census.counted++;
		if (event->state != EVENT_MULTIPLEXED)
			continue;
		if (census.multiplexed++ == 0)
			census.rotating = event;
	}
	return census;
}

/* Beginning of the reason for events that lack a PMU. */
static const char NO_PMU[] = "no hardware counters";

/* Whether the event is not counted, and no other words say so. */
static bool is_missing(const struct summary_input *head, const struct event *event)
{
	if (event->is_removed || event_is_counted(event))
		return false;
	return head->session->has_pmu || strncmp(event->reason, NO_PMU, strlen(NO_PMU)) != 0;
}

static bool is_first_of_reason(const struct summary_input *head, size_t index)
{
	const struct event *events = head->snapshot->layout->events;

	for (size_t i = 0; i < index; i++)
		if (is_missing(head, &events[i]) &&
		    strcmp(events[i].reason, events[index].reason) == 0)
			return false;
	return true;
}

/* The events that are missing for the reason of number `first`, then the reason. */
static void add_missing_alike(struct strbuf *text, const struct summary_input *head, size_t first,
			      size_t *named)
{
	const struct layout *layout = head->snapshot->layout;
	const char *reason = layout->events[first].reason;

	for (size_t i = first; i < layout->event_count && *named < MISSING_NAMED_MAX; i++) {
		const struct event *event = &layout->events[i];

		if (is_missing(head, event) && strcmp(event->reason, reason) == 0)
			strbuf_printf(text, "%s%s", (*named)++ > 0 ? ", " : "", event->name);
	}
	if (reason[0] != '\0')
		strbuf_printf(text, " (%s)", reason);
}

static size_t count_missing(const struct summary_input *head)
{
	const struct layout *layout = head->snapshot->layout;
	size_t missing = 0;

	for (size_t i = 0; i < layout->event_count; i++)
		missing += is_missing(head, &layout->events[i]);
	return missing;
}

static void add_missing(struct strbuf *text, const struct summary_input *head)
{
	const struct layout *layout = head->snapshot->layout;
	const size_t missing = count_missing(head);
	size_t named = 0;

	if (missing == 0)
		return;
	strbuf_add(text, head->separator);
	strbuf_add(text, "not counted: ");
	for (size_t i = 0; i < layout->event_count && named < MISSING_NAMED_MAX; i++)
		if (is_missing(head, &layout->events[i]) && is_first_of_reason(head, i))
			add_missing_alike(text, head, i, &named);
	if (missing > named)
		strbuf_printf(text, " and %zu more", missing - named);
}

static void add_rotating(struct strbuf *text, const struct summary_input *head,
			 const struct event_census *census)
{
	const char *reason = census->rotating->reason;

	strbuf_printf(text, "%s%zu take%s turns, ' marks scaled values", head->separator,
		      census->multiplexed, census->multiplexed == 1 ? "s" : "");
	if (reason[0] != '\0')
		strbuf_printf(text, " (%s)", reason);
	strbuf_add(text, "; with fewer events they are exact");
}

/* "5 of 6 events counting · not counted: L1-dcache-loads · cpu PMU, 4 counters"; nothing where all
 * do, and are the usual ones. */
static void describe_events(struct strbuf *text, const struct summary_input *head,
			    const struct event_census *census)
{
	const char *light_words = head->session->light_words;

	strbuf_add(text, light_words);
	/* the budget reports what is limited */
	if (!census->missing && census->wanted > 0 &&
	    (!census->rotating || own_is_limited(&head->snapshot->own)))
		return;
	if (light_words[0] != '\0')
		strbuf_add(text, head->separator);
	if (census->wanted == 0)
		strbuf_add(text, "no events chosen");
	else if (!census->missing)
		strbuf_printf(text, "all %zu events counting", census->wanted);
	else
		strbuf_printf(text, "%zu of %zu event%s counting", census->counted, census->wanted,
			      units_plural(census->wanted));
	if (census->missing)
		add_missing(text, head);
	if (census->rotating && !own_is_limited(&head->snapshot->own))
		add_rotating(text, head, census);
	if (head->session->has_pmu && head->session->pmu_words[0] != '\0')
		strbuf_printf(text, "%s%s", head->separator, head->session->pmu_words);
}

static void describe_no_pmu(struct strbuf *text, const struct summary_input *head)
{
	const char *words = head->session->pmu_words;

	if (strncmp(words, NO_PMU, strlen(NO_PMU)) != 0)
		strbuf_printf(text, "%s: ", NO_PMU);
	strbuf_add(text, words);
	add_missing(text, head);
}

static void make_pmu(struct summary *summary, const struct summary_input *head)
{
	struct event_census census = take_census(head->snapshot->layout);
	bool has_pmu = head->session->has_pmu;
	struct strbuf text = {0};

	/* Without words no PMU was asked for: only other events were wanted. */
	if (!has_pmu && head->session->pmu_words[0] != '\0') {
		describe_no_pmu(&text, head);
		summary->pmu_is_short = count_missing(head) == 0;
	} else {
		describe_events(&text, head, &census);
	}
	summary->lacks_pmu = !has_pmu;
	/* that there are no counters at all is no fault of the run */
	summary->pmu_is_bad = count_missing(head) > 0 || (has_pmu && census.missing);
	put_safe(summary->pmu, sizeof(summary->pmu), &text, head->ascii);
}

/* clang-format off */
static const struct meter_info {
	const char *metric; /* NULL: of run times alone */
	int decimals;       /* -1: three significant digits */
	const char *unit;
	bool is_rated;      /* as good or bad, and as an estimate where it is one */
} meter_infos[METER_KINDS] = {
	[METER_IPC]      = {"ipc",        2,  "",   true},
	[METER_MISS]     = {"miss_pct",   1,  " %", true},
	[METER_BUSY]     = {NULL,         0,  " %", false},
	[METER_SWITCHES] = {"switches_s", -1, "/s", false},
	[METER_MPKI]     = {"mpki",       1,  "",   true},
	[METER_QUEUED]   = {NULL,         -1, "",   false},
	[METER_PREEMPTED] = {"preempted_pct", 1, " %", false},
	[METER_FAULTS]   = {"faults_s",   -1, "/s", false},
	[METER_SYSTEM]   = {NULL,         0,  " %", false},
};
/* clang-format on */

/* An estimate has a mark after it, as in a table. */
static void write_meter(struct summary_meter *meter, const struct summary_input *head,
			const struct meter_info *info, double value)
{
	const int metric = info->metric ? metrics_find(head->metrics, info->metric) : -1;
	const bool is_rated = info->is_rated && metric >= 0;
	const bool is_estimate =
		info->metric ? is_rated && metrics_is_estimate(head->metrics, (size_t)metric)
			     : (head->snapshot->layout->estimated & 1u << QUANTITY_RUN_NS) != 0;
	char text[UNITS_TEXT_MAX];

	*meter = (struct summary_meter){.text = "-", .value = value, .goodness = -1};
	if (!isfinite(value))
		return;
	if (info->decimals < 0)
		units_format_si(text, value);
	else
		units_format_fixed(text, value, info->decimals);
	snprintf(meter->text, sizeof(meter->text), "%.12s%s", text, info->unit);
	if (is_rated)
		meter->goodness = metric_goodness_shown(metrics_info(head->metrics, (size_t)metric),
							value, meter->text);
	if (is_estimate)
		strcat(meter->text, "~");
}

/* What is not kept of this interval: records come faster than they can be taken. */
static void make_behind(struct summary *summary, const struct summary_input *head)
{
	const struct snapshot *snapshot = head->snapshot;
	struct strbuf text = {0};
	char count[UNITS_TEXT_MAX];

	if (snapshot->shed_switches > 0) {
		units_format_si(count, (double)snapshot->shed_switches);
		strbuf_printf(&text, "behind: %s switch%s not in the history", count,
			      snapshot->shed_switches == 1 ? " is" : "es are");
	}
	if (snapshot->shed_details > 0) {
		units_format_si(count, (double)snapshot->shed_details);
		strbuf_printf(&text, "%s%s slice%s in no task's slices and waits",
			      text.length > 0 ? ", " : "behind: ", count,
			      snapshot->shed_details == 1 ? " is" : "s are");
	}
	put_safe(summary->behind, sizeof(summary->behind), &text, head->ascii);
}

static void add_cost(struct strbuf *text, const struct summary_input *head)
{
	const struct own_usage *own = &head->snapshot->own;
	const double machine_ns =
		(double)head->snapshot->interval_ns * (double)head->session->cpu_count;
	char cost[UNITS_TEXT_MAX];

	units_format_fixed(cost, 100.0 * (double)(own->cpu_ns + own->readings_ns) / machine_ns, 2);
	cut_zeros(cost);
	strbuf_printf(text, "%s %%~ of the machine", cost);
}

/* Whether run times and switches alone cost more. */
static bool is_over_budget(const struct summary_input *head)
{
	const struct own_usage *own = &head->snapshot->own;
	const double budget_ns = (double)own->budget_mpct / OWN_ALL_MPCT *
				 (double)head->snapshot->interval_ns * head->session->cpu_count;

	return (double)(own->cpu_ns + own->readings_ns) > budget_ns &&
	       (own->counting_mpct == 0 || !head->session->has_pmu);
}

static void make_budget(struct summary *summary, const struct summary_input *head)
{
	const struct session *session = head->session;
	const struct own_usage *own = &head->snapshot->own;
	struct strbuf text = {0};

	if (own->budget_mpct == 0)
		return;
	strbuf_printf(&text, "budget %g %%", (double)own->budget_mpct / OWN_MPCT);
	summary->is_over_budget = own->switch_ns == 0 || is_over_budget(head);
	if (own->switch_ns == 0) {
		strbuf_printf(&text, ": cannot be applied, cost unknown%s%s",
			      session->cost_reason[0] != '\0' ? ": " : "", session->cost_reason);
	} else if (summary->is_over_budget) {
		strbuf_add(&text, " exceeded: ");
		add_cost(&text, head);
		strbuf_add(&text, session->has_pmu ? ", hardware events are off"
						   : ", no hardware events to leave out");
	} else if (own_is_limited(own)) {
		strbuf_printf(
			&text,
			": hardware events counted %.0f %% of the time, ' marks scaled values",
			(double)own->counting_mpct / OWN_MPCT);
	} else {
		strbuf_clear(&text);
	}
	put_safe(summary->budget, sizeof(summary->budget), &text, head->ascii);
}

static double machine_metric(const struct summary_input *head, const char *name,
			     const uint64_t *counts, uint32_t unknown)
{
	const int metric = metrics_find(head->metrics, name);

	if (metric < 0)
		return NAN;
	return metrics_eval(head->metrics, (size_t)metric, counts, unknown,
			    head->snapshot->interval_ns)
		.value;
}

/*
 * How much of the time CPUs were busy is said by switches, to the nanosecond; what for, by the
 * kernel's clock ticks, which see little of tasks that run for less than one. So these divide what
 * is busy, as the kernel does for the times of a task. busy_pct: NaN, where ticks say both.
 */
static void make_shares(struct summary *summary, const struct summary_input *head, double busy_pct)
{
	const struct cpu_shares shares = cpu_shares_make(head->snapshot, CPU_SHARES_ALL);
	const double used_pct = shares.user_pct + shares.system_pct + shares.irq_pct;
	const double stolen_pct = fmax(0, 100 - used_pct - shares.idle_pct);
	double scale = 1;

	if (!isnan(busy_pct) && !isnan(used_pct))
		scale = used_pct > 0 ? fmax(0, busy_pct - stolen_pct) / used_pct
			: busy_pct - stolen_pct < UNSEEN_PCT ? 0
							     : NAN;
	summary->user_pct = shares.user_pct * scale;
	summary->system_pct = shares.system_pct * scale;
	summary->irq_pct = shares.irq_pct * scale;
	summary->idle_pct = isnan(busy_pct) || isnan(used_pct) ? shares.idle_pct : 100 - busy_pct;
}

static void make_machine(struct summary *summary, const struct summary_input *head)
{
	const struct snapshot *snapshot = head->snapshot;
	size_t width = layout_width(snapshot->layout);
	uint64_t *sum = xcalloc(3 * width, sizeof(*sum));
	uint64_t *idle = sum + width;
	uint64_t *busy = sum + 2 * width;
	double busy_pct = NAN;
	uint32_t unknown =
		snapshot->cpu_count > 0 && head->session->is_live ? 0 : head->session->unknown;

	busy_sum_machine(sum, idle, snapshot);
	if (!busy_counts(busy, sum, idle, snapshot->layout) || head->session->idle_is_shared)
		unknown |= 1u << QUANTITY_RUN_NS;
	if (snapshot->cpu_count > 0 && (unknown & 1u << QUANTITY_RUN_NS) == 0 &&
	    sum[QUANTITY_RUN_NS] > 0)
		busy_pct = 100.0 * (double)busy[QUANTITY_RUN_NS] / (double)sum[QUANTITY_RUN_NS];
	make_shares(summary, head, busy_pct);
	if (isnan(busy_pct))
		busy_pct = summary->user_pct + summary->system_pct + summary->irq_pct;
	const double own[METER_KINDS] = {
		[METER_BUSY] = busy_pct,
		[METER_QUEUED] = machine_metric(head, "queued_pct", busy, unknown) / 100,
		[METER_SYSTEM] = cpu_system_pct(snapshot, CPU_SHARES_ALL, busy_pct),
	};
	for (size_t i = 0; i < METER_KINDS; i++)
		write_meter(&summary->meters[i], head, &meter_infos[i],
			    meter_infos[i].metric
				    ? machine_metric(head, meter_infos[i].metric, busy, unknown)
				    : own[i]);
	free(sum);
}

void summary_make(struct summary *summary, const struct snapshot *snapshot,
		  const struct session *session, const struct metrics *metrics, bool ascii)
{
	struct summary_input head = {
		.snapshot = snapshot,
		.session = session,
		.metrics = metrics,
		.ascii = ascii,
		.separator = ascii ? ", " : " · ",
	};

	*summary = (struct summary){0};
	make_scope(summary, &head);
	make_times(summary, &head);
	make_attributed(summary, &head);
	make_lost(summary, &head);
	make_steal(summary, &head);
	write_own_usage(summary, &head);
	make_readings(summary, &head);
	make_behind(summary, &head);
	make_budget(summary, &head);
	make_pmu(summary, &head);
	make_machine(summary, &head);
	summary->counts_tasks = snapshot->cpu_count == 0 || session->clock_stops;
	snprintf(summary->miss_level, sizeof(summary->miss_level), "%s",
		 metrics_level(metrics, meter_infos[METER_MISS].metric));
	snprintf(summary->tasks, sizeof(summary->tasks), "%zu task%s ran, %zu ended",
		 snapshot->ran_count, units_plural(snapshot->ran_count), snapshot->exited_count);
}

/*
 * What scales a multiplexed event is the counting time of its group over the run time in
 * the same vector. When the run time of a CPU loses the idle task's share, the counting
 * times must shrink with it, or an event that counted half of the time on a CPU that was
 * busy for a tenth would look as if it had counted five times as long as anything ran.
 *
 * Where a group has counted longer than the CPU ran, in a slice that began before the interval,
 * idle's own counting time is what is taken off: all the rest is the tasks'.
 */

/* Of a part of `whole` what is left when idle's share is taken off. */
static uint64_t shrink(uint64_t part, uint64_t whole, uint64_t idle)
{
	if (whole == 0 || idle > whole)
		return part;
	return mul_div(part, whole - idle, whole);
}

enum {
	SMT_QUANTITIES = QUANTITY_LIFE_NS - QUANTITY_SMT_ALONE_NS
};

bool busy_counts(uint64_t *counts, const uint64_t *counter, const uint64_t *idle,
		 const struct layout *layout)
{
	uint64_t busy;

	memcpy(counts, counter, layout_width(layout) * sizeof(*counts));
	counts[QUANTITY_RUN_NS] = 0;
	if (!counts_sub(&busy, &counter[QUANTITY_RUN_NS], &idle[QUANTITY_RUN_NS], 1))
		return false;
	counts[QUANTITY_RUN_NS] = busy;
	counts_sub(&counts[QUANTITY_SMT_ALONE_NS], &counter[QUANTITY_SMT_ALONE_NS],
		   &idle[QUANTITY_SMT_ALONE_NS], SMT_QUANTITIES);
	for (size_t i = 0; i < layout->group_count; i++) {
		const size_t index = layout_group_index(layout, i);
		const size_t clock = layout_kind_index(layout, layout->groups[i].kind);

		if (counter[index] <= counter[clock] ||
		    !counts_sub(&counts[index], &counter[index], &idle[index], 1))
			counts[index] = shrink(counter[index], counter[clock], idle[clock]);
	}
	return true;
}

void busy_sum_machine(uint64_t *sum, uint64_t *idle, const struct snapshot *snapshot)
{
	size_t width = layout_width(snapshot->layout);

	counts_clear(sum, width);
	counts_clear(idle, width);
	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		counts_add(sum, snapshot->cpus[i].counter, width);
		counts_add(idle, snapshot->cpus[i].idle, width);
	}
	if (snapshot->cpu_count > 0)
		return;
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (!snapshot->tasks[i].is_held && !snapshot->tasks[i].is_from_proc)
			counts_add(sum, snapshot->tasks[i].interval, width);
}
