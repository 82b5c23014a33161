#include "mode/actions.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/topology.h"
#include "base/units.h"
#include "kernel/control.h"
#include "kernel/proc.h"

#include "mode/acting.h"

/* clang-format off */
static const struct signal_info table[] = {
	{SIGTERM,   "SIGTERM",   "asks it to terminate; can be caught or ignored"},
	{SIGHUP,    "SIGHUP",    "terminal hung up; daemons reload their configuration"},
	{SIGINT,    "SIGINT",    "interrupt, as ^C in its terminal"},
	{SIGQUIT,   "SIGQUIT",   "quit, as ^\\ in its terminal: core dump"},
	{SIGILL,    "SIGILL",    "illegal instruction: core dump"},
	{SIGTRAP,   "SIGTRAP",   "breakpoint: core dump"},
	{SIGABRT,   "SIGABRT",   "abort(): core dump"},
	{SIGBUS,    "SIGBUS",    "access beyond a mapped file: core dump"},
	{SIGFPE,    "SIGFPE",    "arithmetic error (division by zero): core dump"},
	{SIGKILL,   "SIGKILL",   "kills at once; cannot be caught"},
	{SIGUSR1,   "SIGUSR1",   "application-defined; default: terminate"},
	{SIGSEGV,   "SIGSEGV",   "invalid memory access: core dump"},
	{SIGUSR2,   "SIGUSR2",   "application-defined; default: terminate"},
	{SIGPIPE,   "SIGPIPE",   "write to a pipe without a reader; default: terminate"},
	{SIGALRM,   "SIGALRM",   "alarm(2) timer; default: terminate"},
	{SIGSTKFLT, "SIGSTKFLT", "unused; default: terminate"},
	{SIGCHLD,   "SIGCHLD",   "a child exited or stopped; default: ignore"},
	{SIGCONT,   "SIGCONT",   "resumes it after SIGSTOP"},
	{SIGSTOP,   "SIGSTOP",   "stops it until SIGCONT; cannot be caught"},
	{SIGTSTP,   "SIGTSTP",   "stop, as ^Z in its terminal, until SIGCONT"},
	{SIGTTIN,   "SIGTTIN",   "terminal read in the background; default: stop"},
	{SIGTTOU,   "SIGTTOU",   "terminal write in the background; default: stop"},
	{SIGURG,    "SIGURG",    "urgent data on a socket; default: ignore"},
	{SIGXCPU,   "SIGXCPU",   "CPU time limit exceeded: core dump"},
	{SIGXFSZ,   "SIGXFSZ",   "file size limit exceeded: core dump"},
	{SIGVTALRM, "SIGVTALRM", "CPU time timer; default: terminate"},
	{SIGPROF,   "SIGPROF",   "profiling timer; default: terminate"},
	{SIGWINCH,  "SIGWINCH",  "terminal resized; default: ignore"},
	{SIGIO,     "SIGIO",     "I/O possible on a descriptor; default: terminate"},
	{SIGPWR,    "SIGPWR",    "power failure; default: terminate"},
	{SIGSYS,    "SIGSYS",    "forbidden system call: core dump"},
};
/* clang-format on */

enum {
	TABLE_COUNT = sizeof(table) / sizeof(*table),
	NUMBER_MOST = 64 /* _NSIG of the kernel */
};

const struct signal_info *signals_table(size_t *count)
{
	*count = TABLE_COUNT;
	return table;
}

int signals_parse(const char *text)
{
	uint64_t number;

	if (units_parse_u64(text, 1, NUMBER_MOST, &number))
		return (int)number;
	for (size_t i = 0; i < TABLE_COUNT; i++)
		if (strcasecmp(table[i].name, text) == 0 ||
		    strcasecmp(table[i].name + strlen("SIG"), text) == 0)
			return table[i].number;
	return 0;
}

void signals_name(int number, char name[static SIGNAL_NAME_MAX])
{
	snprintf(name, SIGNAL_NAME_MAX, "signal %d", number);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		if (table[i].number == number)
			snprintf(name, SIGNAL_NAME_MAX, "%s", table[i].name);
}

enum {
	LIST_MAX = 256,
	FIRST_PROCESS = 1
};

/* One thing to do, and what came of it for the target that is at hand. */
struct deed {
	/* Sets result; true: `sentence` has what came of it. */
	bool (*act)(struct deed *deed, const struct target *target, struct error *error);
	const char *what; /* "SIGTERM", "nice +1" */
	int number;       /* of a signal */
	struct nice_change change;
	const struct number_list *cpus;
	int before, after;      /* nice values of the first thread */
	size_t threads;         /* of the target, to which it was done */
	int result;             /* of the last system call: 0 or -errno */
	struct strbuf sentence; /* owned */
};

static bool act_on_one(struct deed *deed, const struct target *target, struct error *error)
{
	strbuf_clear(&deed->sentence);
	deed->threads = 0;
	deed->result = 0;
	return target_is_there(target, error) && deed->act(deed, target, error);
}

/* What came of it for the targets. */
struct outcome {
	size_t done, refused, ended;
};

static void report_success(const struct deed *deed, const struct outcome *outcome,
			   struct strbuf *done)
{
	if (outcome->done == 1 && outcome->ended == 0) {
		strbuf_add(done, strbuf_text(&deed->sentence));
		return;
	}
	strbuf_printf(done, deed->number > 0 ? "sent %s to %zu task%s" : "%s for %zu task%s",
		      deed->what, outcome->done, units_plural(outcome->done));
	if (outcome->ended > 0)
		strbuf_printf(done, "; %zu had ended", outcome->ended);
}

/* The first refusal is reported for all. */
static void report_deed_failure(const struct outcome *outcome, struct error *error)
{
	const size_t meant = outcome->done + outcome->refused + outcome->ended;
	const size_t length = strlen(error->text);

	if (meant > 1)
		snprintf(error->text + length, sizeof(error->text) - length, " (%zu of %zu done)",
			 outcome->done, meant);
}

/* Does it to all of them that live. */
static bool act_on_all(const struct targets *targets, struct deed *deed, struct strbuf *done,
		       struct error *error)
{
	struct outcome outcome = {.ended = targets->ended};
	struct error end = {0};

	for (size_t i = 0; i < targets->count; i++) {
		struct error failure = {0};

		if (act_on_one(deed, &targets->items[i], &failure)) {
			outcome.done++;
		} else if (target_has_ended(&failure)) {
			if (outcome.ended++ == targets->ended)
				end = failure;
		} else if (outcome.refused++ == 0) {
			*error = failure;
		}
	}
	if (outcome.refused == 0 && outcome.done == 0)
		*error = end;
	if (outcome.refused > 0 || outcome.done == 0)
		report_deed_failure(&outcome, error);
	else
		report_success(deed, &outcome, done);
	strbuf_fini(&deed->sentence);
	return outcome.refused == 0 && outcome.done > 0;
}

/* What the kernel's refusals mean, by what was to be done. */
struct refusal {
	int result;
	enum error_code code;
};

enum {
	REFUSALS = 2 /* of each deed */
};

static bool refuse_deed(const struct deed *deed, const struct target *target,
			const struct refusal refusals[static REFUSALS], const char *detail,
			struct error *error)
{
	if (deed->result == -ESRCH)
		return error_set(error, ERROR_TARGET_ENDED, target->name, NULL);
	for (size_t i = 0; i < REFUSALS; i++)
		if (refusals[i].result == deed->result)
			return error_set(error, refusals[i].code, target->name, detail);
	return error_set_errno(error, ERROR_TARGET_OTHER, target->name, -deed->result);
}

bool actions_may_signal(const struct targets *targets, struct error *error)
{
	for (size_t i = 0; i < targets->count; i++) {
		const struct target *target = &targets->items[i];

		if (target->pid == FIRST_PROCESS)
			return error_set(error, ERROR_SIGNAL_INIT, target->name, NULL);
		if (target->is_kernel_thread)
			return error_set(error, ERROR_SIGNAL_KERNEL, target->name, NULL);
	}
	return true;
}

static bool signal_one(struct deed *deed, const struct target *target, struct error *error)
{
	static const struct refusal refusals[] = {
		{-EPERM, ERROR_SIGNAL_RIGHTS},
		{-EINVAL, ERROR_SIGNAL_BAD},
	};

	deed->result = target->fd >= 0 ? control_signal_open(target->fd, deed->number)
				       : control_signal(target->pid, deed->number);
	strbuf_printf(&deed->sentence, "sent %s to %s", deed->what, target->name);
	return deed->result == 0 || refuse_deed(deed, target, refusals, deed->what, error);
}

bool actions_signal(const struct targets *targets, int number, struct strbuf *done,
		    struct error *error)
{
	char name[SIGNAL_NAME_MAX];
	struct deed deed = {.act = signal_one, .what = name, .number = number};

	signals_name(number, name);
	return actions_may_signal(targets, error) && act_on_all(targets, &deed, done, error);
}

/*
 * Visits the threads that are meant. A thread that ends meanwhile is no failure, as long as there
 * are others.
 */
static void visit_threads(struct deed *deed, const struct target *target,
			  bool (*visit)(int32_t tid, void *context))
{
	if (target->is_thread || !proc_walk(target->pid, visit, deed))
		visit(target->tid, deed);
	if (deed->threads > 0 && deed->result == -ESRCH)
		deed->result = 0;
	else if (deed->threads == 0 && deed->result == 0)
		deed->result = -ESRCH;
}

static bool goes_on(const struct deed *deed)
{
	return deed->result == 0 || deed->result == -ESRCH;
}

static int wanted_nice(const struct nice_change *change, int now)
{
	const int wanted = change->is_relative ? now + change->value : change->value;

	return wanted < CONTROL_NICE_LEAST  ? CONTROL_NICE_LEAST
	       : wanted > CONTROL_NICE_MOST ? CONTROL_NICE_MOST
					    : wanted;
}

static bool renice_thread(int32_t tid, void *context)
{
	struct deed *deed = context;
	int now = 0, wanted;

	deed->result = control_nice(tid, &now);
	wanted = wanted_nice(&deed->change, now);
	if (deed->result == 0 && wanted != now)
		deed->result = control_set_nice(tid, wanted);
	if (deed->threads == 0) {
		deed->before = now;
		deed->after = wanted;
	}
	deed->threads += deed->result == 0;
	return goes_on(deed);
}

static void write_threads(struct deed *deed)
{
	if (deed->threads > 1)
		strbuf_printf(&deed->sentence, "; %zu threads", deed->threads);
}

static void report_nice(struct deed *deed, const struct target *target)
{
	if (deed->before == deed->after)
		strbuf_printf(&deed->sentence, "%s: nice %d already%s", target->name, deed->after,
			      deed->after == CONTROL_NICE_MOST    ? ", the lowest priority"
			      : deed->after == CONTROL_NICE_LEAST ? ", the highest priority"
								  : "");
	else
		strbuf_printf(&deed->sentence, "%s: nice %d (was %d)", target->name, deed->after,
			      deed->before);
	write_threads(deed);
}

static bool renice_one(struct deed *deed, const struct target *target, struct error *error)
{
	static const struct refusal refusals[] = {
		{-EPERM, ERROR_NICE_RIGHTS},
		{-EACCES, ERROR_NICE_LOWER},
	};
	char value[32];

	visit_threads(deed, target, renice_thread);
	snprintf(value, sizeof(value), "nice %d", deed->after);
	if (deed->result != 0)
		return refuse_deed(deed, target, refusals, value, error);
	report_nice(deed, target);
	return true;
}

bool actions_parse_nice(const char *text, struct nice_change *change, struct error *error)
{
	const char *digits = text;
	const bool is_relative = *digits == '+' || *digits == '-';
	bool is_negative = *digits == '-';
	uint64_t number;

	digits += is_relative || *digits == '=';
	if (*text == '=' && *digits == '-') {
		is_negative = true;
		digits++;
	}
	if (!units_parse_u64(digits, 0, is_relative ? 40 : is_negative ? 20 : 19, &number))
		return error_set(error, ERROR_NICE_BAD, text, NULL);
	*change = (struct nice_change){
		.is_relative = is_relative,
		.value = is_negative ? -(int)number : (int)number,
	};
	return true;
}

bool actions_nice(const struct targets *targets, const struct nice_change *change,
		  struct strbuf *done, struct error *error)
{
	char what[32];
	struct deed deed = {.act = renice_one, .what = what, .change = *change};

	snprintf(what, sizeof(what), change->is_relative ? "nice %+d" : "nice %d", change->value);
	return act_on_all(targets, &deed, done, error);
}

static bool bind_thread(int32_t tid, void *context)
{
	struct deed *deed = context;

	deed->result = control_set_cpus(tid, deed->cpus);
	deed->threads += deed->result == 0;
	return goes_on(deed);
}

static bool bind_one(struct deed *deed, const struct target *target, struct error *error)
{
	const struct refusal refusals[] = {
		{-EPERM, ERROR_AFFINITY_RIGHTS},
		{-EINVAL, target->is_kernel_thread ? ERROR_AFFINITY_KERNEL : ERROR_AFFINITY_NONE},
	};

	visit_threads(deed, target, bind_thread);
	if (deed->result != 0)
		return refuse_deed(deed, target, refusals, deed->what + strlen("CPUs "), error);
	strbuf_printf(&deed->sentence, "%s: %s", target->name, deed->what);
	write_threads(deed);
	return true;
}

static bool parse_cpus(const char *text, struct number_list *cpus, struct error *error)
{
	char all[LIST_MAX];

	snprintf(all, sizeof(all), "0-%d", TOPOLOGY_CPUS_MAX - 1);
	if (number_list_parse(cpus, strcmp(text, "all") == 0 ? all : text, TOPOLOGY_CPUS_MAX - 1) &&
	    cpus->count > 0)
		return true;
	number_list_fini(cpus);
	return error_set(error, ERROR_AFFINITY_BAD, text, NULL);
}

/* The kernel leaves out CPUs that are not there, without a word. */
static bool are_online(const char *text, const struct number_list *cpus,
		       const struct topology *online, struct error *error)
{
	char number[16];

	for (size_t i = 0; online && strcmp(text, "all") != 0 && i < cpus->count; i++) {
		if (topology_find(online, cpus->numbers[i]))
			continue;
		snprintf(number, sizeof(number), "%d", cpus->numbers[i]);
		return error_set(error, ERROR_AFFINITY_ABSENT, text, number);
	}
	return true;
}

bool actions_set_cpus(const struct targets *targets, const char *list,
		      const struct topology *online, struct strbuf *done, struct error *error)
{
	struct number_list cpus;
	char what[LIST_MAX];
	struct deed deed = {.act = bind_one, .what = what, .cpus = &cpus};
	bool good;

	if (!parse_cpus(list, &cpus, error))
		return false;
	snprintf(what, sizeof(what), "CPUs %s", list);
	good = are_online(list, &cpus, online, error) && act_on_all(targets, &deed, done, error);
	number_list_fini(&cpus);
	return good;
}

void actions_write_cpus(const struct targets *targets, struct strbuf *out)
{
	struct number_list cpus = {0};
	char text[LIST_MAX];

	if (targets->count == 0 || control_cpus(targets->items[0].tid, &cpus) < 0)
		return;
	number_list_format(&cpus, text, sizeof(text));
	strbuf_add(out, text);
	number_list_fini(&cpus);
}
