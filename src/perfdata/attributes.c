/*
 * Attributes and ids, as files and pipes have them. perf refuses attributes that are larger than
 * those it knows, and reads those of a pipe's records only with the size they have since Linux
 * 5.13; so a file has them in the smallest size that has all that is used here (the last of it is
 * the clock), which perf knows since Linux 3.7, and a pipe as they are since 5.13.
 *
 * The features of this kernel are not looked at: an attribute in a file says what its records hold,
 * and those are written here (writer_format()).
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/attr.h"

#include "perfdata/bytes.h"
#include "perfdata/features.h"

enum {
	ATTR_FILE_BYTES = 96,  /* PERF_ATTR_SIZE_VER3 */
	ATTR_PIPE_BYTES = 128, /* PERF_ATTR_SIZE_VER7 */
	ID_BYTES = sizeof(uint64_t),
	/* as many ids as a record has room for beside its attribute */
	RECORD_IDS_MAX =
		(DISK_RECORD_MAX - sizeof(struct record_header) - ATTR_PIPE_BYTES) / ID_BYTES
};

static_assert(sizeof(struct perf_event_attr) >= ATTR_PIPE_BYTES, "headers of Linux 5.13 or later");

static_assert(offsetof(struct perf_event_attr, clockid) + sizeof(int32_t) == ATTR_FILE_BYTES,
	      "nothing that is used is cut off");

static const struct attr_features FEATURES = {
	.switch_records = true,
	.comm_exec = true,
	.clockid = true,
};

struct decode_format writer_format(enum writer_event_kind kind)
{
	struct decode_format format = {
		/* perf script refuses events without an IP, even where none have samples */
		.sample_type = (attr_sample_type() & ~(uint64_t)PERF_SAMPLE_READ) | PERF_SAMPLE_IP,
		.read_format = attr_read_format(&FEATURES),
		.sample_id_all = true,
	};

	switch (kind) {
	case WRITER_LEADER:
		format.sample_type |= PERF_SAMPLE_READ;
		break;
	case WRITER_CLOCK_SAMPLES:
	case WRITER_CYCLES_SAMPLES:
	case WRITER_OFF_CPU_SAMPLES:
		format.sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
		break;
	case WRITER_EVENT_SAMPLES:
		format.sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR;
		break;
	case WRITER_WAKER_SAMPLES:
	case WRITER_BRANCH_SAMPLES:
		format.sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
		break;
	case WRITER_ACCESS_SAMPLES:
		format.sample_type |= PERF_SAMPLE_PERIOD;
		attr_set_access(&format);
		break;
	case WRITER_NOTES:
		format.sample_type |= PERF_SAMPLE_RAW;
		break;
	case WRITER_HOLDER:
	case WRITER_MEMBER:
	case WRITER_TIMELINE:
		break;
	}
	return format;
}

/* What no event of the kernel's writes. */
static void init_output(struct perf_event_attr *attr, uint64_t mark)
{
	attr_init_task_leader(attr, &FEATURES, false);
	attr->config = PERF_COUNT_SW_BPF_OUTPUT;
	attr->config1 = mark;
	attr->sample_period = 1;
	attr->disabled = 0;
}

/* An event of which only the name is known gets a dummy. */
static void init_member(struct perf_event_attr *attr, const struct event_spec *spec)
{
	if (!spec) {
		attr_init_task_leader(attr, &FEATURES, false);
		return;
	}
	attr_init_member(attr, spec, &FEATURES);
	if (*spec->target != '\0')
		attr->config1 = 0; /* an address in our memory */
}

static void init_attr(struct perf_event_attr *attr, const struct writer_event *event, int32_t clock)
{
	struct decode_format format = writer_format(event->kind);

	switch (event->kind) {
	case WRITER_LEADER:
		attr_init_switch_leader(attr, &FEATURES);
		break;
	case WRITER_HOLDER:
		attr_init_task_leader(attr, &FEATURES, false);
		break;
	case WRITER_MEMBER:
		init_member(attr, event->spec);
		break;
	case WRITER_TIMELINE:
		attr_init_timeline(attr, &FEATURES, false);
		break;
	case WRITER_CLOCK_SAMPLES:
		attr_init_profiler(attr, &(struct profiler_request){.hz = PROFILER_HZ}, &FEATURES);
		break;
	case WRITER_CYCLES_SAMPLES:
		attr_init_profiler(
			attr, &(struct profiler_request){.is_hardware = true, .hz = PROFILER_HZ},
			&FEATURES);
		break;
	case WRITER_EVENT_SAMPLES:
	case WRITER_OFF_CPU_SAMPLES:
	case WRITER_WAKER_SAMPLES:
	case WRITER_BRANCH_SAMPLES:
		init_output(attr, 0);
		break;
	case WRITER_ACCESS_SAMPLES:
		init_output(attr, 0);
		/* of these perf script shows the access */
		attr->type = PERF_TYPE_RAW;
		attr->config = 0;
		break;
	case WRITER_NOTES:
		init_output(attr, WRITER_NOTES_MARK);
		break;
	}
	attr->sample_type = format.sample_type;
	attr->read_format = format.read_format;
	attr->clockid = clock;
}

static void take_written_event(struct written_event *written, const struct writer_event *event,
			       int32_t clock)
{
	*written = (struct written_event){
		.kind = event->kind,
		.name = xstrdup(event->name),
		.scale = 1,
	};
	init_attr(&written->attr, event, clock);
	if (event->kind == WRITER_MEMBER && event->spec) {
		written->scale = event->spec->scale;
		memcpy(written->unit, event->spec->unit, sizeof(written->unit));
	}
}

void written_events_take(struct written_events *written, const struct writer_event *events,
			 size_t count)
{
	array_reserve(&written->events, &written->capacity, written->count + count,
		      sizeof(*written->events));
	for (size_t i = 0; i < count; i++)
		take_written_event(&written->events[written->count++], &events[i], written->clock);
}

void written_events_fini(struct written_events *written)
{
	for (size_t i = 0; i < written->count; i++)
		free(written->events[i].name);
	free(written->events);
	*written = (struct written_events){0};
}

size_t attributes_entry_bytes(void)
{
	return ATTR_FILE_BYTES + sizeof(struct disk_section);
}

static void append_attr(const struct written_event *event, bool with_format, uint32_t size,
			struct strbuf *buffer)
{
	struct perf_event_attr attr = event->attr;

	if (attr.type == PERF_TYPE_TRACEPOINT && !with_format) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_DUMMY;
	}
	attr.size = size;
	strbuf_add_bytes(buffer, (const char *)&attr, size);
}

/* Of each event: one for each CPU and one of tasks. */
static size_t id_count(const struct written_events *written)
{
	return (size_t)written->cpu_count + 1;
}

static void append_ids(const struct written_events *written, size_t event, size_t count,
		       struct strbuf *buffer)
{
	for (size_t i = 0; i < count; i++)
		codec_put_u64(buffer, writer_id((uint32_t)event,
						(int)i < written->cpu_count ? (int32_t)i : -1));
}

struct disk_section attributes_append(const struct written_events *written, bool has_features,
				      uint64_t offset, struct strbuf *buffer)
{
	const uint64_t ids_bytes = id_count(written) * ID_BYTES;
	const uint64_t first = offset + buffer->length;

	for (size_t i = 0; i < written->count; i++)
		append_ids(written, i, id_count(written), buffer);

	struct disk_section table = {offset + buffer->length,
				     written->count * attributes_entry_bytes()};

	for (size_t i = 0; i < written->count; i++) {
		const struct written_event *event = &written->events[i];

		append_attr(event, has_features && event->has_format, ATTR_FILE_BYTES, buffer);
		codec_put_u64(buffer, first + i * ids_bytes);
		codec_put_u64(buffer, ids_bytes);
	}
	return table;
}

void attributes_emit(const struct written_events *written, size_t first, struct strbuf *buffer)
{
	size_t ids = id_count(written) < RECORD_IDS_MAX ? id_count(written) : RECORD_IDS_MAX;

	for (size_t i = first; i < written->count; i++) {
		bytes_header(buffer, DISK_RECORD_ATTR, 0, ATTR_PIPE_BYTES + ids * ID_BYTES);
		append_attr(&written->events[i], written->events[i].has_format, ATTR_PIPE_BYTES,
			    buffer);
		append_ids(written, i, ids, buffer);
	}
}

/* An EVENT_UPDATE; the event is named by one of its ids. */
static void emit_update(size_t event, enum disk_update what, const void *bytes, size_t size,
			struct strbuf *buffer)
{
	size_t start = buffer->length, padded = (size + 7) / 8 * 8;

	bytes_header(buffer, DISK_RECORD_EVENT_UPDATE, 0, 2 * sizeof(uint64_t) + padded);
	codec_put_u64(buffer, what);
	codec_put_u64(buffer, writer_id((uint32_t)event, -1));
	strbuf_add_bytes(buffer, bytes, size);
	bytes_pad(buffer, start, 8);
}

void attributes_emit_names(const struct written_events *written, size_t first,
			   struct strbuf *buffer)
{
	for (size_t i = first; i < written->count; i++) {
		const struct written_event *event = &written->events[i];

		emit_update(i, DISK_UPDATE_NAME, event->name, strlen(event->name) + 1, buffer);
		if (*event->unit != '\0') {
			emit_update(i, DISK_UPDATE_UNIT, event->unit, strlen(event->unit) + 1,
				    buffer);
			emit_update(i, DISK_UPDATE_SCALE, &event->scale, sizeof(event->scale),
				    buffer);
		}
	}
}

void attributes_describe(const struct written_events *written, struct strbuf *buffer)
{
	codec_put_u32(buffer, (uint32_t)written->count);
	codec_put_u32(buffer, ATTR_FILE_BYTES);
	for (size_t i = 0; i < written->count; i++) {
		const struct written_event *event = &written->events[i];

		append_attr(event, event->has_format, ATTR_FILE_BYTES, buffer);
		codec_put_u32(buffer, (uint32_t)id_count(written));
		bytes_text(buffer, event->name);
		append_ids(written, i, id_count(written), buffer);
	}
}

/* Events of the group that begins there, the leader included; 0: none does. */
static size_t group_size(const struct written_events *written, size_t leader)
{
	size_t next = leader + 1;

	if (written->events[leader].kind != WRITER_LEADER &&
	    written->events[leader].kind != WRITER_HOLDER)
		return 0;
	while (next < written->count && written->events[next].kind == WRITER_MEMBER)
		next++;
	return next - leader;
}

bool attributes_describe_groups(const struct written_events *written, struct strbuf *buffer)
{
	uint32_t groups = 0;

	for (size_t i = 0; i < written->count; i++)
		groups += group_size(written, i) > 1;
	codec_put_u32(buffer, groups);
	for (size_t i = 0; i < written->count; i++) {
		size_t size = group_size(written, i);

		if (size > 1) {
			bytes_text(buffer, "{anon_group}"); /* as perf calls those without name */
			codec_put_u32(buffer, (uint32_t)i);
			codec_put_u32(buffer, (uint32_t)size);
		}
	}
	return groups > 0;
}
