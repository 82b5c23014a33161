#ifndef PERFTOP_EVENT_TRACEPOINT_H
#define PERFTOP_EVENT_TRACEPOINT_H

/*
 * Tracepoints as tracefs lists them: GROUP:NAME, a number for the kernel, and the fields that a
 * filter may name. Files are read under `root` ("" in production).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRACEPOINT_FORMAT_BYTES = 16384 /* more than a format file has */
};

struct error;
struct event_spec;
struct strbuf;

/*
 * Fills *spec with everything but a filter. Errors: EVENT_TRACEFS when tracefs cannot be read,
 * EVENT_TRACEPOINT_UNKNOWN.
 */
bool tracepoint_find(const char *root, const char *group, const char *name, struct event_spec *spec,
		     struct error *error);

/* False also where tracefs cannot be read. */
bool tracepoint_has_group(const char *root, const char *group);

/*
 * Calls visit for each tracepoint that can be counted, in the order of the directory; the names are
 * valid during the call. False: tracefs cannot be read.
 */
typedef void tracepoint_visit(void *context, const char *group, const char *name);
bool tracepoint_walk(const char *root, tracepoint_visit *visit, void *context, struct error *error);

/*
 * Appends a line for each field that is this tracepoint's own: two blanks, its type and name as
 * in C.
 */
void tracepoint_append_fields(const char *root, const char *group, const char *name,
			      struct strbuf *out);

/* A number in the raw data of a tracepoint's samples. */
struct tracepoint_field {
	size_t offset, size; /* bytes; size 1, 2, 4 or 8 */
	bool is_signed;
};

/* Reads the format file of one tracepoint. Error: EVENT_TRACEFS when it cannot be read. */
bool tracepoint_read_format(const char *root, const char *group, const char *name, char *text,
			    size_t size, struct error *error);

/* A bit of a number, and the letter with which the kernel prints it. */
struct tracepoint_flag {
	uint64_t bit;
	char letter;
};

/*
 * The bits of a field that the format says to print as letters: of REC->FIELD the list of
 * {bit, "letter"} in its `print fmt`. Returns how many there are, at most `max`.
 */
size_t tracepoint_parse_flags(const char *format, const char *field, struct tracepoint_flag *flags,
			      size_t max);

/*
 * Finds a field, common or not, in the text of a format file. False: there is none, or it is no
 * number but an array or a string.
 */
bool tracepoint_parse_field(const char *format, const char *name, struct tracepoint_field *field);

/* The same for an array of characters, `char NAME[SIZE]`. */
bool tracepoint_parse_text(const char *format, const char *name, size_t *offset, size_t *size);

/*
 * The number for one tracepoint. Errors: EVENT_TRACEFS when its format cannot be read,
 * EVENT_TRACEPOINT_FIELD when it has no such number.
 */
bool tracepoint_find_field(const char *root, const char *group, const char *name,
			   const char *field_name, struct tracepoint_field *field,
			   struct error *error);

/* Takes the number out of a sample's raw data; false: it does not reach so far. */
bool tracepoint_read_field(const struct tracepoint_field *field, const void *raw, size_t size,
			   int64_t *value);

#endif
