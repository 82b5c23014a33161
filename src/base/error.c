/*
 * The table of error.def and what fills its sentences. The strings put in come
 * from outside (words of the command line, file names, task names) and go
 * through text_safe(), so an error can be printed anywhere as it is.
 */
#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
	MARKED_TEXT_MAX = 100 /* bytes; a longer text is not shown with the fault in it */
};

struct sentence {
	int status;
	const char *text;
	const char *remedy;
};

static const struct sentence sentences[] = {
#define ERROR(code, exit_status, sentence, hint)                                                   \
	[ERROR_##code] = {.status = exit_status, .text = sentence, .remedy = hint},
#include "base/error.def"
#undef ERROR
};

static_assert(sizeof(sentences) / sizeof(sentences[0]) == ERROR_COUNT,
	      "one sentence for each code");

/* Writes `pattern` with %1 and %2 replaced; what does not fit is cut. */
static void expand(char *out, size_t size, const char *pattern, const char *a, const char *b)
{
	/* A long word must not push out what is said about it. */
	const size_t a_room = strstr(pattern, "%2") ? size / 2 : size;
	size_t used = 0;

	while (*pattern && used + 1 < size) {
		bool marked = pattern[0] == '%' && (pattern[1] == '1' || pattern[1] == '2');

		if (!marked) {
			out[used++] = *pattern++;
			continue;
		}

		const char *argument = pattern[1] == '1' ? a : b;
		size_t room = size - used;
		if (pattern[1] == '1' && room > a_room)
			room = a_room;
		if (used == 0 && argument && argument[0] == '\0')
			argument = "''"; /* what a sentence is about */
		used += text_safe(out + used, room, argument ? argument : "", false);
		pattern += 2;
	}
	out[used] = '\0';
}

bool error_set(struct error *error, enum error_code code, const char *a, const char *b)
{
	/* Filled separately: a and b may point into *error, when one error explains another. */
	struct error filled = {.code = code};

	if (!error)
		return false;
	expand(filled.text, sizeof(filled.text), sentences[code].text, a, b);
	expand(filled.remedy, sizeof(filled.remedy), sentences[code].remedy, a, b);
	*error = filled;
	return false;
}

bool error_set_errno(struct error *error, enum error_code code, const char *a, int errno_value)
{
	char buffer[128];

	return error_set(error, code, a, strerror_r(errno_value, buffer, sizeof(buffer)));
}

/* Characters of UTF-8 before the offset. */
static size_t count_characters(const char *text, size_t offset)
{
	size_t count = 0;

	for (size_t i = 0; i < offset && text[i] != '\0'; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

bool error_mark(struct error *error, const char *text, size_t offset)
{
	const size_t number = count_characters(text, offset) + 1;
	char safe[4 * MARKED_TEXT_MAX + 1], marked[sizeof(safe) + 64];
	size_t length;

	if (!error)
		return false;
	length = strlen(error->text);
	text_safe(safe, sizeof(safe), text, false);
	snprintf(marked, sizeof(marked), " (character %zu of '%s')", number, safe);
	if (strlen(text) > MARKED_TEXT_MAX || length + strlen(marked) >= sizeof(error->text))
		snprintf(marked, sizeof(marked), " (character %zu)", number);
	if (length + strlen(marked) < sizeof(error->text))
		strcpy(error->text + length, marked);
	return false;
}

int error_exit_status(const struct error *error)
{
	return error ? sentences[error->code].status : 0;
}
