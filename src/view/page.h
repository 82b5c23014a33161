#ifndef PERFTOP_VIEW_PAGE_H
#define PERFTOP_VIEW_PAGE_H

/* What the parts of a task's page share: what is known of the task, and how things are written. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/timing.h"
#include "view/table.h"
#include "view/window.h"

struct task_page_input;

/* What the history has of one task, or of a process and all its threads, besides its views. */

enum page_length {
	PAGE_SLICES,
	PAGE_PREEMPTED,
	PAGE_QUEUED,
	PAGE_SLEEPS,     /* off after it left in S, */
	PAGE_DISK_WAITS, /* in D */
	PAGE_LENGTHS
};

/* Of one CPU, or of moves from one to another. */
struct page_tally {
	uint64_t key;      /* the CPU; from << 32 | to */
	uint64_t now, all; /* ns of slices that ended in the interval, and in all of the history;
			      how often */
};

struct page_tallies {
	struct page_tally *list; /* owned; by `now`, then by `all` */
	size_t count, capacity;
	struct map indexes; /* + 1; by key */
	struct page_tally sum;
};

struct page_history {
	struct window window;
	bool knows;          /* it takes part in some entry */
	struct actor latest; /* as it was called last */
	bool has_exited;   /* the last that left did so for good; of a process, its first thread */
	bool knows_states; /* in which it leaves when it blocks */
	struct distribution of[PAGE_LENGTHS];
	struct page_tallies cpus, moves;
};

/* What is said of bytes of the text: how good the value is, or that it is unknown (-1). */
struct page_span {
	size_t begin, end;
	int goodness;
};

struct page {
	const struct task_page_input *input;
	struct view_request request; /* that ask for the task */
	struct view_row row;         /* of it; without a task: it is not in the snapshot */
	uint64_t *interval, *total;  /* owned; of the row */
	struct timing timing;        /* of the row */
	struct page_history past;
	struct strbuf text;      /* not cut yet */
	struct page_span *spans; /* owned; in the order of the text */
	size_t span_count, span_capacity;
};

/* A part of the page: the first rows of a view of the task. */
struct page_section {
	void (*write)(struct page *page); /* a part that is no view; NULL: what follows */
	const char *title;
	const struct view_info *view;
	int form;                   /* of the view */
	const char *columns, *sort; /* sort NULL: the view's */
	size_t lines;               /* at most PAGE_LINES; of a log the newest */
	enum view_by by;
	int samples; /* of functions: enum view_samples */
	uint64_t window_ns;
	bool has_span;    /* the title says how long the history is */
	bool is_optional; /* left out where it has no rows */
	bool is_taken;    /* the other pairs of the section before: the victim is another task */
};

enum {
	PAGE_LINES = 32
};

/* Behind this time nothing is said of where it was, on the CPU and off it. */
#define PAGE_STACKS_NS UINT64_C(10000000000)

/* page_text.c */
/* No more lines are asked for. */
bool page_is_full(const struct page *page);

/* Says it of what was written since the text was `begin` bytes long. */
void page_mark(struct page *page, size_t begin, int goodness);

/*
 * Harmless text, right-aligned; left-aligned where the width is negative. "-", the unknown, is
 * written, and marked, as everywhere on the screen.
 */
void page_add_value(struct page *page, int width, const char *text);

/* The same of a cell, marked by how good it is; behind it its sign. */
void page_add_cell(struct page *page, int width, const struct cell *cell);

/* ~ (an estimate), ' (out of counters that took turns) or a blank */
void page_add_sign(struct page *page, bool is_estimate, bool is_scaled);

enum {
	PAGE_DIGITS = -1, /* three significant ones, as decimals */
	PAGE_TIME = -2
};

/*
 * The value of a metric, which is marked by how good it is as it is rounded; info NULL: of
 * something else. "12.3"; unknown for NaN.
 */
void page_add_metric(struct page *page, int width, const struct metric_info *info, double value,
		     int decimals);

/* In ns; unknown for SWITCH_NS_UNKNOWN. */
void page_add_duration(struct page *page, int width, uint64_t ns);

/* Text from outside made harmless, cut or padded to `width` columns; 0: as wide as it is. Unknown
 * for "". */
void page_add_words(struct page *page, size_t width, const char *words);

/* The text as lines that fit the screen, and where the marks are in them. */
void page_copy_lines(struct strbuf *out, struct page *page);

/* page_interval.c */
/* Makes its row, which stays that of the table until a section is written; and limits the request
 * to it. */
void page_find_row(struct page *page);
void page_write_title(struct page *page);    /* which task it is, and what it waits for */
void page_write_interval(struct page *page); /* what it did in the interval */
void page_write_events(struct page *page);   /* raw counts */

void page_write_trends(struct page *page);   /* page_trends.c: metrics over the last intervals */
void page_write_states(struct page *page);   /* page_states.c: where its time went */
void page_write_parallel(struct page *page); /* page_parallel.c: how many threads ran at once */
void page_write_sleep(struct page *page);    /* page_sleep.c: why it is off the CPU */

/* page_section.c */
/* Makes the rows of a view, with these columns. */
void page_build(const struct page *page, struct view_request *request, const char *columns);
void page_write_section(struct page *page, const struct page_section *section);
/* Where run-queue waits are from, or why they are not known. */
const char *page_queue_words(const struct session *session);

/* page_history.c */
void page_history_init(struct page *page);
void page_history_fini(struct page_history *past);
void page_write_cpus(struct page *page);    /* where it ran */
void page_write_lengths(struct page *page); /* how long slices and waits are */
void page_write_moves(struct page *page);   /* from CPU to CPU */

#endif
