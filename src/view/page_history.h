#ifndef PERFTOP_VIEW_PAGE_HISTORY_H
#define PERFTOP_VIEW_PAGE_HISTORY_H

/* What the history has of one task, or of a process and all its threads. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/distribution.h"
#include "model/switches.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/window.h"

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

struct page_history {
	struct window window;
	int32_t pid, tid;
	bool is_process;
	bool knows;          /* it takes part in some entry */
	struct actor latest; /* as it was called last */
	bool has_exited; /* the last that left did so for good; of a process, its first thread */
	struct distribution of[LENGTH_KINDS];
	struct page_move moves[PAGE_MOVES]; /* those that happened most */
	size_t move_count;
	uint64_t move_sum;               /* all */
	struct page_cpu cpus[PAGE_CPUS]; /* where it ran longest */
	size_t cpu_count;
	struct page_cpu run;              /* on all CPUs together */
	uint64_t switches[PAGE_SWITCHES]; /* its last ones, newest first */
	size_t switch_count;
	struct pair disturbers[PAGE_PAIRS]; /* of which it is the victim, worst first */
	struct pair disturbed[PAGE_PAIRS];  /* of which it is the taker */
	size_t disturber_count, disturbed_count;
};

/* history: NULL is allowed. The interval lies between begin_ns and end_ns. */
void page_history_init(struct page_history *page, const struct history *history, int32_t pid,
		       int32_t tid, uint64_t begin_ns, uint64_t end_ns);
void page_history_fini(struct page_history *page);

/* Whether the actor is the task, or of the process. */
bool page_history_is_meant(const struct page_history *page, const struct actor *actor);

#endif
