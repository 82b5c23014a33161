/*
 * The names of the ways to leave a CPU, as the log, filters and batch output write them.
 */
#include "model/switches.h"

static const char *const how_names[SWITCH_HOWS] = {
	[SWITCH_UNKNOWN] = "unknown", [SWITCH_PREEMPTED] = "preempted",
	[SWITCH_BLOCKED] = "blocked", [SWITCH_YIELDED] = "yielded",
	[SWITCH_EXITED] = "exited",   [SWITCH_IDLE] = "idle",
};

const char *switch_how_name(enum switch_how how)
{
	if ((unsigned)how >= SWITCH_HOWS)
		return "";
	return how_names[how];
}
