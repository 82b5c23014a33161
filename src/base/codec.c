#include "base/codec.h"

#include <string.h>

#include "base/strbuf.h"

static const uint32_t NO_TEXT = UINT32_MAX;

struct codec codec_of(const void *bytes, size_t size)
{
	return (struct codec){.at = bytes, .end = (const unsigned char *)bytes + size};
}

const void *codec_bytes(struct codec *codec, const void *bytes, uint64_t size)
{
	const void *at = codec->at;

	if (codec->to) {
		strbuf_add_bytes(codec->to, bytes, (size_t)size);
		return bytes;
	}
	if (codec->has_failed || size > codec_left(codec)) {
		codec->has_failed = true;
		codec->at = codec->end;
		return NULL;
	}
	codec->at += size;
	return at;
}

uint64_t codec_number(struct codec *codec, uint64_t number, size_t size)
{
	const bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	char *low = (char *)&number + (is_big ? sizeof(number) - size : 0);
	const void *bytes = codec_bytes(codec, low, size);

	if (codec->to)
		return number;
	number = 0;
	if (bytes)
		memcpy(low, bytes, size);
	return number;
}

static void put_codec_text(struct codec *codec, const char *text, size_t limit)
{
	const uint32_t length = text ? (uint32_t)strnlen(text, limit) : NO_TEXT;

	codec_put_u32(codec->to, length);
	if (!text)
		return;
	codec_bytes(codec, text, length);
	strbuf_add_char(codec->to, '\0');
}

void codec_text(struct codec *codec, const char **text, size_t limit)
{
	uint32_t length;

	if (codec->to) {
		put_codec_text(codec, *text, limit);
		return;
	}
	length = codec_u32(codec);
	*text = NULL;
	if (codec->has_failed || length == NO_TEXT)
		return;
	if (length <= limit)
		*text = codec_bytes(codec, NULL, (uint64_t)length + 1);
	if (!*text || (*text)[length] != '\0') {
		codec->has_failed = true;
		*text = NULL;
	}
}

void codec_put_u32(struct strbuf *to, uint32_t number)
{
	codec_number(&(struct codec){.to = to}, number, sizeof(number));
}

void codec_put_u64(struct strbuf *to, uint64_t number)
{
	codec_number(&(struct codec){.to = to}, number, sizeof(number));
}
