#ifndef PERFTOP_VIEW_GROUPS_H
#define PERFTOP_VIEW_GROUPS_H

/*
 * Tasks summed by what they have in common: a row for each command, user, cgroup... Idle time and
 * what belongs to no known task are rows, too, so that all rows together are the machine. Totals
 * include tasks that have ended (model/exited_totals.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/column_table.h"
#include "view/table.h"

struct getter_input;
struct snapshot_task;
struct strbuf;

/* What identifies a group: a text, or a number. Borrowed from the snapshot or the in. */
struct group_key {
	const char *text; /* NULL: by the number; "" in no such group, or not known */
	int64_t number;   /* -1: in no such group, or not known */
};

/* A way to sum tasks. */
struct grouping {
	const char *name;                   /* identity, as in group-by: "cgroup" */
	const char *column;                 /* of tasks, that has their group; filters compare it */
	const char *none;                   /* words for tasks without such a group */
	size_t (*cgroup)(const char *path); /* how many bytes of a member's cgroup are that of the
					       group; NULL: it is none */
	bool is_of_ids;                     /* the number is a process, its name belongs to it */
	struct group_key (*find)(const struct getter_input *in, const struct snapshot_task *task);
};

enum {
	GROUPINGS = 8
};

/* By the number of the setting group-by; below 0: the first. */
const struct grouping *grouping_get(int number);

struct task_group {
	const struct grouping *grouping;
	struct group_key key;
	bool is_none;       /* of those that are in none, or of which it is not known */
	const char *words;  /* raw bytes: "nginx", "sshd 712" */
	const char *cgroup; /* path that begins with that of the group's; NULL: it has none */
	uint32_t tasks;     /* processes, or threads where these have rows of their own */
};

/*
 * Appends the filter that exactly the members of the group pass: user = "www". False: there is
 * none, since the name contains both kinds of quotes.
 */
bool group_write_filter(const struct task_group *group, struct strbuf *out);

#endif
