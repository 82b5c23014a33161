/*
 * writes FILE [LEVEL [ROUNDS [end|die|grow]]]: writes a recording with known records, for perf to
 * read. What is in it is told on standard error, a line for each type of record, event and task.
 *
 *	end    completes it
 *	die    is killed between two rounds
 *	grow   has more events from the middle on
 */

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/stat.h>

#include "base/error.h"
#include "kernel/file.h"
#include "kernel/host.h"

#include "../unit/encode_kit.h"
#include "perfdata/writer.h"

enum {
	CPUS = 2,
	EVENTS_MAX = 16,
	MEMBERS = 5,
	FIRST_EVENTS = 8,
	TASKS = 7,
	FIRST_TASK = 5000,
	SWITCHES = 40, /* on each CPU in a round */
	TYPES = 32
};

struct made {
	struct writer_event events[EVENTS_MAX];
	struct event_spec specs[EVENTS_MAX];
	size_t count;
};

struct tally {
	uint64_t types[TYPES]; /* records */
	uint64_t tasks[TASKS]; /* samples of the leader */
	uint64_t notes;
};

static struct event_spec *add(struct made *made, enum writer_event_kind kind, const char *name)
{
	size_t at = made->count++;
	struct event_spec *spec = &made->specs[at];

	snprintf(spec->name, sizeof(spec->name), "%s", name);
	spec->scale = 1;
	made->events[at] = (struct writer_event){
		.kind = kind,
		.name = spec->name,
		.spec = kind == WRITER_MEMBER ? spec : NULL,
	};
	return spec;
}

static void add_software(struct made *made, const char *name, uint64_t config)
{
	struct event_spec *spec = add(made, WRITER_MEMBER, name);

	spec->type = PERF_TYPE_SOFTWARE;
	spec->config = config;
}

static void add_tracepoint(struct made *made, const struct host *host)
{
	struct event_spec *spec = add(made, WRITER_MEMBER, "sched:sched_wakeup");
	char path[512], text[32];

	snprintf(path, sizeof(path), "%s/events/sched/sched_wakeup/id", host->tracefs);
	spec->type = PERF_TYPE_TRACEPOINT;
	spec->config = file_read(path, text, sizeof(text)) > 0 ? strtoull(text, NULL, 10) : 1;
}

static void make_events(struct made *made, const struct host *host)
{
	add(made, WRITER_NOTES, "perftop");
	add(made, WRITER_TIMELINE, "timeline");
	add(made, WRITER_LEADER, "context-switches");
	add_software(made, "page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	add(made, WRITER_MEMBER, "cycles:u")->exclude_kernel = true;
	add(made, WRITER_MEMBER, "energy, \"all\"")->scale = 0.25;
	strcpy(made->specs[made->count - 1].unit, "Joules");
	strcpy(add(made, WRITER_MEMBER, "uprobe:/bin/true:main")->target, "/bin/true");
	add_tracepoint(made, host);
}

/* A group of tasks. */
static void make_more(struct made *made)
{
	add(made, WRITER_HOLDER, "holder");
	add_software(made, "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	add_software(made, "task-clock", PERF_COUNT_SW_TASK_CLOCK);
}

static void put(struct writer *writer, struct tally *tally, const struct made *made, size_t event,
		struct decoded *record)
{
	struct decode_format format = writer_format(made->events[event].kind);

	record->id.id =
		writer_id((uint32_t)event, record->id.cpu < CPUS ? (int32_t)record->id.cpu : -1);
	tally->types[record->type]++;
	writer_commit(writer, encode_record(writer_room(writer), record, &format),
		      record->id.time_ns);
}

static struct decoded at(uint32_t type, uint32_t cpu, size_t task, uint64_t time_ns)
{
	return (struct decoded){
		.type = type,
		.id = {.pid = (int32_t)(FIRST_TASK + task),
		       .tid = (int32_t)(FIRST_TASK + task),
		       .time_ns = time_ns,
		       .cpu = cpu},
	};
}

static void read_group(struct decoded_read *read, const struct made *made, size_t leader,
		       size_t size, uint32_t cpu, uint64_t number)
{
	read->count = size;
	read->enabled_ns = number * 1000;
	read->running_ns = number * 1000;
	for (size_t i = 0; i < size; i++) {
		read->ids[i] = writer_id((uint32_t)(leader + i), cpu < CPUS ? (int32_t)cpu : -1);
		read->values[i] = i == 0 ? number : number * (i + 1) * 1000;
	}
}

static void put_switch(struct writer *writer, struct tally *tally, const struct made *made,
		       uint32_t cpu, uint64_t number, uint64_t time_ns)
{
	size_t task = number % TASKS, next = (number + 1) % TASKS;
	struct decoded record = at(PERF_RECORD_SAMPLE, cpu, task, time_ns);

	read_group(&record.sample.read, made, 2, 1 + MEMBERS, cpu, number);
	put(writer, tally, made, 2, &record);
	tally->tasks[task]++;
	record = at(PERF_RECORD_SWITCH_CPU_WIDE, cpu, task, time_ns + 1);
	record.ctx_switch = (struct decoded_switch){
		.out = true,
		.preempted = number % 3 == 0,
		.other_pid = (int32_t)(FIRST_TASK + next),
		.other_tid = (int32_t)(FIRST_TASK + next),
	};
	put(writer, tally, made, 1, &record);
	record = at(PERF_RECORD_SWITCH_CPU_WIDE, cpu, next, time_ns + 2);
	record.ctx_switch = (struct decoded_switch){
		.other_pid = (int32_t)(FIRST_TASK + task),
		.other_tid = (int32_t)(FIRST_TASK + task),
	};
	put(writer, tally, made, 1, &record);
}

static void put_note(struct writer *writer, struct tally *tally, const struct made *made,
		     uint64_t time_ns)
{
	static const char text[] = "a note that only perftop reads";
	struct decoded record = at(PERF_RECORD_SAMPLE, 0, 0, time_ns);

	record.sample.raw = (struct decoded_bytes){text, sizeof(text)};
	put(writer, tally, made, 0, &record);
	tally->notes++;
}

static void introduce(struct writer *writer, struct tally *tally, const struct made *made,
		      uint64_t time_ns)
{
	for (size_t i = 0; i < TASKS; i++) {
		struct decoded record = at(PERF_RECORD_FORK, 0, i, time_ns);
		char name[16];

		record.fork = (struct decoded_fork){
			.pid = record.id.pid,
			.tid = record.id.tid,
			.parent_pid = 1,
			.parent_tid = 1,
			.time_ns = time_ns,
		};
		put(writer, tally, made, 1, &record);
		record = at(PERF_RECORD_COMM, 0, i, time_ns);
		snprintf(name, sizeof(name), "task %zu", i);
		record.comm = (struct decoded_comm){
			.pid = record.id.pid,
			.tid = record.id.tid,
			.name = name,
			.name_length = strlen(name),
		};
		put(writer, tally, made, 1, &record);
		record = at(PERF_RECORD_MMAP2, 0, i, time_ns);
		record.mmap = (struct decoded_mmap){
			.pid = record.id.pid,
			.tid = record.id.tid,
			.address = 0x400000,
			.length = 0x10000,
			.protection = 5,
			.flags = 2,
			.file = "/bin/true",
			.file_length = strlen("/bin/true"),
		};
		put(writer, tally, made, 1, &record);
	}
	struct stat status = {0};

	stat("/bin/true", &status);
	writer_note_file(writer, "/bin/true", status.st_ino);
	writer_note_file(writer, "/bin/true", status.st_ino);
	writer_note_file(writer, "[vdso]", 0);
	writer_note_file(writer, "/nowhere", 1);
}

/* What is not a switch: a reading between two, and what went wrong. */
static void put_rest(struct writer *writer, struct tally *tally, const struct made *made,
		     uint64_t number, uint64_t time_ns)
{
	struct decoded record = at(PERF_RECORD_READ, 0, 0, time_ns);

	record.counts.pid = record.id.pid;
	record.counts.tid = record.id.tid;
	read_group(&record.counts.read, made, 2, 1 + MEMBERS, 0, number);
	put(writer, tally, made, 2, &record);
	record = at(PERF_RECORD_THROTTLE, 0, 0, time_ns);
	record.throttle = (struct decoded_throttle){time_ns, writer_id(2, 0), writer_id(2, 0)};
	put(writer, tally, made, 2, &record);
	record = at(PERF_RECORD_UNTHROTTLE, 0, 0, time_ns);
	record.throttle = (struct decoded_throttle){time_ns, writer_id(2, 0), writer_id(2, 0)};
	put(writer, tally, made, 2, &record);
}

static void end_tasks(struct writer *writer, struct tally *tally, const struct made *made,
		      uint64_t time_ns)
{
	for (size_t i = 0; i < TASKS; i++) {
		struct decoded record = at(PERF_RECORD_EXIT, 1, i, time_ns);

		record.fork = (struct decoded_fork){
			.pid = record.id.pid,
			.tid = record.id.tid,
			.parent_pid = 1,
			.parent_tid = 1,
			.time_ns = time_ns,
		};
		put(writer, tally, made, 1, &record);
	}
}

static void tell(const struct tally *tally)
{
	static const char *const names[TYPES] = {
		[PERF_RECORD_MMAP2] = "MMAP2",
		[PERF_RECORD_COMM] = "COMM",
		[PERF_RECORD_EXIT] = "EXIT",
		[PERF_RECORD_FORK] = "FORK",
		[PERF_RECORD_SAMPLE] = "SAMPLE",
		[PERF_RECORD_READ] = "READ",
		[PERF_RECORD_THROTTLE] = "THROTTLE",
		[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
		[PERF_RECORD_LOST] = "LOST",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	};

	for (size_t i = 0; i < TYPES; i++)
		if (tally->types[i] > 0)
			fprintf(stderr, "type %s %" PRIu64 "\n", names[i], tally->types[i]);
	for (size_t i = 0; i < TASKS; i++)
		fprintf(stderr, "task %zu %" PRIu64 "\n", FIRST_TASK + i, tally->tasks[i]);
	fprintf(stderr, "notes %" PRIu64 "\n", tally->notes);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void put_round(struct writer *writer, struct tally *tally, const struct made *made,
		      uint64_t *number, uint64_t *time_ns)
{
	for (unsigned int i = 0; i < SWITCHES; i++, (*number)++, *time_ns += 1000)
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			put_switch(writer, tally, made, cpu, *number, *time_ns + cpu);
	put_rest(writer, tally, made, *number, *time_ns);
	if (made->count > FIRST_EVENTS) {
		struct decoded record = at(PERF_RECORD_READ, CPUS, 1, *time_ns);

		record.counts.pid = record.id.pid;
		record.counts.tid = record.id.tid;
		read_group(&record.counts.read, made, FIRST_EVENTS, 3, CPUS, *number);
		put(writer, tally, made, FIRST_EVENTS, &record);
	}
	put_note(writer, tally, made, ++*time_ns);
	writer_flush(writer);
}

static struct writer *create(char **words, int count, const struct made *made,
			     const struct host *host)
{
	const struct writer_request request = {
		.path = count > 1 ? words[1] : "-",
		.compression = count > 2 ? atoi(words[2]) : 0,
		.version = "writes 1",
		.arguments = words,
		.host = host,
		.clock = CLOCK_MONOTONIC,
		.wall_offset_ns = INT64_C(1700000000000000000),
		.cpu_count = CPUS,
		.events = made->events,
		.event_count = made->count,
	};
	struct error error;
	struct writer *writer = writer_create(&request, &error);

	if (writer == NULL) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	return writer;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 10;
	const char *how = argc > 4 ? argv[4] : "end";
	uint64_t time_ns = now_ns(), number = 1;
	struct made made = {.count = 0};
	struct tally tally = {.notes = 0};
	struct host host = {0};
	struct error error;

	host_read(&host, "");
	make_events(&made, &host);

	struct writer *writer = create(argv, argc, &made, &host);

	host_fini(&host);
	put_note(writer, &tally, &made, time_ns);
	introduce(writer, &tally, &made, time_ns);
	for (unsigned long round = 0; round < rounds; round++) {
		if (round == rounds / 2 && strcmp(how, "grow") == 0) {
			make_more(&made);
			writer_change_events(writer, made.events + FIRST_EVENTS,
					     made.count - FIRST_EVENTS);
		}
		put_round(writer, &tally, &made, &number, &time_ns);
	}
	if (strcmp(how, "die") == 0) {
		tell(&tally);
		raise(SIGKILL);
	}
	end_tasks(writer, &tally, &made, time_ns);
	tell(&tally);
	if (!writer_finish(writer, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	return 0;
}
