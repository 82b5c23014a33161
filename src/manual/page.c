/*
 * perftop(1) for man(7): page.md with the chapters of guide.md and what the program's tables say at
 * its marks. Of Markdown there is what the two have: headings, paragraphs, tables (each row becomes
 * an entry), lists, code, indented or fenced. A line decides what it is part of, a change of that
 * what is written before.
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

#include "manual/manual.h"
#include "mode/help.h"
#include "session/options.h"

enum {
	INDENT = 2 /* of an entry's name in the help */
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

/* A dot or a quote that begins a line would be a request; an unescaped '-' is a hyphen. */
void roff_add(struct strbuf *out, const char *text, size_t length)
{
	static const char *const escapes[128] = {
		['\\'] = "\\e",  ['-'] = "\\-",   ['\''] = "\\(aq",
		['^'] = "\\(ha", ['~'] = "\\(ti", ['`'] = "\\(ga",
	};
	bool is_begin = true;

	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];

		if (is_begin && (c == '.' || c == '\''))
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

/* An entry of a list: its name in bold, and what is said of it. */
static void add_entry(struct strbuf *out, const char *name, size_t name_length, const char *words,
		      size_t length)
{
	strbuf_add(out, ".TP\n\\fB");
	roff_add(out, name, name_length);
	strbuf_add(out, "\\fR\n");
	roff_add(out, words, length);
	strbuf_add_char(out, '\n');
}

/* A heading, of a section in capitals. */
static void add_heading(struct strbuf *out, const char *title, size_t length, bool is_part)
{
	strbuf_add(out, is_part ? ".SS " : ".SH ");
	for (size_t i = 0; i < length; i++)
		strbuf_add_char(out, is_part ? title[i] : (char)toupper((unsigned char)title[i]));
	strbuf_add_char(out, '\n');
}

static bool begins(const char *line, size_t length, const char *with)
{
	return length >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static size_t blanks_of(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && text[count] == ' ')
		count++;
	return count;
}

/* A line of the help; of a heading all but what the screen says behind it about keys. */
static void add_help_line(struct strbuf *out, const char *line, size_t length)
{
	const size_t indent = blanks_of(line, length);
	const char *words = line + indent, *end = line + length;
	const char *gap = memmem(words, length - indent, "  ", 2);

	if (begins(line, length, "## ")) {
		strbuf_add(out, ".SS ");
		roff_add(out, line + 3, length - 3);
		strbuf_add_char(out, '\n');
	} else if (begins(line, length, "# ")) {
		const char *keys = memmem(line, length, " (", 2);

		add_heading(out, line + 2, (size_t)((keys ? keys : end) - line) - 2, false);
	} else if (gap && indent <= INDENT) {
		const char *rest = gap + blanks_of(gap, (size_t)(end - gap));

		add_entry(out, words, (size_t)(gap - words), rest, (size_t)(end - rest));
	} else if (length > 0) {
		strbuf_add(out, indent > INDENT ? ".br\n" : ".PP\n");
		roff_add(out, words, (size_t)(end - words));
		strbuf_add_char(out, '\n');
	}
}

void roff_help(struct strbuf *out, const char *text)
{
	while (*text != '\0') {
		const size_t length = strcspn(text, "\n");

		add_help_line(out, text, length);
		text += length;
		text += *text == '\n';
	}
}

/* --- Markdown */

/* Bytes before the next that may mean something. */
static size_t run_of(const char *text, size_t length)
{
	size_t run = 0;

	while (run < length && text[run] != '`' && text[run] != '[')
		run++;
	return run;
}

/* `code` is bold, of a [link](target) the words stay. */
static void add_inline(struct strbuf *out, const char *text, size_t length)
{
	bool is_code = false;

	for (size_t i = 0; i < length; i++) {
		const char *end = memchr(text + i, ']', length - i);

		if (text[i] == '`') {
			is_code = !is_code;
			strbuf_add(out, is_code ? "\\fB" : "\\fR");
		} else if (text[i] == '[' && !is_code && end && end + 1 < text + length &&
			   end[1] == '(') {
			const char *close = memchr(end, ')', (size_t)(text + length - end));

			add_inline(out, text + i + 1, (size_t)(end - text) - i - 1);
			i = close ? (size_t)(close - text) : length;
		} else {
			const size_t run = 1 + run_of(text + i + 1, length - i - 1);

			roff_add(out, text + i, run);
			i += run - 1;
		}
	}
}

/* A row of a table: the first cell is the name, the others say what it is. */
static void add_row(struct strbuf *out, const char *line, size_t length)
{
	static const char *const before[] = {".TP\n", "\n", "; "};
	const char *end = line + length, *cell = line + 1;
	size_t count = 0;

	while (cell < end) {
		const char *bar = memchr(cell, '|', (size_t)(end - cell));
		const char *stop = bar ? bar : end;
		const size_t blanks = strspn(cell, " ");

		cell += blanks < (size_t)(stop - cell) ? blanks : (size_t)(stop - cell);
		while (stop > cell && stop[-1] == ' ')
			stop--;
		if (stop > cell) {
			strbuf_add(out, before[count < 2 ? count : 2]);
			add_inline(out, cell, (size_t)(stop - cell));
			count++;
		}
		cell = bar ? bar + 1 : end;
	}
	strbuf_add(out, count > 0 ? "\n" : "");
}

enum block {
	BLOCK_NONE,
	BLOCK_TEXT,
	BLOCK_CODE,
	BLOCK_FENCED,
	BLOCK_TABLE_HEAD,
	BLOCK_TABLE
};

static const char fence[] = "```", mark[] = "<!-- ";

static enum block leave(struct strbuf *out, enum block block)
{
	if (block == BLOCK_CODE || block == BLOCK_FENCED)
		strbuf_add(out, ".RE\n.fi\n");
	return BLOCK_NONE;
}

static enum block enter_code(struct strbuf *out, enum block block)
{
	strbuf_add(out, ".PP\n.nf\n.RS 4\n");
	return block;
}

/* What the line is part of, which has begun then. */
static enum block change(struct strbuf *out, enum block block, const char *line, size_t length)
{
	const bool is_code = begins(line, length, "    ");

	if (block == BLOCK_FENCED || (block == BLOCK_CODE && is_code))
		return block;
	if (begins(line, length, "|"))
		return block == BLOCK_TABLE || block == BLOCK_TABLE_HEAD ? BLOCK_TABLE
									 : BLOCK_TABLE_HEAD;
	if (is_code)
		return enter_code(out, BLOCK_CODE);
	if (block != BLOCK_TEXT || begins(line, length, "- "))
		strbuf_add(out, begins(line, length, "- ") ? ".IP \\(bu 2\n" : ".PP\n");
	return BLOCK_TEXT;
}

static void add_line(struct strbuf *out, enum block block, const char *line, size_t length)
{
	switch (block) {
	case BLOCK_TEXT:
		line += strspn(line, "- ");
		length = (size_t)(strchr(line, '\n') - line);
		/* a dot or a quote in front would be a request */
		strbuf_add(out, line[0] == '.' || line[0] == '\'' ? "\\&" : "");
		add_inline(out, line, length);
		strbuf_add_char(out, '\n');
		return;
	case BLOCK_CODE:
		line += 4;
		length -= 4;
		/* fall through */
	case BLOCK_FENCED:
		roff_add(out, line, length);
		strbuf_add_char(out, '\n');
		return;
	case BLOCK_TABLE:
		if (!begins(line, length, "| ---"))
			add_row(out, line, length);
		return;
	case BLOCK_TABLE_HEAD:
	case BLOCK_NONE:
		return;
	}
}

/* --- what the tables say */

static void write_options(struct strbuf *out)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	add_heading(out, "Options", strlen("Options"), false);
	for (size_t i = 0; i < count; i++) {
		const char letter[] = {'-', table[i].letter, ',', ' ', '\0'};
		char name[64], both[80];

		option_name(&table[i], name, sizeof(name));
		snprintf(both, sizeof(both), "%s%s", table[i].letter != 0 ? letter : "", name);
		add_entry(out, both, strlen(both), table[i].help, strlen(table[i].help));
	}
}

static void write_formats(struct strbuf *out)
{
	size_t count;
	const struct batch_format *table = batch_table(&count);

	add_heading(out, "Batch formats", strlen("Batch formats"), false);
	for (size_t i = 0; i < count; i++)
		add_entry(out, table[i].name, strlen(table[i].name), table[i].help,
			  strlen(table[i].help));
}

static void write_guide(struct strbuf *out)
{
	roff_guide(out, manual_guide);
}

/* What F1 shows. */
static void write_help(struct strbuf *out)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);
	struct strbuf text = {0};

	help_write(&text, columns, set, NULL);
	roff_help(out, strbuf_text(&text));
	strbuf_fini(&text);
	columns_destroy(columns);
	metric_set_destroy(set);
}

/* The part that a mark names. */
static void write_part(struct strbuf *out, const char *name)
{
	static const struct {
		const char *name;
		void (*write)(struct strbuf *out);
	} parts[] = {
		{"options", write_options},
		{"formats", write_formats},
		{"guide", write_guide},
		{"help", write_help},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strncmp(name, parts[i].name, strlen(parts[i].name)) == 0)
			parts[i].write(out);
}

void roff_guide(struct strbuf *out, const char *text)
{
	enum block block = BLOCK_NONE;
	bool is_part;
	const char *line = strstr(text, "\n## ");

	for (line = line ? line + 1 : ""; *line != '\0'; line = strchr(line, '\n') + 1) {
		const size_t length = (size_t)(strchr(line, '\n') - line);
		const bool is_fence = begins(line, length, fence);

		if (is_fence && block != BLOCK_FENCED) {
			leave(out, block);
			block = enter_code(out, BLOCK_FENCED);
		} else if (is_fence || (length == 0 && block != BLOCK_FENCED)) {
			block = leave(out, block);
		} else if (block != BLOCK_FENCED && begins(line, length, "##")) {
			is_part = begins(line, length, "###");
			add_heading(out, line + 3 + is_part, length - 3 - is_part, is_part);
		} else if (block == BLOCK_NONE && begins(line, length, mark)) {
			write_part(out, line + strlen(mark));
		} else {
			block = change(out, block, line, length);
			add_line(out, block, line, length);
		}
	}
	leave(out, block);
}

void manual_write_page(struct strbuf *out)
{
	static const char *const synopsis[] = {
		"[OPTION...]",
		"-p PID|NAME,... [OPTION...]",
		"[OPTION...] -- COMMAND [ARG...]",
		"-i FILE [OPTION...]",
		"check",
		"events [WORD...]",
	};

	strbuf_printf(out,
		      ".TH PERFTOP 1 \"\" \"perftop %s\" \"User Commands\"\n.nh\n.ad l\n"
		      ".SH NAME\nperftop \\- a top for what processors really do\n.SH SYNOPSIS\n",
		      PERFTOP_VERSION);
	for (size_t i = 0; i < sizeof(synopsis) / sizeof(*synopsis); i++) {
		strbuf_printf(out, "%s\\fBperftop\\fR ", i > 0 ? ".br\n" : "");
		roff_add(out, synopsis[i], strlen(synopsis[i]));
		strbuf_add_char(out, '\n');
	}
	roff_guide(out, manual_page);
}
