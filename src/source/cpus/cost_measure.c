#include "source/cpus/cost_measure.h"

#include <sched.h>
#include <stdio.h>

#include "base/error.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/cpus/cpu_set.h"

enum {
	TRIES = 5 /* while it counts: some CPUs are too busy for it at any time */
};

static const uint64_t TRY_NS = UINT64_C(2) * 1000 * 1000 * 1000; /* each at most */

/* NULL: we may not disturb any. */
static const struct cpu_stream *find_measured(const struct cpu_set *set)
{
	const int here = sched_getcpu();
	const struct cpu_stream *found = NULL;

	for (size_t i = 0; i < set->count; i++) {
		const int cpu = set->streams[i]->cpu;

		if (cpu == here)
			return set->streams[i];
		if (!found && !number_list_has(&set->host->isolated, cpu))
			found = set->streams[i];
	}
	return found;
}

static void begin_measure(struct cost_measure *measure, const struct cpu_stream *stream)
{
	const struct cpu_stream_request request = cpu_set_request(measure->set, stream->cpu);

	measure->has_begun = true;
	switch_cost_begin(&measure->going, &request);
}

void cost_measure_begin(struct cost_measure *measure)
{
	const struct cpu_stream *stream = find_measured(measure->set);

	switch_time_end(&measure->going, 0);
	if (stream)
		begin_measure(measure, stream);
}

void cost_measure_end(struct cost_measure *measure, int wait_ms)
{
	struct session *session = measure->set->session;
	struct switch_cost cost;
	struct error error = {0};

	if (!switch_cost_end(&measure->going, wait_ms, &cost, &error) &&
	    measure->cost.always_ns > 0)
		return;
	measure->cost = cost;
	snprintf(session->cost_reason, sizeof(session->cost_reason), "%s", error.text);
}

/* The first of the CPUs that may be disturbed; NULL: none may. */
static struct cpu_stream *find_disturbed(const struct cpu_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (!set->streams[i]->is_quiet)
			return set->streams[i];
	return NULL;
}

bool cost_measure_is_going(const struct cost_measure *measure)
{
	return measure->going.fd >= 0 || measure->going.pid > 0;
}

void cost_measure_beside(struct cost_measure *measure)
{
	struct cpu_stream *stream = find_disturbed(measure->set);

	if (!stream || cost_measure_is_going(measure) || measure->times == TRIES)
		return;
	measure->times++;
	measure->cpu = stream->cpu;
	measure->since_ns = sys_now_ns();
	cpu_stream_pause(stream);
	begin_measure(measure, stream);
}

static void stop_beside(struct cost_measure *measure)
{
	if (measure->cpu < 0)
		return;
	cost_measure_end(measure, 0);
	for (size_t i = 0; i < measure->set->count; i++)
		if (measure->set->streams[i]->cpu == measure->cpu)
			cpu_stream_resume(measure->set->streams[i]);
	measure->cpu = -1;
}

void cost_measure_follow(struct cost_measure *measure)
{
	if (measure->cpu >= 0 &&
	    (switch_time_is_ready(&measure->going) || sys_now_ns() - measure->since_ns > TRY_NS))
		stop_beside(measure);
}

void cost_measure_stop(struct cost_measure *measure)
{
	stop_beside(measure);
	switch_time_end(&measure->going, 0);
}

void cost_measure_again(struct cost_measure *measure, bool must_pause)
{
	struct cpu_stream *stream = find_disturbed(measure->set);

	if (!stream)
		return;
	stop_beside(measure);
	if (must_pause)
		cpu_stream_pause(stream);
	begin_measure(measure, stream);
	cost_measure_end(measure, SWITCH_COST_WAIT_MS);
	cpu_stream_resume(stream);
}
