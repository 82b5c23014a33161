#ifndef PERFTOP_SYMBOL_TABLE_H
#define PERFTOP_SYMBOL_TABLE_H

/*
 * The functions of one object, ordered by address: filled in any order, then sorted once, then
 * asked. Where several begin at one address the one that perf would choose is kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum {
	TABLE_NAME_BYTES = 16384 /* of a name as it is in the file; longer ones are cut */
};

/* Of two functions at one address: */
enum function_rank {
	FUNCTION_LABEL, /* the linker does not know whether it is one */
	FUNCTION_WEAK,
	FUNCTION_LOCAL,
	FUNCTION_GLOBAL
};

struct function_row {
	uint64_t start, end; /* end: 0 until the table is sorted where the size is not known */
	uint32_t name;       /* table_text() */
	uint32_t module;     /* of the kernel; 0: none */
	uint32_t order;      /* in which they were added */
	enum function_rank rank;
};

/* {0} is an empty one. */
struct function_table {
	struct function_row *functions; /* owned */
	size_t count, capacity;
	struct strbuf texts;
	uint32_t last_module; /* the text that was added last as one */
};

void table_fini(struct function_table *table);

struct table_function {
	uint64_t start, size; /* size 0: to the next one */
	enum function_rank rank;
	const char *name, *module; /* not ended by NUL; module NULL: none */
	size_t name_length, module_length;
};

/* What begins at 0, goes around the end of the numbers or has no name is left out. */
void table_add(struct function_table *table, const struct table_function *function);

/* newest_wins: of those at one address the one added last is kept, and it ends those before it. */
void table_sort(struct function_table *table, bool newest_wins);

const char *table_text(const struct function_table *table, uint32_t text);

/*
 * The function that covers an address; NULL: none. *start and *end bound the addresses around it of
 * which the same is true.
 */
const struct function_row *table_find(const struct function_table *table, uint64_t address,
				      uint64_t *start, uint64_t *end);

size_t table_bytes(const struct function_table *table);

#endif
