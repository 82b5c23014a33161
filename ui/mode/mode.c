#include "mode/mode.h"

#include "mode/app.h"
#include "term/key.h"
#include "term/term.h"
#include "widget/frame.h"

const struct mode *mode_top(const struct app *app)
{
	return app->modes[app->mode_count - 1];
}

bool mode_is_open(const struct app *app, const struct mode *mode)
{
	for (size_t i = 0; i < app->mode_count; i++)
		if (app->modes[i] == mode)
			return true;
	return false;
}

void mode_close(struct app *app, const struct mode *mode)
{
	size_t kept = 0;

	for (size_t i = 0; i < app->mode_count; i++)
		if (app->modes[i] != mode)
			app->modes[kept++] = app->modes[i];
	app->mode_count = kept;
	app->needs_drawing = true;
}

void mode_open(struct app *app, const struct mode *mode)
{
	mode_close(app, mode);
	app->modes[app->mode_count++] = mode;
}

size_t mode_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	size_t i = app->mode_count - 1;

	while (!app->modes[i]->keys)
		i--;
	return app->modes[i]->keys(app, keys, max);
}

void mode_show(struct app *app, struct frame *frame)
{
	for (size_t i = 0; i < app->mode_count; i++)
		if (app->modes[i]->show)
			app->modes[i]->show(app, frame);
}

void mode_draw(struct app *app, struct frame *frame)
{
	size_t i = app->mode_count - 1;

	while (!app->modes[i]->draw)
		i--;
	app->modes[i]->draw(app, frame);
	for (i++; i < app->mode_count; i++)
		if (app->modes[i]->draw_over)
			app->modes[i]->draw_over(app);
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

static void take_character(struct app *app, uint32_t key)
{
	const struct mode *mode = mode_top(app);
	struct paste *pasting = app->paste;

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
	struct paste *pasting = app->paste;

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
