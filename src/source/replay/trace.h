#ifndef PERFTOP_SOURCE_REPLAY_TRACE_H
#define PERFTOP_SOURCE_REPLAY_TRACE_H

/*
 * Finds the formats of tracepoints in the tracing data of a perf.data file (TRACING_DATA, as
 * trace-cmd writes it, version 0.6): the text of each format file as it was on the machine that
 * recorded.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * The format of the tracepoint with this number, as text that the caller frees. NULL: there is
 * none, or the data are not to be understood.
 */
char *replay_trace_format(const void *tracing, size_t size, uint64_t number);

#endif
