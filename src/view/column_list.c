/*
 * A list is short and looked through from its beginning.
 */

#include "view/column_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/column.h"

void column_list_fini(struct column_list *list)
{
	free(list->columns);
	*list = (struct column_list){0};
}

void column_list_copy(struct column_list *copy, const struct column_list *list)
{
	*copy = (struct column_list){0};
	for (size_t i = 0; i < list->count; i++)
		column_list_add(copy, list->columns[i]);
}

bool column_list_has(const struct column_list *list, const struct column *column)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->columns[i] == column)
			return true;
	return false;
}

void column_list_add(struct column_list *list, const struct column *column)
{
	array_reserve(&list->columns, &list->capacity, list->count + 1, sizeof(*list->columns));
	list->columns[list->count++] = column;
}

void column_list_insert(struct column_list *list, const struct column *column)
{
	const struct column *last;

	if (column_list_has(list, column))
		return;
	column_list_add(list, column);
	if (list->count < 2)
		return;
	last = list->columns[list->count - 2];
	if (last->format != COLUMN_TEXT || column->format == COLUMN_TEXT)
		return;
	list->columns[list->count - 2] = column;
	list->columns[list->count - 1] = last;
}

bool column_list_remove(struct column_list *list, const struct column *column)
{
	size_t kept = 0;
	const size_t before = list->count;

	for (size_t i = 0; i < before; i++)
		if (list->columns[i] != column)
			list->columns[kept++] = list->columns[i];
	list->count = kept;
	return kept != before;
}

/* Texts in which a slash stands alone. */
static bool has_paths(const char *word)
{
	static const char *const forms[] = {
		"uprobe:", "uretprobe:", "kprobe:", "kretprobe:", "mem:"};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strncmp(word, forms[i], strlen(forms[i])) == 0)
			return true;
	return false;
}

/* Bytes up to the comma that ends the text of an event. */
static size_t event_length(const char *text)
{
	const bool slashes_pair = !has_paths(text);
	bool is_between = false; /* two slashes */
	size_t depth = 0;
	size_t length = 0;

	for (; text[length] != '\0'; length++) {
		const char c = text[length];

		if (c == ',' && depth == 0 && !is_between)
			break;
		if (c == '/' && slashes_pair)
			is_between = !is_between;
		depth += c == '{';
		depth -= c == '}' && depth > 0;
	}
	return length;
}

/* Copies the word without the blanks at its end. */
static void copy_word(char *word, size_t size, const char *begin, size_t length)
{
	while (length > 0 && begin[length - 1] == ' ')
		length--;
	snprintf(word, size, "%.*s", (int)length, begin);
}

bool column_word_next(struct columns *columns, const char **cursor, char *word, size_t size)
{
	const char *begin = *cursor + strspn(*cursor, " ");
	size_t length = strcspn(begin, ",");

	if (**cursor == '\0')
		return false;
	copy_word(word, size, begin, length);
	/* "sw/s" has a slash, too */
	if (!columns_find(columns, word)) {
		length = event_length(begin);
		copy_word(word, size, begin, length);
	}
	*cursor = begin[length] == ',' ? begin + length + 1 : begin + length;
	return true;
}
