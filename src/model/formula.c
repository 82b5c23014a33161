/*
 * Formulas are parsed by recursive descent into postfix code for a small stack:
 *
 *	sum      = product { ("+" | "-") product }
 *	product  = factor { ("*" | "/") factor }
 *	factor   = "-" factor | number | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *
 * How deep the stack gets is known when the code is made, so evaluation checks nothing.
 * Invariant: after any of the parse functions the code leaves exactly one number more.
 */
#include "model/formula.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

enum {
	STACK_MAX = 128,
	NESTING_MAX = 64,
	NUMBER_BYTES_MAX = 40
};

enum operation {
	PUSH_NUMBER,
	PUSH_NAME,
	NEGATE,
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	CALL
};

struct instruction {
	enum operation operation;
	double number; /* PUSH_NUMBER */
	size_t index;  /* PUSH_NAME: of the name; CALL: of the function */
};

struct formula {
	struct instruction *code; /* owned */
	size_t code_count, code_capacity;
	char **names; /* owned */
	size_t name_count, name_capacity;
};

/* Functions of two numbers. Unknown in, unknown out. */
struct function {
	const char *name;
	double (*apply)(double a, double b);
};

struct parser {
	const char *text;
	size_t at;    /* byte offset of what comes next */
	size_t depth; /* of the stack after the code so far */
	size_t nesting;
	struct formula *formula;
	size_t *position; /* of the fault, for the caller */
	char *message;
};

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* clang-format off */
static const struct function functions[] = {
	{"min", smaller},
	{"max", larger},
};
/* clang-format on */

static bool parse_sum(struct parser *parser);
static bool parse_factor(struct parser *parser);

static bool fail(struct parser *parser, size_t position, const char *message)
{
	*parser->position = position;
	snprintf(parser->message, FORMULA_ERROR_MAX, "%s", message);
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(char c)
{
	return begins_name(c) || is_digit(c) || c == '.';
}

static void skip_blanks(struct parser *parser)
{
	while (parser->text[parser->at] == ' ' || parser->text[parser->at] == '\t')
		parser->at++;
}

static char peek(struct parser *parser)
{
	skip_blanks(parser);
	return parser->text[parser->at];
}

static bool emit(struct parser *parser, struct instruction instruction)
{
	struct formula *formula = parser->formula;

	switch (instruction.operation) {
	case PUSH_NUMBER:
	case PUSH_NAME:
		if (++parser->depth > STACK_MAX)
			return fail(parser, parser->at, "the formula is nested too deeply");
		break;
	case ADD:
	case SUBTRACT:
	case MULTIPLY:
	case DIVIDE:
	case CALL:
		parser->depth--;
		break;
	case NEGATE:
		break;
	}
	array_reserve(&formula->code, &formula->code_capacity, formula->code_count + 1,
		      sizeof(*formula->code));
	formula->code[formula->code_count++] = instruction;
	return true;
}

static bool emit_name(struct parser *parser, const char *name, size_t length)
{
	struct formula *formula = parser->formula;
	size_t index = 0;

	while (index < formula->name_count && (strlen(formula->names[index]) != length ||
					       memcmp(formula->names[index], name, length) != 0))
		index++;
	if (index == formula->name_count) {
		array_reserve(&formula->names, &formula->name_capacity, formula->name_count + 1,
			      sizeof(*formula->names));
		formula->names[formula->name_count++] = xstrndup(name, length);
	}
	return emit(parser, (struct instruction){.operation = PUSH_NAME, .index = index});
}

/* Bytes of the number at text: digits, at most one point, an exponent. */
static size_t number_length(const char *text)
{
	size_t length = strspn(text, "0123456789");

	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, "0123456789");
	if (text[length] == 'e' || text[length] == 'E') {
		size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
		size_t digits = strspn(text + length + 1 + sign, "0123456789");

		if (digits)
			length += 1 + sign + digits;
	}
	return length;
}

static double suffix_factor(char c)
{
	switch (c) {
	case 'k':
		return 1e3;
	case 'M':
		return 1e6;
	case 'G':
		return 1e9;
	default:
		return 0;
	}
}

static bool parse_number(struct parser *parser)
{
	const char *start = parser->text + parser->at;
	const size_t length = number_length(start);
	char digits[NUMBER_BYTES_MAX];
	double number;

	if (length >= sizeof(digits))
		return fail(parser, parser->at, "the number has too many digits");
	memcpy(digits, start, length);
	digits[length] = '\0';
	if (!units_parse_double(digits, 0, DBL_MAX, &number))
		return fail(parser, parser->at, "this is not a number");
	parser->at += length;

	const double factor = suffix_factor(parser->text[parser->at]);
	if (factor != 0) {
		number *= factor;
		parser->at++;
	}
	if (continues_name(parser->text[parser->at]))
		return fail(parser, parser->at, "a number ends in a digit, k, M or G");
	return emit(parser, (struct instruction){.operation = PUSH_NUMBER, .number = number});
}

static bool parse_quoted_name(struct parser *parser)
{
	const char *start = parser->text + parser->at + 1;
	const char *end = strchr(start, '"');

	if (!end)
		return fail(parser, parser->at, "the closing double quote is missing");
	if (end == start)
		return fail(parser, parser->at, "a name is missing between the double quotes");
	parser->at += (size_t)(end - start) + 2;
	return emit_name(parser, start, (size_t)(end - start));
}

static bool expect(struct parser *parser, char wanted, const char *message)
{
	if (peek(parser) != wanted)
		return fail(parser, parser->at, message);
	parser->at++;
	return true;
}

/* Arguments and closing parenthesis; the opening one is next. */
static bool parse_call(struct parser *parser, const char *name, size_t length)
{
	const size_t count = sizeof(functions) / sizeof(functions[0]);
	size_t index = 0;

	while (index < count && (strlen(functions[index].name) != length ||
				 memcmp(functions[index].name, name, length) != 0))
		index++;
	if (index == count)
		return fail(parser, (size_t)(name - parser->text),
			    "there is no function of this name; there are min and max");
	parser->at++;
	return parse_sum(parser) && expect(parser, ',', "expected ',' and the second argument") &&
	       parse_sum(parser) && expect(parser, ')', "expected ')'") &&
	       emit(parser, (struct instruction){.operation = CALL, .index = index});
}

static bool parse_name(struct parser *parser)
{
	const char *start = parser->text + parser->at;
	size_t length = 1;

	/* '-' belongs to a name when the name goes on behind it. */
	while (continues_name(start[length]) ||
	       (start[length] == '-' && continues_name(start[length + 1])))
		length++;
	parser->at += length;
	if (peek(parser) == '(')
		return parse_call(parser, start, length);
	return emit_name(parser, start, length);
}

static bool parse_operand(struct parser *parser)
{
	const char next = peek(parser);

	if (next == '-') {
		parser->at++;
		return parse_factor(parser) &&
		       emit(parser, (struct instruction){.operation = NEGATE});
	}
	if (next == '(') {
		parser->at++;
		return parse_sum(parser) && expect(parser, ')', "expected an operator or ')'");
	}
	if (next == '"')
		return parse_quoted_name(parser);
	if (is_digit(next) || (next == '.' && is_digit(parser->text[parser->at + 1])))
		return parse_number(parser);
	if (begins_name(next))
		return parse_name(parser);
	return fail(parser, parser->at, "expected a number, a name or '('");
}

/* Everything that can nest comes through here. */
static bool parse_factor(struct parser *parser)
{
	if (parser->nesting == NESTING_MAX)
		return fail(parser, parser->at, "the formula is nested too deeply");
	parser->nesting++;
	bool is_good = parse_operand(parser);
	parser->nesting--;
	return is_good;
}

static bool parse_product(struct parser *parser)
{
	if (!parse_factor(parser))
		return false;
	for (char next = peek(parser); next == '*' || next == '/'; next = peek(parser)) {
		parser->at++;
		if (!parse_factor(parser) ||
		    !emit(parser,
			  (struct instruction){.operation = next == '*' ? MULTIPLY : DIVIDE}))
			return false;
	}
	return true;
}

static bool parse_sum(struct parser *parser)
{
	if (!parse_product(parser))
		return false;
	for (char next = peek(parser); next == '+' || next == '-'; next = peek(parser)) {
		parser->at++;
		if (!parse_product(parser) ||
		    !emit(parser, (struct instruction){.operation = next == '+' ? ADD : SUBTRACT}))
			return false;
	}
	return true;
}

struct formula *formula_create(const char *text, size_t *position,
			       char message[static FORMULA_ERROR_MAX])
{
	struct formula *formula = xcalloc(1, sizeof(*formula));
	struct parser parser = {
		.text = text, .formula = formula, .position = position, .message = message};

	if (parse_sum(&parser)) {
		if (peek(&parser) == '\0')
			return formula;
		fail(&parser, parser.at, "expected an operator");
	}
	formula_destroy(formula);
	return NULL;
}

void formula_destroy(struct formula *formula)
{
	if (!formula)
		return;
	for (size_t i = 0; i < formula->name_count; i++)
		free(formula->names[i]);
	free(formula->names);
	free(formula->code);
	free(formula);
}

const char *formula_name(const struct formula *formula, size_t index)
{
	return index < formula->name_count ? formula->names[index] : NULL;
}

static double apply(const struct instruction *instruction, double a, double b)
{
	switch (instruction->operation) {
	case ADD:
		return a + b;
	case SUBTRACT:
		return a - b;
	case MULTIPLY:
		return a * b;
	case DIVIDE:
		return b != 0 ? a / b : NAN;
	case CALL:
		return isnan(a) || isnan(b) ? NAN : functions[instruction->index].apply(a, b);
	case PUSH_NUMBER:
	case PUSH_NAME:
	case NEGATE:
		break;
	}
	return NAN;
}

double formula_eval(const struct formula *formula, const double *values)
{
	double stack[STACK_MAX] = {NAN};
	size_t depth = 0;

	for (size_t i = 0; i < formula->code_count; i++) {
		const struct instruction *instruction = &formula->code[i];

		if (instruction->operation == PUSH_NUMBER) {
			stack[depth++] = instruction->number;
		} else if (instruction->operation == PUSH_NAME) {
			stack[depth++] = values[instruction->index];
		} else if (instruction->operation == NEGATE) {
			stack[depth - 1] = -stack[depth - 1];
		} else {
			depth--;
			stack[depth - 1] = apply(instruction, stack[depth - 1], stack[depth]);
		}
	}
	return isfinite(stack[0]) ? stack[0] : NAN;
}
