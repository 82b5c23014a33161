/*
 * The symbols are copied into a table of our own, since libdw looks through all of them for each
 * address; then what libdw had read is given back, and read again when the first line is asked for.
 */
#include "symbol/elf_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include "symbol/confine.h"
#include "symbol/store.h"

enum {
	PAGE_BYTES_MAX = 64 << 10
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = debug_file_find,
	.section_address = dwfl_offline_section_address,
};

void elf_file_allow(struct stored *stored, int fd)
{
	struct stat status;

	if (fstat(fd, &status) == 0) {
		stored->mapped_bytes += (uint64_t)status.st_size;
		stored->store->mapped_bytes += (uint64_t)status.st_size;
	}
	limit_memory(stored->store->mapped_bytes);
}

/* libdw gets a duplicate of the descriptor, which it owns on success. */
static Dwfl_Module *report_file(const struct stored *stored, Dwfl *dwfl, uint64_t base)
{
	const char *name = stored->object.name;
	const int fd = fcntl(stored->fd, F_DUPFD_CLOEXEC, 0);
	Dwfl_Module *module = fd >= 0 ? dwfl_report_elf(dwfl, name, name, fd, base, true) : NULL;

	if (!module && fd >= 0)
		close(fd);
	return module;
}

bool elf_file_begin(struct stored *stored)
{
	void **user;

	if (stored->dwfl)
		return true;
	stored->dwfl = stored->fd >= 0 ? dwfl_begin(&callbacks) : NULL;
	if (!stored->dwfl)
		return false;
	elf_file_allow(stored, stored->fd);
	dwfl_report_begin(stored->dwfl);
	stored->lines.module = report_file(stored, stored->dwfl, 0);
	dwfl_report_end(stored->dwfl, NULL, NULL);
	if (!stored->lines.module) {
		elf_file_end(stored);
		return false;
	}
	dwfl_module_info(stored->lines.module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
	*user = stored;
	return true;
}

void elf_file_end(struct stored *stored)
{
	dwarf_lines_drop(&stored->lines);
	if (stored->dwfl)
		dwfl_end(stored->dwfl);
	stored->dwfl = NULL;
	stored->store->mapped_bytes -= stored->mapped_bytes;
	stored->mapped_bytes = 0;
}

static void read_symbols(struct stored *stored, Elf *elf)
{
	int count = dwfl_module_getsymtab(stored->lines.module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(stored->lines.module, i, &symbol,
							   &address, NULL, NULL, NULL);

		if (name && elf_symbol_is_function(&symbol, name) &&
		    elf_code_at_address(&stored->code, address))
			table_add(&stored->table, &(struct table_function){
							  .start = address,
							  .size = symbol.st_size,
							  .rank = elf_symbol_rank(&symbol),
							  .name = name,
							  .name_length = TABLE_NAME_BYTES,
						  });
	}
	if (stored->table.count > 0)
		elf_code_add_jumps(elf, &stored->table);
	table_sort(&stored->table, false);
}

bool elf_file_read(struct stored *stored, int fd)
{
	GElf_Addr bias;
	bool is_read;
	Elf *elf;

	stored->fd = fd;
	elf = elf_file_begin(stored) ? dwfl_module_getelf(stored->lines.module, &bias) : NULL;
	is_read = elf_code_read(elf, &stored->code);
	if (is_read)
		read_symbols(stored, elf);
	elf_file_end(stored);
	if (!is_read)
		elf_file_close(stored);
	return is_read;
}

void elf_file_close(struct stored *stored)
{
	elf_file_end(stored);
	dwarf_lines_fini(&stored->lines);
	if (stored->fd >= 0)
		close(stored->fd);
	stored->fd = -1;
}

int elf_file_report(const struct stored *stored, Dwfl *dwfl, uint64_t start, uint64_t at)
{
	for (const struct elf_segment *segment = stored->code.segments;
	     stored->fd >= 0 && segment < stored->code.segments + stored->code.count; segment++)
		/* a mapping starts at the page that holds the segment's start */
		if (at < segment->offset + segment->bytes && segment->offset < at + PAGE_BYTES_MAX)
			return report_file(stored, dwfl,
					   start - at + segment->offset - segment->address)
				       ? stored->code.machine.number
				       : EM_NONE;
	return EM_NONE;
}
