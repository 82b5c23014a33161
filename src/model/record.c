/* Names of record kinds, for logs and tests. */
#include "model/record.h"

const char *record_kind_name(enum record_kind kind)
{
	/* clang-format off */
	static const char *const names[RECORD_KINDS] = {
		[RECORD_READING]      = "reading",
		[RECORD_SWITCH_OUT]   = "switch out",
		[RECORD_SWITCH_IN]    = "switch in",
		[RECORD_FORK]         = "fork",
		[RECORD_EXIT]         = "exit",
		[RECORD_COMM]         = "comm",
		[RECORD_PROCINFO]        = "facts",
		[RECORD_SWITCH_COUNT] = "switch count",
		[RECORD_LOST]         = "lost",
		[RECORD_THROTTLED]    = "throttled",
		[RECORD_CPU_ONLINE]   = "cpu online",
		[RECORD_CPU_OFFLINE]  = "cpu offline",
		[RECORD_WAKEUP]       = "wake-up",
		[RECORD_YIELD]        = "yield",
		[RECORD_SHED]         = "shed",
		[RECORD_SETTLED]      = "settled",
		[RECORD_RUN_DELAY]    = "run delay",
		[RECORD_ESTIMATE]     = "estimate",
	};
	/* clang-format on */

	return (unsigned)kind < RECORD_KINDS ? names[kind] : "unknown";
}
