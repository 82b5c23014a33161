#ifndef PERFTOP_MANUAL_ROFF_H
#define PERFTOP_MANUAL_ROFF_H

/* Text for man(7). */

#include <stddef.h>

struct strbuf;

/* Adds text so that it is shown as it is, whatever is in it; a line end stays one. */
void roff_add(struct strbuf *out, const char *text, size_t length);

/* .SH TITLE */
void roff_section(struct strbuf *out, const char *title);

/* An entry of a list: its name in bold, and what is said of it. */
void roff_entry(struct strbuf *out, const char *name, const char *words);

/* A paragraph. */
void roff_paragraph(struct strbuf *out, const char *words);

/* Lines that are shown as they are. */
void roff_example(struct strbuf *out, const char *lines);

/*
 * A page of the help: "# Heading" begins a section, "  NAME  explanation" is an entry, a line
 * without a gap of two blanks a paragraph; what begins further to the right goes on with the entry
 * before.
 */
void roff_help(struct strbuf *out, const char *text);

/*
 * Chapters in Markdown, as much of it as the guide has: headings, paragraphs, tables (each row
 * becomes an entry), lists, code, indented or fenced. What is before the first chapter is left out.
 */
void roff_guide(struct strbuf *out, const char *text);

#endif
