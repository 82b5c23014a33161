#include "help.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "commands.h"
#include "keys.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/table.h"

static const struct command_info *find_command(const char *text)
{
	size_t count;
	const struct command_info *table = command_table(&count);
	size_t length = strcspn(text, " ");

	for (size_t i = 0; i < count; i++) {
		if (strlen(table[i].name) == length && strncmp(table[i].name, text, length) == 0)
			return &table[i];
	}
	return NULL;
}

/* What a key does, from what its command says of itself. */
static void describe(const char *text, char *words, size_t size)
{
	const struct command_info *command = find_command(text);
	const char *argument = strchr(text, ' ');
	const struct column *column = argument != NULL ? column_find(argument + 1) : NULL;

	if (strncmp(text, "ask ", 4) == 0 && find_command(text + 4) != NULL)
		command = find_command(text + 4);
	if (strncmp(text, "sort ", 5) == 0 && column != NULL)
		snprintf(words, size, "order by %s", column->title);
	else
		snprintf(words, size, "%s", command != NULL ? command->help : "");
}

/* Keys that run the same command stand together, at the first of them. */
static void write_keys(struct strbuf *out)
{
	size_t count;
	const struct key_binding *table = keys_table(&count);

	strbuf_add(out, "# Keys\n");
	for (size_t i = 0; i < count; i++) {
		struct strbuf names = {0};
		char words[128];
		bool is_first = true;

		for (size_t j = 0; j < count; j++) {
			if (strcmp(table[j].command, table[i].command) != 0)
				continue;
			is_first = is_first && j >= i;
			strbuf_printf(&names, "%s%s", names.length > 0 ? " " : "", table[j].key);
		}
		describe(table[i].command, words, sizeof(words));
		if (is_first)
			strbuf_printf(out, "  %-10s %-14s %s\n", strbuf_text(&names),
				      table[i].command, words);
		strbuf_fini(&names);
	}
}

static void write_commands(struct strbuf *out)
{
	size_t count;
	const struct command_info *table = command_table(&count);

	strbuf_add(out, "\n# Commands (: asks for one)\n");
	for (size_t i = 0; i < count; i++) {
		char usage[64];

		snprintf(usage, sizeof(usage), "%s %s", table[i].name, table[i].argument);
		strbuf_printf(out, "  %-30s %s\n", usage, table[i].help);
	}
}

static const struct metric_info *find_metric(const char *name)
{
	size_t count;
	const struct metric_info *table = metric_table(&count);

	for (size_t i = 0; i < count && name != NULL; i++) {
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	}
	return NULL;
}

static void write_columns(struct strbuf *out)
{
	size_t count;
	const struct column *table = column_table(&count);

	strbuf_add(out, "\n# Columns\n");
	for (size_t i = 0; i < count; i++) {
		const struct metric_info *metric = find_metric(table[i].metric);

		strbuf_printf(out, "  %-10s %s\n", table[i].name, column_help(&table[i]));
		if (metric == NULL)
			continue;
		strbuf_printf(out, "  %10s = %s%s%s\n", "", metric->formula,
			      metric->unit[0] != '\0' ? ", in " : "", metric->unit);
		if (metric->good[0] != '\0')
			strbuf_printf(out, "  %10s %s\n", "", metric->good);
	}
}

static void write_views(struct strbuf *out)
{
	size_t count;
	const struct view_info *table = view_table_of_views(&count);

	strbuf_add(out, "\n# Views\n");
	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "  %-10s %s\n", table[i].name, table[i].help);
}

static void write_signs(struct strbuf *out)
{
	strbuf_add(
		out,
		"\n# Signs\n"
		"  -          unknown: not counted here, or nothing to divide by; it is never "
		"shown as 0\n"
		"  '          behind a value: an estimate, its event shares the counters with "
		"others\n"
		"  +  *       at a row: ended in this interval; born in it\n"
		"  exited     processes that were born and ended within the interval, as one row\n"
		"  unattributed  what was counted while nobody knows who ran: always shown, best "
		"0\n"
		"  attributed share of the CPUs' time that is known to be a task's or idle's\n");
}

void help_write(struct strbuf *out)
{
	strbuf_clear(out);
	write_keys(out);
	write_columns(out);
	write_views(out);
	write_signs(out);
	write_commands(out);
}
