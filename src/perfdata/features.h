#ifndef PERFTOP_PERFDATA_FEATURES_H
#define PERFTOP_PERFDATA_FEATURES_H

/*
 * What a file that is written says of itself besides its records: its events, in all the forms in
 * which files and pipes have them, and the features that describe the machine and the run. What
 * cannot be found out is left out: a feature that is not in a file is unknown to its reader.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "base/strbuf.h"

#include "perfdata/disk.h"
#include "perfdata/writer.h"

struct host;

struct written_event {
	enum writer_event_kind kind;
	char *name; /* owned */
	double scale;
	char unit[EVENT_SPEC_UNIT_MAX];
	struct perf_event_attr attr;
	bool has_format; /* of a tracepoint: it can be written */
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
void written_events_fini(struct written_events *written);

/* Bytes of an entry of the table. */
size_t attributes_entry_bytes(void);

/*
 * Appends ids and the table, and returns where that is; `offset` is that of the buffer's beginning
 * in the file.
 *
 * A tracepoint's attribute makes perf want its format (TRACING_DATA). A table that has to do
 * without features therefore has a dummy in its place, and so have all where the format is not
 * known. Nothing is lost by it: of the events only notes and leaders have samples.
 */
struct disk_section attributes_append(const struct written_events *written, bool has_features,
				      uint64_t offset, struct strbuf *buffer);

/* For a pipe: the attribute of each event from `first` on as a record. */
void attributes_emit(const struct written_events *written, size_t first, struct strbuf *buffer);

/* Records with the names and units of the events from `first` on. */
void attributes_emit_names(const struct written_events *written, size_t first,
			   struct strbuf *buffer);

/* Bodies of the features EVENT_DESC and GROUP_DESC. False: there are no groups. */
void attributes_describe(const struct written_events *written, struct strbuf *buffer);
bool attributes_describe_groups(const struct written_events *written, struct strbuf *buffer);

/* What is known of a run besides its events. */
struct run_facts {
	const struct host *host; /* NULL: not known */
	const char *version;
	char *const *arguments; /* NULL: not known */
	int32_t clock;
	int64_t wall_offset_ns;
	uint64_t first_ns, last_ns; /* of the records; last 0: there are none */
	uint32_t compression;       /* level; 0: none */
	uint32_t ratio;
};

/* Appends the feature's body. False: it is not known, or not this module's affair. */
bool feature_append(enum disk_feature feature, const struct run_facts *facts,
		    struct strbuf *buffer);

/*
 * What describes a recording besides its records: in a file the features behind the data, in a pipe
 * records before them.
 */
struct feature_bodies {
	struct strbuf bodies[DISK_FEATURES]; /* empty: the file does not have it */
};

void feature_bodies_fini(struct feature_bodies *features);

/* EVENT_DESC and GROUP_DESC as they are now. */
void feature_bodies_describe(struct feature_bodies *features, const struct written_events *events);

/* TRACING_DATA of the tracepoints among the events, and their has_format. */
void feature_bodies_trace(struct feature_bodies *features, struct written_events *events,
			  const char *tracefs);

/*
 * Appends all features with the table of their sections in front, for this offset in the file;
 * `bits` says which there are.
 */
void feature_bodies_append(const struct feature_bodies *features, uint64_t offset,
			   uint64_t bits[static DISK_FEATURE_WORDS], struct strbuf *buffer);

/* The same as records. A feature that is too large for one is left out. */
void feature_bodies_emit(const struct feature_bodies *features, struct strbuf *buffer);
void feature_emit(enum disk_feature feature, const struct strbuf *body, struct strbuf *buffer);

/* TRACING_DATA in a pipe: a record, and the data behind it. */
void feature_emit_tracing(const struct strbuf *body, struct strbuf *buffer);

/*
 * Where the kernel is in memory, as the record that perf wants to see in a file before it looks for
 * the kernel's symbols: a mapping of "[kernel.kallsyms]_text", of the event with this id. kallsyms:
 * "/proc/kallsyms". False, and nothing is appended: it does not show addresses to this user.
 */
bool kernel_map_append(const char *kallsyms, uint64_t id, struct strbuf *buffer);

#endif
