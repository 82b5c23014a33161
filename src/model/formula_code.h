#ifndef PERFTOP_MODEL_FORMULA_CODE_H
#define PERFTOP_MODEL_FORMULA_CODE_H

/* What a formula becomes: for formula_parse.c, which makes it, and formula.c, which runs it. */

#include <stddef.h>

enum {
	FORMULA_STACK_MAX = 128
};

enum formula_operation {
	FORMULA_PUSH_NUMBER,
	FORMULA_PUSH_NAME,
	FORMULA_NEGATE,
	FORMULA_ADD,
	FORMULA_SUBTRACT,
	FORMULA_MULTIPLY,
	FORMULA_DIVIDE,
	FORMULA_LESS,
	FORMULA_LESS_OR_EQUAL,
	FORMULA_GREATER,
	FORMULA_GREATER_OR_EQUAL,
	FORMULA_EQUAL,
	FORMULA_UNEQUAL,
	FORMULA_SMALLER, /* of two */
	FORMULA_LARGER,
	FORMULA_CHOOSE /* the third number from the top says which of the other two */
};

struct formula_instruction {
	enum formula_operation operation;
	double number; /* FORMULA_PUSH_NUMBER */
	size_t index;  /* FORMULA_PUSH_NAME: of the name */
};

struct formula_name {
	char *text;      /* owned */
	size_t position; /* where it first occurs */
};

struct formula {
	struct formula_instruction *code; /* owned */
	size_t code_count, code_capacity;
	struct formula_name *names; /* owned */
	size_t name_count, name_capacity;
};

#endif
