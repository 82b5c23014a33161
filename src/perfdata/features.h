#ifndef PERFTOP_PERFDATA_FEATURES_H
#define PERFTOP_PERFDATA_FEATURES_H

/*
 * Bodies of the features that describe the machine and the run. What cannot be found out is left
 * out: a feature that is not in a file is unknown to its reader.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#include "perfdata/attributes.h"
#include "perfdata/disk.h"

struct host;

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

/*
 * Appends all features with the table of their sections in front, for this offset in the file;
 * `bits` says which there are.
 */
void feature_bodies_append(const struct feature_bodies *features, uint64_t offset,
			   uint64_t bits[static DISK_FEATURE_WORDS], struct strbuf *buffer);

/* The same as records. A feature that is too large for one is left out. */
void feature_bodies_emit(const struct feature_bodies *features, struct strbuf *buffer);
void feature_emit(enum disk_feature feature, const struct strbuf *body, struct strbuf *buffer);

#endif
