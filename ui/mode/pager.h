#ifndef PERFTOP_PAGER_H
#define PERFTOP_PAGER_H

/*
 * Text over the table, scrolled by keys and searched: the help, and what modes of their own are:
 * the page of a task (page.c), and that of a function (code_page.c).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "view/text_marks.h"

#include "widget/pager_text.h"
#include "widget/prompt.h"

struct app;
struct frame;
struct frame_key;
struct mode;

struct pager {
	const struct mode *mode; /* that shows this text */
	struct strbuf text;
	struct text_marks marks; /* of its lines */
	struct pager_text shown; /* borrows text, marks and words */
	struct prompt search;
	struct strbuf words; /* that were searched for last */
	size_t origin;       /* first line when the search began: Esc goes back there */
	size_t match;        /* line that was found last */
};

/* The text is this one from now on, and its marks (NULL: it has none): both are taken over. */
void pager_set_text(struct app *app, struct strbuf *text, struct text_marks *marks);

/* Shows that text from its beginning in place of any other, under a title, which is borrowed. */
void pager_open(struct app *app, const struct mode *mode, const char *title);
void pager_close(struct app *app);

/* What the modes of pages have in common. False: the key is another one. */
bool pager_key(struct app *app, uint32_t key);      /* scrolls, or searches */
bool pager_leaves(struct app *app, uint32_t key);   /* leaves the page, for a view by its key */
bool pager_time_key(struct app *app, uint32_t key); /* what it is everywhere */
void pager_say_keys(struct app *app);
void pager_show(struct app *app, struct frame *frame);
size_t pager_keys(const struct app *app, struct frame_key *keys, size_t max);

#endif
