#ifndef PERFTOP_PICTURE_H
#define PERFTOP_PICTURE_H

/* What is on the screen: the app's state as a frame, drawn. */

struct app;

void picture_draw(struct app *app);

#endif
