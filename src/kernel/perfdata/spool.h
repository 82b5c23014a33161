#ifndef PERFTOP_KERNEL_PERFDATA_SPOOL_H
#define PERFTOP_KERNEL_PERFDATA_SPOOL_H

/*
 * A recording that must be read as a file and comes through a pipe (cat, zcat, ssh): its end says
 * what is at its beginning, so all of it is waited for, and kept in a file without a name in TMPDIR
 * or /tmp.
 */

#include <stdbool.h>
#include <stdint.h>

struct error;
struct inlet;

/* The most that is kept. */
static const uint64_t SPOOL_MAX = UINT64_C(4) << 30;

/*
 * What is still to come through the inlet, from the byte on that it gives next, is a regular file
 * afterwards, and that byte its first. False: there is more than `most` bytes, or no room; the
 * inlet is to be closed.
 */
bool spool_in(struct inlet *inlet, uint64_t most, const char *path, struct error *error);

#endif
