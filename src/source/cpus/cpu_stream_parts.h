#ifndef PERFTOP_SOURCE_CPUS_LANE_PARTS_H
#define PERFTOP_SOURCE_CPUS_LANE_PARTS_H

/*
 * What the files of a stream (cpu_stream.h) share: cpu_stream.c opens and changes it,
 * cpu_stream_rotation.c switches its groups on and off and reads them, cpu_stream_records.c
 * delivers.
 */

#include <stddef.h>
#include <stdint.h>

struct attr_features;
struct cpu_stream;

static const size_t CPU_STREAM_NOBODY = SIZE_MAX; /* no group */

/* Keeps the present reading of a group: from it on it is counted. */
void cpu_stream_begin_anew(struct cpu_stream *stream, size_t group,
			   const struct attr_features *features);

#endif
