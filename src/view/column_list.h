#ifndef PERFTOP_VIEW_COLUMN_LIST_H
#define PERFTOP_VIEW_COLUMN_LIST_H

/* Columns in the order in which they are shown, and lists of their names as users type them. */

#include <stdbool.h>
#include <stddef.h>

struct column;
struct columns;

/* An empty one is {0}. */
struct column_list {
	const struct column **columns; /* owned */
	size_t count, capacity;
};

void column_list_fini(struct column_list *list);
void column_list_copy(struct column_list *copy, const struct column_list *list);
bool column_list_has(const struct column_list *list, const struct column *column);
void column_list_add(struct column_list *list, const struct column *column);

/* Where the list ends in words (the command), before them; one that is there already stays. */
void column_list_insert(struct column_list *list, const struct column *column);
bool column_list_remove(struct column_list *list, const struct column *column);

/*
 * Takes the next name off a comma-separated list: *cursor moves on. In what is no column's name
 * commas between slashes and in braces belong to an event: "sw/s,cpu/event=0x3c,umask=0/,{a,b}".
 * False at the end.
 */
bool column_word_next(struct columns *columns, const char **cursor, char *word, size_t size);

#endif
