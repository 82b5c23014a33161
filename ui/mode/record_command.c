#include "mode/record_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/text.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "perfdata/recorder.h"
#include "session/options.h"

static const double MB = 1e6;

bool record_command_is_on(const struct app *app)
{
	return engine_recorder(app->engine);
}

static bool end(struct app *app, struct error *error)
{
	char path[256];

	if (!record_command_is_on(app))
		return error_set(error, ERROR_COMMAND_USAGE, "record FILE", NULL);
	text_safe(path, sizeof(path), recorder_path(engine_recorder(app->engine)), app->ascii);
	if (!engine_stop_recording(app->engine, error))
		return false;
	app_say(app, false, "saved %s; replay it with perftop -i, or use perf script", path);
	return true;
}

static bool begin(struct app *app, const char *path, struct error *error)
{
	const struct options *options = app->options;
	char safe[256];

	if (!engine_record(app->engine, path, options->compression, options->arguments, error))
		return false;
	text_safe(safe, sizeof(safe), path, app->ascii);
	app_say(app, false, "recording to %s; %s: end", safe,
		keys_name_of(&app->keys, "ask record"));
	return true;
}

bool record_command_run(struct app *app, const char *path, struct error *error)
{
	char *whole;
	bool good;

	app->needs_build = true; /* beginning and ending end the interval */
	if (path[0] == '\0')
		return end(app, error);
	if (engine_is_replay(app->engine))
		return error_set(error, ERROR_REPLAY_NOT, "record", NULL);
	if (record_command_is_on(app))
		return error_set(error, ERROR_RECORDING_ON,
				 recorder_path(engine_recorder(app->engine)), NULL);
	whole = text_expand_home(path);
	good = begin(app, whole, error);
	free(whole);
	return good;
}

void record_command_write(const struct app *app, struct strbuf *out)
{
	char path[256];
	const char *name;

	if (!record_command_is_on(app))
		return;
	name = recorder_path(engine_recorder(app->engine));
	text_safe(path, sizeof(path), name, app->ascii);
	strbuf_printf(out, "recording %s %.1f MB  ", path,
		      (double)recorder_bytes(engine_recorder(app->engine)) / MB);
}
