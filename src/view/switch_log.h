#ifndef PERFTOP_VIEW_SWITCH_LOG_H
#define PERFTOP_VIEW_SWITCH_LOG_H

/*
 * The rows of the switch log. They are not kept: a row is made of its history entry when it is
 * shown. Kept between builds is which entries are rows, and only if not all are.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct column;
struct rows_input;
struct view_row;
struct view_request;

struct switch_log; /* opaque */

/* Whether entries can be sorted by a column: ran, off-cpu and sch-delay. */
bool switch_log_sorts(const struct column *column);

/* The column they are sorted by, if the history is frozen; NULL: by time. */
const struct column *switch_log_order(const struct view_request *request);

struct switch_log *switch_log_create(void);
void switch_log_destroy(struct switch_log *log); /* NULL is allowed */

/*
 * Decides which entries are rows. As long as the request stays the same an entry is judged once,
 * by what is known when it is first looked at. While it judges many the request's meanwhile() is
 * called; entries that the history drops then are no rows.
 */
/* The history of the request is borrowed until the next build. */
void switch_log_build(struct switch_log *log, const struct rows_input *input);

size_t switch_log_count(const struct switch_log *log);

/*
 * Good until the next but one is asked for. The history may have gone on since the build: a row
 * with an entry that was dropped meanwhile is there, and nothing of it is known.
 */
const struct view_row *switch_log_row(struct switch_log *log, size_t index);

/* Sequence number of a row's entry, without making the row. */
uint64_t switch_log_sequence(const struct switch_log *log, size_t index);

int switch_log_index_of(const struct switch_log *log, uint64_t sequence); /* -1: no row */

#endif
