#ifndef PERFTOP_BATCH_CSV_H
#define PERFTOP_BATCH_CSV_H

/* The CSV format: a line per row. csv.c says what is in it. */

struct batch_input;
struct strbuf;

void csv_write(struct strbuf *out, const struct batch_input *input);

#endif
