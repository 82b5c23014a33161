#ifndef PERFTOP_PAGER_H
#define PERFTOP_PAGER_H

/* Text over the table, scrolled by keys and searched: the help, the page of a task, and that of a
 * function (code_page.h). */

/*
 * The page about one task over the table: written anew at each refresh, the place in it staying.
 * It works on a frozen screen too.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "view/text_marks.h"

#include "widget/pager_text.h"
#include "widget/prompt.h"

struct actor;
struct app;
struct error;
struct view_table;

struct pager {
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

struct page {
	bool is_open;
	int32_t pid, tid;         /* tid == pid: the process */
	uint64_t id;              /* as in task_page_input */
	struct view_table *table; /* owned; of what is on it */
	char title[80];
};

/*
 * Opens it for process or thread `words`; "": for the row or the cell under the cursor. False:
 * there is none, or it is unknown.
 */
bool page_open(struct app *app, const char *words, struct error *error);

/*
 * The task that is meant: `words`, or if that is "" that of the page, whose functions are shown, or
 * of the row or the cell under the cursor. False: none, and why. tid == pid: the process.
 */
bool page_find_task(struct app *app, const char *words, int32_t *pid, int32_t *tid,
		    struct error *error);

/* Says why there is none; false. */
bool page_refuse(struct app *app, struct error *error);

/* "nginx 4711" */
void page_name_task(const struct app *app, int32_t pid, int32_t tid, char *name, size_t size);

/* In views of the past: what the row or cell under the cursor is about, of a switch the outgoing
 * task, or the incoming one if that is no task; NULL: none. Good until the next interval. */
const struct actor *page_actor(struct app *app);
void page_close(struct app *app);

/* What is shown has changed. */
void page_refresh(struct app *app);

#endif
