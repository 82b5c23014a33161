#ifndef PERFTOP_MANUAL_H
#define PERFTOP_MANUAL_H

/*
 * What is installed beside the program: the manual page and the shells' completions. Their lists
 * are those of the program's tables, so that they cannot say anything else than the program does.
 */

#include <stddef.h>

struct strbuf;

/* The page perftop(1), for man(7). */
void manual_write_page(struct strbuf *out);

/* page.md, and guide.md, whose chapters the page has. */
extern const char manual_page[], manual_guide[];

/* Adds text for man(7) so that it is shown as it is, whatever is in it; a line end stays one. */
void roff_add(struct strbuf *out, const char *text, size_t length);

/*
 * A page of the help: "# Heading" begins a section, "  NAME  explanation" is an entry, a line
 * without a gap of two blanks a paragraph; what begins further to the right goes on with the entry
 * before.
 */
void roff_help(struct strbuf *out, const char *text);

/* Chapters in Markdown; what is before the first one is left out. */
void roff_guide(struct strbuf *out, const char *text);

void manual_write_bash(struct strbuf *out);
void manual_write_zsh(struct strbuf *out);
void manual_write_fish(struct strbuf *out);

#endif
