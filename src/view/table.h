#ifndef PERFTOP_VIEW_TABLE_H
#define PERFTOP_VIEW_TABLE_H

/*
 * Snapshots made into sorted, filtered rows of typed cells. The screen, the text
 * table and the JSON all take their rows from here; nobody else folds threads into
 * processes, decides who is idle, or compares cells.
 *
 * Building decides which rows there are and their order; a cell is made when it is
 * asked for, so that ten thousand rows cost no more than are looked at.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/column.h"

struct column_list;
struct metrics;
struct rows;
struct rows_input;
struct session;
struct snapshot;
struct snapshot_cpu;
struct snapshot_task;

/* A kind of list: what its rows are, its columns and its order at first. */
struct view_info {
	const char *name;         /* identity: "tasks" */
	const char *title;        /* on the tab */
	const char *columns;      /* by default, comma-separated */
	const char *columns_bare; /* the same for a machine that counts no hardware event */
	const char *sort;         /* column, by default */
	void (*make_rows)(struct rows *rows, const struct rows_input *input); /* rows.h */
	const char *help;                                                     /* one sentence */
};

const struct view_info *view_table_of_views(size_t *count);
const struct view_info *view_find(const char *name); /* NULL: none */
void view_names(char *text, size_t size);

enum row_kind {
	ROW_TASK,   /* a process, or a thread */
	ROW_EXITED, /* processes that were born and ended in the interval, folded into one row */
	ROW_UNATTRIBUTED, /* what nobody can be charged with */
	ROW_CPU
};

struct view_row {
	enum row_kind kind;
	uint64_t id; /* what the cursor is bound to: the task's id, or a constant of the kind (+ CPU
			number) */
	const struct snapshot_task *task; /* ROW_TASK: the thread, or the process' first thread (if
					     that is not known: any); else NULL */
	const struct snapshot_cpu *cpu;   /* ROW_CPU */
	int32_t pid, tid;                 /* -1: none */
	const uint64_t *interval; /* counts of the row; threads summed; of a CPU: as in busy.h */
	const uint64_t *total;    /* since the start */
	uint32_t unknown;         /* bits of enum quantity */
	uint64_t interval_ns;  /* how long the row's counts were gathered; of a CPU by its own clock
				*/
	uint32_t member_count; /* threads (ROW_TASK), processes (ROW_EXITED) */
	bool is_exited, is_new, is_held, has_run;
};

struct view_settings {
	const struct column *sort; /* NULL: that of the view */
	bool sort_reversed;        /* against the column's natural order */
	bool threads;              /* a row per thread */
	bool idle_tasks;           /* also those that did not run */
	bool fold_exited;          /* short-lived processes as one row */
	bool extra_rows;           /* unattributed */
	bool command_lines;        /* command line instead of the task's name */
	bool ascii;                /* no character above U+007E in texts */
	const char *filter;  /* text that must occur in pid, user or command; NULL or "": none */
	int64_t uid;         /* only this user's; -1: all */
	const int32_t *pids; /* only these processes; NULL: all */
	size_t pid_count;
	const struct column_list *columns; /* NULL or empty: those of the view and `extras` */
	const struct column_list *extras;  /* added to those of the view; NULL: none */
};

struct view_table; /* opaque; reused from refresh to refresh */

/* The columns are borrowed for the table's life. */
struct view_table *view_table_create(struct columns *columns);
void view_table_destroy(struct view_table *table);

/*
 * Makes the rows. snapshot, session and metrics are borrowed until the next build.
 * Unknown values stand last in either direction; equal ones are ordered by the row's id.
 */
void view_table_build(struct view_table *table, const struct view_info *view,
		      const struct view_settings *settings, const struct snapshot *snapshot,
		      const struct session *session, const struct metrics *metrics);

size_t view_table_row_count(const struct view_table *table);
const struct view_row *view_table_row(const struct view_table *table, size_t index);
size_t view_table_column_count(const struct view_table *table);
const struct column *view_table_column(const struct view_table *table, size_t index);
const struct column *view_table_sort(const struct view_table *table, bool *descends); /* in force */
int view_table_index_of(const struct view_table *table, uint64_t id); /* row with this id, or -1 */

enum {
	CELL_TEXT_MAX = 1024
};

struct cell {
	double value; /* number of the cell; NaN: unknown, or a text cell */
	bool is_unknown;
	bool is_scaled;           /* estimate from multiplexed counters */
	int goodness;             /* 0 worst to 4 best; -1: says nothing */
	char text[CELL_TEXT_MAX]; /* formatted and harmless, not padded; "-" unknown */
};

/* Makes one cell. */
void view_table_cell(const struct view_table *table, size_t row, size_t column, struct cell *cell);

/* Appends the columns that the view comes with. */
void view_default_columns(const struct view_info *view, bool has_pmu, struct columns *columns,
			  struct column_list *list);

#endif
