#ifndef PERFTOP_BATCH_TRACE_H
#define PERFTOP_BATCH_TRACE_H

/* What the format "trace" keeps from one call to the next: what tracks there are, and where they
 * end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct batch_input;
struct strbuf;

/* An empty one is {0}. */
struct trace {
	uint64_t events;       /* that were written */
	struct map cpus;       /* owned; struct trace_cpu, by number + 1 */
	struct map tracks;     /* a hash of the name that a track has, by pid and tid */
	bool lacks_switches;   /* not all of them were written */
	bool has_written_cpus; /* the name of what they are in */
};

void trace_fini(struct trace *trace);

/*
 * The switches that were not settled, slices of what runs still, and the end of the text. The input
 * is that of the last interval, its request for what was not written yet; its snapshot may be NULL:
 * there was none.
 */
void trace_end(struct strbuf *out, const struct batch_input *input);

#endif
