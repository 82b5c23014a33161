#include "mode/compared.h"

#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/difference.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/task_scope.h"
#include "playback/time.h"

static void fini_compared(void *state)
{
	snapshot_destroy(((struct compared *)state)->mark);
}

static struct compared *compared_of(const struct app *app)
{
	return app->parts[PART_compared];
}

/* After the start, by their numbers: that is of both recordings as a whole, or as options say. */
static bool are_processes_chosen(const struct app *app)
{
	const struct app_attached *attached = app->parts[PART_attached];
	const struct task_scope *scope = app->parts[PART_task_scope];

	return scope->is_on ||
	       (attach_is_on(attached) && attached->number > attached->number_at_start);
}

struct view_mark compared_mark(const struct app *app)
{
	const struct compared *compared = compared_of(app);
	struct view_mark mark = {.snapshot = compared->mark};

	if (!compared->is_on)
		return (struct view_mark){0};
	if (compared->old) {
		const struct view_request request = app_request(compared->old);

		mark.snapshot = engine_snapshot(compared->old->engine);
		mark.is_wider = are_processes_chosen(app);
		mark.wants_pid = request.wants_pid;
		mark.context = request.context;
		mark.session = engine_session(compared->old->engine);
		mark.names = view_table_function_names(compared->old->table);
	}
	return mark;
}

/* "against old.data", "since 12:03:04"; that mark may also be later than what is shown, and a
 * recording may not know the time of day. */
static void write_compared(const struct app *app, struct strbuf *out)
{
	const int64_t offset_ns = engine_session(app->engine)->wall_offset_ns;
	const struct compared *compared = compared_of(app);
	char time[PLAYBACK_TIME_MAX];

	if (compared->old) {
		const char *slash = strrchr(compared->old->options->input, '/');

		strbuf_printf(out, "against %s", slash ? slash + 1 : compared->old->options->input);
		if (compared->is_of_part) {
			units_format_duration(time,
					      engine_snapshot(compared->old->engine)->interval_ns);
			strbuf_printf(out, " (%s of it)", time);
		}
		return;
	}
	playback_time_write_clock(session_wall_ns(offset_ns, compared->mark->time_ns), false, time);
	strbuf_printf(out, "%s %s",
		      compared->mark->time_ns > app_snapshot(app)->time_ns ? "against" : "since",
		      time[0] != '\0' ? time : "the mark");
}

/* Rows of the last build may be of the mark: it is kept until there is another one. */
static bool set_compared(struct app *app)
{
	struct compared *compared = compared_of(app);
	const struct snapshot *shown = app_snapshot(app);

	if (!compared->old && shown) {
		snapshot_destroy(compared->mark);
		compared->mark = snapshot_copy(shown);
	}
	compared->is_on = compared->old || shown;
	return compared->is_on;
}

static void say_compared(struct app *app, const char *words)
{
	const struct view_request request = app_request(app);
	const char *refusal = difference_refusal(&request);

	if (refusal)
		app_say(app, false, "%s, but not in this view: %s", words, refusal);
	else
		app_say(app, false, "%s: + is more, - is less; %s shows values again", words,
			keys_name_of(app->parts[PART_keys], "mark"));
}

void compared_report_refusal(struct app *app)
{
	const struct view_request request = app_request(app);
	const bool has_error = app->message.is_error && app->message.text[0] != '\0';
	struct strbuf words = {0};

	if (!compared_of(app)->is_on || has_error || !difference_refusal(&request))
		return;
	write_compared(app, &words);
	say_compared(app, strbuf_text(&words));
	strbuf_fini(&words);
}

void compared_toggle(struct app *app)
{
	struct compared *compared = compared_of(app);
	const struct view_request request = app_request(app);
	struct strbuf words = {0};

	app->needs_build = true;
	if (app_hosts(app) > 1) {
		app_say(app, true, "of several recordings none is compared");
	} else if (compared->is_on && difference_is_shown(&request)) {
		compared->is_on = false;
		app_say(app, false, "values, not differences; %s %s",
			keys_name_of(app->parts[PART_keys], "mark"),
			compared->old ? "compares again" : "marks again");
	} else if (set_compared(app)) {
		write_compared(app, &words);
		say_compared(app, strbuf_text(&words));
	} else {
		app_say(app, true, "nothing to mark: the first interval has not ended");
	}
	strbuf_fini(&words);
}

bool compared_refuse_row(struct app *app, struct error *error)
{
	const struct app *old = compared_of(app)->old;
	const struct view_row *row = app_row(app);

	return row && row->is_gone && old &&
	       !error_set(error, ERROR_AGAINST_ROW, old->options->input, NULL);
}

void compared_write(const struct app *app, struct strbuf *out)
{
	const struct view_request request = app_request(app);

	if (!compared_of(app)->is_on)
		return;
	write_compared(app, out);
	strbuf_add(out, difference_refusal(&request) ? ": not in this view  " : "  ");
}

const struct app_part part_compared = {
	.bytes = sizeof(struct compared),
	.fini = fini_compared,
};
