/*
 * TRACING_DATA: magic, byte order and sizes, two files about the ring buffer, the formats of the
 * tracepoints by groups, and three parts that describe ftrace's own ring and are left empty:
 * symbols, printk formats and names of tasks. The reader needs the formats alone.
 */

#include "perfdata/tracing.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/file.h"

#include "perfdata/bytes.h"
#include "perfdata/reader.h"

enum {
	PATH_BYTES = 1024,
	NAME_BYTES = 256,
	NUMBER_BYTES = 32,
	FORMAT_BYTES = 65536, /* larger than any */
	FORMATS_MAX = 65536   /* of a recording that is read; of more they are not known */
};

static const unsigned char MAGIC[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

struct tracing_place {
	char group[NAME_BYTES], name[NAME_BYTES];
};

/* The first two words of "GROUP:NAME:u" or "GROUP:NAME/filter/". */
static bool split_name(const char *text, struct tracing_place *place)
{
	size_t group = strcspn(text, ":/");
	size_t name = text[group] == ':' ? strcspn(text + group + 1, ":/") : 0;

	if (group == 0 || name == 0 || group >= NAME_BYTES || name >= NAME_BYTES)
		return false;
	snprintf(place->group, NAME_BYTES, "%.*s", (int)group, text);
	snprintf(place->name, NAME_BYTES, "%.*s", (int)name, text + group + 1);
	return true;
}

/* The number decides: a name may be the user's. */
static bool locate_tracepoint(const char *tracefs, const struct tracing_query *query,
			      struct tracing_place *place)
{
	long long number;

	return split_name(query->name, place) &&
	       file_read_number(&number, "%s/events/%s/%s/id", tracefs, place->group,
				place->name) &&
	       (uint64_t)number == query->id;
}

/* A file's size and bytes. */
static bool append_file(const char *path, struct strbuf *buffer)
{
	char *text = xcalloc(FORMAT_BYTES, 1);
	long length = file_read(path, text, FORMAT_BYTES);

	if (length > 0) {
		codec_put_u64(buffer, (uint64_t)length);
		strbuf_add_bytes(buffer, text, (size_t)length);
	}
	free(text);
	return length > 0;
}

static void append_string(const char *text, struct strbuf *buffer)
{
	strbuf_add_bytes(buffer, text, strlen(text) + 1);
}

static bool is_big_endian(void)
{
	return htobe16(1) == 1;
}

static void append_start(struct strbuf *buffer)
{
	strbuf_add_bytes(buffer, (const char *)MAGIC, sizeof(MAGIC));
	append_string("0.6", buffer);
	strbuf_add_char(buffer, is_big_endian()); /* 0: the low byte first */
	strbuf_add_char(buffer, (char)sizeof(long));
	codec_put_u32(buffer, (uint32_t)sysconf(_SC_PAGESIZE));
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
	const struct tracing_place *left = a, *right = b;
	int order = strcmp(left->group, right->group);

	return order != 0 ? order : strcmp(left->name, right->name);
}

/* Places in order, each once; returns how many. */
static size_t sort_places(struct tracing_place *places, size_t count)
{
	size_t kept = 0;

	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || compare_places(&places[kept - 1], &places[i]) != 0)
			places[kept++] = places[i];
	return kept;
}

static size_t group_end(const struct tracing_place *places, size_t first, size_t count)
{
	size_t end = first;

	while (end < count && strcmp(places[end].group, places[first].group) == 0)
		end++;
	return end;
}

static bool append_groups(const char *tracefs, const struct tracing_place *places, size_t count,
			  struct strbuf *buffer)
{
	char path[PATH_BYTES];
	uint32_t groups = 0;

	for (size_t i = 0; i < count; i = group_end(places, i, count))
		groups++;
	codec_put_u32(buffer, groups);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(places[i].group, places[i - 1].group) != 0) {
			append_string(places[i].group, buffer);
			codec_put_u32(buffer, (uint32_t)(group_end(places, i, count) - i));
		}
		if (snprintf(path, sizeof(path), "%s/events/%s/%s/format", tracefs, places[i].group,
			     places[i].name) >= PATH_BYTES ||
		    !append_file(path, buffer))
			return false;
	}
	return true;
}

static bool append_all(const char *tracefs, struct tracing_place *places, size_t count,
		       struct strbuf *buffer)
{
	append_start(buffer);
	if (!append_headers(tracefs, buffer))
		return false;
	codec_put_u32(buffer, 0); /* ftrace's own events */
	if (!append_groups(tracefs, places, sort_places(places, count), buffer))
		return false;
	codec_put_u32(buffer, 0); /* symbols */
	codec_put_u32(buffer, 0); /* printk formats */
	codec_put_u64(buffer, 0); /* names of tasks */
	return true;
}

void tracing_append(const char *tracefs, struct tracing_query *queries, size_t count,
		    struct strbuf *buffer)
{
	struct tracing_place *places = xcalloc(count, sizeof(*places));
	struct strbuf all = {0};
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		queries[i].is_met =
			*tracefs != '\0' && locate_tracepoint(tracefs, &queries[i], &places[found]);
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

/* --- reading */

struct tracing_format {
	const char *group, *text; /* borrowed */
	size_t size;              /* of the text, which has no NUL */
};

struct tracing_formats {
	struct tracing_format *all; /* owned */
	size_t count, capacity;
	struct map by_number; /* 1 + index, disguised as a pointer */
};

/* "ID: 372" at the beginning of a line */
static bool read_format_number(const struct tracing_format *format, uint64_t *number)
{
	static const char mark[] = "\nID: ";
	const char *end = format->text + format->size;
	const char *line = memmem(format->text, format->size, mark, sizeof(mark) - 1);
	char digits[NUMBER_BYTES] = "";

	if (!line)
		return false;
	line += sizeof(mark) - 1;
	for (size_t i = 0; i < sizeof(digits) - 1 && line < end && *line != '\n'; i++)
		digits[i] = *line++;
	return units_parse_u64(digits, 0, UINT64_MAX, number);
}

/* Of two with one number the first counts. */
static void add_format(struct tracing_formats *formats, const struct tracing_format *format)
{
	uint64_t number;

	if (!read_format_number(format, &number) || map_get(&formats->by_number, number))
		return;
	array_reserve(&formats->all, &formats->capacity, formats->count + 1, sizeof(*formats->all));
	formats->all[formats->count++] = *format;
	map_put(&formats->by_number, number, (void *)(uintptr_t)formats->count);
}

/* So many formats, of one group. */
static void take_formats(struct tracing_formats *formats, struct codec *fields, const char *group)
{
	const uint32_t count = codec_u32(fields);

	for (uint32_t i = 0; i < count && !fields->has_failed; i++) {
		const uint64_t size = codec_u64(fields);
		const unsigned char *bytes = codec_bytes(fields, NULL, size);

		if (bytes && size <= FORMAT_BYTES && formats->count < FORMATS_MAX)
			add_format(formats, &(struct tracing_format){group, (const char *)bytes,
								     (size_t)size});
	}
}

static void skip_text(struct codec *fields)
{
	const size_t left = codec_left(fields);
	const unsigned char *end = left > 0 ? memchr(fields->at, '\0', left) : NULL;

	codec_bytes(fields, NULL, end ? (uint64_t)(end - fields->at) + 1 : UINT64_MAX);
}

/* Behind the head, up to the first format. */
static bool skip_head(struct codec *fields)
{
	const unsigned char *bytes = codec_bytes(fields, NULL, sizeof(MAGIC));

	if (!bytes || memcmp(bytes, MAGIC, sizeof(MAGIC)) != 0)
		return false;
	skip_text(fields); /* version */
	bytes = codec_bytes(fields, NULL, 1);
	if (!bytes || (*bytes != 0) != is_big_endian())
		return false;
	codec_bytes(fields, NULL, 1);                /* size of a long */
	codec_bytes(fields, NULL, sizeof(uint32_t)); /* size of a page */
	skip_text(fields);                           /* header_page */
	codec_bytes(fields, NULL, codec_u64(fields));
	skip_text(fields); /* header_event */
	codec_bytes(fields, NULL, codec_u64(fields));
	return !fields->has_failed;
}

struct tracing_formats *tracing_read(const void *bytes, size_t size)
{
	struct tracing_formats *formats = xcalloc(1, sizeof(*formats));
	struct codec fields = codec_of(bytes, size);
	uint32_t groups;

	if (!skip_head(&fields))
		return formats;
	take_formats(formats, &fields, "ftrace"); /* its own, which have none */
	groups = codec_u32(&fields);
	for (uint32_t i = 0; i < groups && !fields.has_failed; i++) {
		const char *group = (const char *)fields.at;

		skip_text(&fields);
		if (!fields.has_failed)
			take_formats(formats, &fields, group);
	}
	return formats;
}

void tracing_formats_destroy(struct tracing_formats *formats)
{
	if (!formats)
		return;
	map_fini(&formats->by_number);
	free(formats->all);
	free(formats);
}

static const struct tracing_format *find_format(const struct tracing_formats *formats,
						uint64_t number)
{
	const size_t place = formats ? (uintptr_t)map_get(&formats->by_number, number) : 0;

	return place > 0 ? &formats->all[place - 1] : NULL;
}

bool tracing_name(const struct tracing_formats *formats, uint64_t number, char *name, size_t size)
{
	static const char mark[] = "name: ";
	const struct tracing_format *format = find_format(formats, number);
	const size_t front = sizeof(mark) - 1;
	const char *text, *end;
	size_t left;

	if (!format || format->size < front || memcmp(format->text, mark, front) != 0)
		return false;
	text = format->text + front;
	/* whatever the file says, no more than a name has is read */
	left = format->size - front;
	end = memchr(text, '\n', left < NAME_BYTES ? left : NAME_BYTES);
	if (!end)
		return false;
	snprintf(name, size, "%.*s:%.*s", NAME_BYTES, format->group, (int)(end - text), text);
	return true;
}

char *perfdata_find_format(const struct perfdata_info *info, uint64_t number)
{
	const struct tracing_format *format = find_format(info->formats, number);

	return format ? xstrndup(format->text, format->size) : NULL;
}
