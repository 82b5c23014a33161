/*
 * A function without a size reaches to the next one, in the kernel not beyond the page after the
 * one it begins in, if the next is of another module: there are gaps of gigabytes. One that is
 * inside of another (a label of assembler) comes after it and is found first; a few steps back find
 * the outer one.
 */
#include "symbol/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	PAGE_BYTES = 4096,
	STEPS_BACK = 16
};

void table_fini(struct function_table *table)
{
	free(table->functions);
	strbuf_fini(&table->texts);
	*table = (struct function_table){0};
}

const char *table_text(const struct function_table *table, uint32_t text)
{
	return table->texts.text + text;
}

static uint32_t add_function_text(struct function_table *table, const char *text, size_t length)
{
	size_t where = table->texts.length;

	strbuf_add_bytes(&table->texts, text, length);
	strbuf_add_char(&table->texts, '\0');
	return (uint32_t)where;
}

/* Symbols of one module follow each other. */
static uint32_t add_module(struct function_table *table, const char *name, size_t length)
{
	const char *last = table_text(table, table->last_module);

	if (table->last_module == 0 || strlen(last) != length || memcmp(last, name, length) != 0)
		table->last_module = add_function_text(table, name, length);
	return table->last_module;
}

void table_add(struct function_table *table, const struct table_function *function)
{
	size_t length = strnlen(function->name, function->name_length);

	if (length > TABLE_NAME_BYTES)
		length = TABLE_NAME_BYTES;
	if (function->start == 0 || length == 0 || function->size >= UINT64_MAX - function->start ||
	    table->texts.length > UINT32_MAX / 2)
		return;
	if (table->texts.length == 0)
		strbuf_add_char(&table->texts, '\0'); /* no text is number 0 */
	array_reserve(&table->functions, &table->capacity, table->count + 1,
		      sizeof(*table->functions));
	table->functions[table->count] = (struct function_row){
		.start = function->start,
		.end = function->size == 0 ? 0 : function->start + function->size,
		.module = function->module
				  ? add_module(table, function->module, function->module_length)
				  : 0,
		.name = add_function_text(table, function->name, length),
		.order = (uint32_t)table->count,
		.rank = function->rank,
	};
	table->count++;
}

static int compare_functions(const void *a, const void *b)
{
	const struct function_row *one = a, *other = b;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return one->order < other->order ? -1 : one->order > other->order;
}

static size_t count_underscores(const char *name)
{
	return strspn(name, "_");
}

/* Chooses among aliases as perf does. */
static bool is_better(const struct function_table *table, const struct function_row *a,
		      const struct function_row *b)
{
	const char *name_a = table_text(table, a->name), *name_b = table_text(table, b->name);

	if ((a->end != 0) != (b->end != 0))
		return a->end != 0;
	if (a->rank != b->rank)
		return a->rank > b->rank;
	if (count_underscores(name_a) != count_underscores(name_b))
		return count_underscores(name_a) < count_underscores(name_b);
	return strlen(name_a) > strlen(name_b);
}

static void drop_aliases(struct function_table *table, bool newest_wins)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct function_row *function = &table->functions[i];
		struct function_row *before = kept > 0 ? &table->functions[kept - 1] : NULL;

		if (!before || before->start != function->start)
			table->functions[kept++] = *function;
		else if (newest_wins || is_better(table, function, before))
			*before = *function;
	}
	table->count = kept;
}

/* The end of a function of unknown size. */
static uint64_t find_end(const struct function_row *function, const struct function_row *next)
{
	uint64_t page = function->start | (PAGE_BYTES - 1);
	uint64_t limit = page > UINT64_MAX - 1 - PAGE_BYTES ? UINT64_MAX : page + 1 + PAGE_BYTES;

	if (next && next->module == function->module)
		return next->start;
	return next && next->start < limit ? next->start : limit;
}

void table_sort(struct function_table *table, bool newest_wins)
{
	if (table->count == 0)
		return;
	qsort(table->functions, table->count, sizeof(*table->functions), compare_functions);
	drop_aliases(table, newest_wins);
	for (size_t i = 0; i < table->count; i++) {
		struct function_row *function = &table->functions[i];
		const struct function_row *next = i + 1 < table->count ? function + 1 : NULL;

		if (function->end == 0 || (newest_wins && next && function->end > next->start))
			function->end = find_end(function, next);
	}
}

const struct function_row *table_find(const struct function_table *table, uint64_t address,
				      uint64_t *start, uint64_t *end)
{
	size_t before =
		array_not_above(table->functions, table->count, sizeof(*table->functions), address);

	*start = 0;
	*end = before < table->count ? table->functions[before].start : UINT64_MAX;
	for (size_t i = before; i-- > 0 && before - i <= STEPS_BACK;) {
		const struct function_row *function = &table->functions[i];

		if (address < function->end) {
			if (function->start > *start)
				*start = function->start;
			if (function->end < *end)
				*end = function->end;
			return function;
		}
		if (function->end > *start)
			*start = function->end;
	}
	return NULL;
}

size_t table_bytes(const struct function_table *table)
{
	return table->capacity * sizeof(*table->functions) + table->texts.capacity;
}
