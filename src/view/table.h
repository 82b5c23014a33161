#ifndef PERFTOP_VIEW_TABLE_H
#define PERFTOP_VIEW_TABLE_H

/*
 * Snapshots made into sorted, filtered rows of typed cells. The screen, the text
 * table and the JSON all take their rows from here; nothing else folds threads into
 * processes, decides what is idle, or compares cells.
 *
 * Building decides which rows there are and their order; a cell is made when it is
 * asked for, so that ten thousand rows cost no more than are looked at.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/column.h"
#include "view/request.h"

struct actor;
struct cell_source;
struct column_list;
struct column_set;
struct task_group;
struct filter;
struct function;
struct function_names;
struct footer_input;
struct metrics;
struct pair;
struct rows;
struct rows_input;
struct session;
struct strbuf;
struct snapshot;
struct snapshot_cpu;
struct snapshot_task;
struct processes;
struct users;
struct switch_entry;
struct timing;

/* A kind of list: what its rows are, its columns and its order at first. */
struct view_info {
	const char *name;               /* on the tab; --view and a prompt take it */
	const char *short_name;         /* on the tab of a narrow screen; NULL: the name */
	const char *columns;            /* by default, comma-separated */
	const char *column_of_branches; /* one more, behind the samples, where these have branches;
					   NULL: none */
	const char *columns_bare; /* for a machine that counts no hardware event; NULL: the same */
	const char *around;       /* what a set of columns has around it, which is at "*"; NULL: the
				     view has no sets */
	const char *essential;    /* the most important of these: on a narrow screen others are left
				     out first */
	const char *essential_bare;
	const char *sort;        /* column, by default */
	enum row_kind kind;      /* of most of its rows */
	enum row_kind filtered;  /* what a filter tests: its rows, or what they are made of */
	const char *fixed_order; /* one sentence: rows cannot be sorted; NULL: they can */
	const char
		*nothing_of_tasks; /* said where only tasks are counted; NULL: it has rows then */
	bool needs_history;        /* its rows are from request.history */
	bool has_window;           /* they are of request.window_ns together */
	unsigned int needs;        /* bits of enum column_need, whichever columns it shows */
	bool is_tree;              /* whatever the settings say */
	bool has_frames; /* what was inlined, or names of locks, is asked for when rows are made */
	const char *drawing; /* what the screen shows in place of its rows; NULL: these */
	bool is_screen_only; /* what is drawn is not of its rows: these are not printed */
	bool is_log; /* rows are in the order of time and are made when they are looked at */
	void (*make_rows)(struct rows *rows,
			  const struct rows_input *input); /* rows.h; NULL: it is a log */
	int part; /* what make_rows makes, where that makes the rows of several views */
	/* appends the line under its rows (footer.h); NULL: none */
	void (*write_footer)(struct strbuf *out, const struct footer_input *input);
	const char *keys; /* commands, comma-separated, whose keys are in its key line beside those
			     that every view has */
	const char *next_form; /* label there of the command next-form, which is what it leads to;
				  NULL: that of its key */
	const char *to_next_form; /* command that leads there; NULL: `tree` */
	const char *by;           /* command of the words behind `by`; NULL: the parties of pairs */
	/* commands, where a row stands for others: to these, and back; and what they are, a
	 * sentence. NULL: the row is what is opened, and the view itself leads back */
	const char *to_members, *members, *from_members;
	const char *passing; /* settings that are as before when it is left; NULL: none */
	bool has_totals;     /* what its rows are of is summed up over intervals */
	bool is_joined;      /* its rows of several hosts are one table */
	/* appends what is behind its name on the tab: "off-CPU, callees"; NULL: nothing is */
	void (*write_mode)(struct strbuf *out, const struct view_request *request,
			   const struct session *session);
	const char *help; /* one sentence */
	/* by the value of the setting `form`, which says in which one it is shown; NULL: it has one
	 */
	const struct view_info *const *forms;
	enum setting form;
};

/* Each is defined in the file that makes its rows, or draws in their place. */
#define VIEW(name, kinds) extern const struct view_info view_##name;
#define DRAWN(name)       extern const struct view_info view_##name;
#include "view/views.def"

/* Whether the CPUs are its rows or strips, so that no bars of them are above it. */
static inline bool view_is_of_cpus(const struct view_info *view)
{
	return view->kind == ROW_CPU;
}

/* Whether tasks are its rows, which may be tagged, followed and a tree. */
static inline bool view_is_of_tasks(const struct view_info *view)
{
	return view->kind == ROW_TASK;
}

/* Whether one of its rows may be about a single task. */
static inline bool view_has_rows_of_a_task(const struct view_info *view)
{
	return view->kind == ROW_TASK || view->kind == ROW_SWITCH || view->kind == ROW_PAIR;
}

/* Whether its rows are made of samples, of which a filter about tasks takes its part. */
static inline bool view_is_of_samples(const struct view_info *view)
{
	return view->kind == ROW_FUNCTION || view->kind == ROW_ACCESS;
}

/* Views, in the order of their tabs. All that there are: mode/views.h. */
struct view_list {
	const struct view_info *const *views;
	size_t count;
};

const struct view_info *view_find(const struct view_list *list, const char *name); /* NULL: none */
void view_names(const struct view_list *list, char *text, size_t size);

/* The same view in one of its forms, by the value of its setting; SETTING_UNSET and 0: the first,
 * which is that of view_find(). A view that has one form only as it is. */
const struct view_info *view_in_form(const struct view_info *view, int form);

/* What these samples need besides those on the CPU, as COLUMN_NEEDS_*. */
unsigned int view_samples_needs(enum view_samples samples);

/* Where a row is in a tree (tree.h); zeros where there is none. */
struct row_branch {
	uint64_t lines;    /* bit n: that of its ancestors at depth n + 1 has a sibling below it */
	uint32_t depth;    /* 0: it has no parent */
	uint32_t folded;   /* rows that are added to this one instead of standing under it */
	bool has_children; /* rows are under it */
	bool folds_first;  /* it is folded until it is asked for */
	bool is_last;      /* of its siblings */
};

struct view_row {
	enum row_kind kind;
	uint64_t id; /* what the cursor is bound to: the task's id, or a constant of the kind (+ CPU
			number) */
	const struct snapshot_task *task; /* ROW_TASK: the thread, or the process' first thread (if
					     that is not known: any); else NULL */
	const struct snapshot_cpu *cpu;   /* ROW_CPU */
	int32_t pid, tid;                 /* -1: none */
	const uint64_t *interval; /* counts of the row; threads summed; of a CPU: as in summary.h */
	const uint64_t *total;    /* since the start */
	uint32_t unknown;         /* bits of enum quantity */
	const struct timing *timing;      /* of tasks; threads merged; NULL: none */
	const struct switch_entry *entry; /* ROW_SWITCH; its counts are `interval` */
	const struct actor *prev, *next;  /* of the entry, or NULL where they are not kept */
	const struct pair *pair;          /* ROW_PAIR */
	const struct task_group *group;   /* ROW_GROUP */
	const struct function *function;  /* ROW_FUNCTION */
	const void *item;      /* of other kinds: what their view has of the row; ROW_LENGTH: struct
				  length */
	uint64_t interval_ns;  /* how long the row's counts were gathered; of a CPU by its own clock
				*/
	uint32_t same_pid;     /* of a process: place + 1 of one that had its pid before; 0: none */
	uint32_t member_count; /* threads (ROW_TASK), processes (ROW_EXITED) */
	uint32_t words_at;     /* ROW_EXITED: where its own begin in the rows' exited_words */
	bool is_exited, is_new, is_held, is_tagged;
	bool is_from_proc; /* part of it comes from /proc, not from counters */
	bool is_active;    /* it ran, or waited for a CPU */
	bool is_gone;      /* only the mark has it (difference.h) */
	bool is_minor;     /* it had less than a hundredth of the CPU time of the row with most */
	struct row_branch branch;
};

/* Tasks that pass a filter; borrowed. */
struct sample_filter {
	const struct filter *filter;
	const struct cell_source *source;
};

struct view_table; /* opaque; reused from refresh to refresh */

/* The columns are borrowed for the table's life. */
struct view_table *view_table_create(struct columns *columns);
void view_table_destroy(struct view_table *table);

/*
 * Makes the rows. snapshot, session and metrics are borrowed until the next build.
 * Unknown values come last in either direction; equal ones are ordered by the row's id.
 */
void view_table_build(struct view_table *table, const struct view_request *request,
		      const struct snapshot *snapshot, const struct session *session,
		      const struct metrics *metrics);

/* The table of a host, built by itself. */
struct table_member {
	struct view_table *table; /* borrowed as long as its rows are shown */
	uint32_t host;            /* number of the host */
};

/* A row's id in a joined table is that in its own with this: no other host's row has it. */
static inline uint64_t table_member_tag(uint32_t host)
{
	return (uint64_t)host << 48;
}

/*
 * The table shows the rows of these until it is built: all of them in one order, or trees one
 * below the other. They are of one view, with the same columns and order. What is asked of the
 * table as a whole is answered by members[current]. tags: ids of rows that are tagged, or NULL.
 */
void view_table_join(struct view_table *table, const struct table_member *members, size_t count,
		     size_t current, const struct map *tags);

/* Number of the host that a row of a joined table is of. */
uint32_t view_table_host(const struct view_table *table, size_t row);

/*
 * A line of the last build's filter could not be understood, or it names an event that is not
 * counted: the sentence, and where in the text; the rows were filtered without it. "" otherwise.
 */
const char *view_table_filter_fault(const struct view_table *table, size_t *position);

/*
 * The filter of the last build compares this, of which the view's rows have nothing: all of them
 * were let pass. As it was written, until the next build. NULL: it holds.
 */
const char *view_table_filter_unsupported(const struct view_table *table);

/* What a filter compares that the view's rows, or the tasks of their samples, do not have; NULL. */
const char *view_filter_unsupported(const struct view_info *view, const struct filter *filter);

/*
 * The filter of the last build is about tasks, and its rows are functions: those of the samples of
 * these tasks. Until the next build. NULL: it is not.
 */
const struct sample_filter *view_table_samples_of(const struct view_table *table);

/*
 * Of a view that is a log a row is good until the next but one is asked for. Its id is the
 * switch's sequence number in the history.
 */
size_t view_table_row_count(const struct view_table *table);
const struct view_row *view_table_row(const struct view_table *table, size_t index);
size_t view_table_column_count(const struct view_table *table);
const struct column *view_table_column(const struct view_table *table, size_t index);
/* Whether its rows are a tree. */
bool view_table_is_tree(const struct view_table *table);

/* Whether it is one of the view's essential columns. */
bool view_table_is_essential(const struct view_table *table, size_t index);
/* Whether its cells are differences to the request's mark, with a sign. */
bool view_table_is_difference(const struct view_table *table, size_t index);
/* Whether rows are compared with those at the request's mark; and what is there of this one. NULL:
 * nothing. */
bool view_table_is_compared(const struct view_table *table);
const struct view_row *view_table_row_before(const struct view_table *table, size_t index);
/* Whether the user has added it to those of the view, or no view has it by default. */
bool view_table_is_added(const struct view_table *table, size_t index);
/* The sort column in effect; NULL: rows have an order of their own. */
const struct column *view_table_sort(const struct view_table *table, bool *descends);
/* The column that orders rows with equal values in it. */
const struct column *view_table_then(const struct view_table *table, bool *descends);

/* The column that trends are shown of. */
const struct column *view_table_trend(const struct view_table *table);
int view_table_index_of(const struct view_table *table, uint64_t id); /* row with this id, or -1 */

enum {
	CELL_TEXT_MAX = 1024
};

struct cell {
	double value; /* number of the cell; NaN: unknown, or a text cell */
	bool is_unknown;
	bool is_scaled;   /* estimate from multiplexed counters */
	bool is_estimate; /* out of a sampling profile */
	bool is_minor;    /* a ratio of a row that hardly ran, or zero where that is not bad */
	int goodness;     /* 0 worst to 4 best; -1: says nothing */
	int load; /* how much it is where that is neither good nor bad: 0 little to 3 much */
	bool is_difference; /* to a mark; it has a sign */
	double system_pct;  /* of the bar of a CPU: the kernel's part; 0: none, or unknown */
	size_t head;        /* bytes of the lines of a tree in front of the text; 0: none */
	size_t program; /* bytes of the program's name behind that, of a command line; 0: none */
	size_t tail;    /* bytes at the end of the text that are not to be cut: a number; 0: none */
	char text[CELL_TEXT_MAX]; /* formatted and harmless, not padded; "-" unknown */
};

/* What the last build needs: its view, columns, order and filter; bits of enum column_need. */
unsigned int view_table_needs(const struct view_table *table);

/* Whether its cells are out of a sampling profile. */
bool view_table_is_estimate(const struct view_table *table, size_t column);

/* Makes one cell. */
void view_table_cell(const struct view_table *table, size_t row, size_t column, struct cell *cell);

/* Appends the lines of the page of its row of ended processes (rows.h). */
void view_table_write_exited(const struct view_table *table, const struct snapshot *snapshot,
			     bool ascii, struct strbuf *out);

/* The names of users that its cells show; as good for others, for the table's life. */
struct users *view_table_users(const struct view_table *table);

/* Where the names of functions come from; borrowed for the table's life. */
void view_table_name_functions(struct view_table *table, const struct function_names *names);

const struct function_names *view_table_function_names(const struct view_table *table);

/* What its cells show of processes; where answers come from is set there. */
struct processes *view_table_processes(const struct view_table *table);

/*
 * Appends the view's default columns, except metrics with events that were not requested; metrics:
 * NULL: all.
 */
void view_default_columns(const struct view_info *view, bool has_pmu, const struct metrics *metrics,
			  struct columns *columns, struct column_list *list);

/* Appends the columns of a set that the view's rows can have, with those around them. */
void view_set_columns(const struct view_info *view, const struct column_set *set, bool has_pmu,
		      struct columns *columns, struct column_list *list);

#endif
