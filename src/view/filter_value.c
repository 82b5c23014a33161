/*
 * To the C library x{3} is xxx, and x+ is xx*, one within the other too; its work grows faster than
 * the length of that. And back references make it try all ways there are. So the length with all
 * repetitions written out is bounded, and there are no back references.
 *
 * While it matches, the library remembers each state that it comes into, and there may be as many
 * as characters; so after some of these it begins anew.
 */

#include <float.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/filter_term.h"

enum {
	LENGTH_MAX = 250,     /* written out, in characters and classes of them */
	STATES_MAX = 1 << 21, /* that are remembered, times the length */
	NESTING_MAX = 32,
	TEXT_MAX = 4096, /* bytes of a text that are matched */
	REASON_MAX = 128
};

struct filter_pattern {
	regex_t regex;
	char *text;    /* owned */
	size_t length; /* written out */
	size_t seen;   /* characters since it was made */
};

/* The state of reading a pattern. */
struct pattern_reader {
	const char *text;
	size_t at;
	size_t lengths[NESTING_MAX]; /* of the brackets that are open, written out so far */
	size_t depth;
	size_t last; /* length of what a repetition is about */
};

static void add_atom(struct pattern_reader *reader, size_t length)
{
	reader->lengths[reader->depth] += length;
	reader->last = length;
}

/* [^]a-z[:digit:]]; goes to its last character. */
static void skip_class(struct pattern_reader *reader)
{
	const char *text = reader->text;
	size_t at = reader->at + 1;

	at += text[at] == '^' ? 1 : 0;
	at += text[at] == ']' ? 1 : 0;
	while (text[at] != '\0' && text[at] != ']') {
		const char kind = text[at] == '[' ? text[at + 1] : '\0';
		const char end[] = {kind, ']', '\0'};
		const char *close = NULL;

		if (kind == ':' || kind == '.' || kind == '=')
			close = strstr(text + at + 2, end);
		at = close ? (size_t)(close - text) + 2 : at + 1;
	}
	reader->at = text[at] != '\0' ? at : at - 1;
}

/* How many copies {2}, {2,} or {2,5} is when written out; moves to its last character. */
static size_t take_bounds(struct pattern_reader *reader)
{
	const char *begin = reader->text + reader->at + 1;
	char *end;
	unsigned long times = strtoul(begin, &end, 10);

	if (*end == ',' && text_is_digit(end[1]))
		times = strtoul(end + 1, &end, 10);
	else if (*end == ',')
		times++;
	reader->at += strcspn(begin, "}");
	return times < LENGTH_MAX ? times : LENGTH_MAX + 1;
}

static void repeat(struct pattern_reader *reader, size_t times)
{
	const size_t more = times > 0 ? times - 1 : 0;

	reader->lengths[reader->depth] += reader->last * more;
	reader->last += reader->last * more;
}

static void open_bracket(struct pattern_reader *reader)
{
	if (reader->depth + 1 == NESTING_MAX) {
		add_atom(reader, LENGTH_MAX + 1);
		return;
	}
	reader->lengths[++reader->depth] = 0;
	reader->last = 0;
}

static void close_bracket(struct pattern_reader *reader)
{
	if (reader->depth > 0)
		add_atom(reader, reader->lengths[reader->depth--] + 1);
}

static void read_character(struct pattern_reader *reader)
{
	switch (reader->text[reader->at]) {
	case '\\':
		reader->at += reader->text[reader->at + 1] != '\0' ? 1 : 0;
		add_atom(reader, 1);
		break;
	case '[':
		skip_class(reader);
		add_atom(reader, 1);
		break;
	case '(':
		open_bracket(reader);
		break;
	case ')':
		close_bracket(reader);
		break;
	case '{':
		repeat(reader, take_bounds(reader));
		break;
	case '+':
		repeat(reader, 2);
		break;
	case '*':
	case '?':
		break;
	default:
		add_atom(reader, 1);
	}
}

/* What is too much in the pattern; NULL: nothing, and *length is its length written out. */
static const char *find_excess(const char *text, size_t *length)
{
	struct pattern_reader reader = {.text = text};

	for (; text[reader.at] != '\0'; reader.at++) {
		if (text[reader.at] == '\\' && text_is_digit(text[reader.at + 1]))
			return "back references are not known here";
		read_character(&reader);
		if (reader.lengths[reader.depth] > LENGTH_MAX)
			return "it is too long, its repetitions written out";
	}
	*length = 1;
	for (size_t i = 0; i <= reader.depth; i++)
		*length += reader.lengths[i];
	return NULL;
}

static int compile(regex_t *regex, const char *text)
{
	return regcomp(regex, text, REG_EXTENDED | REG_ICASE | REG_NOSUB);
}

struct filter_pattern *filter_pattern_create(const char *text, struct error *error)
{
	struct filter_pattern *pattern;
	size_t length;
	const char *excess = find_excess(text, &length);
	char reason[REASON_MAX];
	int result;

	if (excess) {
		error_set(error, ERROR_FILTER_PATTERN, text, excess);
		return NULL;
	}
	pattern = xcalloc(1, sizeof(*pattern));
	result = compile(&pattern->regex, text);
	if (result != 0) {
		regerror(result, &pattern->regex, reason, sizeof(reason));
		error_set(error, ERROR_FILTER_PATTERN, text, reason);
		free(pattern);
		return NULL;
	}
	pattern->text = xstrdup(text);
	pattern->length = length;
	return pattern;
}

void filter_pattern_destroy(struct filter_pattern *pattern)
{
	if (!pattern)
		return;
	regfree(&pattern->regex);
	free(pattern->text);
	free(pattern);
}

static void compile_anew(struct filter_pattern *pattern)
{
	regex_t regex;

	pattern->seen = 0;
	if (compile(&regex, pattern->text) != 0)
		return;
	regfree(&pattern->regex);
	pattern->regex = regex;
}

bool filter_pattern_matches(struct filter_pattern *pattern, const char *text)
{
	char begin[TEXT_MAX + 1];
	const size_t length = strnlen(text, TEXT_MAX);

	if (pattern->seen > STATES_MAX / pattern->length)
		compile_anew(pattern);
	pattern->seen += length;
	if (text[length] == '\0')
		return regexec(&pattern->regex, text, 0, NULL, 0) == 0;
	memcpy(begin, text, length);
	begin[length] = '\0';
	return regexec(&pattern->regex, begin, 0, NULL, 0) == 0;
}

/* Prefixes are SI, as on the screen: k is 1000. */

enum {
	DIGITS_MAX = 64
};

struct value_unit {
	const char *name;
	enum unit_kind {
		UNIT_NONE, /* times so much */
		UNIT_SHARE,
		UNIT_TIME /* so many ns */
	} kind;
	double factor;
};

/* clang-format off */
static const struct value_unit units[] = {
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

static const struct value_unit *unit_named(const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

/* Bytes of sign, digits, point and exponent; whether they are well-formed is seen later. */
static size_t numeral_length(const char *text)
{
	size_t length = *text == '-' || *text == '+' ? 1 : 0;
	size_t exponent;

	length += strspn(text + length, "0123456789.");
	if (text[length] != 'e' && text[length] != 'E')
		return length;
	exponent = text[length + 1] == '-' || text[length + 1] == '+' ? 2 : 1;
	exponent += strspn(text + length + exponent, "0123456789");
	return text_is_digit(text[length + exponent - 1]) ? length + exponent : length;
}

/* The unit of the column's numbers in ns; 0: they are no times. */
static double column_unit_ns(const struct column *column)
{
	const struct value_unit *unit = column->info ? unit_named(column->info->unit) : NULL;

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

static bool convert_unit(const struct value_unit *unit, const char *text,
			 const struct column *column, double *number, struct error *error)
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
	const size_t length = numeral_length(text);
	const struct value_unit *unit = unit_named(text + length);
	const size_t sign = *text == '+' ? 1 : 0;
	char digits[DIGITS_MAX];

	snprintf(digits, sizeof(digits), "%.*s", (int)(length - sign), text + sign);
	if (!unit || length >= sizeof(digits) ||
	    !units_parse_double(digits, -DBL_MAX, DBL_MAX, number))
		return error_set(error, ERROR_FILTER_NUMBER, text, column->name);
	return convert_unit(unit, text, column, number, error);
}
