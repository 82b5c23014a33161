#ifndef PERFTOP_KERNEL_EVENT_TRACEPOINT_H
#define PERFTOP_KERNEL_EVENT_TRACEPOINT_H

/*
 * Tracepoints as tracefs lists them: GROUP:NAME, a number for the kernel, and the fields that a
 * filter may name. Files are read under `root` ("" in production).
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct event_spec;
struct nearest;
struct strbuf;

/*
 * Fills *spec with everything but a filter. Errors: EVENT_TRACEFS when tracefs cannot be read,
 * EVENT_TRACEPOINT_UNKNOWN with the nearest names.
 */
bool tracepoint_find(const char *root, const char *group, const char *name, struct event_spec *spec,
		     struct error *error);

/* False also where tracefs cannot be read. */
bool tracepoint_has_group(const char *root, const char *group);

/*
 * Calls visit for each tracepoint that can be counted, in the order of the directory; the names are
 * valid during the call. False: tracefs cannot be read.
 */
typedef void tracepoint_visit(void *context, const char *group, const char *name);
bool tracepoint_walk(const char *root, tracepoint_visit *visit, void *context, struct error *error);

/* Offers the names of all of them, "GROUP:NAME". */
void tracepoint_offer_nearest(const char *root, struct nearest *nearest);

/*
 * Appends a line for each field that is this tracepoint's own: two blanks, its type and name as
 * in C.
 */
void tracepoint_append_fields(const char *root, const char *group, const char *name,
			      struct strbuf *out);

#endif
