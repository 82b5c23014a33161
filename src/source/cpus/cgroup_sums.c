#include "source/cpus/cgroup_sums.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/record.h"

void cgroup_sums_reset(struct cgroup_sums *sums, size_t groups, size_t cgroups)
{
	cgroup_sums_fini(sums);
	if (cgroups < 2)
		return;
	sums->groups = groups;
	sums->sums = xcalloc(groups, sizeof(*sums->sums));
	sums->last = xcalloc(groups * cgroups, sizeof(*sums->last));
}

void cgroup_sums_fini(struct cgroup_sums *sums)
{
	free(sums->sums);
	free(sums->last);
	*sums = (struct cgroup_sums){0};
}

static struct group_reading take_reading(const struct record_reading *reading, size_t value_count)
{
	struct group_reading now = {
		.enabled_ns = reading->enabled_ns,
		.running_ns = reading->running_ns,
		.values = {reading->sequence},
		.count = value_count,
	};

	for (size_t i = 1; i < value_count; i++)
		now.values[i] = reading->values[i - 1];
	return now;
}

static void step_on(struct group_reading *sum, const struct group_reading *last,
		    const struct group_reading *now)
{
	sum->enabled_ns += now->enabled_ns - last->enabled_ns;
	sum->running_ns += now->running_ns - last->running_ns;
	for (size_t i = 0; i < now->count; i++)
		sum->values[i] += now->values[i] - last->values[i];
}

void cgroup_sums_add(struct cgroup_sums *sums, struct record_reading *reading, size_t value_count)
{
	const struct group_reading now = take_reading(reading, value_count);
	struct group_reading *last = &sums->last[reading->group];
	struct group_reading *sum = &sums->sums[reading->group % sums->groups];

	if (last->count > 0 && !reading->restarts)
		step_on(sum, last, &now);
	else if (!reading->restarts)
		sum->values[0] += now.values[0]; /* a switch is one all the same */
	*last = now;
	reading->group = (uint16_t)(reading->group % sums->groups);
	reading->sequence = sum->values[0];
	reading->enabled_ns = sum->enabled_ns;
	reading->running_ns = sum->running_ns;
	reading->values = &sum->values[1];
}
