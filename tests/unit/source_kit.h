#ifndef PERFTOP_TESTS_SOURCE_KIT_H
#define PERFTOP_TESTS_SOURCE_KIT_H

/*
 * What tests of the live sources have in common: a host, the source that is tested, which is
 * destroyed after each test, and its records as words. A test says what a record looks like with
 * describe().
 */

#include "base/error.h"
#include "base/list.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "source/source.h"

#include "fake_kernel.h"
#include "made_events.h"
#include "unit.h"

static struct host host;
static struct source *source;
static char text[4096]; /* of the last round */

static size_t describe(char *words, size_t size, const struct record *record);

/* All records that are there. */
static inline const char *take(void)
{
	struct record record;
	size_t used = 0;

	text[0] = '\0';
	while (source_next(source, &record))
		used += describe(text + used, sizeof(text) - used, &record);
	return text;
}

static inline const char *drained(void)
{
	source_drain(source);
	return take();
}

static inline const char *ticked(void)
{
	source_tick(source);
	return take();
}

static inline bool change_to(const char *const *names, size_t count, struct error *error)
{
	return source_change(source, made_set(names, count), error);
}

static inline void destroy(void)
{
	source_destroy(source);
	source = NULL;
	assert_int_equal(fake_open_count(), 0);
}

static inline int kit_set_up(void **state, uint64_t now_ns)
{
	fake_reset(state);
	made_reset();
	fake.now_ns = now_ns;
	return 0;
}

static inline int tear_down(void **state)
{
	destroy();
	host_fini(&host);
	return fake_reset(state);
}

#endif
