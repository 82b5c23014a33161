/*
 * Shown is app->frozen, a copy, or where that is NULL the newest that the engine has. A replay's
 * engine may be further on than what is shown; playing goes through what is kept first and only
 * then lets the engine tick.
 *
 * An interval is shown for as long as it lasted, at speed 1: the next one is due when the time that
 * has passed since playing began is the record time that was played.
 *
 * A jump to what is not kept is a search: the engine ticks, some milliseconds at a time so that
 * keys are heard, until it is there.
 */
#include "player/player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/memory.h"
#include "base/units.h"
#include "kernel/sys.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/replay/replay.h"

#include "command/keys.h"
#include "player/player_keep.h"
#include "player/player_speed.h"
#include "player/player_state.h"
#include "player/player_time.h"
#include "player/player_whole.h"
#include "rows/attach.h"
#include "screen/past.h"
#include "screen/strips_cursor.h"

enum {
	NS_PER_S = 1000000000,
	NS_PER_MS = 1000000,
	ROUND_NS = 40 * NS_PER_MS, /* keys are read so often */
	WAIT_NS = 100 * NS_PER_MS, /* for a pipe */
	REMARKS_MAX = 400
};

struct player *player_create(uint64_t past_mib)
{
	struct player *player = xcalloc(1, sizeof(*player));

	player->speed = 1;
	player->is_playing = true;
	player_keep_init(&player->keep, (size_t)past_mib << 20, true);
	return player;
}

void player_destroy(struct player *player)
{
	if (!player)
		return;
	player_keep_fini(&player->keep);
	free(player);
}

static bool is_replay(const struct app *app)
{
	return engine_is_replay(app->engine);
}

bool player_is_shown(const struct app *app)
{
	return app->frozen || is_replay(app);
}

bool player_is_still(const struct app *app)
{
	return app->frozen || (is_replay(app) && !app->player->is_playing);
}

static uint64_t shown_ns(const struct app *app)
{
	const struct snapshot *snapshot = app_snapshot(app);

	return snapshot ? snapshot->time_ns : 0;
}

size_t player_past(const struct app *app, const struct snapshot **past, size_t max)
{
	const struct player_keep *keep = &app->player->keep;
	const struct snapshot *shown = app_snapshot(app);
	size_t end = keep->count, first;

	while (end > 0 && (!shown || keep->intervals[end - 1].snapshot->time_ns > shown->time_ns))
		end--;
	first = end > max ? end - max : 0;
	for (size_t i = first; i < end; i++)
		past[i - first] = keep->intervals[i].snapshot;
	return end - first;
}

void player_keep(struct app *app)
{
	if (!engine_snapshot(app->engine))
		return;
	/*
	 * What is thinned out of a replay would be passed over when it is played once more, and
	 * what is left out of an interval would be missed in its sums and in the tree.
	 */
	app->player->keep.thins = !is_replay(app);
	player_keep_add(&app->player->keep, engine_snapshot(app->engine),
			is_replay(app) || app->idle_tasks || app->rows.tree);
	look_keep(app);
}

/* What is shown is shown for as long as it lasted from now on. */
static void set_anchor(struct app *app)
{
	const struct snapshot *snapshot = app_snapshot(app);

	app->player->anchor_wall_ns = sys_now_ns();
	app->player->anchor_ns = snapshot ? snapshot->time_ns - snapshot->interval_ns : 0;
}

static void halt(struct app *app)
{
	app->player->is_playing = false;
	app->player->sought_ns = 0;
	app->needs_drawing = true;
}

static bool is_at_end(const struct app *app)
{
	return replay_position(engine_source(app->engine)).is_at_end;
}

/* The next interval of a replay is shown. False: there is none, or not yet. */
static bool advance(struct app *app)
{
	const uint64_t before_ns = shown_ns(app);
	const struct snapshot *newest = engine_snapshot(app->engine);
	const struct kept_interval *kept = player_keep_after(&app->player->keep, before_ns);

	app->needs_build = true;
	if (app->frozen && kept && kept->snapshot->time_ns < newest->time_ns) {
		app_show_past(app, kept->snapshot);
		return true;
	}
	if (app->frozen) {
		app_show_newest(app);
		if (shown_ns(app) > before_ns)
			return true;
	}
	if (!engine_can_tick(app->engine))
		return false;
	engine_tick(app->engine);
	app->ticks++;
	player_keep(app);
	if (engine_snapshot(app->engine))
		attach_watch(app);
	return shown_ns(app) > before_ns;
}

static bool rewind_replay(struct app *app, struct error *error)
{
	if (!engine_rewind(app->engine, error))
		return false;
	app_show_newest(app);
	attach_renew(app);
	/* what is on the screen must not be of what has gone */
	advance(app);
	return true;
}

/* What was searched for is there, or the end. */
static void finish_search(struct app *app)
{
	app->player->sought_ns = 0;
	app->player->is_playing = app->player->plays_after;
	set_anchor(app);
	app->needs_build = true;
}

static void search_for_time(struct app *app, uint64_t time_ns)
{
	struct player *player = app->player;

	if (player->sought_ns == 0)
		player->plays_after = player->is_playing;
	player->sought_ns = time_ns;
	app->needs_drawing = true;
	app_hurry(app);
}

static uint64_t due_ns(const struct app *app)
{
	const struct player *player = app->player;
	const uint64_t now_ns = shown_ns(app);

	if (player->speed <= 0 || now_ns <= player->anchor_ns)
		return player->anchor_wall_ns;
	return player->anchor_wall_ns +
	       (uint64_t)((double)(now_ns - player->anchor_ns) / player->speed);
}

static bool wants_next(const struct app *app)
{
	const struct player *player = app->player;

	if (player->sought_ns != 0)
		return shown_ns(app) < player->sought_ns;
	/* stopped before anything was there: the first interval, which is still then */
	if (shown_ns(app) == 0)
		return true;
	return player->is_playing && due_ns(app) <= sys_now_ns();
}

/* The very first interval is shown for as long as it lasted, too. */
static void note_first(struct app *app, uint64_t before_ns)
{
	if (before_ns == 0)
		set_anchor(app);
}

static void end_of_replay(struct app *app)
{
	char remarks[REMARKS_MAX];
	struct strbuf unseen = {0};

	if (app->player->sought_ns != 0)
		finish_search(app);
	halt(app);
	replay_remarks(engine_source(app->engine), remarks, sizeof(remarks));
	if (engine_list_unseen(app->engine, &unseen))
		strbuf_add(&unseen, " was not in it; ");
	app_say(app, false, "end of the recording%s%s; %sLeft: back; %s: to a time",
		remarks[0] != '\0' ? ": " : "", remarks, strbuf_text(&unseen),
		keys_name_of(&app->keys, "ask jump"));
	strbuf_fini(&unseen);
}

static uint64_t wait_ns(const struct app *app)
{
	const struct player *player = app->player;
	const uint64_t now_ns = sys_now_ns();
	const uint64_t next_ns = due_ns(app);

	if (player->sought_ns != 0)
		return NS_PER_MS;
	if (!player->is_playing || next_ns > now_ns + NS_PER_S)
		return NS_PER_S;
	return next_ns > now_ns + NS_PER_MS ? next_ns - now_ns : NS_PER_MS;
}

uint64_t player_round(struct app *app)
{
	const uint64_t end_ns = sys_now_ns() + ROUND_NS;

	do {
		const uint64_t before_ns = shown_ns(app);

		if (!wants_next(app))
			break;
		if (!advance(app)) {
			if (!is_at_end(app))
				return WAIT_NS;
			end_of_replay(app);
			break;
		}
		note_first(app, before_ns);
	} while (sys_now_ns() < end_ns);
	if (app->player->sought_ns != 0 && shown_ns(app) >= app->player->sought_ns)
		finish_search(app);
	return wait_ns(app);
}

void player_toggle(struct app *app)
{
	struct player *player = app->player;

	if (!is_replay(app)) {
		app_freeze(app, !app->frozen);
		return;
	}
	if (player->is_playing || player->sought_ns != 0) {
		halt(app);
		return;
	}
	if (!app->frozen && is_at_end(app)) {
		app_say(app, false, "end of the recording");
		return;
	}
	player->is_playing = true;
	player->anchor_wall_ns = sys_now_ns();
	player->anchor_ns = shown_ns(app); /* the key is answered at once: the next one is due */
	strips_release(app);
	app->needs_build = true;
	app_hurry(app);
}

void player_stop(struct app *app)
{
	if (is_replay(app))
		halt(app);
	else if (!app->frozen)
		app_freeze(app, true);
}

/* What lies between was thinned out. */
static void say_gap(struct app *app, uint64_t from, uint64_t to)
{
	const uint64_t between = from > to ? from - to - 1 : to - from - 1;

	if (from != to && between > 0)
		app_say(app, false, "skipped %" PRIu64 " interval%s (dropped from history)",
			between, units_plural(between));
}

/* With tasks that did not run in it, of which nothing is kept. */
static void show_whole(struct app *app, const struct kept_interval *kept)
{
	struct player_whole whole;

	player_whole_init(&whole, &app->player->keep, kept->snapshot->time_ns,
			  engine_snapshot(app->engine));
	app_show_past(app, &whole.snapshot);
	player_whole_fini(&whole);
}

static void show_kept(struct app *app, const struct kept_interval *kept)
{
	const struct snapshot *shown = app_snapshot(app);
	const uint64_t from = shown ? shown->sequence : 0;

	app->message[0] = '\0';
	if (kept->snapshot->time_ns == engine_snapshot(app->engine)->time_ns && is_replay(app))
		app_show_newest(app);
	else if (is_replay(app) || kept->is_whole)
		app_show_past(app, kept->snapshot);
	else
		show_whole(app, kept);
	say_gap(app, from, kept->snapshot->sequence);
}

/* Before what is kept a replay runs once more. */
static bool search_back(struct app *app, uint64_t time_ns)
{
	struct error error = {0};

	if (time_ns > replay_position(engine_source(app->engine)).first_ns &&
	    rewind_replay(app, &error)) {
		search_for_time(app, time_ns);
		return true;
	}
	if (error.code != ERROR_NONE)
		app_refuse(app, &error);
	else
		app_say(app, false, "this is the beginning of the recording");
	return false;
}

static bool step_back(struct app *app)
{
	const struct kept_interval *kept = player_keep_before(&app->player->keep, shown_ns(app));
	const struct snapshot *shown = app_snapshot(app);

	if (kept) {
		show_kept(app, kept);
		return true;
	}
	if (shown && is_replay(app))
		return search_back(app, shown->time_ns - shown->interval_ns);
	app_say(app, false, "no earlier interval is kept");
	return false;
}

static bool step_on(struct app *app)
{
	const struct kept_interval *kept = player_keep_after(&app->player->keep, shown_ns(app));

	if (!is_replay(app)) {
		if (kept)
			show_kept(app, kept);
		else
			app_say(app, false, "this is the newest interval; Space: resume");
		return kept;
	}
	if (advance(app))
		return true;
	app_say(app, false,
		is_at_end(app) ? "this is the end of the recording" : "no newer interval yet");
	return false;
}

bool player_step(struct app *app, int intervals)
{
	bool good = app_snapshot(app);

	if (!good || app->player->sought_ns != 0)
		return false;
	if (intervals > 0 && !player_is_shown(app)) {
		app_say(app, false, "this is the present; Left goes back in time");
		return false;
	}
	if (is_replay(app))
		halt(app);
	for (; good && intervals < 0; intervals++)
		good = step_back(app);
	for (; good && intervals > 0; intervals--)
		good = step_on(app);
	return good;
}

static void say_speed(struct app *app)
{
	if (app->player->speed > 0)
		app_say(app, false, "%gx", app->player->speed);
	else
		app_say(app, false, "speed: max");
}

bool player_set_speed(struct app *app, const char *text, struct error *error)
{
	struct player *player = app->player;
	double speed = player->speed;

	if (!is_replay(app)) {
		app_say(app, false, "only a recording has a speed (perftop -i FILE)");
		return true;
	}
	if (text[0] == '\0')
		speed = player_speed_next(speed, 1, true);
	else if (strcmp(text, "faster") == 0)
		speed = player_speed_next(speed, 1, false);
	else if (strcmp(text, "slower") == 0)
		speed = player_speed_next(speed, -1, false);
	else if (!player_speed_parse(text, &speed))
		return error_set(error, ERROR_SPEED_BAD, text, NULL);
	player->speed = speed;
	set_anchor(app);
	say_speed(app);
	app_hurry(app);
	return true;
}

/* What can be walked through. */
struct player_span player_span(const struct app *app)
{
	const struct kept_interval *oldest = player_keep_oldest(&app->player->keep);
	struct player_span span = {
		.now_ns = shown_ns(app),
		.wall_offset_ns = engine_session(app->engine)->wall_offset_ns,
	};
	struct replay_position position = {0};

	if (is_replay(app))
		position = replay_position(engine_source(app->engine));
	if (oldest) {
		span.first_ns = oldest->snapshot->time_ns - oldest->snapshot->interval_ns;
		span.last_ns = player_keep_newest(&app->player->keep)->snapshot->time_ns;
	}
	if (position.last_ns != 0) {
		span.first_ns = position.first_ns;
		span.last_ns = position.last_ns;
	}
	return span;
}

static bool jump_replay(struct app *app, uint64_t time_ns)
{
	const struct kept_interval *kept = player_keep_at(&app->player->keep, time_ns);
	const struct kept_interval *oldest = player_keep_oldest(&app->player->keep);

	if (!engine_snapshot(app->engine) || time_ns > engine_snapshot(app->engine)->time_ns) {
		app_show_newest(app);
		search_for_time(app, time_ns);
		return true;
	}
	if (kept &&
	    (kept != oldest || kept->snapshot->time_ns - kept->snapshot->interval_ns <= time_ns)) {
		show_kept(app, kept);
		app->message[0] = '\0';
		set_anchor(app);
		return true;
	}
	const uint64_t first_ns = replay_position(engine_source(app->engine)).first_ns;

	return search_back(app, time_ns > first_ns ? time_ns : first_ns + 1);
}

bool player_jump(struct app *app, const char *text, struct error *error)
{
	const struct player_span span = player_span(app);
	const struct kept_interval *kept;
	uint64_t time_ns;

	if (span.last_ns == 0) {
		app_say(app, false, "nothing has been measured yet");
		return true;
	}
	if (!player_time_parse(text, &span, &time_ns, error))
		return false;
	app->message[0] = '\0';
	if (is_replay(app)) {
		jump_replay(app, time_ns);
		return true;
	}
	kept = player_keep_at(&app->player->keep, time_ns);
	player_stop(app);
	if (kept)
		show_kept(app, kept);
	app->message[0] = '\0';
	return true;
}
