#ifndef PERFTOP_TESTS_FAKE_SOURCE_H
#define PERFTOP_TESTS_FAKE_SOURCE_H

/*
 * A machine of two CPUs and a source on it that tells what a test has told it: in place of
 * cpus_create() and tasks_create(), and of what is asked besides. Included once per test; the
 * functions replaced are listed at perftop_test(WRAPS).
 */

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/layout.h"
#include "source/cpus/cpus.h"
#include "source/source.h"
#include "source/tasks/tasks.h"

#include "event/event.h"
#include "model_kit.h"
#include "unit.h"

enum {
	FAKE_RECORDS_MAX = 64,
	FAKE_TOLD = 2, /* values of a reading; what else is counted is 0 */
	FAKE_VALUES = 16,
	FAKE_WORDS_BYTES = 512
};

struct fake_source {
	struct source base;
	bool is_open, has_begun;
	struct record records[FAKE_RECORDS_MAX];
	uint64_t values[FAKE_RECORDS_MAX][FAKE_VALUES];
	struct record_reading readings[FAKE_RECORDS_MAX]; /* of a switch */
	size_t count, next;
};

static struct {
	/* rules; ERROR_NONE: it is granted */
	enum error_code machine, tasks, change;
	uint64_t now_ns;
	int64_t uid;             /* of all tasks; 0: 1000 */
	bool are_kernel_threads; /* all tasks */
	double counter_ns;       /* of a virtual machine with a PMU; 0: it has none */
	void (*at_tick)(void);   /* before the interval ends; NULL: nothing happens then */
	/* what was asked for */
	char events[FAKE_WORDS_BYTES]; /* the names, as last asked for */
	bool scheduler;
	bool asked_cpus, asked_tasks;
	enum tasks_mode mode;
	int32_t pids[8];
	size_t pid_count, changes, ticks, drains;
	int32_t attached;
	size_t limits; /* times, and the share of the last one */
	double share;
	struct fake_source source;
} fake;

static void fake_note_events(const struct event_set *request)
{
	size_t length = 0;

	fake.events[0] = '\0';
	for (size_t i = 0; i < request->count; i++)
		length += (size_t)snprintf(fake.events + length, sizeof(fake.events) - length,
					   "%s%s", i > 0 ? " " : "", request->evsels[i].name);
	fake.scheduler = request->scheduler;
}

/* One group of all that is asked for; what is there stays. */
static void fake_make_layout(struct layout *layout, const struct event_set *request)
{
	for (size_t i = 0; i < request->count; i++) {
		size_t event;

		if (layout_find_event(layout, request->evsels[i].name) >= 0)
			continue;
		event = layout_add_event(layout, request->evsels[i].name);
		layout->events[event].state = EVENT_COUNTING;
		layout_add_counter(layout, 0, event);
	}
}

static void fake_destroy(struct source *source)
{
	assert_true(fake.source.is_open);
	layout_fini(&source->layout);
	fake.source.is_open = false;
}

static bool fake_begin(struct source *source, struct error *error)
{
	fake.source.has_begun = true;
	return true;
}

static void fake_drain(struct source *source)
{
	source->settled_ns = fake.now_ns;
	fake.drains++;
}

static void fake_tick(struct source *source)
{
	if (fake.at_tick != NULL)
		fake.at_tick();
	source->tick_ns = source->settled_ns = fake.now_ns;
	fake.ticks++;
}

static bool fake_next(struct source *source, struct record *record)
{
	if (fake.source.next == fake.source.count) {
		fake.source.next = fake.source.count = 0;
		return false;
	}
	*record = fake.source.records[fake.source.next++];
	return true;
}

static bool fake_is_finished(const struct source *source)
{
	return false;
}

static bool fake_attach(struct source *source, int32_t pid, struct error *error)
{
	fake.attached = pid;
	return true;
}

static bool fake_change(struct source *source, const struct event_set *request, struct error *error)
{
	fake.changes++;
	if (fake.change != ERROR_NONE)
		return error_set(error, fake.change, "it", "a test");
	fake_note_events(request);
	fake_make_layout(&source->layout, request);
	return true;
}

static void fake_limit(struct source *source, double share)
{
	fake.limits++;
	fake.share = share;
}

static const struct source_ops fake_ops = {
	.limit = fake_limit,
	.destroy = fake_destroy,
	.begin = fake_begin,
	.drain = fake_drain,
	.tick = fake_tick,
	.next = fake_next,
	.is_finished = fake_is_finished,
	.attach = fake_attach,
	.change = fake_change,
};

static struct source *fake_open(const struct event_set *events)
{
	fake.source =
		(struct fake_source){.base = {.ops = &fake_ops, .poll_fd = -1}, .is_open = true};
	layout_init(&fake.source.base.layout);
	fake_note_events(events);
	fake_make_layout(&fake.source.base.layout, events);
	return &fake.source.base;
}

struct source *__wrap_cpus_create(const struct cpus_request *request, struct error *error)
{
	fake.asked_cpus = true;
	if (fake.machine == ERROR_NONE)
		return fake_open(request->events);
	error_set(error, fake.machine, "counters", "2");
	return NULL;
}

struct source *__wrap_tasks_create(const struct tasks_request *request, struct error *error)
{
	struct source *source;

	fake.asked_tasks = true;
	fake.mode = request->mode;
	fake.pid_count = request->pid_count;
	for (size_t i = 0; i < request->pid_count; i++)
		fake.pids[i] = request->pids[i];
	if (fake.tasks != ERROR_NONE) {
		error_set(error, fake.tasks, "tasks", "2");
		return NULL;
	}
	source = fake_open(request->events);
	source->session.scope = SCOPE_TASKS;
	snprintf(source->session.scope_words, sizeof(source->session.scope_words), "%s",
		 request->scope_words);
	return source;
}

void __wrap_host_read(struct host *host, const char *root)
{
	*host = (struct host){.paranoid = 2, .fd_limit_soft = 1024, .fd_limit_hard = 4096};
	host->is_virtual = fake.counter_ns > 0;
	strcpy(host->cpu_pmu, host->is_virtual ? "cpu" : "");
	number_list_parse(&host->online, "0-1", 8);
}

double __wrap_counter_time_ns(const struct attr_features *features)
{
	return fake.counter_ns;
}

uint64_t __wrap_host_raise_fd_limit(void)
{
	return 4096;
}

void __wrap_attr_probe_features(struct attr_features *features)
{
	*features = (struct attr_features){0};
}

/* A test is no more urgent than others. */
int __wrap_sys_be_urgent(void)
{
	return -1;
}

uint64_t __wrap_sys_now_ns(void)
{
	return fake.now_ns;
}

/* Thread 71 is of process 70; those below 1000 are processes, and there are no others. */
bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	if (tid >= 1000)
		return false;
	*task = (struct proc_task){
		.pid = tid == 71 ? 70 : tid,
		.tid = tid,
		.parent_pid = 1,
		.uid = fake.uid ? fake.uid : 1000,
		.cpu = 0,
		.is_kernel_thread = fake.are_kernel_threads,
	};
	snprintf(task->name, sizeof(task->name), "task%d", tid);
	return true;
}

bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	if (pid > 0)
		visit(pid, context);
	return true;
}

/* To be told at the next drain or tick. */
static inline void fake_tell(struct record record)
{
	struct record *last =
		fake.source.count > 0 ? &fake.source.records[fake.source.count - 1] : NULL;
	size_t place;

	/* what the tasks say of a switch is in the record of its sample */
	if ((int)record.kind == KIT_IN && last && last->kind == RECORD_SWITCH)
		return;
	if ((int)record.kind == KIT_OUT && last && last->kind == RECORD_SWITCH) {
		record.ctx_switch.readings = last->ctx_switch.readings;
		record.ctx_switch.reading_count = last->ctx_switch.reading_count;
		record.kind = RECORD_SWITCH;
		*last = record;
		return;
	}
	place = fake.source.count++;
	assert_true(place < FAKE_RECORDS_MAX);
	if ((int)record.kind == KIT_SAMPLE) {
		fake.source.readings[place] = record.ctx_switch.readings[0];
		memcpy(fake.source.values[place], record.ctx_switch.readings[0].values,
		       FAKE_TOLD * sizeof(uint64_t));
		fake.source.readings[place].values = fake.source.values[place];
		record.ctx_switch.readings = &fake.source.readings[place];
	}
	if ((int)record.kind > RECORD_KINDS)
		record.kind = RECORD_SWITCH;
	if (record.kind == RECORD_READING) {
		memcpy(fake.source.values[place], record.reading.values,
		       FAKE_TOLD * sizeof(uint64_t));
		record.reading.values = fake.source.values[place];
	}
	fake.source.records[place] = record;
}

static inline int fake_setup(void **state)
{
	memset(&fake, 0, sizeof(fake));
	fake.now_ns = 1000;
	return 0;
}

#endif
