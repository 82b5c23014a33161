#ifndef PERFTOP_BASE_TEXT_H
#define PERFTOP_BASE_TEXT_H

/*
 * Text that comes from outside (task names, command lines, file names) made
 * harmless, and its width on a terminal. Names of tasks are data: whatever
 * bytes they hold, they may not move a cursor, end a line or break a table.
 *
 * Widths are those of wcwidth(3) under the program's LC_CTYPE.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * Decodes one character of well-formed UTF-8 (no overlong forms, surrogates or
 * values above U+10FFFF) from [text, text + length). Returns the bytes it takes
 * and its value in *code; 0 when length is 0; -1 when the first byte does not
 * begin a well-formed character.
 */
int text_decode(const char *text, size_t length, uint32_t *code);

/* Writes code as UTF-8 into bytes (4 at most); returns how many. */
size_t text_encode(char bytes[static 4], uint32_t code);

/*
 * Appends text as valid UTF-8 without anything a terminal could act on:
 * control characters (C0, DEL, C1), line and paragraph separators, bidirectional
 * controls and bytes that are no UTF-8 become \xNN (of each byte). With `ascii`
 * every character above U+007E is shown as '?'; without, characters that the locale
 * cannot show (wcwidth(3) is -1) become \xNN too. Combining characters stay behind their
 * base, at most four of them; one without a base before it becomes \xNN.
 */
void text_append_safe(struct strbuf *buffer, const char *text, size_t length, bool ascii);

/* The same into a fixed buffer, cut at a whole character; returns bytes written without NUL. */
size_t text_safe(char *buffer, size_t size, const char *text, bool ascii);

/* Columns of one character: 0, 1 or 2. Anything unprintable counts 1. */
int text_char_width(uint32_t code);

/* Columns of a text made by text_append_safe(). */
size_t text_width(const char *text);

/* The same of its first `bytes` bytes, which are whole characters. */
size_t text_width_part(const char *text, size_t bytes);

/*
 * Bytes of the longest beginning of `text` (made safe before) that is at most
 * `columns` wide, combining characters kept with their base; *width its columns.
 */
size_t text_fit(const char *text, size_t columns, size_t *width);

bool text_begins(const char *text, const char *with);

static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Whether `needle` occurs in `text`, without regard to ASCII case. An empty needle
 * occurs everywhere.
 */
bool text_contains(const char *text, const char *needle);

/* "~/x" under HOME, where that is set; another path as it is. The caller frees it. */
char *text_expand_home(const char *path);

#endif
