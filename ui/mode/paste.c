#include "mode/paste.h"

#include "mode/app.h"
#include "mode/mode.h"
#include "term/key.h"

static void take_character(struct app *app, uint32_t key)
{
	const struct mode *mode = mode_top(app);
	struct paste *pasting = app->paste;

	if (!mode->takes_text || !mode->takes_text(app)) {
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
