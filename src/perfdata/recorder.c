/*
 * Everything goes through the recording's writer into the file's writer, record by record. Once
 * writing has failed nothing is done any more, and callers get the reason.
 */
#include "perfdata/recorder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "base/memory.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/source.h"
#include "source/target_pids.h"

struct recorder {
	struct writer *writer;
	struct recording_writer *recording;
	char *path;
	struct layout layout; /* as delivered last */
	struct session session;
	struct map users; /* with names that were written */
	const char *(*user_name)(void *context, int64_t uid);
	void *user_context;
	bool has_interval; /* its end was written */
	bool has_failed;
};

static void take_bytes(void *context, const void *bytes, size_t size, uint64_t time_ns)
{
	struct recorder *recorder = context;

	if (!recorder->has_failed && !writer_put(recorder->writer, bytes, size, time_ns))
		recorder->has_failed = true;
}

/* Of tasks the counters have no CPU. */
static int cpu_count_of(const struct recorder_request *request)
{
	const struct number_list *online = &request->host->online;
	const int watched = request->source->session.cpu_count;
	const int present = online->count > 0 ? online->numbers[online->count - 1] + 1 : 0;

	if (watched == 0)
		return 0;
	return present > watched ? present : watched;
}

static const struct event_spec *find_spec(const void *source, size_t group, size_t member)
{
	return source_spec(source, group, member);
}

static bool open_writer(struct recorder *recorder, const struct recorder_request *request,
			struct error *error)
{
	const struct source *source = request->source;
	struct writer_request file = {
		.path = request->path,
		.compression = request->compression,
		.version = request->version,
		.arguments = request->arguments,
		.host = request->host,
		.clock = CLOCK_MONOTONIC,
		.wall_offset_ns = source->session.wall_offset_ns,
		.cpu_count = cpu_count_of(request),
	};

	file.events = recording_writer_events(recorder->recording, &source->layout, find_spec,
					      source, &file.event_count);
	recorder->writer = writer_create(&file, error);
	return recorder->writer;
}

/* What is in front has a time too, for perf; that of another machine is not ours. */
static uint64_t begin_of(const struct recorder_request *request)
{
	if (request->since_ns > 0 || !request->source->session.is_live)
		return request->since_ns;
	return sys_now_ns();
}

struct recorder *recorder_create(const struct recorder_request *request, struct error *error)
{
	struct recorder *recorder = xcalloc(1, sizeof(*recorder));
	const struct source *source = request->source;

	recorder->recording = recording_writer_create(cpu_count_of(request), take_bytes, recorder);
	if (!open_writer(recorder, request, error)) {
		recording_writer_destroy(recorder->recording);
		free(recorder);
		return NULL;
	}
	recorder->path = xstrdup(request->path);
	recorder->user_name = request->user_name;
	recorder->user_context = request->user_context;
	layout_copy(&recorder->layout, &source->layout);
	recorder->session = source->session;
	recording_write_floor(recorder->recording, begin_of(request));
	recording_write_layout(recorder->recording, &recorder->layout);
	recording_write_session(recorder->recording, &recorder->session);
	if (request->targets->kind != TARGET_PIDS_ALL)
		recorder_set_targets(recorder, request->targets);
	return recorder;
}

/* Users are those of this machine, wherever it will be looked at. */
static void name_user(struct recorder *recorder, int64_t uid)
{
	const char *name;

	if (!recorder->user_name || uid < 0 || map_put(&recorder->users, (uint64_t)uid, recorder))
		return;
	name = recorder->user_name(recorder->user_context, uid);
	recording_write_user(recorder->recording, uid, name);
}

void recorder_take(struct recorder *recorder, const struct record *record)
{
	if (recorder->has_failed)
		return;
	if (record->kind == RECORD_PROCINFO)
		name_user(recorder, record->procinfo.uid);
	recording_write(recorder->recording, record);
}

void recorder_round(struct recorder *recorder)
{
	if (recorder->has_failed)
		return;
	recording_write_round(recorder->recording);
	if (!writer_round(recorder->writer))
		recorder->has_failed = true;
	else if (recorder->has_interval)
		writer_note_interval(recorder->writer);
}

void recorder_tick(struct recorder *recorder, const struct recording_interval *tick)
{
	if (recorder->has_failed)
		return;
	recording_write_interval(recorder->recording, tick);
	recorder->has_interval = recorder->has_interval || !tick->is_start;
}

void recorder_set_targets(struct recorder *recorder, const struct target_pids *targets)
{
	if (!recorder->has_failed)
		recording_write_targets(recorder->recording, targets);
}

static bool same_bytes(const void *a, const void *b, size_t count, size_t size)
{
	return count == 0 || memcmp(a, b, count * size) == 0;
}

/* What differs in bytes that mean nothing is written once more, which does no harm. */
static bool same_layout(const struct layout *a, const struct layout *b)
{
	return a->event_count == b->event_count && a->counter_count == b->counter_count &&
	       a->group_count == b->group_count && a->kind_count == b->kind_count &&
	       a->width == b->width &&
	       same_bytes(a->events, b->events, a->event_count, sizeof(*a->events)) &&
	       same_bytes(a->counters, b->counters, a->counter_count, sizeof(*a->counters)) &&
	       same_bytes(a->groups, b->groups, a->group_count, sizeof(*a->groups)) &&
	       same_bytes(a->kinds, b->kinds, a->kind_count, sizeof(*a->kinds));
}

static void change_layout(struct recorder *recorder, const struct source *source)
{
	const struct writer_event *events;
	size_t count;

	layout_fini(&recorder->layout);
	layout_copy(&recorder->layout, &source->layout);
	events = recording_writer_events(recorder->recording, &recorder->layout, find_spec, source,
					 &count);
	if (!writer_change_events(recorder->writer, events, count))
		recorder->has_failed = true;
	recording_write_layout(recorder->recording, &recorder->layout);
}

void recorder_change(struct recorder *recorder, const struct source *source)
{
	struct session session = source->session;

	if (recorder->has_failed)
		return;
	if (!same_layout(&recorder->layout, &source->layout))
		change_layout(recorder, source);
	/* these two are in every tick */
	session.wall_offset_ns = recorder->session.wall_offset_ns;
	session.is_partial = recorder->session.is_partial;
	if (session_equals(&session, &recorder->session))
		return;
	recorder->session = source->session;
	recording_write_session(recorder->recording, &recorder->session);
}

const struct error *recorder_failure(const struct recorder *recorder)
{
	return recorder->has_failed ? writer_failure(recorder->writer) : NULL;
}

uint64_t recorder_bytes(const struct recorder *recorder)
{
	return writer_bytes(recorder->writer);
}

const char *recorder_path(const struct recorder *recorder)
{
	return recorder->path;
}

bool recorder_finish(struct recorder *recorder, struct error *error)
{
	bool is_whole;

	if (!recorder)
		return true;
	is_whole = writer_finish(recorder->writer, error);
	recording_writer_destroy(recorder->recording);
	layout_fini(&recorder->layout);
	map_fini(&recorder->users);
	free(recorder->path);
	free(recorder);
	return is_whole;
}
