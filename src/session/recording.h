#ifndef PERFTOP_SESSION_RECORDING_H
#define PERFTOP_SESSION_RECORDING_H

/*
 * The engine's tee: everything fed to the model goes to the recording as well, if one is made. What
 * the rest of the program asks for is in engine.h (engine_record()).
 */

#include <stdbool.h>

#include "model/record.h"

struct engine;
struct own_usage;

/* What the source says is settled by now, as a record. */
struct record recording_settled(const struct engine *engine);

/* Feeds the model, and the recording. */
void engine_feed(struct engine *engine, const struct record *record);

/* All records of a round were fed. */
void recording_round(struct engine *engine);

/* The model has begun, or closed an interval, at the source's tick. */
void recording_start(struct engine *engine);
void recording_tick(struct engine *engine, const struct own_usage *own);

/* The scope has been widened. */
void recording_want(struct engine *engine);

/* What the source counts has changed, right after a tick. */
void recording_change(struct engine *engine);

#endif
