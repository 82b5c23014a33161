#ifndef PERFTOP_KERNEL_PERFDATA_HEADER_H
#define PERFTOP_KERNEL_PERFDATA_HEADER_H

/*
 * The beginning of a recording: which form and byte order it has, where its parts lie, and its
 * attributes. The features, which lie at the end of a file, are read with it.
 */

#include <stdbool.h>

struct error;
struct perfdata;

/* The inlet is open and at the beginning; it is left at the first record. */
bool header_read(struct perfdata *file, const char *path, struct error *error);

#endif
