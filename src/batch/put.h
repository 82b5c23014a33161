#ifndef PERFTOP_BATCH_PUT_H
#define PERFTOP_BATCH_PUT_H

/*
 * Numbers and names appended to lines of which there are hundreds of thousands a second. Names are
 * made harmless as everywhere (base/text.h) and then quoted after the rules of the format.
 */

#include <stdint.h>

struct strbuf;

void put_number(struct strbuf *out, uint64_t number);

/* Shortest text that reads back as the same number; finite. */
void put_real(struct strbuf *out, double number);

void put_json_text(struct strbuf *out, const char *text); /* with its quotes */
void put_csv_text(struct strbuf *out, const char *text);  /* in quotes where RFC 4180 wants them */

#endif
