#include "kernel/build_id.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "kernel/sys.h"

enum {
	NOTES_BYTES = 16384,
	SEGMENTS_MAX = 64
};

/* Where the segments of a program are described. */
struct segments {
	uint64_t offset; /* in the file, of the first description */
	size_t count;
	bool is_64_bit;
};

static size_t aligned(size_t size)
{
	return (size + 3) / 4 * 4;
}

size_t build_id_find(const void *notes, size_t size, unsigned char id[static BUILD_ID_MAX])
{
	const unsigned char *at = notes;

	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr header; /* the same in both classes */

		memcpy(&header, at, sizeof(header));

		size_t name = aligned(header.n_namesz), text = aligned(header.n_descsz);

		size -= sizeof(header);
		at += sizeof(header);
		if (name > size || text > size - name)
			return 0;
		if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof("GNU") &&
		    memcmp(at, "GNU", sizeof("GNU")) == 0 && header.n_descsz > 0 &&
		    header.n_descsz <= BUILD_ID_MAX) {
			memcpy(id, at + name, header.n_descsz);
			return header.n_descsz;
		}
		at += name + text;
		size -= name + text;
	}
	return 0;
}

size_t build_id_of_kernel(int fd, unsigned char id[static BUILD_ID_MAX])
{
	char notes[NOTES_BYTES];
	ssize_t length;

	if (fd < 0)
		return 0;
	length = sys_read(fd, notes, sizeof(notes));
	close(fd);
	return length > 0 ? build_id_find(notes, (size_t)length, id) : 0;
}

static bool read_at(int fd, uint64_t offset, void *bytes, size_t size)
{
	return offset <= INT64_MAX && pread(fd, bytes, size, (off_t)offset) == (ssize_t)size;
}

static bool find_segments(int fd, struct segments *segments)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr narrow;
		Elf64_Ehdr wide;
	} header = {0};
	const int order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

	if (!read_at(fd, 0, &header.narrow, sizeof(header.narrow)) ||
	    memcmp(header.ident, ELFMAG, SELFMAG) != 0 || header.ident[EI_DATA] != order)
		return false;
	segments->is_64_bit = header.ident[EI_CLASS] == ELFCLASS64;
	if (segments->is_64_bit && !read_at(fd, 0, &header.wide, sizeof(header.wide)))
		return false;
	segments->offset = segments->is_64_bit ? header.wide.e_phoff : header.narrow.e_phoff;
	segments->count = segments->is_64_bit ? header.wide.e_phnum : header.narrow.e_phnum;
	if (segments->count > SEGMENTS_MAX)
		segments->count = SEGMENTS_MAX;
	return true;
}

/* Where the notes of a segment lie; their size, 0: it is no segment of notes. */
static uint64_t find_notes(int fd, const struct segments *segments, size_t index, uint64_t *offset)
{
	Elf64_Phdr wide;
	Elf32_Phdr narrow;

	if (segments->is_64_bit) {
		if (!read_at(fd, segments->offset + index * sizeof(wide), &wide, sizeof(wide)) ||
		    wide.p_type != PT_NOTE)
			return 0;
		*offset = wide.p_offset;
		return wide.p_filesz;
	}
	if (!read_at(fd, segments->offset + index * sizeof(narrow), &narrow, sizeof(narrow)) ||
	    narrow.p_type != PT_NOTE)
		return 0;
	*offset = narrow.p_offset;
	return narrow.p_filesz;
}

size_t build_id_of_file(int fd, unsigned char id[static BUILD_ID_MAX])
{
	struct segments segments;
	size_t found = 0;

	if (!find_segments(fd, &segments))
		return 0;
	for (size_t i = 0; i < segments.count && found == 0; i++) {
		char notes[NOTES_BYTES];
		uint64_t offset = 0, size = find_notes(fd, &segments, i, &offset);
		ssize_t length = 0;

		if (size > sizeof(notes))
			size = sizeof(notes);
		if (size > 0 && offset <= INT64_MAX)
			length = pread(fd, notes, (size_t)size, (off_t)offset);
		found = length > 0 ? build_id_find(notes, (size_t)length, id) : 0;
	}
	return found;
}
