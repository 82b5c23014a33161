#ifndef PERFTOP_STRIPS_H
#define PERFTOP_STRIPS_H

/*
 * The view of the CPUs' time line: which stretch of the history it shows, and the cursor in it.
 *
 * Without a cursor it is live and ends with the newest. With one it is frozen, and shows the
 * stretch in which the cursor is: the first move in a live one freezes the screen.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/timeline.h"

#include "widget/list.h"

struct app;

enum {
	STRIP_NAME = 48 /* bytes of a task's name and number, harmless */
};

struct strips {
	struct timeline timeline;
	uint64_t span_ns;   /* of what is shown; 0: all of the history */
	uint64_t end_ns;    /* behind the last cell while there is a cursor; record time */
	uint64_t cursor_ns; /* where the cursor is; 0: there is none */
	/* what the cells were made of; while frozen they need not be made again */
	struct timeline_input made_of; /* only compared; history NULL: they are to be made */
	uint64_t made_entries;         /* of its history: below this one */
	uint64_t made_pids;            /* hash of those that were attached */
	int cpu;                       /* the selected one */
	size_t top;                    /* first visible strip */
	int *cpus;                     /* owned; those that are shown */
	size_t cpu_count, cpu_capacity;
	uint64_t owners[TIMELINE_COLOURS]; /* snapshot_task.id of what has the colour; 0: none */
	unsigned int colours[TIMELINE_COLOURS];   /* of each rank of the timeline's legend */
	char names[TIMELINE_COLOURS][STRIP_NAME]; /* by colour; "": not in use */
};

/* The selected strip of the timeline; the first where its CPU has gone. */
size_t strips_index(const struct strips *strips);

size_t strips_cell_index(const struct strips *strips);

/* The screen goes on: the cursor goes. */
void strips_release(struct app *app);

#endif
