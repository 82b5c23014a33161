#ifndef PERFTOP_SOURCE_WANTED_H
#define PERFTOP_SOURCE_WANTED_H

/* Which processes were asked for, where more is counted, or recorded, than those. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/record.h"

enum wanted_kind {
	WANTED_ALL,
	WANTED_PIDS, /* some processes */
	WANTED_TREE  /* some processes and their descendants */
};

/* All of them are {0}. */
struct wanted {
	enum wanted_kind kind;
	struct map pids; /* of the processes */
};

void wanted_fini(struct wanted *wanted); /* it is all of them then */
void wanted_add(struct wanted *wanted, int32_t pid);
bool wanted_has(const struct wanted *wanted, int32_t pid);

/* Takes over what `from` says, instead of all that was there. */
void wanted_copy(struct wanted *wanted, const struct wanted *from);

/*
 * A birth (RECORD_FORK): descendants are wanted from theirs on; a pid that is given out again
 * elsewhere is no longer.
 */
void wanted_follow(struct wanted *wanted, const struct record *birth);

#endif
