/* How things look, whatever is shown. */
#include "app.h"
#include "ui/term.h"
#include "ui/theme.h"

#include "commands_run.h"

bool run_theme(struct app *app, const char *argument, struct error *error)
{
	const struct theme *before = app->look.theme != NULL ? app->look.theme : theme_usual();
	const struct theme *theme = argument[0] == '\0' ? theme_next(before) : theme_find(argument);
	char names[128];

	theme_names(names, sizeof(names));
	if (theme == NULL)
		return error_set(error, ERROR_THEME_UNKNOWN, argument, names);
	app->look.theme = theme;
	if (app->term == NULL)
		return true; /* the screen begins with it */
	term_set_theme(app->term, theme);
	app_say(app, false, "theme %s, of %s", theme_name(theme), names);
	return true;
}
