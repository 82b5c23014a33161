#ifndef PERFTOP_PERFDATA_TRACING_H
#define PERFTOP_PERFDATA_TRACING_H

/*
 * Writes the formats of tracepoints, as perf.data has them in TRACING_DATA: the head of a trace.dat
 * file (trace-cmd: trace-cmd.dat.v6(5)) with what tracefs says of each tracepoint. They are read by
 * perfdata_find_format() (reader.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* A tracepoint that is wanted: by its number, and where it probably is. */
struct tracing_query {
	uint64_t id;
	const char *name; /* "GROUP:NAME" and perhaps more behind it; borrowed for the call */
	bool is_met;      /* its format was found */
};

/*
 * Appends those that are found in tracefs, which is mounted there ("": nowhere). Where nothing is
 * found or can be read, no query is met and nothing is appended.
 */
void tracing_append(const char *tracefs, struct tracing_query *queries, size_t count,
		    struct strbuf *buffer);

#endif
