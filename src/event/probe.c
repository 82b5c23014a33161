/*
 * Of a user's probe the kernel wants the file's path and the offset of an instruction in it; of its
 * own a function's name and the offset from there (perf_event_open(2): config1, config2). Whether
 * it is the return that counts is one bit of config, which the PMU's format names.
 *
 * /proc/kallsyms may hide addresses but shows names to everybody; where it cannot be read any name
 * is let through, and the kernel has its say when the event is opened.
 *
 * A symbol's value is an address in the memory of a process that has loaded the file; the program
 * header of the segment that holds it says where it is in the file: value - p_vaddr + p_offset.
 * Only segments that are executed count: a probe elsewhere never fires, and would damage data if it
 * did.
 *
 * .symtab knows every function but is often stripped; .dynsym is what a library shows to others,
 * with versions. Both are searched, the first one that has the name decides.
 *
 * libelf checks what it reads against the file's size. What it does not check is looked at here:
 * tables too large to be read, names without an end, chains of versions that go nowhere.
 */
#include "event/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"

#include "event/event.h"
#include "event/pmu.h"
#include "event/terms.h"
#include "symbol/disassemble.h"

enum {
	PATH_BYTES = 1024,
	CODE_BYTES_MAX = 1 << 16,   /* of a function, from its beginning */
	INSTRUCTION_BYTES_MAX = 16, /* x86 has 15, others less */
	VERSION_HIDDEN = 0x8000     /* in .gnu.version: not the one that is linked by default */
};

/* Larger tables are no symbols of anything. */
static const uint64_t TABLE_BYTES_MAX = UINT64_C(1) << 30;

/* A symbol table with its names, and the versions of its entries where it has any. */
struct table {
	Elf_Data *symbols;
	size_t count;
	const char *names; /* of names_size bytes, the last one NUL */
	size_t names_size;
	Elf_Data *versions;    /* .gnu.version; NULL: none */
	Elf_Data *definitions; /* .gnu.version_d; NULL: none */
	size_t definition_count;
	size_t version_names; /* section of their names */
};

enum rank {
	RANK_NONE,
	RANK_LOCAL,
	RANK_WEAK,
	RANK_GLOBAL
};

struct match {
	GElf_Sym symbol;
	enum rank rank;
	bool is_default; /* not an old version kept for old programs */
	bool is_ambiguous;
};

struct search {
	int fd;
	Elf *elf;
	const struct symbol_request *request;
	const char *version; /* behind the @ of what is wanted; NULL: any */
	size_t name_length;  /* without it */
	struct match best;
	size_t functions; /* seen by name */
	uint64_t address; /* looked for in the functions; `best` is then the one that holds it */
	struct error *error;
};

static bool refuse(const struct search *search, const char *why)
{
	return error_set(search->error, ERROR_EVENT_PROBE_SYMBOL, search->request->symbol, why);
}

static bool refuse_file(const struct search *search, const char *why)
{
	return error_set(search->error, ERROR_EVENT_PROBE_FILE, search->request->file, why);
}

static bool is_readable(const GElf_Shdr *header)
{
	return header->sh_type != SHT_NOBITS && header->sh_size <= TABLE_BYTES_MAX;
}

static Elf_Data *read_section(Elf_Scn *section)
{
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header) || !is_readable(&header))
		return NULL;

	Elf_Data *data = elf_getdata(section, NULL);

	return data && data->d_buf ? data : NULL;
}

static Elf_Data *find_section(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return read_section(section);
	return NULL;
}

/* Only .dynsym's entries have versions. */
static void find_versions(Elf *elf, struct table *table)
{
	GElf_Shdr header;

	table->versions = find_section(elf, SHT_GNU_versym, &header);
	table->definitions = find_section(elf, SHT_GNU_verdef, &header);
	if (table->definitions) {
		table->definition_count = header.sh_info;
		table->version_names = header.sh_link;
	}
}

static bool open_table(Elf *elf, GElf_Word type, struct table *table)
{
	GElf_Shdr header = {0};

	*table = (struct table){.symbols = find_section(elf, type, &header)};
	if (!table->symbols)
		return false;

	Elf_Data *names = read_section(elf_getscn(elf, header.sh_link));
	size_t each = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);

	if (!names || names->d_size == 0 || each == 0)
		return false;
	table->names = names->d_buf;
	table->names_size = names->d_size;
	if (table->names[table->names_size - 1] != '\0')
		return false;
	table->count = table->symbols->d_size / each;
	if (type == SHT_DYNSYM)
		find_versions(elf, table);
	return true;
}

/* Name of the version with this number; NULL: none. The chain only goes forward, so it ends. */
static const char *find_version_name(Elf *elf, const struct table *table, unsigned int number)
{
	size_t offset = 0;

	for (size_t i = 0; table->definitions && i < table->definition_count; i++) {
		GElf_Verdef definition;
		GElf_Verdaux name;

		if (offset > INT32_MAX ||
		    !gelf_getverdef(table->definitions, (int)offset, &definition))
			return NULL;
		if (definition.vd_ndx == number) {
			size_t name_offset = offset + definition.vd_aux;

			return name_offset <= INT32_MAX && gelf_getverdaux(table->definitions,
									   (int)name_offset, &name)
				       ? elf_strptr(elf, table->version_names, name.vda_name)
				       : NULL;
		}
		if (definition.vd_next == 0)
			return NULL;
		offset += definition.vd_next;
	}
	return NULL;
}

/* Whether entry `index` has the version that is wanted; *is_default whether linkers take it. */
static bool has_version(const struct search *search, const struct table *table, size_t index,
			const char *behind_name, bool *is_default)
{
	GElf_Versym number;
	const char *name;

	*is_default = true;
	if (*behind_name == '@') { /* .symtab writes it out */
		*is_default = behind_name[1] == '@';
		name = behind_name + 1 + *is_default;
	} else if (table->versions && index <= INT32_MAX &&
		   gelf_getversym(table->versions, (int)index, &number)) {
		*is_default = (number & VERSION_HIDDEN) == 0;
		name = !search->version ? NULL
					: find_version_name(search->elf, table,
							    number & (VERSION_HIDDEN - 1u));
	} else {
		name = NULL;
	}
	return !search->version || (name && strcmp(name, search->version) == 0);
}

static enum rank rank_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return RANK_GLOBAL;
	case STB_WEAK:
		return RANK_WEAK;
	default:
		return RANK_LOCAL;
	}
}

static bool may_be_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

/* The more visible one wins, of equally visible ones that of the default version. */
static void keep_match(struct match *best, const struct match *found)
{
	if (found->rank < best->rank ||
	    (found->rank == best->rank && best->is_default && !found->is_default))
		return;
	if (found->rank == best->rank && found->is_default == best->is_default) {
		best->is_ambiguous |= found->symbol.st_value != best->symbol.st_value;
		return;
	}
	*best = *found;
}

/* A function of a table, by its index. */
typedef void symbol_visit(struct search *search, const struct table *table, size_t index,
			  const GElf_Sym *symbol, const char *name);

static void look_at(struct search *search, const struct table *table, size_t index,
		    const GElf_Sym *symbol, const char *name)
{
	struct match found = {.symbol = *symbol, .rank = rank_of(symbol)};
	size_t length = strcspn(name, "@");

	if (*name == '\0')
		return;
	search->functions++;
	if (length == search->name_length && strncmp(name, search->request->symbol, length) == 0 &&
	    has_version(search, table, index, name + length, &found.is_default))
		keep_match(&search->best, &found);
}

static void walk_table(struct search *search, GElf_Word type, symbol_visit *visit)
{
	struct table table;
	GElf_Sym symbol;

	if (!open_table(search->elf, type, &table))
		return;
	for (size_t i = 1; i < table.count && i <= INT32_MAX; i++)
		if (gelf_getsym(table.symbols, (int)i, &symbol) && may_be_function(&symbol) &&
		    symbol.st_name < table.names_size)
			visit(search, &table, i, &symbol, table.names + symbol.st_name);
}

static bool is_code(const GElf_Phdr *segment)
{
	return segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0;
}

/* The segment of code that holds `place`, an address or an offset into the file. */
static bool find_segment(Elf *elf, uint64_t offset, bool is_address, GElf_Phdr *segment)
{
	size_t count;

	if (elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
		if (!gelf_getphdr(elf, (int)i, segment))
			return false;

		uint64_t begin = is_address ? segment->p_vaddr : segment->p_offset;

		if (is_code(segment) && offset >= begin && offset - begin < segment->p_filesz)
			return true;
	}
	return false;
}

/* On 32-bit ARM the lowest bit of a function's address says how it is encoded. */
static uint64_t address_of(Elf *elf, const GElf_Sym *symbol)
{
	GElf_Ehdr header;
	bool has_mode_bit = gelf_getehdr(elf, &header) && header.e_machine == EM_ARM &&
			    GELF_ST_TYPE(symbol->st_info) == STT_FUNC;

	return has_mode_bit ? symbol->st_value & ~UINT64_C(1) : symbol->st_value;
}

/* --- where instructions begin */

/* From the beginning of a function on; of its code up to an address. */
struct stepping {
	uint64_t address;
	bool is_lost;  /* something before it was no instruction */
	bool is_found; /* one begins at the address */
};

static void step(const struct instruction *instruction, void *context)
{
	struct stepping *stepping = context;

	if (instruction->address >= stepping->address)
		stepping->is_found |= instruction->address == stepping->address;
	else
		stepping->is_lost |= text_begins(instruction->text, ".byte");
}

static bool read_machine(Elf *elf, struct code_machine *machine)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return false;
	*machine = (struct code_machine){
		.number = header.e_machine,
		.is_64 = header.e_ident[EI_CLASS] == ELFCLASS64,
		.is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	return true;
}

/* Whether the function that begins at `begin` has an instruction that begins at `address`. */
static bool check_instruction(struct search *search, uint64_t begin, uint64_t address)
{
	struct stepping stepping = {.address = address};
	struct code_machine machine;
	uint8_t code[CODE_BYTES_MAX];
	GElf_Phdr segment;
	ssize_t size = 0;

	if (search->request->is_forced || address == begin)
		return true;
	if (address - begin < sizeof(code) - INSTRUCTION_BYTES_MAX &&
	    read_machine(search->elf, &machine) &&
	    find_segment(search->elf, begin, true, &segment)) {
		size = pread(search->fd, code, (size_t)(address - begin) + INSTRUCTION_BYTES_MAX,
			     (off_t)(begin - segment.p_vaddr + segment.p_offset));
		if (size > 0)
			disassemble(&machine, code, (size_t)size, begin, step, &stepping);
	}
	if (stepping.is_found && !stepping.is_lost)
		return true;
	return refuse(search,
		      size > 0 && !stepping.is_lost && stepping.address > begin
			      ? "inside an instruction: a probe there would break the program"
			      : "whether an instruction begins there is not sure: "
				":force behind it if it does");
}

static void hold(struct search *search, const struct table *table, size_t index,
		 const GElf_Sym *symbol, const char *name)
{
	if (GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value <= search->address &&
	    search->address - symbol->st_value < symbol->st_size)
		search->best = (struct match){.symbol = *symbol, .rank = RANK_GLOBAL};
}

/* The same of an offset into the file: some function of its symbols must hold it. */
static bool check_offset(struct search *search, uint64_t offset, const GElf_Phdr *segment)
{
	if (search->request->is_forced)
		return true;
	search->address = offset - segment->p_offset + segment->p_vaddr;
	walk_table(search, SHT_SYMTAB, hold);
	if (search->best.rank == RANK_NONE)
		walk_table(search, SHT_DYNSYM, hold);
	if (search->best.rank == RANK_NONE)
		return refuse(search, "no symbol says whether an instruction begins there: "
				      ":force behind it if one does");
	return check_instruction(search, address_of(search->elf, &search->best.symbol),
				 search->address);
}

static bool offset_of_symbol(struct search *search, uint64_t *file_offset)
{
	const struct match *best = &search->best;
	uint64_t offset = search->request->offset;
	GElf_Phdr segment;

	if (best->rank == RANK_NONE)
		return refuse(search, search->functions > 0
					      ? "no such function"
					      : "the file is stripped of its symbols: give "
						"0xOFFSET instead");
	if (best->is_ambiguous)
		return refuse(search, "several functions have this name: give 0xOFFSET instead");
	if (GELF_ST_TYPE(best->symbol.st_info) == STT_GNU_IFUNC) {
		return refuse(search,
			      "which function this is gets decided when the program starts: "
			      "give the name of one of its variants");
	}
	if (offset > 0 && offset >= best->symbol.st_size && best->symbol.st_size > 0)
		return refuse(search, "the offset is beyond the function's end");

	uint64_t address = address_of(search->elf, &best->symbol);

	if (address + offset < address ||
	    !find_segment(search->elf, address + offset, true, &segment))
		return refuse(search, "no code of the file");
	*file_offset = address + offset - segment.p_vaddr + segment.p_offset;
	return check_instruction(search, address, address + offset);
}

static bool find_offset(struct search *search, uint64_t *file_offset)
{
	const struct symbol_request *request = search->request;
	GElf_Phdr segment;
	uint64_t offset;

	if (request->at_entry && request->offset > 0)
		return refuse(search, "a return is seen from a function's beginning only");
	if (terms_hexadecimal(request->symbol, &offset)) {
		if (offset + request->offset < offset ||
		    !find_segment(search->elf, offset + request->offset, false, &segment))
			return refuse(search, "no code of the file is there");
		*file_offset = offset + request->offset;
		return check_offset(search, *file_offset, &segment);
	}
	search->name_length = strcspn(request->symbol, "@");
	if (request->symbol[search->name_length] == '@') {
		search->version = request->symbol + search->name_length + 1;
		search->version += *search->version == '@';
	}
	walk_table(search, SHT_SYMTAB, look_at);
	if (search->best.rank == RANK_NONE)
		walk_table(search, SHT_DYNSYM, look_at);
	return offset_of_symbol(search, file_offset);
}

static bool find_in_elf(struct search *search, uint64_t *file_offset)
{
	size_t segments;
	uint64_t found = 0;

	if (!search->elf || elf_kind(search->elf) != ELF_K_ELF)
		return refuse_file(search, "not a program or library (ELF)");
	if (elf_getphdrnum(search->elf, &segments) != 0 || segments == 0) {
		return refuse_file(search, "neither a program nor a library: nothing of it is "
					   "ever executed");
	}
	if (!find_offset(search, &found))
		return false;
	/* the kernel takes it as a signed number */
	if (found > INT64_MAX)
		return refuse(search, "no code of the file");
	*file_offset = found;
	return true;
}

/* Opening a FIFO would wait for its writer, and a device may do anything. */
static int open_regular(const struct search *search)
{
	struct stat status;
	int fd = open(search->request->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &status) != 0) {
		error_set_errno(search->error, ERROR_EVENT_PROBE_FILE, search->request->file,
				errno);
	} else if (S_ISDIR(status.st_mode)) {
		refuse_file(search, "is a directory");
	} else if (!S_ISREG(status.st_mode)) {
		refuse_file(search, "is no regular file");
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

bool symbol_find_in_file(const struct symbol_request *request, uint64_t *file_offset,
			 struct error *error)
{
	struct search search = {.request = request, .error = error};
	int fd = open_regular(&search);

	if (fd < 0)
		return false;
	search.fd = fd;
	elf_version(EV_CURRENT);
	/* not mapped: a file that shrinks meanwhile would be fatal */
	search.elf = elf_begin(fd, ELF_C_READ, NULL);

	bool found = find_in_elf(&search, file_offset);

	elf_end(search.elf);
	close(fd);
	return found;
}

/* ---- probes */

/* Type, and the bit for returns, of the kernel's PMU for probes. False: there is none. */
static bool begin_spec(const char *root, const char *name, bool returns, struct event_spec *spec)
{
	const struct terms terms = {.terms = {{.name = "retprobe"}}, .count = returns};
	struct pmus pmus = {.root = root};
	struct pmu *pmu = pmus_find(&pmus, name, strlen(name));
	size_t position;
	bool good = pmu;

	*spec = (struct event_spec){.scale = 1};
	if (pmu) {
		pmu_load(&pmus, pmu);
		good = pmu_apply_terms(pmu, &terms, name, spec, &position, NULL) &&
		       (spec->config != 0) == returns;
	}
	pmus_fini(&pmus);
	return good;
}

static void set_name(struct event_spec *spec, const char *what, uint64_t offset)
{
	size_t size = sizeof(spec->name);
	int length = snprintf(spec->name, size, "%s", what);

	if (offset > 0 && length >= 0 && (size_t)length < size) {
		snprintf(spec->name + length, size - (size_t)length, "+0x%llx",
			 (unsigned long long)offset);
	}
}

bool probe_find_user(const char *root, const struct symbol_request *request,
		     struct event_spec *spec, struct error *error)
{
	const char *const file = request->file;
	const bool returns = request->at_entry;
	struct event_spec found;
	char path[PATH_MAX], name[EVENT_SPEC_NAME_MAX];

	if (!begin_spec(root, "uprobe", returns, &found))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, file, "uprobe");
	if (!symbol_find_in_file(request, &found.config2, error))
		return false;
	if (!realpath(file, path))
		return error_set_errno(error, ERROR_EVENT_PROBE_FILE, file, errno);
	if (strlen(path) >= sizeof(found.target))
		return error_set_errno(error, ERROR_EVENT_PROBE_FILE, file, ENAMETOOLONG);
	strcpy(found.target, path);
	snprintf(name, sizeof(name), "%s:%s:%s", returns ? "uretprobe" : "uprobe", file,
		 request->symbol);
	set_name(&found, name, request->offset);
	*spec = found;
	return true;
}

/* A line of kallsyms: "ffffffff81000000 T name" and, of a module, a tab and "[module]". */
static bool parse_kernel_symbol(char *line, const char **name)
{
	char *kind = strchr(line, ' ');

	if (!kind || kind[1] == '\0' || !strchr("tTwW", kind[1]) || kind[2] != ' ')
		return false;
	*name = kind + 3;
	kind[3 + strcspn(kind + 3, "\t\n")] = '\0';
	return true;
}

/* Calls it found when the list cannot be read, or shows nothing. */
static bool is_kernel_function(const char *root, const char *symbol)
{
	char path[PATH_BYTES], *line = NULL;
	const char *name;
	size_t size = 0, seen = 0;
	bool found = false;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);

	FILE *list = fopen(path, "re");

	if (!list)
		return true;
	while (!found && getline(&line, &size, list) > 0) {
		if (!parse_kernel_symbol(line, &name))
			continue;
		seen++;
		found = strcmp(name, symbol) == 0;
	}
	free(line);
	fclose(list);
	return found || seen == 0;
}

bool probe_find_kernel(const char *root, const char *symbol, uint64_t offset, bool returns,
		       struct event_spec *spec, struct error *error)
{
	struct event_spec found;
	char name[EVENT_SPEC_NAME_MAX];
	uint64_t address;

	if (!begin_spec(root, "kprobe", returns, &found))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, symbol, "kprobe");
	if (returns && offset > 0) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "a return is seen from a function's beginning only");
	}
	if (terms_hexadecimal(symbol, &address)) {
		found.config2 = address + offset;
	} else if (*symbol == '\0' || strlen(symbol) >= sizeof(found.target)) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "not the name of a function");
	} else if (!is_kernel_function(root, symbol)) {
		return error_set(error, ERROR_EVENT_PROBE_SYMBOL, symbol,
				 "the kernel has no such function");
	} else {
		strcpy(found.target, symbol);
		found.config2 = offset;
	}
	snprintf(name, sizeof(name), "%s:%s", returns ? "kretprobe" : "kprobe", symbol);
	set_name(&found, name, offset);
	*spec = found;
	return true;
}
