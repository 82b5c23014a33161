#include <math.h>

#include "model/formula.h"

#include "unit.h"

/* Value of a formula whose names are worth 2, 3, 5 and 7 in the order of their appearance. */
static double value_of(const char *text)
{
	static const double values[] = {2, 3, 5, 7};
	char message[FORMULA_ERROR_MAX] = "";
	size_t position = 0;
	struct formula *formula = formula_create(text, &position, message);

	assert_non_null(formula);
	double value = formula_eval(formula, values);
	formula_destroy(formula);
	return value;
}

static const struct {
	const char *text;
	double value;
} VALUES[] = {
	/* products bind closer than sums */
	{"1 + 2 * 3", 7},
	{"2 * 3 + 1", 7},
	{"(1 + 2) * 3", 9},
	/* operators of one rank go from left to right */
	{"10 - 4 - 3", 3},
	{"100 / 10 / 5", 2},
	{"100 / 10 * 5", 50},
	/* numbers have fractions exponents and suffixes */
	{"1.5", 1.5},
	{"2e3", 2000},
	{"25e-1", 2.5},
	{"1k", 1e3},
	{"2.5M", 2.5e6},
	{"3G", 3e9},
	/* minus before an operand negates */
	{"-3 + 5", 2},
	{"2 * -3", -6},
	{"--3", 3},
	{"-(1 + 2)", -3},
	{"- a", -2},
	/* same name is one value */
	{"a / b + a", 2.0 / 3 + 2},
	/* minus beside a blank is an operator */
	{"a - b", -1},
	{"a -b", -1},
	{"a- b", -1},
	{"a-(b)", -1},
	{"3-2", 1},
	{"3k-2k", 1000},
	{"(a)-b", -1},
	/* signs of print are operators */
	{"6 \xc3\x97 7", 42},
	{"7\xc3\xb7"
	 "2",
	 3.5},
	{"a\xe2\x88\x92"
	 "b",
	 -1},
	{"\xe2\x88\x92"
	 "3",
	 -3},
	/* comparisons are one or zero */
	{"1 < 2", 1},
	{"2 < 2", 0},
	{"2 <= 2", 1},
	{"3 <= 2", 0},
	{"3 > 2", 1},
	{"2 > 2", 0},
	{"2 >= 2", 1},
	{"1 >= 2", 0},
	{"a == 2", 1},
	{"a == 3", 0},
	{"a != 3", 1},
	{"a != 2", 0},
	{"a<b", 1},
	/* comparisons bind loosest */
	{"1 + 1 < 2 * 2", 1},
	{"1 + (1 < 2) * 2", 3},
	{"(1 < 2) == (3 < 4)", 1},
	/* if takes one of two */
	{"if(1, a, b)", 2},
	{"if(0, a, b)", 3},
	{"if(-0.5, a, b)", 2},
	{"if(a < b, 10, 20) + 1", 11},
	{"if(1, if(0, 1, 2), 3)", 2},
	{"100 / if(1, 4, 0) / 5", 5},
	/* if knows no more than its condition and its branch */
	{"if(1, 7, 1 / 0)", 7},
	{"if(0, 1 / 0, 7)", 7},
	/* functions take their arguments */
	{"min(3, 2, 5)", 2},
	{"max(a, b, 1, 9, 4)", 9},
	{"min(5, 4, 3, 2 + 1, 4)", 3},
	/* functions take two arguments */
	{"min(3, 2)", 2},
	{"max(3, 2)", 3},
	{"max (a, b) * min(1, 10 / 2)", 3},
	{"min(1, min(0.5, 2)) + max(1, 2)", 2.5},
};

static const char *const UNKNOWN[] = {
	/* if knows no more than its condition and its branch */
	"if(1, 1 / 0, 7)",
	"if(0, 7, 1 / 0)",
	"if(1 / 0, 7, 7)",
	"if(1 / 0 < 2, 7, 7)",
	"if(1 / 0 != 2, 7, 7)",
	/* functions take their arguments */
	"min(1, 2, 1 / 0)",
	/* division by zero is unknown */
	"1 / 0",
	"0 / 0",
	"1 / (a - a)",
	"0 * (1 / 0)",
	/* unknown is contagious */
	"1 + 1 / 0",
	"min(1, 1 / 0)",
	"max(1 / 0, 1)",
	"-(1 / 0)",
	"1 / 0 < 1",
	"1 / 0 == 1 / 0",
	/* overflow is unknown */
	"1e308 * 10",
	"1e308G",
};

static const struct {
	const char *text, *names[2];
} NAMES[] = {
	/* same name is one value */
	{"a / b + a", {"a", "b"}},
	/* minus inside a name belongs to it */
	{"cache-misses", {"cache-misses", NULL}},
	{"100 * L1-dcache-load-misses / instructions", {"L1-dcache-load-misses", "instructions"}},
	/* quoted name may hold anything */
	{"\"skl::INST_RETIRED:ANY\" / \"cpu/event=0x3c, umask=0/\"",
	 {"skl::INST_RETIRED:ANY", "cpu/event=0x3c, umask=0/"}},
	{"\"a-b\" + a-b", {"a-b", NULL}},
	/* names of events may have colons */
	{"instructions:u / cycles:u", {"instructions:u", "cycles:u"}},
	{"skl::INST_RETIRED:ANY/skl::CPU_CLK", {"skl::INST_RETIRED:ANY", "skl::CPU_CLK"}},
	{"sched:sched_switch*2", {"sched:sched_switch", NULL}},
	{"mem:0x601040:w", {"mem:0x601040:w", NULL}},
	{"miss% > 3", {"miss%", NULL}},
	/* functions take two arguments */
	{"\"min\" + max", {"min", "max"}},
};

static const struct {
	const char *text;
	size_t position;
	const char *words;
} FAULTS[] = {
	/* names of events may have colons */
	{"a: b", 1, "an operator"},
	{"a:::b", 1, "an operator"},
	{":u", 0, "a number, a name"},
	/* signs of print are operators */
	{"6 \xc3\x98 7", 2, "an operator"},
	/* comparisons bind loosest */
	{"1 < 2 < 3", 6, "parentheses"},
	{"a = b", 2, "=="},
	{"a =< b", 2, "operator"},
	/* functions take their arguments */
	{"if(a, b)", 7, "next argument"},
	{"if(a, b, 1, 2)", 10, "')'"},
	{"if a", 3, "an operator"},
	/* fault is where an operand is missing */
	{"", 0, "a number, a name"},
	{"   ", 3, "a number, a name"},
	{"a +", 3, "a number, a name"},
	{"a + * b", 4, "a number, a name"},
	{"()", 1, "a number, a name"},
	{"a / $x", 4, "a number, a name"},
	/* fault is where an operator is missing */
	{"a b", 2, "an operator"},
	{"a)", 1, "an operator"},
	{"(a b)", 3, "')'"},
	{"(a", 2, "')'"},
	{"min(a)", 5, "','"},
	{"min(a, b", 8, "')'"},
	{"min(a, b c)", 9, "')'"},
	/* fault is at the name of an unknown function */
	{"1 + sqrt(a)", 4, "function"},
	{"1 + minimum(a, b)", 4, "function"},
	/* fault is where a malformed word is */
	{"1 + \"abc", 4, "closing double quote"},
	{"1 + \"\"", 4, "name is missing"},
	{"5x", 1, "k, M or G"},
	{"5kk", 2, "k, M or G"},
	{"1.2.3", 3, "k, M or G"},
	{"11111111111111111111111111111111111111111111111111", 0, "too many digits"},
};

UNIT_TEST(formula_eval_knows_the_value_or_that_it_is_unknown)
{
	for (size_t i = 0; i < COUNT_OF(VALUES); i++) {
		begin_case(VALUES[i].text);
		assert_true(fabs(value_of(VALUES[i].text) - VALUES[i].value) <=
			    1e-9 * (1 + fabs(VALUES[i].value)));
	}
	for (size_t i = 0; i < COUNT_OF(UNKNOWN); i++) {
		begin_case(UNKNOWN[i]);
		assert_true(isnan(value_of(UNKNOWN[i])));
	}
}

UNIT_TEST(formula_name_is_each_name_once)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;

	for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
		const char *const *names = NAMES[i].names;
		struct formula *formula = formula_create(NAMES[i].text, &position, message);

		begin_case(NAMES[i].text);
		assert_non_null(formula);
		assert_string_equal(formula_name(formula, 0), names[0]);
		if (names[1])
			assert_string_equal(formula_name(formula, 1), names[1]);
		assert_null(formula_name(formula, names[1] ? 2 : 1));
		formula_destroy(formula);
	}
}

UNIT_TEST(formula_create_says_where_a_fault_is)
{
	for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
		char message[FORMULA_ERROR_MAX] = "";
		size_t position = 9999;

		begin_case(FAULTS[i].text);
		assert_null(formula_create(FAULTS[i].text, &position, message));
		assert_int_equal(position, FAULTS[i].position);
		assert_non_null(strstr(message, FAULTS[i].words));
	}
}

UNIT_TEST(position_of_a_name_is_where_it_stands_first)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;
	struct formula *formula = formula_create("1 + abc / \"d e\" + abc", &position, message);

	assert_non_null(formula);
	assert_int_equal(formula_name_position(formula, 0), 4);
	assert_int_equal(formula_name_position(formula, 1), 11);
	formula_destroy(formula);
}

static void check_too_deep(const char *opening, size_t count)
{
	char text[1024] = "";
	char message[FORMULA_ERROR_MAX];
	size_t position;

	for (size_t i = 0; i < count; i++)
		strcat(text, opening);
	assert_null(formula_create(text, &position, message));
	assert_non_null(strstr(message, "too deeply"));
}

UNIT_TEST(depth_is_limited)
{
	check_too_deep("(", 300);
	check_too_deep("-", 300);
	check_too_deep("min(1,", 100);
	check_too_deep("1+2*min(3,", 50);
	check_too_deep("if(1,2,", 100);
}

UNIT_TEST(long_formula_needs_no_depth)
{
	char text[1024] = "0";

	for (size_t i = 0; i < 300; i++)
		strcat(text, "+1");

	assert_true(value_of(text) == 300);
}

UNIT_MAIN(NULL, NULL)
