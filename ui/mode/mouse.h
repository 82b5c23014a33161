#ifndef PERFTOP_MOUSE_H
#define PERFTOP_MOUSE_H

/* The mouse: what was clicked is selected, sorted by, shown or pressed. */

#include <stdbool.h>
#include <stdint.h>

struct app;

/*
 * A key as it came from the terminal. If it is the mouse's, what it means is done; if a key of the
 * key line was clicked, that key is returned, KEY_CODE_NONE if nothing is left to do.
 */
uint32_t mouse_take(struct app *app, uint32_t key);

/* Whether the terminal reports the mouse, or keeps it for itself (to mark text). */
void mouse_switch(struct app *app, bool is_on);

#endif
