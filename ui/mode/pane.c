#include "mode/pane.h"

#include <string.h>

#include "base/strbuf.h"
#include "view/table.h"
#include "view/text_marks.h"

#include "mode/app.h"
#include "mode/page.h"
#include "playback/playback.h"
#include "widget/frame.h"
#include "widget/pager_text.h"

enum {
	LINES_LEAST = 5, /* less says too little */
	GAP_MOST = 8     /* lines that a list may become shorter before it goes after it */
};

struct pane {
	bool is_made;
	/* what it was made of: */
	struct page_subject subject; /* pid 0: the processes that have ended */
	int lines, width;
	int y;              /* where it was drawn last; 0: nowhere */
	struct strbuf text; /* "": the task is unknown */
	struct text_marks marks;
	struct pager_text shown; /* borrows both */
};

static struct pane *pane_of(const struct app *app)
{
	return app->parts[PART_pane];
}

static void fini_pane(void *state)
{
	struct pane *pane = state;

	strbuf_fini(&pane->text);
	text_marks_fini(&pane->marks);
}

void pane_refresh(struct app *app)
{
	pane_of(app)->is_made = false;
}

static void make_pane(struct app *app, const struct page_subject *subject, int lines)
{
	struct pane *pane = pane_of(app);

	strbuf_clear(&pane->text);
	text_marks_clear(&pane->marks);
	if (subject->pid == 0)
		page_write_folded(app, page_folded_row(app), &pane->text);
	else
		page_write(app, subject, (size_t)lines, &pane->text, &pane->marks);
	pane->shown = (struct pager_text){.text = strbuf_text(&pane->text), .marks = &pane->marks};
	pane->subject = *subject;
	pane->lines = lines;
	pane->width = app->screen.width;
	pane->is_made = true;
}

/* Of the processes that have ended it is the row alone. False: there is nothing to be said. */
static bool take_selected(struct app *app, struct page_subject *subject)
{
	const struct view_row *row = page_folded_row(app);

	*subject = (struct page_subject){.id = row ? row->id : 0};
	return row || page_take_row(app, subject);
}

static bool is_of(const struct pane *pane, const struct page_subject *subject)
{
	return pane->subject.pid == subject->pid && pane->subject.tid == subject->tid &&
	       pane->subject.id == subject->id;
}

/* Rows come and go with each interval: it stays in its place as long as they leave it. */
static void settle_pane(const struct app *app, struct pane *pane, int y, int *lines)
{
	const int end = y + *lines;

	if (playback_is_still(app->playback) || pane->y < y || pane->y > y + GAP_MOST ||
	    end - pane->y < LINES_LEAST)
		pane->y = y;
	*lines = end - pane->y;
}

void pane_show(struct app *app, struct frame *frame)
{
	struct pane *pane = pane_of(app);
	struct page_subject subject;
	int y;
	int lines = app->request.settings.pane ? frame_free(&app->screen, frame, &y) : 0;

	if (lines < LINES_LEAST || !take_selected(app, &subject))
		return;
	if (!is_of(pane, &subject))
		pane->y = 0;
	settle_pane(app, pane, y, &lines);
	if (!pane->is_made || !is_of(pane, &subject) || pane->lines != lines ||
	    pane->width != app->screen.width)
		make_pane(app, &subject, lines);
	if (pane->text.length > 0)
		frame->pane = &pane->shown;
	frame->pane_y = pane->y;
}

const struct app_part part_pane = {.bytes = sizeof(struct pane), .fini = fini_pane};
