#include "source/wakeup.h"

#include "base/error.h"
#include "kernel/host.h"

bool wakeup_find(const struct host *host, const char *name, struct sched_tracepoint_spec *found,
		 struct error *error)
{
	*found = (struct sched_tracepoint_spec){0};
	if (!tracepoint_find("", "sched", name, &found->spec, error))
		return false;
	if (host->in_pid_namespace)
		return error_set(error, ERROR_PID_NAMESPACE, found->spec.name, NULL);
	return tracepoint_find_field("", "sched", name, "pid", &found->tid, error);
}

bool wakeup_read_tid(const struct sched_tracepoint_spec *tracepoint,
		     const struct decoded_bytes *raw, int32_t *tid)
{
	int64_t value;

	if (!tracepoint_read_field(&tracepoint->tid, raw->bytes, raw->size, &value) || value <= 0 ||
	    value > INT32_MAX)
		return false;
	*tid = (int32_t)value;
	return true;
}

/* All raw data begin with the tracepoint's number (2 bytes) and with flags. */
bool wakeup_is_in_interrupt(const struct decoded_bytes *raw)
{
	enum {
		FLAGS_AT = 2,
		HARD = 0x08,
		SOFT = 0x10,
		UNMASKABLE = 0x40
	};

	return raw->size > FLAGS_AT &&
	       ((const unsigned char *)raw->bytes)[FLAGS_AT] & (HARD | SOFT | UNMASKABLE);
}
