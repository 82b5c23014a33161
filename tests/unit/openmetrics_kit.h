#ifndef PERFTOP_TESTS_OPENMETRICS_KIT_H
#define PERFTOP_TESTS_OPENMETRICS_KIT_H

/* What tests of OpenMetrics have in common: a scene whose intervals are written and read back. */

#include "batch/exposition.h"

#include "batch_kit.h"
#include "exposition_reader.h"

static struct {
	struct totals *totals; /* owned */
	size_t top;
	struct reading reading; /* what was written last */
} exposed;

static inline struct scene *exposed_open(void)
{
	exposed.totals = totals_create();
	exposed.top = 50;
	return scene_open();
}

static inline void exposed_close(struct scene *scene)
{
	reading_fini(&exposed.reading);
	totals_destroy(exposed.totals);
	scene_close(scene);
}

static inline struct batch_input exposed_input(struct scene *scene, const char *view)
{
	struct batch_input input = scene_input(scene, view);

	input.totals = exposed.totals;
	input.top = exposed.top;
	return input;
}

static inline void exposed_write(struct scene *scene, const struct batch_input *input)
{
	reading_fini(&exposed.reading);
	read_exposition(&exposed.reading, scene_write(scene, "openmetrics", input));
}

static inline void assert_value(const char *series, double expected)
{
	const double value = read_value(&exposed.reading, series);

	if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%s is %.17g, expected %.17g", series, value, expected);
}

#endif
