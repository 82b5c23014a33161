#ifndef PERFTOP_KERNEL_PERFDATA_BYTES_H
#define PERFTOP_KERNEL_PERFDATA_BYTES_H

/*
 * Bytes of perf.data as they are put together in memory, in a strbuf that is no text: numbers of
 * this machine's byte order, padded strings, headers of records.
 */

#include <stddef.h>
#include <stdint.h>

struct strbuf;

void bytes_u32(struct strbuf *buffer, uint32_t value);
void bytes_u64(struct strbuf *buffer, uint64_t value);

/* Zeros until length is a multiple of `align` again, counted from `start`. */
void bytes_pad(struct strbuf *buffer, size_t start, size_t align);

/* A feature's string: its padded length, and as many bytes. */
void bytes_text(struct strbuf *buffer, const char *text);

/* The header of a record, the body follows; `size` is that of both. */
void bytes_header(struct strbuf *buffer, uint32_t type, size_t size);

/* How many of the first `size` bytes are whole records. */
size_t bytes_whole_records(const char *bytes, size_t size);

#endif
