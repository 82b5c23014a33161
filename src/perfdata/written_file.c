/*
 * The order of writes is what keeps the file readable: a header without features, then records over
 * the old features, then features, then the header that describes them. A kill between two of these
 * steps leaves a file that is only without features.
 */

#include "perfdata/written_file.h"

#include <string.h>

#include "base/strbuf.h"

#include "perfdata/attributes.h"
#include "perfdata/bytes.h"
#include "perfdata/features.h"
#include "perfdata/outlet.h"

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
static bool place_header(struct written_file *file)
{
	struct disk_header header = make_header(file);

	file->is_complete = false;
	return outlet_place(file->output, 0, &header, sizeof(header));
}

void written_file_begin(struct written_file *file, struct outlet *output,
			struct written_events *events, struct feature_bodies *features)
{
	struct strbuf start = {0};
	struct disk_header header;

	*file = (struct written_file){.output = output, .events = events, .features = features};
	strbuf_add_repeated(&start, '\0', sizeof(header));
	file->table = attributes_append(events, 0, &start);
	file->next_table = file->last_table = file->table;
	file->data_begin = file->data_end = file->last_end = start.length;
	header = make_header(file);
	memcpy(start.text, &header, sizeof(header));
	outlet_append(output, start.text, start.length);
	strbuf_fini(&start);
}

/* Behind the data, and then the header that knows of them. False: the file is as it was. */
static bool place_features(struct written_file *file)
{
	struct disk_header header = make_header(file);
	struct strbuf rest = {0};

	feature_bodies_append(file->features, file->data_end, header.features, &rest);
	if (file->lacks_table) {
		bytes_pad(&rest, 0, sizeof(uint64_t));
		header.attrs = attributes_append_last(file->events, file->data_end, &rest);
	}
	file->is_complete = outlet_place(file->output, file->data_end, rest.text, rest.length) &&
			    outlet_place(file->output, 0, &header, sizeof(header));
	strbuf_fini(&rest);
	return file->is_complete;
}

/* The end of the data is the end of the file. */
static bool cut(struct written_file *file)
{
	return place_header(file) && outlet_cut(file->output, file->data_end);
}

/* The data ends there: what followed about events comes with the features, if at all. */
static void end_data(struct written_file *file, uint64_t end)
{
	file->data_end = end;
	file->table = file->next_table = file->last_table;
	file->lacks_table = true;
	written_events_forget(file->events, end);
}

void written_file_complete(struct written_file *file)
{
	if (cut(file) && place_features(file))
		return;
	end_data(file, file->last_end);
	if (!cut(file) || !place_features(file))
		cut(file);
}

void written_file_append(struct written_file *file, const struct strbuf *portion)
{
	size_t done = 0;

	file->last_end = file->data_end;
	file->last_table = file->table;
	if (!file->is_complete || cut(file))
		done = outlet_append(file->output, portion->text, portion->length);
	if (done == portion->length) {
		file->data_end += done;
		file->table = file->next_table;
	} else {
		end_data(file, file->data_end + bytes_whole_records(portion->text, done));
	}
	place_header(file);
	if (!outlet_check(file->output))
		written_file_complete(file);
}

void written_file_emit_events(struct written_file *file, struct strbuf *portion)
{
	struct disk_section table =
		attributes_append_records(file->events, file->data_end, portion);

	file->lacks_table = table.size == 0;
	if (!file->lacks_table)
		file->next_table = table;
}
