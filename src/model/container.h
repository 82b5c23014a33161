#ifndef PERFTOP_MODEL_CONTAINER_H
#define PERFTOP_MODEL_CONTAINER_H

/* Which container a task is in, as far as the path of its cgroup tells. */

#include <stdbool.h>
#include <stddef.h>

enum {
	CONTAINER_NAME_MAX = 64 /* NUL included */
};

/*
 * Writes the name of the innermost container: an id as docker ps and crictl ps shorten it, or the
 * name that it has by itself (lxc, systemd-nspawn). False: it is in none, and name is "".
 */
bool container_of(const char *cgroup, char *name, size_t size);

#endif
