#ifndef PERFTOP_TESTS_EXPOSITION_READER_H
#define PERFTOP_TESTS_EXPOSITION_READER_H

/*
 * Reads an exposition as strictly as OpenMetrics asks, but for the names of counters, which have
 * their "_total" in HELP and TYPE too: each family stands together, behind one HELP and one TYPE
 * line; no series is there twice; all names are names and all values numbers; the last line is
 * "# EOF".
 */

#include <ctype.h>
#include <math.h>

#include "base/text.h"

#include "unit.h"

enum {
	READ_SERIES_MAX = 2048,
	READ_FAMILIES_MAX = 128,
	READ_NAME_MAX = 128
};

struct read_series {
	char *text; /* owned; name and labels */
	double value;
};

struct reading {
	struct read_series series[READ_SERIES_MAX];
	size_t count;
	char families[READ_FAMILIES_MAX][READ_NAME_MAX];
	size_t family_count;
	char type[READ_NAME_MAX]; /* of the last family */
};

static inline void reading_fini(struct reading *reading)
{
	for (size_t i = 0; i < reading->count; i++)
		free(reading->series[i].text);
	memset(reading, 0, sizeof(*reading));
}

static inline size_t read_name_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	assert_true(length > 0 && !isdigit((unsigned char)text[0]));
	return length;
}

/* Behind the closing quote. */
static inline const char *read_label_value(const char *text)
{
	assert_int_equal(*text++, '"');
	while (*text != '"') {
		uint32_t code;
		int length;

		if (*text == '\\') {
			text++;
			assert_true(*text == '\\' || *text == '"' || *text == 'n');
		}
		length = text_decode(text, strlen(text), &code);
		assert_true(length > 0);
		assert_true(code >= ' ' && code != 0x7f);
		text += length;
	}
	return text + 1;
}

/* Behind the closing brace. */
static inline const char *read_labels(const char *text)
{
	assert_int_equal(*text++, '{');
	while (true) {
		text += read_name_length(text);
		assert_int_equal(*text++, '=');
		text = read_label_value(text);
		if (*text == '}')
			return text + 1;
		assert_int_equal(*text++, ',');
	}
}

static inline const char *read_family(const struct reading *reading)
{
	assert_true(reading->family_count > 0);
	return reading->families[reading->family_count - 1];
}

/* Whether a sample of this name may stand in the last family. */
static inline bool read_belongs(const struct reading *reading, const char *name, size_t length)
{
	static const char *const parts[] = {"_bucket", "_sum", "_count"};
	const char *family = read_family(reading);
	const size_t family_length = strlen(family);

	if (strncmp(name, family, family_length) != 0)
		return false;
	if (strcmp(reading->type, "histogram") != 0)
		return length == family_length;
	for (size_t i = 0; i < 3; i++)
		if (length == family_length + strlen(parts[i]) &&
		    strncmp(name + family_length, parts[i], strlen(parts[i])) == 0)
			return true;
	return false;
}

static inline void read_sample(struct reading *reading, const char *line)
{
	const size_t length = read_name_length(line);
	const char *end = line + length;
	struct read_series *series = &reading->series[reading->count];
	char *rest;

	assert_true(read_belongs(reading, line, length));
	if (*end == '{')
		end = read_labels(end);
	assert_int_equal(*end, ' ');
	assert_true(reading->count++ < READ_SERIES_MAX);
	series->text = strndup(line, (size_t)(end - line));
	series->value = strtod(end + 1, &rest);
	assert_int_equal(*rest, '\0');
	assert_true(isfinite(series->value));
	for (size_t i = 0; i + 1 < reading->count; i++)
		assert_string_not_equal(reading->series[i].text, series->text);
}

static inline void read_help(struct reading *reading, const char *line)
{
	char *name = reading->families[reading->family_count];
	const size_t length = read_name_length(line);

	assert_true(length < READ_NAME_MAX && reading->family_count < READ_FAMILIES_MAX);
	snprintf(name, READ_NAME_MAX, "%.*s", (int)length, line);
	for (size_t i = 0; i < reading->family_count; i++)
		assert_string_not_equal(reading->families[i], name);
	reading->family_count++;
	assert_int_equal(line[length], ' ');
	assert_true(strlen(line + length) > 4);
	assert_null(strchr(line, '\\'));
	reading->type[0] = '\0';
}

static inline void read_type(struct reading *reading, const char *line)
{
	const size_t length = read_name_length(line);
	const char *family = read_family(reading);
	const size_t family_length = strlen(family);
	bool is_total;

	assert_int_equal(strncmp(family, line, length), 0);
	assert_int_equal(family_length, length);
	snprintf(reading->type, sizeof(reading->type), "%s", line + length + 1);
	is_total = family_length > 6 && strcmp(family + family_length - 6, "_total") == 0;
	assert_int_equal(is_total, strcmp(reading->type, "counter") == 0);
	assert_true(is_total || strcmp(reading->type, "gauge") == 0 ||
		    strcmp(reading->type, "histogram") == 0);
}

/* *reading must be empty. */
static inline void read_exposition(struct reading *reading, const char *text)
{
	char *copy = strdup(text);
	bool has_ended = false;
	char *next;

	for (char *line = copy; *line != '\0'; line = next) {
		next = strchr(line, '\n');
		assert_non_null(next);
		*next++ = '\0';
		assert_false(has_ended);
		if (strncmp(line, "# HELP ", 7) == 0)
			read_help(reading, line + 7);
		else if (strncmp(line, "# TYPE ", 7) == 0)
			read_type(reading, line + 7);
		else if (strcmp(line, "# EOF") == 0)
			has_ended = true;
		else
			read_sample(reading, line);
	}
	assert_true(has_ended);
	free(copy);
}

/* NaN: there is no such series. */
static inline double read_value(const struct reading *reading, const char *series)
{
	for (size_t i = 0; i < reading->count; i++)
		if (strcmp(reading->series[i].text, series) == 0)
			return reading->series[i].value;
	return NAN;
}

/* How many begin like this. */
static inline size_t read_count(const struct reading *reading, const char *beginning)
{
	size_t count = 0;

	for (size_t i = 0; i < reading->count; i++)
		count += strncmp(reading->series[i].text, beginning, strlen(beginning)) == 0;
	return count;
}

#endif
