#ifndef PERFTOP_TERM_KEYBOARD_H
#define PERFTOP_TERM_KEYBOARD_H

/*
 * Keys from standard input. Reading is ours because curses cannot distinguish "no key" from "the
 * terminal has gone", and because it passes unknown escape sequences on as single letters, which
 * are commands here.
 */

#include <stdbool.h>
#include <stdint.h>

#include "term/input.h"

/* An empty one is {0}. */
struct keyboard {
	struct input input;
	bool has_ended; /* input is at its end */
};

/*
 * The next key that is waiting, KEY_CODE_NONE when there is none, KEY_CODE_END_OF_INPUT when there
 * will be none any more; never waits longer than an escape sequence needs.
 */
uint32_t keyboard_read(struct keyboard *keyboard);

#endif
