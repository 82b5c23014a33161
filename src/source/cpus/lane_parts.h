#ifndef PERFTOP_SOURCE_CPUS_LANE_PARTS_H
#define PERFTOP_SOURCE_CPUS_LANE_PARTS_H

/*
 * What the files of a lane (lane.h) share: lane.c opens and changes it, lane_turns.c switches its
 * groups on and off and reads them, lane_stream.c delivers.
 */

#include <stddef.h>
#include <stdint.h>

struct attr_features;
struct lane;

static const size_t LANE_NOBODY = SIZE_MAX; /* no group */

/* Keeps the present reading of a group: from it on it is counted. */
void lane_begin_anew(struct lane *lane, size_t group, const struct attr_features *features);

#endif
