/*
 * What is shown: the newest that the engine has, or while frozen copies, since the engine goes on.
 * A copy of the history shares what the engine keeps.
 */
#include "playback/playback.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/snapshot.h"

#include "playback/playback_parts.h"
#include "session/engine.h"

enum {
	WORDS_MAX = 600
};

struct playback *playback_create(struct engine *engine, uint64_t past_mib,
				 const struct playback_ops *ops, void *context)
{
	struct playback *playback = xcalloc(1, sizeof(*playback));

	playback->engine = engine;
	playback->ops = ops;
	playback->context = context;
	playback->is_playing = true;
	kept_init(&playback->kept, past_mib << 20, true);
	return playback;
}

void playback_destroy(struct playback *playback)
{
	if (!playback)
		return;
	metrics_destroy(playback->frozen_metrics);
	snapshot_destroy(playback->frozen);
	history_destroy(playback->frozen_history);
	kept_fini(&playback->kept);
	free(playback);
}

void playback_renew(struct playback *playback)
{
	const uint64_t bytes_max = playback->kept.bytes_max;
	const bool thins = playback->kept.thins;

	kept_fini(&playback->kept);
	kept_init(&playback->kept, bytes_max, thins);
	playback->ops->renewed(playback->context);
	playback->ops->resumed(playback->context);
	playback->ops->changed(playback->context, PLAYBACK_LEAP);
}

void playback_say(struct playback *playback, bool is_error, const char *format, ...)
{
	char words[WORDS_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(words, sizeof(words), format, arguments);
	va_end(arguments);
	playback->ops->say(playback->context, is_error, words);
}

const struct snapshot *playback_snapshot(const struct playback *playback)
{
	return playback->frozen ? playback->frozen : engine_snapshot(playback->engine);
}

uint64_t playback_now_ns(const struct playback *playback)
{
	const struct snapshot *snapshot = playback_snapshot(playback);

	return snapshot ? snapshot->time_ns : 0;
}

const struct metrics *playback_metrics(struct playback *playback)
{
	if (!playback->frozen)
		return engine_metrics(playback->engine);
	if (!playback->frozen_metrics)
		playback->frozen_metrics = metrics_create(playback->frozen->layout,
							  engine_metric_set(playback->engine));
	return playback->frozen_metrics;
}

void playback_rebind_metrics(struct playback *playback)
{
	metrics_destroy(playback->frozen_metrics);
	playback->frozen_metrics = NULL; /* made anew when they are next needed */
}

const struct history *playback_history(const struct playback *playback)
{
	return playback->frozen ? playback->frozen_history : engine_history(playback->engine);
}

bool playback_reach(const struct playback *playback, struct playback_reach *reach)
{
	const struct history *history = playback_history(playback);
	const uint64_t now_ns = playback_now_ns(playback);

	if (!history || history_settled(history) == history_first(history))
		return false;
	reach->oldest_ns = history_number(history, history_first(history), HISTORY_TIME_NS);
	reach->newest_ns = history_number(history, history_settled(history) - 1, HISTORY_TIME_NS);
	/* a CPU that has not switched since runs on */
	if (now_ns > reach->newest_ns)
		reach->newest_ns = now_ns;
	return true;
}

bool playback_is_frozen(const struct playback *playback)
{
	return playback->frozen;
}

bool playback_lacks_idle(const struct playback *playback)
{
	return playback->lacks_idle;
}

bool playback_is_still(const struct playback *playback)
{
	return playback->frozen || (engine_is_replay(playback->engine) && !playback->is_playing);
}

bool playback_has_keys(const struct playback *playback)
{
	return playback->frozen || engine_is_replay(playback->engine);
}

/* Of the first `end` kept intervals the last `max`. */
static size_t take_last(const struct playback *playback, size_t end, const struct snapshot **past,
			size_t max)
{
	const size_t first = end > max ? end - max : 0;

	for (size_t i = first; i < end; i++)
		past[i - first] = playback->kept.intervals[i].snapshot;
	return end - first;
}

size_t playback_before(const struct playback *playback, uint64_t before_ns,
		       const struct snapshot **past, size_t max)
{
	return take_last(playback, kept_count_before(&playback->kept, before_ns), past, max);
}

size_t playback_past(const struct playback *playback, const struct snapshot **past, size_t max)
{
	return playback_before(playback, playback_now_ns(playback) + 1, past, max);
}

void playback_keep(struct playback *playback, bool has_idle)
{
	const bool is_replay = engine_is_replay(playback->engine);

	if (!engine_snapshot(playback->engine))
		return;
	/*
	 * What is thinned out of a replay would be passed over when it is played once more, and
	 * what is left out of an interval would be missed in its sums and in the tree.
	 */
	playback->kept.thins = !is_replay;
	kept_add(&playback->kept, engine_snapshot(playback->engine), is_replay || has_idle);
}

/* NULL: the newest is shown from now on. */
static void set_frozen(struct playback *playback, struct snapshot *snapshot)
{
	playback_rebind_metrics(playback);
	snapshot_destroy(playback->frozen);
	playback->frozen = snapshot;
	playback->lacks_idle = false;
	playback->ops->changed(playback->context, PLAYBACK_LEAP);
}

/* Takes a copy of the history where something is frozen, or gives it back. */
static void copy_history(struct playback *playback)
{
	const struct history *history = engine_history(playback->engine);
	const struct snapshot *newest = engine_snapshot(playback->engine);

	history_destroy(playback->frozen_history);
	playback->frozen_history = playback->frozen && history ? history_copy(history) : NULL;
	playback->history_ns = newest ? newest->time_ns : 0;
}

/* What is frozen is kept while the engine's own goes on. */
static void say_frozen(struct playback *playback)
{
	const char *key = playback->ops->key(playback->context, "freeze");
	const double megabytes = playback->frozen_history
					 ? (double)history_bytes(playback->frozen_history) / 1e6
					 : 0;

	if (!playback->frozen)
		playback_say(playback, false, "live again");
	else if (megabytes < 1)
		playback_say(playback, false, "frozen, still counting; %s: resume", key);
	else
		playback_say(playback, false,
			     "frozen, still counting; %s: resume (keeps up to %.0f MB of history)",
			     key, megabytes);
}

void playback_freeze(struct playback *playback, bool frozen)
{
	const struct snapshot *newest = engine_snapshot(playback->engine);

	if (frozen && !newest) {
		playback_say(playback, true, "nothing to freeze: the first interval has not ended");
		return;
	}
	set_frozen(playback, frozen && newest ? snapshot_copy(newest) : NULL);
	copy_history(playback);
	if (!playback->frozen)
		playback->ops->resumed(playback->context);
	say_frozen(playback);
}

/* The copy of the history has entries that have gone from the engine's since, so it is kept as long
 * as it can be. */
void playback_show_past(struct playback *playback, const struct kept_interval *kept)
{
	set_frozen(playback, snapshot_copy(kept->snapshot));
	playback->lacks_idle = !kept->has_idle;
	if (!playback->frozen_history || playback->frozen->time_ns > playback->history_ns)
		copy_history(playback);
	if (playback->frozen_history)
		history_show(playback->frozen_history, playback->frozen->time_ns);
}

void playback_show_newest(struct playback *playback)
{
	set_frozen(playback, NULL);
	copy_history(playback);
}
