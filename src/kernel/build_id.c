#include "kernel/build_id.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "kernel/sys.h"

enum {
	NOTES_BYTES = 16384
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
