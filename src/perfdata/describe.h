#ifndef PERFTOP_PERFDATA_DESCRIBE_H
#define PERFTOP_PERFDATA_DESCRIBE_H

/* What a replay of perf's file says about itself, and what cannot be known of it. */

#include <stdbool.h>
#include <stdint.h>

struct perfdata_info;
struct replay_events;
struct session;
struct strbuf;

/* A wall clock that is not known: every time with it is before the epoch. */
#define REPLAY_WALL_UNKNOWN INT64_MIN

/* Whether the words of perf's command say that CPUs are counted (1), or tasks (-1); 0: neither. */
int replay_scope(const char *command);

void replay_describe(struct session *session, const char *path, const struct perfdata_info *info,
		     const struct replay_events *events);

/* "perf.data", "standard input" */
const char *replay_name(const char *path);

/* Appends "3 records that cannot be true left out"; nothing where the count is 0. */
void replay_add_remark(struct strbuf *remarks, uint64_t count, const char *what, const char *how);

#endif
