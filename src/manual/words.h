#ifndef PERFTOP_MANUAL_WORDS_H
#define PERFTOP_MANUAL_WORDS_H

/* What may follow an option, for all shells. */

#include <stdbool.h>
#include <stddef.h>

struct option_info;
struct strbuf;

enum words_kind {
	WORDS_FREE, /* nothing can be proposed */
	WORDS_FILES,
	WORDS_PIDS,
	WORDS_USERS,
	WORDS_EVENTS, /* asked of perftop events while one types */
	WORDS_FIXED,  /* a list that perftop has in a table */
	WORDS_SIGNED  /* the same, with - or + before each */
};

/* Of an option that takes an argument. */
enum words_kind words_kind_of(const struct option_info *option);

/* Whether several may follow, with commas between them. */
bool words_are_list(const struct option_info *option);

/* Those of WORDS_FIXED and WORDS_SIGNED, with blanks between them. */
void words_write(struct strbuf *out, const struct option_info *option);

#endif
