/* Program headers and symbols of ELF files. */
#include "symbol/elf_code.h"

#include <string.h>

#include "base/strbuf.h"

bool elf_code_read(Elf *elf, struct elf_code *code)
{
	GElf_Ehdr elf_header;
	size_t count;

	code->count = 0;
	if (!elf || elf_getphdrnum(elf, &count) != 0 || !gelf_getehdr(elf, &elf_header))
		return false;
	code->machine = (struct code_machine){
		.number = elf_header.e_machine,
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

bool elf_symbol_is_function(const GElf_Sym *symbol, const char *name)
{
	/* of ARM and RISC-V: marks of what is code and what data, and labels of the compiler */
	const bool is_mark = name[0] == '$' || strncmp(name, ".L", 2) == 0;
	const int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && !is_mark);
}

bool elf_symbol_is_variable(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size > 0 &&
	       symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS;
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

/*
 * --- jumps of the linker: entries are in the order of .rela.plt, whose entries name symbols of
 * .dynsym. Before them may be a header. Where .plt.sec is, that is where calls go. What has no name
 * of its own is called by its section: a jump table is not a part of the function before it.
 */

/* Sizes in bytes of the header and of an entry. */
struct plt_shape {
	GElf_Half machine;
	const char *section;
	uint64_t header, entry;
};

static const struct plt_shape plt_shapes[] = {
	{EM_X86_64, ".plt", 16, 16}, {EM_X86_64, ".plt.sec", 0, 16}, {EM_386, ".plt", 16, 16},
	{EM_386, ".plt.sec", 0, 16}, {EM_AARCH64, ".plt", 32, 16},   {EM_ARM, ".plt", 20, 12},
	{EM_S390, ".plt", 32, 32},   {EM_RISCV, ".plt", 32, 16},
};

enum {
	PLT_SHAPES = sizeof(plt_shapes) / sizeof(*plt_shapes)
};

/* The relocations of the entries, and what they name. */
struct plt_jumps {
	Elf *elf;
	Elf_Data *relocations, *symbols;
	size_t count;
	size_t texts; /* section with the names of symbols */
	bool has_addends;
};

static Elf_Scn *find_named_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *its = gelf_getshdr(section, header)
					  ? elf_strptr(elf, names, header->sh_name)
					  : NULL;

		if (its && strcmp(its, name) == 0)
			return section;
	}
	return NULL;
}

static bool read_jumps(Elf *elf, struct plt_jumps *jumps)
{
	GElf_Shdr header;
	Elf_Scn *section = find_named_section(elf, ".rela.plt", &header);
	size_t each;

	*jumps = (struct plt_jumps){.elf = elf, .has_addends = section != NULL};
	if (!section)
		section = find_named_section(elf, ".rel.plt", &header);
	each = gelf_fsize(elf, jumps->has_addends ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	if (!section || header.sh_type != (jumps->has_addends ? SHT_RELA : SHT_REL) || each == 0)
		return false;
	jumps->relocations = elf_getdata(section, NULL);
	section = elf_getscn(elf, header.sh_link);
	if (!jumps->relocations || !section || !gelf_getshdr(section, &header))
		return false;
	jumps->count = jumps->relocations->d_size / each;
	jumps->symbols = elf_getdata(section, NULL);
	jumps->texts = header.sh_link;
	return jumps->symbols != NULL && jumps->count <= INT32_MAX;
}

/* The function that entry `index` jumps to; NULL: not known. */
static const char *jump_target(const struct plt_jumps *jumps, size_t index)
{
	GElf_Rela with;
	GElf_Rel without;
	GElf_Sym symbol;
	uint64_t number;

	if (jumps->has_addends) {
		if (!gelf_getrela(jumps->relocations, (int)index, &with))
			return NULL;
		number = GELF_R_SYM(with.r_info);
	} else {
		if (!gelf_getrel(jumps->relocations, (int)index, &without))
			return NULL;
		number = GELF_R_SYM(without.r_info);
	}
	if (number == 0 || number > INT32_MAX || !gelf_getsym(jumps->symbols, (int)number, &symbol))
		return NULL;
	return elf_strptr(jumps->elf, jumps->texts, symbol.st_name);
}

static void add_jump(struct function_table *table, uint64_t start, uint64_t size,
		     enum function_rank rank, const char *name)
{
	table_add(table, &(struct table_function){
				 .start = start,
				 .size = size,
				 .rank = rank,
				 .name = name,
				 .name_length = strlen(name),
			 });
}

static void add_jumps(const struct plt_jumps *jumps, const struct plt_shape *shape,
		      const GElf_Shdr *header, struct function_table *table)
{
	struct strbuf name = {0};
	uint64_t at = shape->header;

	for (size_t i = 0; i < jumps->count && at < header->sh_size; i++, at += shape->entry) {
		const char *target = jump_target(jumps, i);

		if (!target || target[0] == '\0')
			continue;
		strbuf_clear(&name);
		strbuf_printf(&name, "%s@plt", target);
		add_jump(table, header->sh_addr + at, shape->entry, FUNCTION_LOCAL, name.text);
	}
	strbuf_fini(&name);
}

void elf_code_add_jumps(Elf *elf, struct function_table *table)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got"};
	struct plt_jumps jumps;
	bool has_jumps = read_jumps(elf, &jumps);
	GElf_Ehdr file;

	if (!gelf_getehdr(elf, &file))
		return;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		GElf_Shdr header;

		if (!find_named_section(elf, sections[i], &header))
			continue;
		add_jump(table, header.sh_addr, header.sh_size, FUNCTION_LABEL, sections[i]);
		for (const struct plt_shape *shape = plt_shapes;
		     has_jumps && shape < plt_shapes + PLT_SHAPES; shape++)
			if (shape->machine == file.e_machine &&
			    strcmp(shape->section, sections[i]) == 0)
				add_jumps(&jumps, shape, &header, table);
	}
}
