/* Numbers as text: the borders where a rounding changes the digits or the unit, and the way back.
 */
#include <locale.h>
#include <math.h>
#include <time.h>

#include "base/units.h"

#include "unit.h"

#define SECOND UINT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

struct quantity {
	double value;
	const char *text;
};

struct span {
	uint64_t value;
	const char *text;
};

static void assert_si(double value, const char *expected)
{
	char text[UNITS_TEXT_MAX];

	units_format_si(text, value);

	assert_string_equal(text, expected);
}

static void assert_spans(void (*format)(char *, uint64_t), const struct span *spans, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[UNITS_TEXT_MAX];

		format(text, spans[i].value);
		assert_string_equal(text, spans[i].text);
	}
}

/* The value that a text of units_format_si() stands for. */
static double read_si(const char *text)
{
	static const char suffixes[] = "kMGT";
	char *end;
	double value = strtod(text, &end);

	if (*end != '\0') {
		const char *suffix = strchr(suffixes, *end);

		assert_non_null(suffix);
		value *= pow(1000, (double)(suffix - suffixes + 1));
		end++;
	}
	assert_int_equal(*end, '\0');
	return value;
}

/*
 * Each border in each unit, from just below to just above. Exact ties are left to
 * the test of order: in binary most of them (9.995) lie beside the tie.
 */
UNIT_TEST(units_format_si_rounding_borders_change_digits_or_unit)
{
	static const char *const units[] = {"", "k", "M", "G", "T"};
	const struct {
		double value;
		const char *digits;
		int up; /* the digits are of the next unit */
	} borders[] = {
		{1.0, "1.00", 0},     {9.994, "9.99", 0},   {9.99499, "9.99", 0},
		{9.99501, "10.0", 0}, {9.996, "10.0", 0},   {10.04, "10.0", 0},
		{10.06, "10.1", 0},   {99.94, "99.9", 0},   {99.9499, "99.9", 0},
		{99.9501, "100", 0},  {99.96, "100", 0},    {100.4, "100", 0},
		{100.6, "101", 0},    {999.4, "999", 0},    {999.499, "999", 0},
		{999.5, "1.00", 1},   {999.501, "1.00", 1}, {999.6, "1.00", 1},
		{999.999, "1.00", 1}, {1000, "1.00", 1},    {1004, "1.00", 1},
		{1006, "1.01", 1},
	};

	for (int unit = 0; unit < 5; unit++) {
		for (size_t i = 0; i < COUNT_OF(borders); i++) {
			char expected[UNITS_TEXT_MAX] = ">999T";

			if (unit + borders[i].up < 5) {
				strcpy(expected, borders[i].digits);
				strcat(expected, units[unit + borders[i].up]);
			}
			assert_si(borders[i].value * pow(1000, unit), expected);
		}
	}
}

UNIT_TEST(units_format_si_never_shows_a_larger_value_as_smaller)
{
	double last = 0;

	/* 0.01 to 999T in steps of about 1/20000, so that every digit changes one at a time. */
	for (double value = 0.01; value < 999.4e12; value += value / 20000) {
		char text[UNITS_TEXT_MAX];

		units_format_si(text, value);
		double shown = read_si(text);

		assert_in_range(strlen(text), 3, 5);
		assert_true(strncmp(text, "1000", 4) != 0);
		assert_true(shown >= last);
		assert_true(fabs(shown - value) <= fmax(0.005, value * 0.00501));
		last = shown;
	}
}

UNIT_TEST(units_format_si_neighbours_of_every_step_are_in_order)
{
	/* n + 1/2 of the last digit, and the doubles next to it on both sides. */
	for (int exponent = -2; exponent < 12; exponent++) {
		for (int n = exponent == -2 ? 1 : 100; n < 1000; n++) {
			double tie = (n + 0.5) * pow(10, exponent);
			const double values[] = {nextafter(tie, 0), tie, nextafter(tie, 1e300)};
			double last = 0;

			for (size_t i = 0; i < 3; i++) {
				char text[UNITS_TEXT_MAX];

				units_format_si(text, values[i]);
				assert_in_range(strlen(text), 3, 5);
				assert_true(read_si(text) >= last);
				last = read_si(text);
			}
		}
	}
}

UNIT_TEST(units_format_duration_examples_of_the_header)
{
	const struct span spans[] = {
		{412, "412ns"},           {15000, "15.0us"},       {3980000, "3.98ms"},
		{1020000000, "1.02s"},    {150 * SECOND, "2.50m"}, {HOUR * 31 / 10, "3.10h"},
		{DAY * 42 / 10, "4.20d"},
	};

	assert_spans(units_format_duration, spans, COUNT_OF(spans));
}

UNIT_TEST(units_format_span_has_no_decimal_minutes)
{
	static const struct span spans[] = {
		{412, "412ns"},
		{10 * SECOND, "10.0s"},
		{59 * SECOND, "59.0s"},
		{60 * SECOND, "1 min 0 s"},
		{91 * SECOND + 600000000, "1 min 32 s"},
		{3599 * SECOND, "59 min 59 s"},
		{2 * HOUR + 359 * SECOND, "2 h 5 min"},
		{3600 * SECOND - 1, "1 h 0 min"},
		{100 * HOUR, "4.17d"},
	};

	assert_spans(units_format_span, spans, COUNT_OF(spans));
}

UNIT_TEST(units_format_duration_borders_change_digits_or_unit)
{
	const struct span spans[] = {
		{0, "0ns"},
		{1, "1ns"},
		{999, "999ns"},
		{1000, "1.00us"},
		{9994, "9.99us"},
		{9995, "10.0us"},
		{99949, "99.9us"},
		{99950, "100us"},
		{999499, "999us"},
		{999500, "1.00ms"},
		{999499999, "999ms"},
		{999500000, "1.00s"},
		{9994999999, "9.99s"},
		{9995000000, "10.0s"},
		{59949999999, "59.9s"},
		{59950000000, "1.00m"},
		{MINUTE, "1.00m"},
		{HOUR - 3 * SECOND - 1, "59.9m"},
		{HOUR - 3 * SECOND, "1.00h"},
		{DAY - 3 * MINUTE - 1, "23.9h"},
		{DAY - 3 * MINUTE, "1.00d"},
		{1000 * DAY - DAY / 2 - 1, "999d"},
		{1000 * DAY - DAY / 2, "1000d"},
		{UINT64_MAX, "213504d"},
	};

	assert_spans(units_format_duration, spans, COUNT_OF(spans));
}

UNIT_TEST(units_format_duration_never_shows_a_longer_span_as_shorter)
{
	static const struct {
		const char *suffix;
		double ns;
	} units[] = {{"ns", 1},   {"us", 1e3},   {"ms", 1e6},   {"s", 1e9},
		     {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
	double last = 0;

	for (uint64_t ns = 1; ns < UINT64_MAX / 2; ns += ns / 20000 + 1) {
		char text[UNITS_TEXT_MAX];
		char *suffix;
		size_t i = 0;

		units_format_duration(text, ns);
		double shown = strtod(text, &suffix);
		while (strcmp(suffix, units[i].suffix) != 0)
			assert_true(++i < COUNT_OF(units));
		shown *= units[i].ns;
		assert_true(shown >= last * (1 - 1e-12));
		assert_true(fabs(shown - (double)ns) <= (double)ns * 0.00501);
		assert_in_range(strlen(text), 3, 7);
		last = shown;
	}
}

UNIT_TEST(units_format_cpu_time_is_written_as_top_does)
{
	const struct span spans[] = {
		{0, "0:00.00"},
		{9999999, "0:00.00"},
		{10000000, "0:00.01"},
		{SECOND - 1, "0:00.99"},
		{61 * SECOND + 50000000, "1:01.05"},
		{100 * MINUTE - 1, "99:59.99"},
		{100 * MINUTE, "1h40"},
		{100 * HOUR - 1, "99h59"},
		{100 * HOUR, "4d04"},
		{10000 * DAY - 1, "9999d23"},
		{10000 * DAY, "10000d"},
		{UINT64_MAX, "213503d"},
	};

	assert_spans(units_format_cpu_time, spans, COUNT_OF(spans));
}

UNIT_TEST(units_format_clock_cuts_and_has_a_dash_for_the_unknown)
{
	const int64_t noon_ns = INT64_C(1700049607) * 1000000000 + 999999999;
	char text[UNITS_TEXT_MAX];

	setenv("TZ", "UTC", 1);
	tzset();
	units_format_clock(text, noon_ns, 0);
	assert_string_equal(text, "12:00:07");
	units_format_clock(text, noon_ns, 1);
	assert_string_equal(text, "12:00:07.9");
	units_format_clock(text, noon_ns, 6);
	assert_string_equal(text, "12:00:07.999999");
	units_format_clock(text, -1, 6);
	assert_string_equal(text, "-");
}

UNIT_TEST(units_format_bytes_has_binary_prefixes)
{
	const struct span spans[] = {
		{0, "0"},
		{512, "512"},
		{1023, "1023"},
		{1024, "1.0K"},
		{4096, "4.0K"},
		{102348, "99.9K"},
		{102349, "100K"},
		{1048063, "1023K"},
		{1048064, "1.0M"},
		{8 << 20, "8.0M"},
		{UINT64_C(3) << 29, "1.5G"},
		{UINT64_C(5) << 40, "5.0T"},
		{UINT64_C(6) << 50, "6.0P"},
		{UINT64_C(7) << 60, "7.0E"},
		{UINT64_MAX, "16.0E"},
	};

	assert_spans(units_format_bytes, spans, COUNT_OF(spans));
}

UNIT_TEST(units_format_si_has_three_digits_and_a_unit)
{
	static const struct quantity cases[] = {
		{0, "0"},           {0.31, "0.31"},       {9.1, "9.10"},         {61.2, "61.2"},
		{340, "340"},       {1200, "1.20k"},      {18200, "18.2k"},      {123000, "123k"},
		{4.56e6, "4.56M"},  {7.89e9, "7.89G"},    {1.2e12, "1.20T"},     {0.004, "<.01"},
		{5e-324, "<.01"},   {0.00499999, "<.01"}, {0.005, "0.01"},       {0.0149, "0.01"},
		{0.994, "0.99"},    {0.996, "1.00"},      {999.4e12, "999T"},    {1e15, ">999T"},
		{1.7e308, ">999T"}, {INFINITY, ">999T"},  {-0.0, "0"},           {-0.001, "-<.01"},
		{-3, "-3.00"},      {-999.6, "-1.00k"},   {-INFINITY, "->999T"}, {NAN, "nan"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_si(cases[i].value, cases[i].text);
}

UNIT_TEST(units_format_fixed_shows_the_decimals_asked_for)
{
	static const struct {
		double value;
		int decimals;
		const char *text;
	} cases[] = {
		{61.2, 1, "61.2"},
		{0.31, 2, "0.31"},
		{0, 1, "0.0"},
		{100, 0, "100"},
		{0.000000031, 9, "0.000000031"},
		{7.05, 3, "7.050"},
		{99.94, 1, "99.9"},
		{99.96, 1, "100.0"},
		{0.049, 1, "0.0"},
		{0.051, 1, "0.1"},
		{2.5, 0, "3"},
		/* a minus only where digits are left */
		{-3.25, 2, "-3.25"},
		{-0.04, 1, "0.0"},
		/* too long: units */
		{999999999999.0, 0, "999999999999"},
		{1e12, 0, "1.00T"},
		{1e300, 2, ">999T"},
		{-999.999999999, 9, "-999.999999999"},
		{NAN, 1, "nan"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char text[UNITS_TEXT_MAX];

		units_format_fixed(text, cases[i].value, cases[i].decimals);
		assert_string_equal(text, cases[i].text);
	}
}

UNIT_TEST(units_parse_u64_reads_whole_numbers_between_limits)
{
	static const struct {
		const char *text;
		uint64_t least, most, value;
	} cases[] = {
		{"0", 0, 10, 0},
		{"0042", 0, 100, 42},
		{"18446744073709551615", 0, UINT64_MAX, UINT64_MAX},
		{"5", 5, 7, 5},
		{"7", 5, 7, 7},
	};
	static const char *const refused[] = {
		"",
		" ",
		"-1",
		"+1",
		"1 ",
		" 1",
		"1a",
		"a",
		"1.0",
		"0x1",
		"1e3",
		"1\n",
		"18446744073709551616",
		"99999999999999999999",
		"184467440737095516150",
	};
	uint64_t value;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_true(units_parse_u64(cases[i].text, cases[i].least, cases[i].most, &value));
		assert_true(value == cases[i].value);
	}
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		begin_case(refused[i]);
		value = 9;
		assert_false(units_parse_u64(refused[i], 0, UINT64_MAX, &value));
		assert_int_equal(value, 9);
	}
	assert_false(units_parse_u64("4", 5, 7, &value));
	assert_false(units_parse_u64("8", 5, 7, &value));
}

UNIT_TEST(units_parse_double_reads_decimal_numbers_between_limits)
{
	static const struct quantity cases[] = {
		{2, "2"},  {0.5, "0.5"},   {0.5, ".5"},   {5, "5."},     {-1.25, "-1.25"},
		{3, "+3"}, {1e-3, "1e-3"}, {1000, "1E3"}, {1e3, "1e+3"}, {0, "-0"},
	};
	static const char *const refused[] = {
		"",      " ",    ".",    "-",        "+",     "e",     "e5",     ".e5", "1e", "1e+",
		"nan",   "inf",  "-inf", "infinity", "NAN",   "0x1p3", "0x10",   "1,5", "1 ", " 1",
		"1.2.3", "1e5x", "--1",  "+-1",      "1e5.5", "1e999", "-1e999", "1s",
	};
	static const char *const outside[] = {"0.09", "10.01", "1e30"};
	double value = 7;

	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		begin_case(refused[i]);
		assert_false(units_parse_double(refused[i], -INFINITY, INFINITY, &value));
		assert_true(value == 7);
	}
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].text);
		assert_true(units_parse_double(cases[i].text, -1e9, 1e9, &value));
		assert_true(value == cases[i].value);
	}
	assert_true(units_parse_double("0.1", 0.1, 10, &value));
	assert_true(units_parse_double("10", 0.1, 10, &value));
	for (size_t i = 0; i < COUNT_OF(outside); i++)
		assert_false(units_parse_double(outside[i], 0.1, 10, &value));
}

UNIT_TEST(units_of_a_locale_with_a_decimal_comma_keep_the_point)
{
	char text[UNITS_TEXT_MAX];
	double value = 0;

	/* Most build machines have no such locale; then there is nothing to try. */
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		skip();
	units_format_si(text, 1.5);
	bool parsed = units_parse_double("2.5", 0, 10, &value);
	bool comma_parsed = units_parse_double("2,5", 0, 10, &value);
	setlocale(LC_NUMERIC, "C");

	assert_string_equal(text, "1.50");
	assert_true(parsed);
	assert_false(comma_parsed);
	assert_true(value == 2.5);
}

UNIT_TEST(units_parse_number_is_decimal_or_hexadecimal)
{
	static const struct {
		const char *text;
		uint64_t number;
	} good[] = {{"0", 0},
		    {"010", 10},
		    {"0x1F", 31},
		    {"18446744073709551615", UINT64_MAX},
		    {"0xffffffffffffffff", UINT64_MAX}};
	static const char *const bad[] = {"",    "0x", "1f",
					  "-1",  "1 ", "18446744073709551616",
					  "0xg", "+1", "0x10000000000000000"};

	for (size_t i = 0; i < COUNT_OF(good); i++) {
		uint64_t number;

		assert_true(units_parse_number(good[i].text, &number));
		assert_int_equal(number, good[i].number);
	}
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		uint64_t number;

		assert_false(units_parse_number(bad[i], &number));
	}
}

UNIT_MAIN(NULL, NULL)
