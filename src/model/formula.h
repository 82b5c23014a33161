#ifndef PERFTOP_MODEL_FORMULA_H
#define PERFTOP_MODEL_FORMULA_H

/*
 * Formulas over the numbers of a layout:
 *
 *	+ - * / and their signs − × ÷, ( )
 *	< <= > >= == !=      1 where it is so, 0 where not
 *	min(a, b, ...)  max(a, b, ...)
 *	if(condition, a, b)  a where the condition is not 0, otherwise b
 *	12  1.5  2e3  64k    numbers, with k M G for 10^3, 10^6, 10^9
 *
 * and names of quantities, metrics and events. A name has letters, digits and _ . %, and inside
 * it '-' and ':' ("cache-misses", "instructions:u", "skl::INST_RETIRED:ANY"); as an operator '-'
 * needs a blank before or behind it there. Any other name is in double quotes:
 * "cpu/event=0x3c,umask=0/".
 *
 * Unknown is contagious: a name that is not counted, and a division by zero, make the result
 * NaN. Of an if() only its condition and the branch that is taken matter.
 */

#include <stddef.h>

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

/* Byte offset in the text at which name number `index`, which there must be, first occurs; of a
 * name in quotes: behind the opening one. */
size_t formula_name_position(const struct formula *formula, size_t index);

/*
 * Gives the value of name number `index`; NaN: unknown. Called once per name and
 * evaluation; values are passed so that evaluation neither allocates nor looks up.
 * values has one number per name in the order of formula_name().
 */
double formula_eval(const struct formula *formula, const double *values);

#endif
