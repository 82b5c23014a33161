#ifndef PERFTOP_SYMBOL_OPENER_H
#define PERFTOP_SYMBOL_OPENER_H

/*
 * Files whose names other processes and files choose are opened by one process, which has the
 * rights of the program, and read by its parent, which has none (confine.h). A hostile file that
 * takes over the reader gets by this no more than other ELF files, what everybody may read, and
 * what is said of mappings and symbols. Only plain files are opened, so that no device begins to do
 * something and no pipe waits for its other end. A name is that which the process sees, under its
 * own root.
 */

#include <stdbool.h>
#include <stdint.h>

#include "symbol/wire.h"

struct opener {
	int fd;          /* socket to it; -1: it has ended, there are no files any more */
	uint64_t cpu_ns; /* that it has used */
	uint64_t rss_bytes;
};

/* In place of a descriptor. */
enum {
	OPEN_ABSENT = -1,  /* there is none, or it may not be read */
	OPEN_REFUSED = -2, /* it is something else than a plain file, or another user's */
	OPEN_NOT_ELF = -3
};

/* What is opened of an object, which need not be whole. */
enum opener_wish {
	OPENER_FILE,     /* the ELF file of its name, as its pid sees that; pid 0: this process */
	OPENER_MAPPED,   /* the ELF file that is mapped from start to end, even if its name is gone:
			    root may. ABSENT where that is another file than the object by now. */
	OPENER_JIT_MAP,  /* /tmp/perf-PID.map of its pid; of the user of the process, or root */
	OPENER_MAPS,     /* /proc/PID/maps; REFUSED: the process may not be looked into */
	OPENER_KALLSYMS, /* of this kernel; if it has a name, which is a build id as "ab/cd...":
			    what perf has kept of that one */
	OPENER_KERNEL_NOTES, /* which say the build id */
	OPENER_VDSO,         /* a copy of ours */
	OPENER_SOURCE,       /* a file of source by name, which debug information says and may be
				anything:        where the process sees it, or else on this machine, in
				both with       the rights        of its user. It is one that everybody
				may       read, or that user       owns, and it        has a size, which those
				of /proc       have not. */
	OPENER_WISHES
};

struct opener_reply {
	int result;      /* the descriptor, or a value from above */
	bool is_deleted; /* of what is mapped: its name means another file, or none */
	uint64_t cpu_ns, rss_bytes;
};

/* Starts it, as a child of this process that ends when the socket is closed. */
bool opener_start(struct opener *opener);
void opener_stop(struct opener *opener);

/* A descriptor for reading, or a value from above; the reply has it too, and may be NULL. */
int opener_open(struct opener *opener, enum opener_wish wish, const struct wire_object *object,
		struct opener_reply *reply);

#endif
