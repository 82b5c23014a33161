#ifndef PERFTOP_KERNEL_PERFDATA_COMPLETE_H
#define PERFTOP_KERNEL_PERFDATA_COMPLETE_H

/*
 * What describes a recording besides its records: in a file the features behind the data, in a pipe
 * records before them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "kernel/perfdata/attributes.h"
#include "kernel/perfdata/disk.h"

struct feature_bodies {
	struct strbuf bodies[DISK_FEATURES]; /* empty: the file does not have it */
};

void feature_bodies_fini(struct feature_bodies *features);

/* EVENT_DESC and GROUP_DESC as they are now. */
void feature_bodies_describe(struct feature_bodies *features, const struct written_events *events);

/* TRACING_DATA of the tracepoints among the events, and their has_format. False: not of all. */
bool feature_bodies_trace(struct feature_bodies *features, struct written_events *events,
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

#endif
