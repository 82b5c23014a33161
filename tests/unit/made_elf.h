#ifndef PERFTOP_TESTS_MADE_ELF_H
#define PERFTOP_TESTS_MADE_ELF_H

/*
 * A small 64-bit ELF file, put together by hand: two segments, two symbol tables and versions.
 * Tests change single fields of it. What its code segment holds is of no matter.
 */

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "symbol/probe_place.h"

enum {
	MADE_SYMBOLS_AT = 0x100,
	MADE_NAMES_AT = 0x300,
	MADE_DYNAMIC_AT = 0x400,
	MADE_DYNAMIC_NAMES_AT = 0x480,
	MADE_VERSIONS_AT = 0x500,
	MADE_SECTIONS_AT = 0x700,
	MADE_CODE_AT = 0xa00,
	MADE_CODE_BYTES = 0x400,
	MADE_BYTES = MADE_CODE_AT + MADE_CODE_BYTES,
	MADE_CODE_ADDRESS = 0x402000
};

enum made_section {
	MADE_NULL,
	MADE_SYMTAB,
	MADE_STRTAB,
	MADE_DYNSYM,
	MADE_DYNSTR,
	MADE_VERSYM,
	MADE_SECTIONS
};

struct made_elf {
	_Alignas(8) char bytes[MADE_BYTES];
};

struct made_symbol {
	const char *name;
	unsigned char binding, type;
	uint16_t section; /* 0: not defined here */
	uint64_t value;
};

/* Offsets of what the tests look for: the code's file offset and these. */
static const struct made_symbol made_symbols[] = {
	{"main", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x10},
	{"twice", STB_LOCAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x40},
	{"twice", STB_LOCAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x60},
	{"shadow", STB_LOCAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x80},
	{"shadow", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0xa0},
	{"data", STB_GLOBAL, STT_OBJECT, 1, MADE_CODE_ADDRESS + 0xb0},
	{"outside", STB_GLOBAL, STT_FUNC, 1, 0x500000},
	{"picked", STB_GLOBAL, STT_GNU_IFUNC, 1, MADE_CODE_ADDRESS + 0xc0},
	{"missing", STB_GLOBAL, STT_FUNC, 0, 0},
	{"old@V1", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0xd0},
	{"old@@V2", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0xe0},
	{"late", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x140},
	{"late", STB_WEAK, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x160},
	{"late", STB_LOCAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x180},
	{"label", STB_LOCAL, STT_NOTYPE, 1, MADE_CODE_ADDRESS + 0xf0},
};

static const struct made_symbol made_dynamic_symbols[] = {
	{"shown", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x100}, /* V1, hidden */
	{"shown", STB_GLOBAL, STT_FUNC, 1, MADE_CODE_ADDRESS + 0x120}, /* V2 */
};

static inline void made_put(struct made_elf *elf, size_t at, const void *bytes, size_t size)
{
	memcpy(elf->bytes + at, bytes, size);
}

/* Appends a name to the names at `at`; returns its place among them. */
static inline uint32_t made_name(struct made_elf *elf, size_t at, size_t *length, const char *name)
{
	uint32_t place = (uint32_t)*length;

	made_put(elf, at + place, name, strlen(name) + 1);
	*length += strlen(name) + 1;
	return place;
}

static inline void made_put_symbols(struct made_elf *elf, const struct made_symbol *symbols,
				    size_t count, size_t at, size_t names_at, size_t *names_length)
{
	for (size_t i = 0; i < count; i++) {
		const Elf64_Sym symbol = {
			.st_name = made_name(elf, names_at, names_length, symbols[i].name),
			.st_info =
				(unsigned char)ELF64_ST_INFO(symbols[i].binding, symbols[i].type),
			.st_shndx = symbols[i].section,
			.st_value = symbols[i].value,
			.st_size = 0x10,
		};

		made_put(elf, at + (i + 1) * sizeof(symbol), &symbol, sizeof(symbol));
	}
}

static inline void made_put_section(struct made_elf *elf, enum made_section number, uint32_t type,
				    size_t at, size_t size, uint32_t link, uint32_t info)
{
	const Elf64_Shdr section = {
		.sh_type = type,
		.sh_offset = at,
		.sh_size = size,
		.sh_link = link,
		.sh_info = info,
		.sh_addralign = 8,
		.sh_entsize = type == SHT_GNU_versym                     ? sizeof(Elf64_Half)
			      : type == SHT_SYMTAB || type == SHT_DYNSYM ? sizeof(Elf64_Sym)
									 : 0,
	};

	made_put(elf, MADE_SECTIONS_AT + number * sizeof(section), &section, sizeof(section));
}

static inline void made_put_segment(struct made_elf *elf, size_t number, uint32_t flags, size_t at,
				    uint64_t address, size_t size)
{
	const Elf64_Phdr segment = {
		.p_type = PT_LOAD,
		.p_flags = flags,
		.p_offset = at,
		.p_vaddr = address,
		.p_filesz = size,
		.p_memsz = size,
		.p_align = 0x1000,
	};

	made_put(elf, sizeof(Elf64_Ehdr) + number * sizeof(segment), &segment, sizeof(segment));
}

static inline void made_elf_init(struct made_elf *elf)
{
	const size_t symbols = sizeof(made_symbols) / sizeof(*made_symbols);
	const size_t dynamic = sizeof(made_dynamic_symbols) / sizeof(*made_dynamic_symbols);
	const Elf64_Half versions[] = {0, 2 | 0x8000, 3};
	size_t names = 1, dynamic_names = 1;
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			    EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = MADE_SECTIONS_AT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = MADE_SECTIONS,
	};

	memset(elf, 0, sizeof(*elf));
	made_put(elf, 0, &header, sizeof(header));
	made_put_segment(elf, 0, PF_R, 0, 0x400000, MADE_CODE_AT);
	made_put_segment(elf, 1, PF_R | PF_X, MADE_CODE_AT, MADE_CODE_ADDRESS, MADE_CODE_BYTES);
	made_put_symbols(elf, made_symbols, symbols, MADE_SYMBOLS_AT, MADE_NAMES_AT, &names);
	made_put_symbols(elf, made_dynamic_symbols, dynamic, MADE_DYNAMIC_AT, MADE_DYNAMIC_NAMES_AT,
			 &dynamic_names);
	made_put(elf, MADE_VERSIONS_AT, versions, sizeof(versions));
	made_put_section(elf, MADE_VERSYM, SHT_GNU_versym, MADE_VERSIONS_AT, sizeof(versions),
			 MADE_DYNSYM, 0);
	made_put_section(elf, MADE_SYMTAB, SHT_SYMTAB, MADE_SYMBOLS_AT,
			 (symbols + 1) * sizeof(Elf64_Sym), MADE_STRTAB, 1);
	made_put_section(elf, MADE_STRTAB, SHT_STRTAB, MADE_NAMES_AT, names, 0, 0);
	made_put_section(elf, MADE_DYNSYM, SHT_DYNSYM, MADE_DYNAMIC_AT,
			 (dynamic + 1) * sizeof(Elf64_Sym), MADE_DYNSTR, 1);
	made_put_section(elf, MADE_DYNSTR, SHT_STRTAB, MADE_DYNAMIC_NAMES_AT, dynamic_names, 0, 0);
}

/* Turns `count` structures whose fields have these sizes, a digit each. */
static inline void made_swap(struct made_elf *elf, size_t at, size_t count, const char *sizes)
{
	char *field = elf->bytes + at;

	for (size_t i = 0; i < count; i++)
		for (const char *digit = sizes; *digit != '\0'; digit++) {
			const size_t size = (size_t)(*digit - '0');
			char swapped[8];

			for (size_t j = 0; j < size; j++)
				swapped[j] = field[size - 1 - j];
			memcpy(field, swapped, size);
			field += size;
		}
}

/* Makes it one of a machine with the other byte order. */
static inline void made_elf_swap(struct made_elf *elf)
{
	const size_t symbols = sizeof(made_symbols) / sizeof(*made_symbols);
	const size_t dynamic = sizeof(made_dynamic_symbols) / sizeof(*made_dynamic_symbols);

	elf->bytes[EI_DATA] = elf->bytes[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
	made_swap(elf, EI_NIDENT, 1, "2248884222222");
	made_swap(elf, sizeof(Elf64_Ehdr), 2, "44888888");
	made_swap(elf, MADE_SECTIONS_AT, MADE_SECTIONS, "4488884488");
	made_swap(elf, MADE_SYMBOLS_AT, symbols + 1, "411288");
	made_swap(elf, MADE_DYNAMIC_AT, dynamic + 1, "411288");
	made_swap(elf, MADE_VERSIONS_AT, dynamic + 1, "2");
}

static inline Elf64_Ehdr *made_header(struct made_elf *elf)
{
	return (Elf64_Ehdr *)(void *)elf->bytes;
}

static inline Elf64_Shdr *made_section(struct made_elf *elf, enum made_section number)
{
	return (Elf64_Shdr *)(void *)(elf->bytes + MADE_SECTIONS_AT) + number;
}

static inline Elf64_Phdr *made_segment(struct made_elf *elf, size_t number)
{
	return (Elf64_Phdr *)(void *)(elf->bytes + sizeof(Elf64_Ehdr)) + number;
}

/* Searches bytes as a file that has no name. */
static inline bool made_elf_find(const struct probe_request *wanted, const char *bytes, size_t size,
				 uint64_t *offset, struct error *error)
{
	struct probe_request request = *wanted;
	const int fd = memfd_create("made", MFD_CLOEXEC);
	char path[64];
	bool found;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	request.file = path;
	found = probe_place_find(&request, offset, error);
	close(fd);
	return found;
}

#endif
