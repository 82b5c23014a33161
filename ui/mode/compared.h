#ifndef PERFTOP_COMPARED_H
#define PERFTOP_COMPARED_H

/* The mark that rows are compared with (view/difference.h): a copy of the interval shown then. */

#include <stdbool.h>
#include <stdint.h>

struct app;
struct snapshot;
struct strbuf;

struct compared {
	struct snapshot *mark; /* owned; NULL: there has been none */
	bool is_on;            /* rows that are built now are compared with it */
};

/* NULL: there is none. Good until another one is made. */
const struct snapshot *compared_mark(const struct app *app);

/* Marks the interval that is shown, or takes the mark off. */
void compared_toggle(struct app *app);

/* Appends what the rows are compared with, for the right end of the tab line. */
void compared_write(const struct app *app, struct strbuf *out);

#endif
