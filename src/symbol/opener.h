#ifndef PERFTOP_SYMBOL_OPENER_H
#define PERFTOP_SYMBOL_OPENER_H

/*
 * Files are opened by one process, which has the rights of the program, and read by its parent,
 * which has none (confine.h). A hostile file that takes over the reader gets by this no more than
 * other ELF files, what everybody may read, and what is said of mappings and symbols.
 */

#include <stdbool.h>
#include <stdint.h>

#include "symbol/open_file.h"
#include "symbol/wire.h"

struct opener {
	int fd;          /* socket to it; -1: it has ended, there are no files any more */
	uint64_t cpu_ns; /* that it has used */
	uint64_t rss_bytes;
};

enum opener_wish {
	OPENER_FILE,    /* an ELF file, by the name that the process sees; pid 0: this one */
	OPENER_MAPPED,  /* the ELF file that is mapped from start to end, even if it was deleted */
	OPENER_JIT_MAP, /* of the process: what it made at run time */
	OPENER_MAPS,    /* /proc/PID/maps */
	OPENER_KALLSYMS,
	OPENER_KERNEL_NOTES,  /* which say its build id */
	OPENER_KEPT_KALLSYMS, /* what perf has kept of a kernel; its name is the build id,
				 "ab/cd..." */
	OPENER_VDSO,          /* a copy of ours */
	OPENER_SOURCE,        /* a file of source, by name as FILE, that is no secret */
	OPENER_WISHES
};

struct opener_request {
	enum opener_wish wish;
	int32_t pid;
	uint64_t start, end;
	char name[WIRE_TEXT_BYTES + 1];
};

struct opener_reply {
	int result;      /* the descriptor, or a value of open_file.h */
	bool is_deleted; /* of what is mapped: the name in the request means another file, or none
			  */
	uint64_t cpu_ns, rss_bytes;
	char name[WIRE_TEXT_BYTES + 1]; /* of what is mapped, as the kernel calls it */
};

/* Starts it, as a child of this process that ends when the socket is closed. */
bool opener_start(struct opener *opener);
void opener_stop(struct opener *opener);

/* Returns reply->result. */
int opener_open(struct opener *opener, const struct opener_request *request,
		struct opener_reply *reply);

/* A wish that needs no more than a process; 0: none. */
int opener_open_of(struct opener *opener, enum opener_wish wish, int32_t pid);

#endif
