/* Prefixes are those of SI, as in all that is shown: k is 1000. */

#include "view/filter_number.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "model/metric_set.h"
#include "view/column.h"

enum {
	DIGITS_MAX = 64
};

struct unit {
	const char *name;
	enum unit_kind {
		UNIT_NONE, /* times so much */
		UNIT_SHARE,
		UNIT_TIME /* so many ns */
	} kind;
	double factor;
};

/* clang-format off */
static const struct unit units[] = {
	{"",        UNIT_NONE,  1},
	{"k",       UNIT_NONE,  1e3},
	{"K",       UNIT_NONE,  1e3},
	{"M",       UNIT_NONE,  1e6},
	{"G",       UNIT_NONE,  1e9},
	{"T",       UNIT_NONE,  1e12},
	{"%",       UNIT_SHARE, 1},
	{"ns",      UNIT_TIME,  1},
	{"us",      UNIT_TIME,  1e3},
	{"\xc2\xb5s", UNIT_TIME, 1e3}, /* U+00B5 micro sign */
	{"\xce\xbcs", UNIT_TIME, 1e3}, /* U+03BC mu */
	{"ms",      UNIT_TIME,  1e6},
	{"s",       UNIT_TIME,  1e9},
	{"m",       UNIT_TIME,  60e9},
	{"h",       UNIT_TIME,  3600e9},
	{"d",       UNIT_TIME,  86400e9},
};
/* clang-format on */

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes of sign, digits, point and exponent; whether they are well-formed is seen later. */
static size_t number_length(const char *text)
{
	size_t length = *text == '-' || *text == '+' ? 1 : 0;
	size_t exponent;

	length += strspn(text + length, "0123456789.");
	if (text[length] != 'e' && text[length] != 'E')
		return length;
	exponent = text[length + 1] == '-' || text[length + 1] == '+' ? 2 : 1;
	exponent += strspn(text + length + exponent, "0123456789");
	return is_digit(text[length + exponent - 1]) ? length + exponent : length;
}

/* What the column's numbers are in, in ns; 0: they are no times. */
static double column_unit_ns(const struct column *column)
{
	const struct unit *unit = column->info ? find_unit(column->info->unit) : NULL;

	if (column->format == COLUMN_DURATION)
		return 1e3;
	if (column->format == COLUMN_CPU_TIME)
		return 1;
	return unit && unit->kind == UNIT_TIME ? unit->factor : 0;
}

static bool is_share(const struct column *column)
{
	if (column->info)
		return strcmp(column->info->unit, "%") == 0;
	return column->format == COLUMN_BAR || strchr(column->title, '%');
}

static bool convert(const struct unit *unit, const char *text, const struct column *column,
		    double *number, struct error *error)
{
	switch (unit->kind) {
	case UNIT_NONE:
		*number *= unit->factor;
		return true;
	case UNIT_SHARE:
		return is_share(column) ||
		       error_set(error, ERROR_FILTER_NOT_SHARE, text, column->name);
	case UNIT_TIME:
		if (column_unit_ns(column) <= 0)
			return error_set(error, ERROR_FILTER_NOT_TIME, text, column->name);
		*number *= unit->factor / column_unit_ns(column);
		return true;
	}
	return false;
}

bool filter_number_parse(const char *text, const struct column *column, double *number,
			 struct error *error)
{
	const size_t length = number_length(text);
	const struct unit *unit = find_unit(text + length);
	const size_t sign = *text == '+' ? 1 : 0;
	char digits[DIGITS_MAX];

	snprintf(digits, sizeof(digits), "%.*s", (int)(length - sign), text + sign);
	if (!unit || length >= sizeof(digits) ||
	    !units_parse_double(digits, -DBL_MAX, DBL_MAX, number))
		return error_set(error, ERROR_FILTER_NUMBER, text, column->name);
	return convert(unit, text, column, number, error);
}
