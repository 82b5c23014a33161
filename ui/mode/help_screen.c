/*
 * F1: what there is in the view that is shown, in one screen: what its rows are, its columns, the
 * keys by topic. Enter opens the chapter of a line. A key that is no key here does what it says.
 */
#include "mode/help_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "model/snapshot.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/drawing.h"
#include "mode/help.h"
#include "mode/keys.h"
#include "mode/pager.h"
#include "term/key.h"
#include "widget/chooser.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

enum {
	KEYS_MAX = 160,
	LINES_MAX = 64,
	TITLE_WIDTH = 14,
	GAP = 2 /* between two keys */
};

struct help_screen {
	struct cursor cursor;
};

/* Lines of the topics that help.h lists; one with no text has keys. */
struct help_line {
	size_t topic;
	size_t begin, end; /* of the keys */
	const char *title; /* "" where it continues the line before */
	const char *text;
};

struct help_lines {
	struct help_line lines[LINES_MAX];
	size_t count;
	struct frame_key keys[KEYS_MAX];
	bool is_dim[KEYS_MAX];
	size_t key_count;
	struct strbuf columns; /* owned; titles of those that are shown */
};

static struct help_screen *help_screen_of(const struct app *app)
{
	return app->parts[PART_help_screen];
}

/* Keys of time do something else while it goes on, or nothing; NULL. */
static const char *live_label(const struct app *app, const char *command)
{
	if (strcmp(command, "space") == 0)
		return command_lacks(app, "tag") == 0 ? "tag" : NULL;
	if (strcmp(command, "step-back") == 0)
		return "step back";
	return strcmp(command, "ask jump") == 0 ? "jump" : NULL;
}

/* What a key does now, or would with another row; NULL: nothing. */
static const char *label_now(const struct app *app, const struct key_binding *binding)
{
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	const struct view_info *view = app->views[app->view].info;
	const struct drawing *drawing = app_drawing(app);
	const bool may_have_tasks =
		drawing ? drawing->actor != NULL : view_has_rows_of_a_task(view);
	const unsigned int lacks = command_lacks(app, binding->command);
	const char *label = table_mode_label(app, binding);

	if ((lacks & ~(may_have_tasks ? COMMAND_NEEDS_TASK : 0u)) != 0)
		return NULL;
	/* a row that is opened nowhere */
	if (strcmp(binding->command, "task") == 0 && !command_is_of_view(view, "task"))
		return NULL;
	if (strcmp(binding->command, "cpu-strips") == 0 && snapshot && snapshot->cpu_count == 0)
		return NULL;
	if (binding->when && word_list_has(binding->when, "frozen-line") &&
	    !playback_has_keys(app->playback))
		return live_label(app, binding->command);
	if (binding->when && strcmp(binding->when, "frozen,replay") == 0 &&
	    !playback_has_keys(app->playback))
		return NULL;
	return label ? label : binding->command;
}

static struct help_line *add_line(struct help_lines *lines, size_t topic, const char *title,
				  const char *text)
{
	struct help_line *line = &lines->lines[lines->count];

	*line = (struct help_line){topic, lines->key_count, lines->key_count, title, text};
	lines->count += lines->count + 1 < LINES_MAX;
	return line;
}

static int width_of_key(const struct frame_key *key)
{
	return paragraph_width(key->key) + 1 + paragraph_width(key->label) + GAP;
}

/* The keys of a topic, in as many lines as they need. */
static void add_topic(const struct app *app, struct help_lines *lines, size_t topic, int width)
{
	size_t count, places[KEYS_MAX];
	const struct key_binding *table = keys_now(app->parts[PART_keys], &count);
	const size_t used = help_list_topic(topic, table, count, places, KEYS_MAX);
	struct help_line *line = NULL;
	int x = width;

	for (size_t i = 0; i < used && lines->key_count < KEYS_MAX; i++) {
		const struct key_binding *binding = &table[places[i]];
		struct frame_key *key = &lines->keys[lines->key_count];

		*key = (struct frame_key){binding->key, label_now(app, binding)};
		if (!key->label)
			continue;
		if (!line || x + width_of_key(key) - GAP > width) {
			line = add_line(lines, topic, line ? "" : help_topics[topic], NULL);
			x = TITLE_WIDTH;
		}
		x += width_of_key(key);
		lines->is_dim[lines->key_count++] = command_lacks(app, binding->command) != 0;
		line->end = lines->key_count;
	}
}

static void make_help_lines(const struct app *app, struct help_lines *lines)
{
	const struct view_info *view = app->views[app->view].info;

	*lines = (struct help_lines){0};
	for (size_t i = 0; i < view_table_column_count(app->table); i++)
		strbuf_printf(&lines->columns, "%s%s", i > 0 ? "  " : "",
			      view_table_column(app->table, i)->title);
	add_line(lines, HELP_VIEW, view->name, view->help);
	if (lines->columns.length > 0)
		add_line(lines, HELP_COLUMNS, "Columns", strbuf_text(&lines->columns));
	for (size_t topic = 0; topic < TOPICS; topic++)
		add_topic(app, lines, topic, app->screen.width);
	add_line(lines, HELP_MANUAL, "Manual",
		 "columns, metrics, filters, events, commands; / searches all of it");
}

void help_screen_open(struct app *app)
{
	help_screen_of(app)->cursor = (struct cursor){0};
	mode_open(app, &help_mode);
}

static void open_chapter(struct app *app, size_t topic)
{
	struct strbuf text = {0};

	help_write_chapter(&text, app, topic);
	pager_set_text(app, &text, NULL);
	pager_open(app, &pager_mode, "Help (q: back, /: search)");
}

/* That of the line under the cursor. */
static void open_line(struct app *app)
{
	struct help_lines lines;

	make_help_lines(app, &lines);
	open_chapter(app, lines.lines[help_screen_of(app)->cursor.at].topic);
	strbuf_fini(&lines.columns);
}

static void take_help_key(struct app *app, uint32_t key)
{
	struct help_lines lines;
	size_t count;

	make_help_lines(app, &lines);
	count = lines.count;
	strbuf_fini(&lines.columns);
	app->needs_drawing = true;
	switch (chooser_key(&help_screen_of(app)->cursor, key, count, count)) {
	case CHOOSER_DONE:
		open_line(app);
		return;
	case CHOOSER_MOVED:
		return;
	case CHOOSER_LEFT:
		mode_close(app, &help_mode);
		return;
	case CHOOSER_OTHER:
		break;
	}
	if (key == '/' || key == KEY_CODE_F3) {
		open_chapter(app, HELP_MANUAL);
		pager_key(app, key);
		return;
	}
	mode_close(app, &help_mode);
	if (key != 'q' && key != 'h' && key != KEY_CODE_F1 && key != KEY_CODE_BACKSPACE)
		mode_top(app)->key(app, key);
}

static void click_help(struct app *app, struct hit hit, bool is_right)
{
	app->needs_drawing = true;
	if (chooser_click(&help_screen_of(app)->cursor, hit, is_right) == CHOOSER_DONE)
		open_line(app);
}

static void draw_help_line(void *context, struct screen *screen, size_t index, int x, int y,
			   int width)
{
	const struct help_lines *lines = context;
	const struct help_line *line = &lines->lines[index];

	paragraph_draw_cut(screen, x, y, TITLE_WIDTH - 1, line->title, STYLE_BOLD);
	x += TITLE_WIDTH;
	if (line->text)
		paragraph_draw_cut(screen, x, y, width - x, line->text, STYLE_NORMAL);
	for (size_t i = line->begin; i < line->end; i++) {
		const struct frame_key *key = &lines->keys[i];
		const bool is_dim = lines->is_dim[i];
		const int at = screen_text(screen, x, y, width - x, key->key,
					   is_dim ? STYLE_DIM : STYLE_KEY);

		screen_text(screen, at + 1, y, width - at - 1, key->label,
			    is_dim ? STYLE_DIM : STYLE_NORMAL);
		x += width_of_key(key);
	}
}

/* A chapter over it is drawn in its place. */
static void draw_help(struct app *app, struct frame *frame)
{
	static const struct frame_key keys[] = {
		{"Enter", "more of the line"},
		{"/", "search the manual"},
		{"q", "back"},
	};
	struct screen *screen = &app->screen;
	const int list_lines = screen->height - 3; /* title, message, keys */
	struct help_lines lines;
	const struct chooser chooser = {
		.cursor = &help_screen_of(app)->cursor,
		.nothing = "",
		.draw_line = draw_help_line,
		.context = &lines,
	};
	struct chooser list = chooser;

	if (frame->pager)
		frame_draw(screen, frame);
	if (frame->pager || !frame_begin(screen))
		return;
	make_help_lines(app, &lines);
	list.count = lines.count;
	screen_fill(screen, 0, 0, screen->width, " ", STYLE_TITLE_SORTED);
	paragraph_draw_cut(screen, 0, 0, screen->width,
			   "Help: Enter opens more of a line, other keys do what they say",
			   STYLE_TITLE_SORTED);
	chooser_draw(&list, screen, 0, 1, screen->width, larger(list_lines, 1), true);
	chooser_draw_message(screen, frame->message, frame->message_is_error, 1,
			     screen->height - 2);
	frame_draw_keys(screen, keys, sizeof(keys) / sizeof(*keys), screen->height - 1);
	strbuf_fini(&lines.columns);
}

const struct mode help_mode = {
	.key = take_help_key,
	.is_page = true,
	.click = click_help,
	.draw = draw_help,
};

const struct app_part part_help_screen = {.bytes = sizeof(struct help_screen)};
