#ifndef PERFTOP_WELCOME_H
#define PERFTOP_WELCOME_H

/* Three lines for somebody who sees the screen for the first time: where there is no configuration
 * file, until the first key or for some seconds. */

#include <stdint.h>

struct app;
struct frame;

/* An empty one is {0}: nothing is said. */
struct welcome {
	uint64_t until_ns; /* 0: over; of sys_now_ns() */
};

void welcome_begin(struct app *app);
void welcome_end(struct app *app);

/* Adds the lines to the picture as long as they are to be seen. */
void welcome_show(struct app *app, struct frame *frame);

#endif
