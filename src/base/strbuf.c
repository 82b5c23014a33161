/*
 * A text that grows by doubling. Invariant: text is NULL and length and capacity
 * are 0, or length < capacity and text[length] is NUL.
 */
#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Makes room for `count` bytes more and the NUL. */
static void reserve_bytes(struct strbuf *buffer, size_t count)
{
	if (count >= SIZE_MAX - buffer->length)
		memory_exhausted();
	array_reserve(&buffer->text, &buffer->capacity, buffer->length + count + 1, 1);
}

static void set_length(struct strbuf *buffer, size_t length)
{
	buffer->length = length;
	buffer->text[length] = '\0';
}

void strbuf_fini(struct strbuf *buffer)
{
	free(buffer->text);
	*buffer = (struct strbuf){0};
}

void strbuf_clear(struct strbuf *buffer)
{
	if (buffer->text)
		set_length(buffer, 0);
}

void strbuf_add(struct strbuf *buffer, const char *text)
{
	strbuf_add_bytes(buffer, text, strlen(text));
}

void strbuf_add_bytes(struct strbuf *buffer, const char *bytes, size_t count)
{
	reserve_bytes(buffer, count);
	if (count)
		memcpy(buffer->text + buffer->length, bytes, count);
	set_length(buffer, buffer->length + count);
}

char *strbuf_room(struct strbuf *buffer, size_t count)
{
	reserve_bytes(buffer, count);
	return buffer->text + buffer->length;
}

void strbuf_fill(struct strbuf *buffer, size_t count)
{
	set_length(buffer, buffer->length + count);
}

void strbuf_add_char(struct strbuf *buffer, char c)
{
	strbuf_add_bytes(buffer, &c, 1);
}

void strbuf_add_item(struct strbuf *buffer, const char *text)
{
	if (text[0] == '\0')
		return;
	if (buffer->length > 0)
		strbuf_add(buffer, ", ");
	strbuf_add(buffer, text);
}

void strbuf_add_repeated(struct strbuf *buffer, char c, size_t count)
{
	reserve_bytes(buffer, count);
	memset(buffer->text + buffer->length, c, count);
	set_length(buffer, buffer->length + count);
}

void strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
	va_list arguments;
	int length;

	reserve_bytes(buffer, 0);
	size_t room = buffer->capacity - buffer->length;
	va_start(arguments, format);
	length = vsnprintf(buffer->text + buffer->length, room, format, arguments);
	va_end(arguments);

	if (length >= 0 && (size_t)length >= room) {
		reserve_bytes(buffer, (size_t)length);
		room = buffer->capacity - buffer->length;
		va_start(arguments, format);
		length = vsnprintf(buffer->text + buffer->length, room, format, arguments);
		va_end(arguments);
	}
	/* A conversion that fails (a wide string the locale cannot write) adds nothing. */
	set_length(buffer, buffer->length + (length > 0 ? (size_t)length : 0));
}

const char *strbuf_text(const struct strbuf *buffer)
{
	return buffer->text ? buffer->text : "";
}
