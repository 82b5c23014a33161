#include "manual/words.h"

#include <string.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/groups.h"
#include "view/table.h"

#include "session/options.h"
#include "term/theme.h"

static void write_views(struct strbuf *out)
{
	size_t count;
	const struct view_info *const *table = view_table_of_views(&count);

	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "%s%s", i > 0 ? " " : "", table[i]->name);
}

static void write_formats(struct strbuf *out)
{
	size_t count;
	const struct batch_format *table = batch_table(&count);

	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "%s%s", i > 0 ? " " : "", table[i].name);
}

static void write_columns(struct strbuf *out)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);

	for (size_t i = 0; i < columns_count(columns); i++)
		strbuf_printf(out, "%s%s", i > 0 ? " " : "", columns_get(columns, i)->name);
	columns_destroy(columns);
	metric_set_destroy(set);
}

/* Names with commas between them. */
static void write_joined(struct strbuf *out, const char *names)
{
	for (; *names != '\0'; names++)
		if (*names != ',')
			strbuf_add_char(out, *names);
}

static void write_themes(struct strbuf *out)
{
	char names[128];

	theme_names(names, sizeof(names));
	write_joined(out, names);
}

static void write_groupings(struct strbuf *out)
{
	char names[128];

	grouping_names(names, sizeof(names));
	write_joined(out, names);
}

/* clang-format off */
static const struct {
	const char *option;
	enum words_kind kind;
	bool is_list;
	void (*write)(struct strbuf *out);
} table[] = {
	{"pid",     WORDS_PIDS,   true,  NULL},
	{"user",    WORDS_USERS,  false, NULL},
	{"event",   WORDS_EVENTS, true,  NULL},
	{"columns", WORDS_FIXED,  true,  write_columns},
	{"sort",    WORDS_SIGNED, true,  write_columns},
	{"view",    WORDS_FIXED,  false, write_views},
	{"group-by", WORDS_FIXED, false, write_groupings},
	{"format",  WORDS_FIXED,  false, write_formats},
	{"theme",   WORDS_FIXED,  false, write_themes},
	{"output",  WORDS_FILES,  false, NULL},
	{"input",   WORDS_FILES,  false, NULL},
	{"record",  WORDS_FILES,  false, NULL},
	{"config",  WORDS_FILES,  false, NULL},
	{"log",     WORDS_FILES,  false, NULL},
};
/* clang-format on */

enum {
	COUNT = sizeof(table) / sizeof(*table)
};

/* COUNT: the option is not in the table. */
static size_t find(const struct option_info *option)
{
	size_t i = 0;

	while (i < COUNT && strcmp(table[i].option, option->name) != 0)
		i++;
	return i;
}

enum words_kind words_kind_of(const struct option_info *option)
{
	const size_t i = find(option);

	return i < COUNT ? table[i].kind : WORDS_FREE;
}

bool words_are_list(const struct option_info *option)
{
	const size_t i = find(option);

	return i < COUNT && table[i].is_list;
}

void words_write(struct strbuf *out, const struct option_info *option)
{
	const size_t i = find(option);

	if (i < COUNT && table[i].write)
		table[i].write(out);
}
