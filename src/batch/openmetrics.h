#ifndef PERFTOP_BATCH_OPENMETRICS_H
#define PERFTOP_BATCH_OPENMETRICS_H

/* The format for Prometheus: an exposition per interval. openmetrics.c says what is in it. */

struct batch_input;
struct strbuf;

void openmetrics_write(struct strbuf *out, const struct batch_input *input);

#endif
