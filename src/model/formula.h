#ifndef PERFTOP_MODEL_FORMULA_H
#define PERFTOP_MODEL_FORMULA_H

/*
 * Formulas over the numbers of a layout: + - * / ( ), numbers with k M G, and
 * names of quantities and events. A name with other characters than letters,
 * digits, '_', '.' and '-' stands in double quotes; '-' inside a name needs no
 * blanks ("cache-misses"), as an operator it needs one before or after it.
 *
 * Unknown is contagious: a name that is not counted, and a division by zero,
 * make the result NaN.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct formula; /* opaque; parsed once, evaluated often */

enum {
	FORMULA_ERROR_MAX = 160
};

/*
 * Parses text. NULL when it is malformed: *position is then the byte offset of the
 * fault and message says in one sentence what was expected.
 */
struct formula *formula_create(const char *text, size_t *position,
			       char message[static FORMULA_ERROR_MAX]);
void formula_destroy(struct formula *formula);

/* Names used in the formula: name number `index`, NULL behind the last. */
const char *formula_name(const struct formula *formula, size_t index);

/*
 * Gives the value of name number `index`; NaN: unknown. Called once per name and
 * evaluation; values are passed so that evaluation neither allocates nor looks up.
 * values has one number per name in the order of formula_name().
 */
double formula_eval(const struct formula *formula, const double *values);

#endif
