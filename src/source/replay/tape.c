/*
 * Behind a tick it is looked one thing ahead, since a layout or a session that is there holds for
 * the next interval, and must be there when it begins.
 */
#include "source/replay/tape.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/perfdata/reader.h"
#include "source/replay/input.h"
#include "source/replay/words.h"

static bool has_notes(const struct perfdata_event *event)
{
	return event->config1 == WRITER_NOTES_MARK || strcmp(event->name, TAPE_EVENT) == 0;
}

bool replay_tape_is(const struct perfdata *file)
{
	size_t count;
	const struct perfdata_event *events = perfdata_events(file, &count);

	for (size_t i = 0; i < count; i++)
		if (has_notes(&events[i]))
			return true;
	return false;
}

/* The next thing on the tape. TAPE_NOTHING: the end, or a pipe has nothing now. */
static enum tape_result read_next(struct replay_tape *tape, struct record *record,
				  struct tape_tick *tick)
{
	enum tape_result result = TAPE_NOTHING;
	struct perfdata_record raw;

	tape->is_waiting = false;
	while (result == TAPE_NOTHING && !tape->is_ended) {
		const struct perfdata_event *events;
		size_t count;

		switch (replay_input_next(tape->input, &raw)) {
		case PERFDATA_RECORD:
			break;
		case PERFDATA_ROUND:
			continue;
		case PERFDATA_WAIT:
			tape->is_waiting = true;
			return TAPE_NOTHING;
		case PERFDATA_END:
			tape->is_ended = true;
			continue;
		}
		events = perfdata_events(tape->input->file, &count);
		result = tape_read(tape->reader, raw.decoded, has_notes(&events[raw.event]), record,
				   tick);
	}
	return result;
}

static void take_layout(struct replay_tape *tape)
{
	layout_fini(&tape->source->layout);
	layout_copy(&tape->source->layout, tape_reader_layout(tape->reader));
	tape->source->layout_changes++;
}

static void take_session(struct replay_tape *tape)
{
	struct session *session = &tape->source->session;
	const int64_t wall_offset_ns = session->wall_offset_ns;
	char words[SESSION_TEXT_MAX];

	*session = *tape_reader_session(tape->reader);
	topology_copy(&tape->source->topology, session->topology);
	session->topology = &tape->source->topology;
	session->is_live = false;
	if (tape->is_started)
		session->wall_offset_ns = wall_offset_ns;
	snprintf(words, sizeof(words), "%s", session->scope_words);
	snprintf(session->scope_words, sizeof(session->scope_words), "replay of %.200s: %.290s",
		 replay_words_name(tape->path), words);
}

static void take_targets(struct replay_tape *tape)
{
	target_pids_copy(&tape->targets, tape_reader_targets(tape->reader));
	tape->target_pids_changes++;
	tape->has_wanted = false;
}

static void wait_for_input(const struct replay_tape *tape)
{
	struct pollfd waiting = {.fd = perfdata_fd(tape->input->file), .events = POLLIN};

	poll(&waiting, 1, -1);
}

/* A thing of the tape that is no record of the model's. False: it was one, and is held. */
static bool take(struct replay_tape *tape, enum tape_result result)
{
	switch (result) {
	case TAPE_RECORD:
		tape->has_held = true;
		return false;
	case TAPE_LAYOUT:
		tape->has_layout = true;
		break;
	case TAPE_SESSION:
		tape->has_session = true;
		break;
	case TAPE_WANTED:
		tape->has_wanted = true;
		break;
	case TAPE_TICK:
	case TAPE_NOTHING:
		break;
	}
	return true;
}

/* What is before the first record: layout, session and scope. */
static void find_beginning(struct replay_tape *tape)
{
	struct tape_tick tick;
	enum tape_result result;

	do {
		result = read_next(tape, &tape->held, &tick);
		if (tape->is_waiting)
			wait_for_input(tape);
	} while ((result == TAPE_NOTHING && !tape->is_ended) ||
		 (result != TAPE_NOTHING && result != TAPE_TICK && take(tape, result)));
	if (tape->has_layout)
		take_layout(tape);
	if (tape->has_session)
		take_session(tape);
	if (tape->has_wanted)
		take_targets(tape);
	tape->has_layout = tape->has_session = false;
}

struct replay_tape *replay_tape_create(struct replay_input *input, struct source *source,
				       const char *path, uint64_t interval_ns)
{
	struct replay_tape *tape = xcalloc(1, sizeof(*tape));

	tape->input = input;
	tape->source = source;
	tape->path = path;
	tape->interval_ns = interval_ns;
	tape->reader = tape_reader_create();
	find_beginning(tape);
	return tape;
}

void replay_tape_destroy(struct replay_tape *tape)
{
	if (!tape)
		return;
	tape_reader_destroy(tape->reader);
	target_pids_fini(&tape->targets);
	free(tape);
}

void replay_tape_close(struct replay_tape *tape)
{
	tape->is_closing = true;
}

/* An interval of the recording ends here; of the replay's, when it is as long as was asked for. */
static bool is_long_enough(const struct replay_tape *tape, const struct tape_tick *tick)
{
	const bool is_last = tape->is_ended && !tape->has_held && !tape->has_held_tick;

	return !tape->is_started || tape->has_layout || tape->has_session || is_last ||
	       tick->time_ns - tape->begun_ns >= tape->interval_ns;
}

/* Behind a tick: what holds from there on. The first record is held. */
static void look_ahead(struct replay_tape *tape)
{
	while (!tape->has_held && !tape->has_held_tick) {
		const enum tape_result result = read_next(tape, &tape->held, &tape->held_tick);

		if (result == TAPE_NOTHING)
			return;
		tape->has_held_tick = result == TAPE_TICK;
		take(tape, result);
	}
}

/* The interval may be over. */
static void take_tick(struct replay_tape *tape, const struct tape_tick *tick)
{
	tape->tick = *tick;
	tape->has_tick = true;
	look_ahead(tape);
	tape->is_due = is_long_enough(tape, &tape->tick);
}

static void begin_next(struct replay_tape *tape)
{
	struct source *source = tape->source;

	source->tick_ns = tape->tick.time_ns;
	if (!tape->tells_settled)
		source->settled_ns = source->tick_ns;
	source->session.wall_offset_ns = tape->tick.wall_offset_ns;
	source->session.is_partial = tape->tick.is_partial;
	tape->begun_ns = tape->tick.time_ns;
	if (!tape->is_started)
		tape->first_ns = tape->begun_ns;
	tape->is_started = true;
	tape->is_due = tape->is_closing = tape->has_tick = false;
	tape->interval_count++;
	tape->is_over = tape->is_ended && !tape->has_held && !tape->has_held_tick;
	if (tape->has_layout)
		take_layout(tape);
	if (tape->has_session)
		take_session(tape);
	tape->has_layout = tape->has_session = false;
}

static void end_here(struct replay_tape *tape)
{
	if (tape->now_ns > tape->tick.time_ns)
		tape->tick.time_ns = tape->now_ns;
	tape->is_due = true;
}

/*
 * There is nothing now. What was delivered after the last tick is of an interval that was never
 * shown, and that lacks the readings which end one; it is shown only when it is all there is.
 */
static enum replay_step pause(struct replay_tape *tape)
{
	if (tape->is_ended && tape->interval_count > 1 && !tape->has_tick) {
		tape->is_over = true;
		return REPLAY_DUE;
	}
	if (tape->is_ended || (tape->is_closing && tape->is_started)) {
		end_here(tape);
		return REPLAY_DUE;
	}
	tape->is_closing = false;
	return REPLAY_WAITS;
}

/*
 * Records are in the order of delivery: what is known of a task is delivered with the time it was
 * read, and earlier switches may follow. So where a recording does not say what was settled when,
 * nothing is before a tick.
 */
static enum replay_step tell(struct replay_tape *tape, const struct record *record)
{
	tape->now_ns = record->time_ns > tape->now_ns ? record->time_ns : tape->now_ns;
	tape->tells_settled = tape->tells_settled || record->kind == RECORD_SETTLED;
	if (tape->has_wanted)
		take_targets(tape);
	return REPLAY_TOLD;
}

enum replay_step replay_tape_next(struct replay_tape *tape, struct record *record)
{
	struct tape_tick tick;

	for (;;) {
		enum tape_result result;

		if (tape->is_over || (tape->is_due && !tape->is_closing))
			return REPLAY_DUE;
		if (tape->is_due) {
			begin_next(tape);
			return REPLAY_CLOSED;
		}
		if (tape->has_held) {
			*record = tape->held;
			tape->has_held = false;
			return tell(tape, record);
		}
		tick = tape->held_tick;
		result = tape->has_held_tick ? TAPE_TICK : read_next(tape, record, &tick);
		tape->has_held_tick = false;
		if (result == TAPE_RECORD)
			return tell(tape, record);
		if (result == TAPE_TICK)
			take_tick(tape, &tick);
		else if (result == TAPE_NOTHING && pause(tape) == REPLAY_WAITS)
			return REPLAY_WAITS;
		else if (result == TAPE_WANTED)
			take(tape, result);
		else if (result == TAPE_LAYOUT || result == TAPE_SESSION) {
			/* not behind a tick: the interval ends here */
			take(tape, result);
			end_here(tape);
		}
	}
}
