#ifndef PERFTOP_MODEL_RESYNC_H
#define PERFTOP_MODEL_RESYNC_H

#include "model/model.h"

struct attribution;

/*
 * What runs between two intervals, as records: the tasks there are, the CPUs' last readings and
 * their running tasks. Fed to an empty model of the same layout that is started then, they make it
 * count on as this one does: since when tasks are off the CPU, and what they were seen to sleep
 * for, is among them, and what each CPU's slice has counted. What was counted before is not.
 */
void resync(const struct attribution *attribution, model_listener *listen, void *context);

#endif
