/*
 * tracefs has a folder for each group, and in it one for each tracepoint with the files `id` (what
 * perf_event_open(2) takes as config) and `format`. What has no `id` cannot be counted (enable and
 * filter files are beside the tracepoints). Names are the user's: one that could leave its folder
 * is unknown.
 *
 * Where tracefs is not mounted at its own place it is looked for under debugfs, in this order,
 * because looking into the second one mounts it there.
 */

#include "kernel/event/tracepoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/event/event.h"
#include "kernel/file.h"

enum {
	PATH_BYTES = 1024,
	NUMBER_BYTES = 32,
	FORMAT_BYTES = 16384,
	RECORD_BYTES = 65535, /* no record is longer: its size has 16 bits */
	NAMES_BYTES = 2 * EVENT_SPEC_NAME_MAX
};

static const char *const PLACES[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

/* The folder of all groups; 0 or the errno of the place that says most. */
static int find_events(const char *root, char path[static PATH_BYTES])
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
static bool join(char path[static PATH_BYTES], const char *folder, const char *name)
{
	int length = snprintf(path, PATH_BYTES, "%s/%s", folder, name);

	return length >= 0 && length < PATH_BYTES;
}

static bool has_id(int folder, const char *name)
{
	char path[PATH_BYTES];

	return is_name(name) && join(path, name, "id") && faccessat(folder, path, F_OK, 0) == 0;
}

static void walk_group(const char *events, const char *group, tracepoint_visit *visit,
		       void *context)
{
	char path[PATH_BYTES];
	DIR *folder = join(path, events, group) ? opendir(path) : NULL;
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
	int reason = find_events(root, events);
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

	return is_name(group) && find_events(root, events) == 0 && join(path, events, group) &&
	       access(path, X_OK) == 0;
}

static void offer_name(void *context, const char *group, const char *name)
{
	char full[EVENT_SPEC_NAME_MAX];
	int length = snprintf(full, sizeof(full), "%s:%s", group, name);

	if (length >= 0 && (size_t)length < sizeof(full))
		nearest_offer(context, full);
}

void tracepoint_offer_nearest(const char *root, struct nearest *nearest)
{
	tracepoint_walk(root, offer_name, nearest, NULL);
}

static bool set_unknown(const char *root, const char *wanted, struct error *error)
{
	static const char before[] = "; the nearest: ";
	char names[NAMES_BYTES], text[sizeof(before) + NAMES_BYTES] = "";
	struct nearest nearest;

	nearest_init(&nearest, wanted);
	tracepoint_offer_nearest(root, &nearest);
	nearest_format(&nearest, names, sizeof(names));
	if (*names != '\0')
		snprintf(text, sizeof(text), "%s%s", before, names);
	return error_set(error, ERROR_EVENT_TRACEPOINT_UNKNOWN, wanted, text);
}

/* Path of a tracepoint's file; false when there can be none. */
static bool find_file(const char *events, const char *group, const char *name, const char *file,
		      char path[static PATH_BYTES])
{
	int length = snprintf(path, PATH_BYTES, "%s/%s/%s/%s", events, group, name, file);

	return is_name(group) && is_name(name) && length >= 0 && length < PATH_BYTES;
}

bool tracepoint_find(const char *root, const char *group, const char *name, struct event_spec *spec,
		     struct error *error)
{
	char events[PATH_BYTES], path[PATH_BYTES], number[NUMBER_BYTES];
	struct event_spec found = {.type = PERF_TYPE_TRACEPOINT, .scale = 1};
	int length = snprintf(found.name, sizeof(found.name), "%s:%s", group, name);
	int reason = find_events(root, events);

	if (reason != 0)
		return error_set_errno(error, ERROR_EVENT_TRACEFS, found.name, reason);
	if (length < 0 || (size_t)length >= sizeof(found.name) ||
	    !find_file(events, group, name, "id", path))
		return set_unknown(root, found.name, error);

	long got = file_read(path, number, sizeof(number));

	if (got == -ENOENT || got == -ENOTDIR || got == -ENAMETOOLONG)
		return set_unknown(root, found.name, error);
	if (got < 0)
		return error_set_errno(error, ERROR_EVENT_TRACEFS, found.name, (int)-got);
	number[strcspn(number, "\n")] = '\0';
	if (!units_parse_u64(number, 0, UINT32_MAX, &found.config))
		return error_set(error, ERROR_EVENT_TRACEFS, found.name, "its id is not a number");
	found.class = EVENT_CLASS_SOFTWARE;
	*spec = found;
	return true;
}

/* "	field:char prev_comm[16];	offset:8; ..." -> "  char prev_comm[16]" */
static void append_field(struct strbuf *out, const char *line, size_t length)
{
	static const char mark[] = "field:";
	const size_t mark_length = sizeof(mark) - 1;
	size_t blanks = strspn(line, " \t");

	if (blanks + mark_length >= length || strncmp(line + blanks, mark, mark_length) != 0)
		return;

	const char *field = line + blanks + mark_length;
	const char *end = memchr(field, ';', (size_t)(line + length - field));

	if (!end)
		return;
	strbuf_add(out, "  ");
	strbuf_add_bytes(out, field, (size_t)(end - field));
	strbuf_add_char(out, '\n');
}

/* The fields that all tracepoints share come first; an empty line is behind them. */
void tracepoint_append_fields(const char *root, const char *group, const char *name,
			      struct strbuf *out)
{
	char events[PATH_BYTES], path[PATH_BYTES], text[FORMAT_BYTES];

	if (find_events(root, events) != 0 || !find_file(events, group, name, "format", path) ||
	    file_read(path, text, sizeof(text)) <= 0)
		return;

	const char *line = strstr(text, "\n\n");

	while (line && *line != '\0') {
		size_t length = strcspn(line, "\n");

		append_field(out, line, length);
		line += length + (line[length] == '\n');
	}
}

/* What follows a key ("offset:") between two semicolons of a line; NULL: it is not there. */
static const char *find_part(const char *line, size_t length, const char *key)
{
	const char *end = line + length;

	while (line < end) {
		const char *stop = memchr(line, ';', (size_t)(end - line));

		line += strspn(line, " \t");
		if (!stop)
			return NULL;
		if (strncmp(line, key, strlen(key)) == 0)
			return line + strlen(key);
		line = stop + 1;
	}
	return NULL;
}

static bool read_part(const char *line, size_t length, const char *key, uint64_t max,
		      uint64_t *value)
{
	const char *part = find_part(line, length, key);
	char number[NUMBER_BYTES];

	if (!part)
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)strcspn(part, ";\n"), part);
	return units_parse_u64(number, 0, max, value);
}

static bool ends_in_word(const char *text, size_t size, const char *word)
{
	const size_t length = strlen(word);

	if (size <= length || strncmp(text + size - length, word, length) != 0)
		return false;
	switch (text[size - length - 1]) {
	case ' ':
	case '\t':
	case '*':
		return true;
	default:
		return false;
	}
}

/* "field:pid_t pid;": the last word is the name; an array has brackets somewhere. */
static bool declares(const char *line, size_t length, const char *name)
{
	const char *declaration = find_part(line, length, "field:");
	size_t size;

	if (!declaration)
		return false;
	size = strcspn(declaration, ";\n");
	return !memchr(declaration, '[', size) && ends_in_word(declaration, size, name);
}

bool tracepoint_parse_field(const char *format, const char *name, struct tracepoint_field *field)
{
	for (const char *line = format; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		uint64_t offset, size, is_signed = 0;

		if (declares(line, length, name)) {
			if (!read_part(line, length, "offset:", RECORD_BYTES, &offset) ||
			    !read_part(line, length, "size:", sizeof(uint64_t), &size) ||
			    size == 0 || (size & (size - 1)) != 0)
				return false;
			read_part(line, length, "signed:", 1, &is_signed);
			*field = (struct tracepoint_field){
				.offset = offset, .size = size, .is_signed = is_signed != 0};
			return true;
		}
		line += length + (line[length] == '\n');
	}
	return false;
}

bool tracepoint_find_field(const char *root, const char *group, const char *name,
			   const char *field_name, struct tracepoint_field *field,
			   struct error *error)
{
	char events[PATH_BYTES], path[PATH_BYTES], text[FORMAT_BYTES], full[EVENT_SPEC_NAME_MAX];
	int reason = find_events(root, events);
	long got = -ENOENT;

	snprintf(full, sizeof(full), "%s:%s", group, name);
	if (reason != 0)
		return error_set_errno(error, ERROR_EVENT_TRACEFS, full, reason);
	if (find_file(events, group, name, "format", path))
		got = file_read(path, text, sizeof(text));
	if (got < 0)
		return error_set_errno(error, ERROR_EVENT_TRACEFS, full, (int)-got);
	if (!tracepoint_parse_field(text, field_name, field))
		return error_set(error, ERROR_EVENT_TRACEPOINT_FIELD, full, field_name);
	return true;
}

bool tracepoint_read_field(const struct tracepoint_field *field, const void *raw, size_t size,
			   int64_t *value)
{
	uint8_t byte;
	uint16_t half;
	uint32_t word;

	if (field->offset > size || size - field->offset < field->size)
		return false;

	const unsigned char *at = (const unsigned char *)raw + field->offset;

	switch (field->size) {
	case sizeof(byte):
		memcpy(&byte, at, sizeof(byte));
		*value = field->is_signed ? (int64_t)(int8_t)byte : (int64_t)byte;
		return true;
	case sizeof(half):
		memcpy(&half, at, sizeof(half));
		*value = field->is_signed ? (int64_t)(int16_t)half : (int64_t)half;
		return true;
	case sizeof(word):
		memcpy(&word, at, sizeof(word));
		*value = field->is_signed ? (int64_t)(int32_t)word : (int64_t)word;
		return true;
	case sizeof(*value):
		memcpy(value, at, sizeof(*value));
		return true;
	default:
		return false;
	}
}
