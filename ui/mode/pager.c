#include "mode/pager.h"

#include <string.h>

#include "base/list.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "term/key.h"
#include "widget/frame.h"

static const struct mode pager_search_mode;

static void fini_pager(void *state)
{
	struct pager *pager = state;

	strbuf_fini(&pager->text);
	strbuf_fini(&pager->words);
	text_marks_fini(&pager->marks);
	prompt_fini(&pager->search);
}

static struct pager *pager_of(const struct app *app)
{
	return app->parts[PART_pager];
}

void pager_set_text(struct app *app, struct strbuf *text, struct text_marks *marks)
{
	struct pager *pager = pager_of(app);

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
	app->needs_drawing = true;
}

void pager_open(struct app *app, const struct mode *mode, const char *title)
{
	struct pager *pager = pager_of(app);

	pager_close(app);
	strbuf_clear(&pager->words);
	pager->mode = mode;
	pager->shown = (struct pager_text){
		.title = title,
		.text = strbuf_text(&pager->text),
		.marks = &pager->marks,
		.bottom = SIZE_MAX,
	};
	mode_open(app, mode);
}

void pager_close(struct app *app)
{
	prompt_close(&pager_of(app)->search);
	mode_close(app, &pager_search_mode);
	mode_close(app, pager_of(app)->mode);
}

static size_t lines_of_page(const struct app *app)
{
	return app->screen.height > 4 ? (size_t)app->screen.height - 4 : 1;
}

bool pager_time_key(struct app *app, uint32_t key)
{
	const char *command = keys_bound(app->parts[PART_keys], key);

	if (!command || !keys_is_of_time(command))
		return false;
	command_do(app, "%s", command);
	return true;
}

/* To the next line with the words, from `from` on or before it; round the end. */
static void find_in_page(struct app *app, size_t from, bool back)
{
	struct pager *pager = pager_of(app);
	size_t line;

	pager->shown.words = strbuf_text(&pager->words);
	app_unsay(app); /* that another one had no match */
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
	const struct pager *pager = pager_of(app);
	const bool is_in_sight = pager->match >= pager->shown.top &&
				 pager->match - pager->shown.top < lines_of_page(app);

	return is_in_sight ? pager->match : pager->shown.top;
}

static void end_search(struct app *app)
{
	prompt_close(&pager_of(app)->search);
	mode_close(app, &pager_search_mode);
}

static void search_key(struct app *app, uint32_t key)
{
	struct pager *pager = pager_of(app);

	app->needs_drawing = true;
	switch (prompt_key(&pager->search, key)) {
	case PROMPT_LEFT:
		strbuf_clear(&pager->words);
		pager->shown.words = "";
		pager->shown.top = pager->origin;
		app_unsay(app);
		end_search(app);
		return;
	case PROMPT_DONE:
		end_search(app);
		return;
	case PROMPT_CHANGED:
		strbuf_clear(&pager->words);
		strbuf_add(&pager->words, prompt_text(&pager->search));
		pager->shown.top = pager->origin;
		app_unsay(app);
		if (pager->words.length > 0)
			find_in_page(app, pager->origin, false);
		return;
	case PROMPT_GOES_ON:
		return;
	}
}

bool pager_leaves(struct app *app, uint32_t key)
{
	const char *command = keys_bound(app->parts[PART_keys], key);
	const bool is_of_view = command && (strncmp(command, "view ", 5) == 0 ||
					    strcmp(command, "ask command") == 0);

	if (!is_of_view && key != 'q' && key != KEY_CODE_ESCAPE && key != KEY_CODE_BACKSPACE)
		return false;
	pager_close(app);
	if (is_of_view) {
		while (mode_top(app) != &table_mode) /* from which it may have been opened */
			mode_close(app, mode_top(app));
		command_do(app, "%s", command);
	}
	return true;
}

void pager_say_keys(struct app *app)
{
	app_say(app, false, "q: back; Up, Down and page keys scroll; Space pauses and resumes");
}

/* Lines up; from the last screenful at most, also where keys come faster than it is drawn. */
static void scroll_up(struct pager_text *shown, size_t lines)
{
	if (shown->top > shown->bottom)
		shown->top = shown->bottom;
	shown->top -= shown->top > lines ? lines : shown->top;
}

bool pager_key(struct app *app, uint32_t key)
{
	const size_t page = lines_of_page(app);
	struct pager *pager = pager_of(app);
	struct pager_text *shown = &pager->shown;

	app->needs_drawing = true;
	switch (key) {
	case '/':
	case KEY_CODE_F3:
		mode_open(app, &pager_search_mode);
		pager->origin = shown->top;
		prompt_open(&pager->search, "Search", "");
		return true;
	case 'n':
		find_in_page(app, match_or_top(app) + 1, false);
		return true;
	case 'N': /* as in less; p as over the table, where N orders by pid */
	case 'p':
		find_in_page(app, match_or_top(app), true);
		return true;
	case KEY_CODE_UP:
		scroll_up(shown, 1);
		return true;
	case KEY_CODE_DOWN:
		shown->top++;
		return true;
	case KEY_CODE_PAGE_UP:
		scroll_up(shown, page);
		return true;
	case KEY_CODE_PAGE_DOWN:
		shown->top += page;
		return true;
	case KEY_CODE_HOME:
		shown->top = 0;
		return true;
	case KEY_CODE_END:
		shown->top = SIZE_MAX / 2;
		return true;
	default:
		return false;
	}
}

/* The help goes away with any other key. */
static void take_pager_key(struct app *app, uint32_t key)
{
	if (pager_key(app, key))
		return;
	if (key == KEY_CODE_SPACE)
		pager_key(app, KEY_CODE_PAGE_DOWN);
	else if (!pager_leaves(app, key))
		pager_close(app);
}

/* clang-format off */
static const struct {
	const char *command;     /* that has the key; NULL: the key is always this one */
	const char *key, *label;
	bool is_own;             /* of those pages that name its label */
} page_keys[] = {
	{.key = "q",            .label = "back"},
	{.key = "Enter",        .label = "functions", .is_own = true},
	{.command = "samples",  .label = "wakers", .is_own = true},
	{.key = "a",            .label = "source/assembler", .is_own = true},
	{.key = "PgDn",         .label = "scroll"},
	{.command = "space",    .label = "pause/resume", .is_own = true},
	{.command = "left",     .label = "step", .is_own = true},
	{.command = "right",    .label = "step", .is_own = true},
	{.key = "/",            .label = "search"},
	{.key = "n",            .label = "next"},
	{.key = "p",            .label = "previous"},
};
/* clang-format on */

size_t pager_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	const char *own = pager_of(app)->mode->page_keys;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(page_keys) / sizeof(*page_keys) && count < max; i++) {
		const char *command = page_keys[i].command;
		const char *key =
			command ? keys_find(app->parts[PART_keys], command) : page_keys[i].key;

		if (key &&
		    (!page_keys[i].is_own || (own && word_list_has(own, page_keys[i].label))))
			keys[count++] = (struct frame_key){key, page_keys[i].label};
	}
	return count;
}

void pager_show(struct app *app, struct frame *frame)
{
	frame->pager = &pager_of(app)->shown;
}

static void show_search(struct app *app, struct frame *frame)
{
	frame->prompt = &pager_of(app)->search;
}

static const struct mode pager_search_mode = {
	.key = search_key,
	.takes_text = true,
	.click = table_mode_click,
	.show = show_search,
};

const struct mode pager_mode = {
	.key = take_pager_key,
	.is_page = true,
	.click = table_mode_click,
	.keys = pager_keys,
	.show = pager_show,
};

const struct app_part part_pager = {.bytes = sizeof(struct pager), .fini = fini_pager};
