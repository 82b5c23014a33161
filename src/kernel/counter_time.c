#include "kernel/counter_time.h"

#include <linux/perf_event.h>

#include "kernel/group.h"
#include "kernel/switch_time.h"
#include "kernel/sys.h"

enum {
	COUNTERS = 2,
	READS = 32
};

/* How long each read(2) takes of a group that counts. False: it cannot be read. */
static bool time_reads(const struct attr_features *features, uint32_t type, uint64_t first,
		       double took_ns[static READS])
{
	const struct event_spec specs[COUNTERS] = {{.type = type, .config = first},
						   {.type = type, .config = first + 1}};
	/* of this process: a user may have no more */
	const struct group_request request = {
		.target.leader = GROUP_LEADER_TASK,
		.target.cpu = -1,
		.specs = {&specs[0], &specs[1]},
		.count = COUNTERS,
		.target.exclude_kernel = true,
	};
	struct group group = {.leader_fd = -1};
	struct group_reading reading;
	bool good = group_open(&group, &request, features, NULL) == 0 && group_enable(&group);

	for (int i = 0; i < READS && good; i++) {
		const uint64_t start_ns = sys_now_ns();

		good = group_read(&group, &reading);
		took_ns[i] = (double)(sys_now_ns() - start_ns);
	}
	group_close(&group);
	return good;
}

double counter_time_ns(const struct attr_features *features)
{
	double hardware_ns[READS], software_ns[READS];
	double each_ns;

	if (!time_reads(features, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, hardware_ns) ||
	    !time_reads(features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, software_ns))
		return 0;
	each_ns = switch_time_median(hardware_ns, software_ns, READS) / COUNTERS;
	return each_ns > 0 ? each_ns : 0;
}
