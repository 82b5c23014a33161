#ifndef PERFTOP_BATCH_PROTOBUF_H
#define PERFTOP_BATCH_PROTOBUF_H

/* Fields of messages, appended in protobuf's encoding. A number that is 0 is the default, and left
 * out. */

#include <stddef.h>
#include <stdint.h>

struct strbuf;

void protobuf_varint(struct strbuf *out, uint64_t number); /* without a field: of a packed list */
void protobuf_number(struct strbuf *out, unsigned int field, uint64_t number);
/* A text, a message, or a packed list. */
void protobuf_bytes(struct strbuf *out, unsigned int field, const char *bytes, size_t size);
void protobuf_take(struct strbuf *out, unsigned int field,
		   struct strbuf *bytes); /* and empties it */

#endif
