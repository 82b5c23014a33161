/*
 * Only what is needed to read the kernel's records is understood: attributes, names, features. The
 * rest is left out by its size and counted. Two kinds have data behind the record, which its size
 * does not include: AUXTRACE and HEADER_TRACING_DATA.
 */

#include <string.h>

#include <linux/perf_event.h>

#include "perfdata/bytes.h"
#include "perfdata/disk.h"
#include "perfdata/inside.h"

bool user_record_is(uint32_t type)
{
	return type >= DISK_RECORD_ATTR;
}

/* The attribute says its own size; what is behind it are ids. */
static bool take_attribute(struct perfdata *file, struct fields body)
{
	struct fields peek = body;

	fields_u32(&peek); /* type */

	uint32_t size = fields_u32(&peek);
	const unsigned char *bytes = fields_bytes(&body, size > 0 ? size : PERF_ATTR_SIZE_VER0);

	if (!bytes)
		return false;

	size_t index = file->events.count;

	return event_list_add(&file->events,
			      fields_of(bytes, (size_t)(body.at - bytes), body.is_swapped)) &&
	       event_list_add_ids(&file->events, index, &body,
				  fields_left(&body) / sizeof(uint64_t));
}

/* A recording that is read once more has its events already. */
static void meet_attribute(struct perfdata *file, struct fields body)
{
	file->attributes_met++;
	if (file->attributes_met <= file->attributes_known)
		return;
	file->attributes_known++;
	if (!take_attribute(file, body))
		file->counts.broken++;
	if (!file->info.has_clock && file->events.has_clock) {
		file->info.has_clock = true;
		file->info.clock = file->events.clock;
	}
}

static void take_update(struct perfdata *file, struct fields body)
{
	uint64_t type = fields_u64(&body);
	long index = event_list_find(&file->events, fields_u64(&body));
	uint64_t bits;
	double scale;

	if (index == EVENT_LIST_NONE)
		return;

	struct perfdata_event *event = &file->events.all[index];

	switch (type) {
	case DISK_UPDATE_UNIT:
		fields_rest(&body, event->unit, sizeof(event->unit));
		break;
	case DISK_UPDATE_SCALE:
		bits = fields_u64(&body);
		memcpy(&scale, &bits, sizeof(scale));
		if (!body.is_short && scale > 0 && scale < 1e300)
			event->scale = scale;
		break;
	case DISK_UPDATE_NAME:
		if (fields_left(&body) > 0 && *body.at != '\0')
			fields_rest(&body, event->name, sizeof(event->name));
		break;
	default:
		break;
	}
}

static enum user_record begin_tracing(struct perfdata *file, struct fields body, bool is_inner)
{
	uint32_t size = fields_u32(&body);
	uint64_t filled = ((uint64_t)size + 7) & ~UINT64_C(7);

	if (is_inner)
		return USER_RECORD_STOP;
	/* Once is enough: of a second one, or when a recording is read again. */
	if (file->info.tracing || filled > PERFDATA_SECTION_MAX) {
		file->skip = filled;
		return USER_RECORD_DONE;
	}
	file->tracing_size = 0;
	file->tracing_left = filled;
	file->tracing_unused = (size_t)(filled - size);
	return USER_RECORD_DONE;
}

static enum user_record skip_auxtrace(struct perfdata *file, struct fields body, bool is_inner)
{
	file->counts.skipped++;
	if (is_inner)
		return USER_RECORD_STOP;
	file->skip = fields_u64(&body);
	return USER_RECORD_DONE;
}

enum user_record user_record_take(struct perfdata *file, uint32_t type, const unsigned char *bytes,
				  size_t size, bool is_inner)
{
	struct fields body = fields_of(bytes + PERFDATA_HEADER_SIZE, size - PERFDATA_HEADER_SIZE,
				       file->info.is_swapped);
	uint64_t feature;

	switch ((enum disk_type)type) {
	case DISK_RECORD_ATTR:
		meet_attribute(file, body);
		return USER_RECORD_DONE;
	case DISK_RECORD_EVENT_UPDATE:
		take_update(file, body);
		return USER_RECORD_DONE;
	case DISK_RECORD_FEATURE:
		feature = fields_u64(&body);
		feature_in_take(file, feature, body);
		return USER_RECORD_DONE;
	case DISK_RECORD_TRACING_DATA:
		return begin_tracing(file, body, is_inner);
	case DISK_RECORD_AUXTRACE:
		return skip_auxtrace(file, body, is_inner);
	case DISK_RECORD_FINISHED_ROUND:
		return USER_RECORD_ROUND;
	case DISK_RECORD_COMPRESSED:
	case DISK_RECORD_COMPRESSED2:
		return is_inner ? USER_RECORD_STOP : USER_RECORD_COMPRESSED;
	case DISK_RECORD_EVENT_TYPE:
	case DISK_RECORD_BUILD_ID:
	case DISK_RECORD_ID_INDEX:
	case DISK_RECORD_AUXTRACE_INFO:
	case DISK_RECORD_AUXTRACE_ERROR:
	case DISK_RECORD_THREAD_MAP:
	case DISK_RECORD_CPU_MAP:
	case DISK_RECORD_STAT_CONFIG:
	case DISK_RECORD_STAT:
	case DISK_RECORD_STAT_ROUND:
	case DISK_RECORD_TIME_CONV:
	case DISK_RECORD_FINISHED_INIT:
		file->counts.skipped++;
		return USER_RECORD_DONE;
	}
	file->counts.unknown++;
	return USER_RECORD_DONE;
}

void user_record_piece(const struct perfdata *file, uint32_t type, const unsigned char *bytes,
		       size_t size, const unsigned char **piece, size_t *piece_size)
{
	struct fields body = fields_of(bytes + PERFDATA_HEADER_SIZE, size - PERFDATA_HEADER_SIZE,
				       file->info.is_swapped);

	/* The younger kind is filled up to 8 bytes and says how many of them count. */
	if (type == DISK_RECORD_COMPRESSED2) {
		uint64_t used = fields_u64(&body);

		if (used < fields_left(&body))
			body.end = body.at + used;
	}
	*piece = body.at;
	*piece_size = fields_left(&body);
}
