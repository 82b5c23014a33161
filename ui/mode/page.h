#ifndef PERFTOP_PAGE_H
#define PERFTOP_PAGE_H

/*
 * The page about one task over the table: written anew at each refresh, the place in it staying.
 * It works on a frozen screen too. And which task is meant by what is under the cursor.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/record.h"

struct actor;
struct app;
struct error;
struct strbuf;
struct text_marks;
struct view_row;
struct view_table;

/* What a page is about. */
struct page_subject {
	int32_t pid, tid;         /* tid == pid: the process */
	uint64_t id;              /* of a row; 0: any task with these numbers */
	char name[TASK_NAME_MAX]; /* raw bytes; "" unknown */
};

struct task_page {
	struct page_subject subject;
	struct view_table *table; /* owned; of what is on it */
	char title[80];
};

/*
 * Opens it for process or thread `words`; "": for the row or the cell under the cursor. False:
 * there is none, or it is unknown.
 */
bool page_open(struct app *app, const char *words, struct error *error);

/* The process it is about; 0: it is not open. */
int32_t page_pid(const struct app *app);

/* What is shown has changed. */
void page_refresh(struct app *app);

/* The task of the row or the cell under the cursor. False: there is none. */
bool page_take_row(struct app *app, struct page_subject *subject);

/* Appends the first lines of the page about it; lines 0: all. False: it is unknown. */
bool page_write(struct app *app, const struct page_subject *subject, size_t lines,
		struct strbuf *text, struct text_marks *marks);

/* The selected row, where it is of several processes that have ended; NULL: it is not. */
const struct view_row *page_folded_row(struct app *app);

/* Appends what is said of them in the place of a page. */
void page_write_folded(const struct app *app, const struct view_row *row, struct strbuf *text);

/*
 * The task that `words` name; "": that of the open page, else that whose functions are shown, else
 * that of the row or the cell under the cursor. False: there is none, error says why. tid == pid:
 * the process.
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

#endif
