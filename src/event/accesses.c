/*
 * By what accesses to memory are sampled: Intel's loads that took at least so many cycles, on the
 * newer of its processors behind an auxiliary event, and AMD's sampled instructions, of which those
 * that access memory say it. Of cores of several kinds it is the large ones'.
 */
#include "base/error.h"

#include "event/event.h"

static const char *const access_events[] = {
	"{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=30/pp}",
	"{cpu_core/mem-loads-aux/,cpu_core/mem-loads,ldlat=30/pp}",
	"cpu/mem-loads,ldlat=30/pp",
	"ibs_op/cnt_ctl=0/",
};

bool event_find_accesses(struct event_finder *finder, struct event_set *set, struct error *error)
{
	struct error refusal = {0};

	for (size_t i = 0; i < sizeof(access_events) / sizeof(*access_events); i++)
		if (event_find(finder, access_events[i], set, NULL, NULL))
			return true;
	event_find(finder, "arm_spe_0/ts_enable=1/", set, NULL, &refusal);
	return error_set(error,
			 refusal.code == ERROR_EVENT_TRACE ? ERROR_ACCESS_TRACE : ERROR_ACCESS_NONE,
			 NULL, NULL);
}
