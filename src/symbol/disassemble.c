/*
 * What an instruction jumps to is taken from its text, where it is the last operand: the library
 * has another structure for each machine, and renames some from version to version.
 */
#include "symbol/disassemble.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Machines with 32 and 64 bits have a row for each. */
static bool choose_machine(const struct code_machine *machine, cs_arch *arch, cs_mode *mode)
{
	static const struct {
		uint16_t number;
		cs_arch arch;
		cs_mode mode;
	} known[] = {
		{EM_X86_64, CS_ARCH_X86, CS_MODE_64},
		{EM_386, CS_ARCH_X86, CS_MODE_32},
		{EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN},
		{EM_ARM, CS_ARCH_ARM, CS_MODE_ARM},
		{EM_S390, CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN},
		{EM_PPC64, CS_ARCH_PPC, CS_MODE_64},
#if CS_API_MAJOR >= 5
		{EM_RISCV, CS_ARCH_RISCV, CS_MODE_RISCV64 | CS_MODE_RISCVC},
#endif
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (known[i].number != machine->number)
			continue;
		*arch = known[i].arch;
		*mode = known[i].mode;
		if (machine->number == EM_PPC64 && machine->is_big_endian)
			*mode |= CS_MODE_BIG_ENDIAN;
		return true;
	}
	return false;
}

/* "jne 0x1139", "tbz w0, #3, #0x1139": not what is in registers or memory. */
static void find_jump_target(csh handle, const cs_insn *found, struct instruction_text *instruction)
{
	const char *last = strrchr(found->op_str, ' ');
	char *end;

	last = last ? last + 1 : found->op_str;
	last += *last == '#';
	if (strncmp(last, "0x", 2) != 0 || (!cs_insn_group(handle, found, CS_GRP_JUMP) &&
					    !cs_insn_group(handle, found, CS_GRP_CALL)))
		return;
	instruction->target = strtoull(last, &end, 16);
	instruction->leads = *end == '\0';
}

bool disassemble(const struct code_machine *machine, const uint8_t *code, size_t size,
		 uint64_t address,
		 void (*take)(const struct instruction_text *instruction, void *context),
		 void *context)
{
	cs_arch arch;
	cs_mode mode;
	csh handle;
	cs_insn *found;

	if (!choose_machine(machine, &arch, &mode) || cs_open(arch, mode, &handle) != CS_ERR_OK)
		return false;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(handle, CS_OPT_SKIPDATA, CS_OPT_ON);
	if (arch == CS_ARCH_X86)
		cs_option(handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	found = cs_malloc(handle);
	while (found && cs_disasm_iter(handle, &code, &size, &address, found)) {
		struct instruction_text instruction = {.address = found->address};

		snprintf(instruction.text, sizeof(instruction.text), "%s%s%s", found->mnemonic,
			 found->op_str[0] != '\0' ? " " : "", found->op_str);
		if (found->id != 0)
			find_jump_target(handle, found, &instruction);
		take(&instruction, context);
	}
	if (found)
		cs_free(found, 1);
	cs_close(&handle);
	return true;
}
