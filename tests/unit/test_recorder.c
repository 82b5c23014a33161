/* What goes into the file besides the recording, in which order, and what a failing file does. */

#include "base/error.h"
#include "base/memory.h"
#include "kernel/decode.h"
#include "kernel/host.h"
#include "source/source.h"
#include "source/target_pids.h"

#include "perfdata/recorder.h"
#include "perfdata/writer.h"
#include "unit.h"

enum {
	TYPES_MAX = 4096
};

/* The file: what was put into it. */
static struct {
	uint32_t types[TYPES_MAX];
	size_t count;
	size_t rounds, changes, intervals;
	size_t event_count;
	bool is_full;
	struct error failure;
} file;

struct writer *__wrap_writer_create(const struct writer_request *request, struct error *error);
bool __wrap_writer_put(struct writer *writer, const void *bytes, size_t size, uint64_t time_ns);
bool __wrap_writer_round(struct writer *writer);
void __wrap_writer_note_interval(struct writer *writer);
bool __wrap_writer_change_events(struct writer *writer, const struct writer_event *events,
				 size_t count);
const struct error *__wrap_writer_failure(const struct writer *writer);
bool __wrap_writer_finish(struct writer *writer, struct error *error);
struct writer *__wrap_writer_create(const struct writer_request *request, struct error *error)
{
	memset(&file, 0, sizeof(file));
	file.event_count = request->event_count;
	return (struct writer *)&file;
}

bool __wrap_writer_put(struct writer *writer, const void *bytes, size_t size, uint64_t time_ns)
{
	assert_true(file.count < TYPES_MAX);
	if (!file.is_full)
		memcpy(&file.types[file.count++], bytes, sizeof(uint32_t));
	return !file.is_full;
}

void __wrap_writer_note_interval(struct writer *writer)
{
	file.intervals++;
}

bool __wrap_writer_round(struct writer *writer)
{
	file.rounds++;
	return !file.is_full;
}

bool __wrap_writer_change_events(struct writer *writer, const struct writer_event *events,
				 size_t count)
{
	file.changes++;
	file.event_count += count;
	return !file.is_full;
}

const struct error *__wrap_writer_failure(const struct writer *writer)
{
	return &file.failure;
}

bool __wrap_writer_finish(struct writer *writer, struct error *error)
{
	return !file.is_full || error_set(error, ERROR_FILE_WRITE, "file", "full");
}

static struct host host;
static struct source source;
static struct target_pids targets;

static struct recorder *start(void)
{
	const struct recorder_request request = {
		.path = "a.data", .host = &host, .source = &source, .targets = &targets};

	return recorder_create(&request, NULL);
}

static int set_up(void **state)
{
	source = (struct source){.session = {.cpu_count = 2, .is_live = true}};
	source.ops = xcalloc(1, sizeof(*source.ops));
	layout_init(&source.layout);
	return 0;
}

static int tear_down(void **state)
{
	layout_fini(&source.layout);
	free((void *)source.ops);
	return 0;
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

static void take(struct recorder *recorder, struct record record)
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

static const char *count_names(void *context, int64_t uid)
{
	int *asked = context;

	(*asked)++;
	return uid == 7 ? "otto" : "ben";
}

UNIT_TEST(recorder_names_each_user_once)
{
	int asked = 0;
	const struct recorder_request request = {.path = "a.data",
						 .host = &host,
						 .source = &source,
						 .targets = &targets,
						 .user_name = count_names,
						 .user_context = &asked};
	struct recorder *recorder = recorder_create(&request, NULL);
	const size_t before = count_of(DECODED_SAMPLE);
	struct record record = facts_of(7, 7);

	record.procinfo.uid = -1; /* not known */
	take(recorder, record);
	record.procinfo.uid = 7;
	take(recorder, record);
	take(recorder, record);
	record.procinfo.uid = 8;
	take(recorder, record);
	assert_int_equal(asked, 2);
	assert_int_equal(count_of(DECODED_SAMPLE) - before, 4 + 2);
	assert_true(recorder_finish(recorder, NULL));
}

UNIT_TEST(recorder_change_of_nothing_writes_nothing)
{
	struct recorder *recorder = start();
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
	assert_true(recorder_finish(recorder, NULL));
}

UNIT_TEST(recorder_change_of_the_layout_is_in_the_file_first)
{
	struct recorder *recorder = start();
	const size_t events = file.event_count;

	layout_add_counter(&source.layout, 0, layout_add_event(&source.layout, "late"));
	recorder_change(recorder, &source);
	assert_int_equal(file.changes, 1);
	assert_int_equal(file.event_count, events + 2); /* the group anew */
	assert_true(recorder_finish(recorder, NULL));
}

UNIT_TEST(recorder_notes_an_interval_when_its_end_is_written)
{
	struct recorder *recorder = start();

	recorder_tick(recorder, &(struct recording_interval){.time_ns = 1000, .is_start = true});
	recorder_round(recorder);
	recorder_round(recorder);
	assert_int_equal(file.intervals, 0);
	recorder_tick(recorder, &(struct recording_interval){.time_ns = 2000});
	assert_int_equal(file.intervals, 0);
	recorder_round(recorder);
	assert_int_equal(file.intervals, 1);
	recorder_finish(recorder, NULL);
}

UNIT_TEST(recorder_of_a_full_disk_says_so_and_stops)
{
	struct recorder *recorder = start();
	struct error error = {0};

	assert_null(recorder_failure(recorder));
	file.is_full = true;
	take(recorder, facts_of(7, 7));
	assert_non_null(recorder_failure(recorder));
	recorder_round(recorder);
	recorder_change(recorder, &source);
	assert_int_equal(file.rounds, 0);
	assert_false(recorder_finish(recorder, &error));
	assert_int_equal(error.code, ERROR_FILE_WRITE);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
