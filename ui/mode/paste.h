#ifndef PERFTOP_PASTE_H
#define PERFTOP_PASTE_H

/*
 * Text that the terminal says was pasted: it is typed where text is asked for, in one line, and is
 * no keys elsewhere, since a letter there is a command.
 */

#include <stdbool.h>
#include <stdint.h>

struct app;

/* Nothing is pasted: {0}. */
struct paste {
	bool is_on;    /* between its beginning and its end */
	bool has_text; /* of it something was typed */
	bool has_gap;  /* a line has ended in it: a blank, if anything follows */
	bool was_said; /* that it is left out */
};

/* False: the key was not pasted. */
bool paste_take(struct app *app, uint32_t key);

#endif
