#ifndef PERFTOP_VIEW_TIMELINE_H
#define PERFTOP_VIEW_TIMELINE_H

/*
 * What each CPU did, as a strip of cells: a piece of time each, shown as the task that ran longest,
 * or as the IPC of all that ran in it. What is attached is not lost in cells that others have most
 * of: it has each in which it ran.
 *
 * Making goes on from the one before where it can: of the same history, with cells of the same
 * length that begin at the same times, and up to behind the newest switch. Only what has come since
 * is looked at then. The cells are the same as if all were made anew, but for those at the
 * beginning of which the history has dropped switches: these are cleared.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history;
struct layout;
struct metrics;

enum timeline_kind {
	TIMELINE_NOTHING, /* before the history, or behind its end */
	TIMELINE_IDLE,    /* idle most of the time */
	TIMELINE_TASK,
	TIMELINE_UNKNOWN /* not known what ran */
};

struct timeline_cell {
	enum timeline_kind kind;
	uint64_t actor;    /* an attached one; else ran longest; ACTOR_IDLE when nothing else did */
	uint64_t sequence; /* its longest slice in this cell: an entry of the history; UINT64_MAX:
			      none */
	uint64_t actor_ns; /* that long the actor ran in it */
	bool is_attached;  /* the actor is */
	double busy_pct;   /* of the cell's time, all tasks; NaN unknown */
	double actor_pct;  /* the same of the actor */
	double ipc;        /* of all tasks in it; NaN unknown, or not asked for */
	int goodness;      /* of that IPC, 0 to 4; -1: says nothing */
	unsigned int colour; /* of the task: its rank among those shown, 0 ran most;
				UINT_MAX none of these */
};

enum {
	TIMELINE_COLOURS = 8 /* tasks with a colour of their own */
};

struct timeline_strip {
	int cpu;
	struct timeline_cell *cells; /* timeline.cell_count */
};

/* Those with a colour of their own: those attached first, the one that ran most first. */
struct timeline_legend {
	uint64_t task;   /* snapshot_task.id */
	uint64_t actor;  /* that it was last */
	uint64_t run_ns; /* in the cells that are shown as its own */
	bool is_attached;
};

struct timeline_maker; /* what goes on from making to making */

/* An empty one is {0}. Memory is kept from making to making. */
struct timeline {
	uint64_t begin_ns, cell_ns; /* record time */
	size_t cell_count;
	struct timeline_strip *strips; /* one per CPU, ascending */
	size_t strip_count;
	struct timeline_legend legend[TIMELINE_COLOURS];
	size_t legend_count;
	/* private: */
	struct timeline_cell *cells;
	size_t cell_capacity, strip_capacity;
	struct timeline_maker *maker; /* owned */
};

struct timeline_input {
	const struct history *history;
	const struct layout *layout;
	const struct metrics *metrics;
	const int *cpus; /* those to be shown, ascending */
	size_t cpu_count;
	uint64_t end_ns;  /* behind the last cell */
	uint64_t span_ns; /* of all cells */
	size_t cell_count;
	bool needs_ipc;      /* costs several times as much */
	const int32_t *pids; /* attached processes: they own each cell in which they ran at all */
	size_t pid_count;
};

void timeline_make(struct timeline *timeline, const struct timeline_input *input);
void timeline_fini(struct timeline *timeline);

#endif
