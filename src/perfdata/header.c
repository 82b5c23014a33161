/*
 * A file begins with its header (104 bytes: struct perf_header of perf's documentation), that of a
 * pipe with the first 16 bytes of it. Offsets and sizes are those of the file and are believed only
 * as far as there are bytes.
 *
 * An attribute is struct perf_event_attr of the perf that wrote the file: shorter than ours where
 * it was older, longer where it was younger. What is missing is 0, what is beyond is left alone.
 *
 * What each feature holds is described in perf.data-file-format.txt of the kernel's sources; where
 * perf does otherwise (the numbers of CPUs are the other way round) it is as perf does.
 */
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/list.h"
#include "base/memory.h"
#include "kernel/generic.h"
#include "kernel/spec.h"

#include "perfdata/build_ids.h"
#include "perfdata/bytes.h"
#include "perfdata/disk.h"
#include "perfdata/inlet.h"
#include "perfdata/inside.h"
#include "perfdata/tracing.h"

enum {
	BARE_SIZE = offsetof(struct disk_header, features),
	FULL_SIZE = sizeof(struct disk_header),
	SECTION_SIZE = sizeof(struct disk_section),
	FEATURE_BITS = 64 * DISK_FEATURE_WORDS,
	ATTRIBUTE_MAX = 4096, /* bytes of one that are looked at */
	IDS_AT_ONCE = 512,
	SIBLINGS_BYTES = 512, /* of a list of CPUs */
	ADOPTERS_MAX = 64     /* events that a sample is tried with */
};

/* A tracepoint without a name. */
#define NUMBERED "tracepoint:"

static_assert(BARE_SIZE == 72 && FULL_SIZE == 104 && SECTION_SIZE == 16, "as in the file");

/* What the event is called as long as nothing in the file says better. */
static void name_by_config(struct perfdata_event *event)
{
	/* On machines of several PMUs the upper half of the config says which of them. */
	const uint64_t config = event->config & UINT32_MAX;
	const struct generic_event *generic = generic_of(
		event->type, event->type == EVENT_TYPE_HARDWARE ? config : event->config);
	char cache[CACHE_NAME_MAX];
	char *name = event->name;

	if (generic)
		snprintf(name, sizeof(event->name), "%s", generic->name);
	else if (event->type == EVENT_TYPE_CACHE && cache_name(config, cache))
		snprintf(name, sizeof(event->name), "%s", cache);
	else if (event->type == EVENT_TYPE_RAW)
		snprintf(name, sizeof(event->name), "r%" PRIx64, event->config);
	else if (event->type == EVENT_TYPE_TRACEPOINT)
		snprintf(name, sizeof(event->name), NUMBERED "%" PRIu64, event->config);
	else if (event->type == EVENT_TYPE_BREAKPOINT)
		snprintf(name, sizeof(event->name), "mem:0x%" PRIx64, event->config1);
	else
		snprintf(name, sizeof(event->name), "pmu%" PRIu32 "/config=0x%" PRIx64 "/",
			 event->type, event->config);
}

static struct decode_format format_of_attr(const struct perf_event_attr *attr)
{
	return (struct decode_format){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.user_regs = attr->sample_regs_user,
		.intr_regs = attr->sample_regs_intr,
		.sample_id_all = attr->sample_id_all,
	};
}

static void fill_event(struct perfdata_event *event, const struct perf_event_attr *attr,
		       size_t index)
{
	*event = (struct perfdata_event){
		.scale = 1,
		.format = format_of_attr(attr),
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.period = attr->sample_period,
		.is_frequency = attr->freq,
		.reports_switches = attr->context_switch,
		.exclude_user = attr->exclude_user,
		.exclude_kernel = attr->exclude_kernel,
		.begins_with_exec = attr->enable_on_exec,
		.leader = index,
	};
	event->offsets = sample_offsets_of(&event->format);
	name_by_config(event);
}

bool event_list_add(struct event_list *list, struct codec bytes)
{
	struct perf_event_attr attr = {0};
	const size_t size = codec_left(&bytes);

	list->is_full = list->count >= EVENT_LIST_MAX;
	if (size < DISK_ATTR_LEAST || list->is_full)
		return false;
	memcpy(&attr, bytes.at, size < sizeof(attr) ? size : sizeof(attr));
	array_reserve(&list->all, &list->capacity, list->count + 1, sizeof(*list->all));
	fill_event(&list->all[list->count], &attr, list->count);
	list->count++;
	return true;
}

bool event_list_add_ids(struct event_list *list, size_t index, struct codec *words, size_t count)
{
	struct perfdata_event *event = &list->all[index];

	if (count == 0)
		return true;
	list->is_full = count > EVENT_LIST_IDS_MAX - list->id_count;
	if (count > codec_left(words) / sizeof(uint64_t) || list->is_full)
		return false;
	array_reserve(&event->ids, &event->id_capacity, event->id_count + count,
		      sizeof(*event->ids));
	for (size_t i = 0; i < count; i++) {
		uint64_t id = codec_u64(words);

		event->ids[event->id_count++] = id;
		map_put(&list->by_id, id, (void *)(uintptr_t)(index + 1));
	}
	list->id_count += count;
	return true;
}

long event_list_find(const struct event_list *list, uint64_t id)
{
	return (long)(uintptr_t)map_get(&list->by_id, id) - 1;
}

/* The event of the first id of a group's reading: its leader, and that is what samples. */
static long leader_of_reading(const struct event_list *list, const struct decoded *sample,
			      const struct decode_format *format)
{
	bool has_ids = (format->sample_type & DECODED_HAS_READ) &&
		       (format->read_format & DECODED_FORMAT_GROUP) &&
		       (format->read_format & DECODED_FORMAT_ID);

	if (!has_ids || sample->sample.read.count == 0)
		return EVENT_LIST_NONE;
	return event_list_find(list, sample->sample.read.ids[0]);
}

long event_list_adopt(const struct event_list *list, const void *bytes, size_t size,
		      struct decoded *scratch)
{
	size_t tried = list->count < ADOPTERS_MAX ? list->count : ADOPTERS_MAX;
	long only = EVENT_LIST_NONE;
	size_t fitting = 0;

	for (size_t i = 0; i < tried; i++) {
		const struct decode_format *format = &list->all[i].format;

		if (decode_record(scratch, bytes, size, format) != DECODE_OK)
			continue;

		long leader = leader_of_reading(list, scratch, format);

		if (leader != EVENT_LIST_NONE)
			return leader;
		fitting++;
		only = (long)i;
	}
	return fitting == 1 && tried == list->count ? only : EVENT_LIST_NONE;
}

void event_list_fini(struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->all[i].ids);
	free(list->all);
	map_fini(&list->by_id);
	*list = (struct event_list){0};
}

typedef void take_feature(struct perfdata *file, struct codec *fields);

static void take_cpus(struct perfdata *file, struct codec *fields)
{
	file->info.cpus_available = codec_u32(fields);
	file->info.cpus_online = codec_u32(fields);
}

/*
 * Of each CPU its place among those that share its core; -1: none is said. A CPU is in one list:
 * where more are named than there can be CPUs the rest is passed over.
 */
static void take_threads(struct codec *fields, int *threads, size_t cpu_count)
{
	const uint32_t count = codec_u32(fields);
	size_t named = 0;
	char text[SIBLINGS_BYTES];
	struct number_list list;

	for (uint32_t i = 0; i < count && codec_left(fields) > 0 && named <= TOPOLOGY_CPUS_MAX;
	     i++) {
		bytes_take_text(fields, text, sizeof(text));
		if (!number_list_parse(&list, text, TOPOLOGY_CPUS_MAX))
			continue;
		for (size_t k = 0; k < list.count; k++)
			if ((size_t)list.numbers[k] < cpu_count)
				threads[list.numbers[k]] = (int)k;
		named += list.count;
		number_list_fini(&list);
	}
}

/*
 * Lists of the CPUs that share a package, lists of those that share a core, and of each CPU its
 * core and its package.
 */
static void take_topology(struct perfdata *file, struct codec *fields)
{
	const size_t cpu_count = file->info.cpus_available;
	struct topology *topology = &file->info.topology;
	uint32_t packages = codec_u32(fields);
	char text[SIBLINGS_BYTES];
	int *threads;

	if (topology->count > 0 || cpu_count > TOPOLOGY_CPUS_MAX)
		return; /* a pipe may repeat it without end */
	for (; packages > 0 && codec_left(fields) > 0; packages--)
		bytes_take_text(fields, text, sizeof(text));
	threads = xcalloc(cpu_count, sizeof(*threads));
	memset(threads, 0xff, cpu_count * sizeof(*threads));
	take_threads(fields, threads, cpu_count);
	for (size_t i = 0; i < cpu_count && codec_left(fields) >= 2 * sizeof(uint32_t); i++) {
		const int core = (int)codec_u32(fields), socket = (int)codec_u32(fields);

		if (core < 0 || threads[i] < 0) /* it is offline */
			continue;
		struct cpu_location *location = topology_add(topology, (int)i);

		location->core = core;
		location->socket = socket;
		location->thread = threads[i];
	}
	free(threads);
}

static void take_command(struct perfdata *file, struct codec *fields)
{
	char *command = file->info.command;
	size_t size = sizeof(file->info.command), length = 0;
	uint32_t count = codec_u32(fields);

	command[0] = '\0';
	for (uint32_t i = 0; i < count && !fields->has_failed && length + 2 < size; i++) {
		if (i > 0)
			command[length++] = ' ';
		bytes_take_text(fields, command + length, size - length);
		length += strlen(command + length);
	}
}

static void take_sample_time(struct perfdata *file, struct codec *fields)
{
	file->info.first_ns = codec_u64(fields);
	file->info.last_ns = codec_u64(fields);
}

static void take_clock(struct perfdata *file, struct codec *fields)
{
	uint32_t version = codec_u32(fields);

	codec_u32(fields); /* which clock */

	uint64_t wall_ns = codec_u64(fields), clock_ns = codec_u64(fields);

	if (version != 1 || fields->has_failed)
		return;
	file->info.has_wall = true;
	file->info.wall_offset_ns = (int64_t)(wall_ns - clock_ns);
}

static bool set_leader(struct event_list *list, uint32_t leader, uint32_t members)
{
	if (leader >= list->count || members == 0 || members > list->count - leader)
		return false;
	for (uint32_t i = 0; i < members; i++)
		list->all[leader + i].leader = leader;
	return true;
}

static void take_groups(struct perfdata *file, struct codec *fields)
{
	uint32_t count = codec_u32(fields), next = 0;

	for (uint32_t i = 0; i < count; i++) {
		char name[1];

		bytes_take_text(fields, name, sizeof(name));

		uint32_t leader = codec_u32(fields);
		uint32_t members = codec_u32(fields);

		if (fields->has_failed)
			return;
		/* They are in order and share no event; else the work would be unbounded. */
		if (leader >= next && set_leader(&file->events, leader, members))
			next = leader + members;
	}
}

/* Which event is described: by its first id, or by its place where it has none. */
static long described(const struct event_list *list, uint32_t place, struct codec ids)
{
	if (codec_left(&ids) == 0)
		return place < list->count ? (long)place : EVENT_LIST_NONE;
	return event_list_find(list, codec_u64(&ids));
}

static void take_descriptions(struct perfdata *file, struct codec *fields)
{
	uint32_t count = codec_u32(fields), size = codec_u32(fields);
	char name[PERFDATA_NAME_MAX];

	for (uint32_t i = 0; i < count; i++) {
		codec_bytes(fields, NULL, size);

		uint64_t ids_size = (uint64_t)codec_u32(fields) * sizeof(uint64_t);

		bytes_take_text(fields, name, sizeof(name));

		const unsigned char *ids = codec_bytes(fields, NULL, ids_size);

		/* Also where nothing is left: a count is not to be believed. */
		if (fields->has_failed)
			return;

		long index = described(&file->events, i, codec_of(ids, (size_t)ids_size));

		if (index != EVENT_LIST_NONE && name[0] != '\0')
			memcpy(file->events.all[index].name, name, sizeof(name));
	}
}

void build_id_take(struct perfdata *file, const unsigned char *record, size_t size)
{
	const struct record_header header = bytes_take_header(record);

	if (!file->build_ids)
		file->build_ids = build_ids_create();
	file->info.build_ids = file->build_ids;
	build_ids_take(file->build_ids, header.misc, record + sizeof(header),
		       size - sizeof(header));
}

/* A table of such records. */
static void take_build_ids(struct perfdata *file, struct codec *fields)
{
	while (codec_left(fields) >= sizeof(struct record_header)) {
		const struct record_header header = bytes_take_header(fields->at);
		const unsigned char *record = codec_bytes(fields, NULL, header.size);

		if (!record || header.size < sizeof(header))
			return;
		build_id_take(file, record, header.size);
	}
}

void tracing_name_events(struct perfdata *file, size_t from)
{
	for (size_t i = from; i < file->events.count; i++) {
		struct perfdata_event *event = &file->events.all[i];

		if (event->type == EVENT_TYPE_TRACEPOINT &&
		    strncmp(event->name, NUMBERED, strlen(NUMBERED)) == 0)
			tracing_name(file->formats, event->config, event->name,
				     sizeof(event->name));
	}
}

void tracing_take(struct perfdata *file, size_t size)
{
	file->formats = tracing_read(file->tracing, size);
	file->info.tracing = file->tracing;
	file->info.tracing_size = size;
	file->info.formats = file->formats;
	tracing_name_events(file, 0);
}

static void take_tracing(struct perfdata *file, struct codec *fields)
{
	size_t size = codec_left(fields);

	if (file->info.tracing)
		return; /* a pipe may repeat it without end */
	free(file->tracing);
	file->tracing = xcalloc(1, size);
	file->tracing_capacity = size;
	file->tracing_size = size;
	memcpy(file->tracing, fields->at, size);
	tracing_take(file, size);
}

/* clang-format off */
static take_feature *const takers[] = {
	[DISK_TRACING_DATA] = take_tracing,
	[DISK_BUILD_ID]     = take_build_ids,
	[DISK_NRCPUS]       = take_cpus,
	[DISK_CMDLINE]      = take_command,
	[DISK_CPU_TOPOLOGY] = take_topology,
	[DISK_EVENT_DESC]   = take_descriptions,
	[DISK_GROUP_DESC]   = take_groups,
	[DISK_SAMPLE_TIME]  = take_sample_time,
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
	case DISK_CPUID:
		return info->cpu_id;
	default:
		return NULL;
	}
}

void feature_take(struct perfdata *file, uint64_t feature, struct codec fields)
{
	take_feature *taker = find_taker(feature);
	char *text = find_text(&file->info, feature);

	if (taker)
		taker(file, &fields);
	else if (text)
		bytes_take_text(&fields, text, PERFDATA_TEXT_MAX);
}

static bool read_feature_section(const struct perfdata *file, uint64_t place,
				 struct disk_section *section)
{
	return inlet_at(&file->inlet, place, section, sizeof(*section)) == sizeof(*section) &&
	       section->offset <= file->inlet.size &&
	       section->size <= file->inlet.size - section->offset;
}

/*
 * Distinguishes a table of sections from a record: a record's header, read as an offset, has the
 * record's size in the uppermost 16 bits, so it is far beyond the end of any file.
 */
static bool features_begin_at(const struct perfdata *file, uint64_t place)
{
	struct disk_section section;

	return read_feature_section(file, place, &section) &&
	       section.offset >= place + SECTION_SIZE;
}

/* False: there is less in the file than it says. */
static bool read_feature(struct perfdata *file, uint64_t place, uint64_t feature)
{
	struct disk_section section;

	if (!read_feature_section(file, place, &section))
		return false;
	if ((!find_taker(feature) && !find_text(&file->info, feature)) ||
	    section.size > PERFDATA_SECTION_MAX)
		return true;

	size_t size = (size_t)section.size;
	unsigned char *bytes = xcalloc(1, size);
	bool is_whole = inlet_at(&file->inlet, section.offset, bytes, size) == size;

	if (is_whole)
		feature_take(file, feature, codec_of(bytes, size));
	free(bytes);
	return is_whole;
}

static void read_all_features(struct perfdata *file, uint64_t place, const uint64_t *bits)
{
	for (size_t i = 0; i < FEATURE_BITS; i++) {
		if ((bits[i / 64] >> i % 64 & 1) == 0)
			continue;
		if (!read_feature(file, place, i)) {
			perfdata_cut(file, ERROR_PERFDATA_NO_FEATURES, NULL);
			return;
		}
		place += SECTION_SIZE;
	}
}

/* The first word says what wrote it and in which byte order. */
static bool read_magic(struct perfdata *file, const char *path, struct error *error)
{
	uint64_t magic;

	if (inlet_await(&file->inlet, DISK_PIPE_BYTES) != INLET_READY)
		return error_set(error, ERROR_PERFDATA_FOREIGN, path, NULL);
	memcpy(&magic, inlet_bytes(&file->inlet), sizeof(magic));
	if (magic == DISK_MAGIC)
		return true;
	if (magic == __builtin_bswap64(DISK_MAGIC))
		return error_set(error, ERROR_PERFDATA_ORDER, path, NULL);
	if (magic == DISK_MAGIC_OLD || magic == __builtin_bswap64(DISK_MAGIC_OLD))
		return error_set(error, ERROR_PERFDATA_OLD, path, NULL);
	return error_set(error, ERROR_PERFDATA_FOREIGN, path, NULL);
}

/* SHORT: there are fewer ids in the file than it says; LARGE: more than it may say. */
static enum error_code read_ids(struct perfdata *file, size_t index, struct disk_section ids)
{
	uint64_t words[IDS_AT_ONCE] = {0};
	uint64_t left = ids.size / sizeof(*words);

	while (left > 0) {
		size_t count = left < IDS_AT_ONCE ? (size_t)left : IDS_AT_ONCE;
		size_t size = count * sizeof(*words);
		struct codec fields = codec_of(words, size);

		if (inlet_at(&file->inlet, ids.offset, words, size) != size)
			return ERROR_PERFDATA_SHORT;
		if (!event_list_add_ids(&file->events, index, &fields, count))
			return ERROR_PERFDATA_LARGE;
		ids.offset += size;
		left -= count;
	}
	return ERROR_NONE;
}

static enum error_code read_attributes(struct perfdata *file, const struct disk_header *header)
{
	unsigned char entry[ATTRIBUTE_MAX] = {0};
	size_t size = (size_t)header->attr_size;
	uint64_t count = header->attrs.size / size;
	enum error_code code = ERROR_NONE;

	for (uint64_t i = 0; i < count && code == ERROR_NONE; i++) {
		const size_t attribute = size - SECTION_SIZE;
		struct disk_section ids;

		if (inlet_at(&file->inlet, header->attrs.offset + i * size, entry, size) != size)
			return ERROR_PERFDATA_SHORT;
		if (!event_list_add(&file->events, codec_of(entry, attribute)))
			return ERROR_PERFDATA_LARGE;
		memcpy(&ids, entry + attribute, sizeof(ids));
		code = read_ids(file, (size_t)i, ids);
	}
	return code;
}

static bool is_plausible(const struct disk_header *header)
{
	return (header->size == BARE_SIZE || header->size >= FULL_SIZE) &&
	       header->attr_size >= DISK_ATTR_LEAST + SECTION_SIZE &&
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
	if (header->data.size == 0 && !features_begin_at(file, place)) {
		perfdata_cut(file, ERROR_PERFDATA_UNFINISHED, NULL);
		return;
	}
	if (header->data.size == 0)
		file->inlet.limit = place; /* complete, and without a record */
	read_all_features(file, place, words);
}

static bool read_file_header(struct perfdata *file, const char *path, struct error *error)
{
	struct disk_header header = {0};
	const size_t size = inlet_at(&file->inlet, 0, &header, sizeof(header));
	enum error_code code;

	if (size < BARE_SIZE || (header.size != BARE_SIZE && size < FULL_SIZE))
		return error_set(error, ERROR_PERFDATA_SHORT, path, NULL);
	if (!is_plausible(&header))
		return error_set(error, ERROR_PERFDATA_DAMAGED, path, NULL);
	code = read_attributes(file, &header);
	if (code != ERROR_NONE)
		return error_set(error, code, path, NULL);
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

	struct codec fields = codec_of(inlet_bytes(&file->inlet), DISK_PIPE_BYTES);

	codec_u64(&fields); /* magic */
	if (codec_u64(&fields) == DISK_PIPE_BYTES) {
		file->info.is_pipe = true;
		file->data = (struct disk_section){.offset = DISK_PIPE_BYTES};
		inlet_advance(&file->inlet, DISK_PIPE_BYTES);
		return true;
	}
	file->info.is_spooled = !file->inlet.is_file;
	if (file->info.is_spooled && !inlet_spool(&file->inlet, INLET_SPOOL_MAX, path, error))
		return false;
	return read_file_header(file, path, error);
}
