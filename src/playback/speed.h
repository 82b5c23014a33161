#ifndef PERFTOP_PLAYER_SPEED_H
#define PERFTOP_PLAYER_SPEED_H

/* How many times faster than it was a recording is played; 0: as fast as it goes. */

#include <stdbool.h>

/* "2x", "0.5", "max". */
bool playback_speed_parse(const char *text, double *speed);

/* The next of the usual ones, faster (1) or slower (-1); goes_round: behind the last comes 1. */
double playback_speed_next(double speed, int by, bool goes_round);

#endif
