#ifndef PERFTOP_SESSION_CGROUP_TARGET_H
#define PERFTOP_SESSION_CGROUP_TARGET_H

/*
 * The cgroup (version 2) that a user means: by its path, as in /proc/PID/cgroup or below
 * /sys/fs/cgroup, or by the name of a container, a service or a cgroup where only one has it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct error;

enum {
	CGROUP_TARGETS_MAX = 16
};

/* The paths of several, none of which is in another. Empty: {0}. */
struct cgroup_targets {
	struct strbuf paths[CGROUP_TARGETS_MAX]; /* owned */
	size_t count;
};

/* Appends its path, as in /proc/PID/cgroup. Files are read under `root`, "" in production. */
bool cgroup_target_find(struct strbuf *path, const char *word, const char *root,
			struct error *error);

/* The same for a list with a character between them. Without success, too, the targets are to be
 * released. */
bool cgroup_targets_find(struct cgroup_targets *targets, const char *words, char between,
			 const char *root, struct error *error);
void cgroup_targets_fini(struct cgroup_targets *targets);

/* The path of the one that a process is in, within the lines, which it replaces; NULL: none is
 * known. */
const char *cgroup_target_of(int32_t pid, struct strbuf *lines);

/* Those that are counted, in place of the whole machine. Empty: {0}. */
struct counted_cgroups {
	char *paths;                 /* owned; a line each, of those chosen while it runs; NULL */
	int fds[CGROUP_TARGETS_MAX]; /* open */
	size_t count, gone;
	size_t words_length; /* of the scope's words without how many are gone, once some are */
};

/* Opens those that are meant, and says which these are: "cgroup /web, /db". */
bool counted_cgroups_open(struct counted_cgroups *counted, const char *cgroups,
			  struct strbuf *words, struct error *error);
void counted_cgroups_fini(struct counted_cgroups *counted);

/* Says of several how many are removed: "cgroup /web, /db (1 removed)". One that is made anew under
 * the name of one of them is another one. */
void counted_cgroups_look(struct counted_cgroups *counted, char *words, size_t size);

#endif
