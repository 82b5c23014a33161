/*
 * A profile as go tool pprof, Pyroscope, Parca and speedscope read it: profile.proto of pprof,
 * compressed by gzip; the sum of the run. A sample is a stack of a task. Its values are
 *
 *	samples    how many
 *	time       ns on the CPU
 *	off-cpu    ns off the CPU, where --samples asks for them
 *	EVENT      occurrences of the event that is sampled, where it is not time; cycles too
 *	EVENT      what was counted in the samples of each event that is counted
 *
 * or for wakers samples and wake-ups. Of the last four only those are there that a sample has,
 * since nothing may be known of the others (a recording of perf, an event that is no time). The
 * value that the view functions shows is the default one. Labels are task, pid, tid, and where they
 * are known cgroup and container. A location has the address in its file (an offset), and what was
 * inlined there as further lines; a mapping is a file with its build id, of which all offsets are.
 *
 * With a filter these are the stacks in which one of its functions is. What there was no room for
 * is a stack of its own, [left out], as is all but the heaviest where so many were asked for.
 */

#include "batch/pprof.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/protobuf.h"
#include "batch/sample_walk.h"
#include "model/layout.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/names.h"

enum {
	PPROF_BYTES_MAX = 128 << 20,
	PPROF_SAMPLES_MAX = 1 << 18,
	GZIP_WINDOW_BITS = 15 + 16 /* zlib: with a header of gzip */
};

static const char unknown_function[] = "[unknown]";

/* Fields of the messages. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_DEFAULT_TYPE = 14,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	PART_ID = 1, /* of mappings, locations and functions */
	MAPPING_LIMIT = 3,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_INLINE_FRAMES = 10,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3
};

enum value_kind {
	VALUE_SAMPLES,
	VALUE_TIME,
	VALUE_OFF_CPU,
	VALUE_WEIGHT, /* what the view shows, if that is no time */
	VALUE_COUNTED /* an event */
};

/* --- parts */

struct pprof_part {
	char *bytes; /* owned */
	size_t size;
	size_t same_hash; /* number + 1 of the part before it; 0: none */
};

static void fini_pprof_table(struct pprof_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->parts[i].bytes);
	free(table->parts);
	map_fini(&table->by_hash);
}

void pprof_fini(struct pprof *pprof)
{
	fini_pprof_table(&pprof->strings);
	fini_pprof_table(&pprof->mappings);
	fini_pprof_table(&pprof->functions);
	fini_pprof_table(&pprof->locations);
	fini_pprof_table(&pprof->samples);
	free(pprof->values);
	*pprof = (struct pprof){0};
}

static uint64_t hash_part(const char *bytes, size_t size)
{
	uint64_t hash = size;

	for (size_t i = 0; i < size; i++)
		hash = hash_mix(hash, (unsigned char)bytes[i]);
	return hash;
}

/* The number of the part with these bytes, which is added if there is none. */
static size_t find_pprof_part(struct pprof_table *table, const char *bytes, size_t size)
{
	const uint64_t hash = hash_part(bytes, size);
	const size_t last = (size_t)(uintptr_t)map_get(&table->by_hash, hash);

	for (size_t at = last; at != 0; at = table->parts[at - 1].same_hash)
		if (table->parts[at - 1].size == size &&
		    memcmp(table->parts[at - 1].bytes, bytes, size) == 0)
			return at - 1;
	array_reserve(&table->parts, &table->capacity, table->count + 1, sizeof(*table->parts));
	table->parts[table->count] = (struct pprof_part){
		.bytes = xcalloc(size + 1, 1),
		.size = size,
		.same_hash = last,
	};
	memcpy(table->parts[table->count].bytes, bytes, size);
	table->bytes += size + sizeof(*table->parts);
	map_put(&table->by_hash, hash, (void *)(uintptr_t)++table->count);
	return table->count - 1;
}

static size_t take_pprof_part(struct pprof_table *table, struct strbuf *bytes)
{
	const size_t number = find_pprof_part(table, strbuf_text(bytes), bytes->length);

	strbuf_clear(bytes);
	return number;
}

/* Of a name: raw bytes. */
static size_t find_string(struct pprof *pprof, const char *name)
{
	struct strbuf text = {0};
	size_t number;

	text_append_safe(&text, name, strlen(name), false);
	number = find_pprof_part(&pprof->strings, strbuf_text(&text), text.length);
	strbuf_fini(&text);
	return number;
}

/* Mappings, functions and locations are called by numbers from 1 on. */
static uint64_t pprof_id_of(size_t number)
{
	return (uint64_t)number + 1;
}

/* --- what there is a value of */

static void add_pprof_type(struct pprof *pprof, enum value_kind kind, const char *name,
			   const char *unit, int event)
{
	if (pprof->type_count >= PPROF_TYPES_MAX)
		return;
	pprof->types[pprof->type_count++] = (struct pprof_type){
		.name = (uint32_t)find_string(pprof, name),
		.unit = (uint32_t)find_string(pprof, unit),
		.event = event,
		.kind = (int)kind,
	};
}

/* But for the event that is sampled, of which there is the weight. */
static void add_counted_types(struct pprof *pprof, const struct layout *layout, const char *sampled)
{
	for (size_t i = 0; i < layout->event_count; i++)
		if (event_is_counted(&layout->events[i]) && !layout->events[i].is_removed &&
		    strcmp(layout->events[i].name, sampled) != 0)
			add_pprof_type(pprof, VALUE_COUNTED, layout->events[i].name, "count",
				       (int)i);
}

/* They are the same in the whole run. */
static void begin_pprof(struct pprof *pprof, const struct batch_input *input)
{
	const struct session *session = input->session;
	const enum view_samples samples = (enum view_samples)input->request->settings.samples;

	find_string(pprof, ""); /* the first one */
	pprof->start_ns = input->snapshot->time_ns - input->snapshot->interval_ns;
	add_pprof_type(pprof, VALUE_SAMPLES, "samples", "count", -1);
	if (samples == SAMPLES_WAKERS) {
		add_pprof_type(pprof, VALUE_WEIGHT, "wake-ups", "count", -1);
		return;
	}
	if (samples == SAMPLES_ON_CPU && session->sampling == SAMPLING_EVENTS)
		add_pprof_type(pprof, VALUE_WEIGHT, session->sampling_event, "count", -1);
	else if (samples == SAMPLES_ON_CPU && session->sampling == SAMPLING_CYCLES)
		add_pprof_type(pprof, VALUE_WEIGHT, "sampled-cycles", "count", -1);
	if (samples == SAMPLES_ON_CPU || samples == SAMPLES_BOTH)
		add_pprof_type(pprof, VALUE_TIME, "time", "nanoseconds", -1);
	if (samples != SAMPLES_ON_CPU)
		add_pprof_type(pprof, VALUE_OFF_CPU, "off-cpu", "nanoseconds", -1);
	if (session->uncounted[0] == '\0')
		add_counted_types(pprof, input->snapshot->layout, session->sampling_event);
}

/* --- an interval */

struct pprof_writer {
	struct pprof *pprof;
	struct sample_walk walk;
	struct containers *containers;
	struct strbuf part, inner; /* empty between two */
	uint64_t *counts;          /* a vector */
};

static size_t find_pprof_mapping(struct pprof_writer *writer, uint32_t number)
{
	const struct sample_walk *walk = &writer->walk;
	const struct function_object object =
		function_names_object(walk->names, number, walk->input->snapshot->time_ns);

	protobuf_number(&writer->part, MAPPING_LIMIT, INT64_MAX);
	protobuf_number(&writer->part, MAPPING_FILE, find_string(writer->pprof, object.path));
	protobuf_number(&writer->part, MAPPING_BUILD_ID,
			find_string(writer->pprof, object.build_id));
	protobuf_number(&writer->part, MAPPING_HAS_FUNCTIONS, 1);
	protobuf_number(&writer->part, MAPPING_HAS_INLINE_FRAMES, 1);
	return take_pprof_part(&writer->pprof->mappings, &writer->part);
}

/* One without a name goes by its file: [libc.so.6]. */
static size_t find_pprof_function(struct pprof_writer *writer, const struct function_name *name)
{
	struct strbuf text = {0};
	size_t string;

	if (strcmp(name->function, unknown_function) != 0 || name->object[0] == '\0')
		strbuf_add(&text, name->function);
	else if (name->object[0] == '[')
		strbuf_add(&text, name->object);
	else
		strbuf_printf(&text, "[%s]", name->object);
	string = find_string(writer->pprof, strbuf_text(&text));
	strbuf_fini(&text);
	protobuf_number(&writer->part, FUNCTION_NAME, string);
	protobuf_number(&writer->part, FUNCTION_SYSTEM_NAME, string);
	return take_pprof_part(&writer->pprof->functions, &writer->part);
}

static void add_pprof_line(struct pprof_writer *writer, struct strbuf *lines, size_t function)
{
	protobuf_number(&writer->inner, LINE_FUNCTION, pprof_id_of(function));
	protobuf_take(lines, LOCATION_LINE, &writer->inner);
}

/* The frame at `depth`, with those that it was inlined into. *depth becomes that of the next one.
 */
static size_t find_pprof_location(struct pprof_writer *writer, size_t *depth)
{
	const struct sample_walk *walk = &writer->walk;
	const uint64_t at = walk->at[*depth];
	struct strbuf lines = {0};
	struct function_name name;
	size_t mapping, location;
	uint32_t number;

	do {
		number = walk->frames[*depth];
		name = function_names_find(walk->names, number, walk->input->snapshot->time_ns);
		add_pprof_line(writer, &lines, find_pprof_function(writer, &name));
		++*depth;
	} while (name.is_inlined && *depth < walk->depth);
	mapping = find_pprof_mapping(writer, number);
	protobuf_number(&writer->part, LOCATION_MAPPING, pprof_id_of(mapping));
	protobuf_number(&writer->part, LOCATION_ADDRESS, at);
	strbuf_add_bytes(&writer->part, strbuf_text(&lines), lines.length);
	strbuf_fini(&lines);
	location = take_pprof_part(&writer->pprof->locations, &writer->part);
	return location;
}

static void add_pprof_label(struct pprof_writer *writer, struct strbuf *sample, const char *key,
			    const char *text, int32_t number)
{
	if (text && text[0] == '\0')
		return;
	protobuf_number(&writer->inner, LABEL_KEY, find_string(writer->pprof, key));
	if (text)
		protobuf_number(&writer->inner, LABEL_STRING, find_string(writer->pprof, text));
	else
		protobuf_number(&writer->inner, LABEL_NUMBER, (uint64_t)(int64_t)number);
	protobuf_take(sample, SAMPLE_LABEL, &writer->inner);
}

static void add_pprof_labels(struct pprof_writer *writer, struct strbuf *sample,
			     const struct profile_entry *entry)
{
	const struct snapshot_task *task = sample_walk_task(&writer->walk, entry);
	const bool is_named = task && task->name[0] != '\0';

	add_pprof_label(writer, sample, "task",
			entry->tid == 0 ? "idle"
			: is_named      ? task->name
					: unknown_function,
			0);
	add_pprof_label(writer, sample, "pid", NULL, entry->pid);
	add_pprof_label(writer, sample, "tid", NULL, entry->tid);
	if (!task || !task->cgroup)
		return;
	add_pprof_label(writer, sample, "cgroup", task->cgroup, 0);
	add_pprof_label(writer, sample, "container",
			containers_name(writer->containers, task->cgroup), 0);
}

static bool has_pprof_room(const struct pprof *pprof)
{
	return pprof->samples.count < PPROF_SAMPLES_MAX &&
	       pprof->samples.bytes + pprof->locations.bytes + pprof->strings.bytes <
		       PPROF_BYTES_MAX;
}

/* Room for the values of the sample that was added last. */
static void reserve_values(struct pprof *pprof)
{
	const size_t count = pprof->samples.count * pprof->type_count;
	const size_t before = pprof->value_capacity;

	array_reserve(&pprof->values, &pprof->value_capacity, count, sizeof(*pprof->values));
	memset(pprof->values + before, 0,
	       (pprof->value_capacity - before) * sizeof(*pprof->values));
}

static int64_t pprof_value_of(const struct pprof_writer *writer, const struct pprof_type *type,
			      const struct profile_entry *entry)
{
	const bool is_on_cpu = entry->kind == SAMPLE_ON_CPU;

	switch ((enum value_kind)type->kind) {
	case VALUE_SAMPLES:
		return entry->samples;
	case VALUE_TIME:
		return is_on_cpu ? (int64_t)entry->ns : 0;
	case VALUE_OFF_CPU:
		return is_on_cpu ? 0 : (int64_t)entry->ns;
	case VALUE_WEIGHT:
		return (int64_t)sample_scope_weight(&writer->walk.scope, entry);
	case VALUE_COUNTED:
		return (int64_t)layout_event_count(writer->walk.input->snapshot->layout,
						   (size_t)type->event, writer->counts);
	}
	return 0;
}

static void add_values(struct pprof_writer *writer, size_t sample,
		       const struct profile_entry *entry)
{
	struct pprof *pprof = writer->pprof;
	const struct layout *layout = writer->walk.input->snapshot->layout;

	memset(writer->counts, 0, layout_width(layout) * sizeof(*writer->counts));
	profile_credit(writer->walk.profile, entry, layout, writer->counts);
	for (size_t i = 0; i < pprof->type_count; i++) {
		const int64_t value = pprof_value_of(writer, &pprof->types[i], entry);

		pprof->values[sample * pprof->type_count + i] += value;
		pprof->types[i].is_written |= value != 0;
	}
}

static void add_pprof_sample(struct pprof_writer *writer, const struct profile_entry *entry)
{
	struct strbuf locations = {0}, sample = {0};
	size_t number;

	for (size_t depth = 0; depth < writer->walk.depth;)
		protobuf_varint(&locations, pprof_id_of(find_pprof_location(writer, &depth)));
	protobuf_take(&sample, SAMPLE_LOCATION, &locations);
	add_pprof_labels(writer, &sample, entry);
	number = take_pprof_part(&writer->pprof->samples, &sample);
	reserve_values(writer->pprof);
	add_values(writer, number, entry);
	strbuf_fini(&locations);
	strbuf_fini(&sample);
}

static void add_pprof_interval(struct pprof *pprof, const struct batch_input *input)
{
	struct pprof_writer writer = {
		.pprof = pprof,
		.containers = containers_create(),
		.counts = xcalloc(layout_width(input->snapshot->layout), sizeof(*writer.counts)),
	};
	const struct profile *profile;

	sample_walk_init(&writer.walk, input);
	profile = writer.walk.profile;
	for (size_t i = 0; profile && i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];

		if (!sample_walk_take(&writer.walk, entry))
			continue;
		if (has_pprof_room(pprof))
			add_pprof_sample(&writer, entry);
		else
			pprof->left_out_weight += sample_scope_weight(&writer.walk.scope, entry);
	}
	pprof->left_out_weight += profile ? sample_scope_left_out(&writer.walk.scope, profile) : 0;
	pprof->length_ns += input->snapshot->interval_ns;
	sample_walk_fini(&writer.walk);
	containers_destroy(writer.containers);
	strbuf_fini(&writer.part);
	strbuf_fini(&writer.inner);
	free(writer.counts);
}

/* --- the profile */

static void put_value_type(struct strbuf *out, unsigned int field, const struct pprof_type *type)
{
	struct strbuf message = {0};

	protobuf_number(&message, VALUE_TYPE, type->name);
	protobuf_number(&message, VALUE_UNIT, type->unit);
	protobuf_take(out, field, &message);
	strbuf_fini(&message);
}

static void put_parts(struct strbuf *out, unsigned int field, const struct pprof_table *table)
{
	struct strbuf message = {0};

	for (size_t i = 0; i < table->count; i++) {
		protobuf_number(&message, PART_ID, pprof_id_of(i));
		strbuf_add_bytes(&message, table->parts[i].bytes, table->parts[i].size);
		protobuf_take(out, field, &message);
	}
	strbuf_fini(&message);
}

static void put_pprof_sample(struct strbuf *out, const struct pprof *pprof, const char *bytes,
			     size_t size, const int64_t *values)
{
	struct strbuf message = {0}, list = {0};

	for (size_t i = 0; i < pprof->type_count; i++)
		if (pprof->types[i].is_written)
			protobuf_varint(&list, (uint64_t)values[i]);
	strbuf_add_bytes(&message, bytes, size);
	protobuf_take(&message, SAMPLE_VALUE, &list);
	protobuf_take(out, PROFILE_SAMPLE, &message);
	strbuf_fini(&list);
	strbuf_fini(&message);
}

/* The value that the view shows: the weight where it has one of its own, else the first time. */
static size_t shown_type(const struct pprof *pprof)
{
	return pprof->type_count > 1 ? 1 : 0;
}

struct pprof_order {
	int64_t value; /* that which the view shows */
	size_t number; /* of the sample */
};

static int compare_pprof_values(const void *a, const void *b)
{
	const struct pprof_order *one = a, *other = b;

	if (one->value != other->value)
		return one->value > other->value ? -1 : 1;
	return one->number < other->number ? -1 : 1;
}

/* All, or the heaviest; what others have is added to left_out, a value of each type. */
static void put_pprof_samples(struct strbuf *out, const struct pprof *pprof, size_t top,
			      int64_t *left_out)
{
	const size_t count = pprof->samples.count;
	const bool are_some = top > 0 && top < count;
	struct pprof_order *order = xcalloc(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		order[i] = (struct pprof_order){
			pprof->values[i * pprof->type_count + shown_type(pprof)], i};
	if (are_some)
		qsort(order, count, sizeof(*order), compare_pprof_values);
	for (size_t i = 0; i < count; i++) {
		const struct pprof_part *sample = &pprof->samples.parts[order[i].number];
		const int64_t *values = &pprof->values[order[i].number * pprof->type_count];

		if (!are_some || i < top)
			put_pprof_sample(out, pprof, sample->bytes, sample->size, values);
		for (size_t type = 0; are_some && i >= top && type < pprof->type_count; type++)
			left_out[type] += values[type];
	}
	free(order);
}

static void put_left_out(struct strbuf *out, struct pprof *pprof, const int64_t *values)
{
	struct strbuf part = {0}, inner = {0};
	size_t number;

	protobuf_number(&part, FUNCTION_NAME, find_string(pprof, "[left out]"));
	number = take_pprof_part(&pprof->functions, &part);
	protobuf_number(&inner, LINE_FUNCTION, pprof_id_of(number));
	protobuf_take(&part, LOCATION_LINE, &inner);
	number = take_pprof_part(&pprof->locations, &part);
	protobuf_varint(&inner, pprof_id_of(number));
	protobuf_take(&part, SAMPLE_LOCATION, &inner);
	put_pprof_sample(out, pprof, strbuf_text(&part), part.length, values);
	strbuf_fini(&part);
	strbuf_fini(&inner);
}

static void put_pprof(struct strbuf *out, struct pprof *pprof, const struct batch_input *input)
{
	const int64_t wall_ns = session_wall_ns(input->session->wall_offset_ns, pprof->start_ns);
	int64_t left_out[PPROF_TYPES_MAX] = {0};

	for (size_t i = 0; i < pprof->type_count; i++)
		if (pprof->types[i].is_written)
			put_value_type(out, PROFILE_SAMPLE_TYPE, &pprof->types[i]);
	left_out[shown_type(pprof)] = (int64_t)pprof->left_out_weight;
	put_pprof_samples(out, pprof, input->top, left_out);
	if (left_out[shown_type(pprof)] > 0)
		put_left_out(out, pprof, left_out);
	put_parts(out, PROFILE_MAPPING, &pprof->mappings);
	put_parts(out, PROFILE_LOCATION, &pprof->locations);
	put_parts(out, PROFILE_FUNCTION, &pprof->functions);
	for (size_t i = 0; i < pprof->strings.count; i++)
		protobuf_bytes(out, PROFILE_STRING, pprof->strings.parts[i].bytes,
			       pprof->strings.parts[i].size);
	protobuf_number(out, PROFILE_TIME_NANOS, wall_ns > 0 ? (uint64_t)wall_ns : 0);
	protobuf_number(out, PROFILE_DURATION_NANOS, pprof->length_ns);
	protobuf_number(out, PROFILE_DEFAULT_TYPE, pprof->types[shown_type(pprof)].name);
}

/* As deflateInit2() has it, there is nothing that could fail but memory. */
static void compress_into(struct strbuf *out, const struct strbuf *text)
{
	z_stream stream = {0};
	size_t bound;

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS,
			 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	bound = deflateBound(&stream, text->length);
	stream.next_in = (unsigned char *)strbuf_text(text);
	stream.avail_in = (unsigned int)text->length;
	stream.next_out = (unsigned char *)strbuf_room(out, bound);
	stream.avail_out = (unsigned int)bound;
	deflate(&stream, Z_FINISH);
	strbuf_fill(out, stream.total_out);
	deflateEnd(&stream);
}

void pprof_write(struct strbuf *out, const struct batch_input *input)
{
	struct pprof *pprof = &input->totals->pprof;
	struct strbuf text = {0};

	if (pprof->type_count == 0)
		begin_pprof(pprof, input);
	add_pprof_interval(pprof, input);
	pprof->types[0].is_written = pprof->types[shown_type(pprof)].is_written = true;
	put_pprof(&text, pprof, input);
	compress_into(out, &text);
	strbuf_fini(&text);
}
