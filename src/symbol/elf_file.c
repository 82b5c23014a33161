/*
 * The symbols are copied into a table of our own, since libdw looks through all of them for each
 * address; then what libdw had read is given back, and read again when the first line is asked for.
 */
#include "symbol/elf_file.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"

#include "symbol/debug_file.h"
#include "symbol/dwarf_lines.h"
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
	struct dwarf_lines lines;
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
		file->lines.module = dwfl_report_elf(file->dwfl, file->place.path, file->place.path,
						     fd, 0, true);
		dwfl_report_end(file->dwfl, NULL, NULL);
		if (file->lines.module) {
			debug_file_place(file->lines.module, &file->place);
			return true;
		}
	}
	if (fd >= 0)
		close(fd);
	elf_file_drop_lines(file);
	return false;
}

void elf_file_drop_lines(struct elf_file *file)
{
	dwarf_lines_drop(&file->lines);
	if (file->dwfl)
		dwfl_end(file->dwfl);
	file->dwfl = NULL;
	debug_file_unmapped(&file->place);
}

static bool read_segments(struct elf_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->lines.module, &bias);
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
	Elf *elf = dwfl_module_getelf(file->lines.module, &bias);
	int count = dwfl_module_getsymtab(file->lines.module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(file->lines.module, i, &symbol, &address,
							   NULL, NULL, NULL);

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
	int bytes = dwfl_module_build_id(file->lines.module, &id, &address);

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
	dwarf_lines_fini(&file->lines);
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

bool elf_file_is_open(const struct elf_file *file)
{
	return file->dwfl;
}

bool elf_file_has_lines(struct elf_file *file)
{
	Dwarf_Addr bias;

	return begin(file) && dwfl_module_getdwarf(file->lines.module, &bias);
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
	if (wants_line && begin(file))
		dwarf_lines_find(&file->lines, address, answer);
}

/* --- the code */

bool elf_file_line(struct elf_file *file, uint64_t offset, struct answer_line *line)
{
	uint64_t address;

	return elf_file_address(file, offset, &address) && begin(file) &&
	       dwarf_lines_find_one(&file->lines, address, line);
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
