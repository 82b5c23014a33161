#ifndef PERFTOP_SYMBOL_DISASSEMBLE_H
#define PERFTOP_SYMBOL_DISASSEMBLE_H

/* Machine code as text, by capstone. What it reads is never executed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the header of an ELF file. */
struct code_machine {
	uint16_t number; /* EM_X86_64... */
	bool is_big_endian;
};

enum {
	INSTRUCTION_TEXT_MAX = 224
};

struct instruction_text {
	uint64_t address;
	bool leads;      /* jumps or calls `target`, which the instruction itself says */
	uint64_t target; /* an address */
	char text[INSTRUCTION_TEXT_MAX]; /* as objdump writes it, or ".byte 0x06" of what is none */
};

/*
 * Takes the instructions of some code one after the other. False: the machine is none that the
 * library knows.
 */
bool disassemble(const struct code_machine *machine, const uint8_t *code, size_t size,
		 uint64_t address,
		 void (*take)(const struct instruction_text *instruction, void *context),
		 void *context);

#endif
