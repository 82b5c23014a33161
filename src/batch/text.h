#ifndef PERFTOP_BATCH_TEXT_H
#define PERFTOP_BATCH_TEXT_H

/* The text format: a table for people and awk. text.c says how it is to be read. */

struct batch_input;
struct strbuf;

void text_write(struct strbuf *out, const struct batch_input *input);

#endif
