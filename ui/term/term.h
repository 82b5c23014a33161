#ifndef PERFTOP_TERM_TERM_H
#define PERFTOP_TERM_TERM_H

/*
 * The terminal: the only file behind this header that knows curses. Only what
 * changed is written. Whatever ends the program, term_close() leaves the terminal as it was.
 */

#include <stdbool.h>
#include <stdint.h>

#include "term/theme.h"

struct error;
struct term; /* opaque; there is one terminal, so there is one of these */

/* Whether standard input and output are a terminal that TERM describes well enough; explains if
 * not. */
bool term_is_usable(struct error *error);

/* Takes the terminal: raw keys, alternate screen, no echo. NULL: error says why. */
struct term *term_open(struct error *error);
void term_close(struct term *term); /* NULL is allowed */

void term_size(struct term *term, int *width, int *height);
void term_resized(struct term *term);       /* after SIGWINCH: asks the kernel for the new size */
bool term_is_utf8(const struct term *term); /* false: ASCII only, as on a console of Linux */

/* At first it is THEME_DEFAULT. The next painting draws everything. */
void term_set_theme(struct term *term, enum theme theme);

/* Gives the terminal back before SIGSTOP, and takes it again after SIGCONT. */
void term_suspend(struct term *term);
void term_resume(struct term *term);

/* The next key that is waiting, KEY_CODE_NONE when there is none; never waits longer than an escape
 * sequence needs. */
uint32_t term_read_key(struct term *term);

/*
 * Whether the terminal reports the mouse from now on; at the end, while suspended and after a
 * crash it does not. False: it knows no mouse, as far as terminfo says.
 */
bool term_set_mouse(struct term *term, bool is_on);

/* Where the mouse was when its last key came: column and line, from 0. */
void term_pointer(const struct term *term, int *x, int *y);

/* Forgets what is on the terminal, so that the next painting draws everything. */
void term_repaint(struct term *term);

/* Whether keys were read from the terminal and not yet taken: nothing will say so again. */
bool term_has_keys(const struct term *term);

/* Shows the screen. */
void term_paint(struct term *term, const struct screen *screen);

#endif
