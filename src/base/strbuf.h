#ifndef PERFTOP_BASE_STRBUF_H
#define PERFTOP_BASE_STRBUF_H

/*
 * A text that grows. `text` always ends in NUL and is never NULL after the
 * first append; an empty strbuf is {0}. strbuf_fini() frees it and leaves {0}.
 */

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *text;      /* owned; NULL while nothing was appended */
	size_t length;   /* bytes, without the NUL */
	size_t capacity; /* bytes allocated */
};

void strbuf_fini(struct strbuf *buffer);
void strbuf_clear(struct strbuf *buffer); /* length 0, memory kept */
void strbuf_add(struct strbuf *buffer, const char *text);
void strbuf_add_bytes(struct strbuf *buffer, const char *bytes, size_t count);
void strbuf_add_char(struct strbuf *buffer, char c);
/* Room for so many bytes at the end, good until the next change; and so many of them were filled.
 */
char *strbuf_room(struct strbuf *buffer, size_t count);
void strbuf_fill(struct strbuf *buffer, size_t count);
/* The text, if it is not empty, and in front of it ", ", if something is there already. */
void strbuf_add_item(struct strbuf *buffer, const char *text);
void strbuf_add_repeated(struct strbuf *buffer, char c, size_t count);
void strbuf_printf(struct strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *strbuf_text(const struct strbuf *buffer); /* never NULL; valid until the next change */

#endif
