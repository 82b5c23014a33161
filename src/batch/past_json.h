#ifndef PERFTOP_BATCH_PAST_JSON_H
#define PERFTOP_BATCH_PAST_JSON_H

/* JSON of the views that sum up the history: pairs, and the histogram. One object per interval and
 * line; past_json.c says what is in it. */

struct batch_input;
struct strbuf;

void past_json_write(struct strbuf *out, const struct batch_input *input);

#endif
