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

enum operation {
	PUSH_NUMBER,
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

struct function {
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

static const struct function functions[] = {
	{.name = "min", .arguments = 2, .takes_more = true,  .operation = SMALLER},
	{.name = "max", .arguments = 2, .takes_more = true,  .operation = LARGER},
	{.name = "if",  .arguments = 3, .takes_more = false, .operation = CHOOSE},
};

/* clang-format on */

enum {
	OPERATORS = sizeof(operators) / sizeof(operators[0]),
	FUNCTIONS = sizeof(functions) / sizeof(functions[0])
};

struct parser {
	const char *text;
	size_t at; /* byte offset of what comes next */
	int depth; /* of the stack after the code so far */
	size_t nesting;
	struct formula *formula;
	size_t *position; /* of the fault, for the caller */
	char *message;
};

static bool parse_whole(struct parser *parser);
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
	return begins_name(c) || is_digit(c) || c == '.' || c == '%';
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

/* By how much an operation makes the stack higher. */
static int growth_of(enum operation operation)
{
	if (operation == PUSH_NUMBER || operation == PUSH_NAME)
		return 1;
	if (operation == CHOOSE)
		return -2;
	return operation == NEGATE ? 0 : -1;
}

static bool emit(struct parser *parser, struct instruction instruction)
{
	struct formula *formula = parser->formula;

	parser->depth += growth_of(instruction.operation);
	if (parser->depth > STACK_MAX)
		return fail(parser, parser->at, "the formula is nested too deeply");
	array_reserve(&formula->code, &formula->code_capacity, formula->code_count + 1,
		      sizeof(*formula->code));
	formula->code[formula->code_count++] = instruction;
	return true;
}

static bool emit_operation(struct parser *parser, enum operation operation)
{
	return emit(parser, (struct instruction){.operation = operation});
}

static bool is_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && memcmp(word, text, length) == 0;
}

static bool emit_name(struct parser *parser, const char *name, size_t length)
{
	struct formula *formula = parser->formula;
	size_t index = 0;

	while (index < formula->name_count && !is_word(formula->names[index].text, name, length))
		index++;
	if (index == formula->name_count) {
		array_reserve(&formula->names, &formula->name_capacity, formula->name_count + 1,
			      sizeof(*formula->names));
		formula->names[formula->name_count++] = (struct formula_name){
			xstrndup(name, length), (size_t)(name - parser->text)};
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

	const char suffix = parser->text[parser->at];
	if (suffix == 'k' || suffix == 'M' || suffix == 'G') {
		number *= suffix == 'k' ? 1e3 : suffix == 'M' ? 1e6 : 1e9;
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

static const struct function *find_function(const char *name, size_t length)
{
	for (size_t i = 0; i < FUNCTIONS; i++)
		if (is_word(functions[i].name, name, length))
			return &functions[i];
	return NULL;
}

static bool parse_next_argument(struct parser *parser)
{
	return expect(parser, ',', "expected ',' and the next argument") && parse_whole(parser);
}

/* Arguments and closing parenthesis; the opening one is next. */
static bool parse_call(struct parser *parser, const char *name, size_t length)
{
	const struct function *function = find_function(name, length);

	if (!function)
		return fail(parser, (size_t)(name - parser->text),
			    "there is no function of this name; there are min, max and if");
	parser->at++;
	if (!parse_whole(parser))
		return false;
	for (size_t i = 1; i < function->arguments; i++)
		if (!parse_next_argument(parser))
			return false;
	if (!emit_operation(parser, function->operation))
		return false;
	while (function->takes_more && peek(parser) == ',')
		if (!parse_next_argument(parser) || !emit_operation(parser, function->operation))
			return false;
	return expect(parser, ')', "expected ')'");
}

/*
 * '-' belongs to a name when the name goes on behind it, and so do ':' and "::", which no
 * operator begins with.
 */
static size_t name_length(const char *text)
{
	size_t length = 1;

	for (;;) {
		size_t joint = text[length] == '-' ? 1 : strspn(text + length, ":");

		if (joint > 2 || !continues_name(text[length + joint]))
			return length;
		length += joint + 1;
	}
}

static bool parse_name(struct parser *parser)
{
	const char *start = parser->text + parser->at;
	const size_t length = name_length(start);

	parser->at += length;
	if (peek(parser) == '(')
		return parse_call(parser, start, length);
	return emit_name(parser, start, length);
}

/* The operator that comes next, which is to be of this rank; NULL: another one, or none. */
static const struct infix *next_operator(struct parser *parser, enum rank rank)
{
	skip_blanks(parser);
	for (size_t i = 0; i < OPERATORS; i++)
		if (operators[i].rank == rank &&
		    strncmp(parser->text + parser->at, operators[i].text,
			    strlen(operators[i].text)) == 0)
			return &operators[i];
	return NULL;
}

static bool is_minus(struct parser *parser)
{
	const struct infix *next = next_operator(parser, RANK_SUM);

	return next && next->operation == SUBTRACT;
}

static bool parse_operand(struct parser *parser)
{
	const char next = peek(parser);

	if (is_minus(parser)) {
		parser->at += strlen(next_operator(parser, RANK_SUM)->text);
		return parse_factor(parser) && emit_operation(parser, NEGATE);
	}
	if (next == '(') {
		parser->at++;
		return parse_whole(parser) && expect(parser, ')', "expected an operator or ')'");
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

static bool parse_rank(struct parser *parser, enum rank rank)
{
	const struct infix *next;

	if (rank == RANKS)
		return parse_factor(parser);
	if (!parse_rank(parser, rank + 1))
		return false;
	while ((next = next_operator(parser, rank))) {
		parser->at += strlen(next->text);
		if (!parse_rank(parser, rank + 1) || !emit_operation(parser, next->operation))
			return false;
		if (rank == RANK_COMPARISON && next_operator(parser, rank))
			return fail(parser, parser->at,
				    "one comparison needs parentheses before another");
	}
	return true;
}

static bool parse_whole(struct parser *parser)
{
	return parse_rank(parser, RANK_COMPARISON);
}

struct formula *formula_create(const char *text, size_t *position,
			       char message[static FORMULA_ERROR_MAX])
{
	struct formula *formula = xcalloc(1, sizeof(*formula));
	struct parser parser = {
		.text = text, .formula = formula, .position = position, .message = message};

	if (parse_whole(&parser)) {
		if (peek(&parser) == '\0')
			return formula;
		fail(&parser, parser.at,
		     peek(&parser) == '=' ? "expected an operator; equal is =="
					  : "expected an operator");
	}
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
static double apply(enum operation operation, double a, double b)
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

static double choose(const double *three)
{
	if (isnan(three[0]))
		return NAN;
	return three[0] < 0 || three[0] > 0 ? three[1] : three[2];
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
		} else if (instruction->operation == CHOOSE) {
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
