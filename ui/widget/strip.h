#ifndef PERFTOP_WIDGET_STRIP_H
#define PERFTOP_WIDGET_STRIP_H

/*
 * The time line of the CPUs: one strip of cells each, with the time below, what the cells mean,
 * and a sentence about the cell under the cursor. It is given finished words; the task in a
 * cell is shown by a colour and by a letter.
 */

#include <stdbool.h>
#include <stddef.h>

struct screen;
struct timeline;

enum {
	STRIP_NAME = 48 /* bytes of a task's name and number, harmless */
};

struct strip_content {
	const struct timeline *timeline; /* no strips: `nothing` is shown */
	const char *nothing;
	const unsigned int *colours;     /* of each rank in the timeline: below TIMELINE_COLOURS */
	const char (*names)[STRIP_NAME]; /* TIMELINE_COLOURS of them, by colour; "": not in use */
	bool by_ipc;                     /* cells show the IPC, not the task */
	size_t cpu;                      /* strip that is selected */
	size_t cell;                     /* that the cursor is on; SIZE_MAX: none */
	size_t *top;                     /* first visible strip; corrected when drawn */
	char begin[32], scale[48], end[32]; /* of the time that is shown */
	char detail[512];                   /* the sentence */
};

/* How many cells a strip has on a screen this wide; at least 1. */
size_t strip_cells(int width);

void strip_draw(struct screen *screen, const struct strip_content *content, int y, int lines);

#endif
