/* How things look, whatever is shown. */
#include <string.h>

#include "model/session.h"

#include "command/commands_run.h"
#include "mode/app.h"
#include "mode/compose_frame.h"
#include "term/term.h"
#include "term/theme.h"

bool run_theme(struct app *app, const char *argument, struct error *error)
{
	const struct theme *before =
		app->appearance->theme ? app->appearance->theme : theme_usual();
	const struct theme *theme = argument[0] == '\0' ? theme_next(before) : theme_find(argument);
	char names[128];

	theme_names(names, sizeof(names));
	if (!theme)
		return error_set(error, ERROR_THEME_UNKNOWN, argument, names);
	app->appearance->theme = theme;
	if (!app->term)
		return true; /* the screen begins with it */
	term_set_theme(app->term, theme);
	app_say(app, false, "theme: %s (%s)", theme_name(theme), names);
	return true;
}

void write_theme(const struct app *app, struct strbuf *out)
{
	if (app->appearance->theme && app->appearance->theme != theme_usual())
		strbuf_printf(out, "theme %s\n", theme_name(app->appearance->theme));
}

/* The next of them; those that are usual are some of the others. */
static enum cpu_meters_by next_strips(struct app *app)
{
	enum cpu_meters_by by = app->appearance->strips;

	if (by == CPU_METERS_USUAL)
		by = engine_session(app->engine)->has_pmu ? CPU_METERS_IPC : CPU_METERS_BUSY;
	return by + 1 < CPU_METERS_BYS ? by + 1 : CPU_METERS_BUSY;
}

bool run_cpu_strips(struct app *app, const char *argument, struct error *error)
{
	const enum cpu_meters_by by =
		argument[0] == '\0' ? next_strips(app) : cpu_meters_find(argument);

	if (by == CPU_METERS_BYS)
		return error_set(error, ERROR_COMMAND_USAGE, "cpu-strips [busy|ipc|miss|off]",
				 NULL);
	app->appearance->strips = by;
	app->needs_drawing = true;
	app_say(app, false, "CPU bars: %s", cpu_meters_name(by));
	return true;
}

void write_cpu_strips(const struct app *app, struct strbuf *out)
{
	if (app->appearance->strips != CPU_METERS_USUAL)
		strbuf_printf(out, "cpu-strips %s\n", cpu_meters_name(app->appearance->strips));
}
