/*
 * Everything goes through the recording's writer into the file's writer, record by record. Once
 * writing has failed nothing is done any more, and callers get the reason.
 *
 * What runs already is introduced to perf when facts of it are reported: its birth and its
 * mappings, a few processes with each round, since there may be thousands. Those born since have
 * their own records. What mappings a process has is reported by the kernel only while tasks are
 * sampled: of one that is met in a sample they are read first.
 */
#include "perfdata/recorder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/memory.h"
#include "kernel/host.h"
#include "kernel/maps.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/source.h"
#include "source/target_pids.h"

enum {
	INTRODUCED_PER_ROUND = 16, /* processes; each costs some 100 us */
	INTRODUCED_AT_END = 256
};

struct recorder {
	struct writer *writer;
	struct recording_writer *recording;
	char *path;
	struct layout layout; /* as delivered last */
	struct session session;
	struct map known;     /* processes that were introduced, or will be, or were born since */
	struct map mapped;    /* processes with all their mappings written, and changes of them */
	struct map with_data; /* with the mappings of data that they had then */
	struct map users;     /* with names that were written */
	const char *(*user_name)(void *context, int64_t uid);
	void *user_context;
	int32_t *queue; /* owned; processes to be introduced */
	size_t queue_count, queue_capacity, queue_next;
	bool has_interval;  /* its end was written */
	bool is_at_the_end; /* of one: a change of the layout would come next (recording.h) */
};

static void *record_room(void *recorder)
{
	return writer_room(((struct recorder *)recorder)->writer);
}

static void commit_record(void *recorder, size_t size, uint64_t time_ns)
{
	writer_commit(((struct recorder *)recorder)->writer, size, time_ns);
}

/* Of tasks the counters have no CPU; of the machine there may be more CPUs later. */
static int cpu_count_of(const struct recorder_request *request)
{
	const struct number_list *online = &request->host->online;
	const long possible = sysconf(_SC_NPROCESSORS_CONF);
	int count = request->source->session.cpu_count;

	if (count == 0)
		return 0;
	if (online->count > 0 && online->numbers[online->count - 1] >= count)
		count = online->numbers[online->count - 1] + 1;
	return possible > count ? (int)possible : count;
}

static const struct event_spec *find_spec(const void *source, size_t group, size_t member)
{
	return source_spec(source, group, member);
}

/* What is in front only says what runs. The time of another machine is not ours. */
static uint64_t begin_of_recording(const struct recorder_request *request)
{
	if (request->since_ns > 0 || !request->source->session.is_live)
		return request->since_ns;
	return sys_now_ns();
}

static bool open_writer(struct recorder *recorder, const struct recorder_request *request,
			uint64_t begin_ns, struct error *error)
{
	const struct source *source = request->source;
	struct writer_request file = {
		.path = request->path,
		.compression = request->compression,
		.is_internal = request->is_internal,
		.version = request->version,
		.arguments = request->arguments,
		.host = request->host,
		.clock = CLOCK_MONOTONIC,
		.wall_offset_ns = source->session.wall_offset_ns,
		.begin_ns = begin_ns,
		.cpu_count = cpu_count_of(request),
	};

	file.events = recording_writer_events(recorder->recording, &source->layout, find_spec,
					      source, &file.event_count);
	recorder->writer = writer_create(&file, error);
	return recorder->writer;
}

static void add_sampler(struct recorder *recorder, enum writer_event_kind kind, const char *name)
{
	const struct writer_event *event =
		recording_writer_sampler(recorder->recording, kind, name);

	if (event)
		writer_change_events(recorder->writer, event, 1);
}

static void change_samplers(struct recorder *recorder, const struct session *session)
{
	static const enum writer_event_kind kinds[] = {
		[SAMPLING_CLOCK] = WRITER_CLOCK_SAMPLES,
		[SAMPLING_CYCLES] = WRITER_CYCLES_SAMPLES,
		[SAMPLING_EVENTS] = WRITER_EVENT_SAMPLES,
	};

	if (session->samples_are_accesses)
		add_sampler(recorder, WRITER_ACCESS_SAMPLES, session->sampling_event);
	else if (session->sampling != SAMPLING_OFF)
		add_sampler(recorder, kinds[session->sampling], session->sampling_event);
	if (session->off_cpu.are_taken)
		add_sampler(recorder, WRITER_OFF_CPU_SAMPLES, NULL);
	if (session->wakers.are_taken)
		add_sampler(recorder, WRITER_WAKER_SAMPLES, NULL);
	if (session->has_branches)
		add_sampler(recorder, WRITER_BRANCH_SAMPLES, NULL);
}

struct recorder *recorder_create(const struct recorder_request *request, struct error *error)
{
	struct recorder *recorder = xcalloc(1, sizeof(*recorder));
	const struct source *source = request->source;
	const uint64_t begin_ns = begin_of_recording(request);

	recorder->recording = recording_writer_create(
		cpu_count_of(request),
		(struct recording_sink){record_room, commit_record, recorder});
	if (!open_writer(recorder, request, begin_ns, error)) {
		recording_writer_destroy(recorder->recording);
		free(recorder);
		return NULL;
	}
	recorder->path = xstrdup(request->path);
	recorder->user_name = request->user_name;
	recorder->user_context = request->user_context;
	layout_copy(&recorder->layout, &source->layout);
	recorder->session = source->session;
	recording_write_from(recorder->recording, begin_ns);
	recording_write_layout(recorder->recording, &recorder->layout);
	recording_write_session(recorder->recording, &recorder->session);
	change_samplers(recorder, &recorder->session);
	if (request->targets->kind != TARGET_PIDS_ALL)
		recorder_set_targets(recorder, request->targets);
	return recorder;
}

static void note_known(struct recorder *recorder, int32_t pid)
{
	map_put(&recorder->known, (uint64_t)pid, recorder);
}

/* It will be introduced. */
static bool is_queued(const struct recorder *recorder, int32_t pid)
{
	return map_get(&recorder->known, (uint64_t)pid) == &recorder->queue;
}

/* To be introduced with one of the next rounds, once. */
static void queue_process(struct recorder *recorder, int32_t pid)
{
	if (map_get(&recorder->known, (uint64_t)pid))
		return;
	map_put(&recorder->known, (uint64_t)pid, &recorder->queue);
	array_reserve(&recorder->queue, &recorder->queue_capacity, recorder->queue_count + 1,
		      sizeof(*recorder->queue));
	recorder->queue[recorder->queue_count++] = pid;
}

/* A process with facts reported runs already, unless its birth was reported. */
static void note_process(struct recorder *recorder, const struct record *record)
{
	const bool is_process = record->pid == record->tid && record->pid > 0;

	if (!is_process)
		return;
	if (record->kind == RECORD_FORK || record->kind == RECORD_EXIT ||
	    (record->kind == RECORD_COMM && record->comm.exec))
		map_remove(&recorder->with_data, (uint64_t)record->pid);
	if (record->kind == RECORD_FORK)
		note_known(recorder, record->pid);
	else if (record->kind == RECORD_EXIT)
		map_remove(&recorder->known, (uint64_t)record->pid);
	else if (record->kind == RECORD_PROCINFO && record->procinfo.name &&
		 !record->procinfo.is_kernel_thread)
		queue_process(recorder, record->pid);
}

/* Users are those of this machine, wherever it will be looked at. */
static void write_user_name(struct recorder *recorder, int64_t uid)
{
	const char *name;

	if (!recorder->user_name || uid < 0 || map_put(&recorder->users, (uint64_t)uid, recorder))
		return;
	name = recorder->user_name(recorder->user_context, uid);
	recording_write_user(recorder->recording, uid, name);
}

struct introduction {
	struct recorder *recorder;
	int32_t pid;
};

static void show_mapping(const struct decoded_mmap *mapping, void *context)
{
	const struct introduction *introduction = context;
	struct recorder *recorder = introduction->recorder;

	if (mapping->is_data && !recorder->session.has_addresses)
		return;
	recording_show_mapping(recorder->recording, introduction->pid, mapping);
	if (!mapping->is_data)
		writer_note_file(recorder->writer, mapping->file, mapping->inode);
}

static void show_mappings(struct recorder *recorder, int32_t pid)
{
	struct introduction introduction = {.recorder = recorder, .pid = pid};

	maps_walk(pid, show_mapping, &introduction);
	map_put(&recorder->mapped, (uint64_t)pid, recorder);
}

/* A birth lets perf forget the name and the mappings, so these come behind it. */
static void introduce(struct recorder *recorder, int32_t pid)
{
	struct proc_task task;

	note_known(recorder, pid);
	if (!proc_read_task(pid, &task))
		return;
	recording_show_process(recorder->recording, pid, pid, task.parent_pid);
	recording_show_comm(recorder->recording, pid, pid, task.name);
	show_mappings(recorder, pid);
}

static void see_to_mappings(struct recorder *recorder, const struct record *sample)
{
	if (sample->pid <= 0 || map_get(&recorder->mapped, (uint64_t)sample->pid))
		return;
	if (is_queued(recorder, sample->pid))
		introduce(recorder, sample->pid);
	else
		show_mappings(recorder, sample->pid);
}

static void show_data(const struct decoded_mmap *mapping, void *context)
{
	const struct introduction *introduction = context;

	if (mapping->is_data)
		recording_show_mapping(introduction->recorder->recording, introduction->pid,
				       mapping);
}

/* Of a process that waits for locks it is named what is mapped at them. */
static void see_to_data(struct recorder *recorder, const struct record *sleep)
{
	struct introduction introduction = {.recorder = recorder, .pid = sleep->pid};

	if (sleep->pid <= 0 || sleep->sleep.lock == 0 || recorder->session.has_addresses ||
	    map_put(&recorder->with_data, (uint64_t)sleep->pid, recorder))
		return;
	if (is_queued(recorder, sleep->pid))
		introduce(recorder, sleep->pid);
	maps_walk(sleep->pid, show_data, &introduction);
}

/* Of a program that was started since. */
static void note_file(struct recorder *recorder, const struct decoded_mmap *mapping)
{
	char path[PATH_MAX];

	if (!mapping || mapping->is_data || mapping->file_length >= sizeof(path))
		return;
	snprintf(path, sizeof(path), "%.*s", (int)mapping->file_length, mapping->file);
	writer_note_file(recorder->writer, path, mapping->inode);
}

/* A child begins with those of its parent, another program with none. */
static void follow_mappings(struct recorder *recorder, const struct record *record)
{
	const struct record_mapping *mapping = &record->mapping;
	struct map *mapped = &recorder->mapped;

	if (record->pid <= 0)
		return;
	switch (mapping->change) {
	case MAPPING_FORKED:
		if (map_get(mapped, (uint64_t)mapping->parent_pid))
			map_put(mapped, (uint64_t)record->pid, recorder);
		break;
	case MAPPING_EXEC:
		map_put(mapped, (uint64_t)record->pid, recorder);
		break;
	case MAPPING_EXITED:
		map_remove(mapped, (uint64_t)record->pid);
		break;
	case MAPPING_ADDED:
		note_file(recorder, mapping->added);
		break;
	}
}

void recorder_take(struct recorder *recorder, const struct record *record)
{
	if (recorder_failure(recorder))
		return;
	recorder->is_at_the_end = false;
	if (record->kind == RECORD_PROCINFO)
		write_user_name(recorder, record->procinfo.uid);
	if (record->kind == RECORD_SAMPLE)
		see_to_mappings(recorder, record);
	else if (record->kind == RECORD_SLEEP)
		see_to_data(recorder, record);
	recording_write(recorder->recording, record);
	if (record->kind == RECORD_MAPPING)
		follow_mappings(recorder, record);
	note_process(recorder, record);
}

static void introduce_some(struct recorder *recorder, size_t most)
{
	for (size_t i = 0; i < most && recorder->queue_next < recorder->queue_count; i++)
		if (is_queued(recorder, recorder->queue[recorder->queue_next++]))
			introduce(recorder, recorder->queue[recorder->queue_next - 1]);
	if (recorder->queue_next == recorder->queue_count)
		recorder->queue_next = recorder->queue_count = 0;
}

void recorder_round(struct recorder *recorder)
{
	if (recorder_failure(recorder))
		return;
	if (!recorder->is_at_the_end)
		introduce_some(recorder, INTRODUCED_PER_ROUND);
	if (writer_flush(recorder->writer) && recorder->has_interval)
		writer_note_interval(recorder->writer);
}

void recorder_tick(struct recorder *recorder, const struct recording_interval *tick)
{
	if (recorder_failure(recorder))
		return;
	introduce_some(recorder, INTRODUCED_PER_ROUND);
	recording_write_interval(recorder->recording, tick);
	recorder->is_at_the_end = true;
	recorder->has_interval = recorder->has_interval || !tick->is_start;
}

void recorder_set_targets(struct recorder *recorder, const struct target_pids *targets)
{
	if (!recorder_failure(recorder))
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
	writer_change_events(recorder->writer, events, count);
	recording_write_layout(recorder->recording, &recorder->layout);
}

void recorder_change(struct recorder *recorder, const struct source *source)
{
	struct session session = source->session;

	if (recorder_failure(recorder))
		return;
	if (!same_layout(&recorder->layout, &source->layout))
		change_layout(recorder, source);
	change_samplers(recorder, &source->session);
	/* changes meanwhile are not known */
	if (source->session.sampling == SAMPLING_OFF || recorder->session.sampling == SAMPLING_OFF)
		map_fini(&recorder->mapped);
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
	return writer_failure(recorder->writer);
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
	if (!recorder_failure(recorder))
		introduce_some(recorder, INTRODUCED_AT_END);
	is_whole = writer_finish(recorder->writer, error);
	recording_writer_destroy(recorder->recording);
	layout_fini(&recorder->layout);
	map_fini(&recorder->known);
	map_fini(&recorder->mapped);
	map_fini(&recorder->with_data);
	map_fini(&recorder->users);
	free(recorder->queue);
	free(recorder->path);
	free(recorder);
	return is_whole;
}
