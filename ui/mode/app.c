/* What everything on the screen has in common: words for the user, and what is shown. */
#include "mode/app.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "kernel/sys.h"

#include "mode/app_run.h"
#include "mode/command.h"
#include "playback/playback.h"
#include "session/child.h"
#include "session/engine.h"
#include "session/loop.h"
#include "session/options.h"
#include "term/key.h"
#include "term/term.h"
#include "widget/frame.h"

/* Long enough to be read, however short the intervals are. */
static const uint64_t MESSAGE_NS = UINT64_C(4000000000);

void app_init_views(struct app *app)
{
	size_t count;
	const struct view_info *const *table = view_table_of_views(&count);

	for (size_t i = 0; i < count && i < APP_VIEWS_MAX; i++) {
		struct app_view *view = &app->views[app->view_count++];

		view->info = table[i];
		view->list.is_log = table[i]->is_log;
	}
}

void app_follow_forms(struct app *app)
{
	const struct view_forms forms = {
		.calls = app->settings.calls,
		.pairs = app->settings.pairs,
		.group_by = app->settings.group_by,
	};

	for (size_t i = 0; i < app->view_count; i++)
		app->views[i].info = view_in_form(app->views[i].info, &forms);
}

struct app_view *app_current(struct app *app)
{
	return &app->views[app->view];
}

const struct snapshot *app_snapshot(const struct app *app)
{
	return playback_snapshot(app->playback);
}

const struct metrics *app_metrics(struct app *app)
{
	return playback_metrics(app->playback);
}

void app_say(struct app *app, bool is_error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(app->message.text, sizeof(app->message.text), format, arguments);
	va_end(arguments);
	app->message.is_error = is_error;
	app->message.is_answer = false;
	app->message.asks_to_quit = false;
	app->message.until_ns = sys_now_ns() + MESSAGE_NS;
	app->needs_drawing = true;
}

void app_unsay(struct app *app)
{
	app->message.text[0] = '\0';
	app->message.is_answer = false;
	app->needs_drawing = true;
}

void app_refuse(struct app *app, const struct error *error)
{
	app_say(app, true, "%s%s%s", error->text, error->remedy[0] != '\0' ? "; " : "",
		error->remedy);
}

const struct view_row *app_row(struct app *app)
{
	size_t place = app_current(app)->list.cursor.at;

	return place < view_table_row_count(app->table) ? view_table_row(app->table, place) : NULL;
}

void app_redraw_all(struct app *app)
{
	term_repaint(app->term);
	app->needs_drawing = true;
}

void app_leave(struct app *app)
{
	const struct rounds *rounds = app->parts[PART_rounds];

	loop_quit(rounds->loop);
}

void app_quit(struct app *app)
{
	struct child *child = engine_child(app->engine);
	const bool runs = child->pid > 0 && !child_collect(child);

	if (runs && (!app->message.asks_to_quit || sys_now_ns() > app->message.until_ns)) {
		app_say(app, true, "%s still runs; q again ends it (SIGTERM)",
			app->options->command[0]);
		app->message.asks_to_quit = true;
		return;
	}
	if (runs)
		child_signal(child, SIGTERM);
	app_leave(app);
}

int app_shows_command_lines(const struct app *app)
{
	const int chosen = app->settings.command_lines;

	return chosen != SETTING_UNSET ? chosen : app->screen.width >= APP_WIDE;
}

void app_resize(struct app *app)
{
	int width, height;

	term_resized(app->term);
	term_size(app->term, &width, &height);
	screen_resize(&app->screen, width, height);
	app->needs_build = true; /* strips and pages are as wide as the screen */
	app->needs_drawing = true;
}

/* Index of the uppermost. */
static size_t top_mode(const struct app *app)
{
	size_t i = 0;

	while (app->modes[i + 1])
		i++;
	return i;
}

const struct mode *mode_top(const struct app *app)
{
	return app->modes[top_mode(app)];
}

bool mode_is_open(const struct app *app, const struct mode *mode)
{
	for (size_t i = 0; app->modes[i]; i++)
		if (app->modes[i] == mode)
			return true;
	return false;
}

void mode_close(struct app *app, const struct mode *mode)
{
	size_t kept = 0;

	for (size_t i = 0; app->modes[i]; i++)
		if (app->modes[i] != mode)
			app->modes[kept++] = app->modes[i];
	app->modes[kept] = NULL;
	app->needs_drawing = true;
}

void mode_open(struct app *app, const struct mode *mode)
{
	mode_close(app, mode);
	app->modes[top_mode(app) + 1] = mode;
}

size_t mode_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	size_t i = top_mode(app);

	while (!app->modes[i]->keys)
		i--;
	return app->modes[i]->keys(app, keys, max);
}

void mode_show(struct app *app, struct frame *frame)
{
	for (size_t i = 0; app->modes[i]; i++)
		if (app->modes[i]->show)
			app->modes[i]->show(app, frame);
}

void mode_draw(struct app *app, struct frame *frame)
{
	size_t i = top_mode(app);

	while (!app->modes[i]->draw)
		i--;
	app->modes[i]->draw(app, frame);
	for (i++; app->modes[i]; i++)
		if (app->modes[i]->draw_over)
			app->modes[i]->draw_over(app, frame);
}

enum {
	WHEEL_LINES = 3
};

/* The wheel is so many arrow keys. */
static void roll(struct app *app, uint32_t arrow)
{
	for (int i = 0; i < WHEEL_LINES; i++)
		mode_top(app)->key(app, arrow);
}

uint32_t mouse_take(struct app *app, uint32_t key)
{
	const struct mode *mode = mode_top(app);
	struct hit hit;
	int x, y;

	if (key < KEY_CODE_POINTER || key > KEY_CODE_POINTER_LAST)
		return key;
	if (!mode->click)
		return KEY_CODE_NONE;
	term_pointer(app->term, &x, &y);
	hit = screen_find(&app->screen, x, y);
	switch (key) {
	case KEY_CODE_WHEEL_UP:
		roll(app, KEY_CODE_UP);
		break;
	case KEY_CODE_WHEEL_DOWN:
		roll(app, KEY_CODE_DOWN);
		break;
	case KEY_CODE_CLICK_RIGHT:
		mode->click(app, hit, true);
		break;
	case KEY_CODE_CLICK:
		if (hit.kind == HIT_KEY)
			return (uint32_t)hit.index;
		mode->click(app, hit, false);
		break;
	default:
		break;
	}
	return KEY_CODE_NONE;
}

void mouse_switched(struct app *app)
{
	const bool is_on = app->settings.mouse;

	if (app->term && !term_set_mouse(app->term, is_on) && is_on)
		app_say(app, false, "this terminal does not report the mouse");
	else if (!app->is_starting)
		app_say(app, false, is_on ? "mouse on; hold Shift to select text" : "mouse off");
}

/* Text that the terminal says was pasted: it is typed where text is asked for, in one line, and is
 * no keys elsewhere, since a letter there is a command. */
struct paste {
	bool is_on;    /* between its beginning and its end */
	bool has_text; /* of it something was typed */
	bool has_gap;  /* a line has ended in it: a blank, if anything follows */
	bool was_said; /* that it is left out */
};

const struct app_part part_paste = {.bytes = sizeof(struct paste)};

static void take_character(struct app *app, uint32_t key)
{
	const struct mode *mode = mode_top(app);
	struct paste *pasting = app->parts[PART_paste];

	if (!mode->takes_text) {
		if (!pasting->was_said)
			app_say(app, false, "pasted text ignored: open a prompt first");
		pasting->was_said = true;
		return;
	}
	if (key < KEY_CODE_SPACE) {
		pasting->has_gap = pasting->has_text;
		return;
	}
	if (pasting->has_gap)
		mode->key(app, KEY_CODE_SPACE);
	pasting->has_gap = false;
	pasting->has_text = true;
	mode->key(app, key);
}

bool paste_take(struct app *app, uint32_t key)
{
	struct paste *pasting = app->parts[PART_paste];

	if (key == KEY_CODE_PASTE_BEGIN || key == KEY_CODE_PASTE_END) {
		*pasting = (struct paste){.is_on = key == KEY_CODE_PASTE_BEGIN};
		return true;
	}
	/* what cannot be pasted: the end has been lost */
	if (key >= KEY_CODE_SPECIAL || key == KEY_CODE_ESCAPE)
		pasting->is_on = false;
	if (!pasting->is_on)
		return false;
	take_character(app, key);
	return true;
}
