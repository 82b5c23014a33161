/*
 * The groups of a stream (cpu_stream.h): they are opened, follow a new plan, are switched on and
 * off in turn, and are read at the end of an interval or of a turn. A reading waits in the stream's
 * mark for its place among the records, which cpu_stream.c finds.
 *
 * The ring is owned by the time line, which stays whatever becomes of the groups; their leaders are
 * redirected into it, so that one CPU's records are in the order of the events: at a switch the
 * readings, then OUT, then IN.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/cpus/cpu_stream.h"

enum {
	READ_TRIES = 4,
	CONTENTION_NS = 10000000 /* between two marks; it is less while others try what fits */
};

static const size_t NO_GROUP = SIZE_MAX;

static bool fail(const struct cpu_stream *stream, enum explain_call call, const char *what,
		 int errno_value, struct error *error)
{
	const bool are_too_many = errno_value == E2BIG && stream->bundle.cgroups.count > 1;
	const struct explain_context context = {
		.call = call,
		.what = what,
		.pid = -1,
		.cpu = stream->cpu,
		.host = stream->host,
	};

	return are_too_many ? error_set(error, ERROR_CGROUP_GROUPS, NULL, NULL)
			    : explain_perf_error(error, errno_value, &context);
}

struct group_target cpu_stream_target(const struct sched_switch *sched_switch, int cpu)
{
	return (struct group_target){
		.leader = sched_switch ? GROUP_LEADER_TRACEPOINT : GROUP_LEADER_SWITCHES,
		.tracepoint = sched_switch ? sched_switch->spec.config : 0,
		.pid = -1,
		.cpu = cpu,
	};
}

int cpu_stream_ring_fd(const struct cpu_stream *stream)
{
	return stream->timeline_fd;
}

/* When the group has a sample those of other cgroups have none. */
static uint64_t groups_done(const struct cpu_stream *stream, size_t group)
{
	uint64_t done = cpu_stream_group_bit(group);

	for (size_t i = 0; i < stream->bundle.count; i++)
		if (i / stream->group_count != group / stream->group_count)
			done |= cpu_stream_group_bit(i);
	return done;
}

/* Takes over what was prepared; nothing of it is on yet. */
static void commit_bundle(struct cpu_stream *stream, const struct plan *plan)
{
	bundle_commit(&stream->bundle, plan);
	stream->group_count = plan->layout.group_count;
	cgroup_sums_reset(&stream->sums, stream->group_count, stream->bundle.cgroups.count);
	free(stream->slots);
	stream->slots = xcalloc(stream->bundle.count, sizeof(*stream->slots));
	free(stream->readings);
	stream->readings = xcalloc(stream->bundle.count + 1, sizeof(*stream->readings));
	stream->on_groups = 0;
	stream->rested_group = NO_GROUP;
	for (size_t i = 0; i < stream->bundle.count; i++) {
		const size_t of_layout = i % stream->group_count;
		const struct event_group *group = &plan->layout.groups[of_layout];
		struct cpu_stream_slot *slot = &stream->slots[i];

		slot->group = (uint16_t)i;
		slot->done = groups_done(stream, i);
		slot->is_clock = of_layout == stream->clock;
		slot->takes_turns = group->rotation != 0;
		slot->needs_counters = group->rotation != 0 || group->needs_counters;
		if (!bundle_is_open(&stream->bundle, i))
			continue;
		slot->leader_id = stream->bundle.groups[i].ids[0];
		slot->value_count = 1 + stream->bundle.groups[i].count;
	}
}

static int redirect_cgroup(const struct cpu_stream_cgroup *cgroup, int owner_fd)
{
	const int result =
		cgroup->glance.event ? timeline_redirect(cgroup->glance.fd, owner_fd) : 0;

	return result < 0 ? result : timeline_redirect(cgroup->timeline_fd, owner_fd);
}

/* All that is open by now. */
static bool redirect(const struct cpu_stream *stream, struct error *error)
{
	const int owner_fd = cpu_stream_ring_fd(stream);
	int result = 0;

	for (size_t i = 0; i < stream->bundle.count && result >= 0; i++)
		if (bundle_is_open(&stream->bundle, i))
			result = timeline_redirect(stream->bundle.groups[i].leader_fd, owner_fd);
	for (size_t i = 0; i < SCHED_EVENTS && result >= 0; i++)
		if (stream->tracepoints.of[i].event)
			result = timeline_redirect(stream->tracepoints.of[i].fd, owner_fd);
	if (stream->switches_fd >= 0 && result >= 0)
		result = timeline_redirect(stream->switches_fd, owner_fd);
	for (size_t i = 0; i < cpu_stream_more_cgroups(stream) && result >= 0; i++)
		result = redirect_cgroup(&stream->more_cgroups[i], owner_fd);
	return result >= 0 || fail(stream, EXPLAIN_IOCTL, "rings", -result, error);
}

/* Of the CPU (-1) or of a cgroup. */
static int open_timeline(const struct cpu_stream *stream, pid_t pid, size_t ring_bytes,
			 unsigned int content)
{
	return timeline_open(pid, stream->cpu, stream->bundle.features, false,
			     (uint32_t)(ring_bytes / CPU_STREAM_WAKEUP_SHARE), content);
}

static int open_timelines(struct cpu_stream *stream, size_t ring_bytes, unsigned int content)
{
	const struct group_cgroups *cgroups = &stream->bundle.cgroups;
	int fd = open_timeline(stream, cgroups->count > 0 ? cgroups->fds[0] : -1, ring_bytes,
			       content);

	stream->timeline_fd = fd;
	for (size_t i = 0; i < cpu_stream_more_cgroups(stream) && fd >= 0; i++)
		fd = stream->more_cgroups[i].timeline_fd =
			open_timeline(stream, cgroups->fds[1 + i], ring_bytes, content);
	return fd;
}

static void close_ring(struct cpu_stream *stream)
{
	ring_unmap(&stream->ring);
	if (stream->timeline_fd >= 0)
		sys_close(stream->timeline_fd);
	stream->timeline_fd = -1;
	for (size_t i = 0; i < cpu_stream_more_cgroups(stream); i++) {
		if (stream->more_cgroups[i].timeline_fd >= 0)
			sys_close(stream->more_cgroups[i].timeline_fd);
		stream->more_cgroups[i].timeline_fd = -1;
	}
}

/* When the reader is woken is said of the time line as it is opened. */
bool cpu_stream_open_ring(struct cpu_stream *stream, size_t *bytes, struct error *error)
{
	const unsigned int content =
		stream->sched_switch ? TIMELINE_TASKS : TIMELINE_SWITCHES | TIMELINE_TASKS;
	int result, errno_value = 0;

	for (;; *bytes /= 2) {
		close_ring(stream);
		result = open_timelines(stream, *bytes, content);
		if (result < 0)
			return fail(stream, EXPLAIN_OPEN, "the timeline", -result, error);
		if (ring_map(&stream->ring, stream->timeline_fd, *bytes, stream->host->page_bytes,
			     &errno_value))
			return redirect(stream, error);
		if (*bytes <= CPU_STREAM_RING_MIN)
			return fail(stream, EXPLAIN_MAP, "rings", errno_value, error);
	}
}

/* Room for what each but the first has. */
static void add_cgroups(struct cpu_stream *stream)
{
	const size_t count = stream->bundle.cgroups.count;

	if (count < 2)
		return;
	stream->more_cgroups = xcalloc(count - 1, sizeof(*stream->more_cgroups));
	for (size_t i = 0; i < count - 1; i++)
		stream->more_cgroups[i].timeline_fd = -1;
}

bool cpu_stream_open(struct cpu_stream *stream, const struct cpu_stream_request *request,
		     struct error *error)
{
	const struct plan *plan = request->plan;
	size_t ring_bytes = request->ring_bytes;
	int result;

	*stream = (struct cpu_stream){
		.cpu = request->cpu,
		.is_quiet = request->is_quiet,
		.host = request->host,
		.clock = plan->layout.kinds[request->kind].clock,
		.sched_switch = request->sched_switch,
		.bundle = {.target = cpu_stream_target(request->sched_switch, request->cpu),
			   .features = request->features,
			   .kind = request->kind,
			   .cgroups = request->of},
		.timeline_fd = -1,
		.switches_fd = -1,
		.tracepoints = {.cgroups = request->cgroups},
		.format = request->sched_switch ? attr_tracepoint_format()
						: attr_cpu_format(request->features),
		.records_until = request->sched_switch ? 0 : UINT64_MAX,
		.running_pid = RECORD_TASK_UNKNOWN,
		.running_tid = RECORD_TASK_UNKNOWN,
	};
	add_cgroups(stream);
	result = bundle_prepare(&stream->bundle, plan);
	if (result != 0) {
		fail(stream, EXPLAIN_OPEN, "counters", result, error);
		goto failed;
	}
	commit_bundle(stream, plan);
	if (!cpu_stream_open_ring(stream, &ring_bytes, error))
		goto failed;
	/* on some virtual machines idle hides; on this CPU it has to show itself first */
	if (request->sched_switch && request->host->is_virtual && request->of.count == 0)
		cpu_stream_add_switch_records(stream);
	return true;
failed:
	cpu_stream_close(stream);
	return false;
}

void cpu_stream_close(struct cpu_stream *stream)
{
	close_ring(stream);
	sched_tracepoints_close(&stream->tracepoints);
	if (stream->switches_fd >= 0)
		sys_close(stream->switches_fd);
	for (size_t i = 0; i < cpu_stream_more_cgroups(stream); i++)
		if (stream->more_cgroups[i].glance.event)
			sys_close(stream->more_cgroups[i].glance.fd);
	free(stream->more_cgroups);
	bundle_close(&stream->bundle);
	cgroup_sums_fini(&stream->sums);
	free(stream->slots);
	free(stream->readings);
	free(stream->baselines);
	free(stream->mark.readings);
	*stream = (struct cpu_stream){.cpu = stream->cpu, .timeline_fd = -1, .switches_fd = -1};
}

void cpu_stream_add_switch_records(struct cpu_stream *stream)
{
	if (stream->switches_fd >= 0 || stream->switches_refused)
		return;
	stream->switches_refused = true; /* unless it works */
	stream->switches_fd = open_timeline(stream, -1, stream->ring.data_bytes, TIMELINE_SWITCHES);
	if (stream->switches_fd < 0)
		return;
	if (timeline_redirect(stream->switches_fd, cpu_stream_ring_fd(stream)) >= 0) {
		stream->records_until = UINT64_MAX;
		return;
	}
	sys_close(stream->switches_fd);
	stream->switches_fd = -1;
}

/* Position in the ring. */
static uint64_t written_until(const struct cpu_stream *stream)
{
	return stream->ring.position + ring_fill_bytes(&stream->ring);
}

void cpu_stream_drop_switch_records(struct cpu_stream *stream)
{
	if (stream->switches_fd < 0)
		return;
	timeline_close(stream->switches_fd);
	stream->switches_fd = -1;
	stream->records_until = written_until(stream);
}

/*
 * Keeps the present reading of a group: from it on it is counted. One that was enabled at a border
 * has counted from nothing.
 */
static void begin_anew(struct cpu_stream *stream, size_t group)
{
	const bool has_begun = (stream->border_groups & cpu_stream_group_bit(group)) != 0;
	struct cpu_stream_reading *baseline;

	array_reserve(&stream->baselines, &stream->baseline_capacity, stream->baseline_count + 1,
		      sizeof(*stream->baselines));
	baseline = &stream->baselines[stream->baseline_count];
	*baseline = (struct cpu_stream_reading){.group = group, .restarts = true};
	if (!has_begun && !group_read(&stream->bundle.groups[group], &baseline->values))
		return;
	baseline->position = written_until(stream);
	stream->baseline_count++;
	stream->slots[group].from = baseline->values.values[0];
	stream->slots[group].sequence = baseline->values.values[0];
}

static void set_on(struct cpu_stream *stream, size_t group, bool is_on)
{
	const uint64_t bit = cpu_stream_group_bit(group);

	stream->slots[group].is_on = is_on;
	stream->on_groups = is_on ? stream->on_groups | bit : stream->on_groups & ~bit;
}

/*
 * Counting begins at the first mark. A clock that is switched on later was off in between: which
 * task runs is unknown.
 */
static void switch_on(struct cpu_stream *stream, size_t group)
{
	set_on(stream, group, group_enable(&stream->bundle.groups[group]));
	stream->slots[group].has_offset = false;
	if (stream->slots[group].is_on && (!stream->slots[group].is_clock || stream->has_begun))
		begin_anew(stream, group);
	if (!stream->slots[group].is_clock || !stream->has_begun)
		return;
	stream->running_pid = stream->running_tid = RECORD_TASK_UNKNOWN;
	stream->has_restarted = true;
}

static void switch_off(struct cpu_stream *stream, size_t group)
{
	group_disable(&stream->bundle.groups[group]);
	set_on(stream, group, false);
}

/* A group of the layout for each of the cgroups, or the one that there is. */
static void switch_on_each(struct cpu_stream *stream, size_t group)
{
	for (size_t i = group; i < stream->bundle.count; i += stream->group_count)
		switch_on(stream, i);
}

static void switch_off_each(struct cpu_stream *stream, size_t group)
{
	for (size_t i = group; i < stream->bundle.count; i += stream->group_count)
		switch_off(stream, i);
}

/* The group of those in rotation that is on; NO_GROUP: none is. */
static size_t active_group(const struct cpu_stream *stream)
{
	for (size_t i = 0; i < stream->group_count; i++)
		if (stream->slots[i].is_on && stream->slots[i].takes_turns)
			return i;
	return NO_GROUP;
}

/* Everything is on that ought to be. */
static void switch_on_all(struct cpu_stream *stream)
{
	for (size_t i = 0; i < stream->group_count; i++) {
		const struct cpu_stream_slot *slot = &stream->slots[i];

		if (!bundle_is_open(&stream->bundle, i) || slot->is_on ||
		    (slot->takes_turns && (stream->is_resting || active_group(stream) != NO_GROUP)))
			continue;
		switch_on_each(stream, i);
	}
}

bool cpu_stream_enable(struct cpu_stream *stream)
{
	stream->is_enabled = true;
	switch_on_all(stream);
	stream->has_begun = true;
	if (stream->is_quiet)
		sched_tracepoints_glance(stream);
	return stream->slots[stream->clock].is_on;
}

void cpu_stream_enable_late(struct cpu_stream *stream)
{
	switch_on_each(stream, stream->clock);
	for (size_t i = stream->clock; i < stream->bundle.count; i += stream->group_count)
		if (stream->slots[i].is_on)
			begin_anew(stream, i);
	cpu_stream_enable(stream);
}

void cpu_stream_pause(struct cpu_stream *stream)
{
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].is_on && stream->slots[i].needs_counters)
			switch_off(stream, i);
}

/* On a CPU that is not interrupted the running task is sampled again when the clock was off. */
void cpu_stream_resume(struct cpu_stream *stream)
{
	const bool was_on = stream->slots[stream->clock].is_on;

	if (!stream->is_enabled)
		return;
	switch_on_all(stream);
	if (stream->is_quiet && !was_on && stream->slots[stream->clock].is_on)
		sched_tracepoints_glance(stream);
}

/* An empty mark; the room for its readings stays. */
static void begin_mark(struct cpu_stream_mark *mark)
{
	*mark = (struct cpu_stream_mark){
		.readings = mark->readings,
		.capacity = mark->capacity,
		.time_ns = sys_now_ns(),
	};
}

static bool take_mark_reading(struct cpu_stream *stream, size_t group)
{
	struct cpu_stream_mark *mark = &stream->mark;
	struct cpu_stream_reading *reading;

	array_reserve(&mark->readings, &mark->capacity, mark->count + 1, sizeof(*mark->readings));
	reading = &mark->readings[mark->count];
	*reading = (struct cpu_stream_reading){.group = group};
	if (!group_read(&stream->bundle.groups[group], &reading->values))
		return false;
	mark->count++;
	return true;
}

/* Reads the clock, that of each cgroup; *sum is their times and lost samples. False: none can be.
 */
static bool take_mark_clocks(struct cpu_stream *stream, struct group_reading *sum)
{
	const struct cpu_stream_mark *mark = &stream->mark;
	bool has_read = false;

	for (size_t i = stream->clock; i < stream->bundle.count; i += stream->group_count) {
		if (!take_mark_reading(stream, i))
			continue;
		has_read = true;
		sum->enabled_ns += mark->readings[mark->count - 1].values.enabled_ns;
		sum->running_ns += mark->readings[mark->count - 1].values.running_ns;
		sum->leader_lost += mark->readings[mark->count - 1].values.leader_lost;
	}
	return has_read;
}

/*
 * The kernel writes LOST with the next record that finds room, which can be an interval later;
 * the leader's own count of lost samples (Linux 6.0) is there at once.
 */
static void note_lost(struct cpu_stream *stream, uint64_t lost)
{
	if (lost <= stream->lost_samples)
		return;
	stream->lost_now += lost - stream->lost_samples;
	stream->lost_samples = lost;
}

/* Others have had the clock's counters for longer than a moment since the last mark. */
static void note_contention(struct cpu_stream *stream, const struct group_reading *reading)
{
	const uint64_t off_ns = reading->enabled_ns - reading->running_ns;

	stream->is_contended = off_ns > stream->last_off_ns + CONTENTION_NS;
	stream->last_off_ns = off_ns;
}

static bool is_at_border(const struct cpu_stream *stream)
{
	return stream->is_enabled && stream->bundle.next;
}

/*
 * The groups of another plan take over. All are open, so that there is next to nothing between the
 * last moment of the old ones, which are read behind it, and the first of the new.
 */
static void cross_border(struct cpu_stream *stream)
{
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].is_on)
			group_disable(&stream->bundle.groups[i]);
	stream->border = written_until(stream);
	for (size_t i = 0; i < stream->bundle.next_count; i++)
		if ((stream->next_groups & cpu_stream_group_bit(i)) != 0 &&
		    group_enable(&stream->bundle.next[i]))
			stream->border_groups |= cpu_stream_group_bit(i);
}

void cpu_stream_mark(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;
	struct group_reading clock = {0};

	begin_mark(mark);
	mark->is_waiting = true;
	mark->ends_interval = true;
	if (is_at_border(stream))
		cross_border(stream);
	/* the time that passes from here on is reckoned from it, by records */
	if (stream->is_quiet && stream->last_time_ns == 0)
		stream->last_time_ns = sys_now_ns();
	if (take_mark_clocks(stream, &clock))
		note_contention(stream, &clock);
	note_lost(stream, clock.leader_lost);
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (!stream->slots[i].is_clock && stream->slots[i].is_on)
			take_mark_reading(stream, i);
	/* that of a cgroup stands still while others run */
	stream->is_dead =
		clock.enabled_ns <= stream->last_enabled_ns && !cpu_stream_is_of_cgroup(stream);
	stream->last_enabled_ns = clock.enabled_ns;
}

bool cpu_stream_is_passed_by(const struct cpu_stream *stream)
{
	return stream->is_quiet && stream->last_enabled_ns > 0 && !is_at_border(stream);
}

void cpu_stream_pass(struct cpu_stream *stream, uint64_t time_ns)
{
	stream->unread_ns = time_ns;
}

/* The next group in rotation; the same one when there is no other. */
static size_t next_in_rotation(const struct cpu_stream *stream, size_t group)
{
	for (size_t i = 1; i < stream->group_count; i++) {
		const size_t next = (group + i) % stream->group_count;

		if (bundle_is_open(&stream->bundle, next) && stream->slots[next].takes_turns)
			return next;
	}
	return group;
}

static bool take_readings(struct cpu_stream *stream, size_t group)
{
	bool is_read = true;

	for (size_t i = group; i < stream->bundle.count && is_read; i += stream->group_count)
		is_read = take_mark_reading(stream, i);
	return is_read;
}

/*
 * The last reading of a group that is switched off: no later sample of its own will show its place,
 * so it takes that of a reading of the clock group. There must be no switch between them: the clock
 * group is read before and after. False: it has no place.
 */
static bool take_last_reading(struct cpu_stream *stream, size_t group)
{
	struct cpu_stream_mark *mark = &stream->mark;
	bool is_placed;
	size_t count;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->is_tied = true;
	is_placed = take_readings(stream, stream->clock) && take_readings(stream, group) &&
		    take_readings(stream, stream->clock);
	count = mark->count / 3; /* of each: one, or that of each cgroup */
	for (size_t i = 0; i < count && is_placed; i++)
		is_placed = mark->readings[i].values.values[0] ==
			    mark->readings[2 * count + i].values.values[0];
	return is_placed;
}

/* Behind an empty turn the group follows that would have without it. */
static void end_rest(struct cpu_stream *stream)
{
	stream->is_resting = false;
	if (stream->rested_group != NO_GROUP)
		switch_on_each(stream, next_in_rotation(stream, stream->rested_group));
	stream->rested_group = NO_GROUP;
	switch_on_all(stream);
}

void cpu_stream_rotate(struct cpu_stream *stream, bool is_empty)
{
	const size_t ending = active_group(stream);
	bool is_placed = false;

	if (stream->is_quiet)
		return;
	if (stream->is_resting) {
		if (!is_empty)
			end_rest(stream);
		return;
	}
	stream->is_resting = is_empty;
	if (ending == NO_GROUP || (!is_empty && next_in_rotation(stream, ending) == ending))
		return;
	for (int i = 0; i < READ_TRIES && !is_placed; i++)
		is_placed = take_last_reading(stream, ending);
	if (!is_placed)
		begin_mark(&stream->mark);
	switch_off_each(stream, ending);
	if (is_empty)
		stream->rested_group = ending;
	else
		switch_on_each(stream, next_in_rotation(stream, ending));
}

/* Of those that were prepared: what is always on, and the first one that takes turns. */
static uint64_t first_groups(const struct cpu_stream *stream, const struct plan *plan)
{
	bool has_turn = false;
	uint64_t groups = 0;

	for (size_t i = 0; i < stream->bundle.next_count; i++) {
		const size_t of_layout = i % plan->layout.group_count;
		const bool takes_turns = plan->layout.groups[of_layout].rotation != 0;

		if (of_layout == 0)
			has_turn = stream->is_resting;
		if (stream->bundle.next[i].leader_fd < 0 || (takes_turns && has_turn))
			continue;
		groups |= cpu_stream_group_bit(i);
		has_turn = has_turn || takes_turns;
	}
	return groups;
}

bool cpu_stream_prepare(struct cpu_stream *stream, const struct plan *plan, struct error *error)
{
	struct bundle *bundle = &stream->bundle;
	const int owner = cpu_stream_ring_fd(stream);
	int result = bundle_prepare(bundle, plan);

	/* of breakpoints there are so few that the old ones have to go first */
	if (result == ENOSPC)
		return true;
	if (result != 0)
		return fail(stream, EXPLAIN_OPEN, "counters", result, error);
	stream->next_groups = first_groups(stream, plan);
	for (size_t i = 0; i < bundle->next_count && result >= 0; i++)
		if (bundle->next[i].leader_fd >= 0)
			result = timeline_redirect(bundle->next[i].leader_fd, owner);
	if (result >= 0)
		return true;
	bundle_abandon(bundle);
	return fail(stream, EXPLAIN_IOCTL, "rings", -result, error);
}

void cpu_stream_abandon(struct cpu_stream *stream)
{
	bundle_abandon(&stream->bundle);
}

/* Of what is opened now or enabled now nothing is known that was counted since the border. */
void cpu_stream_commit(struct cpu_stream *stream, const struct plan *plan)
{
	const bool is_late = !stream->bundle.next;
	struct error unasked = {0};

	commit_bundle(stream, plan);
	if (is_late)
		redirect(stream, &unasked);
	stream->last_off_ns = stream->last_enabled_ns = stream->lost_samples = 0;
	cpu_stream_resume(stream);
	stream->border_groups = 0;
}
