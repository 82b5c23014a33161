/*
 * Any text is a list of names that comes to its end, any name can be an event's and gets a title
 * that fits and is ASCII, and any file is lines.
 */
#include "model/metric.h"
#include "view/column.h"
#include "view/row_kind.h"

#include "fuzz.h"

static void look_at(const struct column *column)
{
	require(strlen(column->title) <= 80 && column->width >= 1);
	require(column_help(column)[0] != '\0');
	for (const char *c = column->title; *c != '\0'; c++)
		require(*c > 0x1f && *c < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);
	char *text = fuzz_text("", data, size);
	const char *cursor = text;
	char word[COLUMN_NAME_MAX];
	size_t words = 0;

	while (words <= size && column_word_next(columns, &cursor, word, sizeof(word))) {
		require(cursor <= text + strlen(text));
		words++;
		if (word[0] != '\0' && strlen(word) < 256 && !columns_find(columns, word)) {
			look_at(columns_add_event(columns, word, ""));
			require(columns_find(columns, word) != NULL);
		}
	}
	require(words <= size);
	free(text);
	columns_destroy(columns);
	metric_set_destroy(set);
	return 0;
}
