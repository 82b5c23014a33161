#ifndef PERFTOP_BATCH_SWITCHES_CSV_H
#define PERFTOP_BATCH_SWITCHES_CSV_H

/* CSV of the log of switches: a line per switch. switches_csv.c says what is in it. */

struct batch_input;
struct strbuf;

void switches_csv_write(struct strbuf *out, const struct batch_input *input);

#endif
