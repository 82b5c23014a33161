#include "model/metric_definition.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

/* A definition that is read. */
struct reader {
	const char *text;
	size_t at; /* as far as it is read */
	const struct metric_fault *fault;
};

enum {
	WORD_MAX = 32 /* bytes of a word in a clause, NUL included */
};

/* A piece of the definition. */
struct span {
	const char *start;
	size_t length;
};

bool metric_fail(const struct metric_fault *fault, size_t position, const char *format, ...)
{
	va_list arguments;

	*fault->position = position;
	va_start(arguments, format);
	vsnprintf(fault->message, FORMULA_ERROR_MAX, format, arguments);
	va_end(arguments);
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char peek(struct reader *reader)
{
	while (is_blank(reader->text[reader->at]))
		reader->at++;
	return reader->text[reader->at];
}

static bool is_text(struct reader *reader)
{
	for (size_t i = 0; reader->text[i]; i++) {
		const unsigned char c = (unsigned char)reader->text[i];

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return metric_fail(reader->fault, i,
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

static bool read_name(struct reader *reader, struct metric *metric)
{
	const bool is_good = is_small_letter(peek(reader));
	const char *start = reader->text + reader->at;
	const size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyz0123456789_%/.-");

	metric->name_at = reader->at;
	if (!is_good)
		return metric_fail(
			reader->fault, reader->at,
			"expected a name: a small letter, then small letters, digits and "
			"_ %% / . -");
	if (length >= METRIC_NAME_MAX)
		return metric_fail(reader->fault, reader->at, "a name has %d characters at most",
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
static struct span read_span(struct reader *reader)
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

static bool read_formula(struct reader *reader, struct metric *metric)
{
	struct span span;
	size_t position = 0;

	if (peek(reader) != '=')
		return metric_fail(reader->fault, reader->at, "expected '=' and a formula");
	reader->at++;
	span = read_span(reader);
	metric->formula_at = (size_t)(span.start - reader->text);
	keep(metric, METRIC_TEXT_FORMULA, span);
	metric->formula = formula_create(metric->texts[METRIC_TEXT_FORMULA], &position,
					 reader->fault->message);
	if (!metric->formula) {
		*reader->fault->position = metric->formula_at + position;
		return false;
	}
	if (!formula_name(metric->formula, METRIC_NAMES_MAX))
		return true;
	return metric_fail(reader->fault,
			   metric->formula_at +
				   formula_name_position(metric->formula, METRIC_NAMES_MAX),
			   "a formula has %d names at most", METRIC_NAMES_MAX);
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

static bool take_width(struct reader *reader, struct metric *metric, struct span text)
{
	const size_t position = (size_t)(text.start - reader->text);
	char word[WORD_MAX];
	uint64_t width;

	if (!next_word(&text, word) || text.length > 0 ||
	    !units_parse_u64(word, 1, METRIC_WIDTH_MAX, &width))
		return metric_fail(reader->fault, position,
				   "a width is a whole number from 1 to %d", METRIC_WIDTH_MAX);
	metric->info.width = (int)width;
	return true;
}

/* The borders of the scale, which may be left out. */
static bool take_steps(struct reader *reader, struct metric *metric, struct span text)
{
	double *steps = metric->info.steps;
	char word[WORD_MAX];

	for (size_t i = 0; i < METRIC_STEPS - 1; i++) {
		const size_t position = (size_t)(text.start - reader->text);

		if (!next_word(&text, word) || !units_parse_double(word, -1e300, 1e300, &steps[i]))
			return metric_fail(reader->fault, position, "a scale has %d numbers",
					   METRIC_STEPS - 1);
		if (i > 0 && steps[i] <= steps[i - 1])
			return metric_fail(reader->fault, position,
					   "the numbers of a scale ascend");
	}
	if (text.length > 0)
		return metric_fail(reader->fault, (size_t)(text.start - reader->text),
				   "a scale has %d numbers", METRIC_STEPS - 1);
	return true;
}

static bool take_good(struct reader *reader, struct metric *metric, struct span text)
{
	const size_t position = (size_t)(text.start - reader->text);
	char word[WORD_MAX];

	memset(metric->info.steps, 0, sizeof(metric->info.steps));
	if (!next_word(&text, word))
		return metric_fail(reader->fault, position, "expected high or low");
	if (strcmp(word, "high") == 0)
		metric->info.direction = METRIC_HIGH_IS_GOOD;
	else if (strcmp(word, "low") == 0)
		metric->info.direction = METRIC_LOW_IS_GOOD;
	else
		return metric_fail(reader->fault, position, "expected high or low");
	return text.length == 0 || take_steps(reader, metric, text);
}

/* clang-format off */
static const struct {
	const char *word;
	enum metric_text text; /* that it is, where there is no function */
	bool (*take)(struct reader *reader, struct metric *metric, struct span text);
} clauses[] = {
	{"unit",  METRIC_TEXT_UNIT, NULL},
	{"width", METRIC_TEXTS,     take_width},
	{"help",  METRIC_TEXT_HELP, NULL},
	{"good",  METRIC_TEXTS,     take_good},
};

/* clang-format on */

/* What is behind a ';'; it may be nothing. */
static bool read_clause(struct reader *reader, struct metric *metric)
{
	const char next = peek(reader);
	const size_t start = reader->at;

	if (next == '\0' || next == ';')
		return true;
	while (is_small_letter(reader->text[reader->at]))
		reader->at++;
	for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
		const char *word = clauses[i].word;

		if (strlen(word) != reader->at - start ||
		    strncmp(word, reader->text + start, reader->at - start) != 0)
			continue;

		const struct span text = read_span(reader);
		if (text.length == 0)
			return metric_fail(reader->fault, (size_t)(text.start - reader->text),
					   "%s is followed by what it is", word);
		if (clauses[i].take)
			return clauses[i].take(reader, metric, text);
		keep(metric, clauses[i].text, text);
		return true;
	}
	return metric_fail(reader->fault, start, "expected unit, width, help or good");
}

static void fill_info(struct metric *metric)
{
	struct metric_info *info = &metric->info;

	info->name = metric->texts[METRIC_TEXT_NAME];
	info->title = metric->texts[METRIC_TEXT_TITLE];
	info->formula = metric->texts[METRIC_TEXT_FORMULA];
	info->unit = metric->texts[METRIC_TEXT_UNIT] ? metric->texts[METRIC_TEXT_UNIT] : "";
	info->help = metric->texts[METRIC_TEXT_HELP] ? metric->texts[METRIC_TEXT_HELP] : "";
	info->good = "";
	info->is_users = true;
}

bool metric_define(struct metric *metric, const char *text, const struct metric_fault *fault)
{
	struct reader reader = {.text = text, .fault = fault};

	if (!is_text(&reader) || !read_name(&reader, metric) || !read_formula(&reader, metric))
		return false;
	while (reader.text[reader.at] == ';') {
		reader.at++;
		if (!read_clause(&reader, metric))
			return false;
	}
	fill_info(metric);
	return true;
}

void metric_destroy(struct metric *metric)
{
	formula_destroy(metric->formula);
	for (size_t i = 0; i < METRIC_TEXTS; i++)
		free(metric->texts[i]);
	free(metric);
}
