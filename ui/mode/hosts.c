/*
 * What the app has of its first recording (engine, playback, table) is kept here as that of the
 * first host, and put back before the app releases it.
 */
#include "mode/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/session.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "playback/playback.h"
#include "session/engine.h"
#include "session/options.h"
#include "session/resolve.h"

static const char NO_NAME[] = "(none)"; /* of a machine that was given none, by the kernel */

struct hosts *hosts_of(const struct app *app)
{
	return app->parts[PART_hosts];
}

size_t app_hosts(const struct app *app)
{
	return hosts_of(app)->count > 0 ? hosts_of(app)->count : 1;
}

void hosts_enter(struct app *app, size_t index)
{
	struct hosts *hosts = hosts_of(app);

	if (hosts->count == 0)
		return;
	hosts->turn = index;
	app->engine = hosts->list[index].engine;
	app->playback = hosts->list[index].playback;
}

void app_show_host(struct app *app, size_t index)
{
	struct hosts *hosts = hosts_of(app);

	hosts_enter(app, index);
	if (hosts->count == 0)
		return;
	hosts->shown = index;
	app->table = hosts->list[index].table;
}

bool hosts_has_row(const struct app *app, size_t row)
{
	const struct hosts *hosts = hosts_of(app);

	return app->table != hosts->joined || view_table_host(app->table, row) == hosts->shown;
}

size_t hosts_find(const struct hosts *hosts, size_t count, const char *name)
{
	size_t index = 0;

	while (index < count && strcmp(hosts->list[index].name, name) != 0)
		index++;
	return index;
}

/* What its recording calls it, or the file; with a number where others before it are called so. */
static void name_host_session(struct hosts *hosts, size_t index)
{
	struct host_session *host = &hosts->list[index];
	const char *path = host->options.input;
	const char *slash = strrchr(path, '/');
	const char *called = engine_host_name(host->engine);
	char name[SESSION_HOST_MAX - sizeof("#4294967295")];

	if (called[0] == '\0' || strcmp(called, NO_NAME) == 0)
		called = slash && slash[1] != '\0' ? slash + 1 : path;
	text_safe(name, sizeof(name), called, false);
	snprintf(host->name, sizeof(host->name), "%s", name);
	for (unsigned int number = 2; hosts_find(hosts, index, host->name) < index; number++)
		snprintf(host->name, sizeof(host->name), "%s#%u", name, number);
}

static bool open_host(struct app *app, struct host_session *host, const struct playback_ops *ops,
		      struct error *error)
{
	host->engine = engine_create(&host->options);
	if (!engine_open(host->engine, error))
		return false;
	host->playback = playback_create(host->engine, host->options.past_mib, ops, app);
	host->table = view_table_create(engine_resolver(app->engine)->columns);
	engine_serve_table(host->engine, host->table);
	return true;
}

static void join_hosts(struct hosts *hosts)
{
	bool has_pmu = false;

	for (size_t i = 0; i < hosts->count; i++)
		has_pmu = has_pmu || engine_session(hosts->list[i].engine)->has_pmu;
	for (size_t i = 0; i < hosts->count; i++)
		engine_join(hosts->list[i].engine, hosts->list[0].engine, hosts->list[i].name,
			    has_pmu);
}

bool hosts_open(struct app *app, const struct playback_ops *ops, struct error *error)
{
	struct hosts *hosts = hosts_of(app);
	const struct options *options = app->options;

	if (options->input_count < 2)
		return true;
	hosts->list = xcalloc(options->input_count, sizeof(*hosts->list));
	hosts->count = options->input_count;
	for (size_t i = 0; i < hosts->count; i++) {
		hosts->list[i].options = *options;
		hosts->list[i].options.input = options->inputs[i];
	}
	hosts->list[0].engine = app->engine;
	hosts->list[0].playback = app->playback;
	hosts->list[0].table = app->table;
	hosts->joined = view_table_create(engine_resolver(app->engine)->columns);
	hosts->members = xcalloc(hosts->count, sizeof(*hosts->members));
	for (size_t i = 0; i < hosts->count; i++) {
		if (i > 0 && !open_host(app, &hosts->list[i], ops, error))
			return false;
		name_host_session(hosts, i);
	}
	join_hosts(hosts);
	return true;
}

void hosts_close(struct app *app)
{
	struct hosts *hosts = hosts_of(app);

	if (hosts->count == 0)
		return;
	app_show_host(app, 0);
	for (size_t i = 1; i < hosts->count; i++) {
		view_table_destroy(hosts->list[i].table);
		playback_destroy(hosts->list[i].playback);
		if (hosts->list[i].engine)
			engine_destroy(hosts->list[i].engine);
	}
	view_table_destroy(hosts->joined);
	free(hosts->members);
	free(hosts->list);
	*hosts = (struct hosts){0};
}

bool hosts_each(struct app *app, bool (*act)(struct app *app, void *context), void *context)
{
	const size_t before = hosts_of(app)->turn;
	bool goes_on = true;

	for (size_t i = 0; i < app_hosts(app) && goes_on; i++) {
		hosts_enter(app, i);
		goes_on = act(app, context);
	}
	hosts_enter(app, before);
	return goes_on;
}

bool hosts_is_shown(const struct app *app)
{
	return hosts_of(app)->turn == hosts_of(app)->shown;
}

bool hosts_is_over(const struct app *app)
{
	const struct hosts *hosts = hosts_of(app);

	return hosts->count > 0 && hosts->list[hosts->turn].is_over;
}

uint64_t hosts_count_interval(struct app *app)
{
	struct hosts *hosts = hosts_of(app);
	uint64_t most = 0;

	hosts->list[hosts->turn].intervals++;
	for (size_t i = 0; i < hosts->count; i++)
		if (hosts->list[i].intervals > most)
			most = hosts->list[i].intervals;
	return most;
}

const char *hosts_recording(const struct app *app)
{
	const struct hosts *hosts = hosts_of(app);

	return hosts->count > 0 ? hosts->list[hosts->shown].options.input : app->options->input;
}

void hosts_write_name(const struct app *app, struct strbuf *out)
{
	const struct hosts *hosts = hosts_of(app);

	if (hosts->count > 0)
		strbuf_printf(out, "%s: ", hosts->list[hosts->turn].name);
}

const struct app_part part_hosts = {.bytes = sizeof(struct hosts)};
