/*
 * Features by their numbers. Files have them in that order, each with a section in a table that
 * begins where the data ends; readers rely on both.
 */

#include "kernel/perfdata/complete.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernel/perfdata/bytes.h"
#include "kernel/perfdata/tracing.h"

enum {
	FEATURE_RECORD_BYTES = sizeof(struct perf_event_header) + sizeof(uint64_t),
	TRACING_RECORD_BYTES = sizeof(struct perf_event_header) + sizeof(uint32_t)
};

void feature_bodies_fini(struct feature_bodies *features)
{
	for (size_t i = 0; i < DISK_FEATURES; i++)
		strbuf_fini(&features->bodies[i]);
}

void feature_bodies_describe(struct feature_bodies *features, const struct written_events *events)
{
	struct strbuf *groups = &features->bodies[DISK_GROUP_DESC];

	strbuf_clear(&features->bodies[DISK_EVENT_DESC]);
	attributes_describe(events, &features->bodies[DISK_EVENT_DESC]);
	strbuf_clear(groups);
	if (!attributes_describe_groups(events, groups))
		strbuf_clear(groups);
}

bool feature_bodies_trace(struct feature_bodies *features, struct written_events *events,
			  const char *tracefs)
{
	struct tracing_query *queries = xcalloc(events->count, sizeof(*queries));
	struct strbuf *body = &features->bodies[DISK_TRACING_DATA];
	size_t count = 0, met = 0;

	for (size_t i = 0; i < events->count; i++) {
		const struct written_event *event = &events->events[i];

		if (event->attr.type == PERF_TYPE_TRACEPOINT) {
			queries[count++] = (struct tracing_query){.id = event->attr.config,
								  .name = event->name};
		}
	}
	strbuf_clear(body);
	tracing_append(tracefs, queries, count, body);
	count = 0;
	for (size_t i = 0; i < events->count; i++) {
		struct written_event *event = &events->events[i];

		if (event->attr.type == PERF_TYPE_TRACEPOINT) {
			event->has_format = queries[count++].is_met;
			met += event->has_format;
		}
	}
	free(queries);
	return met == count;
}

void feature_bodies_append(const struct feature_bodies *features, uint64_t offset,
			   uint64_t bits[static DISK_FEATURE_WORDS], struct strbuf *buffer)
{
	size_t count = 0;

	for (size_t i = 0; i < DISK_FEATURES; i++) {
		if (features->bodies[i].length > 0) {
			bits[i / 64] |= UINT64_C(1) << i % 64;
			count++;
		}
	}

	uint64_t next = offset + buffer->length + count * sizeof(struct disk_section);

	for (size_t i = 0; i < DISK_FEATURES; i++) {
		if (features->bodies[i].length > 0) {
			bytes_u64(buffer, next);
			bytes_u64(buffer, features->bodies[i].length);
			next += features->bodies[i].length;
		}
	}
	for (size_t i = 0; i < DISK_FEATURES; i++) {
		const struct strbuf *body = &features->bodies[i];

		strbuf_add_bytes(buffer, body->text, body->length);
	}
}

void feature_emit(enum disk_feature feature, const struct strbuf *body, struct strbuf *buffer)
{
	if (body->length == 0 || body->length > DISK_RECORD_MAX - FEATURE_RECORD_BYTES)
		return;
	bytes_header(buffer, DISK_RECORD_FEATURE, FEATURE_RECORD_BYTES + body->length);
	bytes_u64(buffer, feature);
	strbuf_add_bytes(buffer, body->text, body->length);
}

void feature_bodies_emit(const struct feature_bodies *features, struct strbuf *buffer)
{
	for (unsigned int i = 0; i < DISK_FEATURES; i++)
		if (i != DISK_TRACING_DATA && i != DISK_BUILD_ID)
			feature_emit((enum disk_feature)i, &features->bodies[i], buffer);
}

void feature_emit_tracing(const struct strbuf *body, struct strbuf *buffer)
{
	size_t padded = (body->length + 7) / 8 * 8;

	bytes_header(buffer, DISK_RECORD_TRACING_DATA, TRACING_RECORD_BYTES);
	bytes_u32(buffer, (uint32_t)padded);
	strbuf_add_bytes(buffer, body->text, body->length);
	strbuf_add_repeated(buffer, '\0', padded - body->length);
}
