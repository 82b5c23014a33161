#ifndef PERFTOP_MODEL_METRIC_DEFINITION_H
#define PERFTOP_MODEL_METRIC_DEFINITION_H

/*
 * One metric of a set, and how a user's is read from its definition: NAME = FORMULA [; CLAUSE...],
 * from left to right. A clause is a word of a table and what it takes: the text up to the next ';'
 * that is in no quotes. For metric_set.c alone.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/metric_set.h"

enum metric_text {
	METRIC_TEXT_NAME,
	METRIC_TEXT_TITLE,
	METRIC_TEXT_FORMULA,
	METRIC_TEXT_UNIT,
	METRIC_TEXT_HELP,
	METRIC_TEXTS
};

/* Built-in or a user's. */
struct metric {
	struct metric_info info;
	size_t index;              /* in the set */
	struct formula *formula;   /* owned */
	size_t formula_at;         /* where it begins in the definition */
	size_t name_at;            /* likewise its name */
	char *texts[METRIC_TEXTS]; /* owned; of a user's; NULL: none */
};

/* Where what is wrong with a definition is said. */
struct metric_fault {
	size_t *position; /* in it */
	char *message;    /* FORMULA_ERROR_MAX bytes */
};

/* Says what is wrong at a byte of the definition, and returns false. */
__attribute__((format(printf, 3, 4))) bool metric_fail(const struct metric_fault *fault,
						       size_t position, const char *format, ...);

/* Fills an empty metric; what it owns is to be freed, whatever is returned. */
bool metric_define(struct metric *metric, const char *text, const struct metric_fault *fault);
void metric_destroy(struct metric *metric);

#endif
