#ifndef PERFTOP_TESTS_RECORDING_KIT_H
#define PERFTOP_TESTS_RECORDING_KIT_H

/*
 * A recording that is read while it is written: each record's bytes are decoded as a file's reader
 * would do it, by the event that its id says it is of, and handed to the recording's reader at
 * once.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "kernel/decode.h"
#include "source/recording/recording.h"

struct deck {
	struct recording_writer *writer;
	struct recording_reader *reader;
	const struct writer_event *events;
	size_t event_count;
	/* what came out last */
	enum recording_result result;
	struct record record;
	struct recording_interval tick;
	struct decoded decoded;
	size_t told;                     /* that came out */
	size_t notes;                    /* records of the event for notes */
	uint64_t shown_ns;               /* time that perf sees */
	uint64_t bytes[2][8192];         /* what came out last points into one of them */
	void (*take)(struct deck *deck); /* NULL: nobody asks */
};

static inline size_t deck_event(const struct deck *deck, uint64_t id)
{
	for (size_t i = 0; i < deck->event_count; i++) {
		for (size_t k = 0; k < deck->events[i].id_count; k++)
			if (deck->events[i].ids[k] == id)
				return i;
	}
	fail_msg("id %lx is no event's", (unsigned long)id);
	return 0;
}

/* A reader looks up each of them. */
static inline void deck_check_ids(const struct deck *deck, const struct decoded *decoded,
				  bool is_note)
{
	const struct decoded_read *read = NULL;

	if (decoded->type == DECODED_SAMPLE && !is_note)
		read = &decoded->sample.read;
	else if (decoded->type == DECODED_READ)
		read = &decoded->counts.read;
	for (size_t i = 0; read != NULL && i < read->count; i++)
		deck_event(deck, read->ids[i]);
}

static inline void deck_sink(void *context, const void *bytes, size_t size, uint64_t time_ns)
{
	struct deck *deck = context;
	const struct decode_format any = writer_format(WRITER_TIMELINE);
	void *copy = deck->bytes[deck->told % 2];
	struct decode_format format;
	enum recording_result result;
	struct record record;
	struct recording_interval tick;
	size_t event;
	bool is_note;

	assert_true(size % 8 == 0 && size <= sizeof(deck->bytes[0]));
	memcpy(copy, bytes, size);
	event = deck_event(deck, decode_peek_id(copy, size, &any));
	format = writer_format(deck->events[event].kind);
	assert_int_equal(decode_record(&deck->decoded, copy, size, &format), DECODE_OK);
	assert_int_equal(deck->decoded.id.time_ns, time_ns);
	is_note = strcmp(deck->events[event].name, RECORDING_EVENT) == 0;
	deck_check_ids(deck, &deck->decoded, is_note);
	deck->notes += is_note;
	deck->shown_ns = time_ns;
	result = recording_read(deck->reader, &deck->decoded, is_note, &record, &tick);
	if (result == RECORDING_NOTHING)
		return;
	if (result == RECORDING_RECORD)
		deck->record = record;
	if (result == RECORDING_INTERVAL)
		deck->tick = tick;
	deck->result = result;
	deck->told++;
	if (deck->take != NULL)
		deck->take(deck);
}

static inline void deck_layout(struct deck *deck, const struct layout *layout)
{
	deck->events =
		recording_writer_events(deck->writer, layout, NULL, NULL, &deck->event_count);
	recording_write_layout(deck->writer, layout);
}

static inline struct deck *deck_create(int cpu_count, const struct layout *layout)
{
	struct deck *deck = xcalloc(1, sizeof(*deck));

	deck->writer = recording_writer_create(cpu_count, deck_sink, deck);
	deck->reader = recording_reader_create();
	deck_layout(deck, layout);
	assert_int_equal(deck->result, RECORDING_LAYOUT);
	return deck;
}

static inline void deck_destroy(struct deck *deck)
{
	recording_writer_destroy(deck->writer);
	recording_reader_destroy(deck->reader);
	free(deck);
}

#endif
