#ifndef PERFTOP_PAGER_H
#define PERFTOP_PAGER_H

/* Text over the table, scrolled by keys and searched: the help, and the page of a task (page.h). */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "view/text_marks.h"

#include "widget/pager_text.h"
#include "widget/prompt.h"

struct app;

struct pager {
	bool is_open;
	struct strbuf text;
	struct text_marks marks; /* of its lines */
	struct pager_text shown; /* borrows text, marks and words */
	struct prompt search;
	struct strbuf words; /* that were searched for last */
	size_t origin;       /* first line when the search began: Esc goes back there */
	size_t match;        /* line that was found last */
};

/* An empty pager is {0}. */
void pager_fini(struct pager *pager);

/* The text is this one from now on, and its marks (NULL: it has none): both are taken over. */
void pager_set_text(struct pager *pager, struct strbuf *text, struct text_marks *marks);

/* Shows that text from its beginning, under a title, which is borrowed. */
void pager_open(struct app *app, const char *title);

void pager_close(struct app *app);

/* Keys while it is open. */
void pager_key(struct app *app, uint32_t key);

#endif
