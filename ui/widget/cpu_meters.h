#ifndef PERFTOP_WIDGET_CPU_METERS_H
#define PERFTOP_WIDGET_CPU_METERS_H

/*
 * Strips of CPUs: as many lines as there may be, and whatever fits into them. Bars, with how busy
 * it was and what that is coloured by; without that; then cells, as high as the CPU was busy; then
 * cells that represent several CPUs each.
 */

#include <stddef.h>

struct cpu_meters;
struct screen;

enum cpu_form {
	CPU_FORM_NONE, /* no room for any */
	CPU_FORM_BARS,
	CPU_FORM_CELLS,
	CPU_FORM_HEAT
};

/* How CPUs are laid out on the screen. */
struct cpu_fold {
	enum cpu_form form;
	int lines;
	int label;    /* columns of a CPU's number; of cells that of the first of a line */
	int per_line; /* items: bars, or cells */
	int item;     /* columns of one, without what is between them */
	int cpus;     /* of one item */
	int words;    /* columns for what colours it, behind how busy it was; 0: no room */
};

/* count CPUs numbered up to last_cpu, with numbers of text_width columns, in at most `most` lines.
 */
struct cpu_fold cpu_fold_make(size_t count, int last_cpu, int text_width, int width, int most);

/* Lines that they take, at most `most`, and where these are no bars one less. */
int cpu_meters_lines(const struct cpu_meters *meters, int width, int most);

void cpu_meters_draw(struct screen *screen, const struct cpu_meters *meters, int y, int lines);

#endif
