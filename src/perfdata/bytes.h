#ifndef PERFTOP_PERFDATA_BYTES_H
#define PERFTOP_PERFDATA_BYTES_H

/*
 * What of perf.data is no record, beside numbers (base/codec.h): padded strings, headers of
 * records. They are put together in a strbuf that is no text.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/codec.h"

struct strbuf;

/* Zeros until length is a multiple of `align` again, counted from `start`. */
void bytes_pad(struct strbuf *buffer, size_t start, size_t align);

/* A feature's string: its padded length, and as many bytes. */
void bytes_text(struct strbuf *buffer, const char *text);

/* What a record begins with: struct perf_event_header, of this machine's byte order. */
struct record_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* of all of it */
};

static inline struct record_header bytes_take_header(const void *bytes)
{
	struct record_header header;

	memcpy(&header, bytes, sizeof(header));
	return header;
}

/* The header of a record; a body of `size` bytes follows. */
void bytes_header(struct strbuf *buffer, uint32_t type, uint16_t misc, size_t size);

/* How many of the first `size` bytes are whole records. */
size_t bytes_whole_records(const char *bytes, size_t size);

/* perf's string: its room in 32 bits, then the text, filled up with NULs; cut to fit. */
void bytes_take_text(struct codec *fields, char *text, size_t size);

/* The rest as a text that need not end. */
void bytes_take_rest(struct codec *fields, char *text, size_t size);

#endif
