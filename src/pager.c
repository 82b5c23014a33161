#include "pager.h"

#include "app.h"
#include "ui/key.h"

void pager_open(struct app *app, const char *title)
{
	app->pager = (struct frame_pager){
		.title = title,
		.text = strbuf_text(&app->pager_text),
	};
	app->pager_is_open = true;
	app->needs_drawing = true;
}

/* The help goes away with any other key, the page of a task with those that say so. */
static void other_pager_key(struct app *app, uint32_t key)
{
	if (!app->page.is_open) {
		app->pager_is_open = false;
		return;
	}
	switch (key) {
	case 'q':
	case KEY_CODE_ESCAPE:
	case KEY_CODE_ENTER:
		page_close(app);
		return;
	case 'Z':
		app_freeze(app, app->frozen == NULL);
		return;
	default:
		app_say(app, false, "q: back; arrows and page keys scroll; Z freezes");
		return;
	}
}

void pager_key(struct app *app, uint32_t key)
{
	size_t page = app->screen.height > 4 ? (size_t)app->screen.height - 4 : 1;
	size_t *top = &app->pager.top;

	app->needs_drawing = true;
	switch (key) {
	case KEY_CODE_UP:
		*top -= *top > 0;
		return;
	case KEY_CODE_DOWN:
		(*top)++;
		return;
	case KEY_CODE_PAGE_UP:
		*top -= *top > page ? page : *top;
		return;
	case KEY_CODE_PAGE_DOWN:
	case KEY_CODE_SPACE:
		*top += page;
		return;
	case KEY_CODE_HOME:
		*top = 0;
		return;
	case KEY_CODE_END:
		*top = SIZE_MAX / 2;
		return;
	default:
		other_pager_key(app, key);
		return;
	}
}
