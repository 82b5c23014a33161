#include "widget/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#include "term/key.h"
#include "term/screen.h"
#include "widget/paragraph.h"

/*
 * Line editing on UTF-8 bytes. The cursor is always before a base character or at the end,
 * never between a base and its combining characters. What enters the text has been
 * checked: no control characters, well-formed UTF-8.
 */

enum {
	ERROR_GAP = 2,
	TEXT_BYTES_MAX = 4096, /* longer input is a paste gone astray */
	DELETE_CHARACTER = 127,
};

/* Whether the text can be shown as it is: what could act on a terminal would be written as \xNN. */
static bool is_harmless_text(const char *text)
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
	if (text && strlen(text) <= TEXT_BYTES_MAX && is_harmless_text(text))
		strbuf_add(&prompt->text, text);
	prompt->cursor = prompt->text.length;
	text_safe(prompt->label, sizeof(prompt->label), label, false);
	prompt->error[0] = '\0';
	prompt->has_fault = false;
	prompt->is_proposed = false;
	prompt->is_open = true;
}

void prompt_propose(struct prompt *prompt, const char *label, const char *text)
{
	prompt_open(prompt, label, text);
	prompt->is_proposed = prompt->text.length > 0;
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

	if (text_decode(prompt->text.text + offset, prompt->text.length - offset, &code) <= 0)
		return false;
	return text_char_width(code) == 0;
}

static size_t previous(const struct prompt *prompt, size_t offset)
{
	while (offset > 0) {
		offset--;
		/* continuation bytes of UTF-8 are 10xxxxxx */
		if ((prompt->text.text[offset] & 0xc0) != 0x80 && !combines(prompt, offset))
			break;
	}
	return offset;
}

void prompt_refuse(struct prompt *prompt, const char *error, size_t fault)
{
	snprintf(prompt->error, sizeof(prompt->error), "%s", error);
	prompt->has_fault = fault <= prompt->text.length;
	if (!prompt->has_fault)
		return;
	/* a parser counts bytes: to the beginning of what it stopped in */
	prompt->cursor = fault;
	if (fault < prompt->text.length)
		prompt->cursor = previous(prompt, fault + 1);
}

static size_t next_offset(const struct prompt *prompt, size_t offset)
{
	while (offset < prompt->text.length) {
		offset++;
		if (offset == prompt->text.length)
			break;
		if ((prompt->text.text[offset] & 0xc0) != 0x80 && !combines(prompt, offset))
			break;
	}
	return offset;
}

/* Beginning of the word before the cursor, as the shell's ^W sees it: blanks separate. */
static size_t word_begin(const struct prompt *prompt)
{
	size_t offset = prompt->cursor;

	while (offset > 0 && prompt->text.text[offset - 1] == ' ')
		offset--;
	while (offset > 0 && prompt->text.text[offset - 1] != ' ')
		offset--;
	return offset;
}

/* Replaces the bytes [from, to) and puts the cursor behind what came in. */
static enum prompt_result replace_bytes(struct prompt *prompt, size_t from, size_t to,
					const char *bytes, size_t count)
{
	struct strbuf text = {0};

	if (from == to && count == 0)
		return PROMPT_GOES_ON;
	strbuf_add_bytes(&text, strbuf_text(&prompt->text), from);
	strbuf_add_bytes(&text, bytes, count);
	strbuf_add(&text, strbuf_text(&prompt->text) + to);
	strbuf_fini(&prompt->text);
	prompt->text = text;
	prompt->cursor = from + count;
	return PROMPT_CHANGED;
}

static enum prompt_result move_to_offset(struct prompt *prompt, size_t offset)
{
	prompt->cursor = offset;
	return PROMPT_GOES_ON;
}

static enum prompt_result erase(struct prompt *prompt, size_t from, size_t to)
{
	return replace_bytes(prompt, from, to, "", 0);
}

static enum prompt_result insert_code(struct prompt *prompt, uint32_t code)
{
	const size_t at = prompt->cursor;
	char bytes[4];

	if (code < KEY_CODE_SPACE || code >= KEY_CODE_SPECIAL)
		return PROMPT_GOES_ON;
	const size_t count = text_encode(bytes, code);
	if (prompt->text.length + count > TEXT_BYTES_MAX)
		return PROMPT_GOES_ON;
	/* whether a combining character may be here depends on what is before it */
	replace_bytes(prompt, at, at, bytes, count);
	if (!is_harmless_text(prompt_text(prompt))) {
		erase(prompt, at, at + count);
		return PROMPT_GOES_ON;
	}
	return PROMPT_CHANGED;
}

/* What is wrong with it was said of another text, which was no proposal. */
static void forget_error(struct prompt *prompt)
{
	prompt->is_proposed = false;
	prompt->error[0] = '\0';
	prompt->has_fault = false;
}

void prompt_set(struct prompt *prompt, const char *text)
{
	forget_error(prompt);
	if (strlen(text) <= TEXT_BYTES_MAX && is_harmless_text(text))
		replace_bytes(prompt, 0, prompt->text.length, text, strlen(text));
}

bool prompt_replace_word(struct prompt *prompt, size_t from, const char *word)
{
	const size_t length = strlen(word);
	const size_t old = prompt->cursor - from;

	forget_error(prompt);
	if ((old == length && memcmp(strbuf_text(&prompt->text) + from, word, length) == 0) ||
	    prompt->text.length - old + length > TEXT_BYTES_MAX || !is_harmless_text(word))
		return false;
	replace_bytes(prompt, from, prompt->cursor, word, length);
	return true;
}

enum prompt_result prompt_key(struct prompt *prompt, uint32_t key)
{
	const bool is_proposed = prompt->is_proposed;
	const size_t end = prompt->text.length;

	forget_error(prompt);
	switch (key) {
	case KEY_CODE_ENTER:
		return PROMPT_DONE;
	case KEY_CODE_ESCAPE:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		return PROMPT_LEFT;
	case KEY_CODE_BACKSPACE:
	case KEY_CTRL('H'):
	case DELETE_CHARACTER:
		if (end == 0)
			return PROMPT_LEFT;
		return erase(prompt, previous(prompt, prompt->cursor), prompt->cursor);
	case KEY_CODE_DELETE:
		return erase(prompt, prompt->cursor, next_offset(prompt, prompt->cursor));
	case KEY_CODE_LEFT:
		return move_to_offset(prompt, previous(prompt, prompt->cursor));
	case KEY_CODE_RIGHT:
		return move_to_offset(prompt, next_offset(prompt, prompt->cursor));
	case KEY_CODE_HOME:
	case KEY_CTRL('A'):
		return move_to_offset(prompt, 0);
	case KEY_CODE_END:
	case KEY_CTRL('E'):
		return move_to_offset(prompt, end);
	case KEY_CTRL('U'):
		return erase(prompt, 0, prompt->cursor);
	case KEY_CTRL('K'):
		return erase(prompt, prompt->cursor, end);
	case KEY_CTRL('W'):
		return erase(prompt, word_begin(prompt), prompt->cursor);
	default:
		if (is_proposed && key >= KEY_CODE_SPACE && key < KEY_CODE_SPECIAL)
			erase(prompt, 0, end);
		return insert_code(prompt, key);
	}
}

/* Leaves out characters at the beginning until at most `columns` columns remain. */
static const char *tail(const char *text, size_t columns)
{
	size_t width = text_width(text);

	while (width > columns) {
		uint32_t code;
		const int length = text_decode(text, strlen(text), &code);

		if (length <= 0)
			break;
		width -= (size_t)text_char_width(code);
		text += length;
	}
	return text;
}

/* The label has two thirds of the line at most. Where they are too few, what it says in brackets is
 * left out as a whole. */
static int draw_label(const struct prompt *prompt, struct screen *screen, int y)
{
	char label[sizeof(prompt->label)];
	const int most = screen->width - screen->width / 3;
	char *bracket;

	memcpy(label, prompt->label, sizeof(label));
	bracket = strstr(label, " (");
	if (bracket && text_width(label) > (size_t)most)
		*bracket = '\0';
	int x = paragraph_draw_cut(screen, 0, y, most, label, STYLE_PROMPT);

	/* "/" and ":" are labels by themselves */
	if (text_width(label) > 1)
		x = screen_text(screen, x, y, 2, ": ", STYLE_PROMPT);
	return x;
}

/* The error behind the text, if nothing in that is marked and all of it has room in a line that has
 * `x` columns used, or over it.
 * On the first line of a screen there is no over: what has room will do. */
static void draw_error(const struct prompt *prompt, struct screen *screen, int x, int y)
{
	struct strbuf error = {0};

	text_append_safe(&error, prompt->error, strlen(prompt->error), screen->is_ascii);
	const char *text = strbuf_text(&error);
	const int room = screen->width - x - ERROR_GAP;

	/* behind a text that is marked as wrong it would read on from it */
	if (y == 0 || (!prompt->has_fault && paragraph_width(text) <= room)) {
		paragraph_draw_cut(screen, x + ERROR_GAP, y, room, text, STYLE_ERROR);
	} else {
		const int wanted = paragraph_lines(text, screen->width);
		const int most = y < PROMPT_ERROR_LINES_MAX ? y : PROMPT_ERROR_LINES_MAX;
		const int lines = wanted < most ? wanted : most;

		for (int i = 1; i <= lines; i++)
			screen_fill(screen, 0, y - i, screen->width, " ", STYLE_NORMAL);
		paragraph_draw(screen, y - lines, lines, text, STYLE_ERROR);
	}
	strbuf_fini(&error);
}

void prompt_draw(const struct prompt *prompt, struct screen *screen, int y)
{
	const char *text = prompt_text(prompt);
	const enum style style = prompt->has_fault ? STYLE_ERROR : STYLE_PROMPT;
	const enum style before_style = prompt->is_proposed ? STYLE_TAB_ACTIVE : STYLE_PROMPT;
	struct strbuf before = {0};
	struct strbuf after = {0};

	text_append_safe(&before, text, prompt->cursor, screen->is_ascii);
	text_append_safe(&after, text + prompt->cursor, prompt->text.length - prompt->cursor,
			 screen->is_ascii);

	screen_fill(screen, 0, y, screen->width, " ", STYLE_NORMAL);
	int x = draw_label(prompt, screen, y);
	const int room = screen->width - x;
	const int end = x + (room > 1 ? room : 1);

	x = screen_text(screen, x, y, end - x, tail(strbuf_text(&before), (size_t)(end - x - 1)),
			before_style);
	screen->cursor_x = x < screen->width ? x : screen->width - 1;
	screen->cursor_y = y;
	x = screen_text(screen, x, y, end - x, strbuf_text(&after), style);
	if (prompt->error[0] != '\0')
		draw_error(prompt, screen, x, y);

	strbuf_fini(&before);
	strbuf_fini(&after);
}
