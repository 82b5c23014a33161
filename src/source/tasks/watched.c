#include "source/tasks/watched.h"

#include <errno.h>

#include "base/memory.h"
#include "kernel/sys.h"

/* Of a thread that waits for its exec the kernel enables them then. */
static bool enable(const struct watched *watched, const struct group *groups, size_t count)
{
	bool is_enabled = true;

	for (size_t i = 0; i < count && !watched->bundle.target.enable_on_exec; i++)
		if (groups[i].leader_fd >= 0)
			is_enabled = group_enable(&groups[i]) && is_enabled;
	return is_enabled;
}

static int open_watched_groups(struct watched *watched, const struct plan *plan)
{
	struct bundle *bundle = &watched->bundle;
	const int errno_value = bundle_prepare(bundle, plan);

	if (errno_value != 0)
		return errno_value;
	bundle_commit(bundle, plan);
	/* or it has exited this very moment */
	return enable(watched, bundle->groups, bundle->count) ? 0 : ESRCH;
}

/*
 * An unavailable stream is done without: counters matter more. ESRCH: the thread has gone, and
 * without the stream the number of its switches would be unknown.
 */
static int open_watched_stream(struct watched *watched, enum watched_stream stream,
			       const struct watched_request *request, size_t bytes)
{
	const unsigned int switches =
		request->wants_births ? TIMELINE_SWITCHES : TIMELINE_SWITCHES | TIMELINE_NAMES;
	const unsigned int content = stream == WATCHED_BIRTHS ? TIMELINE_TASKS : switches;
	const uint32_t wakeup = stream == WATCHED_BIRTHS ? 1 : (uint32_t)(bytes / 4);
	int errno_value = 0;
	int fd = timeline_open(watched->tid, -1, request->features, request->target->exclude_kernel,
			       wakeup, content);

	if (fd < 0)
		return fd == -ESRCH || sys_is_shortage(-fd) ? -fd : 0;
	for (; bytes >= request->page_bytes; bytes /= 2) {
		if (ring_map(&watched->rings[stream], fd, bytes, request->page_bytes,
			     &errno_value)) {
			watched->fds[stream] = fd;
			return 0;
		}
	}
	sys_close(fd);
	return 0;
}

int watched_open(struct watched *watched, const struct watched_request *request)
{
	int errno_value;

	watched->bundle =
		(struct bundle){.target = *request->target, .features = request->features};
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		watched->fds[i] = -1;
	errno_value = open_watched_groups(watched, request->plan);
	if (errno_value == 0 && request->wants_births)
		errno_value =
			open_watched_stream(watched, WATCHED_BIRTHS, request, request->page_bytes);
	if (errno_value == 0 && request->ring_bytes > 0)
		errno_value = open_watched_stream(watched, WATCHED_SWITCHES, request,
						  request->ring_bytes);
	if (errno_value != 0)
		watched_close(watched);
	return errno_value;
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

/* Whether its counters wait for an exec: nothing was counted since they were opened for one. */
static bool waits_for_exec(const struct watched *watched)
{
	const struct bundle *bundle = &watched->bundle;
	struct group_reading reading;

	return bundle->target.enable_on_exec && bundle_is_open(bundle, 0) &&
	       group_read(&bundle->groups[0], &reading) && reading.enabled_ns == 0;
}

int watched_prepare(struct watched *watched, const struct plan *plan)
{
	struct bundle *bundle = &watched->bundle;
	int errno_value;

	bundle->target.enable_on_exec = waits_for_exec(watched);
	errno_value = bundle_prepare(bundle, plan);
	if (errno_value == ENODEV)
		errno_value = bundle_prepare(bundle, plan);
	/* breakpoints find room when the old ones are closed */
	if (errno_value == 0 || errno_value == ENOSPC)
		return 0;
	if (errno_value == ENOMEM || sys_is_shortage(errno_value) ||
	    (errno_value != ESRCH && sys_task_exists(watched->pid, watched->tid)))
		return errno_value;
	/* One that is about to end needs nothing new; its id may be another's at the commit. */
	bundle->next = xcalloc(1, sizeof(*bundle->next));
	return 0;
}

/* One that has waited for its exec has counted on both sides since: its border is the commit. */
void watched_cross_border(const struct watched *watched)
{
	const struct bundle *bundle = &watched->bundle;

	if (!bundle->next || bundle->target.enable_on_exec)
		return;
	for (size_t i = 0; i < bundle->count; i++)
		if (bundle_is_open(bundle, i))
			group_disable(&bundle->groups[i]);
	enable(watched, bundle->next, bundle->next_count);
}

void watched_commit(struct watched *watched, const struct plan *plan)
{
	bundle_commit(&watched->bundle, plan);
	enable(watched, watched->bundle.groups, watched->bundle.count);
	watched->begins_anew = watched->is_introduced;
	watched->goes_on = watched->bundle.target.enable_on_exec;
	if (watched->is_introduced)
		watched->missed_ns = watched->counted_ns = 0;
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
	watched->phase = !watched->is_introduced ? WATCHED_FACTS
			 : watched->begins_anew  ? WATCHED_BASELINE
						 : WATCHED_RINGS;
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
