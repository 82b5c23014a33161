#ifndef PERFTOP_WIDGET_PROMPT_H
#define PERFTOP_WIDGET_PROMPT_H

/*
 * One line of input at the bottom of the screen. Typing never stops the screen:
 * keys come in one by one and the caller is notified when the line is finished.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct screen;

enum prompt_result {
	PROMPT_GOES_ON, /* the key was used, or nothing happened */
	PROMPT_CHANGED, /* the text is another now */
	PROMPT_DONE,    /* Enter */
	PROMPT_LEFT     /* Escape, ^C, ^G; or Backspace in an empty line */
};

struct prompt {
	bool is_open;
	char label[160];    /* "Attach to pid or name" */
	struct strbuf text; /* what was typed, UTF-8 */
	size_t cursor;      /* byte offset in text, at a character's beginning */
	char error[1024];   /* why the last Enter was refused; shown behind the text, or over it
			       where there is no room; cleared by the next key */
	bool has_fault;     /* the error is about what is at the cursor */
	bool is_proposed;   /* the text is a proposal: the first character typed replaces it */
};

enum {
	PROMPT_ERROR_LINES_MAX = 3
};

void prompt_open(struct prompt *prompt, const char *label, const char *text);

/* The same with a text that is selected, as in a dialogue; any other key edits it. */
void prompt_propose(struct prompt *prompt, const char *label, const char *text);
void prompt_close(struct prompt *prompt);
void prompt_fini(struct prompt *prompt);
enum prompt_result prompt_key(struct prompt *prompt, uint32_t key);

/* Another text in place of the one that is there, the cursor behind it. */
void prompt_set(struct prompt *prompt, const char *text);

/* Puts a word in the place of what is between this byte and the cursor. False: that is what is
 * there. */
bool prompt_replace_word(struct prompt *prompt, size_t from, const char *word);

/*
 * Says why the text was refused. `fault`: byte offset of what is wrong; the cursor goes there.
 * SIZE_MAX: the text as a whole.
 */
void prompt_refuse(struct prompt *prompt, const char *error, size_t fault);

const char *prompt_text(const struct prompt *prompt); /* never NULL */

/* Draws the line at y; an error that has no room in it is above it. */
void prompt_draw(const struct prompt *prompt, struct screen *screen, int y);

#endif
