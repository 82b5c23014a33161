/*
 * Recordings that are small and mean harm, on standard output or in FILE:
 *
 * hostile generations COUNT FILE: each task is a child of the one before, and the first is named
 * last
 *
 * hostile attributes COUNT: so many events
 *
 * hostile tracepoints COUNT: so many of one tracepoint, behind the formats of many others
 *
 * hostile wide TASKS FILE: perftop's own, with as many counts as it may have for each of TASKS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "kernel/host.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"

#include "perfdata/recording.h"
#include "perfdata/writer.h"

enum {
	RECORD_ATTR = 64, /* PERF_RECORD_HEADER_ATTR of perf */
	RECORD_TRACING_DATA = 66,
	RECORD_EVENT_UPDATE = 78,
	FORMATS = 60000, /* of tracepoints, */
	FORMAT_BYTES = 800,
	FIRST_TID = 1000,
	GROUPS = 1024, /* as many as a recording of perftop's may have */
	COUNTERS = 4096,
	EVENTS = 1024
};

static void put(const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, stdout);
}

static void put_head(uint32_t type, size_t size)
{
	const struct perf_event_header head = {
		.type = type,
		.size = (uint16_t)(sizeof(head) + size),
	};

	put(&head, sizeof(head));
}

static void begin_pipe(void)
{
	static const uint64_t head[] = {UINT64_C(0x32454c4946524550), 16};

	put(head, sizeof(head));
}

static void put_attribute(uint32_t type, uint64_t config, uint64_t id)
{
	const struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_IDENTIFIER |
			       (type == PERF_TYPE_TRACEPOINT ? PERF_SAMPLE_RAW : 0),
		.sample_id_all = 1,
		.task = 1,
		.comm = 1,
	};

	put_head(RECORD_ATTR, sizeof(attr) + sizeof(id));
	put(&attr, sizeof(attr));
	put(&id, sizeof(id));
}

/* What stands at the end of each record. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, unused;
	uint64_t id;
};

static void put_fork(uint32_t tid, uint32_t parent, uint64_t time_ns)
{
	const struct {
		uint32_t pid, parent_pid, tid, parent_tid;
		uint64_t time_ns;
		struct trailer trailer;
	} body = {tid, parent, tid, parent, time_ns, {tid, tid, time_ns, 0, 0, 1}};

	put_head(PERF_RECORD_FORK, sizeof(body));
	put(&body, sizeof(body));
}

static void make_attributes(uint32_t count)
{
	begin_pipe();
	for (uint32_t i = 1; i <= count; i++) {
		put_attribute(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, i);
		put_fork(FIRST_TID, 1, 1000 + i);
	}
	put_fork(FIRST_TID + 1, 1, UINT64_C(2000000000));
}

/* As trace.dat begins, with one group of formats that are filled with blanks. */
static void put_formats(void)
{
	static const char head[] = "\027\010Dtracing0.6\0\0\010\0\020\0\0"
				   "header_page\0\0\0\0\0\0\0\0\0"
				   "header_event\0\0\0\0\0\0\0\0\0"
				   "\0\0\0\0\001\0\0\0sched";
	const uint32_t formats = FORMATS;
	const uint64_t size = FORMAT_BYTES;
	const uint32_t all =
		sizeof(head) + sizeof(formats) + FORMATS * (sizeof(size) + FORMAT_BYTES);
	char format[FORMAT_BYTES + 1];

	put_head(RECORD_TRACING_DATA, sizeof(all));
	put(&all, sizeof(all));
	put(head, sizeof(head));
	put(&formats, sizeof(formats));
	for (uint32_t i = 1; i <= FORMATS; i++) {
		snprintf(format, sizeof(format), "name: sched_waking%*s\nID: %09u\nformat:\n",
			 FORMAT_BYTES - 41, "", i);
		put(&size, sizeof(size));
		put(format, sizeof(format) - 1);
	}
	put("\0\0\0\0\0\0\0", (8 - all % 8) % 8);
}

static void make_tracepoints(uint32_t count)
{
	struct {
		uint64_t what, id;
		char name[24];
	} update = {2 /* the name */, 0, "sched:sched_waking"};

	begin_pipe();
	put_formats();
	for (uint32_t i = 1; i <= count; i++) {
		put_attribute(PERF_TYPE_TRACEPOINT, FORMATS, i);
		update.id = i;
		put_head(RECORD_EVENT_UPDATE, sizeof(update));
		put(&update, sizeof(update));
	}
	put_fork(FIRST_TID + 1, 1, UINT64_C(2000000000));
}

static struct layout make_layout(void)
{
	struct layout layout;

	layout_init(&layout);
	for (size_t i = 0; i < EVENTS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "e%zu", i);
		layout_add_event(&layout, name);
		layout.events[i].state = EVENT_COUNTING;
	}
	for (size_t i = 0; i < GROUPS - 1; i++)
		layout_add_group(&layout, 0, i + 1);
	for (size_t i = 0; i < COUNTERS; i++)
		layout_add_counter(&layout, 1 + i % (GROUPS - 1), i % EVENTS);
	return layout;
}

static void *record_room(void *writer)
{
	return writer_room(writer);
}

static void commit_record(void *writer, size_t size, uint64_t time_ns)
{
	writer_commit(writer, size, time_ns);
}

static const struct event_spec *find_spec(const void *source, size_t group, size_t member)
{
	return NULL;
}

static void put_reading(struct recording_writer *recording, int32_t tid, uint64_t number)
{
	const uint64_t nothing[1] = {0};

	const struct record_reading reading = {
		.sequence = number,
		.enabled_ns = 1000 * number,
		.running_ns = 1000 * number,
		.values = nothing,
	};

	recording_write(recording, &(const struct record){
					   .kind = RECORD_SWITCH,
					   .cpu = 0,
					   .pid = tid,
					   .tid = tid,
					   .time_ns = 1000 * (number + 1),
					   .ctx_switch = {.next_pid = RECORD_TASK_UNKNOWN,
							  .next_tid = RECORD_TASK_UNKNOWN,
							  .knows_how = true,
							  .readings = &reading,
							  .reading_count = 1},
				   });
}

static void put_readings(struct recording_writer *recording, uint32_t count)
{
	for (uint32_t i = 1; i <= count; i++)
		put_reading(recording, (int32_t)(FIRST_TID + i), i);
}

static void put_generations(struct recording_writer *recording, uint32_t count)
{
	struct record record = {.cpu = RECORD_CPU_NONE};

	for (uint32_t i = 1; i <= count; i++) {
		const int32_t parent = (int32_t)(FIRST_TID + i - 1);

		record.kind = RECORD_FORK;
		record.pid = record.tid = parent + 1;
		record.time_ns = 2000 + i;
		record.fork = (struct record_fork){parent, parent};
		recording_write(recording, &record);
	}
	record.kind = RECORD_PROCINFO;
	record.pid = record.tid = FIRST_TID;
	record.procinfo = (struct record_procinfo){.name = "first", .parent_pid = -1, .uid = 0};
	recording_write(recording, &record);
}

/* Where there is a writer its file has what is written. */
static struct recording_writer *make_recording(struct writer *writer, const struct layout *layout,
					       struct writer_request *request)
{
	struct recording_writer *recording = recording_writer_create(
		1, (struct recording_sink){record_room, commit_record, writer});

	request->events =
		recording_writer_events(recording, layout, find_spec, NULL, &request->event_count);
	return recording;
}

static void fill(struct recording_writer *recording, const struct layout *layout,
		 void (*put_tasks)(struct recording_writer *recording, uint32_t count),
		 uint32_t count)
{
	const struct session session = {.scope = SCOPE_SYSTEM, .cpu_count = 1};
	struct recording_interval tick = {.time_ns = 1000, .is_start = true};

	recording_write_layout(recording, layout);
	recording_write_session(recording, &session);
	put_reading(recording, FIRST_TID, 0);
	recording_write_interval(recording, &tick);
	put_tasks(recording, count);
	tick = (struct recording_interval){.time_ns = UINT64_C(1000000000)};
	recording_write_interval(recording, &tick);
}

static bool make_own(const char *path, const struct layout *layout,
		     void (*put_tasks)(struct recording_writer *recording, uint32_t count),
		     uint32_t count)
{
	struct host host = {0};
	struct error error = {0};
	struct writer_request request = {
		.path = path,
		.version = "0",
		.host = &host,
		.clock = CLOCK_MONOTONIC,
		.cpu_count = 1,
	};
	struct writer *writer;
	struct recording_writer *recording;

	host_read(&host, "");
	recording = make_recording(NULL, layout, &request);
	writer = writer_create(&request, &error);
	recording_writer_destroy(recording);
	if (writer) {
		recording = make_recording(writer, layout, &request);
		fill(recording, layout, put_tasks, count);
		recording_writer_destroy(recording);
		writer_finish(writer, &error);
	}
	host_fini(&host);
	if (error.code != ERROR_NONE)
		fprintf(stderr, "%s\n", error.text);
	return error.code == ERROR_NONE;
}

static bool make_generations(const char *path, uint32_t count)
{
	struct layout layout;
	bool good;

	layout_init(&layout);
	good = make_own(path, &layout, put_generations, count);
	layout_fini(&layout);
	return good;
}

static bool make_wide(const char *path, uint32_t count)
{
	struct layout layout = make_layout();
	const bool good = make_own(path, &layout, put_readings, count);

	layout_fini(&layout);
	return good;
}

int main(int argc, char **argv)
{
	const uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;

	if (argc == 3 && strcmp(argv[1], "attributes") == 0) {
		make_attributes(count);
		return fflush(stdout) != 0;
	}
	if (argc == 3 && strcmp(argv[1], "tracepoints") == 0) {
		make_tracepoints(count);
		return fflush(stdout) != 0;
	}
	if (argc == 4 && strcmp(argv[1], "generations") == 0)
		return !make_generations(argv[3], count);
	if (argc == 4 && strcmp(argv[1], "wide") == 0)
		return !make_wide(argv[3], count);
	fprintf(stderr, "usage: hostile attributes|tracepoints|generations|wide COUNT [FILE]\n");
	return 2;
}
