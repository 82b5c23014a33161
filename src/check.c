/*
 * Nothing here is guessed: what can be opened is opened, on the first CPU and on this
 * process, with the same plan that a run makes.
 */
#include "check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/attr.h"
#include "kernel/counter_time.h"
#include "kernel/host.h"
#include "model/metric_set.h"
#include "model/session.h"
#include "source/cpus/cpu_set.h"
#include "source/cpus/cpus.h"
#include "source/cpus/sched_tracepoints.h"
#include "source/cpus/switch_cost.h"
#include "source/plan/plan.h"
#include "view/column.h"
#include "view/row_kind.h"
#include "view/table.h"

#include "event/processor.h"
#include "session/fitting.h"

enum {
	SPARE_DESCRIPTORS = 64 /* for everything else */
};

enum check_state {
	CHECK_OK,
	CHECK_PART,
	CHECK_NO
};

static const char *const state_words[] = {
	[CHECK_OK] = "ok",
	[CHECK_PART] = "part",
	[CHECK_NO] = "no",
};

static void say_check(struct strbuf *out, const char *what, enum check_state state,
		      const char *words, const char *remedy)
{
	size_t length = strlen(what);

	/* an explanation begins with the name of what it explains */
	if (strncmp(words, what, length) == 0 && strncmp(words + length, ": ", 2) == 0)
		words += length + 2;
	strbuf_printf(out, "%-26s %-5s %s%s%s\n", what, state_words[state], words,
		      remedy[0] != '\0' ? " -> " : "", remedy);
}

struct checked {
	struct host host;
	struct attr_features features;
	struct event_finder *finder;               /* owned */
	struct metric_set *metrics;                /* owned */
	struct plan machine, own;                  /* of the first CPU, of this process */
	bool has_machine, has_own, has_tracepoint; /* the last one leads */
	struct error machine_error, own_error, tracepoint_error;
	struct switch_cost cost;
	struct error cost_error;
	bool spares_isolated; /* CPUs, of which a run reads nothing between their switches */
};

static void measure_cost(struct checked *checked, struct cpu_set *cpus)
{
	struct switch_measure measure = {0};
	struct cpu_stream_request request;

	cpus->plan = &checked->machine;
	request = cpu_set_request(cpus, cpus->targets[0].cpu);
	switch_cost_begin(&measure, &request);
	checked->cost = switch_cost_end(&measure, &checked->cost_error);
}

static void try_default_events(struct checked *checked, const struct event_set *set,
			       const struct event_core_pmu *pmus, size_t pmu_count)
{
	struct trials trials = {.host = &checked->host, .features = &checked->features};
	const struct group_target own = {
		.leader = GROUP_LEADER_TASK,
		.pid = 0,
		.cpu = -1,
		.exclude_kernel = checked->host.paranoid >= 2 && !checked->host.has_cap_perfmon,
	};
	const struct plan_setup tasks = {
		.pmus = pmus, .pmu_count = pmu_count, .targets = &own, .target_count = 1};
	struct cpu_set cpus = {.host = &checked->host, .features = &checked->features};
	struct plan_setup machine;

	checked->has_machine = cpu_set_find(&cpus, pmus, pmu_count, &checked->machine_error);
	machine = cpu_set_setup(&cpus);
	checked->has_machine = checked->has_machine && plan_make(&checked->machine, &machine, set,
								 &trials, &checked->machine_error);
	if (checked->has_machine)
		cpu_set_choose_leader(&cpus, &trials, &checked->tracepoint_error);
	if (checked->has_machine)
		measure_cost(checked, &cpus);
	if (checked->has_machine && checked->host.isolated.count > 0)
		checked->spares_isolated =
			cpu_set_request(&cpus, checked->host.isolated.numbers[0]).is_quiet;
	checked->has_tracepoint = cpus.leader != NULL;
	cpu_set_fini(&cpus);
	checked->has_own = plan_make(&checked->own, &tasks, set, &trials, &checked->own_error);
	trials_end(&trials);
}

static void try_plans(struct checked *checked)
{
	struct event_core_pmu pmus[EVENT_PMUS_MAX];
	const size_t count = event_core_pmus(checked->finder, pmus, EVENT_PMUS_MAX);
	struct event_set set = {0};

	for (size_t i = 0; i < DEFAULT_EVENTS; i++)
		event_find(checked->finder, default_event(checked->metrics, i), &set, NULL, NULL);
	try_default_events(checked, &set, pmus, count < EVENT_PMUS_MAX ? count : EVENT_PMUS_MAX);
	event_set_fini(&set);
}

/* Of what a run would count; NULL: it may count nothing. */
static const struct plan *plan_of_run(const struct checked *checked)
{
	if (checked->has_machine)
		return &checked->machine;
	return checked->has_own ? &checked->own : NULL;
}

static void say_scopes(const struct checked *checked, struct strbuf *out)
{
	struct error partial = {0};

	error_set(&partial, ERROR_SCOPE_NAMESPACE, NULL, NULL);
	if (checked->has_machine && checked->host.in_pid_namespace)
		say_check(out, "system-wide counting", CHECK_PART, partial.text, partial.remedy);
	else if (checked->has_machine)
		say_check(out, "system-wide counting", CHECK_OK, "every CPU and every task", "");
	else
		say_check(out, "system-wide counting", CHECK_NO, checked->machine_error.text,
			  checked->machine_error.remedy);
	if (checked->has_own)
		say_check(out, "own tasks", CHECK_OK,
			  checked->own.targets[0].exclude_kernel
				  ? "each task with its own counters, user mode only"
				  : "each task with its own counters",
			  "");
	else
		say_check(out, "own tasks", CHECK_NO, checked->own_error.text,
			  checked->own_error.remedy);
}

static void say_switches(const struct checked *checked, struct strbuf *out)
{
	char words[sizeof(checked->tracepoint_error.text) + 64];

	if (checked->has_tracepoint) {
		say_check(out, "context switches", CHECK_OK,
			  "one record each, of sched:sched_switch", "");
		return;
	}
	snprintf(words, sizeof(words), "three records each, at twice the cost: %s",
		 checked->tracepoint_error.text);
	say_check(out, "context switches", CHECK_PART, words, checked->tracepoint_error.remedy);
}

/* What the readings lengthen each switch by. */
static void say_cost(const struct checked *checked, struct strbuf *out)
{
	const double ns = switch_cost_always(&checked->cost, &checked->machine, 0) +
			  switch_cost_turn(&checked->cost, &checked->machine, 0);
	char text[UNITS_TEXT_MAX], words[64];

	if (ns == 0) {
		say_check(out, "cost of readings",
			  checked->cost_error.code == ERROR_COST_NOISE ? CHECK_OK : CHECK_PART,
			  checked->cost_error.text, checked->cost_error.remedy);
		return;
	}
	units_format_duration(text, (uint64_t)ns);
	snprintf(words, sizeof(words), "about %s for each context switch", text);
	say_check(out, "cost of readings", CHECK_OK, words, "");
}

static void say_isolated(const struct checked *checked, struct strbuf *out)
{
	const struct number_list *isolated = &checked->host.isolated;
	char numbers[128], words[256];

	if (isolated->count == 0 || !checked->spares_isolated)
		return;
	number_list_format(isolated, numbers, sizeof(numbers));
	snprintf(words, sizeof(words),
		 "CPU %s: not interrupted, counters are read only at context switches there",
		 numbers);
	say_check(out, "isolated CPUs", CHECK_PART, words, "perftop --interrupt-isolated");
}

static void say_events(const struct layout *layout, struct strbuf *out)
{
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];
		char what[EVENT_NAME_MAX + 8];

		snprintf(what, sizeof(what), "event %s", event->name);
		switch (event->state) {
		case EVENT_COUNTING:
			say_check(out, what, CHECK_OK, "counting", "");
			break;
		case EVENT_MULTIPLEXED:
			say_check(out, what, CHECK_PART, event->reason, "");
			break;
		case EVENT_UNSUPPORTED:
		case EVENT_DENIED:
			say_check(out, what, CHECK_NO, event->reason, "");
			break;
		}
	}
}

/* How long reading a counter takes decides how many are read at each switch. */
static void say_counters(const struct checked *checked, struct strbuf *out)
{
	const double ns = counter_time_ns(&checked->features);
	const bool is_slow = ns >= COUNTER_TIME_SLOW_NS;
	const struct plan *plan = plan_of_run(checked);
	char text[UNITS_TEXT_MAX] = "", words[HOST_TEXT_MAX + 96];
	struct session session = {0};

	if (!plan) {
		snprintf(words, sizeof(words), "%.128s: this user may count nothing with it",
			 checked->host.cpu_pmu);
		say_check(out, "PMU", CHECK_PART, words, "");
		return;
	}
	plan_describe_pmus(plan, &checked->host, &session);
	units_format_duration(text, (uint64_t)ns);
	snprintf(words, sizeof(words), "%.128s%s%s",
		 session.has_pmu && session.pmu_words[0] != '\0' ? session.pmu_words
								 : checked->host.cpu_pmu,
		 ns > 0 ? "; reading a counter takes " : "", ns > 0 ? text : "");
	if (is_slow && checked->host.is_virtual)
		say_check(out, "PMU", CHECK_PART, words,
			  "by default only cycles and instructions are counted; L or :light off "
			  "counts all");
	else
		say_check(out, "PMU", CHECK_OK, words, "");
}

static void say_pmu(const struct checked *checked, struct strbuf *out)
{
	const struct host *host = &checked->host;
	char words[256];

	if (host->cpu_pmu[0] != '\0') {
		say_counters(checked, out);
	} else {
		host_explain_no_pmu(host, words, sizeof(words));
		say_check(out, "PMU", CHECK_NO, words,
			  host->is_virtual ? "give the guest a virtual PMU (KVM: -cpu host,pmu=on)"
					   : "");
	}
	if (host->nmi_watchdog)
		say_check(out, "NMI watchdog", CHECK_PART, "holds one counter on every CPU",
			  "sysctl kernel.nmi_watchdog=0");
}

/* Appends a preset with the code that it has here; of another event its name says all. */
static void append_event(struct strbuf *out, const char *name, struct event_finder *finder)
{
	struct event_set set = {0};

	strbuf_printf(out, "%s%s", out->length > 0 ? ", " : "", name);
	if (preset_find(name, strlen(name)) >= 0 && event_find(finder, name, &set, NULL, NULL))
		strbuf_printf(out, " (%#" PRIx64 ")", set.evsels[0].specs[0].config);
	event_set_fini(&set);
}

struct naming {
	struct strbuf events;
	const struct layout *layout;
	struct event_finder *finder;
	bool is_refused; /* one of them is not counted */
};

static void name_event(const char *name, void *context)
{
	struct naming *naming = context;
	const int event = layout_find_event(naming->layout, name);

	append_event(&naming->events, name, naming->finder);
	if (event < 0 || !event_is_counted(&naming->layout->events[event]))
		naming->is_refused = true;
}

static bool is_of_cache(const struct metric_info *info)
{
	size_t count;
	const struct metric_at_level *levels = metric_levels(&count);

	while (count > 0)
		if (strcmp(levels[--count].metric, info->name) == 0)
			return true;
	return false;
}

/* Which cache a column is about, and by which events. */
static void say_column(const struct checked *checked, const struct column *column,
		       struct strbuf *out)
{
	const size_t metric = (size_t)metric_set_find(checked->metrics, column->metric);
	const char *level = cache_level_name(column->info->level);
	struct naming naming = {
		.layout = &plan_of_run(checked)->layout,
		.finder = checked->finder,
	};
	const char *refused = column->info->refused;
	bool is_unknown;
	char what[32], words[256], instead[96] = "";

	metric_set_events(checked->metrics, metric, name_event, &naming);
	is_unknown = *level == '\0' && !naming.is_refused && is_of_cache(column->info);
	snprintf(what, sizeof(what), "column %s", column->title);
	if (*refused != '\0')
		snprintf(instead, sizeof(instead), ", as %s is not available here", refused);
	snprintf(words, sizeof(words), "%s%s%s%s", is_unknown ? "cache level unknown" : level,
		 is_unknown || *level != '\0' ? ": " : "", strbuf_text(&naming.events), instead);
	say_check(out, what,
		  naming.is_refused                ? CHECK_NO
		  : is_unknown || *refused != '\0' ? CHECK_PART
						   : CHECK_OK,
		  words, "");
	strbuf_fini(&naming.events);
}

/* What the default columns count. */
static void say_columns(const struct checked *checked, struct strbuf *out)
{
	struct columns *columns = columns_create(checked->metrics, row_kinds);
	struct column_list list = {0};

	view_default_columns(&view_tasks, true, NULL, columns, &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct column *column = list.columns[i];
		const int metric =
			column->metric ? metric_set_find(checked->metrics, column->metric) : -1;

		if (metric >= 0 && metric_set_parts(checked->metrics, (size_t)metric).has_events)
			say_column(checked, column, out);
	}
	column_list_fini(&list);
	columns_destroy(columns);
}

/* What the kernel's generic events count is another thing on each family. */
static void say_processor(const struct checked *checked, struct strbuf *out)
{
	const struct processor *processor = event_processor(checked->finder);
	const char *id = checked->host.cpu_id;
	char words[HOST_TEXT_MAX + 64];

	snprintf(words, sizeof(words), "%s%s%s%s", processor_name(processor),
		 *id != '\0' ? " (" : "", id, *id != '\0' ? ")" : "");
	say_check(out, "processor", processor_is_known(processor) ? CHECK_OK : CHECK_PART, words,
		  "");
	if (checked->host.cpu_pmu[0] != '\0' && plan_of_run(checked))
		say_columns(checked, out);
}

static void say_rings(const struct host *host, struct strbuf *out)
{
	const size_t cpu_count = host->online.count;
	const size_t bytes = cpus_ring_bytes(host, cpu_count);
	const uint64_t lockable = host_ring_memory_bytes(host) / cpu_count;
	char each[UNITS_TEXT_MAX], total[UNITS_TEXT_MAX], words[160];

	units_format_bytes(each, bytes);
	units_format_bytes(total, bytes * cpu_count);
	if (lockable < bytes + host->page_bytes) {
		snprintf(words, sizeof(words), "%s for each CPU is more than this user may lock",
			 each);
		say_check(out, "rings", CHECK_NO, words,
			  "sysctl kernel.perf_event_mlock_kb=..., ulimit -l, or CAP_IPC_LOCK");
		return;
	}
	snprintf(words, sizeof(words), "%s for each of %zu CPU%s, %s in all%s", each, cpu_count,
		 units_plural(cpu_count), total,
		 lockable / 2 < 2 * bytes + host->page_bytes ? ": half of what this user may lock"
							     : "");
	say_check(out, "rings", CHECK_OK, words, "");
}

/* Without those for wake-ups and yields everything else goes on (source/cpus/sched_tracepoints.h).
 */
static void say_descriptors(const struct checked *checked, struct strbuf *out)
{
	const size_t cpu_count = checked->has_machine ? checked->host.online.count : 1;
	const size_t needed = (plan_descriptors(plan_of_run(checked)) + 1) * cpu_count;
	const size_t more = checked->has_machine ? scheduler_descriptors(cpu_count) : 0;
	const uint64_t allowed = checked->host.fd_limit_hard;
	enum check_state state = CHECK_OK;
	char extra[64] = "", words[160];

	if (needed + SPARE_DESCRIPTORS > allowed)
		state = CHECK_NO;
	else if (needed + more + SPARE_DESCRIPTORS > allowed)
		state = CHECK_PART;
	if (more > 0)
		snprintf(extra, sizeof(extra), ", up to %zu more for wake-ups and yields", more);
	snprintf(words, sizeof(words), "%zu needed for %s%s, %llu allowed", needed,
		 checked->has_machine ? "the whole machine" : "each thread", extra,
		 (unsigned long long)allowed);
	say_check(out, "descriptors", state, words,
		  state == CHECK_OK ? "" : "raise the hard limit: ulimit -Hn");
}

/* Whether the kernel is one of those that want more above level 2 is seen from what it refuses. */
static void say_capability(const struct checked *checked, struct strbuf *out)
{
	const struct host *host = &checked->host;
	const bool is_low = host->paranoid <= 2;

	if (!host->has_cap_perfmon && checked->has_machine && host->paranoid < 0)
		say_check(out, "CAP_PERFMON", CHECK_OK, "not held, and not needed at this level",
			  "");
	else if (!host->has_cap_perfmon && checked->has_machine)
		say_check(out, "CAP_PERFMON", CHECK_PART,
			  "not held: at this level only tracepoints need it",
			  "run as root, or " ERROR_PERFMON_GROUP);
	else if (!host->has_cap_perfmon)
		say_check(out, "CAP_PERFMON", CHECK_NO, "not held",
			  is_low ? "run as root, or " ERROR_PERFMON_GROUP
				 : "run as root, or sysctl kernel.perf_event_paranoid=2 "
				   "and " ERROR_PERFMON_GROUP);
	else if (!checked->has_machine && checked->machine_error.code == ERROR_PERF_LEVEL)
		say_check(out, "CAP_PERFMON", CHECK_PART,
			  "held, but above level 2 this kernel wants CAP_SYS_ADMIN",
			  checked->machine_error.remedy);
	else
		say_check(out, "CAP_PERFMON", CHECK_OK, "held", "");
}

static void say_rights(const struct checked *checked, struct strbuf *out)
{
	const struct host *host = &checked->host;
	char words[64];

	snprintf(words, sizeof(words), "kernel.perf_event_paranoid is %d", host->paranoid);
	if (host->paranoid == HOST_PARANOID_UNKNOWN)
		say_check(out, "perf events", CHECK_NO, "this kernel has none",
			  "a kernel with CONFIG_PERF_EVENTS");
	else if (host->is_paranoid_hidden)
		say_check(out, "perf events", CHECK_OK, "kernel.perf_event_paranoid cannot be read",
			  "");
	else
		say_check(out, "perf events", CHECK_OK, words, "");
	say_capability(checked, out);
	if (host->container[0] != '\0') {
		snprintf(words, sizeof(words), "inside %.50s", host->container);
		say_check(out, "container", CHECK_OK, words, "");
	}
	if (host->tracefs[0] != '\0')
		say_check(out, "tracefs", CHECK_OK, host->tracefs, "");
	else
		say_check(out, "tracefs", CHECK_NO, "not mounted, or not readable for this user",
			  "run as root, or " ERROR_TRACEFS_GROUP);
}

bool check_write(struct strbuf *out)
{
	struct checked checked = {0};
	bool works;

	host_raise_fd_limit();
	host_read(&checked.host, "");
	attr_probe_features(&checked.features);
	checked.finder = event_finder_create("");
	checked.metrics = metric_set_create();
	fit_to_machine(checked.metrics, checked.finder, &checked.features);
	try_plans(&checked);
	strbuf_printf(out, "perftop %s on Linux %s\n", PERFTOP_VERSION, checked.host.kernel);
	say_rights(&checked, out);
	say_scopes(&checked, out);
	if (checked.has_machine) {
		say_switches(&checked, out);
		say_cost(&checked, out);
		say_isolated(&checked, out);
	}
	say_processor(&checked, out);
	say_pmu(&checked, out);
	works = plan_of_run(&checked);
	if (works)
		say_events(&plan_of_run(&checked)->layout, out);
	if (checked.has_machine)
		say_rings(&checked.host, out);
	if (works)
		say_descriptors(&checked, out);
	plan_fini(&checked.machine);
	plan_fini(&checked.own);
	metric_set_destroy(checked.metrics);
	event_finder_destroy(checked.finder);
	host_fini(&checked.host);
	return works;
}
