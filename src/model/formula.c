/* The machine that a formula runs on, and the names that it asks for. */
#include "model/formula.h"

#include <math.h>
#include <stdlib.h>

#include "model/formula_code.h"

void formula_destroy(struct formula *formula)
{
	if (!formula)
		return;
	for (size_t i = 0; i < formula->name_count; i++)
		free(formula->names[i].text);
	free(formula->names);
	free(formula->code);
	free(formula);
}

const char *formula_name(const struct formula *formula, size_t index)
{
	return index < formula->name_count ? formula->names[index].text : NULL;
}

size_t formula_name_position(const struct formula *formula, size_t index)
{
	return formula->names[index].position;
}

/* Unknown in, unknown out; NaN compares as false, so it is asked for where that matters. */
static double apply(enum formula_operation operation, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;

	switch (operation) {
	case FORMULA_ADD:
		return a + b;
	case FORMULA_SUBTRACT:
		return a - b;
	case FORMULA_MULTIPLY:
		return a * b;
	case FORMULA_DIVIDE:
		return b != 0 ? a / b : NAN;
	case FORMULA_LESS:
		return a < b;
	case FORMULA_LESS_OR_EQUAL:
		return a <= b;
	case FORMULA_GREATER:
		return a > b;
	case FORMULA_GREATER_OR_EQUAL:
		return a >= b;
	case FORMULA_EQUAL:
		return a >= b && a <= b;
	case FORMULA_UNEQUAL:
		return a < b || a > b;
	case FORMULA_SMALLER:
		return a < b ? a : b;
	case FORMULA_LARGER:
		return a > b ? a : b;
	case FORMULA_PUSH_NUMBER:
	case FORMULA_PUSH_NAME:
	case FORMULA_NEGATE:
	case FORMULA_CHOOSE:
		break;
	}
	return NAN;
}

static double choose(const double *three)
{
	if (isnan(three[0]))
		return NAN;
	return three[0] < 0 || three[0] > 0 ? three[1] : three[2];
}

double formula_eval(const struct formula *formula, const double *values)
{
	double stack[FORMULA_STACK_MAX] = {NAN};
	size_t depth = 0;

	for (size_t i = 0; i < formula->code_count; i++) {
		const struct formula_instruction *instruction = &formula->code[i];

		if (instruction->operation == FORMULA_PUSH_NUMBER) {
			stack[depth++] = instruction->number;
		} else if (instruction->operation == FORMULA_PUSH_NAME) {
			stack[depth++] = values[instruction->index];
		} else if (instruction->operation == FORMULA_NEGATE) {
			stack[depth - 1] = -stack[depth - 1];
		} else if (instruction->operation == FORMULA_CHOOSE) {
			depth -= 2;
			stack[depth - 1] = choose(&stack[depth - 1]);
		} else {
			depth--;
			stack[depth - 1] =
				apply(instruction->operation, stack[depth - 1], stack[depth]);
		}
	}
	return isfinite(stack[0]) ? stack[0] : NAN;
}
