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
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/window.h"

struct snapshot_task;
struct task_page_input;

/* The task in the interval; of a process its threads together. */
struct page_now {
	const struct snapshot_task *task; /* represents it; NULL: it is not in the snapshot */
	size_t threads;
	uint64_t *interval, *total; /* owned */
	uint32_t unknown;
	bool has_timing;
	bool is_from_proc; /* some of it */
	struct timing timing;
};

/* What the history has of one task, or of a process and all its threads. */

enum {
	PAGE_SWITCHES = 20,
	PAGE_MOVES = 5,
	PAGE_PAIRS = 5,
	PAGE_CPUS = 8
};

struct page_move {
	int32_t from, to;
	uint64_t times;
};

/* Run time on a CPU, of slices that ended in the interval, and in all of the history. */
struct page_cpu {
	int32_t cpu;
	uint64_t now_ns, all_ns;
};

/* Which tasks, of all that have the page's number. */
struct page_ids {
	uint64_t first, end;
};

struct page_history {
	struct window window;
	int32_t pid, tid;
	struct page_ids ids;
	bool is_process;
	bool knows;          /* it takes part in some entry */
	struct actor latest; /* as it was called last */
	bool has_exited; /* the last that left did so for good; of a process, its first thread */
	struct distribution of[LENGTH_KINDS];
	struct distribution sleeps, disk_waits; /* how long it was off after it left in S, in D */
	bool knows_states;                      /* in which it leaves when it blocks */
	struct page_move moves[PAGE_MOVES];     /* those that happened most */
	size_t move_count;
	uint64_t move_sum;               /* all */
	struct page_cpu cpus[PAGE_CPUS]; /* where it ran longest */
	size_t cpu_count;
	struct page_cpu run;              /* on all CPUs together */
	uint64_t switches[PAGE_SWITCHES]; /* its last ones, newest first */
	size_t switch_count;
	struct pair disturbers[PAGE_PAIRS]; /* of which it is the victim, worst first */
	struct pair disturbed[PAGE_PAIRS];  /* of which it is the taker */
	struct pair wakers[PAGE_PAIRS];     /* the same of what it is woken by, and wakes */
	struct pair woken[PAGE_PAIRS];
	size_t disturber_count, disturbed_count, waker_count, woken_count;
};

/* What is said of bytes of the text: how good the value is, or that it is unknown (-1). */
struct page_span {
	size_t begin, end;
	int goodness;
};

struct page {
	const struct task_page_input *input;
	struct page_ids ids;
	struct strbuf text; /* not cut yet */
	struct page_now now;
	struct page_history past;
	struct page_span *spans; /* owned; in the order of the text */
	size_t span_count, span_capacity;
};

/* task_page.c: whether it is the task of the page, or one of the process' threads. */
bool page_has_task(const struct page *page, const struct snapshot_task *task);

/* page_text.c */
/* Says it of what was written since the text was `begin` bytes long. */
void page_mark(struct page *page, size_t begin, int goodness);

/*
 * Harmless text, right-aligned; left-aligned where the width is negative. "-", the unknown, is
 * written, and marked, as everywhere on the screen.
 */
void page_add_value(struct page *page, int width, const char *text);

/* What a built-in metric is for these counts; NaN where they are NULL. *info: the metric's. */
struct metric_value page_eval(const struct page *page, const char *metric, const uint64_t *counts,
			      uint32_t unknown, uint64_t interval_ns,
			      const struct metric_info **info);

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

void page_write_sleep(struct page *page);  /* page_sleep.c: why it is off the CPU */
void page_write_wakers(struct page *page); /* page_wakers.c: what wakes it, and what it wakes */

/* page_parts.c */
void page_write_trends(struct page *page);  /* metrics over the last intervals */
void page_write_threads(struct page *page); /* only of a process */
void page_write_cpus(struct page *page);    /* where it ran */
void page_write_lengths(struct page *page); /* table and histograms */
void page_write_events(struct page *page);  /* raw counts */

/* page_history.c */
/* history: NULL is allowed. The interval lies between begin_ns and end_ns. */
void page_history_init(struct page *page);
void page_history_fini(struct page_history *page);

/* Whether the actor is the task of this page_history, or of its process. */
bool page_is_meant(const struct actor *actor, const void *page);

void page_write_moves(struct page *page);
void page_write_disturber(struct page *page); /* what preempts it most, in one line */
void page_write_pairs(struct page *page);
void page_write_switches(struct page *page);

#endif
