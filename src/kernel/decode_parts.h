#ifndef PERFTOP_KERNEL_DECODE_PARTS_H
#define PERFTOP_KERNEL_DECODE_PARTS_H

/* The parts of the decoder (decode.h), for one another alone. */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/decode.h"

struct decode_cursor;

/* Takes the readings of one event or of a group; false: they are not all there. */
bool decode_take_readings(struct decode_cursor *cursor, struct decoded_read *read, uint64_t format);

/* Decodes a sample without its header, and fills record->id as well. */
enum decode_result decode_sample(struct decoded *record, struct decode_cursor cursor,
				 const struct decode_format *format);

/* Decodes the body of any other record of known type; header and trailer are off, and type and
 * misc filled. False: it is too short. */
bool decode_body(struct decoded *record, struct decode_cursor *body,
		 const struct decode_format *format);

#endif
