#ifndef PERFTOP_CHECK_H
#define PERFTOP_CHECK_H

#include <stdbool.h>

struct strbuf;

/*
 * perftop check: what works here, what does not, why, and what would change it; one line each.
 * False: not even one's own tasks can be watched.
 */
bool check_write(struct strbuf *out);

#endif
