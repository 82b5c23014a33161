#include "command/pasting.h"

#include "app.h"
#include "ui/key.h"

#include "command/asking.h"
#include "screen/browser.h"
#include "screen/pager.h"

/* False: nothing here takes text. */
static bool takes_text(const struct app *app)
{
	return app->prompt.is_open || app->browser.is_open || app->pager.search.is_open;
}

static void type(struct app *app, uint32_t key)
{
	if (app->prompt.is_open)
		asking_key(app, key);
	else if (app->browser.is_open)
		browser_key(app, key);
	else
		pager_key(app, key);
}

static void take_character(struct app *app, uint32_t key)
{
	struct pasting *pasting = &app->pasting;

	if (!takes_text(app)) {
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
		type(app, KEY_CODE_SPACE);
	pasting->has_gap = false;
	pasting->has_text = true;
	type(app, key);
}

bool pasting_take(struct app *app, uint32_t key)
{
	struct pasting *pasting = &app->pasting;

	if (key == KEY_CODE_PASTE_BEGIN || key == KEY_CODE_PASTE_END) {
		*pasting = (struct pasting){.is_on = key == KEY_CODE_PASTE_BEGIN};
		return true;
	}
	/* what nobody can paste: the end has been lost */
	if (key >= KEY_CODE_SPECIAL || key == KEY_CODE_ESCAPE)
		pasting->is_on = false;
	if (!pasting->is_on)
		return false;
	take_character(app, key);
	return true;
}
