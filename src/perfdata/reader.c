/*
 * The loop over the records. Two wells feed it: the file itself, and the zstd stream that some of
 * its records are pieces of; while the stream has whole records, they come first. Whatever the
 * loop awaits (data behind a record, the rest of a record) is kept in struct perfdata, so that a
 * pipe that has nothing now can be asked again later.
 */

#include "perfdata/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"

#include "perfdata/bswap.h"
#include "perfdata/inside.h"
#include "perfdata/zstd.h"

/* A record as it lies there: the header in our order, the body in that of the file. */
struct raw {
	uint32_t type;
	size_t size;
	const unsigned char *bytes;
	bool is_inner; /* from the compressed stream */
};

enum step {
	STEP_RECORD, /* there is one */
	STEP_AGAIN,  /* something else was done: look again */
	STEP_WAIT,
	STEP_END
};

void perfdata_cut(struct perfdata *file, enum error_code code, const char *a, const char *b)
{
	struct error error = {0};

	if (file->counts.is_truncated)
		return;
	file->counts.is_truncated = true;
	error_set(&error, code, a, b);
	snprintf(file->counts.why, sizeof(file->counts.why), "%s", error.text);
}

/* As perfdata_cut(), and nothing more is read: where the next record begins is not known. */
static enum step stop(struct perfdata *file, enum error_code code, const char *detail)
{
	perfdata_cut(file, code, detail, NULL);
	file->is_stopped = true;
	return STEP_END;
}

static enum step stop_here(struct perfdata *file, enum error_code code)
{
	char place[32];

	snprintf(place, sizeof(place), "%" PRIu64, file->inlet.offset);
	return stop(file, code, place);
}

/* The file has no more bytes: is that its end? */
static enum step end(struct perfdata *file, bool is_between)
{
	if (file->inlet.failure != 0)
		return stop(file, ERROR_PERFDATA_READ, strerror(file->inlet.failure));
	if (!is_between || (file->inflate && inflate_has_rest(file->inflate)))
		return stop_here(file, ERROR_PERFDATA_CUT);
	if (file->data.size > 0 && file->inlet.offset < file->inlet.limit)
		return stop_here(file, ERROR_PERFDATA_CUT_SHORT);
	file->is_stopped = true;
	return STEP_END;
}

static enum step await(struct perfdata *file, enum inlet_result result, bool is_between)
{
	return result == INLET_WAIT ? STEP_WAIT : end(file, is_between);
}

/* Data that lie behind a record and are of no use. */
static enum step skip(struct perfdata *file)
{
	enum inlet_result result = inlet_need(&file->inlet, 1);

	if (result != INLET_READY)
		return await(file, result, false);
	file->skip -= inlet_skip(&file->inlet, file->skip);
	return STEP_AGAIN;
}

/* Data behind HEADER_TRACING_DATA: kept as they come. */
static enum step collect(struct perfdata *file)
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
	if (file->tracing_left == 0) {
		file->info.tracing = file->tracing;
		file->info.tracing_size = file->tracing_size - file->tracing_unused;
	}
	return STEP_AGAIN;
}

/* Takes the header; it is copied where it must be turned. */
static void take_header(const struct perfdata *file, struct raw *raw, const unsigned char *bytes)
{
	struct perf_event_header header;

	memcpy(&header, bytes, sizeof(header));
	if (file->info.is_swapped)
		bswap_header(&header);
	raw->type = header.type;
	raw->size = header.size;
	raw->bytes = bytes;
}

static enum step take_outer(struct perfdata *file, struct raw *raw)
{
	enum inlet_result result = inlet_need(&file->inlet, PERFDATA_HEADER_SIZE);

	if (result != INLET_READY)
		return await(file, result, inlet_available(&file->inlet) == 0);
	take_header(file, raw, inlet_bytes(&file->inlet));
	if (raw->size < PERFDATA_HEADER_SIZE)
		return stop_here(file, ERROR_PERFDATA_BAD_SIZE);
	result = inlet_need(&file->inlet, raw->size);
	if (result != INLET_READY)
		return await(file, result, false);
	raw->bytes = inlet_bytes(&file->inlet);
	raw->is_inner = false;
	/* The bytes stay where they are until more are needed. */
	inlet_advance(&file->inlet, raw->size);
	return STEP_RECORD;
}

static enum step take_inner(struct perfdata *file, struct raw *raw)
{
	const unsigned char *bytes;
	size_t size;

	switch (inflate_next(file->inflate, file->info.is_swapped, &bytes, &size)) {
	case INFLATE_RECORD:
		take_header(file, raw, bytes);
		raw->is_inner = true;
		return STEP_RECORD;
	case INFLATE_HUNGRY:
		file->is_inflating = false;
		return STEP_AGAIN;
	case INFLATE_BROKEN:
		return stop(file, ERROR_PERFDATA_UNPACK, inflate_reason(file->inflate));
	case INFLATE_SIZE:
		return stop_here(file, ERROR_PERFDATA_BAD_SIZE);
	}
	return STEP_END;
}

static enum step begin_piece(struct perfdata *file, const struct raw *raw)
{
	const unsigned char *piece;
	size_t size;

	file->info.is_compressed = true;
	if (!file->inflate)
		file->inflate = inflate_create();
	user_record_piece(file, raw->type, raw->bytes, raw->size, &piece, &size);
	inflate_feed(file->inflate, piece, size);
	file->is_inflating = true;
	return STEP_AGAIN;
}

/* Few ids come again and again. */
static long find_event(struct perfdata *file, uint64_t id)
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

static long event_of(struct perfdata *file, const struct raw *raw, const void *bytes)
{
	const struct event_list *list = &file->events;

	if (list->count <= 1)
		return list->count == 1 ? 0 : EVENT_LIST_NONE;

	/* The place of the id is the same for all events, else it could not be found. */
	uint64_t id = decode_peek_id(bytes, raw->size, &list->all[0].offsets);

	if (file->info.is_swapped)
		id = __builtin_bswap64(id);
	/* What perf wrote itself, of tasks that ran already, has no id. */
	if (id == 0)
		return 0;

	long index = find_event(file, id);

	if (index != EVENT_LIST_NONE)
		return index;
	if (raw->type != PERF_RECORD_SAMPLE)
		return 0;
	return file->info.is_swapped ? EVENT_LIST_NONE
				     : event_list_adopt(list, bytes, raw->size, &file->decoded);
}

/* The record at an aligned place, where it may be changed if it must be. */
static const void *place_of(struct perfdata *file, const struct raw *raw)
{
	if (!file->info.is_swapped && (uintptr_t)raw->bytes % 8 == 0)
		return raw->bytes;
	memcpy(file->record, raw->bytes, raw->size);
	if (file->info.is_swapped)
		bswap_header(file->record);
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

static void fill_plain(struct perfdata_record *record, const struct raw *raw, const void *bytes,
		       const struct sample_offsets *offsets)
{
	record->offsets = offsets;
	record->decoded = NULL;
	record->time_ns = decode_peek_time(bytes, raw->size, offsets);
}

static void fill_decoded(struct perfdata_record *record, const struct decoded *decoded)
{
	record->offsets = NULL;
	record->decoded = decoded;
	record->time_ns = (decoded->id.has & PERF_SAMPLE_TIME) != 0 ? decoded->id.time_ns : 0;
}

static enum step deliver(struct perfdata *file, const struct raw *raw,
			 struct perfdata_record *record)
{
	const void *bytes = place_of(file, raw);
	long index = event_of(file, raw, bytes);

	if (index == EVENT_LIST_NONE) {
		file->counts.broken++;
		return STEP_AGAIN;
	}

	const struct perfdata_event *event = &file->events.all[index];

	if (file->info.is_swapped && !bswap_body(file->record, raw->size, &event->format)) {
		file->counts.broken++;
		return STEP_AGAIN;
	}
	if (file->leaves_plain && decode_is_plain(&event->offsets, bytes, raw->size))
		fill_plain(record, raw, bytes, &event->offsets);
	else if (is_decoded(file, raw, bytes, &event->format))
		fill_decoded(record, &file->decoded);
	else
		return STEP_AGAIN;
	record->bytes = bytes;
	record->size = raw->size;
	record->event = (size_t)index;
	record->has_news = file->has_news;
	file->has_news = false;
	file->counts.records++;
	return STEP_RECORD;
}

static enum step take_raw(struct perfdata *file, struct raw *raw)
{
	if (file->is_stopped)
		return STEP_END;
	if (file->is_inflating)
		return take_inner(file, raw);
	if (file->tracing_left > 0)
		return collect(file);
	return file->skip > 0 ? skip(file) : take_outer(file, raw);
}

static enum step use(struct perfdata *file, const struct raw *raw, struct perfdata_record *record,
		     bool *is_round)
{
	if (!user_record_is(raw->type))
		return deliver(file, raw, record);
	note_news(file);
	switch (user_record_take(file, raw->type, raw->bytes, raw->size, raw->is_inner)) {
	case USER_RECORD_DONE:
		return STEP_AGAIN;
	case USER_RECORD_ROUND:
		*is_round = true;
		return STEP_AGAIN;
	case USER_RECORD_COMPRESSED:
		return begin_piece(file, raw);
	case USER_RECORD_STOP:
		return stop_here(file, ERROR_PERFDATA_BAD_PLACE);
	}
	return STEP_END;
}

enum perfdata_result perfdata_next(struct perfdata *file, struct perfdata_record *record)
{
	enum step step = STEP_AGAIN;
	bool is_round = false;

	while (step == STEP_AGAIN) {
		struct raw raw = {0};

		step = take_raw(file, &raw);
		if (step != STEP_RECORD)
			continue;
		step = use(file, &raw, record, &is_round);
		if (is_round)
			break;
	}
	file->counts.bytes = file->inlet.offset;
	if (is_round)
		return PERFDATA_ROUND;
	if (step == STEP_RECORD)
		return PERFDATA_RECORD;
	return step == STEP_WAIT ? PERFDATA_WAIT : PERFDATA_END;
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
	if (!file->info.has_clock && file->events.has_clock) {
		file->info.has_clock = true;
		file->info.clock = file->events.clock;
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
	free(file->tracing);
	free(file);
}

void perfdata_decode_plain(struct perfdata *file, bool is_wanted)
{
	file->leaves_plain = !is_wanted;
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
