#ifndef PERFTOP_BATCH_JSON_H
#define PERFTOP_BATCH_JSON_H

/* The JSON format: one object per interval, on one line. json.c says what is in it. */

struct batch_input;
struct strbuf;

void json_write(struct strbuf *out, const struct batch_input *input);

#endif
