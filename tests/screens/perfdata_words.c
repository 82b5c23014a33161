/*
 * Decoded records in the words of perf script -D.
 */

#include "perfdata_words.h"

#include <inttypes.h>

#include <linux/perf_event.h>

#include "base/strbuf.h"

static void say_read(struct strbuf *out, const struct decoded_read *read, uint64_t format)
{
	strbuf_add(out, " ... sample_read:");
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		strbuf_printf(out, " ...... time enabled %016" PRIx64, read->enabled_ns);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		strbuf_printf(out, " ...... time running %016" PRIx64, read->running_ns);
	if (format & PERF_FORMAT_GROUP)
		strbuf_printf(out, " .... group nr %" PRIu64, read->count);
	for (uint64_t i = 0; i < read->count && i < DECODE_READ_MAX; i++) {
		strbuf_printf(out, " ..... id %016" PRIx64 ", value %016" PRIx64, read->ids[i],
			      read->values[i]);
		if (format & PERF_FORMAT_LOST)
			strbuf_printf(out, ", lost %" PRIu64, read->lost[i]);
	}
}

static void say_sample(struct strbuf *out, const struct decoded *record,
		       const struct perfdata_event *event)
{
	const struct decoded_sample *sample = &record->sample;
	uint64_t type = event->format.sample_type;
	bool has_tid = type & PERF_SAMPLE_TID;

	strbuf_printf(out, "SAMPLE(IP, 0x%x): %d/%d: period: %" PRIu64, record->misc,
		      has_tid ? record->id.pid : -1, has_tid ? record->id.tid : -1,
		      type & PERF_SAMPLE_PERIOD ? sample->period : event->period);
	if (type & PERF_SAMPLE_READ)
		say_read(out, &sample->read, event->format.read_format);
	strbuf_printf(out, " event %s", event->name);
}

static void say_switch(struct strbuf *out, const struct decoded *record)
{
	const struct decoded_switch *swap = &record->ctx_switch;
	const char *how = !swap->out ? "IN" : swap->preempted ? "OUT preempt" : "OUT";

	if (record->type == PERF_RECORD_SWITCH) {
		strbuf_printf(out, "SWITCH %s", how);
		return;
	}
	strbuf_printf(out, "SWITCH_CPU_WIDE %s %s pid/tid: %d/%d", how, swap->out ? "next" : "prev",
		      swap->other_pid, swap->other_tid);
}

static void say_task(struct strbuf *out, const struct decoded *record)
{
	if (record->type == PERF_RECORD_COMM) {
		strbuf_printf(out, "COMM%s: %.*s:%d/%d", record->comm.exec ? " exec" : "",
			      (int)record->comm.name_length, record->comm.name, record->comm.pid,
			      record->comm.tid);
		return;
	}
	strbuf_printf(out, "%s(%d:%d):(%d:%d)", record->type == PERF_RECORD_FORK ? "FORK" : "EXIT",
		      record->fork.pid, record->fork.tid, record->fork.parent_pid,
		      record->fork.parent_tid);
}

/* perf shows the first word of a reading: of a group's the number of its events. */
static void say_counts(struct strbuf *out, const struct decoded *record,
		       const struct perfdata_event *event)
{
	const struct decoded_read *read = &record->counts.read;

	strbuf_printf(
		out, "READ: %d %d %s %" PRIu64, record->counts.pid, record->counts.tid, event->name,
		event->format.read_format & PERF_FORMAT_GROUP ? read->count : read->values[0]);
}

const char *words_of_unused(uint32_t type)
{
	static const char *const names[PERF_RECORD_MAX] = {
		[PERF_RECORD_MMAP] = "MMAP",
		[PERF_RECORD_MMAP2] = "MMAP2",
		[PERF_RECORD_AUX] = "AUX",
		[PERF_RECORD_ITRACE_START] = "ITRACE_START",
		[PERF_RECORD_NAMESPACES] = "NAMESPACES",
		[PERF_RECORD_KSYMBOL] = "KSYMBOL",
		[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
		[PERF_RECORD_CGROUP] = "CGROUP",
		[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	};

	return type < PERF_RECORD_MAX ? names[type] : NULL;
}

void words_of_record(struct strbuf *out, const struct decoded *record,
		     const struct perfdata_event *event)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		say_sample(out, record, event);
		return;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		say_task(out, record);
		return;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		say_switch(out, record);
		return;
	case PERF_RECORD_LOST:
		strbuf_printf(out, "LOST: id:%" PRIu64 ": lost:%" PRIu64, record->lost.id,
			      record->lost.lost);
		return;
	case PERF_RECORD_LOST_SAMPLES:
		strbuf_printf(out, "LOST_SAMPLES: id:%" PRIu64 ": lost samples :%" PRIu64,
			      record->id.id, record->lost.lost);
		return;
	case PERF_RECORD_READ:
		say_counts(out, record, event);
		return;
	case PERF_RECORD_THROTTLE:
		strbuf_add(out, "THROTTLE");
		return;
	case PERF_RECORD_UNTHROTTLE:
		strbuf_add(out, "UNTHROTTLE");
		return;
	default:
		strbuf_add(out, words_of_unused(record->type));
	}
}
