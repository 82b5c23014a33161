#ifndef PERFTOP_SESSION_REPLAYING_H
#define PERFTOP_SESSION_REPLAYING_H

/*
 * The engine over a recording: nothing of this machine is asked, counted or reported, and time is
 * that of the recording.
 */

#include <stdbool.h>
#include <stddef.h>

struct engine;
struct error;
struct layout;
struct metric_info;
struct options;

bool replaying_open(struct engine *engine, const struct options *options, struct error *error);
void replaying_start(struct engine *engine);
void replaying_drain(struct engine *engine);
void replaying_tick(struct engine *engine);

/*
 * Whether what has been read, with vectors of `layout` (NULL: as they are), takes no more memory
 * than a recording may make us take. If it does nothing more is read.
 */
bool replaying_has_room(struct engine *engine, const struct layout *layout);

/* Tasks in the scope by now, as the recording says, unless the user has named them. */
void replaying_follow_targets(struct engine *engine);

/* The events of the list are those of the recording; as engine_add_events(). */
bool replaying_find_events(struct engine *engine, const char *list,
			   void (*added)(const char *name, void *context), void *context,
			   size_t *position, struct error *error);

/* The events that a metric needs must be among them; as engine_add_metric(). */
bool replaying_add_metric(struct engine *engine, const char *definition,
			  const struct metric_info **info, size_t *position, struct error *error);

#endif
