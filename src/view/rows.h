#ifndef PERFTOP_VIEW_ROWS_H
#define PERFTOP_VIEW_ROWS_H

/*
 * Which rows there are, in no particular order: threads summed into processes, filters,
 * short-lived processes folded into one row. Rows point into the snapshot and into the
 * vectors kept here; both are good until the next making. An empty struct rows is {0}.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "view/table.h"
#include "view/vectors.h"

struct users;

struct rows {
	struct view_row *rows; /* owned */
	size_t count, capacity;
	struct strbuf unattributed_words; /* command of the unattributed row */
	struct strbuf exited_words;       /* command of the row of folded processes; raw bytes */
	struct vectors vectors;           /* what rows do not borrow from the snapshot */
	struct row_sums *sums;            /* owned; of each row, while tasks are summed */
	size_t sums_capacity;
	struct map processes;       /* pid to index of row + 1, while tasks are summed */
	struct exited_name *exited; /* owned; one per folded row */
	size_t exited_count, exited_capacity;
};

struct rows_input {
	const struct view_settings *settings;
	const struct snapshot *snapshot;
	const struct session *session;
	struct users *users;
};

void rows_fini(struct rows *rows);
void rows_make_tasks(struct rows *rows, const struct rows_input *input);
void rows_make_cpus(struct rows *rows, const struct rows_input *input);

#endif
