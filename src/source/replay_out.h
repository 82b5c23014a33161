#ifndef PERFTOP_SOURCE_REPLAY_OUT_H
#define PERFTOP_SOURCE_REPLAY_OUT_H

/*
 * The records that one item of a file becomes, until they are taken: a few at a time. One of them
 * at most is a reading with values, one has a name.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernel/decode.h"
#include "model/layout.h"
#include "model/record.h"
#include "source/replay_item.h"

struct replay_out {
	struct record records[DECODE_READ_MAX + 8];
	size_t count, next;
	uint64_t values[LAYOUT_GROUP_MEMBERS_MAX];
	char name[ITEM_NAME_MAX];
};

/* Room for one more record, of this time and nobody's. */
struct record *replay_out_add(struct replay_out *out, enum record_kind kind, uint64_t time_ns);

/* False: all were taken. */
static inline bool replay_out_take(struct replay_out *out, struct record *record)
{
	if (out->next == out->count) {
		out->next = out->count = 0;
		return false;
	}
	*record = out->records[out->next++];
	return true;
}

#endif
