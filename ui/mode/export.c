/*
 * The command export: what is kept of switches and intervals, up to the one that is shown, as a
 * trace. Between two portions the rings are looked after.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "kernel/sys.h"
#include "model/history.h"
#include "model/metric.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/command.h"
#include "playback/playback.h"
#include "session/engine.h"
#include "session/resolve.h"

enum {
	EXPORT_PORTION = 10000, /* switches that are written at a time */
	EXPORT_INTERVALS_MAX = 1 << 16
};

struct export
{
	struct app *app;
	struct view_request request;
	struct batch_input input;
	struct strbuf text;
	const char *path;
	int fd;
	struct error *error;
};

static bool write_exported(struct export *export)
{
	const int result =
		sys_write_all(export->fd, strbuf_text(&export->text), export->text.length);

	strbuf_clear(&export->text);
	return result == 0 ||
	       error_set_errno(export->error, ERROR_FILE_WRITE, export->path, -result);
}

static bool export_switches(struct export *export)
{
	struct view_request *request = &export->request;
	const uint64_t end = history_settled(request->history);

	for (uint64_t at = history_first(request->history); at < end; at = request->history_to) {
		request->history_from = at;
		request->history_to = end - at > EXPORT_PORTION ? at + EXPORT_PORTION : end;
		trace_write(&export->text, &export->input);
		if (!write_exported(export))
			return false;
		app_drain(export->app);
	}
	return true;
}

/* Events may have been added since: each has the metrics of its own. */
static bool export_interval(struct export *export, const struct snapshot *snapshot)
{
	struct metrics *metrics = metrics_create(snapshot->layout, export->request.metric_set);
	struct batch_input input = export->input;

	input.snapshot = snapshot;
	input.metrics = metrics;
	input.ends_interval = true;
	trace_write(&export->text, &input);
	metrics_destroy(metrics);
	return write_exported(export);
}

static bool export_intervals(struct export *export)
{
	const struct snapshot **past = xcalloc(EXPORT_INTERVALS_MAX, sizeof(*past));
	const size_t count = playback_past(export->app->playback, past, EXPORT_INTERVALS_MAX);
	bool good = true;

	for (size_t i = 0; i < count && good; i++)
		good = export_interval(export, past[i]);
	free(past);
	return good;
}

/* Neither the history nor what is kept begins with an interval of the other. */
static bool export_all(struct export *export)
{
	export->input.totals->trace.lacks_switches = true;
	if (!export_switches(export) || !export_intervals(export))
		return false;
	trace_end(&export->text, &export->input);
	return write_exported(export);
}

static bool export_history(struct app *app, const char *path, int fd, struct error *error)
{
	const struct view_request request = app_request(app);
	struct history *history = history_copy(request.history);
	struct view_table *table = view_table_create(engine_resolver(app->engine)->columns);
	struct export export = {
		.app = app,
		.request = request,
		.path = path,
		.fd = fd,
		.error = error,
	};
	char safe[256];
	bool good;

	engine_serve_table(app->engine, table);
	export.request.state = (struct view_state){.info = &view_switches};
	export.request.history = history;
	export.request.window_ns = 0;
	export.request.is_still = false;
	export.input = (struct batch_input){
		.request = &export.request,
		.snapshot = app_snapshot(app),
		.session = engine_session(app->engine),
		.metrics = app_metrics(app),
		.table = table,
		.totals = totals_create(),
	};
	good = export_all(&export);
	text_safe(safe, sizeof(safe), path, app->screen.is_ascii);
	if (good)
		app_say(app, false, "%" PRIu64 " switches as a trace in %s",
			history_settled(history) - history_first(history), safe);
	strbuf_fini(&export.text);
	totals_destroy(export.input.totals);
	view_table_destroy(table);
	history_destroy(history);
	return good;
}

/* A pipe without a reader is refused, not waited for. */
bool export_run(struct app *app, const char *argument, struct error *error)
{
	char *path;
	bool good;
	int fd;

	if (argument[0] == '\0')
		return error_set(error, ERROR_COMMAND_USAGE, "export FILE", NULL);
	if (!app_request(app).history || !app_snapshot(app))
		return error_set(error, ERROR_EXPORT_NOTHING, NULL, NULL);
	path = text_expand_home(argument);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd < 0) {
		good = error_set_errno(error, ERROR_FILE_OPEN, path, errno);
	} else {
		good = export_history(app, path, fd, error);
		if (close(fd) != 0 && good)
			good = error_set_errno(error, ERROR_FILE_WRITE, path, errno);
	}
	free(path);
	return good;
}
