#include "mode/signals.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

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
