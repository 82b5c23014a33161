/*
 * What each feature holds is described in perf.data-file-format.txt of the kernel's sources; where
 * perf does otherwise (the numbers of CPUs are the other way round) it is as perf does.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"

#include "perfdata/disk.h"
#include "perfdata/inside.h"

enum {
	FEATURE_BITS = 64 * DISK_FEATURE_WORDS,
	SECTION_SIZE = sizeof(struct disk_section)
};

typedef void take_feature(struct perfdata *file, struct fields *fields);

static void take_cpus(struct perfdata *file, struct fields *fields)
{
	file->info.cpus_available = fields_u32(fields);
	file->info.cpus_online = fields_u32(fields);
}

static void take_command(struct perfdata *file, struct fields *fields)
{
	char *command = file->info.command;
	size_t size = sizeof(file->info.command), length = 0;
	uint32_t count = fields_u32(fields);

	command[0] = '\0';
	for (uint32_t i = 0; i < count && !fields->is_short && length + 2 < size; i++) {
		if (i > 0)
			command[length++] = ' ';
		fields_text(fields, command + length, size - length);
		length += strlen(command + length);
	}
}

static void take_sample_time(struct perfdata *file, struct fields *fields)
{
	file->info.first_ns = fields_u64(fields);
	file->info.last_ns = fields_u64(fields);
}

static void take_compressed(struct perfdata *file, struct fields *fields)
{
	file->info.is_compressed = true;
}

static void take_clock(struct perfdata *file, struct fields *fields)
{
	uint32_t version = fields_u32(fields);
	int32_t clock = (int32_t)fields_u32(fields);
	uint64_t wall_ns = fields_u64(fields), clock_ns = fields_u64(fields);

	if (version != 1 || fields->is_short)
		return;
	file->info.has_clock = true;
	file->info.clock = clock;
	file->info.has_wall = true;
	file->info.wall_offset_ns = (int64_t)(wall_ns - clock_ns);
}

static bool take_group(struct event_list *list, uint32_t leader, uint32_t members)
{
	if (leader >= list->count || members == 0 || members > list->count - leader)
		return false;
	list->all[leader].members = members;
	for (uint32_t i = 0; i < members; i++)
		list->all[leader + i].leader = leader;
	return true;
}

static void take_groups(struct perfdata *file, struct fields *fields)
{
	uint32_t count = fields_u32(fields), next = 0;

	for (uint32_t i = 0; i < count; i++) {
		char name[1];

		fields_text(fields, name, sizeof(name));

		uint32_t leader = fields_u32(fields);
		uint32_t members = fields_u32(fields);

		if (fields->is_short)
			return;
		/* They are in order and share no event; else the work would be unbounded. */
		if (leader >= next && take_group(&file->events, leader, members))
			next = leader + members;
	}
}

/* Which event is described: by its first id, or by its place where it has none. */
static long described(const struct event_list *list, uint32_t place, struct fields ids)
{
	if (fields_left(&ids) == 0)
		return place < list->count ? (long)place : EVENT_LIST_NONE;
	return event_list_find(list, fields_u64(&ids));
}

static void take_descriptions(struct perfdata *file, struct fields *fields)
{
	uint32_t count = fields_u32(fields), size = fields_u32(fields);
	char name[PERFDATA_NAME_MAX];

	for (uint32_t i = 0; i < count; i++) {
		fields_bytes(fields, size);

		uint64_t ids_size = (uint64_t)fields_u32(fields) * sizeof(uint64_t);

		fields_text(fields, name, sizeof(name));

		const unsigned char *ids = fields_bytes(fields, ids_size);

		/* Also where nothing is left: a count is not to be believed. */
		if (fields->is_short)
			return;

		long index = described(&file->events, i,
				       fields_of(ids, (size_t)ids_size, fields->is_swapped));

		if (index != EVENT_LIST_NONE && name[0] != '\0')
			memcpy(file->events.all[index].name, name, sizeof(name));
	}
}

static void take_tracing(struct perfdata *file, struct fields *fields)
{
	size_t size = fields_left(fields);

	free(file->tracing);
	file->tracing = xcalloc(1, size);
	file->tracing_capacity = size;
	file->tracing_size = size;
	memcpy(file->tracing, fields->at, size);
	file->info.tracing = file->tracing;
	file->info.tracing_size = size;
}

/* clang-format off */
static take_feature *const takers[] = {
	[DISK_TRACING_DATA] = take_tracing,
	[DISK_NRCPUS]       = take_cpus,
	[DISK_CMDLINE]      = take_command,
	[DISK_EVENT_DESC]   = take_descriptions,
	[DISK_GROUP_DESC]   = take_groups,
	[DISK_SAMPLE_TIME]  = take_sample_time,
	[DISK_COMPRESSED]   = take_compressed,
	[DISK_CLOCK_DATA]   = take_clock,
};
/* clang-format on */

static take_feature *find_taker(uint64_t feature)
{
	return feature < sizeof(takers) / sizeof(*takers) ? takers[feature] : NULL;
}

/* Of a feature that is one text; NULL: it is another. */
static char *find_text(struct perfdata_info *info, uint64_t feature)
{
	switch (feature) {
	case DISK_HOSTNAME:
		return info->host;
	case DISK_OSRELEASE:
		return info->release;
	case DISK_VERSION:
		return info->version;
	case DISK_ARCH:
		return info->architecture;
	case DISK_CPUDESC:
		return info->processor;
	default:
		return NULL;
	}
}

void feature_in_take(struct perfdata *file, uint64_t feature, struct fields fields)
{
	take_feature *taker = find_taker(feature);
	char *text = find_text(&file->info, feature);

	if (taker)
		taker(file, &fields);
	else if (text)
		fields_text(&fields, text, PERFDATA_TEXT_MAX);
}

static bool read_section(const struct perfdata *file, uint64_t place, struct disk_section *section)
{
	unsigned char bytes[SECTION_SIZE] = {0};
	struct fields fields = fields_of(bytes, sizeof(bytes), file->info.is_swapped);

	if (inlet_at(&file->inlet, place, bytes, sizeof(bytes)) != sizeof(bytes))
		return false;
	section->offset = fields_u64(&fields);
	section->size = fields_u64(&fields);
	return section->offset <= file->inlet.size &&
	       section->size <= file->inlet.size - section->offset;
}

/* A record's first 8 bytes would be an offset far beyond any file: its size is in the uppermost. */
bool feature_in_begins_at(const struct perfdata *file, uint64_t place)
{
	struct disk_section section;

	return read_section(file, place, &section) && section.offset >= place + SECTION_SIZE;
}

/* False: there is less in the file than it says. */
static bool read_feature(struct perfdata *file, uint64_t place, uint64_t feature)
{
	struct disk_section section;

	if (!read_section(file, place, &section))
		return false;
	if ((!find_taker(feature) && !find_text(&file->info, feature)) ||
	    section.size > PERFDATA_SECTION_MAX)
		return true;

	size_t size = (size_t)section.size;
	unsigned char *bytes = xcalloc(1, size);
	bool is_whole = inlet_at(&file->inlet, section.offset, bytes, size) == size;

	if (is_whole)
		feature_in_take(file, feature, fields_of(bytes, size, file->info.is_swapped));
	free(bytes);
	return is_whole;
}

static bool has_bit(const uint64_t *words, size_t bit)
{
	return words[bit / 64] >> (bit % 64) & 1;
}

void feature_in_read_all(struct perfdata *file, uint64_t place, const uint64_t *words)
{
	uint64_t bits[DISK_FEATURE_WORDS];

	memcpy(bits, words, sizeof(bits));
	/*
	 * The bits are the writer's longs: with 32 of them to a long and its bytes turned as words
	 * of 64, the halves are exchanged. Every perf writes the host's name.
	 */
	if (file->info.is_swapped && !has_bit(bits, DISK_HOSTNAME))
		for (size_t i = 0; i < DISK_FEATURE_WORDS; i++)
			bits[i] = bits[i] << 32 | bits[i] >> 32;
	for (size_t i = 0; i < FEATURE_BITS; i++) {
		if (!has_bit(bits, i))
			continue;
		if (!read_feature(file, place, i)) {
			perfdata_cut(file, ERROR_PERFDATA_NO_FEATURES, NULL, NULL);
			return;
		}
		place += SECTION_SIZE;
	}
}
