#ifndef PERFTOP_COMPLETE_H
#define PERFTOP_COMPLETE_H

/*
 * A list of words: what can follow in a command that is being typed, or what is to be said of it;
 * and which words those are. The argument of a command in its table
 * (command.h) says what it takes: words in small letters are meant as they are, those in capitals
 * are kinds of names (complete_kinds.c), "A|B" is either, "A,..." a list, "A B" one after the
 * other; what is in brackets may be left out.
 */

#include <stdbool.h>
#include <stddef.h>

#include "widget/cursor.h"

struct app;
struct screen;

enum {
	COMPLETE_MOST = 2000
};

struct complete_word {
	char *name; /* owned */
	char *help; /* owned; "" nothing to say */
};

/* An empty one is {0}. */
struct complete {
	struct complete_word *words; /* owned; each name once */
	size_t count, capacity;
	size_t left_out;    /* more that are like them: too many to look at */
	const char *prefix; /* what they begin with; borrowed while they are found */
	size_t begin;       /* of the word in the text */
	bool takes_more;    /* the word is a command that takes an argument */
	bool is_stepping;   /* Tab goes on to the next word */
	bool is_put;        /* the word under the cursor is in the text */
	struct cursor cursor;
};

void complete_fini(struct complete *complete);

/* There are no words. */
void complete_clear(struct complete *complete);

/* Offers a name: it is taken if it begins with the prefix, without regard to case. */
void complete_offer(struct complete *complete, const char *name, const char *help);

/* The same for a name of which there is no other: of many that is faster. */
void complete_add(struct complete *complete, const char *name, const char *help);

/* Whether a name would be taken; where there are too many by now it is counted. */
bool complete_wants(struct complete *complete, const char *name);

/* How many bytes all names have in common at their beginning; 0: there are none, or too many. */
size_t complete_common(const struct complete *complete);

/* Finds what can take the place of the last word of a command's text (complete_kinds.c). */
void complete_find(struct complete *complete, struct app *app, const char *text);

/* Offers all names of a kind; `text` is what is there, behind the rest of the command. Moves the
 * word's beginning in it where the kind is more than a name. False: there is no such kind. */
bool complete_kind(struct complete *complete, struct app *app, const char *kind, const char *text);

/* The words as a list, one on a line: how many lines it wants, and in as many as it gets. */
int complete_lines(const struct complete *complete);
void complete_draw(struct complete *complete, struct screen *screen, int y, int lines);

#endif
