/*
 * The symbols are copied into a table of our own, since libdw looks through all of them for each
 * address; then what libdw had read is given back, and read again when the first line is asked for.
 */
#include "symbol/elf_file.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "base/strbuf.h"

#include "symbol/debug_file.h"
#include "symbol/plt.h"
#include "symbol/table.h"

enum {
	SEGMENTS_MAX = 64,
	PAGE_BYTES_MAX = 64 << 10
};

/* Code in the file, and at which address its symbols are. */
struct segment {
	uint64_t offset, bytes, address;
};

/* Addresses of one unit of DWARF. */
struct unit {
	uint64_t start, end;
	Dwarf_Off die;
};

struct elf_file {
	int fd;                   /* owned */
	struct debug_place place; /* its path is owned */
	struct segment segments[SEGMENTS_MAX];
	size_t segment_count;
	struct function_table table;
	struct code_machine machine;
	uint8_t build_id[20];
	size_t build_id_bytes;
	Dwfl *dwfl; /* owned; NULL: not needed now */
	Dwfl_Module *module;
	struct unit *units; /* owned; by address */
	size_t unit_count, unit_capacity;
	bool has_units;                        /* they have been looked for */
	struct strbuf texts[ANSWER_LINES_MAX]; /* files whose folder was added */
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = debug_file_find,
	.section_address = dwfl_offline_section_address,
};

/* Gives libdw a descriptor of its own: it keeps it if all goes well. */
static bool begin(struct elf_file *file)
{
	int fd;

	if (file->dwfl)
		return true;
	fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	file->dwfl = fd >= 0 ? dwfl_begin(&callbacks) : NULL;
	if (file->dwfl) {
		debug_file_allow(&file->place, fd);
		dwfl_report_begin(file->dwfl);
		file->module = dwfl_report_elf(file->dwfl, file->place.path, file->place.path, fd,
					       0, true);
		dwfl_report_end(file->dwfl, NULL, NULL);
		if (file->module) {
			debug_file_place(file->module, &file->place);
			return true;
		}
	}
	if (fd >= 0)
		close(fd);
	elf_file_drop_lines(file);
	return false;
}

static void drop_units(struct elf_file *file)
{
	free(file->units);
	file->units = NULL;
	file->unit_count = file->unit_capacity = 0;
	file->has_units = false;
}

void elf_file_drop_lines(struct elf_file *file)
{
	drop_units(file);
	if (file->dwfl)
		dwfl_end(file->dwfl);
	file->dwfl = NULL;
	file->module = NULL;
	file->place.mapped_bytes = 0;
}

static bool read_segments(struct elf_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	GElf_Ehdr elf_header;
	size_t count;

	if (!elf || elf_getphdrnum(elf, &count) != 0 || !gelf_getehdr(elf, &elf_header))
		return false;
	file->machine = (struct code_machine){
		.number = elf_header.e_machine,
		.is_64 = elf_header.e_ident[EI_CLASS] == ELFCLASS64,
		.is_big_endian = elf_header.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	for (size_t i = 0; i < count && i <= INT32_MAX && file->segment_count < SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header))
			break;
		if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0 ||
		    header.p_filesz > UINT64_MAX - header.p_offset ||
		    header.p_filesz > UINT64_MAX - header.p_vaddr)
			continue;
		file->segments[file->segment_count++] = (struct segment){
			.offset = header.p_offset,
			.bytes = header.p_filesz,
			.address = header.p_vaddr,
		};
	}
	return file->segment_count > 0;
}

static const struct segment *find_segment(const struct elf_file *file, uint64_t address)
{
	for (const struct segment *segment = file->segments;
	     segment < file->segments + file->segment_count; segment++)
		if (address - segment->address < segment->bytes)
			return segment;
	return NULL;
}

static const struct segment *find_offset(const struct elf_file *file, uint64_t offset)
{
	for (const struct segment *segment = file->segments;
	     segment < file->segments + file->segment_count; segment++)
		if (offset - segment->offset < segment->bytes)
			return segment;
	return NULL;
}

/* Mappings begin with the page in which the segment does. */
static const struct segment *find_page(const struct elf_file *file, uint64_t offset)
{
	for (const struct segment *segment = file->segments;
	     segment < file->segments + file->segment_count; segment++)
		if (offset < segment->offset + segment->bytes &&
		    segment->offset < offset + PAGE_BYTES_MAX)
			return segment;
	return NULL;
}

/* Of ARM and RISC-V: marks of what is code and what data, and labels of the compiler. */
static bool is_mark(const char *name)
{
	return name[0] == '$' || strncmp(name, ".L", 2) == 0;
}

static bool is_function(const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && !is_mark(name));
}

static enum function_rank rank_of(const GElf_Sym *symbol)
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

static void read_symbols(struct elf_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	int count = dwfl_module_getsymtab(file->module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(file->module, i, &symbol, &address, NULL,
							   NULL, NULL);

		if (name && is_function(&symbol, name) && find_segment(file, address))
			table_add(&file->table, &(struct table_function){
							.start = address,
							.size = symbol.st_size,
							.rank = rank_of(&symbol),
							.name = name,
							.name_length = TABLE_NAME_BYTES,
						});
	}
	if (file->table.count > 0)
		plt_add(elf, &file->table);
	table_sort(&file->table, false);
}

static void read_build_id(struct elf_file *file)
{
	const unsigned char *id;
	GElf_Addr address;
	int bytes = dwfl_module_build_id(file->module, &id, &address);

	if (bytes <= 0)
		return;
	file->build_id_bytes =
		(size_t)bytes < sizeof(file->build_id) ? (size_t)bytes : sizeof(file->build_id);
	memcpy(file->build_id, id, file->build_id_bytes);
}

struct elf_file *elf_file_open(int fd, const struct debug_place *place)
{
	struct elf_file *file = xcalloc(1, sizeof(*file));

	file->fd = fd;
	file->place = *place;
	file->place.path = xstrdup(place->path);
	if (!begin(file) || !read_segments(file)) {
		elf_file_close(file);
		return NULL;
	}
	read_build_id(file);
	read_symbols(file);
	elf_file_drop_lines(file);
	return file;
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	elf_file_drop_lines(file);
	for (size_t i = 0; i < ANSWER_LINES_MAX; i++)
		strbuf_fini(&file->texts[i]);
	table_fini(&file->table);
	close(file->fd);
	free((char *)file->place.path);
	free(file);
}

enum symbol_reason elf_file_reason(const struct elf_file *file)
{
	return file->table.count > 0 ? SYMBOL_REASON_NONE : SYMBOL_REASON_NO_SYMBOLS;
}

size_t elf_file_build_id(const struct elf_file *file, uint8_t id[static 20])
{
	memcpy(id, file->build_id, file->build_id_bytes);
	return file->build_id_bytes;
}

size_t elf_file_bytes(const struct elf_file *file)
{
	return sizeof(*file) + table_bytes(&file->table);
}

static int machine_of(Dwfl_Module *module)
{
	GElf_Addr bias;
	GElf_Ehdr header;
	Elf *elf = dwfl_module_getelf(module, &bias);

	return elf && gelf_getehdr(elf, &header) ? header.e_machine : EM_NONE;
}

int elf_file_report(const struct elf_file *file, Dwfl *dwfl, uint64_t start, uint64_t at)
{
	const struct segment *segment = find_page(file, at);
	Dwfl_Module *module;
	int fd;

	if (!segment)
		return EM_NONE;
	fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	module = fd < 0 ? NULL
			: dwfl_report_elf(dwfl, file->place.path, file->place.path, fd,
					  start - at + segment->offset - segment->address, true);
	if (module)
		return machine_of(module);
	if (fd >= 0)
		close(fd);
	return EM_NONE;
}

/* --- units: what was compiled from one file */

static void add_ranges(struct elf_file *file, Dwarf_Die *unit, Dwarf_Addr bias)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(unit, next, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		array_reserve(&file->units, &file->unit_capacity, file->unit_count + 1,
			      sizeof(*file->units));
		file->units[file->unit_count++] = (struct unit){
			.start = start + bias,
			.end = end + bias,
			.die = dwarf_dieoffset(unit),
		};
	}
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static void read_units(struct elf_file *file)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	file->has_units = true;
	while ((unit = dwfl_module_nextcu(file->module, unit, &bias)))
		add_ranges(file, unit, bias);
	if (file->unit_count > 0)
		qsort(file->units, file->unit_count, sizeof(*file->units), compare_units);
}

static const struct unit *look_up_unit(const struct elf_file *file, uint64_t address)
{
	size_t before =
		array_not_above(file->units, file->unit_count, sizeof(*file->units), address);

	return before > 0 && address < file->units[before - 1].end ? &file->units[before - 1]
								   : NULL;
}

/*
 * The unit of an address; *address becomes that in its DWARF. libdw looks only into .debug_aranges,
 * which LLVM's compilers do not write: then each unit says which addresses are its own.
 */
static bool find_unit(struct elf_file *file, uint64_t *address, Dwarf_Die *unit)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *found = dwfl_module_addrdie(file->module, *address, &bias);
	Dwarf *dwarf;

	if (found) {
		*unit = *found;
		*address -= bias;
		return true;
	}
	dwarf = dwfl_module_getdwarf(file->module, &bias);
	if (!dwarf)
		return false;
	if (!file->has_units)
		read_units(file);

	const struct unit *known = look_up_unit(file, *address);

	*address -= bias;
	return known && dwarf_offdie(dwarf, known->die, unit);
}

/* --- lines */

/* A relative one begins at the folder in which the compiler ran. */
static const char *add_folder(struct elf_file *file, size_t index, const char *name,
			      const char *folder)
{
	struct strbuf *text = &file->texts[index];

	if (name[0] == '/' || !folder)
		return name;
	strbuf_clear(text);
	strbuf_printf(text, "%s/%s", folder, name);
	return text->text;
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *linker_name(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	if (!name)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	return name ? name : text_of(die, DW_AT_name);
}

static bool number_of(Dwarf_Die *die, unsigned int name, Dwarf_Word *number)
{
	Dwarf_Attribute attribute;

	return dwarf_formudata(dwarf_attr(die, name, &attribute), number) == 0;
}

/* Where a function was inlined: the next outer line. */
static bool add_call(struct elf_file *file, Dwarf_Die *unit, Dwarf_Die *inlined,
		     struct answer *answer)
{
	Dwarf_Files *files;
	Dwarf_Word index, line = 0;
	const char *name;

	if (answer->line_count == ANSWER_LINES_MAX || dwarf_getsrcfiles(unit, &files, NULL) != 0 ||
	    !number_of(inlined, DW_AT_call_file, &index) || index > UINT32_MAX)
		return false;
	name = dwarf_filesrc(files, (size_t)index, NULL, NULL);
	if (!name)
		return false;
	number_of(inlined, DW_AT_call_line, &line);
	answer->lines[answer->line_count] = (struct answer_line){
		.file = add_folder(file, answer->line_count, name, text_of(unit, DW_AT_comp_dir)),
		.line = line <= UINT32_MAX ? (uint32_t)line : 0,
	};
	answer->line_count++;
	return true;
}

static bool find_line(struct elf_file *file, Dwarf_Die *unit, uint64_t address,
		      struct answer *answer)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	const char *name = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number = 0;

	if (!name)
		return false;
	dwarf_lineno(line, &number);
	answer->lines[0] = (struct answer_line){
		.file = add_folder(file, 0, name, text_of(unit, DW_AT_comp_dir)),
		.line = number > 0 ? (uint32_t)number : 0,
	};
	answer->line_count = 1;
	return true;
}

/* From the innermost scope outwards, as it was inlined and not as it was written. */
static void find_calls(struct elf_file *file, Dwarf_Die *unit, uint64_t address,
		       struct answer *answer)
{
	Dwarf_Die *found = NULL, *scopes = NULL;
	int count = dwarf_getscopes(unit, address, &found);

	if (count > 0)
		count = dwarf_getscopes_die(&found[0], &scopes);
	for (int i = 0; i < count; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		answer->lines[answer->line_count - 1].function = linker_name(&scopes[i]);
		if (!answer->lines[answer->line_count - 1].function ||
		    !add_call(file, unit, &scopes[i], answer))
			break;
	}
	free(found);
	free(scopes);
}

static void find_lines(struct elf_file *file, uint64_t address, struct answer *answer)
{
	Dwarf_Die unit;

	if (begin(file) && find_unit(file, &address, &unit) &&
	    find_line(file, &unit, address, answer))
		find_calls(file, &unit, address, answer);
}

/* --- an address */

/* A function may begin before its segment, or end behind it, if the file lies. */
static uint64_t to_offset(const struct segment *segment, uint64_t address)
{
	if (address < segment->address)
		address = segment->address;
	if (address > segment->address + segment->bytes)
		address = segment->address + segment->bytes;
	return address - segment->address + segment->offset;
}

static void find_function(const struct elf_file *file, const struct segment *segment,
			  uint64_t address, struct answer *answer)
{
	uint64_t start, end;
	const struct function *function = table_find(&file->table, address, &start, &end);

	answer->start = to_offset(segment, start);
	answer->end = to_offset(segment, end);
	if (function) {
		answer->name = table_text(&file->table, function->name);
		answer->function_start = to_offset(segment, function->start);
		answer->function_end = to_offset(segment, function->end);
	} else {
		answer->reason =
			file->table.count > 0 ? SYMBOL_REASON_NO_SYMBOL : SYMBOL_REASON_NO_SYMBOLS;
	}
}

void elf_file_find(struct elf_file *file, uint64_t offset, bool wants_line, struct answer *answer)
{
	const struct segment *segment = find_offset(file, offset);

	*answer = (struct answer){.start = offset, .end = offset + 1};
	if (!segment) {
		answer->reason = SYMBOL_REASON_NO_SYMBOL;
		return;
	}

	uint64_t address = offset - segment->offset + segment->address;

	find_function(file, segment, address, answer);
	if (wants_line)
		find_lines(file, address, answer);
}

/* --- the code */

bool elf_file_line(struct elf_file *file, uint64_t offset, struct answer_line *line)
{
	struct answer answer = {0};
	uint64_t address;
	Dwarf_Die unit;

	if (!elf_file_address(file, offset, &address) || !begin(file) ||
	    !find_unit(file, &address, &unit) || !find_line(file, &unit, address, &answer))
		return false;
	*line = answer.lines[0];
	return true;
}

struct code_machine elf_file_machine(const struct elf_file *file)
{
	return file->machine;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *address)
{
	const struct segment *segment = find_offset(file, offset);

	if (segment)
		*address = offset - segment->offset + segment->address;
	return segment;
}

size_t elf_file_read(const struct elf_file *file, uint64_t offset, void *code, size_t size)
{
	const ssize_t count = offset <= INT64_MAX ? pread(file->fd, code, size, (off_t)offset) : -1;

	return count > 0 ? (size_t)count : 0;
}

const char *elf_file_name(const struct elf_file *file, uint64_t address, uint64_t *start)
{
	uint64_t end;
	const struct function *function = table_find(&file->table, address, start, &end);

	if (!function)
		return NULL;
	*start = function->start;
	return table_text(&file->table, function->name);
}

bool elf_file_is_older(const struct elf_file *file, const struct stat *status)
{
	struct stat own;

	return fstat(file->fd, &own) == 0 && own.st_mtime < status->st_mtime;
}
