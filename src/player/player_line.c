/*
 * The slider's words and its strip: of a recording the overview that its source gives, of a live
 * session (and of a pipe, which cannot be looked through) what is kept of it.
 */
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "base/strbuf.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/replay/replay.h"

#include "player/player.h"
#include "player/player_slider.h"
#include "player/player_state.h"

enum {
	NS_PER_S = 1000000000,
	WORDS_MAX = 160
};

static const double MIB = 1 << 20;

/* What is kept, as far as it reaches: what was thinned out has what follows it. */
static void look_at_kept(struct player *player, const struct player_span *span)
{
	const double length_ns = (double)(span->last_ns - span->first_ns);
	size_t part = 0;

	memset(player->loads, 0, sizeof(player->loads));
	for (size_t i = 0; i < player->keep.count; i++) {
		const struct kept_interval *kept = &player->keep.intervals[i];
		const double end_ns = (double)(kept->snapshot->time_ns - span->first_ns);
		const size_t last = (size_t)(end_ns / length_ns * PLAYER_PARTS);

		for (; part < PLAYER_PARTS; part++) {
			if (kept->rate > player->loads[part])
				player->loads[part] = kept->rate;
			if (part >= last)
				break;
		}
	}
}

static void look_at_file(struct app *app)
{
	struct player *player = app->player;
	uint64_t parts[PLAYER_PARTS];

	if (player->has_asked)
		return;
	player->has_asked = true;
	player->has_overview = replay_overview(engine_source(app->engine), parts, PLAYER_PARTS);
	for (size_t i = 0; i < PLAYER_PARTS && player->has_overview; i++)
		player->loads[i] = (double)parts[i];
}

static void write_state(const struct app *app, char *words, size_t size)
{
	const struct player *player = app->player;

	if (player->sought_ns != 0)
		snprintf(words, size, "looking for it");
	else if (!player->is_playing)
		snprintf(words, size, "stopped");
	else if (player->speed <= 0)
		snprintf(words, size, "playing, no waits");
	else
		snprintf(words, size, "playing %gx", player->speed);
}

static void write_replay(const struct app *app, const struct player_span *span, bool has_tenths,
			 char *left, char *right)
{
	char state[PLAYER_TIME_MAX], now[PLAYER_TIME_MAX], all[PLAYER_TIME_MAX];
	char clock[PLAYER_TIME_MAX];

	write_state(app, state, sizeof(state));
	player_time_write(span->now_ns > span->first_ns ? span->now_ns - span->first_ns : 0,
			  has_tenths, now);
	player_time_write(span->last_ns - span->first_ns, false, all);
	player_time_write_clock(session_wall_ns(span->wall_offset_ns, span->now_ns), has_tenths,
				clock);
	snprintf(left, WORDS_MAX, "%s  %s of %s", state, now, all);
	snprintf(right, WORDS_MAX, "%s", clock);
}

static void write_live(const struct app *app, const struct player_span *span, bool has_tenths,
		       char *left, char *right)
{
	const struct player_keep *keep = &app->player->keep;
	char clock[PLAYER_TIME_MAX], ago[PLAYER_TIME_MAX], all[PLAYER_TIME_MAX];

	player_time_write_clock(session_wall_ns(span->wall_offset_ns, span->now_ns), has_tenths,
				clock);
	player_time_write(span->last_ns > span->now_ns ? span->last_ns - span->now_ns : 0,
			  has_tenths, ago);
	player_time_write(span->last_ns - span->first_ns, false, all);
	snprintf(left, WORDS_MAX, "%s  %s ago", clock, ago);
	snprintf(right, WORDS_MAX, "kept %s, %.1f of %.0f MiB", all, (double)keep->bytes / MIB,
		 (double)keep->bytes_max / MIB);
}

struct slider_place player_write_slider(struct app *app, size_t width, struct strbuf *out)
{
	const struct snapshot *snapshot = app_snapshot(app);
	const struct player_span span = player_span(app);
	char left[WORDS_MAX], right[WORDS_MAX];
	struct slider slider = {
		.left = left,
		.right = right,
		.loads = app->player->loads,
		.load_count = PLAYER_PARTS,
		.width = width,
		.ascii = app->ascii,
	};
	bool has_tenths;

	if (!player_is_shown(app) || !snapshot || span.last_ns <= span.first_ns)
		return (struct slider_place){.mark = -1};
	has_tenths = snapshot->interval_ns < NS_PER_S;
	if (engine_is_replay(app->engine)) {
		look_at_file(app);
		write_replay(app, &span, has_tenths, left, right);
	} else {
		write_live(app, &span, has_tenths, left, right);
	}
	if (!app->player->has_overview)
		look_at_kept(app->player, &span);
	/* in the middle of what is shown */
	slider.place =
		((double)span.now_ns - (double)snapshot->interval_ns / 2 - (double)span.first_ns) /
		(double)(span.last_ns - span.first_ns);
	return slider_write(&slider, out);
}
