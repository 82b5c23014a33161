#ifndef PERFTOP_TESTS_RECORDING_KIT_H
#define PERFTOP_TESTS_RECORDING_KIT_H

/*
 * A recording that is read while it is written: each record's bytes are decoded as a file's reader
 * would do it, by the event that its id says it is of, and handed to the recording's reader at
 * once.
 */

#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/encode.h"

#include "perfdata/recording.h"
#include "unit.h"

struct recording_kit {
	struct recording_writer *writer;
	struct recording_reader *reader;
	enum writer_event_kind kinds[4096]; /* of the events */
	size_t event_count;
	const char *newest; /* name of the last of them, as long as the layout is there */
	/* what came out last */
	enum recording_result result;
	struct record record;
	struct recording_interval tick;
	struct decoded decoded;
	size_t delivered;                        /* that came out */
	size_t notes;                            /* records of the event for notes */
	uint64_t shown_ns;                       /* time that perf sees */
	uint64_t bytes[2][8192];                 /* what came out last points into one of them */
	void (*take)(struct recording_kit *kit); /* NULL: nothing asks */
};

static inline size_t recording_kit_event(const struct recording_kit *kit, uint64_t id)
{
	const size_t event = writer_id_event(id);

	assert_true(event < kit->event_count);
	return event;
}

/* A reader looks up each of them. */
static inline void recording_kit_check_ids(const struct recording_kit *kit,
					   const struct decoded *decoded, bool is_note)
{
	const struct decoded_read *read = NULL;

	if (decoded->type == DECODED_SAMPLE && !is_note && decoded->id.has & DECODED_HAS_READ)
		read = &decoded->sample.read;
	else if (decoded->type == DECODED_READ)
		read = &decoded->counts.read;
	for (size_t i = 0; read != NULL && i < read->count; i++)
		recording_kit_event(kit, read->ids[i]);
}

static inline void *recording_kit_room(void *context)
{
	struct recording_kit *kit = context;

	return kit->bytes[kit->delivered % 2];
}

static inline void recording_kit_commit(void *context, size_t size, uint64_t time_ns)
{
	struct recording_kit *kit = context;
	const struct decode_format any = writer_format(WRITER_TIMELINE);
	const struct sample_offsets offsets = sample_offsets_of(&any);
	const void *bytes = kit->bytes[kit->delivered % 2];
	struct decode_format format;
	enum recording_result result;
	struct record record;
	struct recording_interval tick;
	size_t event;
	bool is_note;

	event = recording_kit_event(kit, decode_peek_id(bytes, size, &offsets));
	format = writer_format(kit->kinds[event]);
	assert_int_equal(decode_record(&kit->decoded, bytes, size, &format), DECODE_OK);
	assert_int_equal(kit->decoded.id.time_ns, time_ns);
	is_note = kit->kinds[event] == WRITER_NOTES;
	recording_kit_check_ids(kit, &kit->decoded, is_note);
	kit->notes += is_note;
	kit->shown_ns = time_ns;
	result = recording_read(kit->reader, &kit->decoded, is_note, &record, &tick);
	if (result == RECORDING_NOTHING)
		return;
	if (result == RECORDING_RECORD)
		kit->record = record;
	if (result == RECORDING_INTERVAL)
		kit->tick = tick;
	kit->result = result;
	kit->delivered++;
	if (kit->take != NULL)
		kit->take(kit);
}

static inline void recording_kit_layout(struct recording_kit *kit, const struct layout *layout)
{
	size_t count;
	const struct writer_event *events =
		recording_writer_events(kit->writer, layout, NULL, NULL, &count);

	assert_true(kit->event_count + count <= COUNT_OF(kit->kinds));
	for (size_t i = 0; i < count; i++)
		kit->kinds[kit->event_count++] = events[i].kind;
	if (count > 0)
		kit->newest = events[count - 1].name;
	recording_write_layout(kit->writer, layout);
}

/* Tasks are sampled from now on. */
static inline void recording_kit_sampler(struct recording_kit *kit, enum writer_event_kind kind)
{
	const struct writer_event *event = recording_writer_sampler(kit->writer, kind, "made");

	if (event)
		kit->kinds[kit->event_count++] = event->kind;
}

static inline struct recording_kit *recording_kit_create(int cpu_count, const struct layout *layout)
{
	struct recording_kit *kit = xcalloc(1, sizeof(*kit));

	kit->writer = recording_writer_create(
		cpu_count, (struct recording_sink){recording_kit_room, recording_kit_commit, kit});
	kit->reader = recording_reader_create();
	recording_kit_layout(kit, layout);
	assert_int_equal(kit->result, RECORDING_LAYOUT);
	return kit;
}

static inline void recording_kit_destroy(struct recording_kit *kit)
{
	recording_writer_destroy(kit->writer);
	recording_reader_destroy(kit->reader);
	free(kit);
}

#endif
