#include "manual/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

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
	bool is_begin = true;

	for (size_t i = 0; i < length; i++) {
		if (is_begin && (text[i] == '.' || text[i] == '\''))
			strbuf_add(out, "\\&");
		if (text[i] == '\\')
			strbuf_add(out, "\\e");
		else if (text[i] == '-')
			strbuf_add(out, "\\-");
		else if (text[i] == '\'')
			strbuf_add(out, "\\(aq");
		else if (text[i] == '^')
			strbuf_add(out, "\\(ha");
		else if (text[i] == '~')
			strbuf_add(out, "\\(ti");
		else if (text[i] == '`')
			strbuf_add(out, "\\(ga");
		else if ((unsigned char)text[i] >= 0x80)
			i += add_character(out, text + i, length - i) - 1;
		else
			strbuf_add_char(out, text[i]);
		is_begin = text[i] == '\n';
	}
}

static void add_text(struct strbuf *out, const char *text)
{
	roff_add(out, text, strlen(text));
}

void roff_section(struct strbuf *out, const char *title)
{
	strbuf_add(out, ".SH ");
	for (const char *c = title; *c != '\0'; c++)
		strbuf_add_char(out, (char)toupper((unsigned char)*c));
	strbuf_add_char(out, '\n');
}

void roff_entry(struct strbuf *out, const char *name, const char *words)
{
	strbuf_add(out, ".TP\n\\fB");
	add_text(out, name);
	strbuf_add(out, "\\fR\n");
	add_text(out, words);
	strbuf_add_char(out, '\n');
}

void roff_paragraph(struct strbuf *out, const char *words)
{
	strbuf_add(out, ".PP\n");
	add_text(out, words);
	strbuf_add_char(out, '\n');
}

void roff_example(struct strbuf *out, const char *lines)
{
	strbuf_add(out, ".PP\n.nf\n.RS 4\n");
	add_text(out, lines);
	strbuf_add(out, "\n.RE\n.fi\n");
}

static size_t blanks_of(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && text[count] == ' ')
		count++;
	return count;
}

/* Where the gap behind the name begins; `length`: there is none. */
static size_t gap_of(const char *text, size_t length)
{
	for (size_t i = 0; i + 1 < length; i++)
		if (text[i] == ' ' && text[i + 1] == ' ')
			return i;
	return length;
}

/* The heading up to what the screen says behind it about keys; "##" begins a part of a section. */
static void add_heading(struct strbuf *out, const char *line, size_t length)
{
	size_t end = 2;

	if (line[1] == '#') {
		strbuf_add(out, ".SS ");
		roff_add(out, line + 3, length - 3);
		strbuf_add_char(out, '\n');
		return;
	}
	strbuf_add(out, ".SH ");
	while (end < length && !(line[end] == ' ' && end + 1 < length && line[end + 1] == '('))
		strbuf_add_char(out, (char)toupper((unsigned char)line[end++]));
	strbuf_add_char(out, '\n');
}

static void add_entry(struct strbuf *out, const char *line, size_t length, size_t gap)
{
	const size_t words = gap + blanks_of(line + gap, length - gap);

	strbuf_add(out, ".TP\n\\fB");
	roff_add(out, line, gap);
	strbuf_add(out, "\\fR\n");
	roff_add(out, line + words, length - words);
	strbuf_add_char(out, '\n');
}

static void add_line(struct strbuf *out, const char *line, size_t length)
{
	const size_t indent = blanks_of(line, length);
	const size_t gap = gap_of(line + indent, length - indent);

	if (length == 0)
		return;
	if (line[0] == '#') {
		add_heading(out, line, length);
	} else if (indent > INDENT) {
		strbuf_add(out, ".br\n");
		roff_add(out, line + indent, length - indent);
		strbuf_add_char(out, '\n');
	} else if (gap < length - indent) {
		add_entry(out, line + indent, length - indent, gap);
	} else {
		strbuf_add(out, ".PP\n");
		roff_add(out, line + indent, length - indent);
		strbuf_add_char(out, '\n');
	}
}

void roff_help(struct strbuf *out, const char *text)
{
	while (*text != '\0') {
		const size_t length = strcspn(text, "\n");

		add_line(out, text, length);
		text += length;
		text += *text == '\n';
	}
}
