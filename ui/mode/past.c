#include "mode/past.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
#include "mode/command.h"
#include "mode/condition.h"
#include "session/engine.h"
#include "session/options.h"

enum {
	NAME_BYTES = 64,
	COPIED_BYTES = 256
};

struct past {
	struct condition trigger;
	unsigned int needs;          /* COLUMN_NEEDS_* of its rows */
	struct view_table *table;    /* owned; NULL: it is not watched any more */
	struct view_request request; /* of its rows, as the run has begun: what is looked at later
					is not what is waited for */
	bool has_passed;             /* a row of the interval before */
	uint64_t due_ns;             /* when the file is written; 0: none is to be */
	uint64_t written;            /* files */
	char name[NAME_BYTES];       /* of the next one */
	char copied[COPIED_BYTES];   /* the one that is being copied */
};

static void separate(struct strbuf *said)
{
	if (said->length > 0)
		strbuf_printf(said, "; ");
}

/* That it is saved, or is being copied, with these words. */
static void say_saved(const struct app *app, struct past *past, const char *path, const char *words,
		      struct strbuf *said)
{
	const bool is_copied = engine_copies_past(app->engine);

	text_safe(past->copied, sizeof(past->copied), path, app->screen.is_ascii);
	separate(said);
	strbuf_printf(said, "%s %s%s", is_copied ? "copying to" : "saved", past->copied, words);
}

/* A copy that has ended is said. */
static bool follow_copy(const struct app *app, bool waits, struct strbuf *said, struct error *error)
{
	const struct past *past = app->parts[PART_past];

	if (!engine_copies_past(app->engine))
		return true;
	if (!engine_follow_copy(app->engine, waits, error))
		return false;
	if (engine_copies_past(app->engine))
		return true;
	separate(said);
	strbuf_printf(said, "saved %s", past->copied);
	return true;
}

bool past_save(struct app *app, const char *path, struct error *error)
{
	struct past *past = app->parts[PART_past];
	struct strbuf said = {0};
	char *whole;
	bool good;

	if (path[0] == '\0')
		return error_set(error, ERROR_COMMAND_USAGE, "record-past FILE", NULL);
	if (past->due_ns != 0)
		return error_set(error, ERROR_PAST_DUE, past->name, NULL);
	whole = text_expand_home(path);
	engine_tick(app->engine); /* up to now */
	app->needs_build = true;
	good = engine_save_past(app->engine, whole, error);
	if (good) {
		say_saved(app, past, whole, "; replay it with perftop -i, or use perf script",
			  &said);
		app_say(app, false, "%s", strbuf_text(&said));
	}
	strbuf_fini(&said);
	free(whole);
	return good;
}

/* --- the trigger */

bool past_prepare(struct app *app, struct error *error)
{
	struct past *past = app->parts[PART_past];

	past->trigger =
		(struct condition){.text = app->options->trigger, .never = ERROR_TRIGGER_NEVER};
	if (!past->trigger.text)
		return true;
	past->table = view_table_create(engine_resolver(app->engine)->columns);
	engine_serve_table(app->engine, past->table);
	past->request = app_request(app);
	past->request.state = (struct view_state){.info = app->options->view};
	past->request.filter = "";
	past->request.folds = NULL;
	past->request.tags = NULL;
	if (!condition_prepare(&past->trigger, app, app->options->view, error))
		return false;
	past->needs = condition_needs(&past->trigger, app, &past->request);
	return true;
}

bool past_may_come(struct app *app, struct error *error)
{
	const struct past *past = app->parts[PART_past];

	return condition_is_known(&past->trigger, app, false, error);
}

unsigned int past_needs(const struct app *app)
{
	const struct past *past = app->parts[PART_past];

	return past->table ? past->needs : 0;
}

static void name_file(const struct app *app, struct past *past, uint64_t time_ns)
{
	const int64_t offset_ns = engine_session(app->engine)->wall_offset_ns;
	const time_t wall_s = session_wall_ns(offset_ns, time_ns) / 1000000000;
	struct tm local;

	localtime_r(&wall_s, &local);
	strftime(past->name, sizeof(past->name), "perftop-%Y%m%d-%H%M%S.data", &local);
}

/* Another perftop may have written one of the same second: perftop-DATE-TIME-2.data. */
static void find_free_name(struct past *past)
{
	char stem[NAME_BYTES];

	snprintf(stem, sizeof(stem), "%.*s", (int)strcspn(past->name, "."), past->name);
	for (int i = 2; i < 100 && access(past->name, F_OK) == 0; i++)
		snprintf(past->name, sizeof(past->name), "%.40s-%d.data", stem, i);
}

/* "PID 4711, IPC 0.31, COMMAND nginx: ipc < 0.5" */
static void say_row(const struct past *past, struct strbuf *said)
{
	separate(said);
	condition_write_row(&past->trigger, past->table, said);
	strbuf_printf(said, ": %s", past->trigger.text);
}

static void stop_waiting(struct past *past)
{
	view_table_destroy(past->table);
	past->table = NULL;
	past->due_ns = 0;
}

static bool write_past(struct app *app, struct past *past, struct strbuf *said, struct error *error)
{
	past->due_ns = 0;
	engine_hold_past(app->engine, false);
	find_free_name(past);
	if (!engine_save_past(app->engine, past->name, error))
		return false;
	past->written++;
	if (past->written < app->options->keep_files) {
		say_saved(app, past, past->name, "", said);
		return true;
	}
	say_saved(app, past, past->name, ", the last file: nothing is kept any more", said);
	engine_end_past(app->engine);
	stop_waiting(past);
	return true;
}

static bool wait_for_row(struct app *app, struct past *past, struct strbuf *said,
			 struct error *error)
{
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	const struct view_request now = app_request(app);
	bool passes;

	past->request.metric_set = now.metric_set;
	past->request.history = now.history;
	passes = condition_look(&past->trigger, app, past->table, &past->request);
	if (passes && !past->has_passed && past->due_ns == 0) {
		past->due_ns = snapshot->time_ns + app->options->keep_s * 1000000000;
		engine_hold_past(app->engine, true);
		name_file(app, past, snapshot->time_ns);
		say_row(past, said);
	}
	past->has_passed = passes;
	return past->due_ns == 0 || snapshot->time_ns < past->due_ns ||
	       engine_copies_past(app->engine) || write_past(app, past, said, error);
}

bool past_look(struct app *app, struct strbuf *said, struct error *error)
{
	struct past *past = app->parts[PART_past];
	const bool good = follow_copy(app, false, said, error);

	if (past->table && !engine_keeps_past(app->engine))
		stop_waiting(past);
	return (!past->table || !engine_snapshot(app->engine) ||
		wait_for_row(app, past, said, error)) &&
	       good;
}

bool past_end(struct app *app, struct strbuf *said, struct error *error)
{
	struct past *past = app->parts[PART_past];
	const bool good = follow_copy(app, true, said, error);

	return (past->due_ns == 0 || !engine_keeps_past(app->engine) ||
		(write_past(app, past, said, error) && follow_copy(app, true, said, error))) &&
	       good;
}

static void fini_past(void *state)
{
	struct past *past = state;

	condition_fini(&past->trigger);
	view_table_destroy(past->table);
}

const struct app_part part_past = {.bytes = sizeof(struct past), .fini = fini_past};
