/*
 * What the records go through: `records` are whole records still to be compressed, `portion` whole
 * records as the file is to have them. Without compression there are only the latter. A portion
 * begins with what its reader has to know, in a pipe all of it, in a file what perf would miss most
 * if the writer were killed before the file is complete: names, and how to unpack.
 */

#include "perfdata/writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/encode.h"
#include "kernel/host.h"

#include "perfdata/build_ids.h"
#include "perfdata/bytes.h"
#include "perfdata/disk.h"
#include "perfdata/features.h"
#include "perfdata/outlet.h"
#include "perfdata/zstd.h"

enum {
	PORTION_BYTES = 1024 * 1024,
	LEVEL_MAX = 22
};

/*
 * A file that grows and can be read at any time: [header][ids][attributes][data][features]
 * [ids][attributes], the last two when events have come since its beginning or tracepoints have
 * formats. What is behind the data is written over by the records that come next; before and after
 * that the header is written again, so that it always describes what is there.
 */
struct written_file {
	size_t event_count;        /* at its beginning */
	struct disk_section table; /* of their attributes */
	uint64_t data_begin;
	uint64_t data_end; /* of the last whole record */
	uint64_t last_end; /* that before the last portion */
	bool is_complete;  /* features follow the data */
};

struct writer {
	struct outlet output;
	struct strbuf records, portion;
	struct compressor *compressor; /* NULL: no compression */
	struct written_events events;
	struct feature_bodies features;
	struct build_ids *build_ids;
	struct run_facts facts; /* borrows nothing behind writer_create() */
	char tracefs[HOST_TEXT_MAX];
	bool has_news;            /* records since the last round */
	bool is_internal;         /* struct writer_request */
	struct written_file file; /* not of a pipe */
};

/*
 * The order of writes is what keeps the file readable: a header without features, then records over
 * the old features, then features, then the header that describes them. A kill between two of these
 * steps leaves a file that is only without features.
 */
static struct disk_header make_header(const struct written_file *file)
{
	return (struct disk_header){
		.magic = DISK_MAGIC,
		.size = sizeof(struct disk_header),
		.attr_size = attributes_entry_bytes(),
		.attrs = file->table,
		.data = {file->data_begin, file->data_end - file->data_begin},
	};
}

/* The header without features. */
static bool place_header(struct writer *writer)
{
	struct disk_header header = make_header(&writer->file);

	writer->file.is_complete = false;
	return outlet_place(&writer->output, 0, &header, sizeof(header));
}

static void begin_written(struct writer *writer)
{
	struct written_file *file = &writer->file;
	struct strbuf start = {0};
	struct disk_header header;

	strbuf_add_repeated(&start, '\0', sizeof(header));
	file->event_count = writer->events.count;
	file->table = attributes_append(&writer->events, false, 0, &start);
	file->data_begin = file->data_end = file->last_end = start.length;
	header = make_header(file);
	memcpy(start.text, &header, sizeof(header));
	outlet_append(&writer->output, start.text, start.length);
	strbuf_fini(&start);
}

/* Behind the data, and then the header that knows of them. False: the file is as it was. */
static bool place_features(struct writer *writer)
{
	struct written_file *file = &writer->file;
	struct disk_header header = make_header(file);
	struct strbuf rest = {0};

	feature_bodies_append(&writer->features, file->data_end, header.features, &rest);
	if (writer->events.count > file->event_count ||
	    writer->features.bodies[DISK_TRACING_DATA].length > 0) {
		bytes_pad(&rest, 0, sizeof(uint64_t));
		header.attrs = attributes_append(&writer->events, true, file->data_end, &rest);
	}
	file->is_complete = outlet_place(&writer->output, file->data_end, rest.text, rest.length) &&
			    outlet_place(&writer->output, 0, &header, sizeof(header));
	strbuf_fini(&rest);
	return file->is_complete;
}

/* The end of the data is the end of the file. */
static bool cut_features(struct writer *writer)
{
	return place_header(writer) && outlet_cut(&writer->output, writer->file.data_end);
}

/*
 * Features behind the data. Tried also when writing has failed: the last portion goes where there
 * is no room for both, for names and formats of tracepoints are worth more.
 */
static void complete_file(struct writer *writer)
{
	if (cut_features(writer) && place_features(writer))
		return;
	strbuf_clear(&writer->features.bodies[DISK_BUILD_ID]);
	if (cut_features(writer) && place_features(writer))
		return;
	writer->file.data_end = writer->file.last_end;
	if (!cut_features(writer) || !place_features(writer))
		cut_features(writer);
}

/* Of records that could be written only in part the whole ones stay. */
static void append_portion(struct writer *writer)
{
	struct written_file *file = &writer->file;
	const struct strbuf *portion = &writer->portion;
	size_t done = 0;

	file->last_end = file->data_end;
	if (!file->is_complete || cut_features(writer))
		done = outlet_append(&writer->output, portion->text, portion->length);
	file->data_end += done == portion->length ? done : bytes_whole_records(portion->text, done);
	place_header(writer);
	if (!outlet_check(&writer->output))
		complete_file(writer);
}

static bool has_failed(const struct writer *writer)
{
	return writer->output.failure.code != ERROR_NONE;
}

/* Takes the records of before into the portion, which they are to precede what comes next in. */
static void compress_records(struct writer *writer)
{
	struct strbuf *records = &writer->records;

	if (records->length == 0)
		return;
	if (!compressor_pack(writer->compressor, records->text, records->length, &writer->portion))
		memory_exhausted();
	strbuf_clear(records);
}

/* What changes with the records. */
static void collect_news(struct writer *writer)
{
	struct feature_bodies *features = &writer->features;

	if (writer->compressor) {
		writer->facts.ratio = compressor_ratio(writer->compressor);
		strbuf_clear(&features->bodies[DISK_COMPRESSED]);
		feature_append(DISK_COMPRESSED, &writer->facts, &features->bodies[DISK_COMPRESSED]);
	}
	strbuf_clear(&features->bodies[DISK_SAMPLE_TIME]);
	if (!feature_append(DISK_SAMPLE_TIME, &writer->facts, &features->bodies[DISK_SAMPLE_TIME]))
		strbuf_clear(&features->bodies[DISK_SAMPLE_TIME]);
}

static bool flush(struct writer *writer)
{
	struct strbuf *portion = &writer->portion;

	if (has_failed(writer))
		return false;
	compress_records(writer);
	if (portion->length > 0 && writer->output.is_file) {
		collect_news(writer);
		append_portion(writer);
	} else if (portion->length > 0) {
		outlet_append(&writer->output, portion->text, portion->length);
	}
	strbuf_clear(portion);
	return !has_failed(writer);
}

/* What is known of the machine and the run already. */
static void collect(struct writer *writer, const struct writer_request *request)
{
	struct run_facts facts = writer->facts;

	facts.host = request->host;
	facts.version = request->version;
	facts.arguments = request->arguments;
	for (unsigned int i = 0; i < DISK_FEATURES; i++) {
		struct strbuf *body = &writer->features.bodies[i];

		if (!feature_append((enum disk_feature)i, &facts, body))
			strbuf_clear(body);
	}
}

static void begin_file(struct writer *writer)
{
	begin_written(writer);
	attributes_emit_names(&writer->events, 0, &writer->portion);
	feature_emit(DISK_COMPRESSED, &writer->features.bodies[DISK_COMPRESSED], &writer->portion);
}

/* The formats of tracepoints, when there are any behind the first `known` events. */
static void emit_formats(struct writer *writer, size_t known)
{
	for (size_t i = known; i < writer->events.count; i++) {
		if (writer->events.events[i].has_format) {
			feature_emit_tracing(&writer->features.bodies[DISK_TRACING_DATA],
					     &writer->portion);
			return;
		}
	}
}

static void begin_pipe(struct writer *writer)
{
	struct strbuf *portion = &writer->portion;

	codec_put_u64(portion, DISK_MAGIC);
	codec_put_u64(portion, DISK_PIPE_BYTES);
	attributes_emit(&writer->events, 0, portion);
	attributes_emit_names(&writer->events, 0, portion);
	feature_bodies_emit(&writer->features, portion);
	emit_formats(writer, 0);
}

static void init_writer(struct writer *writer, const struct writer_request *request)
{
	if (request->compression > 0)
		writer->compressor = compressor_create(request->compression);
	writer->facts = (struct run_facts){
		.clock = request->clock,
		.wall_offset_ns = request->wall_offset_ns,
		.first_ns = request->begin_ns,
		.compression = (uint32_t)request->compression,
		.ratio = 1,
	};
	if (request->host)
		memcpy(writer->tracefs, request->host->tracefs, sizeof(writer->tracefs));
	writer->events.clock = request->clock;
	writer->events.cpu_count = request->cpu_count;
	written_events_take(&writer->events, request->events, request->event_count);
	writer->build_ids = build_ids_create();
	build_ids_note_kernel(writer->build_ids, "/sys/kernel/notes");
	collect(writer, request);
	feature_bodies_trace(&writer->features, &writer->events, writer->tracefs);
	feature_bodies_describe(&writer->features, &writer->events);
}

static void destroy_writer(struct writer *writer)
{
	outlet_close(&writer->output);
	strbuf_fini(&writer->records);
	strbuf_fini(&writer->portion);
	compressor_destroy(writer->compressor);
	written_events_fini(&writer->events);
	feature_bodies_fini(&writer->features);
	build_ids_destroy(writer->build_ids);
	free(writer);
}

struct writer *writer_create(const struct writer_request *request, struct error *error)
{
	struct outlet output;

	if (request->compression < 0 || request->compression > LEVEL_MAX) {
		error_set(error, ERROR_RECORD_COMPRESSION, request->path, NULL);
		return NULL;
	}
	if (!outlet_open(&output, request->path, error))
		return NULL;

	struct writer *writer = xcalloc(1, sizeof(*writer));

	writer->output = output;
	writer->is_internal = request->is_internal && output.is_file;
	init_writer(writer, request);
	if (output.is_file)
		begin_file(writer);
	else
		begin_pipe(writer);
	/* for the kernel's symbols; any event's record will do, for all of them end in the same way
	 */
	if (writer->events.count > 0)
		kernel_map_append("/proc/kallsyms", writer_id(0, -1), &writer->portion);
	/* Data of no size would look to perf as if the writer had been killed. */
	writer->has_news = true;
	if (!writer_flush(writer)) {
		if (error)
			*error = writer->output.failure;
		destroy_writer(writer);
		return NULL;
	}
	return writer;
}

static void note_written_time(struct run_facts *facts, uint64_t time_ns)
{
	if (time_ns == 0)
		return;
	if (facts->first_ns == 0)
		facts->first_ns = time_ns;
	if (time_ns > facts->last_ns)
		facts->last_ns = time_ns;
}

static struct strbuf *records_of(struct writer *writer)
{
	return writer->compressor ? &writer->records : &writer->portion;
}

void *writer_room(struct writer *writer)
{
	return strbuf_room(records_of(writer), ENCODE_SIZE_MAX);
}

void writer_commit(struct writer *writer, size_t size, uint64_t time_ns)
{
	struct strbuf *records = records_of(writer);

	if (has_failed(writer))
		return;
	if (writer->compressor && records->length + size > COMPRESS_PORTION) {
		const char *record = records->text + records->length;

		compress_records(writer);
		memmove(records->text, record, size);
	}
	strbuf_fill(records, size);
	note_written_time(&writer->facts, time_ns);
	writer->has_news = true;
	if (writer->portion.length >= PORTION_BYTES)
		flush(writer);
}

bool writer_flush(struct writer *writer)
{
	if (writer->is_internal || !writer->has_news || has_failed(writer))
		return !has_failed(writer);
	writer->has_news = false;
	if (!flush(writer))
		return false;
	if (writer->output.is_file)
		complete_file(writer);
	return !has_failed(writer);
}

void writer_note_interval(struct writer *writer)
{
	writer->output.has_interval = true;
}

static void change_pipe(struct writer *writer, size_t known)
{
	struct strbuf *portion = &writer->portion;

	attributes_emit(&writer->events, known, portion);
	attributes_emit_names(&writer->events, known, portion);
	feature_emit(DISK_EVENT_DESC, &writer->features.bodies[DISK_EVENT_DESC], portion);
	feature_emit(DISK_GROUP_DESC, &writer->features.bodies[DISK_GROUP_DESC], portion);
	emit_formats(writer, known);
}

void writer_change_events(struct writer *writer, const struct writer_event *events, size_t count)
{
	size_t known = writer->events.count;

	/* What is in the portion has to be written before what is new. */
	if (count == 0 || !flush(writer))
		return;
	written_events_take(&writer->events, events, count);
	feature_bodies_trace(&writer->features, &writer->events, writer->tracefs);
	feature_bodies_describe(&writer->features, &writer->events);
	if (!writer->output.is_file)
		change_pipe(writer, known);
	flush(writer);
}

void writer_note_file(struct writer *writer, const char *path, uint64_t inode)
{
	build_ids_note(writer->build_ids, path, inode);
}

const struct error *writer_failure(const struct writer *writer)
{
	return has_failed(writer) ? &writer->output.failure : NULL;
}

uint64_t writer_bytes(const struct writer *writer)
{
	return writer->output.size;
}

static void end_pipe(struct writer *writer)
{
	const struct feature_bodies *features = &writer->features;
	const struct strbuf *ids = &features->bodies[DISK_BUILD_ID];

	collect_news(writer);
	feature_emit(DISK_SAMPLE_TIME, &features->bodies[DISK_SAMPLE_TIME], &writer->portion);
	strbuf_add_bytes(&writer->portion, ids->text, ids->length);
	flush(writer);
}

bool writer_finish(struct writer *writer, struct error *error)
{
	if (!writer)
		return true;
	flush(writer);
	build_ids_append(writer->build_ids, writer->output.is_file ? 0 : DISK_RECORD_BUILD_ID,
			 &writer->features.bodies[DISK_BUILD_ID]);
	if (writer->output.is_file) {
		collect_news(writer);
		complete_file(writer);
		outlet_check(&writer->output);
	} else {
		end_pipe(writer);
	}
	outlet_close(&writer->output);

	bool is_whole = !has_failed(writer);

	if (!is_whole && error)
		*error = writer->output.failure;
	destroy_writer(writer);
	return is_whole;
}
