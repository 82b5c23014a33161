/*
 * A replay's engine may be further on than what is shown; playing goes through what is kept first
 * and only then lets the engine tick.
 *
 * An interval is shown for as long as it lasted: the next one is due when the time that has passed
 * since playing began is the record time that was played.
 *
 * A jump to what is not kept is a search: the engine ticks, some milliseconds at a time so that
 * keys are heard, until it is there.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/sys.h"
#include "model/snapshot.h"

#include "perfdata/replay.h"
#include "playback/playback.h"
#include "playback/playback_parts.h"
#include "session/engine.h"

enum {
	ROUND_NS = 40 * NS_PER_MS, /* keys are read so often */
	WAIT_NS = 100 * NS_PER_MS, /* for a pipe */
	REMARKS_MAX = 400
};

static bool is_replay(const struct playback *playback)
{
	return engine_is_replay(playback->engine);
}

/* What is shown is shown for as long as it lasted from now on. */
static void set_anchor(struct playback *playback)
{
	const struct snapshot *snapshot = playback_snapshot(playback);

	playback->anchor_wall_ns = sys_now_ns();
	playback->anchor_ns = snapshot ? snapshot->time_ns - snapshot->interval_ns : 0;
}

static void halt(struct playback *playback)
{
	playback->is_playing = false;
	playback->sought_ns = 0;
	playback->ops->changed(playback->context, PLAYBACK_DRAWING);
}

static bool is_at_end(const struct playback *playback)
{
	return replay_position(engine_source(playback->engine)).is_at_end;
}

/* The next interval of a replay is shown. False: there is none, or not yet. */
static bool advance_playback(struct playback *playback)
{
	const uint64_t before_ns = playback_now_ns(playback);
	const struct snapshot *newest = engine_snapshot(playback->engine);
	const struct kept_interval *kept = kept_after(&playback->kept, before_ns);

	playback->ops->changed(playback->context, PLAYBACK_ROWS);
	if (playback->frozen && kept && kept->snapshot->time_ns < newest->time_ns) {
		playback_show_past(playback, kept);
		return true;
	}
	if (playback->frozen) {
		playback_show_newest(playback);
		if (playback_now_ns(playback) > before_ns)
			return true;
	}
	if (!engine_can_tick(playback->engine))
		return false;
	engine_tick(playback->engine);
	playback->ops->advanced(playback->context);
	return playback_now_ns(playback) > before_ns;
}

static bool rewind_replay(struct playback *playback, struct error *error)
{
	if (!engine_rewind(playback->engine, error))
		return false;
	playback_show_newest(playback);
	playback->ops->rewound(playback->context);
	/* what is on the screen must not be of what has gone */
	advance_playback(playback);
	return true;
}

/* What was searched for is there, or the end. */
static void finish_search(struct playback *playback)
{
	playback->sought_ns = 0;
	playback->is_playing = playback->plays_after;
	set_anchor(playback);
	playback->ops->changed(playback->context, PLAYBACK_ROWS);
}

static void search_for_time(struct playback *playback, uint64_t time_ns)
{
	if (playback->sought_ns == 0)
		playback->plays_after = playback->is_playing;
	playback->sought_ns = time_ns;
	playback->ops->changed(playback->context, PLAYBACK_DRAWING);
	playback->wants_round = true;
}

static uint64_t due_ns(const struct playback *playback)
{
	const uint64_t now_ns = playback_now_ns(playback);

	if (playback->is_fast || now_ns <= playback->anchor_ns)
		return playback->anchor_wall_ns;
	return playback->anchor_wall_ns + (now_ns - playback->anchor_ns);
}

static bool wants_next(const struct playback *playback)
{
	if (playback->sought_ns != 0)
		return playback_now_ns(playback) < playback->sought_ns;
	/* stopped before anything was there: the first interval, which is still then */
	if (playback_now_ns(playback) == 0)
		return true;
	return playback->is_playing && due_ns(playback) <= sys_now_ns();
}

/* The very first interval is shown for as long as it lasted, too. */
static void note_first(struct playback *playback, uint64_t before_ns)
{
	if (before_ns == 0)
		set_anchor(playback);
}

static void end_of_replay(struct playback *playback)
{
	char remarks[REMARKS_MAX];
	struct strbuf unseen = {0};

	if (playback->sought_ns != 0)
		finish_search(playback);
	halt(playback);
	replay_remarks(engine_source(playback->engine), remarks, sizeof(remarks));
	if (engine_list_unseen(playback->engine, &unseen))
		strbuf_add(&unseen, " was not in it; ");
	playback_say(playback, false, "end of the recording%s%s; %sLeft: back; %s: to a time",
		     remarks[0] != '\0' ? ": " : "", remarks, strbuf_text(&unseen),
		     playback->ops->key(playback->context, "ask jump"));
	strbuf_fini(&unseen);
}

static uint64_t wait_ns(const struct playback *playback)
{
	const uint64_t now_ns = sys_now_ns();
	const uint64_t next_ns = due_ns(playback);

	if (playback->sought_ns != 0)
		return NS_PER_MS;
	if (!playback->is_playing || next_ns > now_ns + NS_PER_S)
		return NS_PER_S;
	return next_ns > now_ns + NS_PER_MS ? next_ns - now_ns : NS_PER_MS;
}

bool playback_wants_round(const struct playback *playback)
{
	return playback->wants_round;
}

uint64_t playback_round(struct playback *playback)
{
	const uint64_t end_ns = sys_now_ns() + ROUND_NS;

	playback->wants_round = false;
	do {
		const uint64_t before_ns = playback_now_ns(playback);

		if (!wants_next(playback))
			break;
		if (!advance_playback(playback)) {
			if (!is_at_end(playback))
				return WAIT_NS;
			end_of_replay(playback);
			break;
		}
		note_first(playback, before_ns);
	} while (sys_now_ns() < end_ns);
	if (playback->sought_ns != 0 && playback_now_ns(playback) >= playback->sought_ns)
		finish_search(playback);
	return wait_ns(playback);
}

void playback_toggle(struct playback *playback)
{
	if (!is_replay(playback)) {
		playback_freeze(playback, !playback->frozen);
		return;
	}
	if (playback->is_playing || playback->sought_ns != 0) {
		halt(playback);
		return;
	}
	if (!playback->frozen && is_at_end(playback)) {
		playback_say(playback, false, "end of the recording");
		return;
	}
	playback->is_playing = true;
	playback->anchor_wall_ns = sys_now_ns();
	playback->anchor_ns =
		playback_now_ns(playback); /* the key is answered at once: the next one is due */
	playback->ops->resumed(playback->context);
	playback->ops->changed(playback->context, PLAYBACK_ROWS);
	playback->wants_round = true;
}

void playback_stop(struct playback *playback)
{
	if (is_replay(playback))
		halt(playback);
	else if (!playback->frozen)
		playback_freeze(playback, true);
}

/* What lies between was thinned out. */
static void say_gap(struct playback *playback, uint64_t from, uint64_t to)
{
	const uint64_t between = from > to ? from - to - 1 : to - from - 1;

	if (from != to && between > 0)
		playback_say(playback, false,
			     "skipped %" PRIu64 " interval%s (dropped from history)", between,
			     units_plural(between));
}

static void show_kept(struct playback *playback, const struct kept_interval *kept)
{
	const struct snapshot *shown = playback_snapshot(playback);
	const uint64_t from = shown ? shown->sequence : 0;

	playback_say(playback, false, "%s", "");
	if (kept->snapshot->time_ns == engine_snapshot(playback->engine)->time_ns &&
	    is_replay(playback))
		playback_show_newest(playback);
	else
		playback_show_past(playback, kept);
	say_gap(playback, from, kept->snapshot->sequence);
}

/* Before what is kept a replay runs once more. */
static bool search_back(struct playback *playback, uint64_t time_ns)
{
	struct error error = {0};

	if (time_ns > replay_position(engine_source(playback->engine)).first_ns &&
	    rewind_replay(playback, &error)) {
		search_for_time(playback, time_ns);
		return true;
	}
	if (error.code != ERROR_NONE)
		playback_say(playback, true, "%s%s%s", error.text,
			     error.remedy[0] != '\0' ? "; " : "", error.remedy);
	else
		playback_say(playback, false, "this is the beginning of the recording");
	return false;
}

static bool step_back(struct playback *playback)
{
	const struct kept_interval *kept = kept_before(&playback->kept, playback_now_ns(playback));
	const struct snapshot *shown = playback_snapshot(playback);

	if (kept) {
		show_kept(playback, kept);
		return true;
	}
	if (shown && is_replay(playback))
		return search_back(playback, shown->time_ns - shown->interval_ns);
	playback_say(playback, false, "no earlier interval is kept");
	return false;
}

static bool step_replay_on(struct playback *playback)
{
	const struct kept_interval *kept = kept_after(&playback->kept, playback_now_ns(playback));

	if (!is_replay(playback)) {
		if (kept)
			show_kept(playback, kept);
		else
			playback_say(playback, false, "this is the newest interval; Space: resume");
		return kept;
	}
	if (advance_playback(playback))
		return true;
	playback_say(playback, false,
		     is_at_end(playback) ? "this is the end of the recording"
					 : "no newer interval yet");
	return false;
}

bool playback_step(struct playback *playback, int intervals)
{
	bool good = playback_snapshot(playback);

	if (!good || playback->sought_ns != 0)
		return false;
	if (intervals > 0 && !playback_has_keys(playback)) {
		playback_say(playback, false, "this is the present; Left goes back in time");
		return false;
	}
	if (is_replay(playback))
		halt(playback);
	for (; good && intervals < 0; intervals++)
		good = step_back(playback);
	for (; good && intervals > 0; intervals--)
		good = step_replay_on(playback);
	return good;
}

bool playback_set_speed(struct playback *playback, const char *text, struct error *error)
{
	bool is_fast = !playback->is_fast;

	if (!is_replay(playback)) {
		playback_say(playback, false, "only a recording has a speed (perftop -i FILE)");
		return true;
	}
	if (text[0] != '\0') {
		is_fast = strcmp(text, "max") == 0;
		if (!is_fast && strcmp(text, "recorded") != 0)
			return error_set(error, ERROR_SPEED_BAD, text, NULL);
	}
	playback->is_fast = is_fast;
	set_anchor(playback);
	playback_say(playback, false, "speed: %s", is_fast ? "max" : "recorded");
	playback->wants_round = true;
	return true;
}

/* What can be walked through. */
struct playback_span playback_span(const struct playback *playback)
{
	const struct kept_interval *oldest = kept_oldest(&playback->kept);
	struct playback_span span = {
		.now_ns = playback_now_ns(playback),
		.wall_offset_ns = engine_session(playback->engine)->wall_offset_ns,
	};
	struct replay_position position = {0};

	if (is_replay(playback))
		position = replay_position(engine_source(playback->engine));
	if (oldest) {
		span.first_ns = oldest->snapshot->time_ns - oldest->snapshot->interval_ns;
		span.last_ns = kept_newest(&playback->kept)->snapshot->time_ns;
	}
	if (position.last_ns != 0) {
		span.first_ns = position.first_ns;
		span.last_ns = position.last_ns;
	}
	return span;
}

static void jump_replay(struct playback *playback, uint64_t time_ns)
{
	const struct kept_interval *kept = kept_at(&playback->kept, time_ns);
	const struct kept_interval *oldest = kept_oldest(&playback->kept);

	if (!engine_snapshot(playback->engine) ||
	    time_ns > engine_snapshot(playback->engine)->time_ns) {
		playback_show_newest(playback);
		search_for_time(playback, time_ns);
		return;
	}
	if (kept &&
	    (kept != oldest || kept->snapshot->time_ns - kept->snapshot->interval_ns <= time_ns)) {
		show_kept(playback, kept);
		playback_say(playback, false, "%s", "");
		set_anchor(playback);
		return;
	}
	const uint64_t first_ns = replay_position(engine_source(playback->engine)).first_ns;

	search_back(playback, time_ns > first_ns ? time_ns : first_ns + 1);
}

bool playback_jump(struct playback *playback, const char *text, struct error *error)
{
	const struct playback_span span = playback_span(playback);
	const struct kept_interval *kept;
	uint64_t time_ns;

	if (span.last_ns == 0) {
		playback_say(playback, false, "nothing has been measured yet");
		return true;
	}
	if (!playback_time_parse(text, &span, &time_ns, error))
		return false;
	playback_say(playback, false, "%s", "");
	if (is_replay(playback)) {
		jump_replay(playback, time_ns);
		return true;
	}
	kept = kept_at(&playback->kept, time_ns);
	playback_stop(playback);
	if (kept)
		show_kept(playback, kept);
	playback_say(playback, false, "%s", "");
	return true;
}
