#ifndef PERFTOP_VIEW_FILTER_H
#define PERFTOP_VIEW_FILTER_H

/*
 * What narrows rows: plain words, or an expression over columns.
 *
 *	ipc < 0.5 && cache-misses > 1M && user = www
 *	slice > 5ms && kind = preempted
 *	!(command ~ "^kworker") || 4711
 *
 * A comparison is COLUMN OPERATOR VALUE, the operator one of = != < <= > >= ~ !~ (and == for =, =~
 * for ~). Numbers may have k, M, G, T, %, or ns, us, ms, s, m, h, d behind them; they are compared
 * in the unit of the column. Texts are compared without regard to case; ~ takes a POSIX extended
 * regular expression. An unknown value passes no comparison but != and !~, which are the contrary
 * of = and ~. ! && || and brackets join them ("not", "and", "or" too), ! closest; a word that
 * is alone must occur in pid, user or command. Quotes ("..." or '...') are around what has
 * blanks, brackets, or the signs of this language in it: names of columns, words and values.
 *
 * A name is all up to a blank, a bracket or an operator: a minus belongs to it, since nothing is
 * computed here. The names of events that have a column may have signs in them, too. Some names
 * mean more than the column: "task" compares names and numbers of tasks, "command" ("name") the
 * name and the command line; of a switch these, pid and tid are those of either side. "kind" is
 * "how". Its words are a fixed set, "idle" and "unknown" among them, which the log does not show; a
 * comparison or a pattern that none of them could ever pass is refused, != and !~ of it too.
 *
 * The word "tagged" that is alone, without quotes, means rows that have a tag.
 *
 * Lines of a text are filters of their own, and in an expression what && joins and || does not: a
 * row must pass all of these parts.
 *
 * A line that is no expression, and has neither an operator nor a quote in it, is one plain word,
 * blanks included.
 */

#include <stdbool.h>
#include <stddef.h>

#include "view/column.h"

struct cell_source;
struct columns;
struct error;
struct layout;
struct metrics;
struct view_row;

struct filter; /* opaque */

enum {
	FILTER_BYTES_MAX = 4096, /* of a line */
	FILTER_NESTING_MAX = 64
};

/*
 * Of the lines that can be understood; NULL: there are none. Of the first that cannot, error (which
 * may be NULL) says why, and *position is the byte offset in the text.
 */
struct filter *filter_create(const char *text, struct columns *columns, size_t *position,
			     struct error *error);
void filter_destroy(struct filter *filter); /* NULL is allowed */

/* Where the name or word begins that is being typed at the text's end; NULL: a value is. */
const char *filter_last_name(const char *text);

/* The name at `position`, where a column is unknown. False: it is too long. */
bool filter_name_at(const char *text, size_t position, char *name, size_t size);

/*
 * Called before rows are tested: metrics and layout are those of the rows. False: it names an event
 * that the layout does not have, which is unknown of all rows; error and *position as above.
 */
bool filter_bind(struct filter *filter, const struct metrics *metrics, const struct layout *layout,
		 size_t *position, struct error *error);

/*
 * The first compared name, as it was written ("kind", not the column "how"), that rows of this kind
 * do not have, unless rows of the other kind have all names of its part. The filter's; NULL: none.
 */
const char *filter_unsupported(const struct filter *filter, enum row_kind kind,
			       enum row_kind other);

/*
 * Moves the parts that compare something which rows of this kind do not have into a filter of the
 * caller's; NULL: there are none. *filter becomes NULL if nothing is left.
 */
struct filter *filter_take_unsupported(struct filter **filter, enum row_kind kind);

/* Rows without a task, as those of CPUs and lengths, pass every plain word. */
bool filter_passes(const struct filter *filter, const struct cell_source *source,
		   const struct view_row *row); /* NULL: all do */

/* Columns that it compares in rows of a kind, one by one; NULL: there are no more. */
const struct column *filter_column(const struct filter *filter, size_t index, enum row_kind kind);

/* What the compared columns need; bits of enum column_need. */
unsigned int filter_needs(const struct filter *filter);

#endif
