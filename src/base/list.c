/*
 * Lists of numbers are read as ranges first, and the ranges sorted and merged
 * before a single number is stored: what a text can make us allocate is bounded
 * by its own length and by `max`, however often it repeats a range.
 */
#include "base/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"

struct number_range {
	int first;
	int last; /* included; not below first */
};

struct ranges {
	struct number_range *items; /* owned */
	size_t count;
	size_t capacity;
};

static bool read_bound(const char **cursor, int max, int *number)
{
	const char *at = *cursor;
	int value = 0;

	if (!text_is_digit(*at))
		return false;
	for (; text_is_digit(*at); at++) {
		int digit = *at - '0';

		if (value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*cursor = at;
	*number = value;
	return value <= max;
}

static bool read_range(const char **cursor, int max, struct number_range *range)
{
	if (!read_bound(cursor, max, &range->first))
		return false;
	range->last = range->first;
	if (**cursor != '-')
		return true;
	++*cursor;
	return read_bound(cursor, max, &range->last) && range->first <= range->last;
}

static bool read_ranges(struct ranges *ranges, const char *text, int max)
{
	if (*text == '\0' || strcmp(text, "\n") == 0)
		return true;
	for (;; text++) {
		array_reserve(&ranges->items, &ranges->capacity, ranges->count + 1,
			      sizeof(*ranges->items));
		if (!read_range(&text, max, &ranges->items[ranges->count++]))
			return false;
		if (*text != ',')
			return *text == '\0' || strcmp(text, "\n") == 0;
	}
}

static int compare_ranges(const void *a, const void *b)
{
	const struct number_range *left = a;
	const struct number_range *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

/* Leaves the ranges ascending and without overlap. */
static void merge_ranges(struct ranges *ranges)
{
	size_t kept = 0;

	if (ranges->count == 0)
		return;
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	for (size_t i = 1; i < ranges->count; i++) {
		const struct number_range next = ranges->items[i];
		struct number_range *last = &ranges->items[kept];

		if (next.first > last->last)
			ranges->items[++kept] = next;
		else if (next.last > last->last)
			last->last = next.last;
	}
	ranges->count = kept + 1;
}

static void store_numbers(struct number_list *list, const struct ranges *ranges)
{
	size_t total = 0;

	for (size_t i = 0; i < ranges->count; i++)
		total += (size_t)(ranges->items[i].last - ranges->items[i].first) + 1;
	if (total == 0)
		return;
	list->numbers = xcalloc(total, sizeof(*list->numbers));
	for (size_t i = 0; i < ranges->count; i++) {
		size_t span = (size_t)(ranges->items[i].last - ranges->items[i].first) + 1;

		for (size_t k = 0; k < span; k++)
			list->numbers[list->count++] = ranges->items[i].first + (int)k;
	}
}

bool number_list_parse(struct number_list *list, const char *text, int max)
{
	struct ranges ranges = {0};

	*list = (struct number_list){0};
	bool well_formed = read_ranges(&ranges, text, max);
	if (well_formed) {
		merge_ranges(&ranges);
		store_numbers(list, &ranges);
	}
	free(ranges.items);
	return well_formed;
}

void number_list_fini(struct number_list *list)
{
	free(list->numbers);
	*list = (struct number_list){0};
}

static int compare_numbers(const void *a, const void *b)
{
	const int *left = a;
	const int *right = b;

	return (*left > *right) - (*left < *right);
}

bool number_list_has(const struct number_list *list, int number)
{
	if (list->count == 0)
		return false;
	return bsearch(&number, list->numbers, list->count, sizeof(number), compare_numbers);
}

/* Cuts behind a comma, so that no number is shown that is not in the list. */
static void copy_cut(char *text, size_t size, const char *whole)
{
	static const char dots[] = "...";

	if (size < sizeof(dots)) {
		memcpy(text, dots, size - 1);
		text[size - 1] = '\0';
		return;
	}

	size_t kept = size - sizeof(dots);
	while (kept > 0 && whole[kept - 1] != ',')
		kept--;
	memcpy(text, whole, kept);
	memcpy(text + kept, dots, sizeof(dots));
}

void number_list_format(const struct number_list *list, char *text, size_t size)
{
	struct strbuf whole = {0};

	if (size == 0)
		return;
	for (size_t i = 0; i < list->count; i++) {
		int first = list->numbers[i];

		while (i + 1 < list->count && list->numbers[i + 1] - 1 == list->numbers[i])
			i++;
		strbuf_printf(&whole, "%s%d", whole.length ? "," : "", first);
		if (list->numbers[i] != first)
			strbuf_printf(&whole, "-%d", list->numbers[i]);
	}
	if (whole.length < size)
		memcpy(text, strbuf_text(&whole), whole.length + 1);
	else
		copy_cut(text, size, strbuf_text(&whole));
	strbuf_fini(&whole);
}

/* The next word, as a part of the list. */
static bool next_listed(const char **cursor, const char **word, size_t *length)
{
	static const char blanks[] = " \t\r\n";
	const char *begin = *cursor;

	if (*begin == '\0')
		return false;

	const char *end = begin + strcspn(begin, ",");
	*cursor = *end == ',' ? end + 1 : end;
	while (begin < end && strchr(blanks, *begin))
		begin++;
	while (end > begin && strchr(blanks, end[-1]))
		end--;
	*word = begin;
	*length = (size_t)(end - begin);
	return true;
}

bool word_list_next(const char **cursor, char *word, size_t size)
{
	const char *found;
	size_t length;

	if (!next_listed(cursor, &found, &length))
		return false;
	if (size == 0)
		return true;
	if (length >= size)
		length = size - 1;
	memcpy(word, found, length);
	word[length] = '\0';
	return true;
}

bool word_list_has(const char *list, const char *word)
{
	const char *found;
	size_t length;

	while (next_listed(&list, &found, &length))
		if (strncmp(found, word, length) == 0 && word[length] == '\0')
			return true;
	return false;
}

static const char *row_name(const void *table, size_t size, size_t index)
{
	const char *const *name = (const void *)((const char *)table + index * size);

	return *name;
}

const void *named_find(const void *table, size_t count, size_t size, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(row_name(table, size, i), name) == 0)
			return (const char *)table + i * size;
	return NULL;
}

void named_list(const void *table, size_t count, size_t size, char *text, size_t text_size)
{
	size_t length = 0;

	if (text_size > 0)
		text[0] = '\0';
	for (size_t i = 0; i < count && length < text_size; i++)
		length += (size_t)snprintf(text + length, text_size - length, "%s%s",
					   i > 0 ? ", " : "", row_name(table, size, i));
}
