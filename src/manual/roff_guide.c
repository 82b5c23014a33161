/* The guide as man(7): a line decides what it is part of, a change of that what is written before.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"

#include "manual/roff.h"

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

static const char fence[] = "```";

static bool begins(const char *line, size_t length, const char *with)
{
	return length >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

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

static void add_chapter(struct strbuf *out, const char *line, size_t length)
{
	const bool is_part = begins(line, length, "### ");

	strbuf_add(out, is_part ? ".SS " : ".SH ");
	for (size_t i = is_part ? 4 : 3; i < length; i++)
		strbuf_add_char(out, is_part ? line[i] : (char)toupper((unsigned char)line[i]));
	strbuf_add_char(out, '\n');
}

void roff_guide(struct strbuf *out, const char *text)
{
	enum block block = BLOCK_NONE;
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
			add_chapter(out, line, length);
		} else {
			block = change(out, block, line, length);
			add_line(out, block, line, length);
		}
	}
	leave(out, block);
}
