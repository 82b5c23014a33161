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

struct cell_source;
struct filter;
struct timing;
struct tree;

/*
 * Counts vectors that live as long as one table: taken one by one, all returned at once, and reused
 * for the next refresh. A vector never moves. An empty store is {0}.
 */

struct vectors {
	uint64_t **blocks; /* owned */
	size_t block_count, block_capacity;
	size_t used;  /* vectors handed out */
	size_t width; /* numbers in a vector */
};

void vectors_fini(struct vectors *vectors);

/* Takes all vectors back; those handed out from here on have `width` numbers. */
void vectors_reset(struct vectors *vectors, size_t width);

uint64_t *vectors_take(struct vectors *vectors); /* zeros */
uint64_t *vectors_take_copy(struct vectors *vectors, const uint64_t *counts);

/* A process that is folded into the row of those that have ended. */
struct exited_process {
	const struct snapshot_task *task;
	uint64_t run_ns;
	uint32_t unknown; /* bits of enum quantity */
};

struct rows {
	struct view_row *rows; /* owned */
	size_t count, capacity;
	struct strbuf unattributed_words; /* command of the unattributed row */
	struct strbuf exited_words;       /* commands of rows of folded processes, each to its NUL;
					     raw bytes */
	struct vectors vectors;           /* what rows do not borrow from the snapshot */
	struct timing **timings;          /* owned, each by itself; of several threads together */
	size_t timing_count, timing_capacity;
	size_t timings_made;   /* how many exist, in use or not */
	struct row_sums *sums; /* owned; of each row, while tasks are summed */
	size_t sums_capacity;
	uint8_t *fates; /* owned; enum tree_fate of each row, while they are chosen */
	size_t fate_capacity;
	struct tree *tree;             /* owned; NULL until one was asked for (tree.h) */
	bool is_tree;                  /* the rows are in it */
	uint32_t unknown_of_several;   /* latency is that of one process: those of several overlap,
					  if they are not one scope */
	struct map processes;          /* pid to index of row + 1, while tasks are summed */
	struct exited_process *exited; /* owned; one per folded row */
	size_t exited_count, exited_capacity;
	void *kept; /* owned; what a view keeps between builds */
	void (*destroy_kept)(void *kept);
};

struct rows_input {
	const struct view_request *request;
	const struct snapshot *snapshot;
	const struct session *session;
	const struct filter *filter;            /* bound; NULL: all rows pass */
	const struct sample_filter *samples_of; /* only samples of these tasks; NULL: of all */
	/* what the filter looks at rows with; the words of extra rows are not in it yet */
	const struct cell_source *source;
};

void rows_fini(struct rows *rows);

/* For what makes rows: before the first, and room for one more. */
void rows_reset(struct rows *rows, const struct rows_input *input);
struct view_row *rows_append(struct rows *rows);

/*
 * Memory of a view that is kept between builds: zeros at first, and after rows of another view;
 * `destroy` frees it and what it owns.
 */
void *rows_keep(struct rows *rows, size_t size, void (*destroy)(void *kept));
bool rows_pass_filter(const struct view_row *row, const struct rows_input *input);

/* Removes the rows that are not TREE_SHOWN. */
void rows_keep_shown(struct rows *rows);

/* They become a tree by their parents, as tree_link_known() has these, of which those are kept that
 * their fates say, with their ancestors; where the rows are to be a tree branches are folded. */
void rows_make_tree(struct rows *rows, const struct rows_input *input, const uint32_t *parents);

struct view_row rows_of_task(const struct snapshot_task *task);

/* A row per process or thread, whichever it is. */
void rows_sum_tasks(struct rows *rows, const struct rows_input *input);

/* Whether a row of tasks is what the request and the filter ask for, idle or not. */
bool rows_is_asked_for(const struct view_row *row, const struct rows_input *input);

/* Whether what belongs to no known task is part of the selection, and its row. */
bool rows_want_unattributed(const struct rows_input *input);
void rows_add_unattributed(struct rows *rows, const struct rows_input *input);

/* The sums of all CPUs for ROW_IDLE or ROW_UNATTRIBUTED. */
struct view_row rows_over_cpus(struct rows *rows, const struct rows_input *input,
			       enum row_kind kind);

void rows_make_cpus(struct rows *rows, const struct rows_input *input);

/*
 * Rows summed into one: the threads of a process, the branch of a tree, short-lived processes. What
 * a row borrows from the snapshot is copied before anything is added to it.
 *
 * A held task has exited in an earlier interval: what it did then must not be added to what living
 * ones do now. Its interval counts only in a row where all members are held, and so do its
 * slices and waits.
 */

/* Called before anything is added to the row: it has no sums of its own. */
void row_sums_begin(struct rows *rows, size_t index);

/* Adds everything that `member`, which may be one of the rows, has counted. */
void row_sums_add(struct rows *rows, size_t index, const struct view_row *member);

/* Adds to what was counted since the start. */
void row_sums_add_total(struct rows *rows, size_t index, const uint64_t *counts);

/* For the row of processes that started and exited within the interval, folded into one. */
struct exited_sums {
	uint64_t *interval, *total; /* of the rows' vectors */
	uint32_t unknown;
};

/* Adds the row of a task to the folded ones. */
void rows_fold_exited(struct rows *rows, const struct view_row *row, struct exited_sums *sums);

/* Whether the task of the row started and exited within the interval. */
bool rows_is_short_lived(const struct view_row *row);

/* Appends the row of all that were folded, if there are any. */
void rows_add_exited(struct rows *rows, const struct rows_input *input,
		     const struct exited_sums *sums);

/*
 * Short-lived processes that share a name become one row for the name; a process whose name no
 * other one has keeps its row.
 */
void rows_join_exited(struct rows *rows);

/* Appends the lines of its page: by name and parent, the ones that ran longest first. `snapshot` is
 * the one the rows were made of. */
void rows_write_exited(const struct rows *rows, const struct snapshot *snapshot, bool ascii,
		       struct strbuf *out);

#endif
