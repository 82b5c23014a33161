#ifndef PERFTOP_KERNEL_MAPS_H
#define PERFTOP_KERNEL_MAPS_H

/* The mappings of a running process, as PERF_RECORD_MMAP2 would report them: is_data, if it is not
 * executable. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernel/decode.h"

/*
 * One line of /proc/PID/maps, without its end. The mapping's file points into the line, from which
 * the kernel's \012 for a line end in a name is undone in place. False: it is no such line.
 */
bool maps_parse_line(char *line, struct decoded_mmap *mapping);

/* Calls visit() for each mapping in such a file; the mapping is valid during the call. */
void maps_read(FILE *file, void (*visit)(const struct decoded_mmap *mapping, void *context),
	       void *context);

/* The same for a process. False: it has ended, or may not be inspected. */
bool maps_walk(int32_t pid, void (*visit)(const struct decoded_mmap *mapping, void *context),
	       void *context);

/* Name of the code that the kernel maps into every process. */
#define MAPS_VDSO "[vdso]"

/* A copy of this process' vdso, as a file. Below 0: there is none. */
int maps_copy_vdso(void);

#endif
