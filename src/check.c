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

static void say(struct strbuf *out, const char *what, enum check_state state, const char *words,
		const char *remedy)
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
	struct switch_time measuring;
	struct cpu_stream_request request;

	cpus->plan = &checked->machine;
	request = cpu_set_request(cpus, cpus->targets[0].cpu);
	switch_cost_begin(&measuring, &request);
	switch_cost_end(&measuring, SWITCH_COST_WAIT_MS, &checked->cost, &checked->cost_error);
}

static void try_default_events(struct checked *checked, const struct event_set *set,
			       const struct event_core_pmu *pmus, size_t pmu_count)
{
	struct trials *trials = trials_create(&checked->host, &checked->features);
	const struct plan_target own = {
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
								 trials, &checked->machine_error);
	if (checked->has_machine)
		cpu_set_choose_leader(&cpus, trials, &checked->tracepoint_error);
	if (checked->has_machine)
		measure_cost(checked, &cpus);
	if (checked->has_machine && checked->host.isolated.count > 0)
		checked->spares_isolated =
			cpu_set_request(&cpus, checked->host.isolated.numbers[0]).is_quiet;
	checked->has_tracepoint = cpus.leader != NULL;
	cpu_set_fini(&cpus);
	trials_destroy(trials);
	trials = trials_create(&checked->host, &checked->features);
	checked->has_own = plan_make(&checked->own, &tasks, set, trials, &checked->own_error);
	trials_destroy(trials);
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

static void say_scopes(const struct checked *checked, struct strbuf *out)
{
	struct error partial = {0};

	error_set(&partial, ERROR_SCOPE_NAMESPACE, NULL, NULL);
	if (checked->has_machine && checked->host.in_pid_namespace)
		say(out, "system-wide counting", CHECK_PART, partial.text, partial.remedy);
	else if (checked->has_machine)
		say(out, "system-wide counting", CHECK_OK, "every CPU and every task", "");
	else
		say(out, "system-wide counting", CHECK_NO, checked->machine_error.text,
		    checked->machine_error.remedy);
	if (checked->has_own)
		say(out, "own tasks", CHECK_OK, "each task with its own counters", "");
	else
		say(out, "own tasks", CHECK_NO, checked->own_error.text, checked->own_error.remedy);
}

static void say_switches(const struct checked *checked, struct strbuf *out)
{
	char words[sizeof(checked->tracepoint_error.text) + 64];

	if (checked->has_tracepoint) {
		say(out, "context switches", CHECK_OK, "one record each, of sched:sched_switch",
		    "");
		return;
	}
	snprintf(words, sizeof(words), "three records each, at twice the cost: %s",
		 checked->tracepoint_error.text);
	say(out, "context switches", CHECK_PART, words, checked->tracepoint_error.remedy);
}

/* What the readings lengthen each switch by. */
static void say_cost(const struct checked *checked, struct strbuf *out)
{
	const double ns = checked->cost.always_ns + checked->cost.turn_ns;
	char text[UNITS_TEXT_MAX], words[64];

	if (ns == 0) {
		say(out, "cost of readings",
		    checked->cost_error.code == ERROR_COST_NOISE ? CHECK_OK : CHECK_PART,
		    checked->cost_error.text, checked->cost_error.remedy);
		return;
	}
	units_format_duration(text, (uint64_t)ns);
	snprintf(words, sizeof(words), "about %s for each context switch", text);
	say(out, "cost of readings", CHECK_OK, words, "");
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
	say(out, "isolated CPUs", CHECK_PART, words, "perftop --interrupt-isolated");
}

static void say_events(const struct layout *layout, struct strbuf *out)
{
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];
		char what[EVENT_NAME_MAX + 8];

		snprintf(what, sizeof(what), "event %s", event->name);
		switch (event->state) {
		case EVENT_COUNTING:
			say(out, what, CHECK_OK, "counting", "");
			break;
		case EVENT_MULTIPLEXED:
			say(out, what, CHECK_PART, event->reason, "");
			break;
		case EVENT_UNSUPPORTED:
		case EVENT_DENIED:
			say(out, what, CHECK_NO, event->reason, "");
			break;
		}
	}
}

/* How long reading a counter takes decides how many are read at each switch. */
static void say_counters(const struct checked *checked, struct strbuf *out)
{
	const double ns = counter_time_ns(&checked->features);
	const bool is_slow = ns >= COUNTER_TIME_SLOW_NS;
	char text[UNITS_TEXT_MAX] = "", words[HOST_TEXT_MAX + 96];
	struct session session = {0};

	if (checked->has_machine || checked->has_own)
		plan_describe_pmus(checked->has_machine ? &checked->machine : &checked->own,
				   &checked->host, &session);
	units_format_duration(text, (uint64_t)ns);
	snprintf(words, sizeof(words), "%.128s%s%s",
		 session.has_pmu && session.pmu_words[0] != '\0' ? session.pmu_words
								 : checked->host.cpu_pmu,
		 ns > 0 ? "; reading a counter takes " : "", ns > 0 ? text : "");
	if (is_slow && checked->host.is_virtual)
		say(out, "PMU", CHECK_PART, words,
		    "by default only cycles and instructions are counted; L or :light off counts "
		    "all");
	else
		say(out, "PMU", CHECK_OK, words, "");
}

static void say_pmu(const struct checked *checked, struct strbuf *out)
{
	const struct host *host = &checked->host;
	char words[256];

	if (host->cpu_pmu[0] != '\0') {
		say_counters(checked, out);
	} else {
		host_explain_no_pmu(host, words, sizeof(words));
		say(out, "PMU", CHECK_NO, words,
		    host->is_virtual ? "give the guest a virtual PMU (KVM: -cpu host,pmu=on)" : "");
	}
	if (host->nmi_watchdog)
		say(out, "NMI watchdog", CHECK_PART, "holds one counter on every CPU",
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
	struct event_finder *finder;
};

static void name_event(const char *name, void *context)
{
	struct naming *naming = context;

	append_event(&naming->events, name, naming->finder);
}

/* Which cache a default column is about, and by which events. */
static void say_column(const struct checked *checked, const char *metric, struct strbuf *out)
{
	const int index = metric_set_find(checked->metrics, metric);
	const struct metric_info *info = metric_set_info(checked->metrics, (size_t)index);
	const char *level = cache_level_name(info->level);
	struct naming naming = {.finder = checked->finder};
	char what[32], words[256];

	metric_set_events(checked->metrics, (size_t)index, name_event, &naming);
	snprintf(what, sizeof(what), "column %s", info->title);
	snprintf(words, sizeof(words), "%s: %s",
		 *level != '\0' ? level : "of which cache is not known",
		 strbuf_text(&naming.events));
	say(out, what, *level != '\0' ? CHECK_OK : CHECK_PART, words, "");
	strbuf_fini(&naming.events);
}

/* What the kernel's generic events count is another thing on each family. */
static void say_processor(const struct checked *checked, struct strbuf *out)
{
	const struct processor *processor = event_processor(checked->finder);
	const char *id = checked->host.cpu_id;
	char words[HOST_TEXT_MAX + 64];

	snprintf(words, sizeof(words), "%s%s%s%s", processor_name(processor),
		 *id != '\0' ? " (" : "", id, *id != '\0' ? ")" : "");
	say(out, "processor", processor_is_known(processor) ? CHECK_OK : CHECK_PART, words, "");
	if (checked->host.cpu_pmu[0] == '\0')
		return;
	say_column(checked, "miss_pct", out);
	say_column(checked, "mpki", out);
}

static void say_rings(const struct host *host, struct strbuf *out)
{
	char each[UNITS_TEXT_MAX], total[UNITS_TEXT_MAX], words[128];
	size_t bytes = cpus_ring_bytes(host, host->online.count);

	units_format_bytes(each, bytes);
	units_format_bytes(total, bytes * host->online.count);
	snprintf(words, sizeof(words), "%s for each of %zu CPU%s, %s in all", each,
		 host->online.count, units_plural(host->online.count), total);
	if (host->has_cap_ipc_lock || host->paranoid < 0) {
		say(out, "rings", CHECK_OK, words, "");
		return;
	}
	snprintf(words, sizeof(words),
		 "%lld KiB for each CPU may be locked (kernel.perf_event_mlock_kb)",
		 (long long)host->mlock_kb);
	say(out, "rings", CHECK_PART, words,
	    "sysctl kernel.perf_event_mlock_kb=..., or CAP_IPC_LOCK");
}

/* Without those for wake-ups and yields everything else goes on (source/cpus/scheduler.h). */
static void say_descriptors(const struct checked *checked, struct strbuf *out)
{
	const size_t cpu_count = checked->host.online.count;
	const struct plan *plan = checked->has_machine ? &checked->machine : &checked->own;
	const size_t per_cpu =
		checked->has_machine || checked->has_own ? plan_descriptors(plan, 0) + 1 : 0;
	const size_t needed = per_cpu * cpu_count;
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
	snprintf(words, sizeof(words), "%zu needed for the whole machine%s, %llu allowed", needed,
		 extra, (unsigned long long)allowed);
	say(out, "descriptors", state, words,
	    state == CHECK_OK ? "" : "raise the hard limit: ulimit -Hn");
}

/* Whether the kernel is one of those that want more above level 2 is seen from what it refuses. */
static void say_capability(const struct checked *checked, struct strbuf *out)
{
	const struct host *host = &checked->host;
	const bool is_low = host->paranoid <= 2;

	if (!host->has_cap_perfmon)
		say(out, "CAP_PERFMON", CHECK_NO, "not held",
		    is_low ? "run as root, or " ERROR_PERFMON_GROUP
			   : "run as root, or sysctl kernel.perf_event_paranoid=2 "
			     "and " ERROR_PERFMON_GROUP);
	else if (!checked->has_machine && checked->machine_error.code == ERROR_PERF_LEVEL)
		say(out, "CAP_PERFMON", CHECK_PART,
		    "held, but above level 2 this kernel wants CAP_SYS_ADMIN",
		    checked->machine_error.remedy);
	else
		say(out, "CAP_PERFMON", CHECK_OK, "held", "");
}

static void say_rights(const struct checked *checked, struct strbuf *out)
{
	const struct host *host = &checked->host;
	char words[64];

	snprintf(words, sizeof(words), "kernel.perf_event_paranoid is %d", host->paranoid);
	if (host->paranoid == HOST_PARANOID_UNKNOWN)
		say(out, "perf events", CHECK_NO, "this kernel has none",
		    "a kernel with CONFIG_PERF_EVENTS");
	else
		say(out, "perf events", CHECK_OK, words, "");
	say_capability(checked, out);
	if (host->container[0] != '\0') {
		snprintf(words, sizeof(words), "inside %.50s", host->container);
		say(out, "container", CHECK_OK, words, "");
	}
	if (host->tracefs[0] != '\0')
		say(out, "tracefs", CHECK_OK, host->tracefs, "");
	else
		say(out, "tracefs", CHECK_NO, "not mounted, or not readable for this user",
		    "mount -t tracefs tracefs /sys/kernel/tracing; mount -o "
		    "remount,gid=GROUP,mode=750");
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
	fit_to_machine(checked.metrics, checked.finder);
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
	if (checked.has_machine || checked.has_own)
		say_events(checked.has_machine ? &checked.machine.layout : &checked.own.layout,
			   out);
	say_rings(&checked.host, out);
	say_descriptors(&checked, out);
	works = checked.has_own || checked.has_machine;
	plan_fini(&checked.machine);
	plan_fini(&checked.own);
	metric_set_destroy(checked.metrics);
	event_finder_destroy(checked.finder);
	host_fini(&checked.host);
	return works;
}
