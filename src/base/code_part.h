#ifndef PERFTOP_BASE_CODE_PART_H
#define PERFTOP_BASE_CODE_PART_H

/* The code of a function, part by part: files of source, their lines, instructions. */

#include <stdint.h>

enum code_part_kind {
	CODE_FILE, /* of source; its lines follow, those with code and some between them */
	CODE_LINE,
	CODE_INSTRUCTION
};

enum code_source {
	CODE_SOURCE_READ,
	CODE_SOURCE_NEWER, /* than the program: it may have been changed since */
	CODE_SOURCE_ABSENT /* it cannot be read: lines have no text */
};

struct code_part {
	enum code_part_kind kind;
	enum code_source source; /* of a file */
	uint32_t file;           /* number, from 1; 0: of an instruction that has no line */
	uint32_t line;
	uint64_t at;      /* of an instruction, as that of samples (struct record_sample) */
	uint64_t address; /* the same as the file says it, and disassemblers show it */
	uint64_t target;  /* where in the function it jumps, as `at`; 0: nowhere */
	const char *text; /* harmless UTF-8 */
};

#endif
