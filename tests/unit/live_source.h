#ifndef PERFTOP_TESTS_LIVE_SOURCE_H
#define PERFTOP_TESTS_LIVE_SOURCE_H

/*
 * A source on the kernel that runs the test, and a model of it, with events as this machine has
 * them. Where counting is refused the refusal itself is what is tested: it must say why.
 */

#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "model/model.h"
#include "source/cpus/cpus.h"
#include "source/tasks/tasks.h"

#include "event/event.h"
#include "unit.h"

struct live {
	struct event_finder *finder;
	struct event_set events;
	struct host host;
	struct attr_features features;
	struct source *source; /* NULL: it was refused */
	struct error error;    /* why */
	struct model *model;
	const struct snapshot *snapshot; /* of the last interval */
	uint64_t lost;                   /* records so far */
};

static inline void live_init(struct live *live, const char *events)
{
	*live = (struct live){.finder = event_finder_create("")};
	if (!event_find(live->finder, events, &live->events, NULL, &live->error))
		fail_msg("%s", live->error.text);
	host_read(&live->host, "");
	attr_probe_features(&live->features);
}

static inline void live_fini(struct live *live)
{
	model_destroy(live->model);
	source_destroy(live->source);
	event_set_fini(&live->events);
	event_finder_destroy(live->finder);
	host_fini(&live->host);
	*live = (struct live){0};
}

/* Of the whole machine. */
static inline void live_create_cpus(struct live *live)
{
	live->source = cpus_create(&(struct cpus_request){.host = &live->host,
							  .features = &live->features,
							  .events = &live->events},
				   &live->error);
}

/* Of one process. */
static inline void live_create_tasks(struct live *live, int32_t pid)
{
	live->source = tasks_create(&(struct tasks_request){.host = &live->host,
							    .features = &live->features,
							    .events = &live->events,
							    .mode = TASKS_PIDS,
							    .pids = &pid,
							    .pid_count = 1,
							    .scope_words = "a test"},
				    &live->error);
}

static inline bool live_is_asleep(int32_t tid, void *all)
{
	struct proc_task task;

	*(bool *)all &= !proc_read_task(tid, &task) || task.state == 'S';
	return true;
}

/* Until each thread of the process waits for something, or has gone. */
static inline void live_await_sleep(int32_t pid)
{
	bool all;

	do {
		usleep(1000);
		all = true;
		proc_walk(pid, live_is_asleep, &all);
	} while (!all);
}

static inline void live_feed(struct live *live)
{
	struct record record;

	while (source_next(live->source, &record))
		model_feed(live->model, &record);
}

static inline void live_tick(struct live *live)
{
	source_tick(live->source);
	live_feed(live);
	live->snapshot = model_close_interval(live->model, live->source->tick_ns);
	live->lost += live->snapshot->lost_records;
}

static inline void live_drain(struct live *live)
{
	source_drain(live->source);
	live_feed(live);
}

/* What was refused is refused above this level of paranoia, with these words. */
static inline void live_assert_explained(const struct live *live, int paranoid, const char *words)
{
	if (live->error.code == ERROR_PERF_SECCOMP) {
		assert_true(live->host.has_seccomp_filter || live->host.container[0] != '\0');
		return;
	}
	assert_int_equal(live->error.code, ERROR_PERF_PARANOID);
	assert_true(live->host.paranoid > paranoid && !live->host.has_cap_perfmon);
	assert_non_null(strstr(live->error.text, words));
	assert_true(live->error.remedy[0] != '\0');
}

/* Begins the first interval. False: the source was refused, and all is given up. */
static inline bool live_begin(struct live *live, int paranoid, const char *words)
{
	if (live->source == NULL) {
		live_assert_explained(live, paranoid, words);
		live_fini(live);
		return false;
	}
	live->model = model_create(&live->source->layout);
	assert_true(source_begin(live->source, &live->error));
	source_tick(live->source);
	live_feed(live);
	model_start(live->model, live->source->tick_ns);
	return true;
}

#endif
