#ifndef PERFTOP_MODEL_METRIC_DEFINITION_H
#define PERFTOP_MODEL_METRIC_DEFINITION_H

/*
 * What a user's metric is, read from its definition: for metric_set.c alone, which says what such a
 * text looks like (metric_set_add()) and whether the metric has a place in the set.
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

/* One of the set, built-in or a user's. */
struct metric {
	struct metric_info info;
	struct formula *formula;   /* owned */
	size_t formula_at;         /* where it begins in the definition */
	size_t name_at;            /* likewise its name */
	char *texts[METRIC_TEXTS]; /* owned; of a user's; NULL: none */
};

/* A definition that is read. */
struct metric_reader {
	const char *text;
	size_t at;        /* as far as it is read */
	size_t *position; /* of the fault, for the caller */
	char *message;    /* for the caller; FORMULA_ERROR_MAX bytes */
};

/*
 * Fills a metric that is all zero; what it owns is the caller's to free, whatever is returned.
 * False: the reader's position and message say what is wrong.
 */
bool metric_define(struct metric *metric, struct metric_reader *reader);

/* Says what is wrong at a byte of the definition, and returns false. */
__attribute__((format(printf, 3, 4))) bool
metric_reader_fail(struct metric_reader *reader, size_t position, const char *format, ...);

#endif
