#ifndef PERFTOP_VIEW_PAGE_H
#define PERFTOP_VIEW_PAGE_H

/* What the parts of a task's page share: what is known of the task, and how things are written. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/timing.h"
#include "view/page_history.h"

struct metric_info;
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

/* What is said of bytes of the text: how good the value is, or that it is unknown (-1). */
struct page_span {
	size_t begin, end;
	int goodness;
};

struct page {
	const struct task_page_input *input;
	struct strbuf text; /* not cut yet */
	struct page_now now;
	struct page_history past;
	struct page_span *spans; /* owned; in the order of the text */
	size_t span_count, span_capacity;
};

/* Says it of what was written since the text was `begin` bytes long. */
void page_mark(struct page *page, size_t begin, int goodness);

/*
 * Harmless text, right-aligned; left-aligned where the width is negative. "-", the unknown, is
 * written, and marked, as everywhere on the screen.
 */
void page_add_value(struct page *page, int width, const char *text);

/*
 * The same of a metric's value (info NULL: of nothing that is good or bad), which is marked by how
 * good it is as it is rounded.
 */
void page_add_graded(struct page *page, int width, const struct metric_info *info, double value,
		     const char *text);

/* "12.3"; unknown for NaN. */
void page_add_fixed(struct page *page, int width, double value, int decimals);

/* In ns; unknown for SWITCH_NS_UNKNOWN. */
void page_add_duration(struct page *page, int width, uint64_t ns);

/* Text from outside made harmless, cut or padded to `width` columns; 0: as wide as it is. Unknown
 * for "". */
void page_add_words(struct page *page, size_t width, const char *words);

void page_write_trends(struct page *page);   /* page_parts.c: metrics over the last intervals */
void page_write_threads(struct page *page);  /* page_parts.c; only of a process */
void page_write_cpus(struct page *page);     /* page_parts.c: where it ran */
void page_write_events(struct page *page);   /* page_parts.c: raw counts */
void page_write_lengths(struct page *page);  /* page_lengths.c: table and histograms */
void page_write_history(struct page *page);  /* page_past.c: moves, pairs */
void page_write_switches(struct page *page); /* page_past.c */

#endif
