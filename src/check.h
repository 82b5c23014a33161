#ifndef PERFTOP_CHECK_H
#define PERFTOP_CHECK_H

/*
 * perftop check: what works here, what does not, why, and what would change it; one line each.
 */

/* Prints the list. 0 when at least one's own tasks can be watched, 1 otherwise. */
int check_run(void);

#endif
