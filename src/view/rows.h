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

struct cell_source;
struct filter;
struct group_table;
struct length;
struct length_sums;
struct pair_table;
struct switch_log;
struct timing;
struct tree;

struct rows {
	struct view_row *rows; /* owned */
	size_t count, capacity;
	struct strbuf unattributed_words; /* command of the unattributed row */
	struct strbuf exited_words;       /* command of the row of folded processes; raw bytes */
	struct vectors vectors;           /* what rows do not borrow from the snapshot */
	struct timing **timings;          /* owned, each by itself; of several threads together */
	size_t timing_count, timing_capacity;
	size_t timings_made;   /* of these there are, emptied or in use */
	struct row_sums *sums; /* owned; of each row, while tasks are summed */
	size_t sums_capacity;
	uint8_t *fates; /* owned; enum tree_fate of each row, while they are chosen */
	size_t fate_capacity;
	struct tree *tree;          /* owned; NULL until one was asked for (tree.h) */
	bool is_tree;               /* the rows stand in it */
	struct map processes;       /* pid to index of row + 1, while tasks are summed */
	struct exited_name *exited; /* owned; one per folded row */
	size_t exited_count, exited_capacity;
	size_t exited_others;            /* that those stand for besides */
	struct length *lengths;          /* owned; NULL until there were any (histogram.h) */
	struct length_sums *length_sums; /* owned; the same */
	struct pair_table *pairs;        /* owned; the same (pairs.h) */
	struct group_table *groups;      /* owned; the same (groups.h) */
	struct switch_log *log;          /* owned; of the entries that the histogram is of */
	/* set with these by the views that make them */
	void (*destroy_length_sums)(struct length_sums *sums);
	void (*destroy_pairs)(struct pair_table *table);
	void (*destroy_groups)(struct group_table *table);
	void (*destroy_log)(struct switch_log *log);
};

struct rows_input {
	const struct view_settings *settings;
	const struct snapshot *snapshot;
	const struct session *session;
	const struct filter *filter; /* bound; NULL: all rows pass */
	/* what the filter looks at rows with; the words of extra rows are not in it yet */
	const struct cell_source *source;
};

void rows_fini(struct rows *rows);

/* For what makes rows: before the first, and room for one more. */
void rows_reset(struct rows *rows, const struct rows_input *input);
struct view_row *rows_append(struct rows *rows);
bool rows_pass_filter(const struct view_row *row, const struct rows_input *input);

/* A row per process or thread, whoever it is. */
void rows_sum_tasks(struct rows *rows, const struct rows_input *input);

/* Whether a row of tasks is what the settings and the filter ask for, idle or not. */
bool rows_is_asked_for(const struct view_row *row, const struct rows_input *input);

/* An empty one; its memory is that of an earlier build. */
struct timing *rows_take_timing(struct rows *rows);

/* Whether what belongs to no known task is part of what was asked for, and its row. */
bool rows_want_unattributed(const struct rows_input *input);
void rows_add_unattributed(struct rows *rows, const struct rows_input *input);

void rows_make_cpus(struct rows *rows, const struct rows_input *input);

#endif
