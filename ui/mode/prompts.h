#ifndef PERFTOP_PROMPTS_H
#define PERFTOP_PROMPTS_H

/* The prompts there are: each asks for the argument of one command. */

/* What was entered at prompts, by kind of prompt; in memory only, and never written. */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

#include "mode/complete.h"
#include "widget/prompt.h"

struct prompt_info {
	const char *name;
	const char *label;
	const char *command; /* that gets the text; NULL: the text is a command itself */
	bool is_live;        /* the command also runs at every change */
};

const struct prompt_info *prompts_table(size_t *count);

enum {
	RECALL_KINDS_MAX = 32,
	RECALL_TEXTS_MAX = 100 /* of a kind; the oldest goes */
};

struct recall_list {
	const char *kind; /* borrowed: name of the prompt */
	char **texts;     /* owned; the newest last */
	size_t count, capacity;
};

/* An empty one is {0}. */
struct recall {
	struct recall_list lists[RECALL_KINDS_MAX];
	size_t count;
	size_t back; /* how far back we are; 0: at what is being typed */
	char *draft; /* owned; what was being typed; NULL: nothing */
};

void recall_fini(struct recall *recall);

/* A text was entered; the same one before it is forgotten. */
void recall_add(struct recall *recall, const char *kind, const char *text);

/*
 * The text before or after the one that is looked at, `typed` being in the line now. NULL: there is
 * none. Good until the next call.
 */
const char *recall_step(struct recall *recall, const char *kind, const char *typed, bool back);

/* The prompt that is open, and the list over it. */
struct prompts {
	struct prompt line;
	const struct prompt_info *info;
	struct strbuf text_before; /* filter before it was opened */
	struct complete complete;  /* what can be typed, or what is to be said of the text */
	struct recall recall;
};

#endif
