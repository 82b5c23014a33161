#include "mode/mouse.h"

#include "mode/app.h"
#include "mode/mode.h"
#include "term/key.h"
#include "term/term.h"

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
	hit = hit_map_find(&app->screen.hits, x, y);
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

void mouse_switch(struct app *app, bool is_on)
{
	app->mouse_is_off = !is_on;
	if (app->term && !term_set_mouse(app->term, is_on) && is_on)
		app_say(app, false, "this terminal does not report the mouse");
	else if (!app->is_starting)
		app_say(app, false, is_on ? "mouse on; hold Shift to select text" : "mouse off");
}
