/* What is done to tasks, and what the mouse does. */
#include <string.h>

#include "command/commands_run.h"
#include "mode/acting.h"
#include "mode/app.h"
#include "mode/mode.h"

bool run_signal(struct app *app, const char *argument, struct error *error)
{
	return acting_signal(app, argument, error);
}

bool run_nice(struct app *app, const char *argument, struct error *error)
{
	return acting_nice(app, argument, error);
}

bool run_affinity(struct app *app, const char *argument, struct error *error)
{
	return acting_set_cpus(app, argument, error);
}

bool run_mouse(struct app *app, const char *argument, struct error *error)
{
	mouse_switch(app, strcmp(argument, "on") == 0);
	return true;
}
