#ifndef PERFTOP_PERFDATA_OUTLET_H
#define PERFTOP_PERFDATA_OUTLET_H

/*
 * The file that is written: how it is made, and what happens to it when the disk is full, it
 * is deleted, or its reader goes. The first failure is kept; behind it nothing is written but what
 * repairs the file (outlet_place, outlet_cut).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct outlet {
	int fd;
	bool is_file;         /* a regular one, that can be sought; otherwise a pipe or the like */
	char *path;           /* owned; as it was given */
	uint64_t size;        /* bytes written at the end so far */
	bool has_interval;    /* and a whole interval is among them: that can be read */
	struct error failure; /* code ERROR_NONE: none */
};

/*
 * Opens it for writing; "-" is standard output. What is at a path is moved to PATH.old first.
 * False: nothing was changed.
 */
bool outlet_open(struct outlet *output, const char *path, struct error *error);

/* Appends; returns how many bytes went out: fewer than `size` is a failure. */
size_t outlet_append(struct outlet *output, const void *bytes, size_t size);

/* Of a file only: writes over what is there; cuts it; whether it can still be found. */
bool outlet_place(struct outlet *output, uint64_t offset, const void *bytes, size_t size);
bool outlet_cut(struct outlet *output, uint64_t size);
bool outlet_check(struct outlet *output);

/* Closes it; what the kernel says only now is a failure, too. */
void outlet_close(struct outlet *output);

#endif
