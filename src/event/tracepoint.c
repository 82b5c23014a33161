/*
 * tracefs has a folder for each group, and in it one for each tracepoint with the files `id` (what
 * perf_event_open(2) takes as config) and `format`. What has no `id` cannot be counted (enable and
 * filter files are beside the tracepoints). Names are the user's: one that could leave its folder
 * is unknown.
 *
 * Where tracefs is not mounted at its own place it is looked for under debugfs, in this order,
 * because looking into the second one mounts it there.
 */

#include "event/tracepoint.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/file.h"
#include "kernel/spec.h"

#include "event/event.h"

enum {
	PATH_BYTES = 1024,
	NUMBER_BYTES = 32,
	DECLARATION_BYTES = 256,
	RECORD_BYTES = 65535 /* no record is longer: its size has 16 bits */
};

/* The last one is the node's, for kubectl debug node. */
static const char *const PLACES[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
				     "/host/sys/kernel/tracing"};

/* The folder of all groups; 0, or the most telling errno of the places. */
static int find_events_folder(const char *root, char path[static PATH_BYTES])
{
	int reason = ENOENT;

	for (size_t i = 0; i < sizeof(PLACES) / sizeof(*PLACES); i++) {
		int length = snprintf(path, PATH_BYTES, "%s%s/events", root, PLACES[i]);

		if (length >= PATH_BYTES)
			return ENAMETOOLONG;
		if (access(path, R_OK | X_OK) == 0)
			return 0;
		if (errno != ENOENT && reason == ENOENT)
			reason = errno;
	}
	return reason;
}

static bool is_name(const char *name)
{
	return *name != '\0' && *name != '.' && !strchr(name, '/');
}

/* Joins folder and name; false when it does not fit. */
static bool join_path(char path[static PATH_BYTES], const char *folder, const char *name)
{
	int length = snprintf(path, PATH_BYTES, "%s/%s", folder, name);

	return length >= 0 && length < PATH_BYTES;
}

static bool has_id(int folder, const char *name)
{
	char path[PATH_BYTES];

	return is_name(name) && join_path(path, name, "id") &&
	       faccessat(folder, path, F_OK, 0) == 0;
}

static void walk_group(const char *events, const char *group, tracepoint_visit *visit,
		       void *context)
{
	char path[PATH_BYTES];
	DIR *folder = join_path(path, events, group) ? opendir(path) : NULL;
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (entry->d_type != DT_REG && has_id(dirfd(folder), entry->d_name))
			visit(context, group, entry->d_name);
	closedir(folder);
}

bool tracepoint_walk(const char *root, tracepoint_visit *visit, void *context, struct error *error)
{
	char events[PATH_BYTES];
	int reason = find_events_folder(root, events);
	DIR *folder = reason == 0 ? opendir(events) : NULL;
	struct dirent *entry;

	if (!folder) {
		return error_set_errno(error, ERROR_EVENT_TRACEFS, PLACES[0],
				       reason != 0 ? reason : errno);
	}
	while ((entry = readdir(folder)))
		if (is_name(entry->d_name) && entry->d_type != DT_REG)
			walk_group(events, entry->d_name, visit, context);
	closedir(folder);
	return true;
}

bool tracepoint_has_group(const char *root, const char *group)
{
	char events[PATH_BYTES], path[PATH_BYTES];

	return is_name(group) && find_events_folder(root, events) == 0 &&
	       join_path(path, events, group) && access(path, X_OK) == 0;
}

/*
 * Reads a tracepoint's file. Negative: the errno, ENOENT where there can be no such tracepoint;
 * *has_tracefs whether tracefs itself can be read.
 */
static long read_tracepoint_file(const char *root, const char *group, const char *name,
				 const char *file, char *text, size_t size, bool *has_tracefs)
{
	char events[PATH_BYTES], path[PATH_BYTES];
	const int reason = find_events_folder(root, events);
	const int length = snprintf(path, PATH_BYTES, "%s/%s/%s/%s", events, group, name, file);

	*has_tracefs = reason == 0;
	if (reason != 0)
		return -reason;
	if (!is_name(group) || !is_name(name) || length < 0 || length >= PATH_BYTES)
		return -ENOENT;
	return file_read(path, text, size);
}

bool tracepoint_find(const char *root, const char *group, const char *name, struct event_spec *spec,
		     struct error *error)
{
	char number[NUMBER_BYTES];
	struct event_spec found = {.type = EVENT_TYPE_TRACEPOINT, .scale = 1};
	int length = snprintf(found.name, sizeof(found.name), "%s:%s", group, name);
	bool has_tracefs;
	long got =
		read_tracepoint_file(root, group, name, "id", number, sizeof(number), &has_tracefs);

	if (has_tracefs && (length < 0 || (size_t)length >= sizeof(found.name) || got == -ENOENT ||
			    got == -ENOTDIR || got == -ENAMETOOLONG))
		return error_set(error, ERROR_EVENT_TRACEPOINT_UNKNOWN, found.name, NULL);
	if (got < 0)
		return error_set_errno(error, ERROR_EVENT_TRACEFS, found.name, (int)-got);
	number[strcspn(number, "\n")] = '\0';
	if (!units_parse_u64(number, 0, UINT32_MAX, &found.config))
		return error_set(error, ERROR_EVENT_TRACEFS, found.name, "its id is not a number");
	found.class = EVENT_CLASS_SOFTWARE;
	*spec = found;
	return true;
}

/*
 * "	field:pid_t pid;	offset:24;	size:4;	signed:1;": its declaration, as in C, and
 * where it is. Returns how many of the four parts there are.
 */
static int read_format_line(const char *line, char declaration[static DECLARATION_BYTES],
			    unsigned int *offset, unsigned int *size, unsigned int *is_signed)
{
	*is_signed = 0;
	return sscanf(line, " field:%255[^;\n];%*[ \t]offset:%5u;%*[ \t]size:%5u;%*[ \t]signed:%1u",
		      declaration, offset, size, is_signed);
}

/* The fields that all tracepoints share come first; an empty line is behind them. */
void tracepoint_append_fields(const char *root, const char *group, const char *name,
			      struct strbuf *out)
{
	char text[TRACEPOINT_FORMAT_BYTES], declaration[DECLARATION_BYTES];
	unsigned int offset, size, is_signed;
	bool has_tracefs;

	if (read_tracepoint_file(root, group, name, "format", text, sizeof(text), &has_tracefs) <=
	    0)
		return;

	const char *line = strstr(text, "\n\n");

	while (line && (line = strchr(line + 1, '\n')))
		if (read_format_line(line + 1, declaration, &offset, &size, &is_signed) >= 2)
			strbuf_printf(out, "  %s\n", declaration);
}

/* Whether the last word of a declaration is the name; an array has brackets somewhere. */
static bool declares(const char *declaration, const char *name)
{
	const size_t length = strlen(declaration), name_length = strlen(name);

	return length > name_length && !strchr(declaration, '[') &&
	       strcmp(declaration + length - name_length, name) == 0 &&
	       strchr(" \t*", declaration[length - name_length - 1]);
}

bool tracepoint_parse_field(const char *format, const char *name, struct tracepoint_field *field)
{
	char declaration[DECLARATION_BYTES];
	unsigned int offset, size, is_signed;

	for (const char *line = format; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (read_format_line(line, declaration, &offset, &size, &is_signed) < 3 ||
		    !declares(declaration, name))
			continue;
		if (offset > RECORD_BYTES || size == 0 || size > sizeof(uint64_t) ||
		    (size & (size - 1)) != 0)
			return false;
		*field = (struct tracepoint_field){offset, size, is_signed != 0};
		return true;
	}
	return false;
}

bool tracepoint_parse_text(const char *format, const char *name, size_t *offset, size_t *size)
{
	char declaration[DECLARATION_BYTES], wanted[DECLARATION_BYTES];
	unsigned int at, bytes, is_signed;

	for (const char *line = format; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (read_format_line(line, declaration, &at, &bytes, &is_signed) < 3)
			continue;
		snprintf(wanted, sizeof(wanted), "char %s[%u]", name, bytes);
		if (strcmp(declaration, wanted) != 0 || at > RECORD_BYTES || bytes > RECORD_BYTES)
			continue;
		*offset = at;
		*size = bytes;
		return true;
	}
	return false;
}

bool tracepoint_read_format(const char *root, const char *group, const char *name, char *text,
			    size_t size, struct error *error)
{
	char full[EVENT_SPEC_NAME_MAX];
	bool has_tracefs;
	long got;

	*text = '\0';
	got = read_tracepoint_file(root, group, name, "format", text, size, &has_tracefs);
	snprintf(full, sizeof(full), "%s:%s", group, name);
	return got >= 0 || error_set_errno(error, ERROR_EVENT_TRACEFS, full, (int)-got);
}

bool tracepoint_find_field(const char *root, const char *group, const char *name,
			   const char *field_name, struct tracepoint_field *field,
			   struct error *error)
{
	char text[TRACEPOINT_FORMAT_BYTES], full[EVENT_SPEC_NAME_MAX];

	if (!tracepoint_read_format(root, group, name, text, sizeof(text), error))
		return false;
	snprintf(full, sizeof(full), "%s:%s", group, name);
	return tracepoint_parse_field(text, field_name, field) ||
	       error_set(error, ERROR_EVENT_TRACEPOINT_FIELD, full, field_name);
}

/* The list begins behind the first brace after the field's name, and has nothing else in braces. */
size_t tracepoint_parse_flags(const char *format, const char *field, struct tracepoint_flag *flags,
			      size_t max)
{
	char reference[DECLARATION_BYTES];
	const char *at = strstr(format, "\nprint fmt:");
	size_t count = 0;

	snprintf(reference, sizeof(reference), "REC->%s ", field);
	at = at ? strstr(at, reference) : NULL;
	while (at && count < max && (at = strchr(at, '{'))) {
		unsigned int bit;
		char letter, end;

		if (sscanf(at++, "{ %i , \"%c%c", (int *)&bit, &letter, &end) == 3 && end == '"')
			flags[count++] = (struct tracepoint_flag){bit, letter};
	}
	return count;
}

bool tracepoint_read_field(const struct tracepoint_field *field, const void *raw, size_t size,
			   int64_t *value)
{
	const unsigned int unused_bits = 64 - 8 * (unsigned int)field->size;
	uint64_t number = 0;

	if (field->size == 0 || field->size > sizeof(number) || field->offset > size ||
	    size - field->offset < field->size)
		return false;
	memcpy(&number, (const unsigned char *)raw + field->offset, field->size);
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		number <<= unused_bits;
	/* its highest bit becomes the sign, or zeroes */
	*value = field->is_signed ? (int64_t)number >> unused_bits
				  : (int64_t)(number >> unused_bits);
	return true;
}
