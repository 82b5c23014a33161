/*
 * Reading. What a reading is of, its first id says (writer.h); which group that is, the layout that
 * came before it. Layout, session and scope come in parts, which are gathered until the last.
 *
 * A file may hold anything: what does not fit the layout that is in force is passed over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/topology.h"
#include "kernel/attr.h"
#include "source/convert.h"

#include "perfdata/notes.h"
#include "perfdata/recording.h"

enum {
	TEXT_MAX = 16 << 20, /* bytes of a layout's JSON: of one that is not believed */
	USERS_MAX = 65536,   /* of more no names are kept */
	USER_NAME_MAX = 255
};

struct recording_reader *recording_reader_create(void)
{
	return xcalloc(1, sizeof(struct recording_reader));
}

void recording_reader_destroy(struct recording_reader *reader)
{
	if (!reader)
		return;
	map_fini_with(&reader->users, free);
	layout_fini(&reader->layout);
	free(reader->leaders);
	for (size_t i = 0; i < reader->cpu_count; i++)
		kept_readings_fini(&reader->cpus[i].readings);
	free(reader->cpus);
	target_pids_fini(&reader->targets);
	strbuf_fini(&reader->text);
	topology_fini(&reader->topology);
	free(reader);
}

const char *recording_reader_user(const struct recording_reader *reader, int64_t uid)
{
	return map_get(&reader->users, (uint64_t)uid);
}

int64_t recording_reader_find_user(const struct recording_reader *reader, const char *name)
{
	for (const struct map_slot *each = NULL; (each = map_next(&reader->users, each));)
		if (strcmp(each->value, name) == 0)
			return (int64_t)each->key;
	return -1;
}

/* A damaged file's, or another version's. */
static enum recording_result leave_record_out(struct recording_reader *reader)
{
	reader->left_out++;
	return RECORDING_NOTHING;
}

static enum recording_result take_user(struct recording_reader *reader,
				       const struct note_view *view)
{
	int64_t uid;
	const char *name;

	if (!note_take_user(view, &uid, &name) || strlen(name) > USER_NAME_MAX ||
	    reader->users.count >= USERS_MAX)
		return leave_record_out(reader);
	free(map_put(&reader->users, (uint64_t)uid, xstrdup(name)));
	return RECORDING_NOTHING;
}

static enum recording_result parse_layout(struct recording_reader *reader)
{
	struct layout layout;
	uint32_t *leaders;

	if (!recording_parse_layout(strbuf_text(&reader->text), reader->text.length,
				    &reader->layout, &layout, &leaders))
		return leave_record_out(reader);
	layout_fini(&reader->layout);
	free(reader->leaders);
	reader->layout = layout;
	reader->leaders = leaders;
	return RECORDING_LAYOUT;
}

static enum recording_result parse_session(struct recording_reader *reader)
{
	struct topology topology = {0};
	struct session session;

	if (!recording_parse_session(strbuf_text(&reader->text), reader->text.length, &session,
				     &topology)) {
		topology_fini(&topology);
		return leave_record_out(reader);
	}
	topology_fini(&reader->topology);
	reader->topology = topology;
	session.has_accesses |= reader->session.has_accesses; /* at any time */
	reader->session = session;
	reader->session.topology = &reader->topology;
	return RECORDING_SESSION;
}

static enum recording_result parse_targets(struct recording_reader *reader)
{
	struct target_pids targets;

	if (!recording_parse_targets(strbuf_text(&reader->text), reader->text.length, &targets))
		return leave_record_out(reader);
	target_pids_fini(&reader->targets);
	reader->targets = targets;
	return RECORDING_TARGETS;
}

/* What a note's parts come to, now that the last one is there. */
static enum recording_result take_whole(struct recording_reader *reader)
{
	switch (reader->text_kind) {
	case NOTE_LAYOUT:
		return parse_layout(reader);
	case NOTE_SESSION:
		return parse_session(reader);
	case NOTE_TARGETS:
		return parse_targets(reader);
	case NOTE_RECORD:
	case NOTE_TICK:
	case NOTE_USER:
		break;
	}
	return RECORDING_NOTHING;
}

static enum recording_result take_part(struct recording_reader *reader,
				       const struct note_view *view)
{
	enum recording_result result;

	if (reader->text.length > 0 &&
	    (view->kind != reader->text_kind || reader->text.length > TEXT_MAX)) {
		leave_record_out(reader);
		strbuf_clear(&reader->text);
	}
	reader->text_kind = view->kind;
	strbuf_add_bytes(&reader->text, (const char *)view->body, view->size);
	if (view->detail != NOTE_ENDS)
		return RECORDING_NOTHING;
	result = take_whole(reader);
	strbuf_clear(&reader->text);
	return result;
}

/* NULL: a number that cannot be. */
static struct recording_cpu *cpu_of(struct recording_reader *reader, int32_t number)
{
	const size_t index = (size_t)number + 1;

	if (number < RECORD_CPU_NONE || number >= TOPOLOGY_CPUS_MAX)
		return NULL;
	if (index >= reader->cpu_count) {
		reader->cpus = xrealloc(reader->cpus, index + 1, sizeof(*reader->cpus));
		memset(reader->cpus + reader->cpu_count, 0,
		       (index + 1 - reader->cpu_count) * sizeof(*reader->cpus));
		reader->cpu_count = index + 1;
	}
	return &reader->cpus[index];
}

void kept_readings_add(struct kept_readings *kept, const struct record_reading *reading,
		       size_t value_count)
{
	size_t capacity = kept->capacity;

	array_reserve(&kept->readings, &capacity, kept->count + 1, sizeof(*kept->readings));
	if (capacity > kept->capacity)
		kept->values = xrealloc(kept->values, capacity, sizeof(*kept->values));
	kept->capacity = capacity;
	memset(kept->values[kept->count], 0, sizeof(*kept->values));
	memcpy(kept->values[kept->count], reading->values, value_count * sizeof(uint64_t));
	kept->readings[kept->count++] = *reading;
}

void kept_readings_give(struct kept_readings *kept, struct record_switch *ctx_switch)
{
	for (size_t i = 0; i < kept->count; i++)
		kept->readings[i].values = kept->values[i];
	ctx_switch->readings = kept->readings;
	ctx_switch->reading_count = (uint16_t)kept->count;
	kept->count = 0;
}

void kept_readings_fini(struct kept_readings *kept)
{
	free(kept->readings);
	free(kept->values);
}

/* Keeps a reading of the switch that follows. */
static enum recording_result keep_reading(struct recording_reader *reader,
					  const struct record *record, size_t value_count)
{
	struct recording_cpu *cpu = cpu_of(reader, record->cpu);

	if (!cpu || cpu->readings.count >= LAYOUT_GROUPS_MAX)
		return leave_record_out(reader);
	kept_readings_add(&cpu->readings, &record->reading, value_count);
	return RECORDING_NOTHING;
}

static enum recording_result keep_name(struct recording_reader *reader, int32_t number,
				       const char *name)
{
	struct recording_cpu *cpu = cpu_of(reader, number);

	if (!cpu)
		return leave_record_out(reader);
	snprintf(cpu->name, sizeof(cpu->name), "%s", name);
	return RECORDING_NOTHING;
}

/*
 * The switch of which readings, and a name, came before. What the incoming task says behind it,
 * which is the same, is for perf.
 */
static enum recording_result end_switch(struct recording_reader *reader, struct record *record)
{
	struct record_switch *ctx_switch = &record->ctx_switch;
	struct recording_cpu *cpu = cpu_of(reader, record->cpu);
	bool is_same;

	if (!cpu)
		return leave_record_out(reader);
	is_same = !ctx_switch->knows_how && cpu->readings.count == 0 && cpu->announced > 0 &&
		  cpu->announced == ctx_switch->next_tid + 1;
	cpu->announced = record->cpu >= 0 && ctx_switch->knows_how && ctx_switch->next_tid >= 0
				 ? ctx_switch->next_tid + 1
				 : 0;
	if (is_same)
		return RECORDING_NOTHING;
	kept_readings_give(&cpu->readings, ctx_switch);
	ctx_switch->name = NULL;
	if (cpu->name[0] != '\0') {
		snprintf(reader->name, sizeof(reader->name), "%s", cpu->name);
		ctx_switch->name = reader->name;
	}
	cpu->name[0] = '\0';
	return RECORDING_RECORD;
}

/* Records are missing, so that what comes is no echo. */
static void forget_announced(struct recording_reader *reader)
{
	for (size_t i = 0; i < reader->cpu_count; i++)
		reader->cpus[i].announced = 0;
}

static enum recording_result take_record_note(struct recording_reader *reader,
					      const struct note_view *view, struct record *record)
{
	const char *name = note_take_name(view, record);

	if (name)
		return keep_name(reader, record->cpu, name);
	if (!note_take_record(view, record, reader->numbers))
		return leave_record_out(reader);
	if (record->kind == RECORD_LOST)
		forget_announced(reader);
	return RECORDING_RECORD;
}

static enum recording_result read_note(struct recording_reader *reader,
				       const struct decoded_bytes *raw, struct record *record,
				       struct recording_interval *tick)
{
	struct note_view view;

	if (!note_open(&view, raw->bytes, raw->size))
		return leave_record_out(reader);
	switch (view.kind) {
	case NOTE_RECORD:
		return take_record_note(reader, &view, record);
	case NOTE_TICK:
		return note_take_tick(&view, tick) ? RECORDING_INTERVAL : leave_record_out(reader);
	case NOTE_LAYOUT:
	case NOTE_SESSION:
	case NOTE_TARGETS:
		return take_part(reader, &view);
	case NOTE_USER:
		return take_user(reader, &view);
	}
	return leave_record_out(reader);
}

/* The group with the leader that an id is of; false: it is none of the present layout. */
static bool find_group_of_id(const struct recording_reader *reader, uint64_t id, uint16_t *group)
{
	const uint32_t event = writer_id_event(id);

	for (size_t i = 0; i < reader->layout.group_count; i++) {
		if (!reader->layout.groups[i].is_open || reader->leaders[i] != event)
			continue;
		*group = (uint16_t)i;
		return true;
	}
	return false;
}

static enum recording_result take_group_reading(struct recording_reader *reader,
						const struct decoded *decoded,
						const struct decoded_read *read,
						struct record *record)
{
	uint16_t group;

	if (read->count == 0 || read->count > DECODE_READ_MAX ||
	    !find_group_of_id(reader, read->ids[0], &group))
		return leave_record_out(reader);
	record->kind = RECORD_READING;
	record->reading = (struct record_reading){
		.group = group,
		.restarts = (decoded->misc & RECORDING_MISC_RESTARTS) != 0,
		.has_switch_records = (decoded->misc & RECORDING_MISC_SWITCHES) != 0,
		.sequence = read->values[0],
		.enabled_ns = read->enabled_ns,
		.running_ns = read->running_ns,
		.values = &read->values[1],
	};
	return read->count == 1u + reader->layout.groups[group].count ? RECORDING_RECORD
								      : leave_record_out(reader);
}

/* Keeps the reading of the sample that follows. */
static enum recording_result keep_sampled(struct recording_reader *reader,
					  const struct decoded *decoded, struct record *record)
{
	if (take_group_reading(reader, decoded, &decoded->counts.read, record) != RECORDING_RECORD)
		return RECORDING_NOTHING;
	reader->has_sampled = true;
	reader->sampled = record->reading;
	memcpy(reader->sampled_values, record->reading.values,
	       (size_t)(decoded->counts.read.count - 1) * sizeof(*reader->sampled_values));
	reader->sampled.values = reader->sampled_values;
	return RECORDING_NOTHING;
}

static bool take_waker(const struct decoded_bytes *raw, struct record_sample *sample)
{
	uint32_t tid;

	if (raw->size < sizeof(tid))
		return false;
	memcpy(&tid, raw->bytes, sizeof(tid));
	sample->kind = SAMPLE_WAKER;
	sample->wakee_tid = (int32_t)tid;
	return true;
}

/* False: it is none, or broken. */
static bool take_branch(struct recording_reader *reader, const struct decoded *decoded,
			struct record *record)
{
	const int kind = decoded->misc >> RECORDING_MISC_STATE & RECORDING_STATE_MASK;
	const struct decoded_bytes *raw = &decoded->sample.raw;
	uint64_t flags;

	if (kind != SAMPLE_BRANCH || (decoded->id.has & DECODED_HAS_RAW) == 0 ||
	    raw->size < sizeof(flags) || record->sample.count != BRANCH_ENDS)
		return false;
	memcpy(&flags, raw->bytes, sizeof(flags));
	convert_branch(reader->frames, flags, record);
	return true;
}

static void take_kind(const struct recording_reader *reader, const struct decoded *decoded,
		      struct record_sample *sample)
{
	const int kind = decoded->misc >> RECORDING_MISC_STATE & RECORDING_STATE_MASK;
	const uint32_t hz = reader->session.sampling_hz;

	if ((decoded->id.has & DECODED_HAS_RAW) != 0 && take_waker(&decoded->sample.raw, sample))
		return;
	if (kind == SAMPLE_BLOCKED || kind == SAMPLE_PREEMPTED || kind == SAMPLE_QUEUED)
		sample->kind = (enum sample_kind)kind;
	sample->ns = sample->weight;
	if (sample->kind == SAMPLE_ON_CPU && reader->session.sampling == SAMPLING_EVENTS)
		sample->ns = 0;
	else if (sample->kind == SAMPLE_ON_CPU && reader->session.sampling == SAMPLING_CYCLES)
		sample->ns = hz > 0 ? 1000000000 / hz : 0;
}

/* A reading, or where a task was. */
static enum recording_result take_sample(struct recording_reader *reader,
					 const struct decoded *decoded, struct record *record)
{
	if ((decoded->id.has & DECODED_HAS_READ) != 0)
		return take_group_reading(reader, decoded, &decoded->sample.read, record) ==
				       RECORDING_RECORD
			       ? keep_reading(reader, record,
					      (size_t)decoded->sample.read.count - 1)
			       : RECORDING_NOTHING;
	if (convert_access(decoded, reader->frames, record))
		return RECORDING_RECORD;
	if ((decoded->id.has & DECODED_HAS_CALLCHAIN) == 0)
		return RECORDING_NOTHING;
	convert_sample(decoded, reader->frames, record);
	if (take_branch(reader, decoded, record))
		return RECORDING_RECORD;
	record->sample.weight = decoded->sample.period;
	record->sample.is_of_task = reader->session.scope == SCOPE_TASKS;
	record->sample.reading = reader->has_sampled ? &reader->sampled : NULL;
	reader->has_sampled = false;
	take_kind(reader, decoded, &record->sample);
	return RECORDING_RECORD;
}

static void take_state(const struct decoded *decoded, struct record *record)
{
	const int state = decoded->misc >> RECORDING_MISC_STATE & RECORDING_STATE_MASK;

	if (state != TASK_STATE_UNKNOWN && state < TASK_STATES)
		record->ctx_switch.state = (uint8_t)state;
}

enum recording_result recording_read(struct recording_reader *reader, const struct decoded *decoded,
				     bool is_note, struct record *record,
				     struct recording_interval *tick)
{
	const uint64_t who = DECODED_HAS_TID | DECODED_HAS_TIME | DECODED_HAS_CPU;
	const uint32_t type = decoded->type;

	if (is_note)
		return type == DECODED_SAMPLE && (decoded->id.has & DECODED_HAS_RAW) != 0
			       ? read_note(reader, &decoded->sample.raw, record, tick)
			       : RECORDING_NOTHING;
	if ((decoded->id.has & who) != who)
		return RECORDING_NOTHING;
	*record = (struct record){
		.cpu = (int32_t)decoded->id.cpu,
		.pid = decoded->id.pid,
		.tid = decoded->id.tid,
		.time_ns = decoded->id.time_ns,
	};
	if (type == DECODED_SAMPLE)
		return take_sample(reader, decoded, record);
	if (type == DECODED_READ && (decoded->misc & RECORDING_MISC_SAMPLE) != 0)
		return keep_sampled(reader, decoded, record);
	if (type == DECODED_READ)
		return take_group_reading(reader, decoded, &decoded->counts.read, record);
	/* what has no time is there for perf, but for code that was mapped before */
	if (type == DECODED_MMAP2 || type == DECODED_KSYMBOL)
		return convert_mapping(decoded, record) ? RECORDING_RECORD : RECORDING_NOTHING;
	if (record->time_ns == 0 ||
	    !convert_record(decoded, reader->name, sizeof(reader->name), record))
		return RECORDING_NOTHING;
	if (record->kind == RECORD_SWITCH) {
		take_state(decoded, record);
		return end_switch(reader, record);
	}
	if (record->kind == RECORD_LOST)
		forget_announced(reader);
	if (record->kind == RECORD_THROTTLED && decoded->throttle.time_ns <= record->time_ns)
		record->throttled_ns = record->time_ns - decoded->throttle.time_ns;
	return RECORDING_RECORD;
}
