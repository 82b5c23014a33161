#ifndef PERFTOP_SYMBOL_CONFINE_H
#define PERFTOP_SYMBOL_CONFINE_H

/*
 * Takes from this process, for good, all rights but to work with what it has open: no capability,
 * the user nobody where it was root, no new rights by a program, and no system call that opens a
 * file, makes a socket or process, or reaches another process. Where the kernel filters no system
 * calls, it can still do what any process of its user can.
 */

#include <stdbool.h>

/* Call it with one thread. False: it has rights still. */
bool confine(void);

#endif
