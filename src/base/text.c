/*
 * UTF-8 by hand, because mbrtowc(3) follows the locale and text from outside
 * does not. Text is made harmless in pieces: one character taken from the input
 * becomes one piece of output that is written whole or not at all: itself, an
 * escape for each of its bytes, '?', or nothing.
 *
 * Invariant of the output: valid UTF-8, every character printable by wcwidth(3)
 * or zero wide, each run of zero-width characters at most MARKS_MAX long and
 * behind a character of its own text.
 */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/memory.h"
#include "base/strbuf.h"

enum {
	MARKS_MAX = 4,  /* combining characters on one base; no living script needs more */
	PIECE_MAX = 16, /* an escape of 4 bytes for each byte of the longest character */
	REPLACEMENT = 0xfffd,
};

struct safe_reader {
	const char *at;
	const char *end;
	bool ascii;
	int marks; /* more combining characters that the last base may carry; -1: no base yet */
};

/*
 * What the first byte says: the character's bytes, its own bits of the value, and
 * the least value that needs so many bytes. False when no character begins so.
 */
static bool decode_first(unsigned char byte, int *bytes, uint32_t *bits, uint32_t *least)
{
	if (byte < 0x80) {
		*bytes = 1;
		*bits = byte;
		*least = 0;
	} else if ((byte & 0xe0) == 0xc0) {
		*bytes = 2;
		*bits = byte & 0x1f;
		*least = 0x80;
	} else if ((byte & 0xf0) == 0xe0) {
		*bytes = 3;
		*bits = byte & 0x0f;
		*least = 0x800;
	} else if ((byte & 0xf8) == 0xf0) {
		*bytes = 4;
		*bits = byte & 0x07;
		*least = 0x10000;
	} else {
		return false;
	}
	return true;
}

static bool is_scalar(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

int text_decode(const char *text, size_t length, uint32_t *code)
{
	int bytes;
	uint32_t value;
	uint32_t least;

	if (length == 0)
		return 0;
	if (!decode_first((unsigned char)text[0], &bytes, &value, &least))
		return -1;
	if ((size_t)bytes > length)
		return -1;
	for (int i = 1; i < bytes; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte & 0xc0) != 0x80)
			return -1;
		value = value << 6 | (byte & 0x3f);
	}
	if (value < least || !is_scalar(value))
		return -1;
	*code = value;
	return bytes;
}

size_t text_encode(char bytes[static 4], uint32_t code)
{
	if (!is_scalar(code))
		code = REPLACEMENT;
	if (code < 0x80) {
		bytes[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | code >> 18);
	bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

/* Characters that act instead of being shown, whatever wcwidth(3) says. */
static bool is_control_code(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
		return true; /* C0, DEL, C1 */
	if (code == 0x061c || code == 0x200e || code == 0x200f)
		return true; /* bidirectional marks */
	if (code == 0x200c || code == 0x200d || (code >= 0xfe00 && code <= 0xfe0f))
		return true; /* joiners, variation selectors: terminals differ in the width */
	if (code >= 0x2028 && code <= 0x202e)
		return true; /* line and paragraph separators, embeddings and overrides */
	return code >= 0x2066 && code <= 0x206f; /* isolates, deprecated format characters */
}

static size_t escape(char piece[static PIECE_MAX], const char *bytes, size_t count)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < count; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		piece[4 * i] = '\\';
		piece[4 * i + 1] = 'x';
		piece[4 * i + 2] = digits[byte >> 4];
		piece[4 * i + 3] = digits[byte & 15];
	}
	return 4 * count;
}

/* Takes one character (or one byte that is none) off the input; returns the bytes of its piece. */
static size_t next_piece(struct safe_reader *reader, char piece[static PIECE_MAX])
{
	const char *from = reader->at;
	uint32_t code = 0;
	int decoded = text_decode(from, (size_t)(reader->end - from), &code);
	size_t taken = decoded > 0 ? (size_t)decoded : 1;
	int width = 1;

	reader->at += taken;
	if (decoded < 0 || is_control_code(code))
		width = -1;
	else if (code > 0x7e && !reader->ascii)
		width = wcwidth((wchar_t)code);

	if (width == 0 && reader->marks >= 0) {
		if (reader->marks == 0)
			return 0;
		reader->marks--;
		memcpy(piece, from, taken);
		return taken;
	}

	/* From here on the piece has columns of its own and can be a base. */
	reader->marks = MARKS_MAX;
	if (width <= 0)
		return escape(piece, from, taken);
	if (code > 0x7e && reader->ascii) {
		piece[0] = '?';
		return 1;
	}
	memcpy(piece, from, taken);
	return taken;
}

void text_append_safe(struct strbuf *buffer, const char *text, size_t length, bool ascii)
{
	struct safe_reader reader = {.at = text, .end = text + length, .ascii = ascii, .marks = -1};
	char piece[PIECE_MAX];

	while (reader.at < reader.end) {
		size_t bytes = next_piece(&reader, piece);

		strbuf_add_bytes(buffer, piece, bytes);
	}
}

size_t text_safe(char *buffer, size_t size, const char *text, bool ascii)
{
	struct safe_reader reader = {
		.at = text, .end = text + strlen(text), .ascii = ascii, .marks = -1};
	char piece[PIECE_MAX];
	size_t used = 0;

	if (size == 0)
		return 0;
	while (reader.at < reader.end) {
		size_t bytes = next_piece(&reader, piece);

		if (bytes >= size - used)
			break;
		memcpy(buffer + used, piece, bytes);
		used += bytes;
	}
	buffer[used] = '\0';
	return used;
}

int text_char_width(uint32_t code)
{
	if (code <= 0x7e)
		return 1;

	int width = wcwidth((wchar_t)code);
	return width < 0 ? 1 : width;
}

/* Bytes of the character at text (not at its end) and its columns. */
static size_t measure_character(const char *text, size_t length, size_t *width)
{
	uint32_t code = 0;
	int taken = text_decode(text, length, &code);

	if (taken < 0) {
		*width = 1;
		return 1;
	}
	*width = (size_t)text_char_width(code);
	return (size_t)taken;
}

size_t text_width(const char *text)
{
	return text_width_part(text, strlen(text));
}

size_t text_width_part(const char *text, size_t bytes)
{
	size_t columns = 0;

	for (size_t at = 0; at < bytes;) {
		size_t width;

		at += measure_character(text + at, bytes - at, &width);
		columns += width;
	}
	return columns;
}

size_t text_fit(const char *text, size_t columns, size_t *width)
{
	size_t length = strlen(text);
	size_t at = 0;

	*width = 0;
	while (at < length) {
		size_t one;
		size_t bytes = measure_character(text + at, length - at, &one);

		if (one > columns - *width)
			break;
		*width += one;
		at += bytes;
	}
	return at;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_in_any_case(const char *text, const char *needle)
{
	while (*needle && lower(*text) == lower(*needle)) {
		text++;
		needle++;
	}
	return *needle == '\0';
}

bool text_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

bool text_contains(const char *text, const char *needle)
{
	do {
		if (begins_in_any_case(text, needle))
			return true;
	} while (*text++);
	return false;
}

char *text_expand_home(const char *path)
{
	const char *home = getenv("HOME");
	struct strbuf text = {0};

	if (strncmp(path, "~/", 2) != 0 || !home || home[0] == '\0')
		return xstrdup(path);
	strbuf_printf(&text, "%s%s", home, path + 1);
	return text.text;
}
