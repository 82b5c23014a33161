#ifndef PERFTOP_EVENT_TERMS_H
#define PERFTOP_EVENT_TERMS_H

/*
 * The texts around a PMU: what is between its slashes ("event=0x3c,umask=0,name=x", the same in the
 * files of sysfs' events/), and the files of its format/ ("config:0-7,32-35"), which say where the
 * value of a term goes. Of "branch_type" the value goes on over commas as long as words of branches
 * follow ("branch_type=any_call,u,period=9"). Pure: no file is read here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TERM_NAME_MAX = 64,
	TERM_VALUE_MAX = 256,
	TERMS_MAX = 64
};

struct event_term {
	char name[TERM_NAME_MAX];
	char value[TERM_VALUE_MAX]; /* without quotes */
	bool has_value;
	size_t position; /* byte offset in the cursor's text */
};

struct terms {
	struct event_term terms[TERMS_MAX];
	size_t count;
};

/* A text that is read once from `at` to its end, and what is wrong with it. */
struct text_cursor {
	const char *text;
	size_t at;
	size_t position;     /* of the fault, in the text */
	const char *message; /* one sentence about it (static) */
};

static inline const char *cursor_here(const struct text_cursor *cursor)
{
	return cursor->text + cursor->at;
}

/* Of blanks and line ends. */
bool cursor_is_blank(char c);
void cursor_skip_blanks(struct text_cursor *cursor);

/* Always false. */
bool cursor_fail(struct text_cursor *cursor, const char *at, const char *message);

/* Reads a list of terms to the end of the text; an empty one is allowed. */
bool terms_parse(struct text_cursor *cursor, struct terms *terms);

enum format_word {
	FORMAT_CONFIG,
	FORMAT_CONFIG1,
	FORMAT_CONFIG2,
	FORMAT_WORDS
};

/* Where the bits of a field go: bit n of the value to the n-th set bit of the mask. */
struct format {
	enum format_word word;
	uint64_t mask;
};

/* Reads a file of format/. False: *message says what is wrong with it (static). */
bool format_parse(const char *text, struct format *format, const char **message);

/* The largest value that the field can hold. */
uint64_t format_max(const struct format *format);

/* The bits of a value (at most format_max) in their places. */
uint64_t format_place(const struct format *format, uint64_t value);

#endif
