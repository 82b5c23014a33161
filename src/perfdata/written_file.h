#ifndef PERFTOP_PERFDATA_WRITTEN_FILE_H
#define PERFTOP_PERFDATA_WRITTEN_FILE_H

/*
 * A file that grows and can be read at any time: [header][ids][attributes][data][features]
 * [attributes]. What is behind the data is written over by the records that come next; before and
 * after that the header is written again, so that it always describes what is there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/disk.h"

struct feature_bodies;
struct outlet;
struct strbuf;
struct written_events;

struct written_file {
	struct outlet *output; /* these three are borrowed; what fails is the output's failure */
	struct written_events *events;
	struct feature_bodies *features;
	uint64_t data_begin;
	uint64_t data_end;              /* of the last whole record */
	struct disk_section table;      /* of attributes, that the header has */
	struct disk_section next_table; /* that it has when the next portion is written */
	uint64_t last_end;              /* data_end before the last portion, and the table then */
	struct disk_section last_table;
	bool lacks_table; /* the newest events are in none */
	bool is_complete; /* features follow the data */
};

/* Header, ids and attributes. */
void written_file_begin(struct written_file *file, struct outlet *output,
			struct written_events *events, struct feature_bodies *features);

/* Appends whole records. Of those that could be written only in part the whole ones stay. */
void written_file_append(struct written_file *file, const struct strbuf *portion);

/* Appends records with the events that are new to the portion that is written next. */
void written_file_emit_events(struct written_file *file, struct strbuf *portion);

/*
 * Features behind the data. Tried also when writing has failed: the last portion goes where there
 * is no room for both, for names are worth more.
 */
void written_file_complete(struct written_file *file);

#endif
