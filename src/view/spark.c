#include "view/spark.h"

#include <math.h>
#include <stddef.h>

enum {
	LEVELS = 8
};

const char *spark_sign(double share, bool ascii)
{
	static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const signs[LEVELS] = {".", ":", "-", "=", "+", "*", "%", "#"};
	size_t level = 0;

	if (isnan(share))
		return " ";
	if (share > 0)
		level = share < 1 ? (size_t)(share * LEVELS) : LEVELS - 1;
	return ascii ? signs[level] : blocks[level];
}

double spark_top(double largest)
{
	static const double steps[] = {1, 1.5, 2, 3, 5, 8, 10};
	const double wanted = largest * 1.1;
	double decade;

	if (!(wanted > 0) || !isfinite(wanted))
		return 1;
	decade = pow(10, floor(log10(wanted)));
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i] * decade >= wanted)
			return steps[i] * decade;
	return 10 * decade;
}
