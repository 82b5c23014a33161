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

/*
 * Members of objects and values of arrays, with the comma before them where one is due. key: one of
 * ours, that needs no escapes; NULL: an array's value, or one whose key is there.
 */
void put_key(struct strbuf *out, const char *key);
void put_name_as_key(struct strbuf *out, const char *name); /* one that comes from outside */
void open_json(struct strbuf *out, const char *key, char bracket);
void put_word(struct strbuf *out, const char *key, const char *word); /* true, false, null */
void put_count(struct strbuf *out, const char *key, uint64_t number);
void put_json_string(struct strbuf *out, const char *key, const char *text);

/* With a fraction in any case: enough digits for a wall clock with milliseconds; null where it is
 * not finite. */
void put_fraction(struct strbuf *out, const char *key, double number);

void put_csv_text(struct strbuf *out, const char *text); /* in quotes where RFC 4180 wants them */

#endif
