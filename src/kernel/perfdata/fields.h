#ifndef PERFTOP_KERNEL_PERFDATA_FIELDS_H
#define PERFTOP_KERNEL_PERFDATA_FIELDS_H

/*
 * Numbers and strings of a file, taken one after another from a run of bytes, in either byte
 * order. Nothing is taken beyond the end: what is missing reads as 0 or "", and is_short says so.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fields {
	const unsigned char *at, *end;
	bool is_swapped; /* written in the other byte order */
	bool is_short;   /* something was asked for that is not there */
};

struct fields fields_of(const void *bytes, size_t size, bool is_swapped);
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
