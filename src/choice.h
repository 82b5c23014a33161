#ifndef PERFTOP_CHOICE_H
#define PERFTOP_CHOICE_H

/*
 * What the options choose: their texts are looked up (choose.h) as soon as there is an engine that
 * can open what they ask for.
 */

#include <stdbool.h>

#include "view/column_list.h"

#include "choose.h"

struct columns;
struct error;
struct options;

/* An empty one is {0}. */
struct choice {
	struct column_list columns; /* -c; empty: those of the view and extras */
	struct column_list extras;  /* of -m and -e */
	struct chosen_order order;  /* -s; of NULL: that of the view */
};

/* False: error names the word at fault. */
bool choice_make(struct choice *choice, struct chooser *chooser, const struct options *options,
		 struct error *error);
void choice_fini(struct choice *choice);

/* What the chosen columns, order, groups and filter need; bits of enum column_need. */
unsigned int choice_needs(const struct choice *choice, struct columns *columns,
			  const struct options *options);

#endif
