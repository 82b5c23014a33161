/*
 * Whatever is in a recording: its reader neither crashes nor delivers what a model could not take,
 * and the model that takes it can be resynchronised.
 *
 * Input: steps of STEP_BYTES bytes. Each writes something that is right, of which some bytes are
 * changed before it is read. The whole of it is also read as a line of /proc/PID/maps.
 */
#include "base/stall.h"
#include "kernel/decode.h"
#include "kernel/encode.h"
#include "kernel/maps.h"
#include "model/model.h"

#include "fuzz.h"
#include "perfdata/recording.h"

enum {
	STEP_BYTES = 8,
	CPUS = 2,
	VALUES = 4
};

struct run {
	const uint8_t *bytes; /* of the step */
	struct layout layout; /* what is written */
	struct recording_writer *writer;
	struct recording_reader *reader;
	struct model *model; /* NULL: no layout yet */
	uint64_t time_ns;
	uint64_t copy[8192];
};

static void pass_on(void *context, const struct record *record)
{
	model_feed(context, record);
}

/* What it knows goes into another one. */
static void resync(const struct run *run)
{
	struct model *other = model_create(&run->reader->layout);

	model_resync(run->model, pass_on, other);
	model_start(other, run->time_ns);
	model_close_interval(other, run->time_ns + 1);
	model_destroy(other);
}

static void take_tick(struct run *run, const struct recording_interval *tick)
{
	if (tick->is_start)
		model_start(run->model, tick->time_ns);
	else
		model_close_interval(run->model, tick->time_ns);
	if (run->bytes[7] % 8 == 0)
		resync(run);
}

static void take_layout(struct run *run)
{
	const struct layout *layout = &run->reader->layout;

	if (run->model == NULL) {
		run->model = model_create(layout);
		return;
	}
	model_close_interval(run->model, run->time_ns);
	model_change_layout(run->model, layout);
}

static void *record_room(void *context)
{
	return ((struct run *)context)->copy;
}

static void take_record(void *context, size_t size, uint64_t time_ns)
{
	struct run *run = context;
	const struct decode_format formats[] = {writer_format(WRITER_TIMELINE),
						writer_format(WRITER_NOTES),
						writer_format(WRITER_LEADER)};
	const struct sample_offsets offsets = sample_offsets_of(&formats[0]);
	unsigned char *copy = (unsigned char *)run->copy;
	struct decoded decoded;
	struct recording_interval tick;
	struct record record;
	size_t event;

	event = (size_t)(decode_peek_id(copy, size, &offsets) >> 20) - 1;
	event = event < 2 ? event : 2;
	/* not the header: a file's reader has looked at that */
	if (run->bytes[4] < 128)
		copy[8 + (run->bytes[5] | (size_t)run->bytes[6] << 8) % (size - 8)] ^=
			run->bytes[4];
	if (decode_record(&decoded, copy, size, &formats[event]) != DECODE_OK)
		return;
	switch (recording_read(run->reader, &decoded, event == 1, &record, &tick)) {
	case RECORDING_NOTHING:
	case RECORDING_SESSION:
	case RECORDING_TARGETS:
		break;
	case RECORDING_RECORD:
		if (run->model != NULL)
			model_feed(run->model, &record);
		break;
	case RECORDING_INTERVAL:
		if (run->model != NULL)
			take_tick(run, &tick);
		break;
	case RECORDING_LAYOUT:
		take_layout(run);
		break;
	}
}

static void change_layout(struct run *run)
{
	struct layout *layout = &run->layout;
	const size_t group = run->bytes[1] % layout->group_count;
	size_t count;

	if (run->bytes[2] % 4 == 0 && layout->group_count < 6)
		layout_add_group(layout, 0, run->bytes[1] % 3);
	else if (layout->groups[group].is_open && layout->groups[group].count < VALUES)
		layout_add_counter(layout, group, layout_add_event(layout, "event"));
	recording_writer_events(run->writer, layout, NULL, NULL, &count);
	recording_write_layout(run->writer, layout);
}

static void write_record(struct run *run)
{
	static const uint64_t values[VALUES] = {1, 2, 3, 4}, stalls[STALL_NUMBERS] = {1, 2, 3};
	const uint8_t *bytes = run->bytes;
	struct record record = {
		.kind = (enum record_kind)(bytes[0] % RECORD_KINDS),
		.cpu = bytes[1] % (CPUS + 1) - 1,
		.pid = bytes[2] % 8,
		.tid = bytes[2] % 8,
		.time_ns = run->time_ns,
	};
	const struct record_reading reading = {
		.group = bytes[3] % 4,
		.restarts = bytes[3] & 32,
		.sequence = bytes[2],
		.enabled_ns = run->time_ns,
		.running_ns = run->time_ns,
		.values = values,
	};

	if (record.kind == RECORD_READING)
		record.reading = reading;
	else if (record.kind == RECORD_SWITCH)
		record.ctx_switch = (struct record_switch){
			.next_pid = bytes[3] % 8,
			.next_tid = bytes[3] % 8,
			.knows_how = bytes[3] & 64,
			.name = bytes[3] & 128 ? "name" : NULL,
			.readings = &reading,
			.reading_count = bytes[3] & 16 ? 1 : 0,
		};
	else if (record.kind == RECORD_COMM)
		record.comm.name = "name";
	else if (record.kind == RECORD_MAPPING)
		record.mapping.change = MAPPING_EXEC;
	else if (record.kind == RECORD_PROCINFO)
		record.procinfo =
			(struct record_procinfo){.name = "name", .command_line = "name -x"};
	else if (record.kind == RECORD_STALLS)
		record.stalls = (struct record_stalls){
			.cgroup = "/name", .known = bytes[3], .numbers = stalls};
	recording_write(run->writer, &record);
}

static void step(struct run *run)
{
	const struct recording_interval tick = {.time_ns = run->time_ns,
						.is_start = run->bytes[1] & 1};
	const struct session session = {.scope_words = "whole machine"};

	run->time_ns += run->bytes[3];
	if (run->bytes[0] < 16)
		change_layout(run);
	else if (run->bytes[0] < 32)
		recording_write_interval(run->writer, &tick);
	else if (run->bytes[0] < 36)
		recording_write_session(run->writer, &session);
	else
		write_record(run);
}

static void parse_line(const uint8_t *data, size_t size)
{
	struct decoded_mmap mapping;
	char *text = fuzz_text("", data, size);

	if (maps_parse_line(text, &mapping))
		require(mapping.file_length == strlen(mapping.file));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t quiet[STEP_BYTES] = {0, 0, 1, 0, 255, 0, 0, 1};
	struct run *run = calloc(1, sizeof(*run));

	if (run == NULL)
		return 0;
	parse_line(data, size);
	layout_init(&run->layout);
	run->writer = recording_writer_create(
		CPUS, (struct recording_sink){record_room, take_record, run});
	run->reader = recording_reader_create();
	run->bytes = quiet;
	run->time_ns = 1;
	change_layout(run);
	for (; size >= STEP_BYTES; size -= STEP_BYTES, data += STEP_BYTES) {
		run->bytes = data;
		step(run);
	}
	model_destroy(run->model);
	recording_writer_destroy(run->writer);
	recording_reader_destroy(run->reader);
	layout_fini(&run->layout);
	free(run);
	return 0;
}
