#ifndef PERFTOP_VIEW_ORDER_H
#define PERFTOP_VIEW_ORDER_H

/*
 * The order of rows. Each row's key is made once; comparing two keys looks at nothing else.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cell_column;
struct cell_source;
struct view_row;

enum {
	ORDER_COLUMNS_MAX = 2 /* the second one orders those that are alike in the first */
};

struct order_by {
	const struct cell_column *column; /* NULL: none, after the first */
	bool descends;
};

struct order_value {
	union {
		double number;
		const char *text; /* borrowed as struct getter_text is */
	};
	uint8_t rank; /* known, minor, unknown, always last */
};

struct order_key {
	struct order_value values[ORDER_COLUMNS_MAX];
	uint64_t id;
	uint32_t row;
};

/* Fills keys[0..count) in the order wanted; their `row` is the index into rows. */
void order_rows(struct order_key *keys, const struct view_row *rows, size_t count,
		const struct cell_source *source, const struct order_by by[ORDER_COLUMNS_MAX]);

#endif
