#ifndef PERFTOP_WIDGET_SETUP_H
#define PERFTOP_WIDGET_SETUP_H

/*
 * The picture of the set-up page: tabs, two lists side by side (what is shown, what there is), and
 * what is known of the selected line below them. A narrow screen shows the list with the cursor
 * only. It is given finished words for the lines that can be seen.
 */

#include <stdbool.h>
#include <stddef.h>

struct frame_key;
struct screen;

struct setup_line {
	const char *name;
	const char *note; /* behind it, cut where there is no room */
	const char *tail; /* at the right end: a width; "" none */
};

struct setup_list_picture {
	const char *title; /* over it */
	const struct setup_line *lines;
	size_t line_count;   /* setup_page() at most */
	size_t selected;     /* of the lines */
	const char *nothing; /* where there are no lines: why */
};

struct setup_picture {
	const char *const *tabs;
	size_t tab_count, active_tab;
	const char *state; /* "not saved"; "" */
	struct setup_list_picture lists[2];
	size_t active_list;
	const char *detail; /* about the selected line */
	const char *message;
	bool message_is_error;
	const struct frame_key *keys;
	size_t key_count;
};

/* How many lines of a list a screen of this size shows; 0: it is too small. */
size_t setup_page(int width, int height);

void setup_draw(struct screen *screen, const struct setup_picture *picture, bool ascii);

#endif
