/*
 * errno + context -> a sentence of error.def. The rules are a table that is searched from
 * top to bottom; the first one whose call, errno and condition agree says the code, and its detail
 * fills the sentence's %2. A rule without condition is the last of its errno, and the last rule of
 * all fits everything.
 *
 * What the kernel means by an errno was read from kernel/events/core.c of Linux 6.1 and 6.18
 * and tried on both.
 */

#include "kernel/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/proc.h"

enum {
	DETAIL_BYTES = 256,
	ANY_CALL = -1,
	ANY_ERRNO = 0
};

typedef bool condition_fn(const struct explain_context *context);
/* What fills a sentence's %2. */
enum detail {
	NOTHING,
	PARANOID,
	SANDBOX,
	POLICY,
	OWNER,
	GUARD,
	NO_PMU,
	COUNTERS,
	FD_LIMIT,
	MEMLOCK,
	ERRNO,
	FILTER,
	PMU,
	PROBED_FILE,
	PLACE,
	FUNCTION
};

struct explain_rule {
	int call;        /* enum explain_call or ANY_CALL */
	int errno_value; /* or ANY_ERRNO */
	condition_fn *holds;
	enum error_code code;
	enum detail detail;
};

static bool is_hardware(const struct explain_context *context)
{
	return context->has_branches ||
	       (context->spec && context->spec->class == EVENT_CLASS_HARDWARE);
}

static bool is_breakpoint(const struct explain_context *context)
{
	return context->spec && context->spec->type == PERF_TYPE_BREAKPOINT;
}

static bool is_filtered(const struct explain_context *context)
{
	return context->spec && *context->spec->filter != '\0';
}

static bool is_precise(const struct explain_context *context)
{
	return context->spec && context->spec->precise > 0;
}

static bool is_with_branches(const struct explain_context *context)
{
	return context->has_branches;
}

/* A PMU that cannot exclude anything (PERF_PMU_CAP_NO_EXCLUDE). */
static bool is_restricted_clock(const struct explain_context *context)
{
	const struct event_spec *spec = context->spec;

	return spec && strcmp(spec->pmu, "msr") == 0 &&
	       (spec->exclude_user || spec->exclude_kernel || spec->exclude_hv ||
		spec->exclude_idle || (spec->exclude_guest && !spec->guest_is_default));
}

static bool is_unrestricted_clock(const struct explain_context *context)
{
	return context->spec && attr_ignores_modes(context->spec);
}

/* A register that is read: nothing happens at some value of it. */
static bool is_sampled_register(const struct explain_context *context)
{
	return context->spec && !context->is_group_member && strcmp(context->spec->pmu, "msr") == 0;
}

static bool is_shared(const struct explain_context *context)
{
	return context->spec && context->spec->class == EVENT_CLASS_SHARED;
}

static bool is_user_probe(const struct explain_context *context)
{
	return context->spec && strcmp(context->spec->pmu, "uprobe") == 0;
}

/* The kernel's half of the addresses, which begins with the highest bit. */
static bool is_kernel_breakpoint(const struct explain_context *context)
{
	return is_breakpoint(context) &&
	       context->spec->config1 >> (8 * host_long_bytes() - 1) != 0 &&
	       (!context->host || !context->host->has_cap_sys_admin);
}

static bool is_kernel_probe(const struct explain_context *context)
{
	return context->spec && strcmp(context->spec->pmu, "kprobe") == 0;
}

/* Up to level 2 the kernel checks the capability itself, not the level. */
static bool is_probe_without_rights(const struct explain_context *context)
{
	return (is_user_probe(context) || is_kernel_probe(context)) &&
	       (!context->host ||
		(!context->host->has_cap_perfmon && context->host->paranoid <= 2));
}

/* At this level CPUs may be watched, and tracepoints counted, but their data not read. */
static bool is_tracepoint_without_rights(const struct explain_context *context)
{
	return context->spec && context->spec->type == PERF_TYPE_TRACEPOINT && context->host &&
	       !context->host->has_cap_perfmon && context->host->paranoid == 0;
}

static bool is_hardware_without_pmu(const struct explain_context *context)
{
	return is_hardware(context) && context->host && *context->host->cpu_pmu == '\0';
}

static bool is_hardware_member(const struct explain_context *context)
{
	return is_hardware(context) && context->is_group_member;
}

static bool is_for_member(const struct explain_context *context)
{
	return context->is_group_member;
}

static bool is_cpu_offline(const struct explain_context *context)
{
	return context->cpu >= 0 &&
	       (!context->host || !number_list_has(&context->host->online, context->cpu));
}

static bool is_cpu_known_offline(const struct explain_context *context)
{
	return context->host && is_cpu_offline(context);
}

static bool has_no_perf_events(const struct explain_context *context)
{
	return context->host && context->host->paranoid == HOST_PARANOID_UNKNOWN;
}

/*
 * What may block perf_event_open before the kernel's own checks: not if the leader could be opened.
 */
static bool is_sandboxed(const struct explain_context *context)
{
	const struct host *host = context->host;

	return host && !context->is_group_member &&
	       (host->has_seccomp_filter || *host->container != '\0');
}

static bool has_void_capabilities(const struct explain_context *context)
{
	return context->host && context->host->in_user_namespace && geteuid() == 0;
}

static bool is_privileged(const struct explain_context *context)
{
	return context->host && context->host->has_cap_perfmon;
}

/* Kernels of Debian and Ubuntu have levels above 2, which refuse more. */
static bool is_above_perfmon(const struct explain_context *context)
{
	return is_privileged(context) && !context->host->has_cap_sys_admin &&
	       context->host->paranoid > 2;
}

static bool is_policed(const struct explain_context *context)
{
	return is_privileged(context) && context->host->policy[0] != '\0';
}

static bool is_privileged_member(const struct explain_context *context)
{
	return is_privileged(context) && context->is_group_member;
}

/*
 * Own tasks are allowed to everybody up to level 2: a refusal is then about the task, not the
 * level.
 */
static bool is_foreign_task(const struct explain_context *context)
{
	const struct host *host = context->host;

	if (context->pid <= 0 || !host || host->has_cap_perfmon || host->paranoid > 2)
		return false;

	int64_t owner = proc_owner(context->pid);

	return owner >= 0 && owner != (int64_t)geteuid();
}

/* An own task that may not be inspected: it has more rights, or has made itself undumpable. */
static bool is_guarded_task(const struct explain_context *context)
{
	const struct host *host = context->host;

	return context->pid > 0 && host && !host->has_cap_perfmon && host->paranoid <= 2 &&
	       proc_is_guarded(context->pid);
}

static void describe_detail(enum detail detail, const struct explain_context *context,
			    int errno_value, char text[static DETAIL_BYTES])
{
	const struct host *host = context->host;
	const char *error = strerror(errno_value);

	switch (detail) {
	case NOTHING:
		break;
	case PARANOID:
		if (!host || host->paranoid == HOST_PARANOID_UNKNOWN || host->is_paranoid_hidden)
			snprintf(text, DETAIL_BYTES, "unknown");
		else
			snprintf(text, DETAIL_BYTES, "%d", host->paranoid);
		break;
	case SANDBOX:
		snprintf(text, DETAIL_BYTES, "%s%s%s", host->container,
			 *host->container != '\0' && host->has_seccomp_filter ? ", " : "",
			 host->has_seccomp_filter ? "seccomp filter" : "");
		break;
	case POLICY:
		snprintf(text, DETAIL_BYTES, "%s", host->policy);
		break;
	case OWNER:
		snprintf(text, DETAIL_BYTES, "it belongs to user id %" PRId64,
			 proc_owner(context->pid));
		break;
	case GUARD:
		snprintf(text, DETAIL_BYTES, "more rights than perftop, or memory hidden");
		break;
	case NO_PMU:
		host_explain_no_pmu(host, text, DETAIL_BYTES);
		break;
	case COUNTERS:
		snprintf(text, DETAIL_BYTES, "%s",
			 host && host->nmi_watchdog ? "the NMI watchdog holds one"
						    : "the group needs more than the PMU has");
		break;
	case FD_LIMIT:
		if (host)
			snprintf(text, DETAIL_BYTES, "%" PRIu64, host->fd_limit_soft);
		else
			snprintf(text, DETAIL_BYTES, "the allowed");
		break;
	case MEMLOCK:
		if (host && host->mlock_kb >= 0)
			snprintf(text, DETAIL_BYTES, "%" PRId64 " KiB per CPU and user",
				 host->mlock_kb);
		else
			snprintf(text, DETAIL_BYTES, "limit unknown");
		break;
	case ERRNO:
		snprintf(text, DETAIL_BYTES, "%s", error);
		break;
	case FILTER:
		snprintf(text, DETAIL_BYTES, "%.*s", DETAIL_BYTES - 1, context->spec->filter);
		break;
	case PMU:
		snprintf(text, DETAIL_BYTES, "%s", context->spec->pmu);
		break;
	case PROBED_FILE:
		snprintf(text, DETAIL_BYTES, "%.128s: %s", context->spec->target, error);
		break;
	case PLACE:
		snprintf(text, DETAIL_BYTES, "there is no place for a probe there");
		break;
	case FUNCTION:
		snprintf(text, DETAIL_BYTES, "the kernel has no function %.128s",
			 context->spec->target);
		break;
	}
}

static const struct explain_rule RULES[] = {
	/* clang-format off */
	{EXPLAIN_OPEN,  ENOSYS,     has_no_perf_events,      ERROR_PERF_ABSENT,       NOTHING},
	{EXPLAIN_OPEN,  ENOSYS,     is_sandboxed,            ERROR_PERF_SECCOMP,      SANDBOX},
	{EXPLAIN_OPEN,  ENOSYS,     NULL,                    ERROR_PERF_ABSENT,       NOTHING},

	/* perf's own checks answer EACCES; EPERM comes from seccomp, lockdown or a security module */
	{EXPLAIN_OPEN,  EPERM,      is_sandboxed,            ERROR_PERF_SECCOMP,      SANDBOX},
	{EXPLAIN_OPEN,  EPERM,      has_void_capabilities,   ERROR_PERF_NAMESPACE,    NOTHING},
	{EXPLAIN_OPEN,  EPERM,      is_above_perfmon,        ERROR_PERF_LEVEL,        PARANOID},
	{EXPLAIN_OPEN,  EPERM,      is_kernel_breakpoint,    ERROR_PERF_KERNEL_ADDRESS, NOTHING},
	{EXPLAIN_OPEN,  EPERM,      is_policed,              ERROR_PERF_POLICY,       POLICY},
	{EXPLAIN_OPEN,  EPERM,      is_privileged_member,    ERROR_PERF_EVENT_REFUSED, NOTHING},
	{EXPLAIN_OPEN,  EPERM,      is_privileged,           ERROR_PERF_REFUSED,      ERRNO},
	{EXPLAIN_OPEN,  EPERM,      is_probe_without_rights, ERROR_PERF_PROBE_RIGHTS, NOTHING},
	{EXPLAIN_OPEN,  EPERM,      is_tracepoint_without_rights, ERROR_PERF_TRACEPOINT, PARANOID},
	{EXPLAIN_OPEN,  EPERM,      is_foreign_task,         ERROR_PROCESS_FOREIGN,   OWNER},
	{EXPLAIN_OPEN,  EPERM,      NULL,                    ERROR_PERF_PARANOID,     PARANOID},
	{EXPLAIN_OPEN,  EACCES,     is_above_perfmon,        ERROR_PERF_LEVEL,        PARANOID},
	{EXPLAIN_OPEN,  EACCES,     is_policed,              ERROR_PERF_POLICY,       POLICY},
	{EXPLAIN_OPEN,  EACCES,     is_privileged,           ERROR_PERF_REFUSED,      ERRNO},
	{EXPLAIN_OPEN,  EACCES,     is_foreign_task,         ERROR_PROCESS_FOREIGN,   OWNER},
	{EXPLAIN_OPEN,  EACCES,     is_guarded_task,         ERROR_PROCESS_GUARDED,   GUARD},
	{EXPLAIN_OPEN,  EACCES,     has_void_capabilities,   ERROR_PERF_NAMESPACE,    NOTHING},
	{EXPLAIN_OPEN,  EACCES,     is_tracepoint_without_rights, ERROR_PERF_TRACEPOINT, PARANOID},
	{EXPLAIN_OPEN,  EACCES,     is_probe_without_rights, ERROR_PERF_PROBE_RIGHTS, NOTHING},
	{EXPLAIN_OPEN,  EACCES,     NULL,                    ERROR_PERF_PARANOID,     PARANOID},

	{EXPLAIN_OPEN,  ENOENT,     is_user_probe,           ERROR_EVENT_PROBE_FILE,  PROBED_FILE},
	{EXPLAIN_OPEN,  ENOENT,     is_kernel_probe,         ERROR_EVENT_PROBE_SYMBOL, FUNCTION},
	{EXPLAIN_OPEN,  ENOENT,     is_hardware_without_pmu, ERROR_PERF_NO_PMU,       NO_PMU},
	{EXPLAIN_OPEN,  ENOENT,     is_hardware,             ERROR_PERF_UNSUPPORTED,  NOTHING},
	{EXPLAIN_OPEN,  ENOENT,     NULL,                    ERROR_PERF_UNKNOWN,      NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_cpu_known_offline,    ERROR_PERF_CPU_OFFLINE,  NOTHING},
	/*
	 * opening an event with a filter is two calls, and only the second one can fail for the
	 * filter
	 */
	{EXPLAIN_OPEN,  EINVAL,     is_filtered,             ERROR_EVENT_FILTER,      FILTER},
	{EXPLAIN_OPEN,  EINVAL,     is_user_probe,           ERROR_EVENT_PROBE_SYMBOL, PLACE},
	{EXPLAIN_OPEN,  EINVAL,     is_kernel_probe,         ERROR_EVENT_PROBE_SYMBOL, PLACE},
	/* without rights the kernel is excluded, which does not go with a kernel address */
	{EXPLAIN_OPEN,  EINVAL,     is_kernel_breakpoint,    ERROR_PERF_KERNEL_ADDRESS, NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_breakpoint,           ERROR_PERF_BREAKPOINT,   NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_restricted_clock,     ERROR_PERF_EXCLUDE,      PMU},
	{EXPLAIN_OPEN,  EINVAL,     is_unrestricted_clock,   ERROR_PERF_CLOCK,        NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_sampled_register,     ERROR_PERF_NO_SAMPLES,   NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_shared,               ERROR_EVENT_SHARED,      PMU},
	{EXPLAIN_OPEN,  EINVAL,     is_hardware_without_pmu, ERROR_PERF_NO_PMU,       NO_PMU},
	{EXPLAIN_OPEN,  EINVAL,     is_with_branches,        ERROR_PERF_BRANCHES,     NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_precise,              ERROR_PERF_PRECISE,      NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     is_hardware_member,      ERROR_PERF_NO_COUNTER,   COUNTERS},
	{EXPLAIN_OPEN,  EINVAL,     is_hardware,             ERROR_PERF_UNSUPPORTED,  NOTHING},
	{EXPLAIN_OPEN,  EINVAL,     NULL,                    ERROR_PERF_INVALID,      ERRNO},
	{EXPLAIN_OPEN,  ENOSPC,     is_breakpoint,           ERROR_PERF_BREAKPOINTS,  NOTHING},
	/* Linux before 3.3 says ENOSPC where later ones say EINVAL */
	{EXPLAIN_OPEN,  ENOSPC,     is_hardware,             ERROR_PERF_NO_COUNTER,   COUNTERS},
	{EXPLAIN_OPEN,  ENODEV,     is_cpu_offline,          ERROR_PERF_CPU_OFFLINE,  NOTHING},
	{EXPLAIN_OPEN,  ENODEV,     is_hardware_without_pmu, ERROR_PERF_NO_PMU,       NO_PMU},
	{EXPLAIN_OPEN,  ENODEV,     NULL,                    ERROR_PERF_UNSUPPORTED,  NOTHING},
	{EXPLAIN_OPEN,  EOPNOTSUPP, is_hardware_without_pmu, ERROR_PERF_NO_PMU,       NO_PMU},
	{EXPLAIN_OPEN,  EOPNOTSUPP, is_with_branches,        ERROR_PERF_BRANCHES,     NOTHING},
	{EXPLAIN_OPEN,  EOPNOTSUPP, is_precise,              ERROR_PERF_PRECISE_LEVEL, NOTHING},
	{EXPLAIN_OPEN,  EOPNOTSUPP, NULL,                    ERROR_PERF_UNSUPPORTED,  NOTHING},
	{EXPLAIN_OPEN,  E2BIG,      is_for_member,           ERROR_PERF_GROUP_SIZE,   NOTHING},
	{EXPLAIN_OPEN,  E2BIG,      NULL,                    ERROR_PERF_INVALID,      ERRNO},
	{EXPLAIN_OPEN,  EBUSY,      NULL,                    ERROR_PERF_BUSY,         NOTHING},
	{EXPLAIN_OPEN,  EINTR,      NULL,                    ERROR_PERF_PROBE_BUSY,   NOTHING},
	{EXPLAIN_OPEN,  EOVERFLOW,  NULL,                    ERROR_PERF_INVALID,      ERRNO},

	{EXPLAIN_MAP,   EPERM,      NULL,                    ERROR_PERF_MEMLOCK,      MEMLOCK},
	{EXPLAIN_MAP,   EAGAIN,     NULL,                    ERROR_PERF_MEMLOCK,      MEMLOCK},
	{EXPLAIN_MAP,   EINVAL,     NULL,                    ERROR_PERF_INVALID,      ERRNO},
	{EXPLAIN_IOCTL, EINVAL,     is_filtered,             ERROR_EVENT_FILTER,      FILTER},
	{EXPLAIN_IOCTL, EINVAL,     NULL,                    ERROR_PERF_INVALID,      ERRNO},
	{EXPLAIN_IOCTL, ENOTTY,     NULL,                    ERROR_PERF_INVALID,      ERRNO},

	{ANY_CALL,      ESRCH,      NULL,                    ERROR_PERF_TARGET_GONE,  NOTHING},
	{ANY_CALL,      EMFILE,     NULL,                    ERROR_PERF_FD_LIMIT,     FD_LIMIT},
	{ANY_CALL,      ENFILE,     NULL,                    ERROR_PERF_FD_SYSTEM,    NOTHING},
	{ANY_CALL,      ENOMEM,     NULL,                    ERROR_PERF_NO_MEMORY,    NOTHING},
	{ANY_CALL,      ANY_ERRNO,  NULL,                    ERROR_PERF_OTHER,        ERRNO},
	/* clang-format on */
};

static bool rule_matches(const struct explain_rule *rule, int errno_value,
			 const struct explain_context *context)
{
	return (rule->call == ANY_CALL || rule->call == (int)context->call) &&
	       (rule->errno_value == ANY_ERRNO || rule->errno_value == errno_value) &&
	       (!rule->holds || rule->holds(context));
}

bool explain_perf_error(struct error *error, int errno_value, const struct explain_context *context)
{
	const struct explain_rule *rule = RULES;
	char detail[DETAIL_BYTES] = "";

	/* The last rule matches everything. */
	while (!rule_matches(rule, errno_value, context))
		rule++;
	describe_detail(rule->detail, context, errno_value, detail);
	return error_set(error, rule->code, context->what, detail);
}

bool explain_is_denial(const struct error *error)
{
	static const enum error_code denials[] = {
		ERROR_PERF_PARANOID,       ERROR_PERF_LEVEL,         ERROR_PERF_SECCOMP,
		ERROR_PERF_NAMESPACE,      ERROR_PERF_POLICY,        ERROR_PERF_PROBE_RIGHTS,
		ERROR_PERF_KERNEL_ADDRESS, ERROR_PERF_EVENT_REFUSED, ERROR_PERF_TRACEPOINT,
		ERROR_PERF_REFUSED,
	};

	for (size_t i = 0; i < sizeof(denials) / sizeof(*denials); i++)
		if (error->code == denials[i])
			return true;
	return false;
}
