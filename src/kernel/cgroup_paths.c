#include "kernel/cgroup_paths.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/memory.h"
#include "kernel/rights.h"
#include "kernel/stall.h"
#include "kernel/sys.h"

enum {
	PATHS_MAX = 16384,   /* kept; when there are more, all are looked up anew */
	HANDLE_OF_ID = 0xfe, /* FILEID_KERNFS, Linux 5.5: its 8 bytes are the id */
	LINK_BYTES = PATH_MAX
};

struct cgroup_paths {
	int mount_fd;
	struct map by_id; /* owned texts */
};

static bool read_link(const char *path, char text[static LINK_BYTES])
{
	const ssize_t length = readlink(path, text, LINK_BYTES - 1);

	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

static bool read_link_of(int fd, char text[static LINK_BYTES])
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return read_link(path, text);
}

static bool is_first_namespace(const char *root)
{
	char path[LINK_BYTES], name[LINK_BYTES];

	snprintf(path, sizeof(path), "%s/proc/self/ns/cgroup", root);
	/* one without namespaces has no such file */
	return !read_link(path, name) || strcmp(name, "cgroup:[4026531835]") == 0;
}

struct cgroup_paths *cgroup_paths_create(const char *root)
{
	struct cgroup_mounts mounts;
	struct cgroup_paths *paths;
	char mount[LINK_BYTES];
	int fd;

	cgroup_find_mounts(&mounts, root);
	/* mounted elsewhere it is used beside version 1 */
	if (strcmp(mounts.unified, "/sys/fs/cgroup") != 0 || !is_first_namespace(root))
		return NULL;
	snprintf(mount, sizeof(mount), "%s%s", root, mounts.unified);
	fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	paths = xcalloc(1, sizeof(*paths));
	paths->mount_fd = fd;
	return paths;
}

void cgroup_paths_destroy(struct cgroup_paths *paths)
{
	if (!paths)
		return;
	map_fini_with(&paths->by_id, free);
	sys_close(paths->mount_fd);
	free(paths);
}

void cgroup_paths_put(struct cgroup_paths *paths, uint64_t id, const char *path, size_t length)
{
	if (paths->by_id.count == PATHS_MAX)
		map_fini_with(&paths->by_id, free);
	free(map_put(&paths->by_id, id, xstrndup(path, length)));
}

static int open_by_id(int mount_fd, uint64_t id)
{
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(id)];
	} of = {.handle = {.handle_bytes = sizeof(id), .handle_type = HANDLE_OF_ID}};
	int fd;

	memcpy(of.bytes + sizeof(of.handle), &id, sizeof(id));
	rights_raise(RIGHTS_CGROUP_IDS);
	fd = open_by_handle_at(mount_fd, &of.handle, O_PATH | O_CLOEXEC);
	rights_lower();
	return fd;
}

/* The path of a descriptor begins with that of the mount. */
static void read_path_of(struct cgroup_paths *paths, uint64_t id)
{
	const int fd = open_by_id(paths->mount_fd, id);
	char mount[LINK_BYTES], path[LINK_BYTES];
	size_t length;

	if (fd < 0)
		return;
	if (read_link_of(paths->mount_fd, mount) && read_link_of(fd, path)) {
		length = strlen(mount);
		if (strncmp(path, mount, length) == 0 && path[length] == '/')
			cgroup_paths_put(paths, id, path + length, strlen(path + length));
		else if (strcmp(path, mount) == 0)
			cgroup_paths_put(paths, id, "/", 1);
	}
	sys_close(fd);
}

const char *cgroup_paths_find(struct cgroup_paths *paths, uint64_t id)
{
	if (!map_get(&paths->by_id, id))
		read_path_of(paths, id);
	return map_get(&paths->by_id, id);
}
