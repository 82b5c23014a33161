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
#include "symbol/elf_code.h"
#include "symbol/plt.h"
#include "symbol/table.h"

enum {
	PAGE_BYTES_MAX = 64 << 10
};

struct elf_file {
	int fd;                   /* owned */
	struct debug_place place; /* its path is owned */
	struct elf_code code;
	struct function_table table;
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

/* Mappings begin with the page in which the segment does. */
static const struct elf_segment *find_page(const struct elf_file *file, uint64_t offset)
{
	for (const struct elf_segment *segment = file->code.segments;
	     segment < file->code.segments + file->code.count; segment++)
		if (offset < segment->offset + segment->bytes &&
		    segment->offset < offset + PAGE_BYTES_MAX)
			return segment;
	return NULL;
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

		if (name && elf_symbol_is_function(&symbol, name) &&
		    elf_code_at_address(&file->code, address))
			table_add(&file->table, &(struct table_function){
							.start = address,
							.size = symbol.st_size,
							.rank = elf_symbol_rank(&symbol),
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
	GElf_Addr bias;

	file->fd = fd;
	file->place = *place;
	file->place.path = xstrdup(place->path);
	if (!begin(file) ||
	    !elf_code_read(dwfl_module_getelf(file->lines.module, &bias), &file->code)) {
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
	const struct elf_segment *segment = find_page(file, at);
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
static uint64_t to_offset(const struct elf_segment *segment, uint64_t address)
{
	if (address < segment->address)
		address = segment->address;
	if (address > segment->address + segment->bytes)
		address = segment->address + segment->bytes;
	return address - segment->address + segment->offset;
}

static void find_function(const struct elf_file *file, const struct elf_segment *segment,
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
	const struct elf_segment *segment = elf_code_at_offset(&file->code, offset);

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
	return file->code.machine;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *address)
{
	const struct elf_segment *segment = elf_code_at_offset(&file->code, offset);

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
