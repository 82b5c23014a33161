#include "source/cpus/sched_tracepoints.h"

#include "kernel/decode.h"
#include "kernel/group.h"
#include "kernel/sys.h"
#include "model/record.h"

int sched_tracepoints_open(struct sched_tracepoints *tracepoints, enum sched_event slot,
			   const struct sched_tracepoint_spec *event, int cpu, int owner_fd,
			   const struct attr_features *features)
{
	struct sched_tracepoint *tracepoint = &tracepoints->of[slot];
	int result;

	tracepoint->fd = sampler_open(cpu, &event->spec, features, &tracepoint->id);
	if (tracepoint->fd < 0)
		return tracepoint->fd;
	result = timeline_redirect(tracepoint->fd, owner_fd);
	if (result < 0) {
		sys_close(tracepoint->fd);
		return result;
	}
	tracepoint->event = event;
	tracepoints->count++;
	return 0;
}

void sched_tracepoints_close(struct sched_tracepoints *tracepoints, enum sched_event slot)
{
	struct sched_tracepoint *tracepoint = &tracepoints->of[slot];

	if (!tracepoint->event)
		return;
	sys_close(tracepoint->fd);
	*tracepoint = (struct sched_tracepoint){0};
	tracepoints->count--;
}

void sched_tracepoints_close_all(struct sched_tracepoints *tracepoints)
{
	for (int slot = 0; slot < SCHED_EVENTS; slot++)
		sched_tracepoints_close(tracepoints, (enum sched_event)slot);
}

enum sched_event sched_tracepoints_find(const struct sched_tracepoints *tracepoints, uint64_t id)
{
	int slot = 0;

	while (slot < SCHED_EVENTS &&
	       (!tracepoints->of[slot].event || tracepoints->of[slot].id != id))
		slot++;
	return (enum sched_event)slot;
}

static bool emit_wakeup(const struct sched_tracepoint *tracepoint, const struct decoded_bytes *raw,
			struct record *record)
{
	int64_t tid;

	if (!tracepoint_read_field(&tracepoint->event->tid, raw->bytes, raw->size, &tid) ||
	    tid <= 0 || tid > INT32_MAX)
		return false;
	record->kind = RECORD_WAKEUP;
	record->pid = RECORD_TASK_UNKNOWN;
	record->tid = (int32_t)tid;
	return true;
}

bool sched_tracepoints_report(const struct sched_tracepoints *tracepoints, enum sched_event slot,
			      const struct decoded *decoded, struct record *record)
{
	switch (slot) {
	case SCHED_WAKING:
	case SCHED_NEWBORN:
		return emit_wakeup(&tracepoints->of[slot], &decoded->sample.raw, record);
	case SCHED_YIELD:
		record->kind = RECORD_YIELD;
		return true;
	case SCHED_EVENTS:
		break;
	}
	return false;
}
