#ifndef PERFTOP_VIEW_COLUMN_TABLE_H
#define PERFTOP_VIEW_COLUMN_TABLE_H

/* The columns that come with the program, of which column.h makes what is shown. */

#include <stddef.h>

#include "view/column.h"

/* Bits of enum row_kind: rows that have counts, and so all columns that say nothing else. */
extern const unsigned int column_counted_rows;

/* Names of earlier versions, which configuration files and scripts may still have. */
struct column_renamed {
	const char *old_name;
	const char *name;
};

extern const struct column_renamed column_renamed[];
extern const size_t column_renamed_count;

extern const struct column column_table[];
extern const size_t column_table_count;

#endif
