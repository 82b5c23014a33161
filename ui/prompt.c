#include "ui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/key.h"
#include "ui/screen.h"

/*
 * Line editing on UTF-8 bytes. The cursor always stands before a base character or at the end,
 * never between a base and its combining characters. What enters the text has been
 * checked: no control characters, well-formed UTF-8.
 */

enum {
	TEXT_BYTES_MAX = 4096, /* longer input is a paste gone astray */
	CTRL_A = 1,
	CTRL_C = 3,
	CTRL_E = 5,
	CTRL_G = 7,
	CTRL_H = 8,
	CTRL_K = 11,
	CTRL_U = 21,
	CTRL_W = 23,
	DELETE_CHARACTER = 127,
};

/* Whether the text can be shown as it is: what could act on a terminal would be written as \xNN. */
static bool is_harmless(const char *text)
{
	struct strbuf safe = {0};

	text_append_safe(&safe, text, strlen(text), false);
	const bool same = strcmp(strbuf_text(&safe), text) == 0;
	strbuf_fini(&safe);
	return same;
}

void prompt_open(struct prompt *prompt, const char *label, const char *text)
{
	strbuf_clear(&prompt->text);
	if (text && strlen(text) <= TEXT_BYTES_MAX && is_harmless(text)) {
		strbuf_add(&prompt->text, text);
	}
	prompt->cursor = prompt->text.length;
	text_safe(prompt->label, sizeof(prompt->label), label, false);
	prompt->error[0] = '\0';
	prompt->is_open = true;
}

void prompt_close(struct prompt *prompt)
{
	strbuf_clear(&prompt->text);
	prompt->cursor = 0;
	prompt->error[0] = '\0';
	prompt->is_open = false;
}

void prompt_fini(struct prompt *prompt)
{
	strbuf_fini(&prompt->text);
	*prompt = (struct prompt){0};
}

const char *prompt_text(const struct prompt *prompt)
{
	return strbuf_text(&prompt->text);
}

static bool combines(const struct prompt *prompt, size_t offset)
{
	uint32_t code;

	if (text_decode(prompt->text.text + offset, prompt->text.length - offset, &code) <= 0) {
		return false;
	}
	return text_char_width(code) == 0;
}

static size_t previous(const struct prompt *prompt, size_t offset)
{
	while (offset > 0) {
		offset--;
		/* continuation bytes of UTF-8 are 10xxxxxx */
		if ((prompt->text.text[offset] & 0xc0) != 0x80 && !combines(prompt, offset)) {
			break;
		}
	}
	return offset;
}

static size_t next(const struct prompt *prompt, size_t offset)
{
	while (offset < prompt->text.length) {
		offset++;
		if (offset == prompt->text.length) {
			break;
		}
		if ((prompt->text.text[offset] & 0xc0) != 0x80 && !combines(prompt, offset)) {
			break;
		}
	}
	return offset;
}

/* Beginning of the word before the cursor, as the shell's ^W sees it: blanks separate. */
static size_t word_begin(const struct prompt *prompt)
{
	size_t offset = prompt->cursor;

	while (offset > 0 && prompt->text.text[offset - 1] == ' ') {
		offset--;
	}
	while (offset > 0 && prompt->text.text[offset - 1] != ' ') {
		offset--;
	}
	return offset;
}

/* Replaces the bytes [from, to) and puts the cursor behind what came in. */
static enum prompt_result replace(struct prompt *prompt, size_t from, size_t to, const char *bytes,
				  size_t count)
{
	struct strbuf text = {0};

	if (from == to && count == 0) {
		return PROMPT_GOES_ON;
	}
	strbuf_add_bytes(&text, strbuf_text(&prompt->text), from);
	strbuf_add_bytes(&text, bytes, count);
	strbuf_add(&text, strbuf_text(&prompt->text) + to);
	strbuf_fini(&prompt->text);
	prompt->text = text;
	prompt->cursor = from + count;
	return PROMPT_CHANGED;
}

static enum prompt_result move(struct prompt *prompt, size_t offset)
{
	prompt->cursor = offset;
	return PROMPT_GOES_ON;
}

static enum prompt_result erase(struct prompt *prompt, size_t from, size_t to)
{
	return replace(prompt, from, to, "", 0);
}

static enum prompt_result insert(struct prompt *prompt, uint32_t code)
{
	const size_t at = prompt->cursor;
	char bytes[4];

	if (code < KEY_CODE_SPACE || code >= KEY_CODE_SPECIAL) {
		return PROMPT_GOES_ON;
	}
	const size_t count = text_encode(bytes, code);
	if (prompt->text.length + count > TEXT_BYTES_MAX) {
		return PROMPT_GOES_ON;
	}
	/* whether a combining character may stand here depends on what is before it */
	replace(prompt, at, at, bytes, count);
	if (!is_harmless(prompt_text(prompt))) {
		erase(prompt, at, at + count);
		return PROMPT_GOES_ON;
	}
	return PROMPT_CHANGED;
}

enum prompt_result prompt_key(struct prompt *prompt, uint32_t key)
{
	const size_t end = prompt->text.length;

	prompt->error[0] = '\0';
	switch (key) {
	case KEY_CODE_ENTER:
		return PROMPT_DONE;
	case KEY_CODE_ESCAPE:
	case CTRL_C:
	case CTRL_G:
		return PROMPT_LEFT;
	case KEY_CODE_BACKSPACE:
	case CTRL_H:
	case DELETE_CHARACTER:
		if (end == 0) {
			return PROMPT_LEFT;
		}
		return erase(prompt, previous(prompt, prompt->cursor), prompt->cursor);
	case KEY_CODE_DELETE:
		return erase(prompt, prompt->cursor, next(prompt, prompt->cursor));
	case KEY_CODE_LEFT:
		return move(prompt, previous(prompt, prompt->cursor));
	case KEY_CODE_RIGHT:
		return move(prompt, next(prompt, prompt->cursor));
	case KEY_CODE_HOME:
	case CTRL_A:
		return move(prompt, 0);
	case KEY_CODE_END:
	case CTRL_E:
		return move(prompt, end);
	case CTRL_U:
		return erase(prompt, 0, prompt->cursor);
	case CTRL_K:
		return erase(prompt, prompt->cursor, end);
	case CTRL_W:
		return erase(prompt, word_begin(prompt), prompt->cursor);
	default:
		return insert(prompt, key);
	}
}

/* Leaves out characters at the beginning until at most `columns` columns remain. */
static const char *tail(const char *text, size_t columns)
{
	size_t width = text_width(text);

	while (width > columns) {
		uint32_t code;
		const int length = text_decode(text, strlen(text), &code);

		if (length <= 0) {
			break;
		}
		width -= (size_t)text_char_width(code);
		text += length;
	}
	return text;
}

/* Columns for the typed text out of `columns`, so that some of the error can be seen behind it. */
static int text_room(const struct prompt *prompt, int columns)
{
	if (prompt->error[0] == '\0') {
		return columns;
	}
	const int wanted = (int)text_width(prompt->error) + 2;
	const int room = columns - wanted;
	const int least = columns / 3;
	return room > least ? room : least;
}

/* The label takes what the text leaves it, at most half of the line. */
static int draw_label(const struct prompt *prompt, struct screen *screen, int y)
{
	const size_t width = text_width(prompt->label);
	const size_t half = (size_t)screen->width / 2;
	int x = screen_text(screen, 0, y, (int)(width < half ? width : half), prompt->label,
			    STYLE_PROMPT);

	/* "/" and ":" are labels by themselves */
	if (width > 1) {
		x = screen_text(screen, x, y, 2, ": ", STYLE_PROMPT);
	}
	return x;
}

void prompt_draw(const struct prompt *prompt, struct screen *screen, int y, bool ascii)
{
	const char *text = prompt_text(prompt);
	struct strbuf before = {0};
	struct strbuf after = {0};
	struct strbuf error = {0};

	text_append_safe(&before, text, prompt->cursor, ascii);
	text_append_safe(&after, text + prompt->cursor, prompt->text.length - prompt->cursor,
			 ascii);
	text_append_safe(&error, prompt->error, strlen(prompt->error), ascii);

	screen_fill(screen, 0, y, screen->width, " ", STYLE_NORMAL);
	int x = draw_label(prompt, screen, y);
	const int room = text_room(prompt, screen->width - x);
	const int end = x + (room > 1 ? room : 1);

	x = screen_text(screen, x, y, end - x, tail(strbuf_text(&before), (size_t)(end - x - 1)),
			STYLE_PROMPT);
	screen->cursor_x = x < screen->width ? x : screen->width - 1;
	screen->cursor_y = y;
	x = screen_text(screen, x, y, end - x, strbuf_text(&after), STYLE_PROMPT);
	screen_text(screen, x + 2, y, screen->width - x - 2, strbuf_text(&error), STYLE_ERROR);

	strbuf_fini(&before);
	strbuf_fini(&after);
	strbuf_fini(&error);
}
