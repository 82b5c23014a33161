#ifndef PERFTOP_VIEW_COLUMN_H
#define PERFTOP_VIEW_COLUMN_H

/*
 * All columns. Most are in a table, one entry a line; each metric without an entry gets a column
 * too, each counted event can have one, and with several kinds of CPU NAME@KIND is the column NAME
 * for one kind only. A column is a fact about the row, a metric, or the rate of an event. Titles,
 * widths, help, sorting, batch text and completion all use them.
 */

#include <stdbool.h>
#include <stddef.h>

struct getter_input;
struct getter_text;
struct layout;
struct metric_info;
struct metric_set;
struct row_kind_info;
struct view_row;

enum {
	COLUMN_NAME_MAX = 320, /* an event's name and a kind's */
	COLUMN_TITLE_MAX = 15  /* of titles that are made from names, in columns */
};

enum column_format {
	COLUMN_TEXT,     /* left-aligned words */
	COLUMN_INTEGER,  /* right-aligned, all digits */
	COLUMN_SI,       /* three significant digits with k M G */
	COLUMN_BYTES,    /* 18.2K, with binary prefixes; the value is in bytes */
	COLUMN_FIXED_1,  /* 61.2 */
	COLUMN_FIXED_2,  /* 0.31 */
	COLUMN_DURATION, /* 3.98ms; the value is in us */
	COLUMN_CPU_TIME, /* 1:23.45; the value is in ns */
	COLUMN_CLOCK,    /* 12:03:44.120482; the value is wall clock time in us since the epoch */
	COLUMN_BAR,      /* 0..100, drawn as a bar; its number in text output */
	COLUMN_TREND,    /* the last values of the column that is sorted by, as characters */
	COLUMN_FORMATS   /* how many; not a format */
};

/*
 * Kinds of rows, ROW_TASK and so on (views.def): a process or a thread (TASK), the processes that
 * started and exited in the interval in one row (EXITED), what belongs to no known task
 * (UNATTRIBUTED) and, among groups, what idle had (IDLE); the others are what their view is of.
 */
enum row_kind {
#define KIND(constant, name, counts) ROW_##constant,
#define VIEW(name, kinds)            kinds
#include "view/views.def"
#undef KIND
	ROW_KINDS /* how many; not a kind */
};

/* Data that is gathered only while something shows it, and may be unavailable. */
enum column_need {
	COLUMN_NEEDS_CGROUPS = 1 << 0,  /* the cgroups of tasks */
	COLUMN_NEEDS_WAKEUPS = 1 << 1,  /* the scheduler's records of wake-ups */
	COLUMN_NEEDS_SMT = 1 << 2,      /* CPUs that share cores */
	COLUMN_NEEDS_SAMPLES = 1 << 3,  /* where tasks are, by sampling */
	COLUMN_NEEDS_OFF_CPU = 1 << 4,  /* with these also where they leave the CPU */
	COLUMN_NEEDS_WAKERS = 1 << 5,   /* and where they wake others */
	COLUMN_NEEDS_BRANCHES = 1 << 8, /* and by which branches they got there */
	COLUMN_NEEDS_STALLS = 1 << 6,   /* what holds back the cgroups of tasks */
	COLUMN_NEEDS_ACCESSES = 1 << 7, /* which memory tasks access, by sampling */
	COLUMN_NEEDS_STATES = 1 << 9,   /* the states of threads */
	COLUMN_NEEDS_LATENCY = 1 << 10, /* how many threads of a process run at once */
	COLUMN_NEEDS_LIMITS = COLUMN_NEEDS_CGROUPS | COLUMN_NEEDS_STALLS
};

/* What of a difference is only that the time was longer (difference.h). */
enum column_total {
	TOTAL_NOT,         /* it is a rate, a share, a mean */
	TOTAL_OF_INTERVAL, /* all of it: there are no differences */
	TOTAL_SINCE_START  /* what was so before both is not: within a recording there are */
};

struct column {
	const char *name;  /* identity, as in -c, -s and at the prompt: "miss%" */
	const char *title; /* over the column: "MISS %"; at most `width` wide. Of a metric it and
			      the width are the metric's */
	int width;         /* on the screen; a text column that is last takes what is left */
	enum column_format format;
	bool descends;    /* natural order: biggest first */
	bool is_estimate; /* by its rule, whatever it is made of */
	enum column_total total;
	unsigned int needs; /* bits of enum column_need */
	bool is_ratio;      /* means little for rows that hardly ran (view_row.is_minor) */
	const char *then;   /* column that orders rows alike in this one; NULL: none */
	bool was_asked_for; /* no view has it by default: on a narrow screen others are left out
			       first */
	bool is_shrinkable; /* on a narrow screen it is left out before the next column is */
	bool shows_tree;    /* in it the branches of a tree are drawn */
	const char
		*metric;   /* name in the metric set; where a fact is known, too, that goes first */
	const char *event; /* name of the event that it is the rate per second of; NULL: none */
	const char *kind;  /* the kind of CPU that it is limited to; NULL: all */
	/* A getter gives a number or a text of the row (column_table.h). */
	double (*number)(const struct getter_input *in, const struct view_row *row, int part);
	int part; /* which of the numbers that its getter has */
	struct getter_text (*words)(const struct getter_input *in, const struct view_row *row);
	const char *(*word)(size_t index); /* all words there can be, then NULL; NULL: any */
	unsigned int rows; /* bits of enum row_kind: rows that have it; 0: all with counts. Of a
			      kind's own: others that have it, too */
	const char *help;  /* one sentence; NULL: that of the metric */
	const char *good;  /* what a good value is; NULL: that of the metric, or none is */
	const struct metric_info *info; /* of the metric; NULL: none */
};

/* All columns of this run. A column never moves and lives as long as they do. */
struct columns; /* opaque */

/* kinds: row_kinds (row_kind.h). The metric set is borrowed; what is added to it gets its column by
 * itself. */
struct columns *columns_create(const struct metric_set *set,
			       const struct row_kind_info *const kinds[ROW_KINDS]);
void columns_destroy(struct columns *columns); /* NULL is allowed */

/*
 * The columns of the table, then one for each other metric, then those that were requested so far.
 */
size_t columns_count(struct columns *columns);
const struct column *columns_get(struct columns *columns, size_t index);

/*
 * By name: that of a column or of its metric, without regard to case, or that of an event for
 * which there is a column; else by the title over a metric. NAME@KIND is made when it is first
 * asked for. NULL: none.
 */
const struct column *columns_find(struct columns *columns, const char *name);

/* The column of an event; unit: of its values, "" plain counts. */
const struct column *columns_add_event(struct columns *columns, const char *event,
				       const char *unit);

/* The metrics of the set were fitted to a machine: titles say which cache is counted. */
void columns_metrics_fitted(struct columns *columns);

/* Updates the columns of a metric that was redefined. */
void columns_metric_changed(struct columns *columns, const struct metric_info *info);

/* Another width on the screen; 0: its own again. */
void columns_set_width(struct columns *columns, const struct column *column, int width);

/* The width that was set; 0: none was. */
int columns_set_width_of(const struct columns *columns, const struct column *column);

/* Kinds of CPU that a name may end in; those of the layout that have a name. */
void columns_know_kinds(struct columns *columns, const struct layout *layout);

/*
 * Splits NAME@KIND: copies NAME, and returns the known kind's index, or -1 where the text does not
 * end in one; NAME is then all of it.
 */
int columns_split(const struct columns *columns, const char *text, char *name, size_t size);

/* The column for one kind of CPU that columns_split() found; NULL: it is not counted. */
const struct column *columns_of_kind(struct columns *columns, const struct column *whole, int kind);

/* Whether one that is there without asking has this name: no other may take it. */
bool columns_is_built_in(const struct columns *columns, const char *name);

/*
 * Whether rows of a kind can have a value in it; for tasks and switches also what a filter compares
 * under its name.
 */
bool column_is_of(const struct column *column, enum row_kind kind);

/* One sentence that explains the column. */
const char *column_help(const struct column *column);

/* Columns in the order in which they are shown, and lists of their names as users type them. */

/* An empty one is {0}. */
struct column_list {
	const struct column **columns; /* owned */
	size_t count, capacity;
};

void column_list_fini(struct column_list *list);
void column_list_copy(struct column_list *copy, const struct column_list *list);
bool column_list_has(const struct column_list *list, const struct column *column);
void column_list_add(struct column_list *list, const struct column *column);

/* Where the list ends in words (the command), before them; one that is there already stays. */
void column_list_insert(struct column_list *list, const struct column *column);
bool column_list_remove(struct column_list *list, const struct column *column);

/*
 * Takes the next name off a comma-separated list: *cursor moves on. In what is no column's name
 * commas between slashes and in braces belong to an event: "sw/s,cpu/event=0x3c,umask=0/,{a,b}".
 * False at the end.
 */
bool column_word_next(struct columns *columns, const char **cursor, char *word, size_t size);

#endif
