/*
 * Numbers to text and back. A quantity is first rounded to an integer of its
 * last shown digit (123 for 1.23 or 12.3) and then written with integers only:
 * no locale has a say, and a number that needs one digit more when rounded (9.996)
 * is seen before it is written and gets one decimal less or the next unit.
 */
#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_MINUTE (60 * NS_PER_SECOND)
#define NS_PER_HOUR   (60 * NS_PER_MINUTE)
#define NS_PER_DAY    (24 * NS_PER_HOUR)

struct size_unit {
	const char *suffix;
	uint64_t size;  /* in the smallest unit */
	uint64_t limit; /* so many make one of the next unit */
};

static uint64_t power_of_ten(int exponent)
{
	uint64_t power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* Writes sign, scaled / 10^decimals and suffix; callers see that it fits into UNITS_TEXT_MAX. */
static void put_scaled(char *text, const char *sign, uint64_t scaled, int decimals,
		       const char *suffix)
{
	char reversed[24]; /* 20 digits of 64 bits and a point */
	size_t count = 0;

	for (int digit = 0; scaled > 0 || digit <= decimals; digit++) {
		if (digit > 0 && digit == decimals)
			reversed[count++] = '.';
		reversed[count++] = (char)('0' + scaled % 10);
		scaled /= 10;
	}
	text = stpcpy(text, sign);
	while (count > 0)
		*text++ = reversed[--count];
	stpcpy(text, suffix);
}

/* False when three digits do not hold the value, and the next suffix is due. */
static bool put_three_digits(char *text, const char *sign, double value, const char *suffix)
{
	for (int decimals = 2; decimals >= 0; decimals--) {
		double scaled = round(value * (double)power_of_ten(decimals));

		if (scaled < 1000) {
			put_scaled(text, sign, (uint64_t)scaled, decimals, suffix);
			return true;
		}
	}
	return false;
}

void units_format_si(char text[static UNITS_TEXT_MAX], double value)
{
	static const char suffixes[][2] = {"", "k", "M", "G", "T"};
	const char *sign = value < 0 ? "-" : "";
	const double size = fabs(value);
	double unit = 1;

	if (isnan(value) || size < 0.005) {
		const char *word = isnan(value) ? "nan" : size > 0 ? "<.01" : "0";

		snprintf(text, UNITS_TEXT_MAX, "%s%s", sign, word);
		return;
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (put_three_digits(text, sign, size / unit, suffixes[i]))
			return;
		unit *= 1000;
	}
	snprintf(text, UNITS_TEXT_MAX, "%s>999T", sign);
}

void units_format_fixed(char text[static UNITS_TEXT_MAX], double value, int decimals)
{
	assert(decimals >= 0 && decimals <= 9);
	double scaled = round(fabs(value) * (double)power_of_ten(decimals));

	/* Twelve digits fit. NaN compares false too and goes the same way. */
	if (!(scaled < 1e12)) {
		units_format_si(text, value);
		return;
	}
	put_scaled(text, value < 0 && scaled > 0 ? "-" : "", (uint64_t)scaled, decimals, "");
}

/* value / size * factor, rounded half up; no overflow while size * factor is below 2^63. */
static uint64_t scale(uint64_t value, uint64_t size, uint64_t factor)
{
	return value / size * factor + (value % size * factor + size / 2) / size;
}

/* False when the value, as it would be written, reaches the next unit. */
static bool put_duration(char *text, uint64_t ns, const struct size_unit *unit)
{
	int decimals = unit->size == 1 ? 0 : 2;

	for (; decimals >= 0; decimals--) {
		uint64_t factor = power_of_ten(decimals);
		uint64_t scaled = scale(ns, unit->size, factor);
		bool fits = decimals == 0 || scaled < 1000;

		if (fits && scaled < unit->limit * factor) {
			put_scaled(text, "", scaled, decimals, unit->suffix);
			return true;
		}
	}
	return false;
}

void units_format_duration(char text[static UNITS_TEXT_MAX], uint64_t ns)
{
	static const struct size_unit units[] = {
		{"ns", 1, 1000},
		{"us", 1000, 1000},
		{"ms", 1000000, 1000},
		{"s", NS_PER_SECOND, 60},
		{"m", NS_PER_MINUTE, 60},
		{"h", NS_PER_HOUR, 24},
		{"d", NS_PER_DAY, 1000000},
	};
	size_t i = 0;

	/* The last unit takes whatever 64 bits hold: 213504 days. */
	while (!put_duration(text, ns, &units[i]))
		i++;
}

void units_format_span(char text[static UNITS_TEXT_MAX], uint64_t ns)
{
	const uint64_t seconds = ns / NS_PER_SECOND + (ns % NS_PER_SECOND >= NS_PER_SECOND / 2);
	const unsigned int minute = (unsigned int)(seconds / 60 % 60);

	if (ns < NS_PER_MINUTE || ns >= 99 * NS_PER_HOUR)
		units_format_duration(text, ns);
	else if (seconds < 3600)
		snprintf(text, UNITS_TEXT_MAX, "%u min %u s", minute, (unsigned int)(seconds % 60));
	else
		snprintf(text, UNITS_TEXT_MAX, "%u h %u min", (unsigned int)(seconds / 3600 % 100),
			 minute);
}

void units_format_cpu_time(char text[static UNITS_TEXT_MAX], uint64_t ns)
{
	/* Cut, not rounded: time that was not used yet is not shown. */
	const uint64_t minutes = ns / NS_PER_MINUTE;
	const uint64_t hours = ns / NS_PER_HOUR;
	const uint64_t days = ns / NS_PER_DAY;

	if (minutes < 100)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 ":%02" PRIu64 ".%02" PRIu64, minutes,
			 ns / NS_PER_SECOND % 60, ns / (NS_PER_SECOND / 100) % 100);
	else if (hours < 100)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "h%02" PRIu64, hours, minutes % 60);
	else if (days < 10000)
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "d%02" PRIu64, days, hours % 24);
	else
		snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "d", days);
}

void units_format_bytes(char text[static UNITS_TEXT_MAX], uint64_t bytes)
{
	static const char suffixes[][2] = {"K", "M", "G", "T", "P", "E"};
	uint64_t size = 1024;
	size_t i = 0;

	if (bytes < 1024) {
		put_scaled(text, "", bytes, 0, "");
		return;
	}
	/* The last suffix takes whatever 64 bits hold: 16.0E. */
	while (i + 1 < sizeof(suffixes) / sizeof(suffixes[0]) && scale(bytes, size, 1) >= 1024) {
		size *= 1024;
		i++;
	}
	if (scale(bytes, size, 10) < 1000)
		put_scaled(text, "", scale(bytes, size, 10), 1, suffixes[i]);
	else
		put_scaled(text, "", scale(bytes, size, 1), 0, suffixes[i]);
}

void units_format_clock(char text[static UNITS_TEXT_MAX], int64_t wall_ns, int decimals)
{
	const time_t seconds = (time_t)(wall_ns / (int64_t)NS_PER_SECOND);
	char fraction[16];
	struct tm local;

	strcpy(text, "-");
	if (wall_ns < 0 || !localtime_r(&seconds, &local))
		return;
	snprintf(fraction, sizeof(fraction), ".%09d", (int)(wall_ns % (int64_t)NS_PER_SECOND));
	snprintf(text, UNITS_TEXT_MAX, "%02u:%02u:%02u%.*s", (unsigned int)local.tm_hour % 100,
		 (unsigned int)local.tm_min % 100, (unsigned int)local.tm_sec % 100,
		 decimals > 0 ? decimals + 1 : 0, fraction);
}

double units_pct(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : NAN;
}

const char *units_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

bool units_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t sum = 0;

	if (*text == '\0')
		return false;
	for (; *text; text++) {
		if (!text_is_digit(*text))
			return false;
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
			return false;
	}
	if (sum < min || sum > max)
		return false;
	*value = sum;
	return true;
}

static int digit_value(char c)
{
	if (text_is_digit(c))
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool units_parse_number(const char *text, uint64_t *number)
{
	unsigned int base = 10;
	uint64_t value = 0;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		unsigned int digit = (unsigned int)digit_value(*text);

		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return true;
}

static const char *skip_digits(const char *text)
{
	while (text_is_digit(*text))
		text++;
	return text;
}

/* [+-] digits [. digits] [e [+-] digits], with a digit before or behind the point. */
static bool is_decimal(const char *text)
{
	if (*text == '+' || *text == '-')
		text++;

	const char *whole = text;
	text = skip_digits(text);
	bool has_digits = text > whole;
	if (*text == '.') {
		const char *fraction = ++text;

		text = skip_digits(text);
		has_digits = has_digits || text > fraction;
	}
	if (!has_digits)
		return false;
	if (*text != 'e' && *text != 'E')
		return *text == '\0';
	text++;
	if (*text == '+' || *text == '-')
		text++;
	return text_is_digit(*text) && *skip_digits(text) == '\0';
}

bool units_parse_double(const char *text, double min, double max, double *value)
{
	if (!is_decimal(text))
		return false;

	locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c_locale)
		return false;
	double number = strtod_l(text, NULL, c_locale);
	freelocale(c_locale);
	if (!isfinite(number) || number < min || number > max)
		return false;
	*value = number;
	return true;
}
