#ifndef PERFTOP_BATCH_SWITCHES_JSON_H
#define PERFTOP_BATCH_SWITCHES_JSON_H

/* JSON of the log of switches: one object per switch and line. switches_json.c says what is in it.
 */

struct batch_input;
struct strbuf;

void switches_json_write(struct strbuf *out, const struct batch_input *input);

#endif
