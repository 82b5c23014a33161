#ifndef PERFTOP_SOURCE_TASKS_PARTS_H
#define PERFTOP_SOURCE_TASKS_PARTS_H

/*
 * The source of chosen tasks, for its own files alone: tasks.c opens, changes and closes it,
 * round.c delivers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "kernel/attr.h"
#include "kernel/decode.h"
#include "kernel/group.h"
#include "model/record.h"
#include "source/source.h"
#include "source/tasks/merge.h"
#include "source/tasks/roster.h"

struct host;

/* A first reading of a group that came with a change of the plan. */
struct tasks_fresh {
	int32_t pid, tid;
	uint16_t group;
	struct group_reading reading;
};

struct tasks {
	struct source base;
	const struct host *host;
	const struct attr_features *features;
	struct trials *trials; /* owned */
	struct roster roster;
	struct decode_format format;
	struct sample_offsets offsets; /* by the format */
	struct tasks_fresh *fresh;     /* owned; to be delivered before anything else */
	size_t fresh_count, fresh_capacity, fresh_next;
	bool has_begun;
	struct merge merge;
	size_t introduced; /* threads with rings in the merge, from the first on */
	size_t round_next; /* thread of which the counts are being delivered */
	uint64_t round_ns; /* before the first ring was looked at */
	bool is_tick;      /* this round also reads the counters */
	bool in_round;
	bool has_delay;
	int epoll_fd;
	struct decoded decoded;
	struct group_reading reading;
	struct strbuf command_line;
	char name[64];
};

static inline struct tasks *tasks_of(const struct source *source)
{
	return (struct tasks *)source;
}

/* start_ns: before any ring was looked at. Whatever happened earlier is delivered in this round. */
void tasks_begin_round(struct tasks *tasks, bool is_tick, uint64_t start_ns);

/* As source_next(). */
bool tasks_next(struct source *source, struct record *record);

#endif
