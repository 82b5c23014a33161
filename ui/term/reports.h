#ifndef PERFTOP_TERM_REPORTS_H
#define PERFTOP_TERM_REPORTS_H

/*
 * What a terminal is asked to report besides keys: the mouse, and which text was pasted. curses
 * knows of neither, so this is written past it, when it holds nothing back.
 */

#include <stdbool.h>

/* An empty one is {0}. */
struct reports {
	bool are_known; /* the terminal has a mouse; one that has it knows pasting, too */
	bool has_mouse; /* the mouse is wanted */
};

/* Ends all reports, as bytes for the terminal. */
extern const char reports_off[];

/* Asks for pasted text, and for the mouse if it is wanted; and for none of them any more. */
void reports_begin(const struct reports *reports);
void reports_end(const struct reports *reports);

/* While they are asked for. False: there is no mouse. */
bool reports_set_mouse(struct reports *reports, bool is_wanted);

#endif
