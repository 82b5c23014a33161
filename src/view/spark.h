#ifndef PERFTOP_VIEW_SPARK_H
#define PERFTOP_VIEW_SPARK_H

/* Values in time as a line of characters, each one column wide: the higher the more. */

#include <stdbool.h>

/*
 * The character for a share of what a full one stands for: eighths of a block, or signs of ASCII.
 * The least stands for 0, the full one also for more than 1; a blank for NaN: unknown.
 */
const char *spark_sign(double share, bool ascii);

/*
 * What a full character is to stand for where the largest value to be shown is this: the next of
 * 1, 1.5, 2, 3, 5, 8, 10 ... that leaves it a tenth of room, so that the scale seldom changes. 1
 * where there is none above 0.
 */
double spark_top(double largest);

#endif
