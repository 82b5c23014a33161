/*
 * Formulas are parsed by recursive descent into postfix code for a small stack:
 *
 *	whole    = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
 *	sum      = product { ( "+" | "-" ) product }
 *	product  = factor { ( "*" | "/" ) factor }
 *	factor   = "-" factor | number | name | "(" whole ")"
 *	         | function "(" whole { "," whole } ")"
 *
 * There are no jumps: both branches of an if() are computed and one is taken, which costs
 * less than it sounds, and what is unknown in the other one goes away with it.
 * How deep the stack gets is known when the code is made, so evaluation checks nothing.
 * Invariant: after any of the parse functions that met no fault the code leaves exactly one number
 * more.
 */
#include "model/formula.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

enum operation {
	PUSH_NUMBER, /* the two that push come first */
	PUSH_NAME,
	NEGATE,
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	LESS,
	LESS_OR_EQUAL,
	GREATER,
	GREATER_OR_EQUAL,
	EQUAL,
	UNEQUAL,
	SMALLER, /* of two */
	LARGER,
	CHOOSE /* the third number from the top says which of the other two */
};

struct instruction {
	enum operation operation;
	double number; /* PUSH_NUMBER */
	size_t index;  /* PUSH_NAME: of the name */
};

struct formula_name {
	char *text;      /* owned */
	size_t position; /* where it first occurs */
};

struct formula {
	struct instruction *code; /* owned */
	size_t code_count, code_capacity;
	struct formula_name *names; /* owned */
	size_t name_count, name_capacity;
};

enum {
	STACK_MAX = 128,
	NESTING_MAX = 64,
	NUMBER_BYTES_MAX = 40
};

/* Operators of one rank go from left to right; those of a higher one bind closer. */
enum rank {
	RANK_COMPARISON,
	RANK_SUM,
	RANK_PRODUCT,
	RANKS
};

struct infix {
	const char *text;
	enum rank rank;
	enum operation operation;
};

struct formula_function {
	const char *name;
	size_t arguments; /* the least number of them */
	bool takes_more;  /* then the operation is done once for each argument behind the first */
	enum operation operation;
};

/* clang-format off */
static const struct infix operators[] = {
	{"<=",           RANK_COMPARISON, LESS_OR_EQUAL}, /* before "<", which it begins with */
	{"<",            RANK_COMPARISON, LESS},
	{">=",           RANK_COMPARISON, GREATER_OR_EQUAL},
	{">",            RANK_COMPARISON, GREATER},
	{"==",           RANK_COMPARISON, EQUAL},
	{"!=",           RANK_COMPARISON, UNEQUAL},
	{"+",            RANK_SUM,        ADD},
	{"-",            RANK_SUM,        SUBTRACT},
	{"\xe2\x88\x92", RANK_SUM,        SUBTRACT}, /* U+2212 minus sign */
	{"*",            RANK_PRODUCT,    MULTIPLY},
	{"\xc3\x97",     RANK_PRODUCT,    MULTIPLY}, /* U+00D7 multiplication sign */
	{"/",            RANK_PRODUCT,    DIVIDE},
	{"\xc3\xb7",     RANK_PRODUCT,    DIVIDE}, /* U+00F7 division sign */
};

static const struct formula_function functions[] = {
	{.name = "min", .arguments = 2, .takes_more = true,  .operation = SMALLER},
	{.name = "max", .arguments = 2, .takes_more = true,  .operation = LARGER},
	{.name = "if",  .arguments = 3, .takes_more = false, .operation = CHOOSE},
};

/* clang-format on */

enum {
	OPERATORS = sizeof(operators) / sizeof(operators[0]),
	FUNCTIONS = sizeof(functions) / sizeof(functions[0])
};

/*
 * After the first fault the rest of the text is empty, so every parse function returns soon and
 * nothing more is emitted; only formula_create() looks whether there was one.
 */
struct parser {
	const char *start; /* of the text */
	const char *rest;  /* what comes next */
	int depth;         /* of the stack after the code so far */
	size_t nesting;
	struct formula *formula;
	bool has_failed;
	size_t *position; /* of the fault, for the caller */
	char *message;
};

static void parse_whole(struct parser *parser);
static void parse_factor(struct parser *parser);

static void fail_at(struct parser *parser, const char *where, const char *message)
{
	if (parser->has_failed)
		return;
	parser->has_failed = true;
	*parser->position = (size_t)(where - parser->start);
	snprintf(parser->message, FORMULA_ERROR_MAX, "%s", message);
	parser->rest = "";
}

static bool is_formula_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(char c)
{
	return begins_name(c) || is_formula_digit(c) || c == '.' || c == '%';
}

static char peek_formula(struct parser *parser)
{
	parser->rest += strspn(parser->rest, " \t");
	return *parser->rest;
}

static void expect(struct parser *parser, char wanted, const char *message)
{
	if (peek_formula(parser) == wanted)
		parser->rest++;
	else
		fail_at(parser, parser->rest, message);
}

static void emit_instruction(struct parser *parser, struct instruction instruction)
{
	struct formula *formula = parser->formula;

	if (instruction.operation <= PUSH_NAME)
		parser->depth++;
	else if (instruction.operation != NEGATE)
		parser->depth -= instruction.operation == CHOOSE ? 2 : 1;
	if (parser->depth > STACK_MAX)
		fail_at(parser, parser->rest, "the formula is nested too deeply");
	if (parser->has_failed)
		return;
	array_reserve(&formula->code, &formula->code_capacity, formula->code_count + 1,
		      sizeof(*formula->code));
	formula->code[formula->code_count++] = instruction;
}

static void emit_operation(struct parser *parser, enum operation operation)
{
	emit_instruction(parser, (struct instruction){.operation = operation});
}

static bool is_formula_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && memcmp(word, text, length) == 0;
}

static void emit_name(struct parser *parser, const char *name, size_t length)
{
	struct formula *formula = parser->formula;
	size_t index = 0;

	if (parser->has_failed)
		return;
	while (index < formula->name_count &&
	       !is_formula_word(formula->names[index].text, name, length))
		index++;
	if (index == formula->name_count) {
		array_reserve(&formula->names, &formula->name_capacity, formula->name_count + 1,
			      sizeof(*formula->names));
		formula->names[formula->name_count++] = (struct formula_name){
			xstrndup(name, length), (size_t)(name - parser->start)};
	}
	emit_instruction(parser, (struct instruction){.operation = PUSH_NAME, .index = index});
}

/* Bytes of the number at text: digits, at most one point, an exponent. */
static size_t formula_number_length(const char *text)
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

static void parse_formula_number(struct parser *parser)
{
	const char *start = parser->rest;
	const size_t length = formula_number_length(start);
	const char *end = start + length;
	const char suffix = *end;
	char digits[NUMBER_BYTES_MAX];
	double number = 0;

	snprintf(digits, sizeof(digits), "%.*s", (int)length, start);
	if (length >= sizeof(digits))
		fail_at(parser, start, "the number has too many digits");
	else if (!units_parse_double(digits, 0, DBL_MAX, &number))
		fail_at(parser, start, "this is not a number");
	if (suffix == 'k' || suffix == 'M' || suffix == 'G') {
		number *= suffix == 'k' ? 1e3 : suffix == 'M' ? 1e6 : 1e9;
		end++;
	}
	if (continues_name(*end))
		fail_at(parser, end, "a number ends in a digit, k, M or G");
	if (!parser->has_failed)
		parser->rest = end;
	emit_instruction(parser, (struct instruction){.operation = PUSH_NUMBER, .number = number});
}

static void parse_quoted_name(struct parser *parser)
{
	const char *name = parser->rest + 1;
	const char *end = strchr(name, '"');

	if (!end) {
		fail_at(parser, parser->rest, "the closing double quote is missing");
	} else if (end == name) {
		fail_at(parser, parser->rest, "a name is missing between the double quotes");
	} else {
		parser->rest = end + 1;
		emit_name(parser, name, (size_t)(end - name));
	}
}

/* Arguments and closing parenthesis; the opening one is next. */
static void parse_call(struct parser *parser, const char *name, size_t length)
{
	const struct formula_function *function = functions;
	const struct formula_function *end = functions + FUNCTIONS;

	while (function < end && !is_formula_word(function->name, name, length))
		function++;
	if (function == end) {
		fail_at(parser, name,
			"there is no function of this name; there are min, max and if");
		return;
	}
	parser->rest++;
	parse_whole(parser);
	for (size_t i = 1;
	     i < function->arguments || (function->takes_more && peek_formula(parser) == ',');
	     i++) {
		expect(parser, ',', "expected ',' and the next argument");
		parse_whole(parser);
		if (i + 1 >= function->arguments)
			emit_operation(parser, function->operation);
	}
	expect(parser, ')', "expected ')'");
}

/*
 * A name, or a function's. '-' belongs to it when it goes on behind that, and so do ':' and "::",
 * which no operator begins with.
 */
static void parse_name(struct parser *parser)
{
	const char *name = parser->rest;
	size_t length = 0, joint = 0;

	do {
		length += joint + 1;
		joint = name[length] == '-' ? 1 : strspn(name + length, ":");
	} while (joint <= 2 && continues_name(name[length + joint]));
	parser->rest += length;
	if (peek_formula(parser) == '(')
		parse_call(parser, name, length);
	else
		emit_name(parser, name, length);
}

/* The operator that comes next, if it is of this rank; NULL: another one, or none. */
static const struct infix *next_operator(struct parser *parser, enum rank rank)
{
	peek_formula(parser);
	for (size_t i = 0; i < OPERATORS; i++)
		if (operators[i].rank == rank &&
		    strncmp(parser->rest, operators[i].text, strlen(operators[i].text)) == 0)
			return &operators[i];
	return NULL;
}

/* Everything that can nest comes through here. */
static void parse_factor(struct parser *parser)
{
	const struct infix *sign = next_operator(parser, RANK_SUM);
	const char next = peek_formula(parser);

	if (++parser->nesting > NESTING_MAX) {
		fail_at(parser, parser->rest, "the formula is nested too deeply");
	} else if (sign && sign->operation == SUBTRACT) {
		parser->rest += strlen(sign->text);
		parse_factor(parser);
		emit_operation(parser, NEGATE);
	} else if (next == '(') {
		parser->rest++;
		parse_whole(parser);
		expect(parser, ')', "expected an operator or ')'");
	} else if (next == '"') {
		parse_quoted_name(parser);
	} else if (is_formula_digit(next) || (next == '.' && is_formula_digit(parser->rest[1]))) {
		parse_formula_number(parser);
	} else if (begins_name(next)) {
		parse_name(parser);
	} else {
		fail_at(parser, parser->rest, "expected a number, a name or '('");
	}
	parser->nesting--;
}

static void parse_rank(struct parser *parser, enum rank rank)
{
	const struct infix *next;

	if (rank == RANKS) {
		parse_factor(parser);
		return;
	}
	parse_rank(parser, rank + 1);
	while ((next = next_operator(parser, rank))) {
		parser->rest += strlen(next->text);
		parse_rank(parser, rank + 1);
		emit_operation(parser, next->operation);
		if (rank == RANK_COMPARISON && next_operator(parser, rank))
			fail_at(parser, parser->rest,
				"one comparison needs parentheses before another");
	}
}

static void parse_whole(struct parser *parser)
{
	parse_rank(parser, RANK_COMPARISON);
}

struct formula *formula_create(const char *text, size_t *position,
			       char message[static FORMULA_ERROR_MAX])
{
	struct formula *formula = xcalloc(1, sizeof(*formula));
	struct parser parser = {
		.start = text,
		.rest = text,
		.formula = formula,
		.position = position,
		.message = message,
	};

	parse_whole(&parser);
	if (peek_formula(&parser) != '\0')
		fail_at(&parser, parser.rest,
			*parser.rest == '=' ? "expected an operator; equal is =="
					    : "expected an operator");
	if (!parser.has_failed)
		return formula;
	formula_destroy(formula);
	return NULL;
}

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
static double apply_operation(enum operation operation, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;

	switch (operation) {
	case ADD:
		return a + b;
	case SUBTRACT:
		return a - b;
	case MULTIPLY:
		return a * b;
	case DIVIDE:
		return b != 0 ? a / b : NAN;
	case LESS:
		return a < b;
	case LESS_OR_EQUAL:
		return a <= b;
	case GREATER:
		return a > b;
	case GREATER_OR_EQUAL:
		return a >= b;
	case EQUAL:
		return a >= b && a <= b;
	case UNEQUAL:
		return a < b || a > b;
	case SMALLER:
		return a < b ? a : b;
	case LARGER:
		return a > b ? a : b;
	case PUSH_NUMBER:
	case PUSH_NAME:
	case NEGATE:
	case CHOOSE:
		break;
	}
	return NAN;
}

double formula_eval(const struct formula *formula, const double *values)
{
	double stack[STACK_MAX] = {NAN};
	double *next = stack; /* behind the uppermost */

	for (size_t i = 0; i < formula->code_count; i++) {
		const struct instruction *instruction = &formula->code[i];

		if (instruction->operation == PUSH_NUMBER) {
			*next++ = instruction->number;
		} else if (instruction->operation == PUSH_NAME) {
			*next++ = values[instruction->index];
		} else if (instruction->operation == NEGATE) {
			next[-1] = -next[-1];
		} else if (instruction->operation == CHOOSE) {
			next -= 2;
			if (!isnan(next[-1]))
				next[-1] = next[-1] < 0 || next[-1] > 0 ? next[0] : next[1];
		} else {
			next--;
			next[-1] = apply_operation(instruction->operation, next[-1], next[0]);
		}
	}
	return isfinite(stack[0]) ? stack[0] : NAN;
}
