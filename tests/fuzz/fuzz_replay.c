/*
 * Fuzz target: a recording of perf, replayed to its end, fed to a model. Every second input is the
 * file as it is; of the others each 12 bytes are one record of a file that is otherwise good, so
 * that the fuzzer gets to what records mean together: their times, CPUs, tasks and readings. Its
 * first byte says what was recorded.
 */
#include <stdio.h>
#include <unistd.h>

#include <sys/mman.h>

#include "model/model.h"

#include "../unit/encode_kit.h"
#include "fuzz.h"
#include "perfdata/replay.h"

enum {
	EVENTS = 3,
	IDS_AT = MADE_HEADER + EVENTS * MADE_ENTRY,
	DATA_AT = IDS_AT + EVENTS * 16,
	PIECE = 12,
	INTERVALS_MAX = 3000,
	SAMPLE_TYPE = 1 << 1 | 1 << 2 | 1 << 7 | 1 << 16, /* TID, TIME, CPU, IDENTIFIER */
	WITH_READING = 1 << 4,
	WITH_PLACE = 1 << 0 | 1 << 5, /* IP, CALLCHAIN */
	CHAIN_MAX = 300,
	WITH_PERIOD = 1 << 8,
	READ_FORMAT = 1 << 2 | 1 << 3
};

static uint64_t sample_type_of(size_t event, uint8_t choice)
{
	const uint64_t cpu = choice & 1 ? 0 : 1 << 7;

	if (event == 2)
		return SAMPLE_TYPE & ~cpu;
	return (SAMPLE_TYPE & ~cpu) | (choice & 2 ? WITH_READING : WITH_PERIOD) |
	       (choice & 16 ? WITH_PLACE : 0);
}

/* Context switches or a clock, page faults, and a time line; switches may be reported. */
static void put_attribute(struct made *made, size_t event, uint8_t choice)
{
	static const uint64_t configs[] = {3, 2, 9};
	const uint64_t config = event == 0 && choice & 4 ? 0 : configs[event];
	const uint64_t flags = UINT64_C(1) << 18 | (choice & 8 ? 0 : UINT64_C(1) << 26);

	put_entry(made, config, sample_type_of(event, choice), READ_FORMAT,
		  event == 2 ? flags : UINT64_C(1) << 18, IDS_AT + 16 * event, 16);
}

static void put_beginning(struct made *made, uint8_t choice)
{
	/* the size of the data comes later */
	put_header(made, EVENTS * MADE_ENTRY, DATA_AT, 0, 0);
	for (size_t i = 0; i < EVENTS; i++)
		put_attribute(made, i, choice);
	for (uint64_t i = 0; i < EVENTS; i++) {
		put_u64(made, 10 + i);
		put_u64(made, 20 + i);
	}
}

struct piece {
	uint8_t kind, cpu, tid, other;
	int16_t step;
	uint8_t value, event;
	uint32_t far;
};

/* Places in the kernel and in programs, some of them marks. */
static void fill_place(struct decoded_sample *sample, const struct piece *piece)
{
	static uint64_t chain[CHAIN_MAX];

	sample->ip = piece->far;
	sample->callchain = chain;
	sample->callchain_count = piece->far % CHAIN_MAX;
	for (size_t i = 0; i < sample->callchain_count; i++)
		chain[i] = (piece->far >> (i % 32) & 1 ? 0 : UINT64_MAX) ^ (i * piece->value);
}

static void fill(struct decoded *decoded, const struct piece *piece)
{
	static const uint32_t types[] = {DECODED_SAMPLE, DECODED_SWITCH_CPU_WIDE,
					 DECODED_SWITCH, DECODED_FORK,
					 DECODED_EXIT,   DECODED_COMM,
					 DECODED_LOST,   DECODED_THROTTLE,
					 DECODED_MMAP2};

	*decoded = (struct decoded){
		.type = types[piece->kind % 9],
		.misc = piece->far & 3,
	};
	if (decoded->type == DECODED_SAMPLE) {
		decoded->sample.period = piece->value;
		fill_place(&decoded->sample, piece);
		decoded->sample.read.count = piece->far % 3;
		for (size_t i = 0; i < decoded->sample.read.count; i++) {
			decoded->sample.read.ids[i] = (piece->cpu & 1 ? 20 : 10) + i;
			decoded->sample.read.values[i] = piece->far;
		}
	} else if (decoded->type == DECODED_FORK || decoded->type == DECODED_EXIT) {
		decoded->fork = (struct decoded_fork){.pid = piece->tid,
						      .tid = piece->tid,
						      .parent_pid = piece->other,
						      .parent_tid = piece->other};
	} else if (decoded->type == DECODED_COMM) {
		decoded->comm = (struct decoded_comm){.pid = piece->tid,
						      .tid = piece->tid,
						      .name = "name",
						      .name_length = 4,
						      .exec = piece->value & 1};
	} else if (decoded->type == DECODED_MMAP2) {
		decoded->mmap = (struct decoded_mmap){.pid = piece->tid,
						      .address = piece->far,
						      .length = piece->value,
						      .file = "/file",
						      .file_length = 5};
	} else if (decoded->type == DECODED_LOST) {
		decoded->lost.lost = piece->value;
	} else {
		decoded->misc = (uint16_t)(piece->value << 13);
		decoded->ctx_switch = (struct decoded_switch){.other_pid = piece->other,
							      .other_tid = piece->other};
	}
}

static void put_record(struct made *made, const struct piece *piece, uint8_t choice, uint64_t *time)
{
	static unsigned char bytes[ENCODE_SIZE_MAX] __attribute__((aligned(8)));
	static struct decoded decoded;
	const size_t event = piece->event % EVENTS;
	const struct decode_format format = {.sample_type = sample_type_of(event, choice),
					     .read_format = READ_FORMAT,
					     .sample_id_all = true};
	static const uint64_t round[] = {UINT64_C(8) << 48 | 68};

	*time += (uint64_t)(int64_t)piece->step * (piece->value & 0x80 ? 100000 : 10);
	if (piece->kind >= 0xf0) {
		put(made, round, sizeof(round));
		return;
	}
	fill(&decoded, piece);
	decoded.id = (struct decoded_id){.has = format.sample_type,
					 .pid = piece->tid,
					 .tid = piece->tid,
					 .time_ns = piece->kind >= 0xe0 ? (uint64_t)piece->far << 32
									: *time,
					 .id = (piece->cpu & 1 ? 20 : 10) + event,
					 .cpu = piece->cpu};
	if (decoded.type == DECODED_FORK || decoded.type == DECODED_EXIT)
		decoded.fork.time_ns = decoded.id.time_ns;
	put(made, bytes, encode_record(bytes, &decoded, &format));
}

static void make_file(struct made *made, const uint8_t *data, size_t size)
{
	const uint8_t choice = data[0];
	uint64_t time = UINT64_C(1000000000), data_size;
	struct piece piece;

	made->size = 0;
	put_beginning(made, choice);
	for (data++, size--; size >= PIECE; data += PIECE, size -= PIECE) {
		memcpy(&piece, data, sizeof(piece));
		put_record(made, &piece, choice, &time);
	}
	data_size = made->size - DATA_AT;
	memcpy(made->bytes + 48, &data_size, sizeof(data_size));
}

/* Feeds all that is delivered; the layout may change behind a tick. */
static void feed(struct source *source, struct model *model, uint64_t *changes)
{
	struct record record;

	while (source_next(source, &record)) {
		if (record.kind == RECORD_MAPPING)
			require(!record.mapping.added || record.mapping.added->file_length < 4096);
		model_feed(model, &record);
	}
	if (source->layout_changes == *changes)
		return;
	*changes = source->layout_changes;
}

static void play(struct source *source)
{
	struct model *model = model_create(&source->layout);
	uint64_t changes = source->layout_changes, last_ns = 0;
	char remarks[256];

	source_tick(source);
	feed(source, model, &changes);
	if (changes > 0)
		model_change_layout(model, &source->layout);
	model_start(model, source->tick_ns);
	for (int i = 0; i < INTERVALS_MAX && !source_is_finished(source); i++) {
		const uint64_t before = changes;

		source_tick(source);
		feed(source, model, &changes);
		require(source->tick_ns >= last_ns); /* time does not go back */
		last_ns = source->tick_ns;
		model_close_interval(model, source->tick_ns);
		if (changes != before)
			model_change_layout(model, &source->layout);
	}
	replay_remarks(source, remarks, sizeof(remarks));
	model_destroy(model);
}

static void replay_bytes(const uint8_t *bytes, size_t size)
{
	const int fd = memfd_create("recording", 0);
	struct replay_request request = {.interval_ns = 1000000};
	struct source *source;
	uint64_t parts[16];
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	request.path = path;
	if (fd >= 0 && write(fd, bytes, size) == (ssize_t)size &&
	    (source = replay_create(&request, NULL)) != NULL) {
		play(source);
		if (replay_overview(source, parts, 16) && replay_rewind(source, NULL))
			play(source);
		source_destroy(source);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made made;

	if (size < 2)
		return 0;
	if (data[0] & 0x80 || memcmp(data, "PERFILE2", size < 8 ? size : 8) == 0) {
		replay_bytes(data, size);
		return 0;
	}
	make_file(&made, data, size);
	replay_bytes(made.bytes, made.size);
	return 0;
}
