#ifndef PERFTOP_EVENT_PERF_WORDS_H
#define PERFTOP_EVENT_PERF_WORDS_H

/*
 * An event as perf record takes it behind -e. It is made of what the event is and not of how it was
 * typed, since names of libpfm4 and given names (name=) mean nothing to perf.
 */

#include <stdbool.h>

struct event_spec;
struct strbuf;

/* Appends it; false: perf record cannot sample it by words alone, nothing was appended and *reason
 * says why not. */
bool event_perf_words(const struct event_spec *spec, struct strbuf *out, const char **reason);

#endif
