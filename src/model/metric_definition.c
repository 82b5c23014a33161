/*
 * Reads NAME = FORMULA [; CLAUSE...] from left to right. A clause is a word of the table and what
 * it takes: the text up to the next ';' that is in no quotes.
 */
#include "model/metric_definition.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

enum {
	WORD_MAX = 32 /* bytes of a word in a clause, NUL included */
};

/* A piece of the definition. */
struct span {
	const char *start;
	size_t length;
};

struct clause {
	const char *word;
	bool (*take)(struct metric_reader *reader, struct metric *metric, struct span text);
};

bool metric_reader_fail(struct metric_reader *reader, size_t position, const char *format, ...)
{
	va_list arguments;

	*reader->position = position;
	va_start(arguments, format);
	vsnprintf(reader->message, FORMULA_ERROR_MAX, format, arguments);
	va_end(arguments);
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char peek(struct metric_reader *reader)
{
	while (is_blank(reader->text[reader->at]))
		reader->at++;
	return reader->text[reader->at];
}

static bool is_text(struct metric_reader *reader)
{
	for (size_t i = 0; reader->text[i]; i++) {
		const unsigned char c = (unsigned char)reader->text[i];

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return metric_reader_fail(reader, i,
						  "a control character has no place in a metric");
	}
	return true;
}

static void keep(struct metric *metric, enum metric_text text, struct span span)
{
	free(metric->texts[text]);
	metric->texts[text] = xstrndup(span.start, span.length);
}

static bool is_small_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool read_name(struct metric_reader *reader, struct metric *metric)
{
	const bool is_good = is_small_letter(peek(reader));
	const char *start = reader->text + reader->at;
	const size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyz0123456789_%/.-");

	metric->name_at = reader->at;
	if (!is_good)
		return metric_reader_fail(
			reader, reader->at,
			"expected a name: a small letter, then small letters, digits and "
			"_ %% / . -");
	if (length >= METRIC_NAME_MAX)
		return metric_reader_fail(reader, reader->at, "a name has %d characters at most",
					  METRIC_NAME_MAX - 1);
	keep(metric, METRIC_TEXT_NAME, (struct span){start, length});
	keep(metric, METRIC_TEXT_TITLE, (struct span){start, length});
	for (char *c = metric->texts[METRIC_TEXT_TITLE]; *c; c++)
		if (is_small_letter(*c))
			*c = (char)(*c - 'a' + 'A');
	reader->at += length;
	return true;
}

/* From here to the next ';' that is in no quotes, without the blanks around it. */
static struct span read_span(struct metric_reader *reader)
{
	struct span span;
	bool is_quoted = false;

	peek(reader);
	span.start = reader->text + reader->at;
	for (; reader->text[reader->at]; reader->at++) {
		if (reader->text[reader->at] == '"')
			is_quoted = !is_quoted;
		if (reader->text[reader->at] == ';' && !is_quoted)
			break;
	}
	span.length = (size_t)(reader->text + reader->at - span.start);
	while (span.length > 0 && is_blank(span.start[span.length - 1]))
		span.length--;
	return span;
}

static bool read_formula(struct metric_reader *reader, struct metric *metric)
{
	struct span span;
	size_t position = 0;

	if (peek(reader) != '=')
		return metric_reader_fail(reader, reader->at, "expected '=' and a formula");
	reader->at++;
	span = read_span(reader);
	metric->formula_at = (size_t)(span.start - reader->text);
	keep(metric, METRIC_TEXT_FORMULA, span);
	metric->formula =
		formula_create(metric->texts[METRIC_TEXT_FORMULA], &position, reader->message);
	if (!metric->formula) {
		*reader->position = metric->formula_at + position;
		return false;
	}
	if (!formula_name(metric->formula, METRIC_NAMES_MAX))
		return true;
	return metric_reader_fail(reader,
				  metric->formula_at +
					  formula_name_position(metric->formula, METRIC_NAMES_MAX),
				  "a formula has %d names at most", METRIC_NAMES_MAX);
}

static bool take_unit(struct metric_reader *reader, struct metric *metric, struct span text)
{
	keep(metric, METRIC_TEXT_UNIT, text);
	return true;
}

static bool take_help(struct metric_reader *reader, struct metric *metric, struct span text)
{
	keep(metric, METRIC_TEXT_HELP, text);
	return true;
}

/* The next word of a text, which is cut off it; one that is too long is none. */
static bool next_word(struct span *text, char word[static WORD_MAX])
{
	size_t length = 0;

	while (text->length > 0 && is_blank(*text->start)) {
		text->start++;
		text->length--;
	}
	while (length < text->length && !is_blank(text->start[length]))
		length++;
	if (length == 0 || length >= WORD_MAX)
		return false;
	memcpy(word, text->start, length);
	word[length] = '\0';
	text->start += length;
	text->length -= length;
	return true;
}

static bool take_width(struct metric_reader *reader, struct metric *metric, struct span text)
{
	const size_t position = (size_t)(text.start - reader->text);
	char word[WORD_MAX];
	uint64_t width;

	if (!next_word(&text, word) || text.length > 0 ||
	    !units_parse_u64(word, 1, METRIC_WIDTH_MAX, &width))
		return metric_reader_fail(reader, position,
					  "a width is a whole number from 1 to %d",
					  METRIC_WIDTH_MAX);
	metric->info.width = (int)width;
	return true;
}

/* The borders of the scale, which may be left out. */
static bool take_steps(struct metric_reader *reader, struct metric *metric, struct span text)
{
	double *steps = metric->info.steps;
	char word[WORD_MAX];

	for (size_t i = 0; i < METRIC_STEPS - 1; i++) {
		const size_t position = (size_t)(text.start - reader->text);

		if (!next_word(&text, word) || !units_parse_double(word, -1e300, 1e300, &steps[i]))
			return metric_reader_fail(reader, position, "a scale has %d numbers",
						  METRIC_STEPS - 1);
		if (i > 0 && steps[i] <= steps[i - 1])
			return metric_reader_fail(reader, position,
						  "the numbers of a scale ascend");
	}
	if (text.length > 0)
		return metric_reader_fail(reader, (size_t)(text.start - reader->text),
					  "a scale has %d numbers", METRIC_STEPS - 1);
	return true;
}

static bool take_good(struct metric_reader *reader, struct metric *metric, struct span text)
{
	const size_t position = (size_t)(text.start - reader->text);
	char word[WORD_MAX];

	memset(metric->info.steps, 0, sizeof(metric->info.steps));
	if (!next_word(&text, word))
		return metric_reader_fail(reader, position, "expected high or low");
	if (strcmp(word, "high") == 0)
		metric->info.direction = METRIC_HIGH_IS_GOOD;
	else if (strcmp(word, "low") == 0)
		metric->info.direction = METRIC_LOW_IS_GOOD;
	else
		return metric_reader_fail(reader, position, "expected high or low");
	return text.length == 0 || take_steps(reader, metric, text);
}

/* clang-format off */
static const struct clause clauses[] = {
	{"unit",  take_unit},
	{"width", take_width},
	{"help",  take_help},
	{"good",  take_good},
};

/* clang-format on */

/* What is behind a ';'; it may be nothing. */
static bool read_clause(struct metric_reader *reader, struct metric *metric)
{
	const char next = peek(reader);
	const size_t start = reader->at;

	if (next == '\0' || next == ';')
		return true;
	while (is_small_letter(reader->text[reader->at]))
		reader->at++;
	for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
		const struct clause *clause = &clauses[i];

		if (strlen(clause->word) != reader->at - start ||
		    memcmp(clause->word, reader->text + start, reader->at - start) != 0)
			continue;

		const struct span text = read_span(reader);
		if (text.length == 0)
			return metric_reader_fail(reader, (size_t)(text.start - reader->text),
						  "%s is followed by what it is", clause->word);
		return clause->take(reader, metric, text);
	}
	return metric_reader_fail(reader, start, "expected unit, width, help or good");
}

static const char *text_or_none(const struct metric *metric, enum metric_text text)
{
	return metric->texts[text] ? metric->texts[text] : "";
}

static void fill_info(struct metric *metric)
{
	struct metric_info *info = &metric->info;

	info->name = metric->texts[METRIC_TEXT_NAME];
	info->title = metric->texts[METRIC_TEXT_TITLE];
	info->formula = metric->texts[METRIC_TEXT_FORMULA];
	info->unit = text_or_none(metric, METRIC_TEXT_UNIT);
	info->help = text_or_none(metric, METRIC_TEXT_HELP);
	info->good = "";
	info->is_users = true;
}

bool metric_define(struct metric *metric, struct metric_reader *reader)
{
	if (!is_text(reader) || !read_name(reader, metric) || !read_formula(reader, metric))
		return false;
	while (reader->text[reader->at] == ';') {
		reader->at++;
		if (!read_clause(reader, metric))
			return false;
	}
	fill_info(metric);
	return true;
}
