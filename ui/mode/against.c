/*
 * The other recording is an app of its own, without a screen, of which all is replayed first. Where
 * what is counted, sampled or watched changes amid it, its parts are intervals (of a day at most):
 * the longest of them is compared.
 */

#include "mode/against.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/difference.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/compared.h"

struct app *against_old(const struct app *app)
{
	return ((const struct compared *)app->parts[PART_compared])->old;
}

/* What the screen may come to show is known of a recording in any case. */
static bool begin_old(struct app *old, bool has_screen, struct error *error)
{
	const unsigned int needs =
		app_first_needs(old) |
		(has_screen ? COLUMN_NEEDS_SAMPLES | COLUMN_NEEDS_CGROUPS | COLUMN_NEEDS_WAKEUPS |
				      COLUMN_NEEDS_STATES | COLUMN_NEEDS_LATENCY
			    : 0);

	return app_need(old, needs, error) && (app_need_samples(old, needs, error) || has_screen) &&
	       engine_start(old->engine, error);
}

/* What was inlined is asked for when rows are made, of functions that are known. */
static void await_old_names(struct app *old)
{
	const struct view_request request = app_request(old);

	engine_await_names(old->engine);
	if (!request.state.info->has_frames)
		return;
	view_table_build(old->table, &request, app_snapshot(old), engine_session(old->engine),
			 app_metrics(old));
	engine_await_names(old->engine);
}

/* As many parts as there are, `end` at most. Returns the number of the longest, from 1. */
static size_t replay_parts(struct app *old, size_t end, size_t *count)
{
	const struct snapshot *snapshot;
	uint64_t most_ns = 0;
	size_t longest = 0;

	for (*count = 0; *count < end && engine_can_tick(old->engine);) {
		engine_tick(old->engine);
		snapshot = engine_snapshot(old->engine);
		++*count;
		if (snapshot && snapshot->interval_ns > most_ns) {
			most_ns = snapshot->interval_ns;
			longest = *count;
		}
	}
	return longest;
}

static bool start_old(struct app *old, bool has_screen, struct error *error)
{
	struct strbuf remarks = {0}; /* they are those of the new one */
	const bool is_prepared = app_prepare(old, &remarks, error);

	strbuf_fini(&remarks);
	if (is_prepared && engine_source(old->engine)->poll_fd >= 0)
		return error_set(error, ERROR_AGAINST_PIPE, old->options->input, NULL);
	return is_prepared && begin_old(old, has_screen, error);
}

static bool replay_old(struct compared *compared, bool has_screen, struct error *error)
{
	size_t count;
	const size_t longest = replay_parts(compared->old, SIZE_MAX, &count);

	compared->is_of_part = count > 1;
	if (longest < count) {
		app_destroy(compared->old);
		compared->old = app_create(&compared->old_options);
		if (!start_old(compared->old, has_screen, error))
			return false;
		replay_parts(compared->old, longest, &count);
	}
	if (!engine_snapshot(compared->old->engine))
		return error_set(error, ERROR_REPLAY_EMPTY, compared->old_options.input,
				 "no record in it has a time");
	await_old_names(compared->old);
	return true;
}

/* What is printed is compared, or refused; the screen says it, and has other views. */
static bool check_comparable(const struct app *app, struct error *error)
{
	const struct view_request request = app_request(app);
	const char *refusal = difference_refusal(&request);

	return !app->options->batch || !refusal ||
	       error_set(error, ERROR_AGAINST_VIEW, request.state.info->name, refusal);
}

bool against_read(struct app *app, struct strbuf *remarks, struct error *error)
{
	struct compared *compared = app->parts[PART_compared];
	struct options *options = &compared->old_options;
	const bool has_screen = !app->options->batch;
	const bool is_of_totals = !has_screen && app->options->format->is_totals;

	if (!app->options->against)
		return true;
	*options = *app->options;
	options->input = app->options->against;
	options->inputs = &options->input;
	options->against = NULL;
	options->record = NULL;
	options->batch = true;
	if (!is_of_totals) {
		options->has_delay = true;
		options->delay_s = OPTIONS_DELAY_MAX_S;
	}
	compared->old = app_create(options);
	compared->is_on = !is_of_totals;
	if (!start_old(compared->old, has_screen, error))
		return false;
	if (is_of_totals)
		return true;
	if (!replay_old(compared, has_screen, error) || !check_comparable(app, error))
		return false;
	if (compared->is_of_part)
		strbuf_printf(remarks,
			      "--against %s: it is not one interval; its longest part is "
			      "compared\n",
			      options->input);
	return true;
}
