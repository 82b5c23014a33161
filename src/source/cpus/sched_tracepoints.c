/*
 * For each of the scheduler's events those of the kernel that could serve are tried in the order of
 * the table, each on all CPUs: the first one that is available everywhere is taken. A wait that is
 * known on some CPUs only would be a wrong one, since a task is woken from anywhere.
 */
#include "source/cpus/sched_tracepoints.h"

#include <errno.h>
#include <string.h>

#include "kernel/attr.h"
#include "kernel/cgroup_paths.h"
#include "kernel/explain.h"
#include "kernel/group.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "model/record.h"
#include "model/session.h"
#include "source/cpus/cpu_stream.h"
#include "source/queue.h"

#include "event/probe.h"
#include "event/tracepoint.h"

/* Switches are reported without names, too. */
static void find_name_field(struct sched_switch *found, const char *format)
{
	size_t offset, size;

	if (!tracepoint_parse_text(format, "prev_comm", &offset, &size) || size != TASK_NAME_MAX)
		return;
	found->prev_name = offset;
	if (found->size < offset + size)
		found->size = offset + size;
}

bool sched_switch_find(const struct host *host, struct sched_switch *found, struct error *error)
{
	static const char *const names[] = {"prev_pid", "prev_state", "next_pid"};
	struct tracepoint_field fields[3];
	char format[TRACEPOINT_FORMAT_BYTES];

	*found = (struct sched_switch){0};
	if (!tracepoint_find("", "sched", "sched_switch", &found->spec, error))
		return false;
	if (host->in_pid_namespace)
		return error_set(error, ERROR_PID_NAMESPACE, found->spec.name, NULL);
	if (!tracepoint_read_format("", "sched", "sched_switch", format, sizeof(format), error))
		return false;
	for (size_t i = 0; i < 3; i++) {
		if (!tracepoint_parse_field(format, names[i], &fields[i]))
			return error_set(error, ERROR_EVENT_TRACEPOINT_FIELD, found->spec.name,
					 names[i]);
		if (found->size < fields[i].offset + fields[i].size)
			found->size = fields[i].offset + fields[i].size;
	}
	found->prev_tid = fields[0].offset;
	found->prev_state = fields[1].offset;
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		found->prev_state += fields[1].size - sizeof(int32_t);
	found->next_tid = fields[2].offset;
	found->states = task_states_parse(format);
	find_name_field(found, format);
	return fields[0].size == sizeof(int32_t) && fields[1].size >= sizeof(int32_t) &&
	       fields[2].size == sizeof(int32_t);
}

/* Opens one into the stream's ring. 0 or -errno. */
static int open_tracepoint(struct cpu_stream *stream, enum sched_event slot,
			   const struct sched_tracepoint_spec *event,
			   const struct attr_features *features)
{
	struct sched_tracepoints *tracepoints = &stream->tracepoints;
	struct sched_tracepoint *tracepoint = &tracepoints->of[slot];
	int result;

	tracepoint->fd = sampler_open(stream->cpu, &event->spec, features, slot == SCHED_EXIT,
				      &tracepoint->id);
	if (tracepoint->fd < 0)
		return tracepoint->fd;
	result = timeline_redirect(tracepoint->fd, cpu_stream_ring_fd(stream));
	if (result < 0) {
		sys_close(tracepoint->fd);
		return result;
	}
	tracepoint->event = event;
	tracepoints->count++;
	return 0;
}

static void close_one(struct sched_tracepoints *tracepoints, enum sched_event slot)
{
	struct sched_tracepoint *tracepoint = &tracepoints->of[slot];

	if (!tracepoint->event)
		return;
	sys_close(tracepoint->fd);
	*tracepoint = (struct sched_tracepoint){0};
	tracepoints->count--;
}

/* That of a cgroup, by its number; the first one is that of the CPU, too. */
static struct sched_tracepoint *glance_at(struct cpu_stream *stream, size_t cgroup)
{
	return cgroup == 0 ? &stream->tracepoints.of[SCHED_GLANCE]
			   : &stream->more_cgroups[cgroup - 1].glance;
}

static void glance(struct cpu_stream *stream, size_t cgroup)
{
	static const struct sched_tracepoint_spec event;
	const struct group_cgroups *cgroups = &stream->bundle.cgroups;
	struct sched_tracepoint *opened = glance_at(stream, cgroup);

	opened->fd = glance_open(cgroups->count > 0 ? cgroups->fds[cgroup] : -1, stream->cpu,
				 stream->bundle.features, &opened->id);
	if (opened->fd < 0)
		return;
	if (timeline_redirect(opened->fd, cpu_stream_ring_fd(stream)) < 0 ||
	    glance_let_go(opened->fd) < 0) {
		sys_close(opened->fd);
		return;
	}
	opened->event = &event;
	stream->tracepoints.count++;
}

void sched_tracepoints_glance(struct cpu_stream *stream)
{
	close_one(&stream->tracepoints, SCHED_GLANCE);
	glance(stream, 0);
}

void sched_tracepoints_glance_again(struct cpu_stream *stream)
{
	for (size_t i = 0; i <= cpu_stream_more_cgroups(stream); i++) {
		struct sched_tracepoint *again = glance_at(stream, i);

		if (!again->event)
			glance(stream, i);
		else if (!again->is_glancing)
			glance_let_go(again->fd);
		again->is_glancing = true;
	}
}

void sched_tracepoints_end_glance(struct cpu_stream *stream, uint64_t id)
{
	for (size_t i = 0; i <= cpu_stream_more_cgroups(stream); i++)
		if (glance_at(stream, i)->id == id)
			glance_at(stream, i)->is_glancing = false;
}

void sched_tracepoints_expect_no_glance(struct cpu_stream *stream)
{
	for (size_t i = 0; i <= cpu_stream_more_cgroups(stream); i++)
		glance_at(stream, i)->is_glancing = false;
}

void sched_tracepoints_close(struct sched_tracepoints *tracepoints)
{
	for (int slot = 0; slot < SCHED_EVENTS; slot++)
		close_one(tracepoints, (enum sched_event)slot);
}

static bool emit_wakeup(const struct sched_tracepoint *tracepoint,
			const struct attr_sampler_sample *sample, struct record *record)
{
	const struct decoded_bytes raw = {sample->raw, sample->raw_bytes};

	record->kind = RECORD_WAKEUP;
	record->pid = RECORD_TASK_UNKNOWN;
	record->wakeup.waker_tid = wakeup_is_in_interrupt(&raw) ? 0 : sample->tid;
	return wakeup_read_tid(tracepoint->event, &raw, &record->tid);
}

/*
 * Where no controller is enabled below the root, the kernel takes all tasks to be in it: so that
 * one says nothing. The exit itself is reported before (6.1) or behind this (6.18).
 */
static bool emit_cgroup(struct cgroup_paths *cgroups, const struct attr_sampler_sample *sample,
			struct record *record)
{
	const char *path =
		cgroup_paths_find(cgroups, decode_word_at(sample->raw, sample->raw_bytes));

	if (!path || strcmp(path, "/") == 0)
		return false;
	record->kind = RECORD_PROCINFO;
	record->cpu = RECORD_CPU_NONE;
	record->procinfo = (struct record_procinfo){
		.cgroup = path,
		.parent_pid = -1,
		.uid = -1,
		.cpu = -1,
	};
	return true;
}

/* One of those from SCHED_IRQ on. */
static bool emit_interrupt(const struct sched_tracepoints *tracepoints, enum sched_event slot,
			   const struct attr_sampler_sample *sample, struct record *record)
{
	const struct decoded_bytes raw = {sample->raw, sample->raw_bytes};

	return slot >= SCHED_IRQ && slot < SCHED_EVENTS &&
	       irq_tracepoint_report((size_t)slot - SCHED_IRQ, tracepoints->of[slot].event, &raw,
				     record);
}

bool sched_tracepoints_report(const struct sched_tracepoints *tracepoints, enum sched_event event,
			      const struct attr_sampler_sample *sample, struct record *record)
{
	switch (event) {
	case SCHED_WAKING:
	case SCHED_NEWBORN:
		return emit_wakeup(&tracepoints->of[event], sample, record);
	case SCHED_YIELD:
		record->kind = RECORD_YIELD;
		return true;
	case SCHED_GLANCE:
		record->kind = RECORD_SWITCH;
		record->ctx_switch = (struct record_switch){
			.next_pid = record->pid,
			.next_tid = record->tid,
		};
		record->pid = record->tid = RECORD_TASK_UNKNOWN;
		return true;
	case SCHED_EXIT:
		return emit_cgroup(tracepoints->cgroups, sample, record);
	case SCHED_IRQ:
	case SCHED_EVENTS:
		break;
	}
	return emit_interrupt(tracepoints, event, sample, record);
}

/* --- of all CPUs */

enum {
	/*
	 * Each CPU has a kernel probe of its own, all of them are called wherever a task yields,
	 * and the kernel waits for every CPU before it takes one away.
	 */
	PROBED_CPUS_MAX = 16
};

/* A tracepoint, or else a function. */
struct row {
	enum sched_event slot;
	bool is_tracepoint;
	const char *name;
};

static const struct row ROWS[] = {
	/* clang-format off */
	{SCHED_WAKING,  true,  "sched_waking"},
	{SCHED_WAKING,  true,  "sched_wakeup"},
	{SCHED_NEWBORN, true,  "sched_wakeup_new"},
	{SCHED_YIELD,   false, "do_sched_yield"},
	{SCHED_YIELD,   false, "__do_sys_sched_yield"},
	{SCHED_YIELD,   false, "sys_sched_yield"},
	/* clang-format on */
};

/* Its number for the kernel, and where its task field is. */
static bool find_sched_tracepoint(const struct scheduler *scheduler, const struct row *row,
				  struct sched_tracepoint_spec *event, struct error *error)
{
	if (row->slot == SCHED_EXIT)
		return tracepoint_find("", "sched", row->name, &event->spec, error);
	if (row->is_tracepoint)
		return wakeup_find(scheduler->host, row->name, event, error);
	*event = (struct sched_tracepoint_spec){0};
	return probe_find_kernel("", row->name, 0, false, &event->spec, error);
}

static void close_everywhere(struct scheduler *scheduler, enum sched_event slot,
			     struct cpu_stream **streams, size_t count)
{
	for (size_t i = 0; i < count; i++)
		close_one(&streams[i]->tracepoints, slot);
	scheduler->is_open[slot] = false;
}

/* A CPU that goes at this moment is no failure: its stream goes with it. */
static bool open_on(const struct scheduler *scheduler, enum sched_event slot,
		    struct cpu_stream *stream, struct error *error)
{
	const struct sched_tracepoint_spec *event = &scheduler->events[slot];
	int result = open_tracepoint(stream, slot, event, scheduler->features);
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = event->spec.name,
		.spec = &event->spec,
		.pid = -1,
		.cpu = stream->cpu,
		.host = scheduler->host,
	};

	if (result == -ENODEV)
		return true;
	return result == 0 || explain_perf_error(error, -result, &context);
}

static bool is_too_many(enum sched_event slot, size_t cpu_count)
{
	return slot == SCHED_YIELD && cpu_count > PROBED_CPUS_MAX;
}

size_t scheduler_descriptors(size_t cpu_count)
{
	size_t count = 0;

	for (int slot = 0; slot < SCHED_GLANCE; slot++)
		count += is_too_many((enum sched_event)slot, cpu_count) ? 0 : cpu_count;
	return count;
}

/* The one that was found for the slot. */
static bool open_found(struct scheduler *scheduler, enum sched_event slot,
		       struct cpu_stream **streams, size_t count, struct error *error)
{
	for (size_t i = 0; i < count; i++) {
		if (open_on(scheduler, slot, streams[i], error))
			continue;
		close_everywhere(scheduler, slot, streams, count);
		return false;
	}
	scheduler->is_open[slot] = true;
	return true;
}

static bool open_everywhere(struct scheduler *scheduler, const struct row *row,
			    struct cpu_stream **streams, size_t count, struct error *error)
{
	return !is_too_many(row->slot, count) &&
	       find_sched_tracepoint(scheduler, row, &scheduler->events[row->slot], error) &&
	       open_found(scheduler, row->slot, streams, count, error);
}

/* The reason that is kept is that of the first event of a slot: it is what should be there. */
static void open_on_all_cpus(struct scheduler *scheduler, struct cpu_stream **streams, size_t count)
{
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(*ROWS); i++) {
		const enum sched_event slot = ROWS[i].slot;
		struct error error = {0};

		if (scheduler->is_open[slot] ||
		    open_everywhere(scheduler, &ROWS[i], streams, count, &error))
			continue;
		if (scheduler->refusals[slot].code == ERROR_NONE)
			scheduler->refusals[slot] = error;
	}
}

static void close_on_all_cpus(struct scheduler *scheduler, struct cpu_stream **streams,
			      size_t count)
{
	for (int slot = 0; slot < SCHED_GLANCE; slot++) {
		close_everywhere(scheduler, (enum sched_event)slot, streams, count);
		scheduler->refusals[slot] = (struct error){0};
	}
}

/* Wake-ups of the newborn only, or of all others, would be half the truth. */
static void close_halves(struct scheduler *scheduler, struct cpu_stream **streams, size_t count)
{
	if (scheduler->is_open[SCHED_WAKING] && scheduler->is_open[SCHED_NEWBORN])
		return;
	close_everywhere(scheduler, SCHED_WAKING, streams, count);
	close_everywhere(scheduler, SCHED_NEWBORN, streams, count);
}

static void report_queue(const struct scheduler *scheduler, struct session *session)
{
	const bool lacks_waking = scheduler->refusals[SCHED_WAKING].code != ERROR_NONE;

	if (!scheduler->is_open[SCHED_WAKING]) {
		queue_report_without(
			session, scheduler->is_wanted,
			&scheduler->refusals[lacks_waking ? SCHED_WAKING : SCHED_NEWBORN]);
	} else {
		queue_report_wakeups(session, scheduler->events[SCHED_WAKING].spec.name);
	}
	session->has_yields = scheduler->is_open[SCHED_YIELD];
}

void scheduler_want(struct scheduler *scheduler, bool is_wanted, struct cpu_stream **streams,
		    size_t count, struct session *session)
{
	if (is_wanted != scheduler->is_wanted) {
		close_on_all_cpus(scheduler, streams, count);
		scheduler->is_wanted = is_wanted;
		if (is_wanted)
			open_on_all_cpus(scheduler, streams, count);
		close_halves(scheduler, streams, count);
	}
	report_queue(scheduler, session);
}

void scheduler_report_cgroups(struct scheduler *scheduler, struct cpu_stream **streams,
			      size_t count)
{
	static const struct row row = {SCHED_EXIT, true, "sched_process_exit"};

	if (!scheduler->is_open[SCHED_EXIT] && scheduler->refusals[SCHED_EXIT].code == ERROR_NONE)
		open_everywhere(scheduler, &row, streams, count, &scheduler->refusals[SCHED_EXIT]);
}

static void close_interrupts(struct scheduler *scheduler, struct cpu_stream **streams, size_t count)
{
	for (size_t i = 0; i < IRQ_TRACEPOINTS; i++)
		close_everywhere(scheduler, (enum sched_event)(SCHED_IRQ + i), streams, count);
}

/* A part of those that there are would be taken for all. */
static void open_interrupts(struct scheduler *scheduler, struct cpu_stream **streams, size_t count)
{
	struct error refusal = {0};

	for (size_t i = 0; i < IRQ_TRACEPOINTS; i++) {
		const enum sched_event slot = (enum sched_event)(SCHED_IRQ + i);
		const bool is_found = irq_tracepoint_find(i, &scheduler->events[slot], &refusal);

		if (!is_found && i >= IRQ_ESSENTIAL)
			continue;
		if (is_found && open_found(scheduler, slot, streams, count, &refusal))
			continue;
		close_interrupts(scheduler, streams, count);
		return;
	}
}

void scheduler_want_interrupts(struct scheduler *scheduler, bool are_wanted,
			       struct cpu_stream **streams, size_t count)
{
	if (!are_wanted)
		close_interrupts(scheduler, streams, count);
	else if (!scheduler->is_open[SCHED_IRQ])
		open_interrupts(scheduler, streams, count);
}

void scheduler_add(struct scheduler *scheduler, struct cpu_stream **streams, size_t count,
		   struct cpu_stream *added, struct session *session)
{
	for (int i = 0; i < SCHED_EVENTS; i++) {
		const enum sched_event slot = (enum sched_event)i;

		if (!scheduler->is_open[slot] ||
		    open_on(scheduler, slot, added, &scheduler->refusals[slot]))
			continue;
		close_everywhere(scheduler, slot, streams, count);
	}
	close_halves(scheduler, streams, count);
	report_queue(scheduler, session);
}
