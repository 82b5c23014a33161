#ifndef PERFTOP_PERFDATA_BYTES_H
#define PERFTOP_PERFDATA_BYTES_H

/*
 * The one place where numbers outside of records become bytes of perf.data and bytes numbers. They
 * are put together in a strbuf that is no text: numbers of this machine's byte order, padded
 * strings, headers of records.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct strbuf;

void bytes_u32(struct strbuf *buffer, uint32_t value);
void bytes_u64(struct strbuf *buffer, uint64_t value);

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

/*
 * Numbers and strings of a file, taken one after another from a run of bytes. Nothing is taken
 * beyond the end: what is missing reads as 0 or "", and is_short says so.
 */
struct fields {
	const unsigned char *at, *end;
	bool is_short; /* something was asked for that is not there */
};

struct fields fields_of(const void *bytes, size_t size);
size_t fields_left(const struct fields *fields);
uint32_t fields_u32(struct fields *fields);
uint64_t fields_u64(struct fields *fields);

/* `size` bytes, or NULL where there are not so many. */
const unsigned char *fields_bytes(struct fields *fields, uint64_t size);

/* perf's string: its room in 32 bits, then the text, filled up with NULs; cut to fit. */
void fields_text(struct fields *fields, char *text, size_t size);

/* The rest as a text that need not end. */
void fields_rest(struct fields *fields, char *text, size_t size);

#endif
