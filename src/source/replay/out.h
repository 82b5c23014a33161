#ifndef PERFTOP_SOURCE_REPLAY_OUT_H
#define PERFTOP_SOURCE_REPLAY_OUT_H

/*
 * The records that one record of a file becomes, until they are taken: a few at a time. One of them
 * at most is a reading with values, one has a name.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/decode.h"
#include "model/layout.h"
#include "model/record.h"
#include "source/replay/queued.h"

struct replay_out {
	struct record *first; /* borrowed; the place of the first one, which is taken at once */
	struct record records[DECODE_READ_MAX + 8]; /* the others, from 1 on */
	size_t count, next;
	uint64_t values[LAYOUT_GROUP_MEMBERS_MAX];
	char name[QUEUED_NAME_MAX];
};

/* The first one that is added from now on is written to this place. All must have been taken. */
static inline void replay_out_begin(struct replay_out *out, struct record *first)
{
	out->first = first;
	out->count = 0;
	out->next = 1;
}

/* Room for one more record, of this time and of no task. */
struct record *replay_out_add(struct replay_out *out, enum record_kind kind, uint64_t time_ns);

/* One of those behind the first. False: all were taken. */
static inline bool replay_out_take(struct replay_out *out, struct record *record)
{
	if (out->next >= out->count)
		return false;
	*record = out->records[out->next++];
	return true;
}

#endif
