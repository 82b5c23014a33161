/*
 * TRACING_DATA: magic, byte order and sizes, two files about the ring buffer, the formats of the
 * tracepoints by groups, and three parts that describe ftrace's own ring and are left empty:
 * symbols, printk formats and names of tasks.
 *
 * A tracepoint is looked for under its name first, because going through all of tracefs takes some
 * thousand files; but its number decides, for a name may be the user's.
 */

#include "kernel/perfdata/tracing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/perfdata/bytes.h"

enum {
	PATH_BYTES = 1024,
	NAME_BYTES = 256,
	NUMBER_BYTES = 32,
	FORMAT_BYTES = 65536 /* larger than any */
};

struct place {
	char group[NAME_BYTES], name[NAME_BYTES];
};

static bool has_number(const char *tracefs, const struct place *place, uint64_t id)
{
	char path[PATH_BYTES], text[NUMBER_BYTES], *end;
	int length = snprintf(path, sizeof(path), "%s/events/%s/%s/id", tracefs, place->group,
			      place->name);

	return length < PATH_BYTES && file_read(path, text, sizeof(text)) > 0 &&
	       strtoull(text, &end, 10) == id && end != text;
}

/* The first two words of "GROUP:NAME:u" or "GROUP:NAME/filter/". */
static bool split_name(const char *text, struct place *place)
{
	size_t group = strcspn(text, ":/");
	size_t name = text[group] == ':' ? strcspn(text + group + 1, ":/") : 0;

	if (group == 0 || name == 0 || group >= NAME_BYTES || name >= NAME_BYTES)
		return false;
	snprintf(place->group, NAME_BYTES, "%.*s", (int)group, text);
	snprintf(place->name, NAME_BYTES, "%.*s", (int)name, text + group + 1);
	return true;
}

/* The next entry that may be a folder of tracepoints; false: there are no more. */
static bool next_name(DIR *folder, char name[static NAME_BYTES])
{
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		if (*entry->d_name != '.' && strlen(entry->d_name) < NAME_BYTES) {
			strcpy(name, entry->d_name);
			return true;
		}
	}
	return false;
}

static DIR *open_group(const char *tracefs, const char *group)
{
	char path[PATH_BYTES];
	int length = snprintf(path, sizeof(path), "%s/events/%s", tracefs, group);

	return length < PATH_BYTES ? opendir(path) : NULL;
}

static bool search_group(const char *tracefs, uint64_t id, struct place *place)
{
	DIR *folder = open_group(tracefs, place->group);
	bool is_found = false;

	while (folder && !is_found && next_name(folder, place->name))
		is_found = has_number(tracefs, place, id);
	if (folder)
		closedir(folder);
	return is_found;
}

static bool search(const char *tracefs, uint64_t id, struct place *place)
{
	DIR *folder = open_group(tracefs, "");
	bool is_found = false;

	while (folder && !is_found && next_name(folder, place->group))
		is_found = search_group(tracefs, id, place);
	if (folder)
		closedir(folder);
	return is_found;
}

static bool find(const char *tracefs, const struct tracing_query *query, struct place *place)
{
	return (split_name(query->name, place) && has_number(tracefs, place, query->id)) ||
	       search(tracefs, query->id, place);
}

/* A file's size and bytes. */
static bool append_file(const char *path, struct strbuf *buffer)
{
	char *text = xcalloc(FORMAT_BYTES, 1);
	long length = file_read(path, text, FORMAT_BYTES);

	if (length > 0) {
		bytes_u64(buffer, (uint64_t)length);
		strbuf_add_bytes(buffer, text, (size_t)length);
	}
	free(text);
	return length > 0;
}

static void append_string(const char *text, struct strbuf *buffer)
{
	strbuf_add_bytes(buffer, text, strlen(text) + 1);
}

static void append_start(struct strbuf *buffer)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	strbuf_add_bytes(buffer, "\x17\x08\x44tracing", 10);
	append_string("0.6", buffer);
	strbuf_add_char(buffer, (char)(first == 0)); /* 0: the low byte first */
	strbuf_add_char(buffer, (char)sizeof(long));
	bytes_u32(buffer, (uint32_t)sysconf(_SC_PAGESIZE));
}

static bool append_headers(const char *tracefs, struct strbuf *buffer)
{
	static const char *const names[] = {"header_page", "header_event"};
	char path[PATH_BYTES];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		append_string(names[i], buffer);
		if (snprintf(path, sizeof(path), "%s/events/%s", tracefs, names[i]) >= PATH_BYTES ||
		    !append_file(path, buffer))
			return false;
	}
	return true;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a, *right = b;
	int order = strcmp(left->group, right->group);

	return order != 0 ? order : strcmp(left->name, right->name);
}

/* Places in order, each once; returns how many. */
static size_t sort_places(struct place *places, size_t count)
{
	size_t kept = 0;

	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || compare_places(&places[kept - 1], &places[i]) != 0)
			places[kept++] = places[i];
	return kept;
}

static size_t group_end(const struct place *places, size_t first, size_t count)
{
	size_t end = first;

	while (end < count && strcmp(places[end].group, places[first].group) == 0)
		end++;
	return end;
}

static bool append_groups(const char *tracefs, const struct place *places, size_t count,
			  struct strbuf *buffer)
{
	char path[PATH_BYTES];
	uint32_t groups = 0;

	for (size_t i = 0; i < count; i = group_end(places, i, count))
		groups++;
	bytes_u32(buffer, groups);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(places[i].group, places[i - 1].group) != 0) {
			append_string(places[i].group, buffer);
			bytes_u32(buffer, (uint32_t)(group_end(places, i, count) - i));
		}
		if (snprintf(path, sizeof(path), "%s/events/%s/%s/format", tracefs, places[i].group,
			     places[i].name) >= PATH_BYTES ||
		    !append_file(path, buffer))
			return false;
	}
	return true;
}

static bool append_all(const char *tracefs, struct place *places, size_t count,
		       struct strbuf *buffer)
{
	append_start(buffer);
	if (!append_headers(tracefs, buffer))
		return false;
	bytes_u32(buffer, 0); /* ftrace's own events */
	if (!append_groups(tracefs, places, sort_places(places, count), buffer))
		return false;
	bytes_u32(buffer, 0); /* symbols */
	bytes_u32(buffer, 0); /* printk formats */
	bytes_u64(buffer, 0); /* names of tasks */
	return true;
}

void tracing_append(const char *tracefs, struct tracing_query *queries, size_t count,
		    struct strbuf *buffer)
{
	struct place *places = xcalloc(count, sizeof(*places));
	struct strbuf all = {0};
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		queries[i].is_met = *tracefs != '\0' && find(tracefs, &queries[i], &places[found]);
		found += queries[i].is_met;
	}

	bool is_whole = found > 0 && append_all(tracefs, places, found, &all);

	for (size_t i = 0; i < count; i++)
		queries[i].is_met = queries[i].is_met && is_whole;
	if (is_whole)
		strbuf_add_bytes(buffer, all.text, all.length);
	strbuf_fini(&all);
	free(places);
}
