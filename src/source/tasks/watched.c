#include "source/tasks/watched.h"

#include <errno.h>

#include "kernel/sys.h"

/* The kernel gives the lowest descriptor that is free: below those given none is. */
static int last_descriptor(const struct watched *watched)
{
	int last = bundle_last_descriptor(&watched->bundle);

	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		last = watched->fds[i] > last ? watched->fds[i] : last;
	return last;
}

static bool enable(struct group *group, const struct plan_target *target)
{
	return group->leader_fd < 0 || target->enable_on_exec || group_enable(group);
}

static bool open_groups(struct watched *watched, const struct watched_request *request,
			int *errno_value)
{
	const struct bundle_request bundle = {
		.after = request->plan,
		.target = *request->target,
		.features = request->features,
	};

	if (!bundle_prepare(&watched->bundle, &bundle, errno_value))
		return false;
	bundle_commit(&watched->bundle, &bundle);
	for (size_t i = 0; i < watched->bundle.count; i++) {
		if (!enable(&watched->bundle.groups[i], request->target)) {
			*errno_value = ESRCH; /* it has exited this very moment */
			return false;
		}
	}
	return true;
}

/*
 * An unavailable stream is done without: counters matter more. False: the thread has gone, and
 * without the stream the number of its switches would be unknown.
 */
static bool open_stream(struct watched *watched, enum watched_stream stream,
			const struct watched_request *request, size_t bytes)
{
	const unsigned int content = stream == WATCHED_BIRTHS ? TIMELINE_TASKS : TIMELINE_SWITCHES;
	const uint32_t wakeup = stream == WATCHED_BIRTHS ? 1 : (uint32_t)(bytes / 4);
	int errno_value = 0;
	int fd = timeline_open(watched->tid, -1, request->features, request->target->exclude_kernel,
			       wakeup, content);

	if (fd < 0)
		return fd != -ESRCH;
	for (; bytes >= request->page_bytes; bytes /= 2) {
		if (ring_map(&watched->rings[stream], fd, bytes, request->page_bytes,
			     &errno_value)) {
			watched->fds[stream] = fd;
			return true;
		}
	}
	sys_close(fd);
	return true;
}

static bool open_streams(struct watched *watched, const struct watched_request *request,
			 int *errno_value)
{
	if (request->wants_births &&
	    !open_stream(watched, WATCHED_BIRTHS, request, request->page_bytes)) {
		*errno_value = ESRCH;
		return false;
	}
	if (request->ring_bytes > 0 &&
	    !open_stream(watched, WATCHED_SWITCHES, request, request->ring_bytes)) {
		*errno_value = ESRCH;
		return false;
	}
	if ((uint64_t)last_descriptor(watched) >= request->fd_end) {
		*errno_value = EMFILE;
		return false;
	}
	return true;
}

bool watched_open(struct watched *watched, const struct watched_request *request, int *errno_value)
{
	watched->waits_for_exec = request->target->enable_on_exec;
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		watched->fds[i] = -1;
	if (open_groups(watched, request, errno_value) &&
	    open_streams(watched, request, errno_value))
		return true;
	watched_close(watched);
	return false;
}

void watched_close(struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		ring_unmap(&watched->rings[i]);
		if (watched->fds[i] >= 0)
			sys_close(watched->fds[i]);
		watched->fds[i] = -1;
	}
	bundle_close(&watched->bundle);
}

static struct bundle_request bundle_request_of(const struct watched_change *change)
{
	return (struct bundle_request){
		.before = change->before,
		.after = change->after,
		.target = change->target,
		.features = change->features,
	};
}

enum plan_step watched_step(const struct watched_change *change, size_t group)
{
	const struct bundle_request request = bundle_request_of(change);

	return bundle_step(&request, group);
}

/* Whether its counters wait for an exec: nothing was counted since they were opened for one. */
static bool waits_for_exec(const struct watched *watched, const struct watched_change *change)
{
	const size_t clock = change->before->layout.kinds[0].clock;
	struct group_reading reading;

	return watched->waits_for_exec &&
	       group_read(&watched->bundle.groups[clock], change->features, &reading) &&
	       reading.enabled_ns == 0;
}

/* A thread that is about to end needs nothing new; it keeps what it has counted by the old plan. */
static bool open_next(struct watched *watched, const struct bundle_request *request,
		      int *errno_value)
{
	if (bundle_prepare(&watched->bundle, request, errno_value) ||
	    (*errno_value == ENODEV && bundle_prepare(&watched->bundle, request, errno_value)))
		return true;
	if (*errno_value == ENOMEM || *errno_value == EMFILE || *errno_value == ENFILE ||
	    (*errno_value != ESRCH && sys_task_exists(watched->pid, watched->tid)))
		return false;
	bundle_prepare_nothing(&watched->bundle, request);
	return true;
}

bool watched_prepare(struct watched *watched, const struct watched_change *change, int *errno_value)
{
	struct bundle_request request = bundle_request_of(change);

	watched->waits_for_exec = waits_for_exec(watched, change);
	request.target.pid = watched->tid;
	request.target.enable_on_exec = watched->waits_for_exec;
	if (!open_next(watched, &request, errno_value))
		return false;
	if ((uint64_t)last_descriptor(watched) + 1 <= change->fd_end)
		return true;
	bundle_abandon(&watched->bundle, &request);
	*errno_value = EMFILE;
	return false;
}

void watched_abandon(struct watched *watched, const struct watched_change *change)
{
	const struct bundle_request request = bundle_request_of(change);

	bundle_abandon(&watched->bundle, &request);
}

void watched_commit(struct watched *watched, const struct watched_change *change)
{
	const struct plan_target target = {.enable_on_exec = watched->waits_for_exec};
	const struct bundle_request request = bundle_request_of(change);

	bundle_commit(&watched->bundle, &request);
	for (size_t i = 0; i < watched->bundle.count; i++)
		if (bundle_step(&request, i) == PLAN_OPEN)
			enable(&watched->bundle.groups[i], &target);
}

size_t watched_descriptors(const struct watched *watched)
{
	size_t count = bundle_descriptors(&watched->bundle);

	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		count += watched->fds[i] >= 0;
	return count;
}

size_t watched_ring_bytes(const struct watched *watched)
{
	size_t bytes = 0;

	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		bytes += watched->fds[i] >= 0 ? watched->rings[i].map_bytes : 0;
	return bytes;
}

double watched_fill(const struct watched *watched)
{
	double highest = 0;

	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		const struct ring *ring = &watched->rings[i];
		double fill;

		if (watched->fds[i] < 0)
			continue;
		fill = (double)ring_fill_bytes(ring) / (double)ring->data_bytes;
		highest = fill > highest ? fill : highest;
	}
	return highest;
}

bool watched_has_ring(const struct watched *watched, enum watched_stream stream)
{
	return watched->fds[stream] >= 0;
}

void watched_begin(struct watched *watched)
{
	watched->next = 0;
	watched->phase = watched->is_introduced ? WATCHED_RINGS : WATCHED_FACTS;
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		if (watched->fds[i] >= 0)
			ring_begin(&watched->rings[i]);
}

void watched_end(struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		if (watched->fds[i] >= 0)
			ring_end(&watched->rings[i]);
}
