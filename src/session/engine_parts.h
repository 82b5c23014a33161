#ifndef PERFTOP_SESSION_ENGINE_PARTS_H
#define PERFTOP_SESSION_ENGINE_PARTS_H

/*
 * What the files of the engine (engine.h) share: engine.c lets it run, engine_source.c opens the
 * source, engine_events.c sees to what is counted. Records, procinfo and replays have headers of
 * their own (recording.h, procinfo.h, replaying.h).
 */

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct error;
struct options;

/* Wishes for the events and the metrics of the options. False: error says what is wrong where. */
bool engine_add_option_events(struct engine *engine, const struct options *options,
			      struct error *error);

/* Opens the source that the options ask for and this user may have; see engine_open(). */
bool engine_open_source(struct engine *engine, const struct options *options, int32_t command_pid,
			struct error *error);

/* Feeds the records that there are now to the model. */
void engine_feed_all(struct engine *engine);

/* engine->snapshot is what is in the scope, of the model's snapshot. */
void engine_take_snapshot(struct engine *engine);

#endif
