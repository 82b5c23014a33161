/* The usual speeds are in a table, the fastest last. */
#include "playback/speed.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const double speeds[] = {0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, INFINITY};

enum {
	SPEEDS = sizeof(speeds) / sizeof(*speeds),
	NUMBER_MAX = 32
};

static const double SPEED_MIN = 0.01;
static const double SPEED_MAX = 100000;

bool playback_speed_parse(const char *text, double *speed)
{
	const size_t length = strspn(text, "0123456789.");
	char number[NUMBER_MAX];

	if (strcmp(text, "max") == 0) {
		*speed = 0;
		return true;
	}
	if (length >= sizeof(number) || (text[length] != '\0' && strcmp(text + length, "x") != 0))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	return units_parse_double(number, SPEED_MIN, SPEED_MAX, speed);
}

double playback_speed_next(double speed, int by, bool goes_round)
{
	const double now = speed > 0 ? speed : INFINITY;
	size_t index = by > 0 ? 0 : SPEEDS - 1;
	double next;

	if (by > 0) {
		while (index < SPEEDS && !(speeds[index] > now))
			index++;
		if (index == SPEEDS)
			return goes_round ? 1 : speed;
	} else {
		while (index > 0 && !(speeds[index] < now))
			index--;
		if (!(speeds[index] < now))
			return speed;
	}
	next = speeds[index];
	return isinf(next) ? 0 : next;
}
