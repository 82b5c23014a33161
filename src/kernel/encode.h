#ifndef PERFTOP_KERNEL_ENCODE_H
#define PERFTOP_KERNEL_ENCODE_H

/*
 * The other way round from decode.h: writes a record as the kernel would. Of samples the fields
 * IDENTIFIER, TID, TIME, CPU, ID, STREAM_ID, PERIOD, READ and RAW; of the others MMAP2, KSYMBOL,
 * LOST, COMM, EXIT, FORK, THROTTLE, UNTHROTTLE, READ, SWITCH and SWITCH_CPU_WIDE, with their
 * trailer. What decode_record() makes of it is what was given, but for two things: an IP, which
 * perf wants to see in samples that have none, is 0, and raw data is padded with zeros to where a
 * word ends.
 */

#include <stddef.h>

#include "kernel/decode.h"

enum {
	ENCODE_SIZE_MAX = 65528 /* a record's size is 16 bits wide, and a multiple of 8 */
};

/*
 * Writes the record to `bytes`, which has room for ENCODE_SIZE_MAX; record->size is not looked at.
 * Returns its size; 0: it cannot be written, being of another type or too long.
 */
size_t encode_record(void *bytes, const struct decoded *record, const struct decode_format *format);

#endif
