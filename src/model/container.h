#ifndef PERFTOP_MODEL_CONTAINER_H
#define PERFTOP_MODEL_CONTAINER_H

/*
 * Which cgroup represents a task that is in several, and which container it is in, as far as the
 * path of the cgroup says.
 */

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

/* How many bytes of the path are that of its cgroup; tasks may be in others below it. 0: there is
 * no container. */
size_t container_path_length(const char *cgroup);

/* Whether a cgroup is in another one, or the same: by their paths. */
bool container_path_is_in(const char *path, const char *above);

/* The same of any of several, a line each. */
bool container_path_is_in_any(const char *path, const char *lines);

/* Whether a word is the name of the cgroup, with or without .service, .scope or .slice, or of the
 * container that it is of. */
bool container_path_is_named(const char *path, const char *word);

/*
 * The path in lines of /proc/PID/cgroup, "ID:CONTROLLERS:PATH", of the hierarchy that divides
 * finest: one that names a container, then one in which CPUs are limited, then one with more parts,
 * then the first. NULL: there is none. The lines are cut at their ends.
 */
const char *container_find_cgroup(char *lines);

#endif
