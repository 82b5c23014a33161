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

static void check_value(const char *text, double expected)
{
	assert_true(fabs(value_of(text) - expected) <= 1e-9 * (1 + fabs(expected)));
}

static void check_unknown(const char *text)
{
	assert_true(isnan(value_of(text)));
}

static void check_fault(const char *text, size_t expected, const char *words)
{
	char message[FORMULA_ERROR_MAX] = "";
	size_t position = 9999;

	assert_null(formula_create(text, &position, message));
	assert_int_equal(position, expected);
	assert_non_null(strstr(message, words));
}

static void check_names(const char *text, const char *first, const char *second)
{
	char message[FORMULA_ERROR_MAX];
	size_t position;
	struct formula *formula = formula_create(text, &position, message);

	assert_non_null(formula);
	assert_string_equal(formula_name(formula, 0), first);
	if (second)
		assert_string_equal(formula_name(formula, 1), second);
	assert_null(formula_name(formula, second ? 2 : 1));
	formula_destroy(formula);
}

UNIT_TEST(products_bind_closer_than_sums)
{
	check_value("1 + 2 * 3", 7);
	check_value("2 * 3 + 1", 7);
	check_value("(1 + 2) * 3", 9);
}

UNIT_TEST(operators_of_one_rank_go_from_left_to_right)
{
	check_value("10 - 4 - 3", 3);
	check_value("100 / 10 / 5", 2);
	check_value("100 / 10 * 5", 50);
}

UNIT_TEST(numbers_have_fractions_exponents_and_suffixes)
{
	check_value("1.5", 1.5);
	check_value("2e3", 2000);
	check_value("25e-1", 2.5);
	check_value("1k", 1e3);
	check_value("2.5M", 2.5e6);
	check_value("3G", 3e9);
}

UNIT_TEST(minus_before_an_operand_negates)
{
	check_value("-3 + 5", 2);
	check_value("2 * -3", -6);
	check_value("--3", 3);
	check_value("-(1 + 2)", -3);
	check_value("- a", -2);
}

UNIT_TEST(same_name_is_one_value)
{
	check_value("a / b + a", 2.0 / 3 + 2);
	check_names("a / b + a", "a", "b");
}

UNIT_TEST(minus_inside_a_name_belongs_to_it)
{
	check_names("cache-misses", "cache-misses", NULL);
	check_names("100 * L1-dcache-load-misses / instructions", "L1-dcache-load-misses",
		    "instructions");
}

UNIT_TEST(minus_beside_a_blank_is_an_operator)
{
	check_value("a - b", -1);
	check_value("a -b", -1);
	check_value("a- b", -1);
	check_value("a-(b)", -1);
	check_value("3-2", 1);
	check_value("3k-2k", 1000);
	check_value("(a)-b", -1);
}

UNIT_TEST(quoted_name_may_hold_anything)
{
	check_names("\"skl::INST_RETIRED:ANY\" / \"cpu/event=0x3c, umask=0/\"",
		    "skl::INST_RETIRED:ANY", "cpu/event=0x3c, umask=0/");
	check_names("\"a-b\" + a-b", "a-b", NULL);
}

UNIT_TEST(names_of_events_may_have_colons)
{
	check_names("instructions:u / cycles:u", "instructions:u", "cycles:u");
	check_names("skl::INST_RETIRED:ANY/skl::CPU_CLK", "skl::INST_RETIRED:ANY", "skl::CPU_CLK");
	check_names("sched:sched_switch*2", "sched:sched_switch", NULL);
	check_names("mem:0x601040:w", "mem:0x601040:w", NULL);
	check_names("miss% > 3", "miss%", NULL);
	check_fault("a: b", 1, "an operator");
	check_fault("a:::b", 1, "an operator");
	check_fault(":u", 0, "a number, a name");
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

UNIT_TEST(signs_of_print_are_operators)
{
	check_value("6 \xc3\x97 7", 42);
	check_value("7\xc3\xb7"
		    "2",
		    3.5);
	check_value("a\xe2\x88\x92"
		    "b",
		    -1);
	check_value("\xe2\x88\x92"
		    "3",
		    -3);
	check_fault("6 \xc3\x98 7", 2, "an operator");
}

UNIT_TEST(comparisons_are_one_or_zero)
{
	check_value("1 < 2", 1);
	check_value("2 < 2", 0);
	check_value("2 <= 2", 1);
	check_value("3 <= 2", 0);
	check_value("3 > 2", 1);
	check_value("2 > 2", 0);
	check_value("2 >= 2", 1);
	check_value("1 >= 2", 0);
	check_value("a == 2", 1);
	check_value("a == 3", 0);
	check_value("a != 3", 1);
	check_value("a != 2", 0);
	check_value("a<b", 1);
}

UNIT_TEST(comparisons_bind_loosest)
{
	check_value("1 + 1 < 2 * 2", 1);
	check_value("1 + (1 < 2) * 2", 3);
	check_value("(1 < 2) == (3 < 4)", 1);
	check_fault("1 < 2 < 3", 6, "parentheses");
	check_fault("a = b", 2, "==");
	check_fault("a =< b", 2, "operator");
}

UNIT_TEST(if_takes_one_of_two)
{
	check_value("if(1, a, b)", 2);
	check_value("if(0, a, b)", 3);
	check_value("if(-0.5, a, b)", 2);
	check_value("if(a < b, 10, 20) + 1", 11);
	check_value("if(1, if(0, 1, 2), 3)", 2);
	check_value("100 / if(1, 4, 0) / 5", 5);
}

UNIT_TEST(if_knows_no_more_than_its_condition_and_its_branch)
{
	check_value("if(1, 7, 1 / 0)", 7);
	check_value("if(0, 1 / 0, 7)", 7);
	check_unknown("if(1, 1 / 0, 7)");
	check_unknown("if(0, 7, 1 / 0)");
	check_unknown("if(1 / 0, 7, 7)");
	check_unknown("if(1 / 0 < 2, 7, 7)");
	check_unknown("if(1 / 0 != 2, 7, 7)");
}

UNIT_TEST(functions_take_their_arguments)
{
	check_value("min(3, 2, 5)", 2);
	check_value("max(a, b, 1, 9, 4)", 9);
	check_value("min(5, 4, 3, 2 + 1, 4)", 3);
	check_unknown("min(1, 2, 1 / 0)");
	check_fault("if(a, b)", 7, "next argument");
	check_fault("if(a, b, 1, 2)", 10, "')'");
	check_fault("if a", 3, "an operator");
}

UNIT_TEST(functions_take_two_arguments)
{
	check_value("min(3, 2)", 2);
	check_value("max(3, 2)", 3);
	check_value("max (a, b) * min(1, 10 / 2)", 3);
	check_value("min(1, min(0.5, 2)) + max(1, 2)", 2.5);
	check_names("\"min\" + max", "min", "max");
}

UNIT_TEST(division_by_zero_is_unknown)
{
	check_unknown("1 / 0");
	check_unknown("0 / 0");
	check_unknown("1 / (a - a)");
	check_unknown("0 * (1 / 0)");
}

UNIT_TEST(unknown_is_contagious)
{
	check_unknown("1 + 1 / 0");
	check_unknown("min(1, 1 / 0)");
	check_unknown("max(1 / 0, 1)");
	check_unknown("-(1 / 0)");
	check_unknown("1 / 0 < 1");
	check_unknown("1 / 0 == 1 / 0");
}

UNIT_TEST(overflow_is_unknown)
{
	check_unknown("1e308 * 10");
	check_unknown("1e308G");
}

UNIT_TEST(fault_is_where_an_operand_is_missing)
{
	check_fault("", 0, "a number, a name");
	check_fault("   ", 3, "a number, a name");
	check_fault("a +", 3, "a number, a name");
	check_fault("a + * b", 4, "a number, a name");
	check_fault("()", 1, "a number, a name");
	check_fault("a / $x", 4, "a number, a name");
}

UNIT_TEST(fault_is_where_an_operator_is_missing)
{
	check_fault("a b", 2, "an operator");
	check_fault("a)", 1, "an operator");
	check_fault("(a b)", 3, "')'");
	check_fault("(a", 2, "')'");
	check_fault("min(a)", 5, "','");
	check_fault("min(a, b", 8, "')'");
	check_fault("min(a, b c)", 9, "')'");
}

UNIT_TEST(fault_is_at_the_name_of_an_unknown_function)
{
	check_fault("1 + sqrt(a)", 4, "function");
	check_fault("1 + minimum(a, b)", 4, "function");
}

UNIT_TEST(fault_is_where_a_malformed_word_is)
{
	check_fault("1 + \"abc", 4, "closing double quote");
	check_fault("1 + \"\"", 4, "name is missing");
	check_fault("5x", 1, "k, M or G");
	check_fault("5kk", 2, "k, M or G");
	check_fault("1.2.3", 3, "k, M or G");
	check_fault("11111111111111111111111111111111111111111111111111", 0, "too many digits");
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

	check_value(text, 300);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
