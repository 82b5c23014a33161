#ifndef PERFTOP_MANUAL_H
#define PERFTOP_MANUAL_H

/*
 * What is installed beside the program: the manual page and the shells' completions. Their lists
 * are those of the program's tables, so that they cannot say anything else than the program does.
 */

#include <stddef.h>

struct strbuf;

struct manual_form {
	const char *name; /* "man", "bash", "zsh", "fish" */
	void (*write)(struct strbuf *out);
};

/* All there are. */
const struct manual_form *manual_forms(size_t *count);

/* The page perftop(1), for man(7). */
void manual_write_page(struct strbuf *out);

/* guide.md, whose chapters the page has. */
extern const char manual_guide[];

void manual_write_bash(struct strbuf *out);
void manual_write_zsh(struct strbuf *out);
void manual_write_fish(struct strbuf *out);

#endif
