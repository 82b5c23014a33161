#include "mode/pager.h"

#include <string.h>

#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/mode.h"
#include "mode/page.h"
#include "term/key.h"

void pager_fini(struct pager *pager)
{
	strbuf_fini(&pager->text);
	strbuf_fini(&pager->words);
	text_marks_fini(&pager->marks);
	prompt_fini(&pager->search);
}

void pager_set_text(struct pager *pager, struct strbuf *text, struct text_marks *marks)
{
	strbuf_fini(&pager->text);
	text_marks_fini(&pager->marks);
	pager->text = *text;
	*text = (struct strbuf){0};
	if (marks) {
		pager->marks = *marks;
		*marks = (struct text_marks){0};
	}
	pager->shown.text = strbuf_text(&pager->text);
	pager->shown.marks = &pager->marks;
}

void pager_open(struct app *app, const char *title)
{
	struct pager *pager = app->pager;

	strbuf_clear(&pager->words);
	pager->shown = (struct pager_text){
		.title = title,
		.text = strbuf_text(&pager->text),
		.marks = &pager->marks,
	};
	pager->is_open = true;
	app->needs_drawing = true;
}

void pager_close(struct app *app)
{
	prompt_close(&app->pager->search);
	app->pager->is_open = false;
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

	if (!command || !keys_is_of_time(command))
		return false;
	if (!command_run(app, command, &error))
		app_refuse(app, &error);
	return true;
}

static void search_begin_in(struct pager *pager)
{
	pager->origin = pager->shown.top;
	prompt_open(&pager->search, "Search", "");
}

/* To the next line with the words, from `from` on or before it; round the end. */
static void find(struct app *app, size_t from, bool back)
{
	struct pager *pager = app->pager;
	size_t line;

	pager->shown.words = strbuf_text(&pager->words);
	if (pager->words.length == 0)
		app_say(app, false, "press / to search");
	else if (pager_text_find(&pager->shown, app->screen.width, from, back, &line) ||
		 pager_text_find(&pager->shown, app->screen.width, back ? SIZE_MAX : 0, back,
				 &line))
		pager->shown.top = pager->match = line;
	else
		app_say(app, true, "no match for \"%s\"", strbuf_text(&pager->words));
}

/* From where to go on: what was found last need not be at the top, where the text ends. */
static size_t match_or_top(const struct app *app)
{
	const struct pager *pager = app->pager;
	const bool is_in_sight =
		pager->match >= pager->shown.top && pager->match - pager->shown.top < page_of(app);

	return is_in_sight ? pager->match : pager->shown.top;
}

static void search_key(struct app *app, uint32_t key)
{
	struct pager *pager = app->pager;

	switch (prompt_key(&pager->search, key)) {
	case PROMPT_LEFT:
		strbuf_clear(&pager->words);
		pager->shown.words = "";
		pager->shown.top = pager->origin;
		prompt_close(&pager->search);
		return;
	case PROMPT_DONE:
		prompt_close(&pager->search);
		return;
	case PROMPT_CHANGED:
		strbuf_clear(&pager->words);
		strbuf_add(&pager->words, prompt_text(&pager->search));
		pager->shown.top = pager->origin;
		if (pager->words.length > 0)
			find(app, pager->origin, false);
		return;
	case PROMPT_GOES_ON:
		return;
	}
}

/* The help goes away with any other key, the page of a task with those that say so. */
static void other_pager_key(struct app *app, uint32_t key)
{
	if (!app->page->is_open && key == KEY_CODE_SPACE) {
		app->pager->shown.top += page_of(app);
		return;
	}
	if (!app->page->is_open) {
		pager_close(app);
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
				"q: back; Up, Down and page keys scroll; Space pauses and resumes");
		return;
	}
}

void pager_key(struct app *app, uint32_t key)
{
	const size_t page = page_of(app);
	size_t *top = &app->pager->shown.top;

	app->needs_drawing = true;
	if (app->pager->search.is_open) {
		search_key(app, key);
		return;
	}
	switch (key) {
	case '/':
	case KEY_CODE_F3:
		search_begin_in(app->pager);
		return;
	case 'n':
		find(app, match_or_top(app) + 1, false);
		return;
	case 'N': /* as in less; p as over the table, where N orders by pid */
	case 'p':
		find(app, match_or_top(app), true);
		return;
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

/* clang-format off */
static const struct frame_key page_keys[] = {
	{"q",     "back"},
	{"Space", "pause/resume"},
	{"Left",  "step"},
	{"Right", "step"},
	{"PgDn",  "scroll"},
	{"/",     "search"},
};

static const struct frame_key help_keys[] = {
	{"q",     "back"},
	{"PgDn",  "scroll"},
	{"/",     "search"},
	{"n",     "next"},
	{"p",     "previous"},
};
/* clang-format on */

static size_t keys_of(const struct app *app, struct frame_key *keys, size_t max)
{
	memcpy(keys, app->page->is_open ? page_keys : help_keys,
	       app->page->is_open ? sizeof(page_keys) : sizeof(help_keys));
	return app->page->is_open ? sizeof(page_keys) / sizeof(*page_keys)
				  : sizeof(help_keys) / sizeof(*help_keys);
}

static bool is_open(const struct app *app)
{
	return app->pager->is_open;
}

static bool takes_text(const struct app *app)
{
	return app->pager->search.is_open;
}

static void show(struct app *app, struct frame *frame)
{
	frame->pager = &app->pager->shown;
	frame->prompt = app->pager->search.is_open ? &app->pager->search : NULL;
}

const struct mode pager_mode = {
	.is_open = is_open,
	.key = pager_key,
	.takes_text = takes_text,
	.click = table_mode_click,
	.keys = keys_of,
	.show = show,
};
