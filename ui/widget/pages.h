#ifndef PERFTOP_WIDGET_PAGES_H
#define PERFTOP_WIDGET_PAGES_H

/*
 * The pictures that take the whole screen. They are given finished words for the lines that can be
 * seen.
 */

#include <stdbool.h>
#include <stddef.h>

#include "term/screen.h"

struct frame_key;
struct prompt;

/*
 * The event browser: two lists behind tabs, a line to type in, and what is known of the selected
 * event, at the side of a wide screen and below on others.
 */
enum {
	BROWSER_TABS = 2
};

struct browser_line {
	const char *name;
	const char *source; /* where it comes from; "" nothing to say */
	const char *state;  /* "counting", "multiplexed 33 %"; "" not known */
	enum style style;   /* of the state */
};

struct browser_content {
	const char *tabs[BROWSER_TABS]; /* "": there is none */
	size_t active_tab;
	const char *position;        /* "3 of 120" */
	const struct prompt *search; /* the line to type in */
	const struct browser_line *lines;
	size_t line_count;   /* browser_page() at most */
	size_t selected;     /* of the lines; line_count: none */
	const char *nothing; /* where there are no lines: why */
	const char *heading; /* of what is selected; "" nothing is */
	const char *detail;  /* lines about it */
	size_t detail_page;  /* where there is no room for all: which of them, round and round */
	const char *message;
	bool message_is_error;
	const struct frame_key *keys;
	size_t key_count;
};

/*
 * The set-up page: tabs, two lists side by side (what is shown, what there is), and what is known
 * of the selected line below them. A narrow screen shows the list with the cursor only.
 */
struct setup_line {
	const char *name;
	const char *note; /* behind it, cut where there is no room */
	const char *tail; /* at the right end: a width; "" none */
};

struct setup_list_content {
	const char *title; /* over it */
	const struct setup_line *lines;
	size_t line_count;   /* setup_page() at most */
	size_t selected;     /* of the lines */
	const char *nothing; /* where there are no lines: why */
};

struct setup_content {
	const char *const *tabs;
	size_t tab_count, active_tab;
	const char *state; /* "not saved"; "" */
	struct setup_list_content lists[2];
	size_t active_list;
	const char *detail; /* about the selected line */
	const char *message;
	bool message_is_error;
	const struct frame_key *keys;
	size_t key_count;
};

/* How many lines of a list a screen of this size shows; 0: it is too small. */
size_t browser_page(int width, int height);
size_t setup_page(int width, int height);

void browser_draw(struct screen *screen, const struct browser_content *content);
void setup_draw(struct screen *screen, const struct setup_content *content);

#endif
