#include "source/watched.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernel/sys.h"

/* The kernel gives the lowest descriptor that is free: below those given none is. */
static int last_descriptor(const struct watched *watched)
{
	int last = -1;

	for (size_t i = 0; i < watched->group_count; i++) {
		const struct group *group = &watched->groups[i];

		last = group->leader_fd > last ? group->leader_fd : last;
		for (size_t j = 0; j < group->count; j++)
			last = group->member_fds[j] > last ? group->member_fds[j] : last;
	}
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		last = watched->fds[i] > last ? watched->fds[i] : last;
	return last;
}

static bool open_groups(struct watched *watched, const struct watched_request *request,
			int *errno_value)
{
	for (size_t i = 0; i < watched->group_count; i++) {
		if (!plan_open_group(request->plan, i, request->target, request->features, 0,
				     &watched->groups[i], errno_value))
			return false;
	}
	for (size_t i = 0; i < watched->group_count && !request->target->enable_on_exec; i++) {
		if (!group_enable(&watched->groups[i])) {
			*errno_value = ESRCH; /* it has exited this very moment */
			return false;
		}
	}
	return true;
}

/*
 * A stream that is not to be had is done without: counters matter more. False: the thread has
 * gone, and without the stream nobody would know how often it switched.
 */
static bool open_stream(struct watched *watched, enum watched_stream stream,
			const struct watched_request *request, size_t bytes)
{
	const unsigned int content = stream == WATCHED_BIRTHS ? TIMELINE_TASKS : TIMELINE_SWITCHES;
	const uint32_t wakeup = stream == WATCHED_BIRTHS ? 1 : (uint32_t)(bytes / 2);
	int errno_value = 0;
	int fd = timeline_open(watched->tid, -1, request->features, request->target->exclude_kernel,
			       wakeup, content);

	if (fd < 0)
		return fd != -ESRCH;
	if (!ring_map(&watched->rings[stream], fd, bytes, request->page_bytes, &errno_value)) {
		sys_close(fd);
		return true;
	}
	watched->fds[stream] = fd;
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
	watched->group_count = request->plan->layout.group_count;
	watched->groups = xcalloc(watched->group_count, sizeof(*watched->groups));
	for (size_t i = 0; i < watched->group_count; i++)
		watched->groups[i].leader_fd = -1;
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
	for (size_t i = watched->group_count; i-- > 0;)
		group_close(&watched->groups[i]);
	free(watched->groups);
	watched->groups = NULL;
	watched->group_count = 0;
}

size_t watched_descriptors(const struct watched *watched)
{
	size_t count = 0;

	for (size_t i = 0; i < watched->group_count; i++)
		count += 1 + watched->groups[i].count;
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		count += watched->fds[i] >= 0;
	return count;
}

bool watched_has_ring(const struct watched *watched, enum watched_stream stream)
{
	return watched->fds[stream] >= 0;
}

void watched_begin(struct watched *watched)
{
	watched->next = 0;
	watched->phase = watched->is_introduced ? WATCHED_RINGS : WATCHED_FACTS;
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		if (watched->fds[i] >= 0)
			ring_begin(&watched->rings[i]);
	}
}

void watched_end(struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		if (watched->fds[i] >= 0)
			ring_end(&watched->rings[i]);
	}
}
