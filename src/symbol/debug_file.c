/*
 * A link with a checksum is .gnu_debuglink, one without .gnu_debugaltlink. Whatever is found counts
 * only with the right build id, or where there is none, the right checksum.
 */
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#include "symbol/elf_file.h"
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

/* --- whether it is the right one */

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

/* --- where it may be */

enum {
	CANDIDATES = 4
};

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

int debug_file_find(Dwfl_Module *module, void **user, const char *module_name, Dwarf_Addr base,
		    const char *path, const char *link, GElf_Word crc, char **found)
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
		elf_file_allow(stored, fd);
	return fd;
}
