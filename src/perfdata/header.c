/*
 * A file begins with its header (104 bytes: struct perf_header of perf's documentation), that of a
 * pipe with the first 16 bytes of it. Offsets and sizes are those of the file and are believed only
 * as far as there are bytes.
 */

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <linux/perf_event.h>

#include "perfdata/bytes.h"
#include "perfdata/disk.h"
#include "perfdata/inlet.h"
#include "perfdata/inside.h"

enum {
	BARE_SIZE = offsetof(struct disk_header, features),
	FULL_SIZE = sizeof(struct disk_header),
	SECTION_SIZE = sizeof(struct disk_section),
	ATTRIBUTE_MAX = 4096, /* bytes of one that are looked at */
	IDS_AT_ONCE = 512
};
static_assert(BARE_SIZE == 72 && FULL_SIZE == 104 && SECTION_SIZE == 16, "as in the file");

static struct disk_section take_section(struct fields *fields)
{
	struct disk_section section = {.offset = fields_u64(fields)};

	section.size = fields_u64(fields);
	return section;
}

/* The first word says what wrote it and in which byte order. */
static bool read_magic(struct perfdata *file, const char *path, struct error *error)
{
	uint64_t magic;

	if (inlet_await(&file->inlet, DISK_PIPE_BYTES) != INLET_READY)
		return error_set(error, ERROR_PERFDATA_FOREIGN, path, NULL);
	memcpy(&magic, inlet_bytes(&file->inlet), sizeof(magic));
	file->info.is_swapped = magic == __builtin_bswap64(DISK_MAGIC);
	if (magic == DISK_MAGIC || file->info.is_swapped)
		return true;
	return error_set(error,
			 magic == DISK_MAGIC_OLD || magic == __builtin_bswap64(DISK_MAGIC_OLD)
				 ? ERROR_PERFDATA_OLD
				 : ERROR_PERFDATA_FOREIGN,
			 path, NULL);
}

static struct disk_header take_header(const unsigned char *bytes, size_t size, bool is_swapped)
{
	struct fields fields = fields_of(bytes, size, is_swapped);
	struct disk_header header = {.magic = fields_u64(&fields)};

	header.size = fields_u64(&fields);
	header.attr_size = fields_u64(&fields);
	header.attrs = take_section(&fields);
	header.data = take_section(&fields);
	header.event_types = take_section(&fields); /* no longer written */
	for (size_t i = 0; i < DISK_FEATURE_WORDS; i++)
		header.features[i] = fields_u64(&fields);
	return header;
}

/* False: there are fewer ids in the file than it says, or more than it may say. */
static bool read_ids(struct perfdata *file, size_t index, struct disk_section ids)
{
	uint64_t words[IDS_AT_ONCE] = {0};
	uint64_t left = ids.size / sizeof(*words);

	while (left > 0) {
		size_t count = left < IDS_AT_ONCE ? (size_t)left : IDS_AT_ONCE;
		size_t size = count * sizeof(*words);
		struct fields fields = fields_of(words, size, file->info.is_swapped);

		if (inlet_at(&file->inlet, ids.offset, words, size) != size ||
		    !event_list_add_ids(&file->events, index, &fields, count))
			return false;
		ids.offset += size;
		left -= count;
	}
	return true;
}

static bool read_attributes(struct perfdata *file, const struct disk_header *header)
{
	unsigned char entry[ATTRIBUTE_MAX] = {0};
	size_t size = (size_t)header->attr_size;
	uint64_t count = header->attrs.size / size;

	for (uint64_t i = 0; i < count; i++) {
		bool is_swapped = file->info.is_swapped;
		size_t attribute = size - SECTION_SIZE;
		struct fields ids = fields_of(entry + attribute, SECTION_SIZE, is_swapped);

		if (inlet_at(&file->inlet, header->attrs.offset + i * size, entry, size) != size ||
		    !event_list_add(&file->events, fields_of(entry, attribute, is_swapped)) ||
		    !read_ids(file, (size_t)i, take_section(&ids)))
			return false;
	}
	return true;
}

static bool is_plausible(const struct disk_header *header)
{
	return (header->size == BARE_SIZE || header->size >= FULL_SIZE) &&
	       header->attr_size >= PERF_ATTR_SIZE_VER0 + SECTION_SIZE &&
	       header->attr_size <= ATTRIBUTE_MAX && header->data.offset >= BARE_SIZE &&
	       header->data.offset <= INT64_MAX && header->data.size <= INT64_MAX;
}

/*
 * The size of the data is written last. As long as it is 0 the features are not there either,
 * though the header names them.
 */
static void read_features(struct perfdata *file, const struct disk_header *header)
{
	const uint64_t *words = header->features;
	uint64_t place = header->data.offset + header->data.size;

	if (header->size == BARE_SIZE || (words[0] | words[1] | words[2] | words[3]) == 0)
		return;
	if (header->data.size == 0 && !feature_in_begins_at(file, place)) {
		perfdata_cut(file, ERROR_PERFDATA_UNFINISHED, NULL, NULL);
		return;
	}
	if (header->data.size == 0)
		file->inlet.limit = place; /* complete, and without a record */
	feature_in_read_all(file, place, words);
}

static bool read_file_header(struct perfdata *file, const char *path, struct error *error)
{
	unsigned char bytes[FULL_SIZE] = {0};
	struct disk_header header;
	size_t size = inlet_at(&file->inlet, 0, bytes, sizeof(bytes));

	header = take_header(bytes, sizeof(bytes), file->info.is_swapped);
	if (size < BARE_SIZE || (header.size != BARE_SIZE && size < FULL_SIZE))
		return error_set(error, ERROR_PERFDATA_SHORT, path, NULL);
	if (!is_plausible(&header))
		return error_set(error, ERROR_PERFDATA_DAMAGED, path, NULL);
	if (!read_attributes(file, &header))
		return error_set(error, ERROR_PERFDATA_SHORT, path, NULL);
	if (file->events.count == 0)
		return error_set(error, ERROR_PERFDATA_EMPTY, path, NULL);
	file->data = header.data;
	file->inlet.limit =
		header.data.size > 0 ? header.data.offset + header.data.size : UINT64_MAX;
	read_features(file, &header);
	inlet_seek(&file->inlet, header.data.offset);
	return true;
}

bool header_read(struct perfdata *file, const char *path, struct error *error)
{
	if (!read_magic(file, path, error))
		return false;

	struct fields fields =
		fields_of(inlet_bytes(&file->inlet), DISK_PIPE_BYTES, file->info.is_swapped);

	fields_u64(&fields); /* magic */
	if (fields_u64(&fields) == DISK_PIPE_BYTES) {
		file->info.is_pipe = true;
		file->data = (struct disk_section){.offset = DISK_PIPE_BYTES};
		inlet_advance(&file->inlet, DISK_PIPE_BYTES);
		return true;
	}
	if (!file->inlet.is_file && !inlet_spool(&file->inlet, INLET_SPOOL_MAX, path, error))
		return false;
	return read_file_header(file, path, error);
}
