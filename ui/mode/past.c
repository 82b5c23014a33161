#include "mode/past.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "session/engine.h"
#include "session/options.h"
#include "session/resolve.h"

enum {
	NAME_BYTES = 64
};

struct past {
	struct view_table *table;    /* owned */
	struct view_request request; /* of its rows, as the run has begun: what is looked at later
					is not what is waited for */
	bool has_passed;             /* a row of the interval before */
	uint64_t due_ns;             /* when the file is written; 0: none is to be */
	uint64_t written;            /* files */
	char name[NAME_BYTES];       /* of the next one */
};

bool past_save(struct app *app, const char *path, struct error *error)
{
	char *whole, safe[256];
	bool good;

	if (path[0] == '\0')
		return error_set(error, ERROR_COMMAND_USAGE, "record-past FILE", NULL);
	if (engine_is_replay(app->engine))
		return error_set(error, ERROR_REPLAY_NOT, "record-past", NULL);
	whole = text_expand_home(path);
	engine_tick(app->engine); /* up to now */
	app->needs_build = true;
	good = engine_save_past(app->engine, whole, error);
	text_safe(safe, sizeof(safe), whole, app->screen.is_ascii);
	free(whole);
	if (good)
		app_say(app, false, "saved %s; replay it with perftop -i, or use perf script",
			safe);
	return good;
}

/* --- the trigger */

static void build_rows(const struct app *app, const struct snapshot *snapshot,
		       const struct metrics *metrics)
{
	const struct past *past = app->parts[PART_past];
	const struct view_request now = app_request(app);
	struct view_request request = past->request;

	request.metric_set = now.metric_set;
	request.history = now.history;
	view_table_build(past->table, &request, snapshot, engine_session(app->engine), metrics);
}

bool past_prepare(struct app *app, struct error *error)
{
	struct past *past = app->parts[PART_past];
	struct resolver *resolver = engine_resolver(app->engine);
	const char *trigger = app->options->trigger;
	size_t position = 0;

	if (!trigger)
		return true;
	past->table = view_table_create(resolver->columns);
	engine_serve_table(app->engine, past->table);
	past->request = app_request(app);
	past->request.state = (struct view_state){.info = app->options->view};
	past->request.filter = trigger;
	past->request.most_rows = 0;
	past->request.folds = NULL;
	past->request.tags = NULL;
	if (!resolve_filter(resolver, trigger, &position, error))
		return resolve_mark(error, trigger, position);
	return resolve_fits_view(resolver, trigger, app->options->view, error);
}

unsigned int past_needs(const struct app *app)
{
	const struct past *past = app->parts[PART_past];
	const struct snapshot nothing = {.layout = engine_layout(app->engine)};

	if (!past->table)
		return 0;
	build_rows(app, &nothing, engine_metrics(app->engine));
	return view_table_needs(past->table);
}

static void name_file(const struct app *app, struct past *past, uint64_t time_ns)
{
	const int64_t offset_ns = engine_session(app->engine)->wall_offset_ns;
	const time_t wall_s = session_wall_ns(offset_ns, time_ns) / 1000000000;
	struct tm local;

	localtime_r(&wall_s, &local);
	strftime(past->name, sizeof(past->name), "perftop-%Y%m%d-%H%M%S.data", &local);
}

/* "PID 4711, COMMAND nginx: ipc < 0.5": by the first and the last one of its columns. */
static void say_row(const struct app *app, const struct past *past, struct strbuf *said)
{
	const size_t last = view_table_column_count(past->table) - 1;
	struct cell first_cell, last_cell;

	view_table_cell(past->table, 0, 0, &first_cell);
	view_table_cell(past->table, 0, last, &last_cell);
	strbuf_printf(said, "%s %s, %s %s: %s", view_table_column(past->table, 0)->title,
		      first_cell.text, view_table_column(past->table, last)->title, last_cell.text,
		      app->options->trigger);
}

static bool write_past(struct app *app, struct past *past, struct strbuf *said, struct error *error)
{
	past->due_ns = 0;
	if (!engine_save_past(app->engine, past->name, error))
		return false;
	past->written++;
	strbuf_printf(said, "saved %s", past->name);
	return true;
}

bool past_look(struct app *app, struct strbuf *said, struct error *error)
{
	struct past *past = app->parts[PART_past];
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	const struct options *options = app->options;
	bool passes;

	if (!past->table || !snapshot || past->written == options->keep_files ||
	    !engine_keeps_past(app->engine))
		return true;
	build_rows(app, snapshot, engine_metrics(app->engine));
	passes = view_table_row_count(past->table) > 0;
	if (passes && !past->has_passed && past->due_ns == 0) {
		past->due_ns = snapshot->time_ns + options->keep_s * 1000000000;
		engine_hold_past(app->engine, true);
		name_file(app, past, snapshot->time_ns);
		say_row(app, past, said);
	}
	past->has_passed = passes;
	return past->due_ns == 0 || snapshot->time_ns < past->due_ns ||
	       write_past(app, past, said, error);
}

bool past_end(struct app *app, struct strbuf *said, struct error *error)
{
	struct past *past = app->parts[PART_past];

	return past->due_ns == 0 || !engine_keeps_past(app->engine) ||
	       write_past(app, past, said, error);
}

static void fini_past(void *state)
{
	struct past *past = state;

	view_table_destroy(past->table);
}

const struct app_part part_past = {.bytes = sizeof(struct past), .fini = fini_past};
