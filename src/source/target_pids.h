#ifndef PERFTOP_SOURCE_TARGET_PIDS_H
#define PERFTOP_SOURCE_TARGET_PIDS_H

/* Which processes were asked for, where more is counted, or recorded, than those. */

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "model/record.h"

enum target_pids_kind {
	TARGET_PIDS_ALL,
	TARGET_PIDS_LIST, /* some processes */
	TARGET_PIDS_TREE  /* some processes and their descendants */
};

/* All of them are {0}. */
struct target_pids {
	enum target_pids_kind kind;
	struct map pids; /* of the processes */
};

void target_pids_fini(struct target_pids *targets); /* it is all of them then */
void target_pids_add(struct target_pids *targets, int32_t pid);
bool target_pids_has(const struct target_pids *targets, int32_t pid);

/* Takes over what `from` says, instead of all that was there. */
void target_pids_copy(struct target_pids *targets, const struct target_pids *from);

/*
 * A birth (RECORD_FORK): descendants are targets from theirs on; a pid that is given out again
 * elsewhere is no longer.
 */
void target_pids_follow(struct target_pids *targets, const struct record *birth);

#endif
