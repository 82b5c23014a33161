#ifndef PERFTOP_PERFDATA_TRACING_H
#define PERFTOP_PERFDATA_TRACING_H

/*
 * The formats of tracepoints, as perf's files have them in TRACING_DATA: the head of a trace.dat
 * file (trace-cmd: trace-cmd.dat.v6(5)) with what tracefs says of each tracepoint.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * The format of the tracepoint with this number in TRACING_DATA, as text that the caller frees.
 * NULL: there is none, or the data cannot be understood.
 */
char *tracing_find_format(const void *tracing, size_t size, uint64_t number);

#endif
