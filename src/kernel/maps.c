/*
 * A line is "START-END PERMS OFFSET MAJOR:MINOR INODE   NAME", numbers in hexadecimal but for the
 * inode. Names are raw bytes, except that a line end in one is written \012 (seq_file_path()).
 */
#include "kernel/maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/uio.h>

#include "kernel/rights.h"

static void undo_line_ends(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; to++) {
		if (strncmp(from, "\\012", 4) == 0) {
			*to = '\n';
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

bool maps_parse_line(char *line, struct decoded_mmap *mapping)
{
	uint64_t end;
	char permissions[5];
	int name = 0;

	*mapping = (struct decoded_mmap){0};
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n",
		   &mapping->address, &end, permissions, &mapping->page_offset, &mapping->major,
		   &mapping->minor, &mapping->inode, &name) != 7 ||
	    name == 0 || strlen(permissions) != 4 || end <= mapping->address)
		return false;
	undo_line_ends(line + name);
	mapping->length = end - mapping->address;
	mapping->is_data = permissions[2] != 'x';
	mapping->protection = mapping->is_data ? 0 : PROT_EXEC;
	if (permissions[0] == 'r')
		mapping->protection |= PROT_READ;
	if (permissions[1] == 'w')
		mapping->protection |= PROT_WRITE;
	mapping->flags = permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	mapping->file = line[name] != '\0' ? line + name : "//anon";
	mapping->file_length = strlen(mapping->file);
	return true;
}

void maps_read(FILE *file, void (*visit)(const struct decoded_mmap *mapping, void *context),
	       void *context)
{
	struct decoded_mmap mapping;
	char *line = NULL;
	size_t capacity = 0;

	while (getline(&line, &capacity, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (maps_parse_line(line, &mapping))
			visit(&mapping, context);
	}
	free(line);
}

bool maps_walk(int32_t pid, void (*visit)(const struct decoded_mmap *mapping, void *context),
	       void *context)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/maps", pid);
	rights_raise(RIGHTS_TASKS);
	file = fopen(path, "re");
	rights_lower();
	if (!file)
		return false;
	maps_read(file, visit, context);
	fclose(file);
	return true;
}

static void note_vdso(const struct decoded_mmap *mapping, void *context)
{
	struct iovec *vdso = context;

	if (strcmp(mapping->file, MAPS_VDSO) == 0)
		*vdso = (struct iovec){(void *)(uintptr_t)mapping->address,
				       (size_t)mapping->length};
}

int maps_copy_vdso(void)
{
	struct iovec vdso = {0};
	int fd;

	maps_walk(getpid(), note_vdso, &vdso);
	fd = vdso.iov_len > 0 ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	if (fd >= 0 && write(fd, vdso.iov_base, vdso.iov_len) == (ssize_t)vdso.iov_len)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}
