#ifndef PERFTOP_PERFDATA_TRACING_H
#define PERFTOP_PERFDATA_TRACING_H

/*
 * The formats of tracepoints, as perf.data has them in TRACING_DATA: the head of a trace.dat file
 * (trace-cmd: trace-cmd.dat.v6(5)) with what tracefs says of each tracepoint. They are written, or
 * read once and found by their numbers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;
struct tracing_formats; /* opaque */

/* A tracepoint that is wanted: by its number, and where it is if the name is not the user's. */
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

/* What cannot be understood has none. The bytes are borrowed until the formats are destroyed. */
struct tracing_formats *tracing_read(const void *bytes, size_t size);
void tracing_formats_destroy(struct tracing_formats *formats); /* NULL is allowed */

/* Writes the name of a tracepoint, "sched:sched_switch". False: it is not known. */
bool tracing_name(const struct tracing_formats *formats, uint64_t number, char *name, size_t size);

#endif
