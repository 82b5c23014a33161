#include "source/cpus/tap.h"

#include "kernel/decode.h"
#include "kernel/group.h"
#include "kernel/sys.h"
#include "model/record.h"

int taps_open(struct taps *taps, enum tap_slot slot, const struct tap_event *event, int cpu,
	      int owner_fd, const struct attr_features *features)
{
	struct tap *tap = &taps->of[slot];
	int result;

	tap->fd = sampler_open(cpu, &event->spec, features, &tap->id);
	if (tap->fd < 0)
		return tap->fd;
	result = timeline_redirect(tap->fd, owner_fd);
	if (result < 0) {
		sys_close(tap->fd);
		return result;
	}
	tap->event = event;
	taps->count++;
	return 0;
}

void taps_close(struct taps *taps, enum tap_slot slot)
{
	struct tap *tap = &taps->of[slot];

	if (!tap->event)
		return;
	sys_close(tap->fd);
	*tap = (struct tap){0};
	taps->count--;
}

void taps_close_all(struct taps *taps)
{
	for (int slot = 0; slot < TAP_SLOTS; slot++)
		taps_close(taps, (enum tap_slot)slot);
}

enum tap_slot taps_find(const struct taps *taps, uint64_t id)
{
	int slot = 0;

	while (slot < TAP_SLOTS && (!taps->of[slot].event || taps->of[slot].id != id))
		slot++;
	return (enum tap_slot)slot;
}

static bool tell_wakeup(const struct tap *tap, const struct decoded_bytes *raw,
			struct record *record)
{
	int64_t tid;

	if (!tracepoint_read_field(&tap->event->tid, raw->bytes, raw->size, &tid) || tid <= 0 ||
	    tid > INT32_MAX)
		return false;
	record->kind = RECORD_WAKEUP;
	record->pid = RECORD_TASK_UNKNOWN;
	record->tid = (int32_t)tid;
	return true;
}

bool taps_tell(const struct taps *taps, enum tap_slot slot, const struct decoded *decoded,
	       struct record *record)
{
	switch (slot) {
	case TAP_WAKING:
	case TAP_NEWBORN:
		return tell_wakeup(&taps->of[slot], &decoded->sample.raw, record);
	case TAP_YIELD:
		record->kind = RECORD_YIELD;
		return true;
	case TAP_SLOTS:
		break;
	}
	return false;
}
