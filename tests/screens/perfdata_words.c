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

static void say_regs(struct strbuf *out, const char *kind, uint64_t mask, uint64_t abi,
		     const uint64_t *regs, uint64_t count)
{
	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	strbuf_printf(out, " ... %s regs: mask 0x%" PRIx64 " ABI %s", kind, mask,
		      abi == PERF_SAMPLE_REGS_ABI_64 ? "64-bit" : "32-bit");
	for (uint64_t i = 0; i < count; i++)
		strbuf_printf(out, " reg %#" PRIx64, regs[i]);
}

static void say_state(struct strbuf *out, const struct decoded_sample *sample,
		      const struct decode_format *format, const char *start)
{
	uint64_t type = format->sample_type;

	if (type & PERF_SAMPLE_REGS_USER) {
		say_regs(out, "user", format->user_regs, sample->user_abi, sample->user_regs,
			 sample->user_reg_count);
	}
	if ((type & PERF_SAMPLE_REGS_INTR)) {
		say_regs(out, "intr", format->intr_regs, sample->intr_abi, sample->intr_regs,
			 sample->intr_reg_count);
	}
	if ((type & PERF_SAMPLE_STACK_USER) && sample->user_stack.size > 0) {
		strbuf_printf(out, " ... ustack: size %" PRIu64 ", offset 0x%zx",
			      sample->user_stack_dynamic_size,
			      (size_t)((const char *)sample->user_stack.bytes - start) -
				      sizeof(struct perf_event_header));
	}
	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		strbuf_printf(out, " ... weight: %" PRIu32 ",0x%x,0x%x", (uint32_t)sample->weight,
			      (unsigned)(sample->weight >> 32 & 0xffff),
			      (unsigned)(sample->weight >> 48));
	} else if (type & PERF_SAMPLE_WEIGHT) {
		strbuf_printf(out, " ... weight: %" PRIu64, sample->weight);
	}
	if (type & PERF_SAMPLE_DATA_SRC)
		strbuf_printf(out, " . data_src: 0x%" PRIx64, sample->data_src);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		strbuf_printf(out, " .. phys_addr: 0x%" PRIx64, sample->phys_addr);
}

static void say_sample(struct strbuf *out, const struct decoded *record,
		       const struct perfdata_event *event, const char *start)
{
	const struct decoded_sample *sample = &record->sample;
	uint64_t type = event->format.sample_type;
	bool has_tid = type & PERF_SAMPLE_TID, has_addr = type & PERF_SAMPLE_ADDR;

	strbuf_printf(out,
		      "SAMPLE(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64,
		      record->misc, has_tid ? record->id.pid : -1, has_tid ? record->id.tid : -1,
		      type & PERF_SAMPLE_IP ? sample->ip : 0,
		      type & PERF_SAMPLE_PERIOD ? sample->period : event->period,
		      has_addr ? sample->addr : 0);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		strbuf_printf(out, " ... FP chain: nr:%" PRIu64, sample->callchain_count);
		for (uint64_t i = 0; i < sample->callchain_count; i++) {
			strbuf_printf(out, " ..... %" PRIu64 ": %016" PRIx64, i,
				      sample->callchain[i]);
		}
	}
	say_state(out, sample, &event->format, start);
	if (type & PERF_SAMPLE_READ)
		say_read(out, &sample->read, event->format.read_format);
	strbuf_printf(out, " event %s", event->name);
}

static void say_mmap2(struct strbuf *out, const struct decoded_mmap *map)
{
	strbuf_printf(out, "MMAP2 %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 " ", map->pid,
		      map->tid, map->address, map->length, map->page_offset);
	if (map->has_build_id) {
		strbuf_add(out, "<");
		for (int i = 0; i < map->build_id_size; i++)
			strbuf_printf(out, "%02x", map->build_id[i]);
		strbuf_add(out, ">]: ");
	} else {
		strbuf_printf(out, "%02x:%02x %" PRIu64 " %" PRIu64 "]: ", map->major, map->minor,
			      map->inode, map->inode_generation);
	}
	strbuf_printf(out, "%c%c%c%c ", map->protection & 1 ? 'r' : '-',
		      map->protection & 2 ? 'w' : '-', map->protection & 4 ? 'x' : '-',
		      map->flags & 1 ? 's' : 'p');
	strbuf_add_bytes(out, map->file, map->file_length);
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

const char *name_of_unread(uint32_t type)
{
	static const char *const names[PERF_RECORD_MAX] = {
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
		     const struct perfdata_event *event, const char *start)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		say_sample(out, record, event, start);
		return;
	case PERF_RECORD_MMAP:
		strbuf_printf(out,
			      "MMAP %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 "]: %c %.*s",
			      record->mmap.pid, record->mmap.tid, record->mmap.address,
			      record->mmap.length, record->mmap.page_offset,
			      record->mmap.is_data ? 'r' : 'x', (int)record->mmap.file_length,
			      record->mmap.file);
		return;
	case PERF_RECORD_MMAP2:
		say_mmap2(out, &record->mmap);
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
		strbuf_add(out, name_of_unread(record->type) ? name_of_unread(record->type) : "?");
	}
}
