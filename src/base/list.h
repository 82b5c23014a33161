#ifndef PERFTOP_BASE_LIST_H
#define PERFTOP_BASE_LIST_H

/*
 * Lists of numbers as the kernel and its users write them ("0-3,8"), and lists
 * of words ("pid,ipc,miss%").
 */

#include <stdbool.h>
#include <stddef.h>

struct number_list {
	int *numbers; /* owned; ascending, each once */
	size_t count;
};

/*
 * Reads "0-3,8" (a line end may follow, as in sysfs). An empty text gives an empty list.
 * False when it is malformed, descending within a range, or has a number above `max`;
 * *list is then {0}.
 */
bool number_list_parse(struct number_list *list, const char *text, int max);
void number_list_fini(struct number_list *list);
bool number_list_has(const struct number_list *list, int number);

/* Writes the shortest form ("0-3,8") into text, cut with "..." when it does not fit. */
void number_list_format(const struct number_list *list, char *text, size_t size);

/*
 * Takes the next word off a comma-separated list: *cursor points into the list and moves on.
 * Copies it into word (cut to size) without blanks around it. False at the end.
 * "a,,b" gives an empty word in the middle; a comma at the very end adds none.
 */
bool word_list_next(const char **cursor, char *word, size_t size);

/* Whether such a list has this word. */
bool word_list_has(const char *list, const char *word);

/*
 * A table of `count` entries, `size` bytes each, that begin with their names (const char *): the
 * entry of that name in any case, or NULL; and all names joined by ", ", cut to what has room.
 */
const void *named_find(const void *table, size_t count, size_t size, const char *name);
void named_list(const void *table, size_t count, size_t size, char *text, size_t text_size);

#endif
