/*
 * The table of formats.
 */

#include "batch/batch.h"

#include <stdio.h>
#include <strings.h>

/* clang-format off */
static const struct batch_format formats[] = {
	{ .name = "text", .help = "a table for people and awk",           .write = text_write },
	{ .name = "csv",  .help = "the table's rows with plain numbers, after one header line", .log_is_fixed = true, .write = csv_write },
	{ .name = "json", .help = "everything, one object per interval and line", .log_is_fixed = true, .write = json_write },
	{ .name = "openmetrics", .help = "totals for Prometheus; a file is replaced with each interval, elsewhere only the last is written", .log_is_fixed = true, .is_totals = true, .write = openmetrics_write },
};
/* clang-format on */

enum {
	FORMAT_COUNT = sizeof(formats) / sizeof(formats[0])
};

const struct batch_format *batch_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (strcasecmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

void batch_names(char *text, size_t size)
{
	size_t length = 0;

	if (size == 0)
		return;
	text[0] = '\0';
	for (size_t i = 0; i < FORMAT_COUNT && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
					   formats[i].name);
}

const struct batch_format *batch_table(size_t *count)
{
	*count = FORMAT_COUNT;
	return formats;
}
