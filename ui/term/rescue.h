#ifndef PERFTOP_TERM_RESCUE_H
#define PERFTOP_TERM_RESCUE_H

/*
 * The terminal's last resort: puts it back when the program dies of a fatal signal or for
 * want of memory. What is to be written and set is laid down beforehand, so that nothing but
 * write(2) and tcsetattr(3) is done then.
 */

#include <stddef.h>

enum {
	RESCUE_BYTES_MAX = 256
};

/*
 * Remembers the terminal modes of standard input as they are now, and the sequences that bring the
 * terminal's display back. Fatal signals not taken otherwise (SIGSEGV, SIGABRT...) are caught
 * from here on.
 */
void rescue_arm(const char *const *sequences, size_t count);

/* The terminal is in order again: nothing is to be rescued. */
void rescue_disarm(void);

#endif
