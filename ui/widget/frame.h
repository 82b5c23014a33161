#ifndef PERFTOP_WIDGET_FRAME_H
#define PERFTOP_WIDGET_FRAME_H

/*
 * The whole picture: header, tabs, table, message line and key line, put together from
 * parts that know nothing of each other. A small terminal loses the least important parts
 * first: key line, meters, tabs, header; below 20x3 only a sentence is shown.
 */

#include <stdbool.h>
#include <stddef.h>

#include "widget/head.h"

struct cpu_meters;
struct list;
struct pager_text;
struct prompt;
struct screen;
struct view_state;
struct view_table;

/* A key and what it does here, for the key line. */
struct frame_key {
	const char *key;
	const char *label;
};

struct frame;

/* Draws in these lines of the screen. */
typedef void frame_body(void *context, const struct frame *frame, struct screen *screen, int y,
			int lines);

struct frame {
	struct head head;
	const struct view_state *views; /* each has a tab */
	size_t tab_count, active_tab;
	const char *tab_mode; /* behind the active title: "off-CPU, callees"; NULL or "": nothing */
	const struct view_table *table; /* NULL: none yet */
	struct list *list;
	frame_body *body; /* what is in the table's place; NULL: the table */
	void *body_context;
	const char *nothing;     /* said where the table has no rows; NULL: the usual words */
	const char *verdict;     /* a line over the table: what is wrong; NULL or "": none */
	const char *verdict_key; /* shows more of it; NULL: none */
	const char *footer;      /* a line below the table; NULL or "": none */
	bool footer_is_warning;
	const char
		*slider; /* a line over the message: where in the time we are; NULL or "": none */
	int slider_mark; /* column that is marked in it; -1: none */
	int slider_first, slider_cells; /* columns that represent the time */
	const struct cpu_meters *cpus;  /* strips of CPUs below the meters; NULL: none */
	const char *filters;            /* "filter: java", "user: www", "frozen"; "" */
	const char *message;            /* message line; "" */
	bool message_is_error;
	const struct prompt *prompt; /* is in the message line while open */
	int covered; /* lines over the end of the table that something else is drawn in */
	const struct frame_key *keys;
	size_t key_count;
	struct pager_text *pager;      /* NULL: the table is shown */
	const struct pager_text *pane; /* behind the last row of the list; NULL: nothing is */
	int pane_y;                    /* the line in which it begins */
};

/* Whether more than a sentence can be shown. */
bool frame_has_room(const struct screen *screen);

/* Before anything is drawn: the screen is empty. False: there is room for a sentence only, which is
 * there. */
bool frame_begin(struct screen *screen);

/* The line in which the table begins, and how many it has. */
int frame_table(const struct screen *screen, const struct frame *frame, int *lines);

/* The first of the lines that are covered; *lines: how many, 0 where there is no table. */
int frame_covered(const struct screen *screen, const struct frame *frame, int *lines);

/* How many lines of a list are behind its last row, and the first of them. */
int frame_free(const struct screen *screen, const struct frame *frame, int *y);

/* A line of keys, as many as have room whole. */
void frame_draw_keys(struct screen *screen, const struct frame_key *keys, size_t count, int y);

/* Why the table has no rows; nothing where it has some. */
void frame_draw_nothing(struct screen *screen, const struct frame *frame, int y, int lines);

void frame_draw(struct screen *screen, const struct frame *frame);

#endif
