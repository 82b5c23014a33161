/*
 * The symbols are copied into a table of our own, since libdw looks through all of them for each
 * address; then what libdw had read is given back, and read again when the first line is asked for.
 *
 * Separate debug files, and what several of them share, are looked for where the process sees them,
 * then where this one does: libdw's own search would open them by itself. A link with a checksum is
 * .gnu_debuglink, one without .gnu_debugaltlink. Whatever is found counts only with the right build
 * id, or where there is none, the right checksum.
 */
#include "symbol/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"

#include "symbol/confine.h"
#include "symbol/store.h"

#define DEBUG_FOLDER "/usr/lib/debug"

/* What is looked for. */
struct wanted {
	const unsigned char *build_id;
	size_t build_id_size; /* 0: none */
	const char *path;     /* of the file that has the link */
	const char *link;     /* NULL: none */
	uint32_t crc;
};

enum {
	PAGE_BYTES_MAX = 64 << 10,
	CANDIDATES = 4 /* where a debug file may be */
};

/* Raises the memory limit by the size of a file that libdw is about to map for the object. */
static void allow_mapping(struct stored *stored, int fd)
{
	struct stat status;

	if (fstat(fd, &status) == 0) {
		stored->mapped_bytes += (uint64_t)status.st_size;
		stored->store->mapped_bytes += (uint64_t)status.st_size;
	}
	limit_memory(stored->store->mapped_bytes);
}

/* --- debug files */

static bool has_build_id(int fd, const struct wanted *wanted)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *id;
	bool is_same = elf && wanted->build_id &&
		       dwelf_elf_gnu_build_id(elf, &id) == (ssize_t)wanted->build_id_size &&
		       memcmp(id, wanted->build_id, wanted->build_id_size) == 0;

	elf_end(elf);
	return is_same;
}

/* The CRC-32 of gzip. */
static bool has_crc(int fd, uint32_t wanted)
{
	unsigned char bytes[1 << 16];
	uint32_t crc = UINT32_MAX;
	off_t at = 0;
	ssize_t count;

	while ((count = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		for (ssize_t i = 0; i < count; i++) {
			crc ^= bytes[i];
			for (int bit = 0; bit < 8; bit++)
				crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
		}
		at += count;
	}
	return count == 0 && ~crc == wanted;
}

/*
 * False: there is no such candidate. A link without a leading slash is relative to the file's
 * folder.
 */
static bool write_candidate(char *text, size_t size, size_t candidate, const struct wanted *wanted)
{
	static const struct {
		const char *before, *behind; /* the folder */
	} folders[CANDIDATES] = {{"", "/"}, {"", "/.debug/"}, {DEBUG_FOLDER, "/"}};
	const char *slash = strrchr(wanted->path, '/');
	const int folder = slash ? (int)(slash - wanted->path) : 0;
	char id[BUILD_ID_TEXT];

	if (candidate == 0) {
		write_build_id(id, wanted->build_id, wanted->build_id_size);
		snprintf(text, size, DEBUG_FOLDER "/.build-id/%s.debug", id);
		return id[0] != '\0';
	}
	if (!wanted->link || (wanted->link[0] == '/' && candidate > 1))
		return false;
	if (wanted->link[0] == '/')
		return (size_t)snprintf(text, size, "%s", wanted->link) < size;
	return (size_t)snprintf(text, size, "%s%.*s%s%s", folders[candidate - 1].before, folder,
				wanted->path, folders[candidate - 1].behind, wanted->link) < size;
}

/* Looks where a process sees it; pid 0: this one. */
static int find_candidate(const struct stored *stored, int32_t pid, const struct wanted *wanted,
			  char **found)
{
	struct wire_object object = stored->object;
	char path[WIRE_TEXT_BYTES];

	object.pid = pid;
	object.name = path;
	for (size_t each = 0; each < CANDIDATES; each++) {
		int fd;

		if (!write_candidate(path, sizeof(path), each, wanted))
			continue;
		fd = opener_open(stored->store->opener, OPENER_FILE, &object, NULL);
		if (fd < 0)
			continue;
		if (wanted->build_id_size > 0 ? has_build_id(fd, wanted)
					      : has_crc(fd, wanted->crc)) {
			*found = xstrdup(path);
			return fd;
		}
		close(fd);
	}
	return -1;
}

/* A callback of libdw. */
static int find_debug_file(Dwfl_Module *module, void **user, const char *module_name,
			   Dwarf_Addr base, const char *path, const char *link, GElf_Word crc,
			   char **found)
{
	struct stored *stored = *user;
	struct wanted wanted = {
		.path = path ? path : stored->object.name, .link = link, .crc = crc};
	GElf_Addr address;
	const void *id = NULL;
	int fd = -1;
	ssize_t size;

	if (link && crc == 0)
		size = dwelf_dwarf_gnu_debugaltlink(dwfl_module_getdwarf(module, &address), &link,
						    &id);
	else
		size = dwfl_module_build_id(module, &wanted.build_id, &address);
	if (size > 0)
		wanted.build_id_size = (size_t)size;
	if (id)
		wanted.build_id = id;
	if (stored->object.pid > 0)
		fd = find_candidate(stored, stored->object.pid, &wanted, found);
	if (fd < 0)
		fd = find_candidate(stored, 0, &wanted, found);
	if (fd >= 0)
		allow_mapping(stored, fd);
	return fd;
}

/* --- the file */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debug_file,
	.section_address = dwfl_offline_section_address,
};

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
	allow_mapping(stored, stored->fd);
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

static void add_symbols(struct stored *stored, struct function_table *table, bool are_variables)
{
	int count = dwfl_module_getsymtab(stored->lines.module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(stored->lines.module, i, &symbol,
							   &address, NULL, NULL, NULL);

		if (name && (are_variables ? elf_symbol_is_variable(&symbol)
					   : elf_symbol_is_function(&symbol, name) &&
						     elf_code_at_address(&stored->code, address)))
			table_add(table, &(struct table_function){
						 .start = address,
						 .size = symbol.st_size,
						 .rank = elf_symbol_rank(&symbol),
						 .name = name,
						 .name_length = TABLE_NAME_BYTES,
					 });
	}
}

static void read_symbols(struct stored *stored, Elf *elf)
{
	add_symbols(stored, &stored->table, false);
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

void elf_file_read_variables(struct stored *stored)
{
	const bool was_open = stored->dwfl != NULL;

	stored->has_variables = true;
	if (!elf_file_begin(stored))
		return;
	add_symbols(stored, &stored->variables, true);
	table_sort(&stored->variables, false);
	if (!was_open)
		elf_file_end(stored);
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
	for (size_t i = 0; stored->fd >= 0 && i < stored->code.count; i++) {
		const struct elf_segment *segment = &stored->code.segments[i];

		/* a mapping starts at the page that holds the segment's start */
		if (at < segment->offset + segment->bytes && segment->offset < at + PAGE_BYTES_MAX)
			return report_file(stored, dwfl,
					   start - at + segment->offset - segment->address)
				       ? stored->code.machine.number
				       : EM_NONE;
	}
	return EM_NONE;
}
