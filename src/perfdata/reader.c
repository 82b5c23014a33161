/*
 * The loop over the records. Two wells feed it: the file itself, and the zstd stream that some of
 * its records are pieces of; while the stream has whole records, they come first. Whatever the
 * loop awaits (data behind a record, the rest of a record) is kept in struct perfdata, so that a
 * pipe that has nothing now can be asked again later.
 */

#include "perfdata/reader.h"

#include <assert.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/decode.h"

#include "perfdata/build_ids.h"
#include "perfdata/disk.h"
#include "perfdata/inside.h"
#include "perfdata/tracing.h"
#include "perfdata/zstd.h"

/* A record as it lies there: the header in our order, the body in that of the file. */
struct raw {
	uint32_t type;
	size_t size;
	const unsigned char *bytes;
	bool is_inner; /* from the compressed stream */
};

/* A step of the loop ends with one of its results, or: something else was done, look again. */
enum {
	STEP_AGAIN = PERFDATA_END + 1
};

void perfdata_cut(struct perfdata *file, enum error_code code, const char *detail)
{
	struct error error = {0};

	if (file->counts.is_truncated)
		return;
	file->counts.is_truncated = true;
	error_set(&error, code, detail, NULL);
	snprintf(file->counts.why, sizeof(file->counts.why), "%s", error.text);
}

/* As perfdata_cut(), and nothing more is read: where the next record begins is not known. */
static int stop(struct perfdata *file, enum error_code code, const char *detail)
{
	perfdata_cut(file, code, detail);
	file->is_stopped = true;
	return PERFDATA_END;
}

static int stop_here(struct perfdata *file, enum error_code code)
{
	char place[32];

	snprintf(place, sizeof(place), "%" PRIu64, file->inlet.offset);
	return stop(file, code, place);
}

/* The file has no more bytes: is that its end? */
static int end_of_records(struct perfdata *file, bool is_between)
{
	if (file->inlet.failure != 0)
		return stop(file, ERROR_PERFDATA_READ, strerror(file->inlet.failure));
	if (!is_between || (file->inflate && inflate_has_rest(file->inflate)))
		return stop_here(file, ERROR_PERFDATA_CUT);
	if (file->data.size > 0 && file->inlet.offset < file->inlet.limit)
		return stop_here(file, ERROR_PERFDATA_CUT_SHORT);
	file->is_stopped = true;
	return PERFDATA_END;
}

static int await(struct perfdata *file, enum inlet_result result, bool is_between)
{
	return result == INLET_WAIT ? PERFDATA_WAIT : end_of_records(file, is_between);
}

/* Data that lie behind a record and are of no use. */
static int skip_unused(struct perfdata *file)
{
	enum inlet_result result = inlet_need(&file->inlet, 1);

	if (result != INLET_READY)
		return await(file, result, false);
	file->skip -= inlet_skip(&file->inlet, file->skip);
	return STEP_AGAIN;
}

/* Data behind HEADER_TRACING_DATA: kept as they come. */
static int collect_tracing(struct perfdata *file)
{
	enum inlet_result result = inlet_need(&file->inlet, 1);
	size_t count = inlet_available(&file->inlet);

	if (result != INLET_READY)
		return await(file, result, false);
	if (count > file->tracing_left)
		count = (size_t)file->tracing_left;
	array_reserve(&file->tracing, &file->tracing_capacity, file->tracing_size + count, 1);
	memcpy(file->tracing + file->tracing_size, inlet_bytes(&file->inlet), count);
	inlet_advance(&file->inlet, count);
	file->tracing_size += count;
	file->tracing_left -= count;
	if (file->tracing_left == 0)
		tracing_take(file, file->tracing_size - file->tracing_unused);
	return STEP_AGAIN;
}

static void take_record_header(struct raw *raw, const unsigned char *bytes)
{
	const struct record_header header = bytes_take_header(bytes);

	raw->type = header.type;
	raw->size = header.size;
	raw->bytes = bytes;
}

static int take_outer(struct perfdata *file, struct raw *raw)
{
	enum inlet_result result = inlet_need(&file->inlet, sizeof(struct record_header));

	if (result != INLET_READY)
		return await(file, result, inlet_available(&file->inlet) == 0);
	take_record_header(raw, inlet_bytes(&file->inlet));
	if (raw->size < sizeof(struct record_header))
		return stop_here(file, ERROR_PERFDATA_BAD_SIZE);
	result = inlet_need(&file->inlet, raw->size);
	if (result != INLET_READY)
		return await(file, result, false);
	raw->bytes = inlet_bytes(&file->inlet);
	raw->is_inner = false;
	/* The bytes stay where they are until more are needed. */
	inlet_advance(&file->inlet, raw->size);
	return PERFDATA_RECORD;
}

static int take_inner(struct perfdata *file, struct raw *raw)
{
	const unsigned char *bytes;
	size_t size;

	switch (inflate_next(file->inflate, &bytes, &size)) {
	case INFLATE_RECORD:
		take_record_header(raw, bytes);
		raw->is_inner = true;
		return PERFDATA_RECORD;
	case INFLATE_HUNGRY:
		file->is_inflating = false;
		return STEP_AGAIN;
	case INFLATE_BROKEN:
		return stop(file, ERROR_PERFDATA_UNPACK, inflate_reason(file->inflate));
	case INFLATE_SIZE:
		return stop_here(file, ERROR_PERFDATA_BAD_SIZE);
	}
	return PERFDATA_END;
}

static struct codec body_of(const struct raw *raw)
{
	const size_t header = sizeof(struct record_header);

	return codec_of(raw->bytes + header, raw->size - header);
}

static int begin_compressed(struct perfdata *file, const struct raw *raw)
{
	struct codec body = body_of(raw);

	if (!file->inflate)
		file->inflate = inflate_create();
	/* The younger kind is filled up to 8 bytes and says how many of them count. */
	if (raw->type == DISK_RECORD_COMPRESSED2) {
		uint64_t used = codec_u64(&body);

		if (used < codec_left(&body))
			body.end = body.at + used;
	}
	inflate_feed(file->inflate, body.at, codec_left(&body));
	file->is_inflating = true;
	return STEP_AGAIN;
}

/*
 * Records that perf itself writes between those of the kernel (types from 64 on): only what is
 * needed to read the kernel's is understood, attributes, names, features. The rest is left out by
 * its size and counted. Two kinds have data behind the record, which its size does not include:
 * AUXTRACE and perf's HEADER_TRACING_DATA. Neither these nor compressed ones can be in a compressed
 * stream: what follows cannot be found.
 */
/* The attribute says its own size; what is behind it are ids. */
static bool take_attribute(struct perfdata *file, struct codec body)
{
	struct codec peek = body;

	codec_u32(&peek); /* type */

	uint32_t size = codec_u32(&peek);
	const unsigned char *bytes = codec_bytes(&body, NULL, size > 0 ? size : DISK_ATTR_LEAST);

	if (!bytes)
		return false;

	size_t index = file->events.count;

	if (!event_list_add(&file->events, codec_of(bytes, (size_t)(body.at - bytes))))
		return false;
	tracing_name_events(file, index);
	return event_list_add_ids(&file->events, index, &body,
				  codec_left(&body) / sizeof(uint64_t));
}

/* A recording that is read once more has its events already. */
static void meet_attribute(struct perfdata *file, struct codec body)
{
	file->attributes_met++;
	if (file->attributes_met <= file->attributes_known)
		return;
	file->attributes_known++;
	if (take_attribute(file, body))
		return;
	if (file->events.is_full)
		file->info.is_large = true;
	else
		file->counts.broken++;
}

static void take_update(struct perfdata *file, struct codec body)
{
	uint64_t type = codec_u64(&body);
	long index = event_list_find(&file->events, codec_u64(&body));
	uint64_t bits;
	double scale;

	if (index == EVENT_LIST_NONE)
		return;

	struct perfdata_event *event = &file->events.all[index];

	switch (type) {
	case DISK_UPDATE_UNIT:
		bytes_take_rest(&body, event->unit, sizeof(event->unit));
		break;
	case DISK_UPDATE_SCALE:
		bits = codec_u64(&body);
		memcpy(&scale, &bits, sizeof(scale));
		if (!body.has_failed && scale > 0 && scale < 1e300)
			event->scale = scale;
		break;
	case DISK_UPDATE_NAME:
		if (codec_left(&body) > 0 && *body.at != '\0')
			bytes_take_rest(&body, event->name, sizeof(event->name));
		break;
	default:
		break;
	}
}

static int begin_tracing(struct perfdata *file, struct codec body, bool is_inner)
{
	uint32_t size = codec_u32(&body);
	uint64_t filled = ((uint64_t)size + 7) & ~UINT64_C(7);

	/* simpleperf has them in the record itself */
	if (size > 0 && size <= codec_left(&body)) {
		feature_take(file, DISK_TRACING_DATA, codec_of(body.at, size));
		return STEP_AGAIN;
	}
	if (is_inner)
		return stop_here(file, ERROR_PERFDATA_BAD_PLACE);
	/* Once is enough: of a second one, or when a recording is read again. */
	if (file->info.tracing || filled > PERFDATA_SECTION_MAX) {
		file->skip = filled;
		return STEP_AGAIN;
	}
	file->tracing_size = 0;
	file->tracing_left = filled;
	file->tracing_unused = (size_t)(filled - size);
	return STEP_AGAIN;
}

/* What the hardware wrote of its own is for perf to decode. Its number is perf's (auxtrace_type).
 */
static void take_trace_info(struct perfdata *file, struct codec body)
{
	static const char *const pmus[] = {"an unknown PMU", "intel_pt",     "intel_bts", "cs_etm",
					   "arm_spe",        "s390 cpum_sf", "hisi_ptt"};
	const uint32_t kind = codec_u32(&body);

	file->counts.trace = pmus[kind < sizeof(pmus) / sizeof(pmus[0]) ? kind : 0];
}

static int skip_auxtrace(struct perfdata *file, struct codec body, bool is_inner)
{
	if (!file->counts.trace)
		file->counts.trace = "an unknown PMU";
	if (is_inner)
		return stop_here(file, ERROR_PERFDATA_BAD_PLACE);
	file->skip = codec_u64(&body);
	return STEP_AGAIN;
}

static int take_user_record(struct perfdata *file, const struct raw *raw)
{
	struct codec body = body_of(raw);
	uint64_t feature;

	switch ((enum disk_type)raw->type) {
	case DISK_RECORD_ATTR:
		meet_attribute(file, body);
		return STEP_AGAIN;
	case DISK_RECORD_EVENT_UPDATE:
		take_update(file, body);
		return STEP_AGAIN;
	case DISK_RECORD_FEATURE:
		feature = codec_u64(&body);
		feature_take(file, feature, body);
		return STEP_AGAIN;
	case DISK_RECORD_TRACING_DATA:
		return begin_tracing(file, body, raw->is_inner);
	case DISK_RECORD_AUXTRACE:
		return skip_auxtrace(file, body, raw->is_inner);
	case DISK_RECORD_FINISHED_ROUND:
		return PERFDATA_ROUND;
	case DISK_RECORD_COMPRESSED:
	case DISK_RECORD_COMPRESSED2:
		return raw->is_inner ? stop_here(file, ERROR_PERFDATA_BAD_PLACE)
				     : begin_compressed(file, raw);
	case DISK_RECORD_BUILD_ID:
		build_id_take(file, raw->bytes, raw->size);
		return STEP_AGAIN;
	case DISK_RECORD_STAT_CONFIG:
	case DISK_RECORD_STAT:
	case DISK_RECORD_STAT_ROUND:
		file->counts.has_stat = true;
		return STEP_AGAIN;
	case DISK_RECORD_AUXTRACE_INFO:
		take_trace_info(file, body);
		return STEP_AGAIN;
	case DISK_RECORD_EVENT_TYPE:
	case DISK_RECORD_ID_INDEX:
	case DISK_RECORD_AUXTRACE_ERROR:
	case DISK_RECORD_THREAD_MAP:
	case DISK_RECORD_CPU_MAP:
	case DISK_RECORD_TIME_CONV:
	case DISK_RECORD_FINISHED_INIT:
		return STEP_AGAIN;
	}
	file->counts.unknown++;
	return STEP_AGAIN;
}

/* Few ids come again and again. */
long perfdata_find_event(struct perfdata *file, uint64_t id)
{
	struct recent *recent = &file->recent[id % PERFDATA_RECENT];

	if (recent->id != id)
		*recent = (struct recent){id, event_list_find(&file->events, id)};
	return recent->event;
}

/* Perf itself reports something: events may be others from here on. */
static void note_news(struct perfdata *file)
{
	file->has_news = true;
	memset(file->recent, 0, sizeof(file->recent));
}

static long event_of_raw(struct perfdata *file, const struct raw *raw, const void *bytes)
{
	const struct event_list *list = &file->events;

	if (list->count <= 1)
		return list->count == 1 ? 0 : EVENT_LIST_NONE;

	/* The place of the id is the same for all events, else it could not be found. */
	uint64_t id = decode_peek_id(bytes, raw->size, &list->all[0].offsets);

	/* What perf wrote itself, of tasks that ran already, has no id. */
	if (id == 0)
		return 0;

	long index = perfdata_find_event(file, id);

	if (index != EVENT_LIST_NONE)
		return index;
	if (raw->type != DECODED_SAMPLE)
		return 0;
	return event_list_adopt(list, bytes, raw->size, &file->decoded);
}

/* The record at an aligned place. */
static const void *aligned_bytes(struct perfdata *file, const struct raw *raw)
{
	assert(raw->bytes);
	if ((uintptr_t)raw->bytes % 8 == 0)
		return raw->bytes;
	memcpy(file->record, raw->bytes, raw->size);
	return file->record;
}

static bool is_decoded(struct perfdata *file, const struct raw *raw, const void *bytes,
		       const struct decode_format *format)
{
	switch (decode_record(&file->decoded, bytes, raw->size, format)) {
	case DECODE_OK:
		return true;
	case DECODE_UNKNOWN:
		file->counts.unknown++;
		return false;
	case DECODE_BROKEN:
		file->counts.broken++;
		return false;
	}
	return false;
}

static int deliver(struct perfdata *file, const struct raw *raw, struct perfdata_record *record)
{
	const void *bytes = aligned_bytes(file, raw);
	long index = event_of_raw(file, raw, bytes);

	if (index == EVENT_LIST_NONE) {
		file->counts.broken++;
		return STEP_AGAIN;
	}

	if (!is_decoded(file, raw, bytes, &file->events.all[index].format))
		return STEP_AGAIN;
	*record = (struct perfdata_record){
		.bytes = bytes,
		.size = raw->size,
		.event = (size_t)index,
		.has_news = file->has_news,
		.decoded = &file->decoded,
	};
	if (file->decoded.id.has & DECODED_HAS_TIME)
		record->time_ns = file->decoded.id.time_ns;
	file->has_news = false;
	file->counts.records++;
	return PERFDATA_RECORD;
}

static int take_next_raw(struct perfdata *file, struct raw *raw)
{
	if (file->is_stopped)
		return PERFDATA_END;
	if (file->is_inflating)
		return take_inner(file, raw);
	if (file->tracing_left > 0)
		return collect_tracing(file);
	return file->skip > 0 ? skip_unused(file) : take_outer(file, raw);
}

enum perfdata_result perfdata_next(struct perfdata *file, struct perfdata_record *record)
{
	int step = STEP_AGAIN;

	if (file->has_ahead) {
		*record = file->ahead;
		file->has_ahead = false;
		return PERFDATA_RECORD;
	}
	while (step == STEP_AGAIN) {
		struct raw raw = {0};

		step = take_next_raw(file, &raw);
		if (step != PERFDATA_RECORD)
			continue;
		if (raw.type < DISK_RECORD_ATTR) {
			step = deliver(file, &raw, record);
			continue;
		}
		note_news(file);
		step = take_user_record(file, &raw);
	}
	file->counts.bytes = file->inlet.offset;
	return (enum perfdata_result)step;
}

struct perfdata *perfdata_open(const char *path, struct error *error)
{
	struct perfdata *file = xcalloc(1, sizeof(*file));

	if (!inlet_open(&file->inlet, path, error)) {
		free(file);
		return NULL;
	}
	if (!header_read(file, path, error)) {
		perfdata_close(file);
		return NULL;
	}
	file->counts.bytes = file->inlet.offset;
	file->at_start = file->counts;
	note_news(file);
	return file;
}

void perfdata_close(struct perfdata *file)
{
	if (!file)
		return;
	inlet_close(&file->inlet);
	event_list_fini(&file->events);
	inflate_destroy(file->inflate);
	topology_fini(&file->info.topology);
	build_ids_destroy(file->build_ids);
	tracing_formats_destroy(file->formats);
	free(file->tracing);
	free(file);
}

void perfdata_await(const struct perfdata *file)
{
	struct pollfd waiting = {.fd = perfdata_fd(file), .events = POLLIN};

	if (waiting.fd >= 0)
		poll(&waiting, 1, -1);
}

void perfdata_read_ahead(struct perfdata *file)
{
	enum perfdata_result result;

	do {
		result = perfdata_next(file, &file->ahead);
		if (result == PERFDATA_WAIT)
			perfdata_await(file);
	} while (result != PERFDATA_RECORD && result != PERFDATA_END);
	file->has_ahead = result == PERFDATA_RECORD;
}

void perfdata_stop(struct perfdata *file)
{
	file->is_stopped = true;
	file->has_ahead = false;
}

bool perfdata_rewind(struct perfdata *file)
{
	if (!file->inlet.is_file)
		return false;
	inlet_seek(&file->inlet, file->data.offset);
	if (file->inflate)
		inflate_restart(file->inflate);
	note_news(file);
	file->is_inflating = false;
	file->is_stopped = false;
	file->skip = 0;
	file->tracing_left = 0;
	file->attributes_met = 0;
	file->counts = file->at_start;
	return true;
}

const struct perfdata_event *perfdata_events(const struct perfdata *file, size_t *count)
{
	*count = file->events.count;
	return file->events.all;
}

const struct perfdata_info *perfdata_info(const struct perfdata *file)
{
	return &file->info;
}

const struct perfdata_counts *perfdata_counts(const struct perfdata *file)
{
	return &file->counts;
}

int perfdata_fd(const struct perfdata *file)
{
	return file->inlet.is_file ? -1 : file->inlet.fd;
}
