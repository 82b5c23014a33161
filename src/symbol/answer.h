#ifndef PERFTOP_SYMBOL_ANSWER_H
#define PERFTOP_SYMBOL_ANSWER_H

/* What the helper finds out about one address. */

#include <stddef.h>
#include <stdint.h>

#include "symbol/symbols.h"

enum {
	ANSWER_LINES_MAX = 16 /* functions that were inlined into each other, and the outer one */
};

struct answer_line {
	const char *function; /* NULL: as the answer's */
	const char *file;     /* never NULL */
	uint32_t line;
};

struct answer {
	/* Function and reason are the same from start on and below end: offsets in the file, or
	   addresses if there is none. */
	uint64_t start, end;
	enum symbol_reason reason;             /* NONE: there is a function */
	uint64_t function_start, function_end; /* in the same numbers */
	const char *name;                      /* as the linker knows it; NULL: none */
	const char *module;                    /* of the kernel; NULL: none */
	/* What was executed, then what that was inlined into; 0: no lines are known. */
	struct answer_line lines[ANSWER_LINES_MAX];
	size_t line_count;
};

#endif
