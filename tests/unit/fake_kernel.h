#ifndef PERFTOP_TESTS_FAKE_KERNEL_H
#define PERFTOP_TESTS_FAKE_KERNEL_H

/*
 * A kernel of our own behind group_*(), timeline_*() and ring_map(): what tests of the
 * sources are run on. Descriptors are 1000, 1001, ... in the order of their opening; a group has
 * one per member and one for its leader. The id of a leader is ten times its descriptor.
 *
 * Included once per test; the functions replaced are listed at perftop_test(WRAPS).
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/memory.h"
#include "kernel/attr.h"
#include "kernel/group.h"
#include "kernel/ring.h"
#include "kernel/switch_time.h"
#include "kernel/sys.h"

enum {
	FAKE_FIRST_FD = 1000,
	FAKE_EVENTS_MAX = 4096,
	FAKE_PAGE = 4096,
	FAKE_GLANCE = 4711 /* config of one that glances at the running task */
};

/* An event; of a group the leader stands for all. */
struct fake_event {
	bool is_open, is_enabled, is_timeline, is_sampler;
	int fd;
	pid_t pid;
	int cpu;
	size_t members;
	bool enable_on_exec, exclude_kernel, has_site;
	enum group_leader leader;
	unsigned int content;         /* of a time line */
	uint64_t config;              /* of a sampler */
	struct group_reading reading; /* what group_read() gives */
	bool is_unreadable;
	int output; /* ring's owner, as redirected; -1: none */
	unsigned char *ring;
	size_t ring_bytes, wakeup_bytes;
};

struct fake_kernel {
	struct fake_event events[FAKE_EVENTS_MAX]; /* by descriptor */
	size_t count;
	/* Rules; NULL or 0: everything is granted. */
	int (*refuse_group)(const struct group_request *request);
	bool (*never_runs)(const struct fake_event *event);
	void (*before_read)(struct fake_event *event);
	int failed_member; /* that refuse_group() blames; 0: none, otherwise one more than its index
			    */
	size_t most_open;  /* descriptors; beyond them EMFILE; 0: no limit */
	int refuse_timeline, refuse_redirect;
	struct switch_time_result switch_time; /* what measuring it gives */
	size_t measured;                       /* times */
	int measured_cpu;
	bool is_measuring;
	int (*refuse_sampler)(int cpu, const struct event_spec *spec);
	void (*on_enable)(int cpu);
	bool says_cpu;     /* records do: their events are of any */
	size_t ring_most;  /* larger rings are refused with EPERM */
	size_t rings_most; /* so are those that make more bytes together */
	uint64_t now_ns;
};

static struct fake_kernel fake;

static const struct attr_features FAKE_FEATURES = {true, true, true, true, true, true};

int __wrap_group_open(struct group *group, const struct group_request *request,
		      const struct attr_features *features, int *failed_member);
void __wrap_group_close(struct group *group);
bool __wrap_group_enable(const struct group *group);
bool __wrap_group_disable(const struct group *group);
bool __wrap_group_read(const struct group *group, struct group_reading *reading);
void __wrap_switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial)
{
	fake.measured++;
	fake.measured_cpu = trial->cpu;
	fake.is_measuring = true;
	*time = (struct switch_time){.is_running = true};
}

struct switch_time_result __wrap_switch_time_end(struct switch_time *time, int wait_ms)
{
	time->is_running = false;
	fake.is_measuring = false;
	return fake.switch_time;
}

bool __wrap_switch_time_take(struct switch_time *time, struct switch_time_result *result)
{
	const bool is_taken = time->is_running;

	if (is_taken)
		*result = __wrap_switch_time_end(time, 0);
	return is_taken;
}

int __wrap_timeline_open(pid_t pid, int cpu, const struct attr_features *features,
			 bool exclude_kernel, uint32_t wakeup_bytes, unsigned int content);
int __wrap_sampler_open(int cpu, const struct event_spec *spec,
			const struct attr_features *features, bool with_cgroup, uint64_t *id);
int __wrap_glance_open(pid_t pid, int cpu, const struct attr_features *features, uint64_t *id);
int __wrap_glance_let_go(int fd);
int __wrap_timeline_redirect(int fd, int owner_fd);
bool __wrap_ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes,
		     int *errno_value);
int __real_sys_close(int fd);
int __wrap_sys_close(int fd);
uint64_t __wrap_sys_now_ns(void);

static struct fake_event *fake_event(int fd)
{
	size_t place = (size_t)(fd - FAKE_FIRST_FD);

	if (fd < FAKE_FIRST_FD || place >= fake.count)
		abort();
	return &fake.events[place];
}

static struct fake_event *fake_open(pid_t pid, int cpu)
{
	struct fake_event *event = &fake.events[fake.count];

	if (fake.count == FAKE_EVENTS_MAX)
		abort();
	*event = (struct fake_event){
		.is_open = true,
		.fd = FAKE_FIRST_FD + (int)fake.count,
		.pid = pid,
		.cpu = cpu,
		.output = -1,
	};
	fake.count++;
	return event;
}

static void fake_close(struct fake_event *event)
{
	if (!event->is_open)
		abort();
	event->is_open = false;
}

/* Descriptors that are open now. */
static inline size_t fake_open_count(void)
{
	size_t count = 0;

	for (size_t i = 0; i < fake.count; i++)
		count += fake.events[i].is_open;
	return count;
}

static bool fake_lacks_room(size_t descriptors)
{
	return fake.most_open != 0 && fake_open_count() + descriptors > fake.most_open;
}

int __wrap_group_open(struct group *group, const struct group_request *request,
		      const struct attr_features *features, int *failed_member)
{
	int refusal = fake.refuse_group != NULL ? fake.refuse_group(request) : 0;
	struct fake_event *leader;

	if (refusal == 0 && fake_lacks_room(1 + request->count))
		refusal = EMFILE;
	if (refusal != 0 && failed_member != NULL)
		*failed_member = fake.failed_member - 1;
	*group = (struct group){.leader_fd = -1};
	if (refusal != 0)
		return refusal;
	leader = fake_open(request->target.pid, request->target.cpu);
	leader->members = request->count;
	leader->leader = request->target.leader;
	leader->has_site = request->target.has_site;
	leader->enable_on_exec = request->target.enable_on_exec;
	leader->exclude_kernel = request->target.exclude_kernel;
	leader->reading = (struct group_reading){.enabled_ns = 1000, .running_ns = 1000};
	leader->reading.count = 1 + request->count;
	group->leader_fd = leader->fd;
	group->ids[0] = (uint64_t)leader->fd * 10;
	for (size_t i = 0; i < request->count; i++) {
		group->member_fds[i] = fake_open(request->target.pid, request->target.cpu)->fd;
		group->ids[1 + i] = (uint64_t)group->member_fds[i] * 10;
	}
	group->count = request->count;
	return 0;
}

void __wrap_group_close(struct group *group)
{
	while (group->count > 0)
		fake_close(fake_event(group->member_fds[--group->count]));
	if (group->leader_fd >= 0)
		fake_close(fake_event(group->leader_fd));
	group->leader_fd = -1;
}

bool __wrap_group_enable(const struct group *group)
{
	struct fake_event *leader = fake_event(group->leader_fd);

	leader->is_enabled = true;
	if (fake.on_enable)
		fake.on_enable(leader->cpu);
	return true;
}

bool __wrap_group_disable(const struct group *group)
{
	fake_event(group->leader_fd)->is_enabled = false;
	return true;
}

bool __wrap_group_read(const struct group *group, struct group_reading *reading)
{
	struct fake_event *event = fake_event(group->leader_fd);

	if (fake.before_read != NULL)
		fake.before_read(event);
	if (event->is_unreadable)
		return false;
	*reading = event->reading;
	if (fake.never_runs != NULL && fake.never_runs(event))
		reading->running_ns = 0;
	return true;
}

int __wrap_timeline_open(pid_t pid, int cpu, const struct attr_features *features,
			 bool exclude_kernel, uint32_t wakeup_bytes, unsigned int content)
{
	struct fake_event *event;

	if (fake.refuse_timeline != 0)
		return -fake.refuse_timeline;
	if (fake_lacks_room(1))
		return -EMFILE;
	event = fake_open(pid, cpu);
	event->is_timeline = true;
	event->content = content;
	event->wakeup_bytes = wakeup_bytes;
	return event->fd;
}

int __wrap_sampler_open(int cpu, const struct event_spec *spec,
			const struct attr_features *features, bool with_cgroup, uint64_t *id)
{
	int refusal = fake.refuse_sampler != NULL ? fake.refuse_sampler(cpu, spec) : 0;
	struct fake_event *event;

	if (refusal == 0 && fake_lacks_room(1))
		refusal = EMFILE;
	if (refusal != 0)
		return -refusal;
	event = fake_open(-1, cpu);
	event->is_sampler = true;
	event->config = spec->config;
	*id = (uint64_t)event->fd * 10;
	return event->fd;
}

int __wrap_glance_open(pid_t pid, int cpu, const struct attr_features *features, uint64_t *id)
{
	const struct event_spec clock = {.config = FAKE_GLANCE};

	const int fd = __wrap_sampler_open(cpu, &clock, features, false, id);

	if (fd >= 0)
		fake_event(fd)->pid = pid;
	return fd;
}

int __wrap_glance_let_go(int fd)
{
	fake_event(fd)->is_enabled = true;
	return 0;
}

int __wrap_timeline_redirect(int fd, int owner_fd)
{
	if (fake.refuse_redirect != 0)
		return -fake.refuse_redirect;
	fake_event(fd)->output = owner_fd;
	return 0;
}

/* Bytes of all rings. */
static inline size_t fake_ring_bytes(void)
{
	size_t bytes = 0;

	for (size_t i = 0; i < fake.count; i++)
		bytes += fake.events[i].is_open ? fake.events[i].ring_bytes : 0;
	return bytes;
}

bool __wrap_ring_map(struct ring *ring, int fd, size_t data_bytes, size_t page_bytes,
		     int *errno_value)
{
	struct fake_event *event = fake_event(fd);

	*ring = (struct ring){0};
	if ((fake.ring_most != 0 && data_bytes > fake.ring_most) ||
	    (fake.rings_most != 0 && fake_ring_bytes() + data_bytes > fake.rings_most)) {
		*errno_value = EPERM;
		return false;
	}
	event->ring = xcalloc(1, page_bytes + data_bytes);
	event->ring_bytes = data_bytes;
	ring_attach(ring, event->ring, data_bytes, page_bytes);
	return true;
}

/* Files of the machine are none of ours. */
int __wrap_sys_close(int fd)
{
	if (fd >= 0 && fd < FAKE_FIRST_FD)
		return __real_sys_close(fd);
	fake_close(fake_event(fd));
	return 0;
}

uint64_t __wrap_sys_now_ns(void)
{
	return fake.now_ns;
}

static inline int fake_reset(void **state)
{
	for (size_t i = 0; i < fake.count; i++)
		free(fake.events[i].ring);
	memset(&fake, 0, sizeof(fake));
	return 0;
}

/* A record as the kernel writes it. */
struct fake_record {
	struct perf_event_header header;
	unsigned char body[256];
};

static inline void fake_add(struct fake_record *record, const void *bytes, size_t size)
{
	if (record->header.size == 0)
		record->header.size = sizeof(record->header);
	if (size > 0)
		memcpy((unsigned char *)record + record->header.size, bytes, size);
	record->header.size = (uint16_t)(record->header.size + size);
}

static inline void fake_add_u64(struct fake_record *record, uint64_t value)
{
	fake_add(record, &value, sizeof(value));
}

static inline void fake_add_pair(struct fake_record *record, int32_t first, int32_t second)
{
	const int32_t pair[] = {first, second};

	fake_add(record, pair, sizeof(pair));
}

/* Puts a record into the ring of fd, or into the one that it is redirected to. */
static inline void fake_put(int fd, const struct fake_record *record)
{
	struct fake_event *event =
		fake_event(fake_event(fd)->output >= 0 ? fake_event(fd)->output : fd);
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)event->ring;

	for (size_t i = 0; i < record->header.size; i++)
		event->ring[FAKE_PAGE + (page->data_head + i) % event->ring_bytes] =
			((const unsigned char *)record)[i];
	page->data_head += record->header.size;
}

/* Who a record is about, and when and where it was written. */
struct fake_told {
	uint64_t time;
	int32_t pid, tid; /* pid 0: tid */
	uint32_t cpu;
	uint64_t id;
};

static inline int32_t fake_pid(const struct fake_told *told)
{
	return told->pid != 0 ? told->pid : told->tid;
}

/* The trailer of everything that is no sample. */
static inline void fake_add_trailer(struct fake_record *record, const struct fake_told *told)
{
	fake_add_pair(record, fake_pid(told), told->tid);
	fake_add_u64(record, told->time);
	if (fake.says_cpu)
		fake_add_pair(record, (int32_t)told->cpu, 0);
	fake_add_u64(record, told->id);
}

/* A reading at a switch: group's leader with `sequence`, each member with value. */
static inline struct fake_record fake_sample(const struct fake_told *told, uint64_t leader_id,
					     size_t members, uint64_t sequence, uint64_t value)
{
	struct fake_record record = {.header.type = PERF_RECORD_SAMPLE};

	fake_add_u64(&record, told->id != 0 ? told->id : leader_id);
	fake_add_pair(&record, fake_pid(told), told->tid);
	fake_add_u64(&record, told->time);
	if (fake.says_cpu)
		fake_add_pair(&record, (int32_t)told->cpu, 0);
	fake_add_u64(&record, 1 + members);
	fake_add_u64(&record, told->time); /* enabled */
	fake_add_u64(&record, told->time); /* running */
	for (size_t i = 0; i <= members; i++) {
		fake_add_u64(&record, i == 0 ? sequence : value);
		fake_add_u64(&record, leader_id + 10 * i);
		fake_add_u64(&record, 0); /* lost */
	}
	return record;
}

/* A sample of a sampler: raw data of `size` bytes, padded as the kernel pads it. */
static inline struct fake_record fake_tapped(const struct fake_told *told, const void *raw,
					     size_t size)
{
	static const unsigned char zeros[8];
	const uint32_t padded = (uint32_t)((size + 4 + 7) / 8 * 8 - 4);
	struct fake_record record = {.header.type = PERF_RECORD_SAMPLE};

	fake_add_u64(&record, told->id);
	fake_add_pair(&record, fake_pid(told), told->tid);
	fake_add_u64(&record, told->time);
	fake_add(&record, &padded, sizeof(padded));
	fake_add(&record, raw, size);
	fake_add(&record, zeros, padded - size);
	return record;
}

/* other: -1 where a task's own events report it, and not a CPU's. */
static inline struct fake_record fake_switch(const struct fake_told *told, bool out, int32_t other)
{
	struct fake_record record = {.header.type = other < 0 ? PERF_RECORD_SWITCH
							      : PERF_RECORD_SWITCH_CPU_WIDE};

	record.header.misc = out ? PERF_RECORD_MISC_SWITCH_OUT : 0;
	if (other >= 0)
		fake_add_pair(&record, other, other);
	fake_add_trailer(&record, told);
	return record;
}

/* FORK or EXIT of told by or with a parent. */
static inline struct fake_record fake_life(uint32_t type, const struct fake_told *told,
					   int32_t parent_pid, int32_t parent_tid)
{
	struct fake_record record = {.header.type = type};

	fake_add_pair(&record, fake_pid(told), parent_pid);
	fake_add_pair(&record, told->tid, parent_tid);
	fake_add_u64(&record, told->time);
	fake_add_trailer(&record, told);
	return record;
}

/* COMM with `size` bytes of name, a multiple of 8. */
static inline struct fake_record fake_comm(const struct fake_told *told, const char *name,
					   size_t size)
{
	struct fake_record record = {.header.type = PERF_RECORD_COMM};

	fake_add_pair(&record, fake_pid(told), told->tid);
	fake_add(&record, name, size);
	fake_add_trailer(&record, told);
	return record;
}

static inline struct fake_record fake_lost(const struct fake_told *told, uint64_t count)
{
	struct fake_record record = {.header.type = PERF_RECORD_LOST};

	fake_add_u64(&record, told->id);
	fake_add_u64(&record, count);
	fake_add_trailer(&record, told);
	return record;
}

#endif
