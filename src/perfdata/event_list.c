/*
 * An attribute is struct perf_event_attr of the perf that wrote the file: shorter than ours where
 * it was older, longer where it was younger. Fields are taken in its order; what is missing is 0,
 * what is beyond is left alone.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"
#include "kernel/generic.h"

#include "perfdata/inside.h"

enum {
	ADOPTERS_MAX = 64 /* events that a sample is tried with */
};

/*
 * The flags are one word of single bits. Compilers for big-endian machines begin at the other end
 * of it: what is the first bit here is the last one there.
 */
static uint64_t mirror(uint64_t word)
{
	uint64_t mirrored = 0;

	for (int i = 0; i < 64; i++)
		mirrored = mirrored << 1 | (word >> i & 1);
	return mirrored;
}

static void take_attr(struct perf_event_attr *attr, struct fields fields)
{
	*attr = (struct perf_event_attr){.type = fields_u32(&fields), .size = fields_u32(&fields)};
	attr->config = fields_u64(&fields);
	attr->sample_period = fields_u64(&fields);
	attr->sample_type = fields_u64(&fields);
	attr->read_format = fields_u64(&fields);

	uint64_t flags = fields_u64(&fields);

	if (fields.is_swapped)
		flags = mirror(flags);
	memcpy((char *)&attr->read_format + sizeof(attr->read_format), &flags, sizeof(flags));
	attr->wakeup_events = fields_u32(&fields);
	attr->bp_type = fields_u32(&fields);
	attr->config1 = fields_u64(&fields);
	attr->config2 = fields_u64(&fields);
	attr->branch_sample_type = fields_u64(&fields);
	attr->sample_regs_user = fields_u64(&fields);
	attr->sample_stack_user = fields_u32(&fields);
	attr->clockid = (int32_t)fields_u32(&fields);
	attr->sample_regs_intr = fields_u64(&fields);
}

/* What the event is called as long as nothing in the file says better. */
static void make_name(struct perfdata_event *event)
{
	/* On machines of several PMUs the upper half of the config says which of them. */
	const uint64_t config = event->config & UINT32_MAX;
	const struct generic_event *generic =
		generic_of(event->type, event->type == PERF_TYPE_HARDWARE ? config : event->config);
	char cache[CACHE_NAME_MAX];
	char *name = event->name;

	if (generic)
		snprintf(name, sizeof(event->name), "%s", generic->name);
	else if (event->type == PERF_TYPE_HW_CACHE && cache_name(config, cache))
		snprintf(name, sizeof(event->name), "%s", cache);
	else if (event->type == PERF_TYPE_RAW)
		snprintf(name, sizeof(event->name), "r%" PRIx64, event->config);
	else if (event->type == PERF_TYPE_TRACEPOINT)
		snprintf(name, sizeof(event->name), "tracepoint:%" PRIu64, event->config);
	else if (event->type == PERF_TYPE_BREAKPOINT)
		snprintf(name, sizeof(event->name), "mem:0x%" PRIx64, event->config1);
	else
		snprintf(name, sizeof(event->name), "pmu%" PRIu32 "/config=0x%" PRIx64 "/",
			 event->type, event->config);
}

static struct decode_format format_of(const struct perf_event_attr *attr)
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

static void fill(struct perfdata_event *event, const struct perf_event_attr *attr, size_t index)
{
	*event = (struct perfdata_event){
		.scale = 1,
		.format = format_of(attr),
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.period = attr->sample_period,
		.is_frequency = attr->freq,
		.reports_switches = attr->context_switch,
		.exclude_user = attr->exclude_user,
		.exclude_kernel = attr->exclude_kernel,
		.leader = index,
	};
	event->offsets = sample_offsets_of(&event->format);
	make_name(event);
}

bool event_list_add(struct event_list *list, struct fields bytes)
{
	struct perf_event_attr attr;

	if (fields_left(&bytes) < PERF_ATTR_SIZE_VER0 || list->count >= EVENT_LIST_MAX)
		return false;
	take_attr(&attr, bytes);
	array_reserve(&list->all, &list->capacity, list->count + 1, sizeof(*list->all));
	fill(&list->all[list->count], &attr, list->count);
	list->count++;
	return true;
}

bool event_list_add_ids(struct event_list *list, size_t index, struct fields *words, size_t count)
{
	struct perfdata_event *event = &list->all[index];

	if (count == 0)
		return true;
	if (count > fields_left(words) / sizeof(uint64_t) ||
	    count > EVENT_LIST_IDS_MAX - list->id_count)
		return false;
	event->ids = xrealloc(event->ids, event->id_count + count, sizeof(*event->ids));
	for (size_t i = 0; i < count; i++) {
		uint64_t id = fields_u64(words);

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
static long leader_of(const struct event_list *list, const struct decoded *sample,
		      const struct decode_format *format)
{
	bool has_ids = (format->sample_type & PERF_SAMPLE_READ) &&
		       (format->read_format & PERF_FORMAT_GROUP) &&
		       (format->read_format & PERF_FORMAT_ID);

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

		long leader = leader_of(list, scratch, format);

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
