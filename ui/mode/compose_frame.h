#ifndef PERFTOP_COMPOSE_FRAME_H
#define PERFTOP_COMPOSE_FRAME_H

/* What is on the screen: the app's state as a frame, drawn. */

struct app;

void compose_frame_draw(struct app *app);

#endif
