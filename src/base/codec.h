#ifndef PERFTOP_BASE_CODEC_H
#define PERFTOP_BASE_CODEC_H

/*
 * Numbers and texts as bytes, in this machine's byte order. One function for each thing says what
 * its bytes are, whether it is written or read, so that the two cannot differ. Nothing is read
 * beyond the end, nor after a fault: what is missing is 0 or NULL, and only the end need be asked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

struct codec {
	struct strbuf *to;             /* it is written there; NULL: it is read: */
	const unsigned char *at, *end; /* what is left */
	bool has_failed;               /* something was asked for that is not there */
};

struct codec codec_of(const void *bytes, size_t size);

static inline size_t codec_left(const struct codec *codec)
{
	return (size_t)(codec->end - codec->at);
}

/* What is written, or where it is read; NULL: there are not so many. */
const void *codec_bytes(struct codec *codec, const void *bytes, uint64_t size);
uint64_t codec_number(struct codec *codec, uint64_t number, size_t size);

/* With its NUL, so that a reader can point to it; a longer one than the limit is cut, or is none.
 * NULL is possible. */
void codec_text(struct codec *codec, const char **text, size_t limit);

/* A number, or a flag, in as many bytes as the field has. */
#define CODE(codec, field)                                                                         \
	((field) = (__typeof__(field))codec_number(codec, (uint64_t)(field), sizeof(field)))

static inline uint32_t codec_u32(struct codec *codec)
{
	return (uint32_t)codec_number(codec, 0, sizeof(uint32_t));
}

static inline uint64_t codec_u64(struct codec *codec)
{
	return codec_number(codec, 0, sizeof(uint64_t));
}

void codec_put_u32(struct strbuf *to, uint32_t number);
void codec_put_u64(struct strbuf *to, uint64_t number);

#endif
