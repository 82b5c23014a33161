/*
 * Behind a tick it is looked one thing ahead, since a layout or a session that is there holds for
 * the next interval, and must be there when it begins.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/decode.h"

#include "perfdata/reader.h"
#include "perfdata/replaying.h"

static bool has_notes(const struct perfdata_event *event)
{
	return event->config1 == WRITER_NOTES_MARK || strcmp(event->name, RECORDING_EVENT) == 0;
}

bool replay_recording_is(const struct perfdata *file)
{
	size_t count;
	const struct perfdata_event *events = perfdata_events(file, &count);

	for (size_t i = 0; i < count; i++)
		if (has_notes(&events[i]))
			return true;
	return false;
}

/* The next thing in the recording. RECORDING_NOTHING: the end, or a pipe has nothing now. */
static enum recording_result read_next(struct replay_recording *recording, struct record *record,
				       struct recording_interval *tick)
{
	enum recording_result result = RECORDING_NOTHING;
	struct perfdata_record raw;

	recording->is_waiting = false;
	while (result == RECORDING_NOTHING && !recording->is_ended) {
		const struct perfdata_event *events;
		size_t count;

		switch (perfdata_next(recording->file, &raw)) {
		case PERFDATA_RECORD:
			break;
		case PERFDATA_ROUND:
			continue;
		case PERFDATA_WAIT:
			recording->is_waiting = true;
			return RECORDING_NOTHING;
		case PERFDATA_END:
			recording->is_ended = true;
			continue;
		}
		events = perfdata_events(recording->file, &count);
		result = recording_read(recording->reader, raw.decoded,
					has_notes(&events[raw.event]), record, tick);
	}
	return result;
}

static void follow_session(struct replay_recording *recording)
{
	struct session *session = &recording->source->session;
	const int64_t wall_offset_ns = session->wall_offset_ns;
	char words[SESSION_TEXT_MAX];

	*session = recording->reader->session;
	topology_copy(&recording->source->topology, session->topology);
	session->topology = &recording->source->topology;
	session->is_live = false;
	if (recording->is_started)
		session->wall_offset_ns = wall_offset_ns;
	snprintf(words, sizeof(words), "%s", session->scope_words);
	snprintf(session->scope_words, sizeof(session->scope_words), "replay of %.200s: %.290s",
		 replay_name(recording->path), words);
}

/* What holds from the next interval on. */
static void follow_changes(struct replay_recording *recording)
{
	if (recording->has_layout) {
		layout_fini(&recording->source->layout);
		layout_copy(&recording->source->layout, &recording->reader->layout);
		recording->source->layout_changes++;
	}
	if (recording->has_session)
		follow_session(recording);
	recording->has_layout = recording->has_session = false;
}

static void follow_targets(struct replay_recording *recording)
{
	target_pids_copy(&recording->targets, &recording->reader->targets);
	recording->target_pids_changes++;
	recording->has_targets = false;
}

/* A thing of the recording that is no record of the model's. False: it was one, and is held. */
static bool take_thing(struct replay_recording *recording, enum recording_result result)
{
	switch (result) {
	case RECORDING_RECORD:
		recording->has_held = true;
		return false;
	case RECORDING_LAYOUT:
		recording->has_layout = true;
		break;
	case RECORDING_SESSION:
		recording->has_session = true;
		break;
	case RECORDING_TARGETS:
		recording->has_targets = true;
		break;
	case RECORDING_INTERVAL:
	case RECORDING_NOTHING:
		break;
	}
	return true;
}

/* A file begins with where the kernel is, whatever it has of samples. False: that is not it. */
static bool keep_kernel(struct replay_recording *recording)
{
	const struct record *held = &recording->held;

	if (held->kind != RECORD_MAPPING || held->pid >= 0 ||
	    held->mapping.change != MAPPING_ADDED || held->mapping.added->is_function)
		return false;
	snprintf(recording->kernel_file, sizeof(recording->kernel_file), "%.*s",
		 (int)held->mapping.added->file_length, held->mapping.added->file);
	recording->kernel = *held->mapping.added;
	recording->kernel.file = recording->kernel_file;
	recording->kernel.file_length = strlen(recording->kernel_file);
	replay_complete_mapping(recording->file, &recording->kernel);
	return true;
}

static void emit_kernel(struct replay_recording *recording, struct record *record)
{
	*record = (struct record){
		.kind = RECORD_MAPPING,
		.cpu = RECORD_CPU_NONE,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.mapping.added = &recording->kernel,
	};
	recording->has_kernel_to_emit = false;
}

/* What is before the first record: layout, session and scope. */
static void find_beginning(struct replay_recording *recording)
{
	struct recording_interval tick;
	enum recording_result result;

	do {
		result = read_next(recording, &recording->held, &tick);
		if (recording->is_waiting)
			perfdata_await(recording->file);
	} while ((result == RECORDING_NOTHING && !recording->is_ended) ||
		 (result == RECORDING_RECORD && keep_kernel(recording)) ||
		 (result != RECORDING_NOTHING && result != RECORDING_INTERVAL &&
		  take_thing(recording, result)));
	follow_changes(recording);
	if (recording->has_targets)
		follow_targets(recording);
	recording->has_kernel_to_emit = recording->kernel.file;
}

struct replay_recording *replay_recording_create(struct perfdata *file, struct source *source,
						 const char *path, uint64_t interval_ns)
{
	struct replay_recording *recording = xcalloc(1, sizeof(*recording));

	recording->file = file;
	recording->source = source;
	recording->path = path;
	recording->interval_ns = interval_ns;
	recording->reader = recording_reader_create();
	find_beginning(recording);
	return recording;
}

void replay_recording_destroy(struct replay_recording *recording)
{
	if (!recording)
		return;
	recording_reader_destroy(recording->reader);
	target_pids_fini(&recording->targets);
	free(recording);
}

/* An interval of the recording ends here, which began at `from_ns`; of the replay's, when none is
 * nearer to what was asked for: one of a second may be a little shorter. */
static bool is_long_enough(const struct replay_recording *recording,
			   const struct recording_interval *tick, uint64_t from_ns)
{
	const uint64_t half_ns = (tick->time_ns - from_ns) / 2;
	const bool is_last =
		recording->is_ended && !recording->has_held && !recording->has_held_tick;

	return !recording->is_started || recording->has_layout || recording->has_session ||
	       is_last || tick->time_ns - recording->begun_ns + half_ns >= recording->interval_ns;
}

/* Behind a tick: what holds from there on. The first record is held. */
static void look_ahead(struct replay_recording *recording)
{
	while (!recording->has_held && !recording->has_held_tick) {
		const enum recording_result result =
			read_next(recording, &recording->held, &recording->held_tick);

		if (result == RECORDING_NOTHING)
			return;
		recording->has_held_tick = result == RECORDING_INTERVAL;
		take_thing(recording, result);
	}
}

/* The interval may be over. */
static void take_tick(struct replay_recording *recording, const struct recording_interval *tick)
{
	const uint64_t from_ns = recording->tick.time_ns;

	recording->tick = *tick;
	recording->has_tick = true;
	look_ahead(recording);
	recording->is_due = is_long_enough(recording, &recording->tick, from_ns);
}

static void begin_next(struct replay_recording *recording)
{
	struct source *source = recording->source;

	source->tick_ns = recording->tick.time_ns;
	source->session.wall_offset_ns = recording->tick.wall_offset_ns;
	source->session.is_partial = recording->tick.is_partial;
	recording->begun_ns = recording->tick.time_ns;
	if (!recording->is_started)
		recording->first_ns = recording->begun_ns;
	recording->is_started = true;
	recording->is_due = recording->is_closing = recording->has_tick = false;
	recording->interval_count++;
	recording->is_over =
		recording->is_ended && !recording->has_held && !recording->has_held_tick;
	follow_changes(recording);
}

static void end_here(struct replay_recording *recording)
{
	if (recording->now_ns > recording->tick.time_ns)
		recording->tick.time_ns = recording->now_ns;
	recording->is_due = true;
}

/*
 * There is nothing now. What was delivered after the last tick is of an interval that was never
 * shown, and that lacks the readings which end one; it is shown only when it is all there is.
 */
static enum replay_step pause(struct replay_recording *recording)
{
	if (recording->is_ended && recording->interval_count > 1 && !recording->has_tick) {
		recording->is_over = true;
		return REPLAY_DUE;
	}
	if (recording->is_ended || (recording->is_closing && recording->is_started)) {
		end_here(recording);
		return REPLAY_DUE;
	}
	recording->is_closing = false;
	return REPLAY_WAITS;
}

/*
 * Records are in the order of delivery: what is known of a task is delivered with the time it was
 * read, and earlier switches may follow. What is settled when the recording says itself.
 */
static enum replay_step emit_record(struct replay_recording *recording, struct record *record)
{
	struct record_mapping *mapping = &record->mapping;

	recording->now_ns =
		record->time_ns > recording->now_ns ? record->time_ns : recording->now_ns;
	if (recording->has_targets)
		follow_targets(recording);
	if (record->kind == RECORD_MAPPING && mapping->change == MAPPING_ADDED) {
		recording->mapping = *mapping->added;
		replay_complete_mapping(recording->file, &recording->mapping);
		mapping->added = &recording->mapping;
	}
	return REPLAY_RECORD;
}

enum replay_step replay_recording_next(struct replay_recording *recording, struct record *record)
{
	struct recording_interval tick;

	for (;;) {
		enum recording_result result;

		if (recording->is_over || (recording->is_due && !recording->is_closing))
			return REPLAY_DUE;
		if (recording->is_due) {
			begin_next(recording);
			return REPLAY_CLOSED;
		}
		if (recording->has_kernel_to_emit) {
			emit_kernel(recording, record);
			return REPLAY_RECORD;
		}
		if (recording->has_held) {
			*record = recording->held;
			recording->has_held = false;
			return emit_record(recording, record);
		}
		tick = recording->held_tick;
		result = recording->has_held_tick ? RECORDING_INTERVAL
						  : read_next(recording, record, &tick);
		recording->has_held_tick = false;
		if (result == RECORDING_RECORD)
			return emit_record(recording, record);
		if (result == RECORDING_INTERVAL)
			take_tick(recording, &tick);
		else if (result == RECORDING_NOTHING && pause(recording) == REPLAY_WAITS)
			return REPLAY_WAITS;
		else if (result == RECORDING_TARGETS)
			take_thing(recording, result);
		else if (result == RECORDING_LAYOUT || result == RECORDING_SESSION) {
			/* not behind a tick: the interval ends here */
			take_thing(recording, result);
			end_here(recording);
		}
	}
}
