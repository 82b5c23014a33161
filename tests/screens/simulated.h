#ifndef PERFTOP_TESTS_SIMULATED_H
#define PERFTOP_TESTS_SIMULATED_H

/*
 * A terminal, a keyboard and a clock for app_run(): the terminal is the grid of cells as it was
 * painted last, keys are written to standard input, and time passes only while the program waits.
 * The functions of the program that are replaced are listed in CMakeLists.txt (--wrap).
 *
 * Whenever the program has nothing left to do, the next timer goes off or the next step is taken,
 * whichever is earlier; steps are 100 ms apart. There is one of all this.
 */

#include <stdbool.h>
#include <stdint.h>

typedef void simulated_step(void *context);

/* Before app_run(), each time. */
void simulated_begin(int width, int height, simulated_step *step, void *context);
void simulated_fini(void);

/* Whether the screen has behind its lines the sign of each cell's style. */
void simulated_show_styles(bool shows);

/* For a step. */
void simulated_type(const char *bytes);
void simulated_end_keys(void); /* end of input: the program ends */
void simulated_resize(int width, int height);
void simulated_wait(uint64_t wait_ns); /* so much more until the next step */

/* The screen, a line each without trailing blanks; valid until it is painted again. */
const char *simulated_screen(void);

#endif
