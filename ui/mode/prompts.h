#ifndef PERFTOP_PROMPTS_H
#define PERFTOP_PROMPTS_H

/*
 * Prompts: each asks for the argument of a command that has a label for one (command.def), and one
 * for a whole command.
 */

/* What was entered at prompts, by kind of prompt; in memory only, and never written. */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

#include "mode/complete.h"
#include "widget/prompt.h"

struct command_info;
struct command_table;

/*
 * The command behind this one by name that can be asked for, `command` among them, which is for
 * any. NULL: the first, and behind the last.
 */
const struct command_info *prompts_next(const struct command_table *table,
					const struct command_info *row);

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
	const struct command_info *info; /* what it asks for */
	struct strbuf text_before;       /* filter before it was opened */
	struct complete complete;        /* what can be typed, or what is to be said of the text */
	struct recall recall;
};

#endif
