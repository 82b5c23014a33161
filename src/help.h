#ifndef PERFTOP_HELP_H
#define PERFTOP_HELP_H

/* The help page, made from the tables of keys, commands, columns, metrics and views. */

struct strbuf;

void help_write(struct strbuf *out); /* replaces what is in it */

#endif
