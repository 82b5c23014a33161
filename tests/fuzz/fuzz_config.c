/*
 * Any text is a configuration file: its lines are as many as it has, those of keys, widths and
 * the like are taken or refused, and the settings written into it leave the user's part alone
 * and are the same when they are written again.
 */
#include "base/strbuf.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "model/model.h"
#include "source/source.h"

#include "fuzz.h"
#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/command.h"
#include "mode/config_save.h"
#include "session/config.h"
#include "session/engine_parts.h"
#include "session/options.h"

/* What files are made of: bytes by themselves seldom make a word. */
static const char *const pieces[] = {
	"bind ",   "unbind ",  "x ",      "gg ",     "F10",    "quit",
	"\n",      "\n",       "in ",     "cpus ",   "tasks ", "pairs ",
	"sort ",   "ipc",      "pid",     "-",       "width ", " 9",
	"view ",   "columns ", "event ",  "cycles",  ",",      "column ",
	"metric ", "a = ",     "define ", "; ",      "theme ", "dark",
	"# ",      " ",        "threads", "delay ",  "2",      "remove-column ",
	"reverse", "by ",      "name",    "window ", "all",    "idle",
	"colour ", "\r",
};

static void add_pieces(struct strbuf *text, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		strbuf_add(text, pieces[data[i] % (COUNT_OF(pieces))]);
}

/* Commands that count nothing: there is nothing that could be counted here. */
static int is_harmless(const char *line)
{
	static const char *const names[] = {"bind",   "unbind", "theme",  "width", "delay",
					    "window", "by",     "colour", "in",    "view"};
	const char *rest;

	if (config_argument(line, "in") != NULL) {
		rest = strstr(line, "sort");
		return rest == NULL && strstr(line, "event") == NULL &&
		       strstr(line, "metric") == NULL && strstr(line, "define") == NULL &&
		       strstr(line, "column") == NULL && strstr(line, "filter") == NULL &&
		       strstr(line, "idle") == NULL;
	}
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (config_argument(line, names[i]) != NULL)
			return 1;
	return 0;
}

static void run_lines(struct app *app, const struct config *config)
{
	for (size_t i = 0; i < config->count; i++) {
		const char *line = config->lines[i].text;
		struct error error = {0};

		if (!is_harmless(line) || command_configure(app, line, &error))
			continue;
		require(error.text[0] != '\0');
	}
}

/* The user's part is not touched. */
static void compare_users(const char *old, const char *renewed)
{
	const char *block = strstr(old, "# Saved by perftop");

	require(strncmp(old, renewed, block ? (size_t)(block - old) : strlen(old)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source source = {0};
	struct engine engine = {.source = &source};
	const struct options options = {.delay_s = 1};
	struct app app;
	struct config config = {0};
	struct strbuf text = {0}, first = {0}, second = {0};

	engine.metric_set = metric_set_create();
	resolver_init(&engine.resolver, &engine);
	app_init(&app, &options, &engine);
	app.is_starting = true;
	if (size > 0 && data[0] % 2 == 0)
		add_pieces(&text, data + 1, size - 1);
	else
		strbuf_add_bytes(&text, (const char *)data, size);
	config_parse(&config, strbuf_text(&text));
	run_lines(&app, &config);
	config_text_renew(&app, strbuf_text(&text), &first);
	compare_users(strbuf_text(&text), strbuf_text(&first));
	config_text_renew(&app, strbuf_text(&first), &second);
	require(strcmp(strbuf_text(&first), strbuf_text(&second)) == 0);
	strbuf_fini(&text);
	strbuf_fini(&first);
	strbuf_fini(&second);
	config_fini(&config);
	app_fini(&app);
	resolver_fini(&engine.resolver);
	metrics_destroy(engine.metrics);
	metric_set_destroy(engine.metric_set);
	return 0;
}
