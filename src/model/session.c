/* Names of scopes as the batch output writes them. */
#include "model/session.h"

#include <string.h>

#include "base/topology.h"

const char *session_scope_name(enum session_scope scope)
{
	switch (scope) {
	case SCOPE_SYSTEM:
		return "system";
	case SCOPE_TASKS:
		return "tasks";
	}
	return "";
}

int64_t session_wall_offset(int64_t before_ns, int64_t now_ns)
{
	const int64_t trembling_ns = 1000000;

	return now_ns > before_ns - trembling_ns && now_ns < before_ns + trembling_ns ? before_ns
										      : now_ns;
}

int64_t session_wall_ns(int64_t wall_offset_ns, uint64_t time_ns)
{
	int64_t wall_ns;

	/* both may be out of a file */
	if (__builtin_add_overflow(wall_offset_ns, time_ns, &wall_ns) || wall_ns < 0)
		return -1;
	return wall_ns;
}

const char *session_wait_reason(const struct session *session)
{
	return session->is_partial ? "how long tasks wait is unknown: they also run on CPUs that "
				     "are not watched"
				   : "";
}

const char *session_states_reason(const struct session *session)
{
	if (session->is_partial)
		return "the states of threads are unknown: they also run on CPUs that are not "
		       "watched";
	if (session->queue == QUEUE_WAKEUPS)
		return "";
	if (session->clock_stops)
		return "the states of threads are unknown: tasks outside of the cgroup, which may "
		       "wake its own, are not watched";
	return session->is_live ? "the states of threads are unknown: they need every switch and "
				  "wake-up of the machine, which root and CAP_PERFMON can see "
				  "where tracefs is mounted"
				: "the states of threads are unknown: no wake-ups were recorded";
}

const char *session_smt_reason(const struct session *session)
{
	if (session->scope != SCOPE_SYSTEM)
		return "needs system-wide counting";
	if (!session->topology || session->topology->count == 0)
		return session->is_live ? "which CPUs share a core is not known"
					: "which CPUs share a core was not recorded";
	if (!topology_has_siblings(session->topology))
		return "no two CPUs share a core";
	return session->idle_is_shared ? "idle and tasks outside of this container look alike" : "";
}

const char *session_idle_name(const struct session *session)
{
	return session && session->idle_is_shared ? "idle/outside" : "idle";
}

static bool samples_equal(const struct session_samples *a, const struct session_samples *b)
{
	return a->are_taken == b->are_taken && a->are_estimates == b->are_estimates &&
	       a->pid == b->pid && strcmp(a->words, b->words) == 0;
}

bool session_equals(const struct session *a, const struct session *b)
{
	return a->scope == b->scope && strcmp(a->scope_words, b->scope_words) == 0 &&
	       strcmp(a->scope_reason, b->scope_reason) == 0 &&
	       strcmp(a->scope_remedy, b->scope_remedy) == 0 &&
	       strcmp(a->pmu_words, b->pmu_words) == 0 && a->has_pmu == b->has_pmu &&
	       a->is_live == b->is_live && a->is_estimated == b->is_estimated &&
	       a->wall_offset_ns == b->wall_offset_ns && a->cpu_count == b->cpu_count &&
	       a->is_partial == b->is_partial && a->idle_is_shared == b->idle_is_shared &&
	       a->clock_stops == b->clock_stops && a->queue == b->queue &&
	       strcmp(a->queue_words, b->queue_words) == 0 && a->sampling == b->sampling &&
	       a->sampling_hz == b->sampling_hz &&
	       a->samples_are_estimates == b->samples_are_estimates &&
	       a->samples_are_accesses == b->samples_are_accesses &&
	       strcmp(a->sampling_words, b->sampling_words) == 0 && a->chains == b->chains &&
	       strcmp(a->sampling_event, b->sampling_event) == 0 &&
	       a->has_addresses == b->has_addresses && samples_equal(&a->off_cpu, &b->off_cpu) &&
	       samples_equal(&a->wakers, &b->wakers) && a->has_branches == b->has_branches &&
	       strcmp(a->unbranched, b->unbranched) == 0 &&
	       strcmp(a->uncounted, b->uncounted) == 0 &&
	       strcmp(a->cost_reason, b->cost_reason) == 0 && a->has_yields == b->has_yields &&
	       a->has_states == b->has_states && strcmp(a->others, b->others) == 0 &&
	       a->unknown == b->unknown;
}
