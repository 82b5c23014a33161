#ifndef PERFTOP_WELCOME_H
#define PERFTOP_WELCOME_H

/* Three lines for somebody who sees the screen for the first time: where there is no configuration
 * file, until the first key or for some seconds. */

#include <stdbool.h>
#include <stdint.h>

struct app;
struct frame;
struct summary;

/* An empty one is {0}: nothing is said. */
struct welcome {
	uint64_t until_ns;     /* 0: over; of sys_now_ns() */
	uint64_t pmu_since_ns; /* the sentence about a missing PMU; 0: not yet */
	bool is_pmu_over;
};

void welcome_begin(struct app *app);
void welcome_end(struct app *app);

/* Adds the lines to the picture as long as they are to be seen. */
void welcome_show(struct app *app, struct frame *frame);

/* That there is no PMU is said in a sentence for as long, then by a word in the header. */
void welcome_shorten(struct app *app, struct summary *summary);
void welcome_end_pmu(struct app *app);

#endif
