#include "source/wakeup.h"

#include "base/error.h"
#include "kernel/host.h"

#include "event/tracepoint.h"

bool wakeup_find(const struct host *host, const char *name, struct sched_tracepoint_spec *found,
		 struct error *error)
{
	struct tracepoint_field tid;

	*found = (struct sched_tracepoint_spec){0};
	if (!tracepoint_find("", "sched", name, &found->spec, error))
		return false;
	if (host->in_pid_namespace)
		return error_set(error, ERROR_PID_NAMESPACE, found->spec.name, NULL);
	if (!tracepoint_find_field("", "sched", name, "pid", &tid, error))
		return false;
	found->tid = tid.offset;
	return tid.size == sizeof(int32_t) ||
	       error_set(error, ERROR_EVENT_TRACEPOINT_FIELD, found->spec.name, "pid");
}
