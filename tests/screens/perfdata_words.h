#ifndef PERFTOP_TESTS_PERFDATA_WORDS_H
#define PERFTOP_TESTS_PERFDATA_WORDS_H

/*
 * What perf script -D would say of a record, made of what our decoder says.
 */

#include "perfdata/reader.h"

struct strbuf;

/* Appends the type without PERF_RECORD_, and the values; `start` are the record's bytes. */
void words_of_record(struct strbuf *out, const struct decoded *record,
		     const struct perfdata_event *event, const char *start);

/* Of a type of which only the ids are compared, and the bytes; NULL: the words are. */
const char *name_of_unread(uint32_t type);

#endif
