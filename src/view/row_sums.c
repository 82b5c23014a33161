/* Memory of vectors and timings is that of earlier builds; nothing is freed before the end. */

#include "view/row_sums.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/timing.h"
#include "view/rows.h"

/* What of the row is its own and may be added to; NULL: still the snapshot's. */
struct row_sums {
	uint64_t *interval, *total;
	struct timing *timing;
};

void row_sums_begin(struct rows *rows, size_t index)
{
	array_reserve(&rows->sums, &rows->sums_capacity, index + 1, sizeof(*rows->sums));
	rows->sums[index] = (struct row_sums){0};
}

static void add_interval(struct rows *rows, size_t index, const uint64_t *counts)
{
	struct row_sums *sums = &rows->sums[index];

	if (!sums->interval) {
		sums->interval = vectors_take_copy(&rows->vectors, rows->rows[index].interval);
		rows->rows[index].interval = sums->interval;
	}
	counts_add(sums->interval, counts, rows->vectors.width);
}

/* An empty one; its memory is that of an earlier build. */
struct timing *rows_take_timing(struct rows *rows)
{
	if (rows->timing_count == rows->timings_made) {
		array_reserve(&rows->timings, &rows->timing_capacity, rows->timings_made + 1,
			      sizeof(struct timing *));
		rows->timings[rows->timings_made++] = xcalloc(1, sizeof(struct timing));
	}
	timing_clear(rows->timings[rows->timing_count]);
	return rows->timings[rows->timing_count++];
}

/* One that is alone in having any lends its own. */
static void add_timing(struct rows *rows, size_t index, const struct timing *timing)
{
	struct view_row *row = &rows->rows[index];
	struct row_sums *sums = &rows->sums[index];

	if (!timing)
		return;
	if (!row->timing) {
		row->timing = timing;
		return;
	}
	if (!sums->timing) {
		sums->timing = rows_take_timing(rows);
		timing_merge(sums->timing, row->timing);
		row->timing = sums->timing;
	}
	timing_merge(sums->timing, timing);
}

void row_sums_add_total(struct rows *rows, size_t index, const uint64_t *counts)
{
	struct row_sums *sums = &rows->sums[index];

	if (!sums->total) {
		sums->total = vectors_take_copy(&rows->vectors, rows->rows[index].total);
		rows->rows[index].total = sums->total;
	}
	counts_add(sums->total, counts, rows->vectors.width);
}

static void add_member_interval(struct rows *rows, size_t index, const struct view_row *member)
{
	struct view_row *row = &rows->rows[index];

	if (member->is_held && !row->is_held)
		return;
	if (row->is_held && !member->is_held) {
		row->interval = member->interval;
		row->timing = member->timing;
		rows->sums[index].interval = NULL;
		rows->sums[index].timing = NULL;
		return;
	}
	add_interval(rows, index, member->interval);
	add_timing(rows, index, member->timing);
}

void row_sums_add(struct rows *rows, size_t index, const struct view_row *member)
{
	struct view_row *row = &rows->rows[index];

	add_member_interval(rows, index, member);
	row->is_from_proc = row->is_from_proc || member->is_from_proc;
	row_sums_add_total(rows, index, member->total);
	row->member_count += member->member_count;
	row->unknown |= member->unknown;
	row->is_held = row->is_held && member->is_held;
	row->is_active = row->is_active || member->is_active;
}

void row_sums_fini(struct rows *rows)
{
	for (size_t i = 0; i < rows->timings_made; i++) {
		timing_fini(rows->timings[i]);
		free(rows->timings[i]);
	}
	free(rows->timings);
	free(rows->sums);
}
