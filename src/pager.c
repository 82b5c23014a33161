#include "pager.h"

#include "app.h"
#include "commands.h"
#include "keys.h"
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

static size_t page_of(const struct app *app)
{
	return app->screen.height > 4 ? (size_t)app->screen.height - 4 : 1;
}

/* The keys of time are what they are everywhere; of the help they are none. */
static bool page_time_key(struct app *app, uint32_t key)
{
	const char *command = keys_bound(&app->keys, key);
	struct error error = {0};

	if (command == NULL || !keys_is_of_time(command))
		return false;
	if (!command_run(app, command, &error))
		app_say(app, true, "%s", error.text);
	return true;
}

/* The help goes away with any other key, the page of a task with those that say so. */
static void other_pager_key(struct app *app, uint32_t key)
{
	if (!app->page.is_open && key == KEY_CODE_SPACE) {
		app->pager.top += page_of(app);
		return;
	}
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
	default:
		if (!page_time_key(app, key))
			app_say(app, false,
				"q: back; Up, Down and page keys scroll; Space stops and goes on");
		return;
	}
}

void pager_key(struct app *app, uint32_t key)
{
	const size_t page = page_of(app);
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
