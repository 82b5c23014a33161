/*
 * perftop(1) for man(7): the template with what the program's tables say in the lines @NAME@.
 * Tables become lists of entries; of the help page its lines decide.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "batch/batch.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/row_kind.h"

#include "manual/manual.h"
#include "mode/help.h"
#include "session/options.h"

enum {
	INDENT = 2, /* of an entry's name in the help */
	LINE = 70
};

/* One beyond ASCII, by its number; how many bytes it has. */
static size_t add_character(struct strbuf *out, const char *text, size_t length)
{
	uint32_t code;
	const int bytes = text_decode(text, length, &code);

	if (bytes > 0)
		strbuf_printf(out, "\\[u%04X]", code);
	return bytes > 0 ? (size_t)bytes : 1;
}

/* A dot that begins a line would be a request; an unescaped '-' is a hyphen. */
void roff_add(struct strbuf *out, const char *text, size_t length)
{
	static const char *const escapes[128] = {
		['\\'] = "\\e",  ['-'] = "\\-",   ['\''] = "\\(aq",
		['^'] = "\\(ha", ['~'] = "\\(ti", ['`'] = "\\(ga",
	};
	bool is_begin = true;

	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];

		if (is_begin && c == '.')
			strbuf_add(out, "\\&");
		if (c >= 0x80)
			i += add_character(out, text + i, length - i) - 1;
		else if (escapes[c])
			strbuf_add(out, escapes[c]);
		else
			strbuf_add_char(out, text[i]);
		is_begin = c == '\n';
	}
}

/* Text that is filled: words in lines that are not too long for other programs. */
static void add_page_words(struct strbuf *out, const char *text, size_t length)
{
	const char *end = text + length;
	size_t column = 0;

	while (text < end) {
		const size_t size = strcspn(text, " \n");
		const size_t left = (size_t)(end - text), word = size < left ? size : left;

		if (column > 0 && word > 0)
			strbuf_add_char(out, column + word < LINE ? ' ' : '\n');
		column = column + word < LINE ? column : 0;
		column += word + (word > 0);
		roff_add(out, text, word);
		text += word + 1;
	}
	strbuf_add_char(out, '\n');
}

/* An entry of a list begins: its name in bold, what is said of it follows. */
static void add_name(struct strbuf *out, const char *name, size_t length)
{
	strbuf_add(out, ".TP\n\\fB");
	roff_add(out, name, length);
	strbuf_add(out, "\\fR\n");
}

/* A heading of the help in capitals, without what the screen says behind it about keys. */
static void add_section(struct strbuf *out, const char *title, size_t length)
{
	const char *keys = memmem(title, length, " (", 2);

	strbuf_add(out, ".SH ");
	for (const char *end = keys ? keys : title + length; title < end; title++)
		strbuf_add_char(out, (char)toupper((unsigned char)*title));
	strbuf_add_char(out, '\n');
}

/* "NAME  words", or "KEY  COMMAND  words". */
static void add_help_entry(struct strbuf *out, const char *name, const char *gap, const char *end)
{
	const char *words = gap + strspn(gap, " ");
	const char *second = memmem(words, (size_t)(end - words), "  ", 2);

	add_name(out, name, (size_t)(gap - name));
	if (second) {
		strbuf_add(out, "\\fB");
		roff_add(out, words, (size_t)(second - words));
		strbuf_add(out, "\\fR:\n");
		words = second + strspn(second, " ");
	}
	add_page_words(out, words, (size_t)(end - words));
}

/* between: what parts the line from one before it that was no heading. */
static void add_help_text(struct strbuf *out, const char *line, size_t length, const char *between)
{
	const size_t indent = strspn(line, " ");
	const char *words = line + indent, *end = line + length;
	const char *gap = memmem(words, length - indent, "  ", 2);

	if (gap && indent <= INDENT) {
		add_help_entry(out, words, gap, end);
		return;
	}
	strbuf_add(out, indent > INDENT ? ".br\n" : between);
	add_page_words(out, words, (size_t)(end - words));
}

void roff_help(struct strbuf *out, const char *text)
{
	const char *between = ".PP\n";

	while (*text != '\0') {
		const size_t length = strcspn(text, "\n");

		if (text_begins(text, "## ")) {
			strbuf_add(out, ".SS ");
			roff_add(out, text + 3, length - 3);
			strbuf_add_char(out, '\n');
		} else if (text_begins(text, "# ")) {
			add_section(out, text + 2, length - 2);
		} else if (length > 0) {
			add_help_text(out, text, length, between);
		}
		if (length > 0)
			between = text[0] == '#' ? "" : ".PP\n";
		text += length;
		text += *text == '\n';
	}
}

/* --- what the tables say */

static void write_options(struct strbuf *out)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	for (size_t i = 0; i < count; i++) {
		const char letter[] = {'-', table[i].letter, ',', ' ', '\0'};
		char name[64], both[80];

		option_name(&table[i], name, sizeof(name));
		snprintf(both, sizeof(both), "%s%s", table[i].letter != 0 ? letter : "", name);
		add_name(out, both, strlen(both));
		add_page_words(out, table[i].help, strlen(table[i].help));
	}
}

static void write_formats(struct strbuf *out)
{
	size_t count;
	const struct batch_format *table = batch_table(&count);

	for (size_t i = 0; i < count; i++) {
		add_name(out, table[i].name, strlen(table[i].name));
		add_page_words(out, table[i].help, strlen(table[i].help));
	}
}

/* What F1 shows. */
static void write_help(struct strbuf *out)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);
	struct strbuf text = {0};

	help_write(&text, columns, set, NULL);
	roff_help(out, strbuf_text(&text));
	strbuf_fini(&text);
	columns_destroy(columns);
	metric_set_destroy(set);
}

/* Whether the line is a mark: then what it stands for is added. */
static bool add_part(struct strbuf *out, const char *line, size_t length)
{
	static const struct {
		const char *name;
		void (*write)(struct strbuf *out);
	} parts[] = {
		{"@OPTIONS@", write_options},
		{"@FORMATS@", write_formats},
		{"@HELP@", write_help},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (length == strlen(parts[i].name) && memcmp(line, parts[i].name, length) == 0) {
			parts[i].write(out);
			return true;
		}
	}
	return false;
}

void manual_write_page(struct strbuf *out, const char *template)
{
	while (*template != '\0') {
		const size_t length = strcspn(template, "\n");

		if (!add_part(out, template, length)) {
			strbuf_add_bytes(out, template, length);
			strbuf_add_char(out, '\n');
		}
		template += length;
		template += *template == '\n';
	}
}
