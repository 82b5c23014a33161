/* The words of the set-up page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/metric.h"
#include "view/column.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/complete.h"
#include "mode/mode.h"
#include "mode/settings.h"
#include "mode/setup.h"
#include "widget/frame.h"
#include "widget/setup.h"

enum {
	WORD_MAX = 64,
	TITLE_MAX = 80
};

/* Everything that the picture points to. */
struct show {
	struct app *app;
	const char *tabs[APP_VIEWS_MAX + 1];
	char titles[2][TITLE_MAX];
	struct setup_line *lines[2]; /* owned */
	char (*words[2])[WORD_MAX];  /* owned; one for each line */
	struct strbuf detail;
};

/* clang-format off */
static const struct frame_key column_keys[] = {
	{"Enter",      "add"},
	{"Del",        "remove"},
	{"F7 F8",      "move"},
	{"+ -",        "width"},
	{"Tab",        "other list"},
	{"Left Right", "other view"},
	{"r",          "default"},
	{"s",          "save"},
	{"F10",        "save, back"},
	{"Esc",        "back"},
};

static const struct frame_key choice_keys[] = {
	{"Enter",      "choose"},
	{"Tab",        "other list"},
	{"Left Right", "views"},
	{"s",          "save"},
	{"F10",        "save, back"},
	{"Esc",        "back"},
};
/* clang-format on */

static void fill_column(const struct column *column, enum setup_side side, struct setup_line *line,
			char *word)
{
	*line = (struct setup_line){
		.name = column->name,
		.note = side == SETUP_SHOWN ? column->title : column_help(column),
		.tail = side == SETUP_SHOWN ? word : "",
	};
	snprintf(word, WORD_MAX, "%d", column->width);
}

/* The word that holds now; "" by default. */
static void find_value(const struct app *app, const char *choice, char *word)
{
	struct strbuf value = {0};

	settings_value(app, choice, &value);
	snprintf(word, WORD_MAX, "%s", strbuf_text(&value));
	strbuf_fini(&value);
}

/* A setting with its value; a word with a mark where it is the value. */
static void fill_choice(struct app *app, enum setup_side side, size_t index,
			struct setup_line *line, char *word)
{
	const char *choice =
		setup_choice(app, side == SETUP_SHOWN ? index : app->setup->cursors[0].at);

	find_value(app, choice, word);
	if (side == SETUP_SHOWN) {
		*line = (struct setup_line){.name = choice, .note = word, .tail = ""};
		if (word[0] == '\0')
			line->note = "default";
		return;
	}
	*line = (struct setup_line){.name = app->complete->words[index].name, .tail = ""};
	line->note = strcmp(line->name, word) == 0 ? "current" : "";
}

static void fill_list(struct show *show, enum setup_side side, struct setup_list_picture *picture)
{
	struct app *app = show->app;
	const struct cursor *cursor = &app->setup->cursors[side];
	const bool is_view = setup_view(app, app->setup->tab) < app->view_count;
	const size_t left = setup_count(app, side) - cursor->top;
	const size_t page = setup_page(app->screen.width, app->screen.height);
	const size_t count = left < page ? left : page;

	show->lines[side] = xcalloc(count, sizeof(*show->lines[side]));
	show->words[side] = xcalloc(count, sizeof(*show->words[side]));
	for (size_t i = 0; i < count; i++) {
		const size_t index = cursor->top + i;

		if (is_view)
			fill_column(app->setup->columns[side].columns[index], side,
				    &show->lines[side][i], show->words[side][i]);
		else
			fill_choice(app, side, index, &show->lines[side][i], show->words[side][i]);
	}
	*picture = (struct setup_list_picture){
		.title = show->titles[side],
		.lines = show->lines[side],
		.line_count = count,
		.selected = cursor->at - cursor->top,
		.nothing = "no others",
	};
}

static void write_titles(struct show *show)
{
	struct app *app = show->app;
	const size_t view = setup_view(app, app->setup->tab);
	const size_t counts[2] = {setup_count(app, SETUP_SHOWN), setup_count(app, SETUP_AVAILABLE)};

	if (view == app->view_count) {
		snprintf(show->titles[0], TITLE_MAX, "setting");
		snprintf(show->titles[1], TITLE_MAX, "values");
		return;
	}
	snprintf(show->titles[0], TITLE_MAX, "shown: %zu column%s", counts[0],
		 units_plural(counts[0]));
	snprintf(show->titles[1], TITLE_MAX, "available: %zu", counts[1]);
}

static void write_detail(struct show *show)
{
	const struct app *app = show->app;
	const enum setup_side side = app->setup->side;
	const struct column_list *list = &app->setup->columns[side];
	const size_t at = app->setup->cursors[side].at;
	const struct command_info *info;
	const char *argument;

	if (setup_view(app, app->setup->tab) == app->view_count) {
		info = command_find(app->commands,
				    setup_choice(app, app->setup->cursors[SETUP_SHOWN].at),
				    &argument, NULL);
		strbuf_printf(&show->detail, "%s: %s", info->name, info->help);
		return;
	}
	if (at >= list->count)
		return;
	strbuf_printf(&show->detail, "%s: %s", list->columns[at]->name,
		      column_help(list->columns[at]));
	if (list->columns[at]->info)
		strbuf_printf(&show->detail, "\n= %s. %s", list->columns[at]->info->formula,
			      list->columns[at]->info->good);
}

static size_t fill_tabs(struct show *show)
{
	const struct app *app = show->app;
	const size_t count = setup_tabs(app);

	for (size_t i = 0; i < count; i++) {
		const size_t view = setup_view(app, i);

		show->tabs[i] = view < app->view_count ? app->views[view].info->title : "settings";
	}
	return count;
}

void setup_show(struct app *app, struct frame *frame)
{
	struct show show = {.app = app};
	struct setup_picture picture = {
		.tabs = show.tabs,
		.active_tab = app->setup->tab,
		.active_list = app->setup->side,
		.state = app->setup->is_changed ? "not saved" : "",
		.message = app->message,
		.message_is_error = app->message_is_error,
	};
	const bool is_view = setup_view(app, app->setup->tab) < app->view_count;

	setup_refresh(app);
	picture.tab_count = fill_tabs(&show);
	picture.keys = is_view ? column_keys : choice_keys;
	picture.key_count = is_view ? sizeof(column_keys) / sizeof(*column_keys)
				    : sizeof(choice_keys) / sizeof(*choice_keys);
	write_titles(&show);
	fill_list(&show, SETUP_SHOWN, &picture.lists[SETUP_SHOWN]);
	fill_list(&show, SETUP_AVAILABLE, &picture.lists[SETUP_AVAILABLE]);
	write_detail(&show);
	picture.detail = strbuf_text(&show.detail);
	frame->setup = &picture;
	frame_draw(&app->screen, frame);
	frame->setup = NULL;
	for (size_t i = 0; i < 2; i++) {
		free(show.lines[i]);
		free(show.words[i]);
	}
	strbuf_fini(&show.detail);
}

static bool is_open(const struct app *app)
{
	return app->setup->is_open;
}

static void click(struct app *app, struct hit hit, bool is_right)
{
}

const struct mode setup_mode = {
	.is_open = is_open,
	.key = setup_key,
	.click = click,
	.draw = setup_show,
};
