#ifndef PERFTOP_MODEL_RESYNC_H
#define PERFTOP_MODEL_RESYNC_H

#include "model/model.h"

struct attribution;

/*
 * What the model knows between two intervals, once more as records: fed to an empty model of the
 * same layout that is started then, they make it count on as this one does. What was counted so far
 * is not among them, and of the slices that go on nothing is known from before.
 */
void resync(const struct attribution *attribution, model_listener *listen, void *context);

#endif
