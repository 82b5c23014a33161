#ifndef PERFTOP_SIGNALS_H
#define PERFTOP_SIGNALS_H

/* The signals there are: one table. */

#include <stdbool.h>
#include <stddef.h>

struct signal_info {
	int number;
	const char *name; /* "SIGTERM" */
	const char *help; /* what it does by default */
};

enum {
	SIGNAL_NAME_MAX = 16
};

/* SIGTERM first, then by number. */
const struct signal_info *signals_table(size_t *count);

/* "TERM", "sigterm", "15", "34": one that the kernel may know; 0: none. */
int signals_parse(const char *text);

/* "SIGTERM"; "signal 34" of one that has no name here. */
void signals_name(int number, char name[static SIGNAL_NAME_MAX]);

#endif
