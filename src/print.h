#ifndef PERFTOP_PRINT_H
#define PERFTOP_PRINT_H

/* The batch run: an interval, its rows as text, the next interval. */

struct error;
struct options;

/* Runs until it has printed what was asked for. Returns the exit status; above 0 with error set:
 * print it. */
int print_run(const struct options *options, struct error *error);

#endif
