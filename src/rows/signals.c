#include "rows/signals.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

/* clang-format off */
static const struct signal_info table[] = {
	{SIGTERM,   "SIGTERM",   "asks it to end; it may tidy up first, or refuse"},
	{SIGHUP,    "SIGHUP",    "its terminal has gone; daemons read their settings anew"},
	{SIGINT,    "SIGINT",    "as ^C in its terminal"},
	{SIGQUIT,   "SIGQUIT",   "as ^\\ in its terminal: ends it with a core dump"},
	{SIGILL,    "SIGILL",    "an instruction that there is not: ends it with a core dump"},
	{SIGTRAP,   "SIGTRAP",   "a breakpoint: ends it with a core dump"},
	{SIGABRT,   "SIGABRT",   "as when it calls abort(): ends it with a core dump"},
	{SIGBUS,    "SIGBUS",    "an access beyond a mapped file: ends it with a core dump"},
	{SIGFPE,    "SIGFPE",    "a division by zero: ends it with a core dump"},
	{SIGKILL,   "SIGKILL",   "ends it at once; it can do nothing against it, nor tidy up"},
	{SIGUSR1,   "SIGUSR1",   "what the program makes of it; others it ends"},
	{SIGSEGV,   "SIGSEGV",   "an access outside its memory: ends it with a core dump"},
	{SIGUSR2,   "SIGUSR2",   "what the program makes of it; others it ends"},
	{SIGPIPE,   "SIGPIPE",   "nobody reads from its pipe: ends it"},
	{SIGALRM,   "SIGALRM",   "its alarm clock: ends who has set none"},
	{SIGSTKFLT, "SIGSTKFLT", "used by nobody: ends it"},
	{SIGCHLD,   "SIGCHLD",   "a child has ended or stopped; ignored by most"},
	{SIGCONT,   "SIGCONT",   "goes on after SIGSTOP"},
	{SIGSTOP,   "SIGSTOP",   "stops it until SIGCONT; it can do nothing against it"},
	{SIGTSTP,   "SIGTSTP",   "as ^Z in its terminal: stops it until SIGCONT"},
	{SIGTTIN,   "SIGTTIN",   "read from its terminal in the background: stops it"},
	{SIGTTOU,   "SIGTTOU",   "wrote to its terminal in the background: stops it"},
	{SIGURG,    "SIGURG",    "urgent data on a socket; ignored by most"},
	{SIGXCPU,   "SIGXCPU",   "over its limit of CPU time: ends it with a core dump"},
	{SIGXFSZ,   "SIGXFSZ",   "over its limit of file size: ends it with a core dump"},
	{SIGVTALRM, "SIGVTALRM", "its timer of run time: ends who has set none"},
	{SIGPROF,   "SIGPROF",   "its profiling timer: ends who has set none"},
	{SIGWINCH,  "SIGWINCH",  "its terminal has another size; ignored by most"},
	{SIGIO,     "SIGIO",     "a descriptor is ready: ends who has not asked for it"},
	{SIGPWR,    "SIGPWR",    "power fails: ends it"},
	{SIGSYS,    "SIGSYS",    "a system call that it may not make: ends it with a core dump"},
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
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (strcasecmp(table[i].name, text) == 0 ||
		    strcasecmp(table[i].name + strlen("SIG"), text) == 0)
			return table[i].number;
	}
	return 0;
}

void signals_name(int number, char name[static SIGNAL_NAME_MAX])
{
	snprintf(name, SIGNAL_NAME_MAX, "signal %d", number);
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (table[i].number == number)
			snprintf(name, SIGNAL_NAME_MAX, "%s", table[i].name);
	}
}
