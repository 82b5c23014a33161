#ifndef PERFTOP_COMPLETION_H
#define PERFTOP_COMPLETION_H

/*
 * What the shells' completions ask while somebody types: perftop --complete WORD...
 */

#include <stddef.h>

#define COMPLETION_ARGUMENT "--complete"

struct strbuf;

/*
 * Adds a line for each text that the last of these words can become; the others are the words
 * before it, without the program's name. None: nothing is known, as of files.
 */
void completion_write(struct strbuf *out, char *const *words, size_t count);

#endif
