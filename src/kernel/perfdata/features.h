#ifndef PERFTOP_KERNEL_PERFDATA_FEATURES_H
#define PERFTOP_KERNEL_PERFDATA_FEATURES_H

/*
 * Bodies of the features that describe the machine and the run. What cannot be found out is left
 * out: a feature that is not in a file is unknown to its reader.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfdata/disk.h"

struct host;
struct strbuf;

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

#endif
