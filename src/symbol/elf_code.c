/* Program headers and symbols of ELF files. */
#include "symbol/elf_code.h"

#include <string.h>

bool elf_code_read(Elf *elf, struct elf_code *code)
{
	GElf_Ehdr elf_header;
	size_t count;

	code->count = 0;
	if (!elf || elf_getphdrnum(elf, &count) != 0 || !gelf_getehdr(elf, &elf_header))
		return false;
	code->machine = (struct code_machine){
		.number = elf_header.e_machine,
		.is_64 = elf_header.e_ident[EI_CLASS] == ELFCLASS64,
		.is_big_endian = elf_header.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	for (size_t i = 0; i < count && i <= INT32_MAX && code->count < ELF_SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header))
			break;
		if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0 ||
		    header.p_filesz > UINT64_MAX - header.p_offset ||
		    header.p_filesz > UINT64_MAX - header.p_vaddr)
			continue;
		code->segments[code->count++] = (struct elf_segment){
			.offset = header.p_offset,
			.bytes = header.p_filesz,
			.address = header.p_vaddr,
		};
	}
	return code->count > 0;
}

const struct elf_segment *elf_code_at_address(const struct elf_code *code, uint64_t address)
{
	for (size_t i = 0; i < code->count; i++)
		if (address - code->segments[i].address < code->segments[i].bytes)
			return &code->segments[i];
	return NULL;
}

const struct elf_segment *elf_code_at_offset(const struct elf_code *code, uint64_t offset)
{
	for (size_t i = 0; i < code->count; i++)
		if (offset - code->segments[i].offset < code->segments[i].bytes)
			return &code->segments[i];
	return NULL;
}

/* Of ARM and RISC-V: marks of what is code and what data, and labels of the compiler. */
static bool is_mark(const char *name)
{
	return name[0] == '$' || strncmp(name, ".L", 2) == 0;
}

bool elf_symbol_is_function(const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && !is_mark(name));
}

enum function_rank elf_symbol_rank(const GElf_Sym *symbol)
{
	if (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE)
		return FUNCTION_LABEL;
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_WEAK:
		return FUNCTION_WEAK;
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return FUNCTION_GLOBAL;
	default:
		return FUNCTION_LOCAL;
	}
}
