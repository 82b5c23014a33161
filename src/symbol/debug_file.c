/*
 * A link with a checksum is .gnu_debuglink, one without .gnu_debugaltlink. Whatever is found counts
 * only with the right build id, or where there is none, the right checksum.
 */
#include "symbol/debug_file.h"

#include <elfutils/libdwelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"

#include "symbol/confine.h"
#include "symbol/opener.h"

static const char debug_folder[] = "/usr/lib/debug";

/* What is looked for. */
struct wanted {
	const unsigned char *build_id;
	size_t build_id_size; /* 0: none */
	const char *path;     /* of the file that has the link */
	const char *link;     /* NULL: none */
	uint32_t crc;
};

void debug_file_place(Dwfl_Module *module, struct debug_place *place)
{
	void **its;

	dwfl_module_info(module, &its, NULL, NULL, NULL, NULL, NULL, NULL);
	*its = place;
}

void debug_file_allow(struct debug_place *place, int fd)
{
	struct stat status;

	if (fstat(fd, &status) == 0) {
		place->mapped_bytes += (uint64_t)status.st_size;
		*place->all_mapped_bytes += (uint64_t)status.st_size;
	}
	limit_memory(*place->all_mapped_bytes);
}

void debug_file_unmapped(struct debug_place *place)
{
	*place->all_mapped_bytes -= place->mapped_bytes;
	place->mapped_bytes = 0;
}

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

/* That of gzip and Ethernet. */
static uint32_t add_to_crc(uint32_t crc, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

static bool has_crc(int fd, uint32_t wanted)
{
	unsigned char bytes[1 << 16];
	uint32_t crc = UINT32_MAX;
	off_t at = 0;
	ssize_t count;

	while ((count = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		crc = add_to_crc(crc, bytes, (size_t)count);
		at += count;
	}
	return count == 0 && ~crc == wanted;
}

static bool is_right(int fd, const struct wanted *wanted)
{
	return wanted->build_id_size > 0 ? has_build_id(fd, wanted) : has_crc(fd, wanted->crc);
}

/* --- where it may be */

enum candidate {
	BY_BUILD_ID,
	AS_LINKED,
	BESIDE,
	BELOW,
	IN_DEBUG_FOLDER,
	CANDIDATES
};

static bool write_by_build_id(char *text, size_t size, const struct wanted *wanted)
{
	size_t length = (size_t)snprintf(text, size, "%s/.build-id/", debug_folder);

	if (wanted->build_id_size < 2)
		return false;
	for (size_t i = 0; i < wanted->build_id_size && length + 4 < size; i++)
		length += (size_t)snprintf(text + length, size - length, i == 0 ? "%02x/" : "%02x",
					   wanted->build_id[i]);
	return length + (size_t)snprintf(text + length, size - length, ".debug") < size;
}

/* False: there is no such candidate. */
static bool write_candidate(char *text, size_t size, enum candidate candidate,
			    const struct wanted *wanted)
{
	const char *slash = strrchr(wanted->path, '/');
	const int folder = slash ? (int)(slash - wanted->path) : 0;
	const bool is_relative = wanted->link && wanted->link[0] != '/';
	int length = -1;

	switch (candidate) {
	case BY_BUILD_ID:
		return write_by_build_id(text, size, wanted);
	case AS_LINKED:
		if (wanted->link && !is_relative)
			length = snprintf(text, size, "%s", wanted->link);
		break;
	case BESIDE:
		if (is_relative)
			length =
				snprintf(text, size, "%.*s/%s", folder, wanted->path, wanted->link);
		break;
	case BELOW:
		if (is_relative)
			length = snprintf(text, size, "%.*s/.debug/%s", folder, wanted->path,
					  wanted->link);
		break;
	case IN_DEBUG_FOLDER:
		if (is_relative)
			length = snprintf(text, size, "%s%.*s/%s", debug_folder, folder,
					  wanted->path, wanted->link);
		break;
	case CANDIDATES:
		break;
	}
	return length >= 0 && (size_t)length < size;
}

static int find(struct opener *opener, int32_t pid, const struct wanted *wanted, char **found)
{
	struct opener_request request = {.wish = OPENER_FILE, .pid = pid};
	struct opener_reply reply;

	for (enum candidate each = 0; each < CANDIDATES; each++) {
		int fd;

		if (!write_candidate(request.name, sizeof(request.name), each, wanted))
			continue;
		fd = opener_open(opener, &request, &reply);
		if (fd >= 0 && is_right(fd, wanted)) {
			*found = xstrdup(request.name);
			return fd;
		}
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

int debug_file_find(Dwfl_Module *module, void **its_place, const char *module_name, Dwarf_Addr base,
		    const char *path, const char *link, GElf_Word crc, char **found)
{
	struct debug_place *place = *its_place;
	struct wanted wanted = {.path = path ? path : place->path, .link = link, .crc = crc};
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
	if (place->pid > 0)
		fd = find(place->opener, place->pid, &wanted, found);
	if (fd < 0)
		fd = find(place->opener, 0, &wanted, found);
	if (fd >= 0)
		debug_file_allow(place, fd);
	return fd;
}
