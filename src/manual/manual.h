#ifndef PERFTOP_MANUAL_H
#define PERFTOP_MANUAL_H

/*
 * The manual page. Its lists are those of the program's tables, so that it cannot say anything else
 * than the program does.
 */

#include <stddef.h>

struct strbuf;

/* The page perftop(1), for man(7): the text of perftop.1.in, with the tables in its lines @NAME@.
 */
void manual_write_page(struct strbuf *out, const char *template);

/* Adds text for man(7) so that it is shown as it is, whatever is in it; a line end stays one. */
void roff_add(struct strbuf *out, const char *text, size_t length);

/*
 * A page of the help: "# Heading" begins a section, "  NAME  explanation" is an entry, a line
 * without a gap of two blanks a paragraph; what begins further to the right goes on with the entry
 * before.
 */
void roff_help(struct strbuf *out, const char *text);

#endif
