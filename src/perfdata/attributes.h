#ifndef PERFTOP_PERFDATA_ATTRIBUTES_H
#define PERFTOP_PERFDATA_ATTRIBUTES_H

/*
 * The events of a file that is written, and the forms in which it has them: the table of
 * attributes, records that say the same in a pipe, the features about events and groups.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "perfdata/disk.h"
#include "perfdata/writer.h"

struct strbuf;

struct written_event {
	enum writer_event_kind kind;
	char *name; /* owned */
	double scale;
	char unit[EVENT_SPEC_UNIT_MAX];
	struct perf_event_attr attr;
	uint64_t ids_offset; /* where they are in the file; 0: nowhere yet */
};

struct written_events {
	struct written_event *events; /* owned */
	size_t count, capacity;
	int cpu_count;
	int32_t clock;
};

/* Takes those over, behind those it has. */
void written_events_take(struct written_events *written, const struct writer_event *events,
			 size_t count);
/* What stood behind this place of the file is no longer there. */
void written_events_forget(struct written_events *written, uint64_t offset);
void written_events_fini(struct written_events *written);

/* Bytes of an entry of the table. */
size_t attributes_entry_bytes(void);

/*
 * Appends ids and the table, for a file without features, and returns where the table is; `offset`
 * is that of the buffer's beginning in the file.
 */
struct disk_section attributes_append(struct written_events *written, uint64_t offset,
				      struct strbuf *buffer);

/*
 * The same among the records: inside of records that every reader skips. A table that is too large
 * for one has size 0 and is not there.
 */
struct disk_section attributes_append_records(struct written_events *written, uint64_t offset,
					      struct strbuf *buffer);

/* The table of a file with features, and the ids without a place: after the data, for a while. */
struct disk_section attributes_append_last(const struct written_events *written, uint64_t offset,
					   struct strbuf *buffer);

/* For a pipe: the attribute of each event from `first` on as a record. */
void attributes_emit(const struct written_events *written, size_t first, struct strbuf *buffer);

/* Records with the names and units of the events from `first` on. */
void attributes_emit_names(const struct written_events *written, size_t first,
			   struct strbuf *buffer);

/* Bodies of the features EVENT_DESC and GROUP_DESC. False: there are no groups. */
void attributes_describe(const struct written_events *written, struct strbuf *buffer);
bool attributes_describe_groups(const struct written_events *written, struct strbuf *buffer);

#endif
