/* Writing. A record becomes one of perf's where there is one that says all of it, else a note. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/encode.h"

#include "perfdata/notes.h"
#include "perfdata/recording.h"

#define NAMED_EACH_TIME UINTPTR_MAX /* in place of the number of a loss */

/* Where the events of a group of the layout are now: its leader, and its members behind it. */
struct written_group {
	uint32_t leader;
	uint32_t generation;
	uint16_t members;
	bool is_open;
};

/* The event that samples are of. */
struct written_sampler {
	uint32_t event; /* its number in the file; 0: none yet */
	enum writer_event_kind kind;
	char name[SESSION_EVENT_MAX];
};

struct recording_writer {
	struct recording_sink sink;
	int cpu_count;                /* 0: of tasks */
	struct written_group *groups; /* owned; one per group of the layout */
	size_t group_count;
	struct writer_event *events; /* owned; those that are new */
	size_t event_count, event_capacity;
	uint32_t event_next; /* its number in the file; none is ever given again */
	struct written_sampler on_cpu, off_cpu, wakers, branches, accesses;
	struct decode_format formats[WRITER_NOTES + 1];
	uint64_t newest_ns; /* of what was written */
	struct map named;   /* tids that were written as leaving under a name: number of the loss
			       before, from 1 */
	uintptr_t losses;   /* the last one's number */
	uint64_t lost_ns;   /* when it was; names of before are not believed */
	struct encoder encoder; /* of the record that is written */
	struct strbuf note;     /* owned; if it is one */
};

struct recording_writer *recording_writer_create(int cpu_count, struct recording_sink sink)
{
	struct recording_writer *writer = xcalloc(1, sizeof(*writer));

	writer->cpu_count = cpu_count;
	writer->sink = sink;
	writer->losses = 1;
	for (size_t i = 0; i <= WRITER_NOTES; i++)
		writer->formats[i] = writer_format((enum writer_event_kind)i);
	return writer;
}

void recording_writer_destroy(struct recording_writer *writer)
{
	if (!writer)
		return;
	free(writer->groups);
	free(writer->events);
	map_fini(&writer->named);
	strbuf_fini(&writer->note);
	free(writer);
}

/* Of a machine's CPUs the leaders count switches; those of tasks only hold the group together. */
static enum writer_event_kind leader_kind(const struct recording_writer *writer)
{
	return writer->cpu_count > 0 ? WRITER_LEADER : WRITER_HOLDER;
}

static void add_event(struct recording_writer *writer, enum writer_event_kind kind,
		      const char *name, const struct event_spec *spec)
{
	array_reserve(&writer->events, &writer->event_capacity, writer->event_count + 1,
		      sizeof(*writer->events));
	writer->events[writer->event_count++] =
		(struct writer_event){.kind = kind, .name = name, .spec = spec};
	writer->event_next++;
}

static void add_group(struct recording_writer *writer, const struct layout *layout, size_t index,
		      recording_find_spec *spec, const void *source)
{
	const struct event_group *group = &layout->groups[index];

	writer->groups[index] = (struct written_group){
		.leader = writer->event_next,
		.generation = group->generation,
		.members = group->count,
		.is_open = true,
	};
	add_event(writer, leader_kind(writer), writer->cpu_count > 0 ? "context-switches" : "dummy",
		  NULL);
	for (size_t i = 0; i < group->count; i++) {
		const struct counter *counter = &layout->counters[group->counters[i]];

		add_event(writer, WRITER_MEMBER, layout->events[counter->event].name,
			  spec ? spec(source, index, i) : NULL);
	}
}

const struct writer_event *recording_writer_events(struct recording_writer *writer,
						   const struct layout *layout,
						   recording_find_spec *spec, const void *source,
						   size_t *count)
{
	writer->event_count = 0;
	if (writer->event_next == 0) {
		add_event(writer, WRITER_TIMELINE, "dummy", NULL);
		add_event(writer, WRITER_NOTES, RECORDING_EVENT, NULL);
	}
	if (layout->group_count > writer->group_count) {
		writer->groups =
			xrealloc(writer->groups, layout->group_count, sizeof(*writer->groups));
		memset(&writer->groups[writer->group_count], 0,
		       (layout->group_count - writer->group_count) * sizeof(*writer->groups));
		writer->group_count = layout->group_count;
	}
	for (size_t i = 0; i < layout->group_count; i++) {
		const struct event_group *group = &layout->groups[i];
		struct written_group *written = &writer->groups[i];

		if (!group->is_open)
			written->is_open = false;
		else if (!written->is_open || written->generation != group->generation)
			add_group(writer, layout, i, spec, source);
	}
	*count = writer->event_count;
	return writer->events;
}

const struct writer_event *recording_writer_sampler(struct recording_writer *writer,
						    enum writer_event_kind kind, const char *name)
{
	static const char *const names[] = {
		[WRITER_CLOCK_SAMPLES] = "cpu-clock", [WRITER_CYCLES_SAMPLES] = "cycles",
		[WRITER_OFF_CPU_SAMPLES] = "off-cpu", [WRITER_WAKER_SAMPLES] = "wakers",
		[WRITER_BRANCH_SAMPLES] = "branches",
	};
	struct written_sampler *sampler = kind == WRITER_OFF_CPU_SAMPLES  ? &writer->off_cpu
					  : kind == WRITER_WAKER_SAMPLES  ? &writer->wakers
					  : kind == WRITER_BRANCH_SAMPLES ? &writer->branches
					  : kind == WRITER_ACCESS_SAMPLES ? &writer->accesses
									  : &writer->on_cpu;

	if (kind != WRITER_EVENT_SAMPLES && kind != WRITER_ACCESS_SAMPLES)
		name = names[kind];
	if (sampler->event > 0 && sampler->kind == kind && strcmp(sampler->name, name) == 0)
		return NULL;
	*sampler = (struct written_sampler){.event = writer->event_next, .kind = kind};
	snprintf(sampler->name, sizeof(sampler->name), "%s", name);
	writer->event_count = 0;
	add_event(writer, kind, sampler->name, NULL);
	return writer->events;
}

static struct decoded_id ids_of_record(const struct recording_writer *writer,
				       const struct record *record, uint32_t event)
{
	const bool has_id = record->cpu >= 0 && record->cpu < writer->cpu_count;

	return (struct decoded_id){
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = record->time_ns,
		.id = writer_id(event, has_id ? record->cpu : RECORD_CPU_NONE),
		.cpu = (uint32_t)record->cpu,
	};
}

/* A record of this type, of an event of this kind. Its body goes to the encoder. */
static void begin_record(struct recording_writer *writer, uint32_t type,
			 enum writer_event_kind kind, const struct decoded_id *id, int misc)
{
	encode_begin(&writer->encoder, writer->sink.room(writer->sink.context),
		     &writer->formats[kind], id, type, (uint16_t)misc);
}

static void end_record(struct recording_writer *writer)
{
	const uint64_t time_ns = writer->encoder.id.time_ns;
	const size_t size = encode_end(&writer->encoder);

	if (time_ns > writer->newest_ns)
		writer->newest_ns = time_ns;
	if (size > 0)
		writer->sink.commit(writer->sink.context, size, time_ns);
}

/* What a note is about it says itself. To perf it is of now, and of no task. */
static void begin_note(struct recording_writer *writer, enum note_kind kind, unsigned char detail)
{
	const struct record now = {.cpu = RECORD_CPU_NONE, .time_ns = writer->newest_ns};
	const struct decoded_id id = ids_of_record(writer, &now, RECORDING_NOTES);

	begin_record(writer, DECODED_SAMPLE, WRITER_NOTES, &id, 0);
	encode_sample(&writer->encoder, 0, 0, 1);
	note_begin(&writer->note, kind, detail);
}

static void put_note(struct recording_writer *writer)
{
	if (!note_end(&writer->note))
		return;
	encode_raw(&writer->encoder, writer->note.text, writer->note.length);
	end_record(writer);
}

static void write_record_note(struct recording_writer *writer, const struct record *record)
{
	begin_note(writer, NOTE_RECORD, note_letter(record->kind));
	note_put_record(&writer->note, record);
	put_note(writer);
}

/* Texts are longer than a record can be. */
static void write_text(struct recording_writer *writer, enum note_kind kind, const char *text)
{
	size_t left = strlen(text);

	do {
		const size_t size = left < NOTE_BODY_MAX ? left : NOTE_BODY_MAX;

		begin_note(writer, kind, size == left ? NOTE_ENDS : 0);
		strbuf_add_bytes(&writer->note, text, size);
		put_note(writer);
		text += size;
		left -= size;
	} while (left > 0);
}

void recording_write_layout(struct recording_writer *writer, const struct layout *layout)
{
	uint32_t *leaders = xcalloc(layout->group_count, sizeof(*leaders));
	char *text;

	for (size_t i = 0; i < layout->group_count; i++)
		leaders[i] = writer->groups[i].leader;
	text = recording_json_layout(layout, leaders);
	write_text(writer, NOTE_LAYOUT, text);
	free(text);
	free(leaders);
}

void recording_write_session(struct recording_writer *writer, const struct session *session)
{
	char *text = recording_json_session(session);

	write_text(writer, NOTE_SESSION, text);
	free(text);
}

void recording_write_targets(struct recording_writer *writer, const struct target_pids *targets)
{
	char *text = recording_json_targets(targets);

	write_text(writer, NOTE_TARGETS, text);
	free(text);
}

void recording_write_user(struct recording_writer *writer, int64_t uid, const char *name)
{
	begin_note(writer, NOTE_USER, 0);
	note_put_user(&writer->note, uid, name);
	put_note(writer);
}

void recording_write_interval(struct recording_writer *writer,
			      const struct recording_interval *interval)
{
	if (interval->time_ns > writer->newest_ns)
		writer->newest_ns = interval->time_ns;
	begin_note(writer, NOTE_TICK, 0);
	note_put_tick(&writer->note, interval);
	put_note(writer);
}

void recording_write_from(struct recording_writer *writer, uint64_t time_ns)
{
	writer->newest_ns = time_ns;
}

static void put_read(struct recording_writer *writer, int32_t cpu,
		     const struct record_reading *reading)
{
	const struct written_group *written = &writer->groups[reading->group];
	struct encoder *encoder = &writer->encoder;

	encode_read(encoder, 1u + written->members, reading->enabled_ns, reading->running_ns);
	encode_value(encoder, reading->sequence, writer_id(written->leader, cpu));
	for (uint32_t i = 0; i < written->members; i++)
		encode_value(encoder, reading->values[i], writer_id(written->leader + 1 + i, cpu));
}

static bool can_write_reading(const struct recording_writer *writer, int32_t cpu,
			      const struct record_reading *reading)
{
	return reading->group < writer->group_count && cpu < writer->cpu_count &&
	       writer->groups[reading->group].is_open;
}

/*
 * What read(2) gave (PERF_RECORD_READ), which perf knows as the last words of a task. Bits of
 * `misc` that mean nothing there say what else is to be known. Of a group that is closed it would
 * mean nothing.
 */
static void write_reading(struct recording_writer *writer, const struct record *record,
			  const struct record_reading *reading, int misc)
{
	struct decoded_id id;

	if (!can_write_reading(writer, record->cpu, reading))
		return;
	id = ids_of_record(writer, record, writer->groups[reading->group].leader);
	begin_record(writer, DECODED_READ, leader_kind(writer), &id, misc);
	encode_task(&writer->encoder, record->pid, record->tid);
	put_read(writer, record->cpu, reading);
	end_record(writer);
}

static int misc_of_reading(const struct record_reading *reading)
{
	return (reading->restarts ? RECORDING_MISC_RESTARTS : 0) |
	       (reading->has_switch_records ? RECORDING_MISC_SWITCHES : 0);
}

/* What a record of this type has besides its ids. */
static void put_body(struct recording_writer *writer, const struct record *record)
{
	struct encoder *encoder = &writer->encoder;

	if (encoder->type == DECODED_FORK || encoder->type == DECODED_EXIT)
		encode_fork(encoder, &(const struct decoded_fork){
					     .pid = record->pid,
					     .tid = record->tid,
					     .parent_pid = record->fork.parent_pid,
					     .parent_tid = record->fork.parent_tid,
					     .time_ns = record->time_ns,
				     });
	else if (encoder->type == DECODED_COMM)
		encode_comm(encoder, &(const struct decoded_comm){
					     .pid = record->pid,
					     .tid = record->tid,
					     .name = record->comm.name,
					     .name_length = strlen(record->comm.name),
					     .exec = record->comm.exec,
				     });
	else if (encoder->type == DECODED_LOST)
		encode_lost(encoder, &(const struct decoded_lost){encoder->id.id, record->lost});
	else if (encoder->type == DECODED_THROTTLE)
		encode_throttle(encoder, &(const struct decoded_throttle){
						 .time_ns = record->time_ns - record->throttled_ns,
						 .id = encoder->id.id,
					 });
}

static void begin_timeline(struct recording_writer *writer, const struct record *record,
			   uint32_t type, int misc)
{
	const struct decoded_id id = ids_of_record(writer, record, RECORDING_TIMELINE);

	begin_record(writer, type, WRITER_TIMELINE, &id, misc);
}

static void put_record(struct recording_writer *writer, const struct record *record, uint32_t type)
{
	begin_timeline(writer, record, type, 0);
	put_body(writer, record);
	end_record(writer);
}

/* Without a time perf takes it at once, and it is not in the recording. */
void recording_show_comm(struct recording_writer *writer, int32_t pid, int32_t tid,
			 const char *name)
{
	const struct record record = {
		.kind = RECORD_COMM,
		.cpu = RECORD_CPU_NONE,
		.pid = pid,
		.tid = tid,
		.comm.name = name,
	};

	if (pid > 0 && tid > 0 && name[0] != '\0')
		put_record(writer, &record, DECODED_COMM);
}

void recording_show_process(struct recording_writer *writer, int32_t pid, int32_t tid,
			    int32_t parent_pid)
{
	const struct record record = {
		.kind = RECORD_FORK,
		.cpu = RECORD_CPU_NONE,
		.pid = pid,
		.tid = tid,
		.fork = {parent_pid, parent_pid},
	};

	put_record(writer, &record, DECODED_FORK);
}

void recording_show_mapping(struct recording_writer *writer, int32_t pid,
			    const struct decoded_mmap *mapping)
{
	const struct record about = {.cpu = RECORD_CPU_NONE, .pid = pid, .tid = pid};
	struct decoded_mmap of_process = *mapping;

	of_process.pid = of_process.tid = pid;
	begin_timeline(writer, &about, DECODED_MMAP2, DECODED_MISC_USER);
	encode_mmap2(&writer->encoder, &of_process);
	end_record(writer);
}

static const struct written_sampler *sampler_of(const struct recording_writer *writer,
						enum sample_kind kind)
{
	if (kind == SAMPLE_ON_CPU)
		return &writer->on_cpu;
	if (kind == SAMPLE_BRANCH)
		return &writer->branches;
	if (kind == SAMPLE_MEMORY)
		return &writer->accesses;
	return kind == SAMPLE_WAKER ? &writer->wakers : &writer->off_cpu;
}

static uint64_t flags_of_branch(const struct record_sample *sample)
{
	const bool is_mispredicted = sample->weight > 0;

	return encode_branch(&(const struct decoded_branch){
		.is_mispredicted = is_mispredicted,
		.is_predicted = sample->branch.is_predictable && !is_mispredicted,
		.is_in_transaction = sample->branch.is_in_transaction,
		.is_abort = sample->branch.is_abort,
		.cycles = (uint16_t)sample->ns,
		.type = sample->branch.type,
		.privilege = sample->branch.privilege,
	});
}

static void put_raw(struct encoder *encoder, const struct record_sample *sample)
{
	const uint64_t flags = flags_of_branch(sample);

	if (sample->kind == SAMPLE_BRANCH)
		encode_raw(encoder, &flags, sizeof(flags));
	else
		encode_raw(encoder, &sample->wakee_tid, sizeof(sample->wakee_tid));
}

/* With the marks of perf. */
static void put_frames(struct encoder *encoder, const struct record_sample *sample)
{
	const size_t count = sample->count < SAMPLE_FRAMES_MAX ? sample->count : SAMPLE_FRAMES_MAX;
	const bool is_kernel = count > 0 && sample->kernel_count > 0;
	const bool is_user = sample->kernel_count < count;

	if (!encode_chain(encoder, count + is_kernel + is_user))
		return;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 && is_kernel)
			encode_word(encoder, (uint64_t)(int64_t)DECODED_CONTEXT_KERNEL);
		if (i == sample->kernel_count)
			encode_word(encoder, (uint64_t)(int64_t)DECODED_CONTEXT_USER);
		encode_word(encoder, sample->frames[i]);
	}
}

/* Its weight says how much. */
static bool stands_for_more(enum sample_kind kind)
{
	return kind != SAMPLE_BRANCH && kind != SAMPLE_MEMORY;
}

static void write_sample(struct recording_writer *writer, const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	const int mode = sample->count == 0         ? 0 /* not known */
			 : sample->kernel_count > 0 ? DECODED_MISC_KERNEL
						    : DECODED_MISC_USER;
	const struct written_sampler *sampler = sampler_of(writer, sample->kind);
	const struct decoded_id id = ids_of_record(writer, record, sampler->event);
	struct encoder *encoder = &writer->encoder;

	if (sample->reading)
		write_reading(writer, record, sample->reading, RECORDING_MISC_SAMPLE);
	begin_record(writer, DECODED_SAMPLE, sampler->kind, &id,
		     mode | (int)sample->kind << RECORDING_MISC_STATE);
	encode_sample(encoder, sample->count > 0 ? sample->frames[0] : 0,
		      sample->kind == SAMPLE_MEMORY ? sample->address : sample->addr,
		      stands_for_more(sample->kind) ? sample->weight : 1);
	put_frames(encoder, sample);
	put_raw(encoder, sample);
	encode_access(encoder, sample->weight, sample->data_src);
	end_record(writer);
}

/* What has no frames says that samples were lost, as a note before one that has does. */
static void write_samples(struct recording_writer *writer, const struct record *record)
{
	const enum sample_kind kind = record->sample.kind;
	const bool has_place = (record->sample.weight > 0 || !stands_for_more(kind)) &&
			       sampler_of(writer, kind)->event > 0;
	struct record lost = *record;

	lost.sample = (struct record_sample){.lost = record->sample.lost};
	if (lost.sample.lost > 0 || !has_place)
		write_record_note(writer, &lost);
	if (has_place)
		write_sample(writer, record);
}

static void write_mapping(struct recording_writer *writer, const struct record *record)
{
	const struct decoded_mmap *added = record->mapping.added;

	if (record->mapping.change != MAPPING_ADDED) {
		write_record_note(writer, record);
		return;
	}
	begin_timeline(writer, record, added->is_function ? DECODED_KSYMBOL : DECODED_MMAP2,
		       record->pid < 0 ? DECODED_MISC_KERNEL : DECODED_MISC_USER);
	if (added->is_function)
		encode_ksymbol(&writer->encoder, added);
	else
		encode_mmap2(&writer->encoder, added);
	end_record(writer);
}

/* What the outgoing task says of the switch, or the incoming one; of a watched task that is all. */
static void put_switch_record(struct recording_writer *writer, const struct record *record,
			      bool is_out, int misc)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	const struct decoded_switch body = {
		.out = is_out,
		.preempted = is_out && ctx_switch->preempted,
		.other_pid = is_out ? ctx_switch->next_pid : record->pid,
		.other_tid = is_out ? ctx_switch->next_tid : record->tid,
	};
	const bool is_of_cpu =
		record->cpu != RECORD_CPU_NONE || body.other_tid != RECORD_TASK_UNKNOWN;
	struct decoded_id id = ids_of_record(writer, record, RECORDING_TIMELINE);

	if (!is_out) {
		id.pid = ctx_switch->next_pid;
		id.tid = ctx_switch->next_tid;
	}
	begin_record(writer, is_of_cpu ? DECODED_SWITCH_CPU_WIDE : DECODED_SWITCH, WRITER_TIMELINE,
		     &id, misc);
	encode_switch(&writer->encoder, &body);
	end_record(writer);
}

static void put_leader_sample(struct recording_writer *writer, const struct record *record,
			      const struct record_reading *reading)
{
	struct decoded_id id;

	if (!can_write_reading(writer, record->cpu, reading))
		return;
	id = ids_of_record(writer, record, writer->groups[reading->group].leader);
	begin_record(writer, DECODED_SAMPLE, leader_kind(writer), &id, misc_of_reading(reading));
	encode_sample(&writer->encoder, 0, 0, 1);
	put_read(writer, record->cpu, reading);
	end_record(writer);
}

/*
 * As the kernel writes it: the leaders' samples, then what the outgoing task says. What the
 * incoming one says is all there is, or the same. Of where it left perf has no record.
 */
static void write_switch(struct recording_writer *writer, const struct record *record)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;

	for (size_t i = 0; i < ctx_switch->reading_count; i++)
		put_leader_sample(writer, record, &ctx_switch->readings[i]);
	put_switch_record(writer, record, ctx_switch->knows_how,
			  ctx_switch->state << RECORDING_MISC_STATE);
	if (ctx_switch->knows_how && ctx_switch->next_tid != RECORD_TASK_UNKNOWN &&
	    record->cpu != RECORD_CPU_NONE)
		put_switch_record(writer, record, false, 0);
	if (ctx_switch->site.place == 0)
		return;

	struct record site = *record; /* where the task left, behind its switch */
	site.kind = RECORD_SITE;
	site.site = ctx_switch->site;
	write_record_note(writer, &site);
}

/*
 * The name of a task that leaves is written once, and again after records were lost: else COMM says
 * whether it has another. One that has exited still runs to its last switch, and the model may have
 * forgotten it at the end of an interval. At its last switch it has no number any more: it is the
 * one that its CPU runs.
 */
static void write_task_name(struct recording_writer *writer, const struct record *record)
{
	char name[TASK_NAME_MAX + 1];

	if (record->tid == 0)
		return;
	if (record->tid != RECORD_TASK_UNKNOWN) {
		const uintptr_t known = (uintptr_t)map_get(&writer->named, (uint64_t)record->tid);

		if (known == writer->losses)
			return;
		if (known != NAMED_EACH_TIME && record->time_ns > writer->lost_ns)
			map_put(&writer->named, (uint64_t)record->tid, (void *)writer->losses);
	}
	snprintf(name, sizeof(name), "%.*s", TASK_NAME_MAX, record->ctx_switch.name);
	begin_note(writer, NOTE_RECORD, NOTE_NAME);
	note_put_name(&writer->note, record, name);
	put_note(writer);
}

/* The tid is free, or another task or program has it. */
static bool forgets_name(const struct record *record)
{
	const uint8_t state = record->ctx_switch.state;

	return record->kind == RECORD_FORK || (record->kind == RECORD_COMM && record->comm.exec) ||
	       (record->kind == RECORD_SWITCH &&
		(state == TASK_STATE_DEAD || state == TASK_STATE_ZOMBIE));
}

/* The records of perf that say all of a record that is of a task or a loss; 0: a note does. */
static const uint32_t types[RECORD_KINDS] = {
	[RECORD_FORK] = DECODED_FORK, [RECORD_EXIT] = DECODED_EXIT,
	[RECORD_COMM] = DECODED_COMM, [RECORD_THROTTLED] = DECODED_THROTTLE,
	[RECORD_LOST] = DECODED_LOST,
};

static void write_kind(struct recording_writer *writer, const struct record *record)
{
	/* the running task is uncertain, but perf would say that data was lost */
	const bool is_no_loss = record->kind == RECORD_LOST && record->lost == 0;

	if (record->kind == RECORD_READING)
		write_reading(writer, record, &record->reading, misc_of_reading(&record->reading));
	else if (record->kind == RECORD_SWITCH)
		write_switch(writer, record);
	else if (record->kind == RECORD_SAMPLE)
		write_samples(writer, record);
	else if (record->kind == RECORD_MAPPING)
		write_mapping(writer, record);
	else if (types[record->kind] != 0 && !is_no_loss)
		put_record(writer, record, types[record->kind]);
	else
		write_record_note(writer, record);
}

void recording_write(struct recording_writer *writer, const struct record *record)
{
	if ((unsigned int)record->kind >= RECORD_KINDS)
		return;
	if (record->kind == RECORD_LOST || record->kind == RECORD_CPU_ONLINE ||
	    record->kind == RECORD_CPU_OFFLINE || record->kind == RECORD_SHED) {
		/* after these the model believes what is newer than all that came before */
		writer->losses++;
		writer->lost_ns =
			record->time_ns > writer->newest_ns ? record->time_ns : writer->newest_ns;
	}
	if (record->kind == RECORD_EXIT && record->tid > 0 && writer->named.count > 0)
		map_put(&writer->named, (uint64_t)record->tid, (void *)NAMED_EACH_TIME);
	if (record->kind == RECORD_SWITCH && record->ctx_switch.name)
		write_task_name(writer, record);
	write_kind(writer, record);
	if (forgets_name(record))
		map_remove(&writer->named, (uint64_t)record->tid);
	if (record->kind == RECORD_PROCINFO && record->procinfo.name)
		recording_show_comm(writer, record->pid, record->tid, record->procinfo.name);
}
