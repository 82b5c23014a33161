/*
 * Files are kept by the hash of their path, those of the same hash in a chain. A file is opened
 * without waiting (it may be a FIFO by now). Anyone may have made it, so that it is read by few
 * bytes, of which none says how much memory is taken.
 */

#include "perfdata/build_ids.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/build_id.h"
#include "kernel/decode.h"
#include "kernel/maps.h"

#include "perfdata/bytes.h"
#include "perfdata/disk.h"

enum {
	SIZE_IS_GIVEN = 1 << 15, /* PERF_RECORD_MISC_BUILD_ID_SIZE: the byte behind the id */
	ID_ROOM = 24,            /* the id, its size, three bytes reserved */
	FILES_MAX = 1 << 16      /* of a recording */
};

#define KERNEL_NAME "[kernel.kallsyms]"

struct file {
	char *path; /* owned */
	unsigned char id[BUILD_ID_MAX];
	size_t id_size; /* 0: it has none, or it is not known which */
	uint64_t inode; /* of one that was noted */
	uint16_t misc;
	struct file *same_hash; /* owned */
	struct file *before;    /* in the order of their coming */
};

struct build_ids {
	struct map by_hash;
	struct file *last;
	size_t count;
};

struct build_ids *build_ids_create(void)
{
	return xcalloc(1, sizeof(struct build_ids));
}

void build_ids_destroy(struct build_ids *ids)
{
	if (!ids)
		return;
	for (struct file *file = ids->last, *before; file; file = before) {
		before = file->before;
		free(file->path);
		free(file);
	}
	map_fini(&ids->by_hash);
	free(ids);
}

static size_t read_file_build_id(const char *path, uint64_t inode,
				 unsigned char id[static BUILD_ID_MAX])
{
	const bool is_vdso = strcmp(path, MAPS_VDSO) == 0;
	int fd = is_vdso ? maps_copy_vdso()
			 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;
	size_t size = 0;

	if (fd < 0)
		return 0;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    (is_vdso || status.st_ino == inode))
		size = build_id_of_file(fd, id);
	close(fd);
	return size;
}

static struct file *known_file(const struct build_ids *ids, const char *path)
{
	struct file *file = map_get(&ids->by_hash, hash_text(0, path));

	while (file && strcmp(file->path, path) != 0)
		file = file->same_hash;
	return file;
}

/* The file of that name, new and empty; NULL: it is known, or there are too many. */
static struct file *add_file(struct build_ids *ids, const char *path)
{
	uint64_t hash = hash_text(0, path);
	struct file *first = map_get(&ids->by_hash, hash), *file;

	if (known_file(ids, path) || ids->count >= FILES_MAX)
		return NULL;
	file = xcalloc(1, sizeof(*file));
	file->path = xstrdup(path);
	file->same_hash = first;
	file->before = ids->last;
	ids->last = file;
	ids->count++;
	map_put(&ids->by_hash, hash, file);
	return file;
}

/* "[heap]", "//anon" are none. */
static bool is_file(const char *path)
{
	return (path[0] == '/' && path[1] != '/') || strcmp(path, MAPS_VDSO) == 0;
}

void build_ids_note(struct build_ids *ids, const char *path, uint64_t inode)
{
	struct file *file = known_file(ids, path);

	if (file && file->inode != inode)
		file->id_size = 0;
	if (file || !is_file(path))
		return;
	file = add_file(ids, path);
	if (!file)
		return;
	file->inode = inode;
	file->id_size = read_file_build_id(path, inode, file->id);
	file->misc = DECODED_MISC_USER;
}

void build_ids_note_kernel(struct build_ids *ids, const char *path)
{
	struct file *file = add_file(ids, KERNEL_NAME);

	if (file) {
		file->id_size = build_id_of_kernel(open(path, O_RDONLY | O_CLOEXEC), file->id);
		file->misc = DECODED_MISC_KERNEL;
	}
}

/* Older ones do not say the size: what was filled up has zeros. */
static size_t size_of(const unsigned char id[static ID_ROOM], uint16_t misc)
{
	size_t size = BUILD_ID_MAX;

	if (misc & SIZE_IS_GIVEN)
		return id[BUILD_ID_MAX] <= BUILD_ID_MAX ? id[BUILD_ID_MAX] : 0;
	while (size > 0 && memcmp(id + size - sizeof(uint32_t), "\0\0\0", sizeof(uint32_t)) == 0)
		size -= sizeof(uint32_t);
	return size;
}

void build_ids_take(struct build_ids *ids, uint16_t misc, const void *body, size_t size)
{
	const size_t front = sizeof(uint32_t) + ID_ROOM; /* a pid that says nothing, and the id */
	const unsigned char *id = (const unsigned char *)body + sizeof(uint32_t);
	struct file *file;
	char *path;

	if (size <= front)
		return;
	path = xstrndup((const char *)body + front, size - front);
	file = add_file(ids, path);
	if (file) {
		file->id_size = size_of(id, misc);
		file->misc = misc;
		memcpy(file->id, id, file->id_size);
	}
	free(path);
}

size_t build_ids_find(const struct build_ids *ids, const char *path, size_t length,
		      unsigned char id[static BUILD_ID_MAX])
{
	const size_t kernel = strlen(KERNEL_NAME);
	struct file *file = NULL;
	char *name;

	if (!ids)
		return 0;
	/* the kernel's mapping is called by that and a symbol */
	if (length > kernel && memcmp(path, KERNEL_NAME, kernel) == 0)
		length = kernel;
	name = xstrndup(path, length);
	file = known_file(ids, name);
	free(name);
	if (!file)
		return 0;
	memcpy(id, file->id, file->id_size);
	return file->id_size;
}

static void append_build_id(const struct file *file, unsigned int type, struct strbuf *buffer)
{
	size_t length = strlen(file->path) + 1;
	size_t room = (length + DISK_TEXT_ALIGN - 1) / DISK_TEXT_ALIGN * DISK_TEXT_ALIGN;
	unsigned char id[ID_ROOM] = {0};

	memcpy(id, file->id, file->id_size);
	id[BUILD_ID_MAX] = (unsigned char)file->id_size;
	bytes_header(buffer, type, file->misc | SIZE_IS_GIVEN, sizeof(uint32_t) + ID_ROOM + room);
	codec_put_u32(buffer, UINT32_MAX); /* of this machine, and no guest */
	strbuf_add_bytes(buffer, (const char *)id, sizeof(id));
	strbuf_add_bytes(buffer, file->path, length);
	strbuf_add_repeated(buffer, '\0', room - length);
}

bool build_ids_append(const struct build_ids *ids, unsigned int type, struct strbuf *buffer)
{
	size_t before = buffer->length;

	for (const struct file *file = ids->last; file; file = file->before)
		if (file->id_size > 0)
			append_build_id(file, type, buffer);
	return buffer->length > before;
}
