#ifndef PERFTOP_PERFDATA_BSWAP_H
#define PERFTOP_PERFDATA_BSWAP_H

/*
 * Turns records of the other byte order into ours. Which bytes belong together is said by the
 * record's type and by its event's format, as in decode.h; texts, raw data of tracepoints and
 * copies of stacks stay as they are.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/decode.h"

/* The first 8 bytes of a record, in place. */
void bswap_header(void *bytes);

/*
 * What follows them, in place; the header is in our order already and says `size`. False: the
 * record contradicts the format.
 */
bool bswap_body(void *bytes, size_t size, const struct decode_format *format);

#endif
