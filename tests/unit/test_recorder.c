/* What goes into the file besides the recording, in which order, and what a failing file does. */

#include "base/error.h"
#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/encode.h"
#include "kernel/host.h"
#include "kernel/maps.h"
#include "kernel/proc.h"
#include "source/source.h"
#include "source/target_pids.h"

#include "perfdata/recorder.h"
#include "perfdata/writer.h"
#include "unit.h"

enum {
	TYPES_MAX = 4096,
	INIT = 1 /* a process that runs already */
};

/* The file: what was put into it. */
static struct {
	uint32_t types[TYPES_MAX];
	size_t count;
	size_t rounds, changes, files, intervals;
	size_t event_count;
	size_t introduced; /* times that a process' mappings were asked for */
	bool is_full;
	struct error failure;
	uint64_t room[ENCODE_SIZE_MAX / sizeof(uint64_t)];
} file;

struct writer *__wrap_writer_create(const struct writer_request *request, struct error *error)
{
	memset(&file, 0, sizeof(file));
	file.event_count = request->event_count;
	return (struct writer *)&file;
}

void *__wrap_writer_room(struct writer *writer)
{
	return file.room;
}

void __wrap_writer_commit(struct writer *writer, size_t size, uint64_t time_ns)
{
	assert_true(file.count < TYPES_MAX);
	if (!file.is_full)
		file.types[file.count++] = decode_type(file.room);
}

void __wrap_writer_note_interval(struct writer *writer)
{
	file.intervals++;
}

bool __wrap_writer_flush(struct writer *writer)
{
	file.rounds++;
	return !file.is_full;
}

void __wrap_writer_change_events(struct writer *writer, const struct writer_event *events,
				 size_t count)
{
	file.changes++;
	file.event_count += count;
}

void __wrap_writer_note_file(struct writer *writer, const char *path, uint64_t inode)
{
	file.files += strcmp(path, "/bin/program") == 0;
}

const struct error *__wrap_writer_failure(const struct writer *writer)
{
	return file.is_full ? &file.failure : NULL;
}

bool __wrap_writer_finish(struct writer *writer, struct error *error)
{
	return !file.is_full || error_set(error, ERROR_FILE_WRITE, "file", "full");
}

bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	*task = (struct proc_task){.pid = tid, .tid = tid, .parent_pid = INIT, .name = "program"};
	return true;
}

bool __wrap_maps_walk(int32_t pid, void (*visit)(const struct decoded_mmap *mapping, void *context),
		      void *context)
{
	const struct decoded_mmap mappings[] = {
		{.file = "/bin/program", .file_length = 12},
		{.file = "//anon", .file_length = 6},
	};

	file.introduced++;
	for (size_t i = 0; i < 2; i++)
		visit(&mappings[i], context);
	return true;
}

static struct host host;
static struct source source;
static struct target_pids targets;
static struct recorder *recorder; /* of the test that runs */

static struct recorder_request request = {
	.path = "a.data", .host = &host, .source = &source, .targets = &targets};

static int set_up(void **state)
{
	source = (struct source){.session = {.cpu_count = 2, .is_live = true}};
	source.ops = xcalloc(1, sizeof(*source.ops));
	layout_init(&source.layout);
	recorder = recorder_create(&request, NULL);
	return 0;
}

static int tear_down(void **state)
{
	const bool is_whole = recorder_finish(recorder, NULL) || file.is_full;

	layout_fini(&source.layout);
	free((void *)source.ops);
	return is_whole ? 0 : -1;
}

static struct record facts_of(int32_t pid, int32_t tid)
{
	return (struct record){
		.kind = RECORD_PROCINFO,
		.cpu = RECORD_CPU_NONE,
		.pid = pid,
		.tid = tid,
		.time_ns = 5,
		.procinfo = {.name = "program"},
	};
}

static void take(struct record record)
{
	recorder_take(recorder, &record);
}

static size_t count_of(uint32_t type)
{
	size_t count = 0;

	for (size_t i = 0; i < file.count; i++)
		count += file.types[i] == type;
	return count;
}

UNIT_TEST(recorder_of_a_process_that_runs_introduces_it_in_the_next_round)
{
	take(facts_of(7, 7));
	assert_int_equal(count_of(DECODED_FORK), 0);
	recorder_round(recorder);
	assert_int_equal(count_of(DECODED_FORK), 1);
	assert_int_equal(count_of(DECODED_MMAP2), 2);
	assert_int_equal(file.files, 1);
	/* a birth takes the name away, so that comes behind it */
	assert_int_equal(file.types[file.count - 3], DECODED_COMM);
	take(facts_of(7, 7));
	recorder_round(recorder);
	assert_int_equal(file.introduced, 1);
}

static struct record sample_of(int32_t pid)
{
	static const uint64_t frames[] = {0x10};

	return (struct record){
		.kind = RECORD_SAMPLE,
		.cpu = 0,
		.pid = pid,
		.tid = pid,
		.time_ns = 5,
		.sample = {.frames = frames, .count = 1, .weight = 1},
	};
}

static struct record change_of(int32_t pid, enum mapping_change change, int32_t parent_pid)
{
	return (struct record){
		.kind = RECORD_MAPPING,
		.cpu = 0,
		.pid = pid,
		.tid = pid,
		.time_ns = 5,
		.mapping = {.change = change, .parent_pid = parent_pid},
	};
}

/* The code in which the first sample is must be known by then. */
UNIT_TEST(recorder_of_a_sample_introduces_its_process_at_once)
{
	for (int32_t pid = 2; pid < 1000; pid++)
		take(facts_of(pid, pid));
	take(sample_of(999));
	assert_int_equal(file.introduced, 1);
	assert_int_equal(count_of(DECODED_FORK), 1);
	assert_int_equal(count_of(DECODED_MMAP2), 2);
	take(sample_of(999));
	take(sample_of(0));
	assert_int_equal(file.introduced, 1);
}

/* A file that a program has mapped since is noted as those of programs that ran already. */
UNIT_TEST(recorder_of_a_mapping_notes_its_file)
{
	const struct decoded_mmap mapping = {
		.pid = 10, .file = "/bin/program.", .file_length = strlen("/bin/program")};
	struct record record = change_of(10, MAPPING_ADDED, 0);

	record.mapping.added = &mapping;
	take(record);
	assert_int_equal(file.files, 1);
}

UNIT_TEST(recorder_of_a_sample_reads_mappings_that_nothing_has_reported)
{
	take((struct record){.kind = RECORD_FORK, .cpu = 0, .pid = 10, .tid = 10, .time_ns = 1});
	take(sample_of(10));
	assert_int_equal(file.introduced, 1);
	take(change_of(11, MAPPING_FORKED, 10));
	take(sample_of(11));
	take(change_of(12, MAPPING_FORKED, 77));
	take(change_of(12, MAPPING_EXEC, 0));
	take(sample_of(12));
	assert_int_equal(file.introduced, 1);
	take(change_of(11, MAPPING_EXITED, 0));
	take(sample_of(11)); /* another one of that number */
	assert_int_equal(file.introduced, 2);
	recorder_change(recorder,
			&source); /* nothing is sampled: what is mapped now is not known */
	take(sample_of(10));
	assert_int_equal(file.introduced, 3);
}

static struct record wait_of(int32_t pid)
{
	return (struct record){.kind = RECORD_SLEEP,
			       .cpu = 0,
			       .pid = pid,
			       .tid = pid,
			       .time_ns = 5,
			       .sleep = {.lock = 0x5000}};
}

/* Where nothing is sampled no change of mappings is reported. */
UNIT_TEST(recorder_of_a_wait_for_a_lock_reads_mappings_once_for_each_program)
{
	struct record record = wait_of(10);

	take(record);
	take(record);
	record.sleep.lock = 0;
	record.pid = record.tid = 11;
	take(record);
	assert_int_equal(file.introduced, 1);
	record = (struct record){.kind = RECORD_COMM,
				 .cpu = 0,
				 .pid = 10,
				 .tid = 10,
				 .time_ns = 6,
				 .comm = {.name = "renamed"}};
	take(record);
	take(wait_of(10));
	assert_int_equal(file.introduced, 1);
	record.comm.exec = true;
	take(record);
	take(wait_of(10));
	assert_int_equal(file.introduced, 2);
	take((struct record){.kind = RECORD_EXIT, .cpu = 0, .pid = 10, .tid = 10, .time_ns = 7});
	take(wait_of(10)); /* another one of that number */
	assert_int_equal(file.introduced, 3);
	take((struct record){.kind = RECORD_FORK, .cpu = 0, .pid = 10, .tid = 10, .time_ns = 8});
	take(wait_of(10));
	assert_int_equal(file.introduced, 4);
}

static const char *count_names(void *context, int64_t uid)
{
	int *asked = context;

	(*asked)++;
	return uid == 7 ? "otto" : "ben";
}

UNIT_TEST(recorder_names_each_user_once)
{
	int asked = 0;
	recorder_finish(recorder, NULL);
	request.user_name = count_names;
	request.user_context = &asked;
	recorder = recorder_create(&request, NULL);
	request.user_name = NULL;
	const size_t before = count_of(DECODED_SAMPLE);
	struct record record = facts_of(7, 7);

	record.procinfo.uid = -1; /* not known */
	take(record);
	record.procinfo.uid = 7;
	take(record);
	take(record);
	record.procinfo.uid = 8;
	take(record);
	assert_int_equal(asked, 2);
	assert_int_equal(count_of(DECODED_SAMPLE) - before, 4 + 2);
}

UNIT_TEST(recorder_of_threads_and_of_new_processes_introduces_none)
{
	struct record kernel = facts_of(9, 9);

	kernel.procinfo.is_kernel_thread = true;
	take(facts_of(7, 8));
	take(kernel);
	take((struct record){.kind = RECORD_FORK, .cpu = 0, .pid = 10, .tid = 10, .time_ns = 1});
	take(facts_of(10, 10));
	recorder_round(recorder);
	assert_int_equal(file.introduced, 0);
	take((struct record){.kind = RECORD_EXIT, .cpu = 0, .pid = 10, .tid = 10, .time_ns = 2});
	take(facts_of(10, 10)); /* another one, without a reported birth */
	recorder_round(recorder);
	assert_int_equal(file.introduced, 1);
}

UNIT_TEST(recorder_of_thousands_introduces_a_few_with_each_round)
{
	for (int32_t pid = 2; pid < 1000; pid++)
		take(facts_of(pid, pid));
	recorder_round(recorder);
	assert_in_range(file.introduced, 1, 50);
	recorder_round(recorder);
	assert_in_range(file.introduced, 2, 100);
	assert_true(recorder_finish(recorder, NULL));
	recorder = NULL;
	assert_in_range(file.introduced, 100, 500);
}

UNIT_TEST(recorder_introduces_none_between_the_end_of_an_interval_and_a_change)
{
	for (int32_t pid = 2; pid < 1000; pid++)
		take(facts_of(pid, pid));
	recorder_tick(recorder, &(struct recording_interval){.time_ns = 1000, .is_start = true});
	const int before = (int)file.introduced;

	assert_in_range(before, 1, 50);
	recorder_round(recorder);
	assert_int_equal(file.introduced, before);
	take(facts_of(1000, 1000));
	recorder_round(recorder);
	assert_true((int)file.introduced > before);
}

UNIT_TEST(recorder_change_of_nothing_writes_nothing)
{
	const size_t before = file.count;

	source.session.wall_offset_ns = 7;
	source.session.is_partial = true;
	recorder_change(recorder, &source);
	assert_int_equal(file.count, before);
	source.session.has_pmu = true;
	recorder_change(recorder, &source);
	assert_int_equal(file.count, before + 1);
	assert_int_equal(file.changes, 0);
	recorder_change(recorder, &source);
	assert_int_equal(file.count, before + 1);
}

UNIT_TEST(recorder_change_of_the_layout_is_in_the_file_first)
{
	const size_t events = file.event_count;

	layout_add_counter(&source.layout, 0, layout_add_event(&source.layout, "late"));
	recorder_change(recorder, &source);
	assert_int_equal(file.changes, 1);
	assert_int_equal(file.event_count, events + 2); /* the group anew */
}

UNIT_TEST(recorder_notes_an_interval_when_its_end_is_written)
{
	recorder_tick(recorder, &(struct recording_interval){.time_ns = 1000, .is_start = true});
	recorder_round(recorder);
	recorder_round(recorder);
	assert_int_equal(file.intervals, 0);
	recorder_tick(recorder, &(struct recording_interval){.time_ns = 2000});
	assert_int_equal(file.intervals, 0);
	recorder_round(recorder);
	assert_int_equal(file.intervals, 1);
}

UNIT_TEST(recorder_of_a_full_disk_says_so_and_stops)
{
	struct error error = {0};

	assert_null(recorder_failure(recorder));
	file.is_full = true;
	take(facts_of(7, 7));
	assert_non_null(recorder_failure(recorder));
	recorder_round(recorder);
	recorder_change(recorder, &source);
	assert_int_equal(file.rounds, 0);
	assert_int_equal(file.introduced, 0);
	assert_false(recorder_finish(recorder, &error));
	recorder = NULL;
	assert_int_equal(error.code, ERROR_FILE_WRITE);
}

UNIT_MAIN(set_up, tear_down)
