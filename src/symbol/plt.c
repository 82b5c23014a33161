/*
 * Entries are in the order of .rela.plt, whose entries name symbols of .dynsym. Before them may be
 * a header. Where .plt.sec is, that is where calls go. What has no name of its own is called by its
 * section: a jump table is not a part of the function before it.
 */
#include "symbol/plt.h"

#include <gelf.h>
#include <string.h>

#include "base/strbuf.h"

#include "symbol/table.h"

/* How long the header and an entry are. */
struct shape {
	GElf_Half machine;
	const char *section;
	uint64_t header, entry;
};

static const struct shape shapes[] = {
	{EM_X86_64, ".plt", 16, 16}, {EM_X86_64, ".plt.sec", 0, 16}, {EM_386, ".plt", 16, 16},
	{EM_386, ".plt.sec", 0, 16}, {EM_AARCH64, ".plt", 32, 16},   {EM_ARM, ".plt", 20, 12},
	{EM_S390, ".plt", 32, 32},   {EM_RISCV, ".plt", 32, 16},
};

enum {
	SHAPES = sizeof(shapes) / sizeof(*shapes)
};

/* The relocations of the entries, and what they name. */
struct jumps {
	Elf *elf;
	Elf_Data *relocations, *symbols;
	size_t count;
	size_t texts; /* section with the names of symbols */
	bool has_addends;
};

static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *header)
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

static bool read_jumps(Elf *elf, struct jumps *jumps)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, ".rela.plt", &header);
	size_t each;

	*jumps = (struct jumps){.elf = elf, .has_addends = section != NULL};
	if (!section)
		section = find_section(elf, ".rel.plt", &header);
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
static const char *target_of(const struct jumps *jumps, size_t index)
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

static void add(struct function_table *table, uint64_t start, uint64_t size,
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

static void add_entries(const struct jumps *jumps, const struct shape *shape,
			const GElf_Shdr *header, struct function_table *table)
{
	struct strbuf name = {0};
	uint64_t at = shape->header;

	for (size_t i = 0; i < jumps->count && at < header->sh_size; i++, at += shape->entry) {
		const char *target = target_of(jumps, i);

		if (!target || target[0] == '\0')
			continue;
		strbuf_clear(&name);
		strbuf_printf(&name, "%s@plt", target);
		add(table, header->sh_addr + at, shape->entry, FUNCTION_LOCAL, name.text);
	}
	strbuf_fini(&name);
}

void plt_add(Elf *elf, struct function_table *table)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got"};
	struct jumps jumps;
	bool has_jumps = read_jumps(elf, &jumps);
	GElf_Ehdr file;

	if (!gelf_getehdr(elf, &file))
		return;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		GElf_Shdr header;

		if (!find_section(elf, sections[i], &header))
			continue;
		add(table, header.sh_addr, header.sh_size, FUNCTION_LABEL, sections[i]);
		for (const struct shape *shape = shapes; has_jumps && shape < shapes + SHAPES;
		     shape++)
			if (shape->machine == file.e_machine &&
			    strcmp(shape->section, sections[i]) == 0)
				add_entries(&jumps, shape, &header, table);
	}
}
