#ifndef PERFTOP_MODEL_RETELL_H
#define PERFTOP_MODEL_RETELL_H

/*
 * What the model knows, once more as records: fed to an empty model of the same layout that is
 * started then, they make it count on as this one does. What was counted so far is not among them,
 * and of the slices that go on nothing is known from before.
 */

#include "model/model.h"

struct attribution;
struct per_task;
struct scheduling;
struct stream;
struct task;
struct task_table;

/* Parts of a model, between intervals. */
struct resyncing {
	const struct task_table *tasks;
	const struct scheduling *scheduling;
	const struct attribution *attribution;
	const struct per_task *per_task;
	enum model_shed shed;
	model_listener *listen;
	void *context;
};

void resync(const struct resyncing *resyncing);

/* The reading that a stream goes on from; it is a new beginning. */
struct record resync_reading(const struct stream *stream, uint16_t group);

#endif
