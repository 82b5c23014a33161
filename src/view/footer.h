#ifndef PERFTOP_VIEW_FOOTER_H
#define PERFTOP_VIEW_FOOTER_H

/* The line under the switch log: which task disturbs which most, and how long slices are. */

#include <stdbool.h>

struct session;
struct sample_filter;
struct snapshot;
struct strbuf;
struct view_row;
struct view_request;

struct footer_input {
	const struct view_request *request;     /* of the log: which switches */
	const struct sample_filter *samples_of; /* only samples of these tasks; NULL: of all */
	const struct snapshot *snapshot;        /* users and limits of tasks; NULL: not known */
	const struct session *session;          /* NULL: not known */
	const struct view_row *first;           /* of the rows above it; NULL: there are none */
	int width;                              /* columns of the screen */
};

/* Appends one line without its end, at most `width` wide; nothing without a history. */
void switches_footer_write(struct strbuf *out, const struct footer_input *input);

#endif
