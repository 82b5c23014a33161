#include "app_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kernel/control.h"

#include "event/catalog.h"
#include "event/pfm.h"
#include "fake_sysfs.h"
#include "unit.h"

struct kit kit;
struct fake_control fake;

const char *kit_root(void)
{
	return fake_root;
}

struct rounds *kit_rounds(void)
{
	return kit.app.parts[PART_rounds];
}

struct prompts *prompts_shown(void)
{
	return kit.app.parts[PART_prompts];
}

struct pager *pager_shown(void)
{
	return kit.app.parts[PART_pager];
}

/* --- what the source reports */

/* In a microsecond so many cycles, half as many instructions, and so on: the first events. */
static void kit_count(struct kit_cpu *cpu, uint64_t time_ns)
{
	static const uint64_t a_microsecond[] = {1000, 500, 10, 2};
	const uint64_t us = (time_ns - cpu->now_ns) / 1000;

	for (size_t i = 0; i < COUNT_OF(a_microsecond) && cpu->running > 0; i++)
		cpu->values[i] += us * a_microsecond[i];
	cpu->count_ns += (time_ns - cpu->now_ns) * (100 - kit.uncounted_pct) / 100;
	cpu->now_ns = time_ns;
}

static struct record *kit_report(enum record_kind kind, int32_t cpu, int32_t pid, uint64_t time_ns)
{
	struct kit_record *entry = &kit.records[kit.count++];

	assert_true(kit.count <= KIT_RECORDS);
	entry->record = (struct record){
		.kind = kind, .cpu = cpu, .pid = pid, .tid = pid, .time_ns = time_ns};
	return &entry->record;
}

/* The counters of a CPU; the record is the last one. */
static struct record_reading *kit_read(struct kit_cpu *cpu, uint64_t time_ns)
{
	struct kit_record *entry = &kit.records[kit.count - 1];

	kit_count(cpu, time_ns);
	memcpy(entry->values, cpu->values, sizeof(entry->values));
	entry->reading = (struct record_reading){
		.sequence = cpu->sequence,
		.enabled_ns = time_ns,
		.running_ns = cpu->count_ns,
		.values = entry->values,
	};
	return &entry->reading;
}

static void kit_report_readings(bool restarts)
{
	for (int32_t i = 0; i < KIT_CPUS; i++) {
		struct record *record =
			kit_report(RECORD_READING, i, kit.cpus[i].running, kit.now_ns);

		record->reading = *kit_read(&kit.cpus[i], kit.now_ns);
		record->reading.restarts = restarts;
	}
}

/* Blocked; 0: idle. */
static void kit_report_switch(int32_t number, int32_t next, uint64_t time_ns)
{
	struct kit_cpu *cpu = &kit.cpus[number];
	struct record *record = kit_report(RECORD_SWITCH, number, cpu->running, time_ns);

	cpu->sequence++;
	record->ctx_switch = (struct record_switch){
		.next_pid = next,
		.next_tid = next,
		.knows_how = true,
		.state = cpu->running > 0 ? TASK_STATE_SLEEPING : TASK_STATE_RUNNABLE,
		.readings = kit_read(cpu, time_ns),
		.reading_count = 1,
	};
	cpu->running = next;
}

static void kit_report_task(const struct kit_task *task, uint64_t time_ns)
{
	struct record *record = kit_report(RECORD_PROCINFO, RECORD_CPU_NONE, task->pid, time_ns);

	record->procinfo = (struct record_procinfo){
		.name = task->name ? task->name : "task",
		.command_line = task->command_line ? task->command_line : "",
		.parent_pid = task->parent_pid,
		.uid = task->uid,
		.cgroup = task->cgroup,
		.cpu = -1,
		.is_kernel_thread = task->is_kernel_thread,
	};
}

static void kit_report_end(int32_t pid, uint64_t time_ns)
{
	kit_report(RECORD_EXIT, RECORD_CPU_NONE, pid, time_ns)->fork =
		(struct record_fork){RECORD_TASK_UNKNOWN, RECORD_TASK_UNKNOWN};
}

/* Where a CPU has room for it, one after the other. */
static void kit_report_run(const struct kit_task *task, uint64_t at_ns[static KIT_CPUS])
{
	const uint64_t run_ns = task->run_ms * 1000000;
	const int32_t cpu = at_ns[0] + run_ns < kit.now_ns ? 0 : 1;

	if (run_ns > 0) {
		kit_report_switch(cpu, task->pid, at_ns[cpu]);
		at_ns[cpu] += run_ns;
		assert_true(at_ns[cpu] < kit.now_ns);
	}
	if (task->ends)
		kit_report_end(task->pid, at_ns[cpu]);
	if (run_ns > 0)
		kit_report_switch(cpu, 0, at_ns[cpu]);
}

static struct kit_task *kit_find_task(struct kit_task *tasks, size_t count, int32_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (tasks[i].pid == pid)
			return &tasks[i];
	return NULL;
}

struct kit_task *kit_task(int32_t pid)
{
	return kit_find_task(kit.tasks, kit.task_count, pid);
}

/* Of what has come since the last interval, and of what has another's number. */
static void kit_report_birth(struct kit_task *task, uint64_t time_ns)
{
	const bool is_known = kit_find_task(kit.reported, kit.reported_count, task->pid);

	if (task->is_reborn)
		kit_report_end(task->pid, time_ns);
	if (task->is_reborn || (!is_known && engine_snapshot(kit.engine)))
		kit_report(RECORD_FORK, RECORD_CPU_NONE, task->pid, time_ns)->fork =
			(struct record_fork){1, 1};
	task->is_reborn = false;
}

/* The interval that ends now. */
static void kit_report_interval(void)
{
	const uint64_t begin_ns = kit.now_ns - KIT_INTERVAL_NS;
	uint64_t at_ns[KIT_CPUS] = {begin_ns + 1000, begin_ns + 1000};
	size_t left = 0;

	for (size_t i = 0; i < kit.task_count; i++) {
		struct kit_task *task = &kit.tasks[i];

		kit_report_birth(task, begin_ns);
		kit_report_task(task, begin_ns);
		if (!kit.told.history || task->ends)
			kit_report_run(task, at_ns);
		if (!task->ends)
			kit.tasks[left++] = *task;
	}
	kit.task_count = left;
	memcpy(kit.reported, kit.tasks, sizeof(kit.tasks));
	kit.reported_count = left;
}

static void kit_destroy(struct source *source)
{
	layout_fini(&source->layout);
}

static bool kit_begin(struct source *source, struct error *error)
{
	return true;
}

static void kit_drain(struct source *source)
{
	source->settled_ns = kit.now_ns;
}

/* Whoever ends an interval, it was a second, or as long as kit_pass_to() says. */
static void kit_source_tick(struct source *source)
{
	if (kit.engine->is_running) {
		kit.now_ns = kit.end_ns > 0 ? kit.end_ns : kit.now_ns + KIT_INTERVAL_NS;
		kit_report_interval();
	}
	kit.end_ns = 0;
	kit_report_readings(false);
	source->tick_ns = source->settled_ns = kit.now_ns;
}

static bool kit_next(struct source *source, struct record *record)
{
	if (kit.next == kit.count) {
		kit.next = kit.count = 0;
		return false;
	}
	*record = kit.records[kit.next].record;
	if (record->kind == RECORD_SWITCH)
		record->ctx_switch.readings = &kit.records[kit.next].reading;
	kit.next++;
	return true;
}

static bool kit_is_finished(const struct source *source)
{
	return false;
}

static bool kit_attach(struct source *source, int32_t pid, struct error *error)
{
	if (pid >= 1000)
		return error_set(error, ERROR_PROCESS_FOREIGN, "it", "a test");
	kit.attached[kit.attached_count++] = pid;
	return true;
}

static void kit_count_event(struct layout *layout, const char *name)
{
	const int known = layout_find_event(layout, name);
	const size_t index = known >= 0 ? (size_t)known : layout_add_event(layout, name);
	struct event *event = &layout->events[index];

	event->is_removed = false;
	if (known >= 0)
		return;
	if (strstr(name, "refused")) {
		event->state = EVENT_DENIED;
		strcpy(event->reason, "the test says so");
		return;
	}
	event->state = EVENT_COUNTING;
	layout_add_counter(layout, 0, index);
}

/* One group of all that there ever were. */
static bool kit_change(struct source *source, const struct event_set *events, struct error *error)
{
	if (kit.change_is_refused)
		return error_set(error, ERROR_PROCESS_FOREIGN, "it", "a test");
	kit.changes++;
	for (size_t i = 0; i < source->layout.event_count; i++)
		source->layout.events[i].is_removed = true;
	for (size_t i = 0; i < events->count; i++)
		kit_count_event(&source->layout, events->evsels[i].name);
	if (events->scheduler) {
		source->session.queue = kit.scheduler_is_refused ? QUEUE_UNKNOWN : QUEUE_WAKEUPS;
		strcpy(source->session.queue_words, "run-queue waits: the test says so");
	}
	kit_report_readings(true);
	return true;
}

static const struct source_ops kit_ops = {
	.destroy = kit_destroy,
	.begin = kit_begin,
	.drain = kit_drain,
	.tick = kit_source_tick,
	.next = kit_next,
	.is_finished = kit_is_finished,
	.attach = kit_attach,
	.change = kit_change,
};

/* --- what is around the program */

uint64_t __wrap_sys_now_ns(void)
{
	kit.now_ns += kit.look_ns;
	return kit.now_ns;
}

int64_t __wrap_sys_wall_ns(void)
{
	return (int64_t)kit.now_ns + INT64_C(1699999999123000000);
}

/* Everybody is there but those from 900 to 999, us excepted; 77 is a thread of 7. */
bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	const int32_t pid = tid == 77 ? 7 : tid;
	const struct kit_task *known = kit_task(pid);

	if (tid >= 900 && tid <= 999 && tid != getpid())
		return false;
	*task = (struct proc_task){.pid = pid, .tid = tid};
	if (known) {
		task->parent_pid = known->parent_pid;
		task->uid = known->uid;
	}
	task->start_ticks = tid == kit.reborn_pid ? kit.now_ns / 10000000 + 1 : kit.start_ticks;
	task->state = kit.task_state != 0 ? kit.task_state : 'S';
	task->is_kernel_thread = kit.is_kernel_thread;
	if (known && known->name)
		snprintf(task->name, sizeof(task->name), "%s", known->name);
	else
		snprintf(task->name, sizeof(task->name), "n%d", pid);
	return true;
}

bool __wrap_proc_read_command_line(int32_t pid, size_t limit, struct strbuf *text)
{
	return true;
}

size_t __wrap_proc_find_by_name(const char *name, int32_t *pids, size_t max)
{
	if (strcmp(name, "named") != 0)
		return 0;
	for (size_t i = 0; i < kit.named_count && i < max; i++)
		pids[i] = kit.named[i];
	return kit.named_count;
}

bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	kit.walks++;
	for (size_t i = 0; pid > 0 && i < kit.thread_count; i++)
		if (!visit(kit.threads[i], context))
			break;
	return true;
}

void __wrap_term_repaint(struct term *term)
{
	kit.repaints++;
}

struct catalog *__real_catalog_create(const char *root, struct event_finder *finder,
				      const struct host *host);

/* The events of the machine that the kit has made. */
struct catalog *__wrap_catalog_create(const char *root, struct event_finder *finder,
				      const struct host *host)
{
	return __real_catalog_create(fake_root, finder, host);
}

/* What libpfm4 knows of the processor that runs the test is left out of them. */
void __wrap_pfm_walk(pfm_visit *visit, void *context)
{
}

static bool kit_lacks(uint32_t type)
{
	const struct session *session = &kit.source.session;

	return session->pmu_words[0] != '\0' && !session->has_pmu &&
	       (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW);
}

/* Opens all but the tracepoints that are refused, and without counters what needs them. */
int __wrap_sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags)
{
	if (attr->type == PERF_TYPE_TRACEPOINT && attr->config == KIT_REFUSED)
		return -EACCES;
	if (kit_lacks(attr->type))
		return -ENOENT;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int __wrap_sys_perf_ioctl(int fd, unsigned long request, unsigned long argument)
{
	return 0;
}

static void kit_remove_machine(void)
{
	fake_root_teardown(NULL);
}

/* Events that the machine has, whatever it is that runs the test. */
static void kit_make_machine(void)
{
	static const char *const tracepoints[] = {"sched/sched_switch", "test/one",
						  "test/two",           "ftrace/function",
						  "test/refused",       "test/refused2"};

	if (fake_root[0] != '\0')
		return;
	assert_int_equal(fake_root_setup(NULL), 0);
	sysfs_pmu("cpu", "type", "4\n");
	sysfs_pmu("cpu", "format/a", "config:0-7\n");
	sysfs_pmu("cpu", "format/b", "config:8-15\n");
	sysfs_pmu("cpu", "format/event", "config:0-7\n");
	sysfs_pmu("cpu", "format/umask", "config:8-15\n");
	for (size_t i = 0; i < COUNT_OF(tracepoints); i++) {
		char path[96];

		snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", tracepoints[i]);
		fake_root_file(path, strstr(path, "refused") ? "666\n" : "100\n");
		snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/format",
			 tracepoints[i]);
		fake_root_file(path, "name: x\n\n\tfield:int prev_pid;\toffset:8;\n");
	}
	atexit(kit_remove_machine);
}

void kit_tick(void)
{
	if (kit.engine->is_replay)
		kit.now_ns += KIT_INTERVAL_NS;
	engine_tick(kit.engine);
	app_keep_interval(&kit.app);
}

void kit_build(void)
{
	struct view_request request;

	if (!kit.engine->is_replay && (kit.task_count != kit.reported_count ||
				       memcmp(kit.tasks, kit.reported, sizeof(kit.tasks)) != 0))
		kit_tick();
	request = app_request(&kit.app);
	request.meanwhile = NULL;
	request.extra_rows = kit.has_rows_of_no_task;
	if (!kit.has_rows_of_no_task)
		request.fold_exited = FOLD_NOTHING;
	if (app_snapshot(&kit.app))
		view_table_build(kit.app.table, &request, app_snapshot(&kit.app),
				 engine_session(kit.engine), app_metrics(&kit.app));
	row_marks_built(&kit.app);
	appearance_build(&kit.app);
	code_page_refresh(&kit.app);
	pane_refresh(&kit.app);
	if (app_drawing(&kit.app) && app_drawing(&kit.app)->build)
		app_drawing(&kit.app)->build(&kit.app);
	kit.app.needs_build = kit.app.needs_drawing = false;
}

struct kit_task *kit_add_task(struct kit_task task)
{
	assert_true(kit.task_count < KIT_TASKS);
	kit.tasks[kit.task_count] = task;
	return &kit.tasks[kit.task_count++];
}

/* The engine as engine_open() leaves it, on the source of the kit. */
static void kit_open(void)
{
	struct engine *engine = kit.engine = engine_create(&kit.options);
	struct error error = {0};

	kit.source = (struct source){
		.ops = &kit_ops,
		.poll_fd = -1,
		.session = {.scope_words = "whole machine",
			    .pmu_words = "cpu PMU",
			    .has_pmu = true,
			    .is_live = true,
			    .cpu_count = KIT_CPUS},
	};
	layout_init(&kit.source.layout);
	number_list_parse(&engine->host.online, "0-1", KIT_CPUS);
	strcpy(engine->host.cpu_pmu, "cpu");
	engine->source = &kit.source;
	engine->finder = event_finder_create(fake_root);
	engine->metric_set = metric_set_create();
	if (!event_set_add(&engine->events, engine->finder,
			   "cycles,instructions,cache-references,cache-misses,branch-misses,"
			   "page-faults",
			   NULL, NULL, NULL, &error) ||
	    !source_change(engine->source, &engine->events, &error))
		fail_msg("%s", error.text);
	kit.changes = 0;
	engine->model = model_create(&kit.source.layout);
	engine_bind_metrics(engine);
}

static inline void kit_begin_app(void)
{
	struct error error = {0};

	app_init(&kit.app, &kit.options, kit.engine);
	kit_rounds()->loop = loop_create(NULL);
	resolver_init(&kit.engine->resolver, kit.engine);
	kit.app.table = view_table_create(kit.engine->resolver.columns);
	engine_serve_table(kit.engine, kit.app.table);
	screen_init(&kit.app.screen, 80, 24);
	if (!engine_start(kit.engine, &error))
		fail_msg("%s", error.text);
}

int kit_set_up(void **state)
{
	kit_make_machine();
	memset(&kit, 0, sizeof(kit));
	memset(&fake, 0, sizeof(fake));
	fake.open = PIDFD;
	kit.now_ns = KIT_INTERVAL_NS;
	add_task(.pid = 7, .name = "nginx", .run_ms = 300, .command_line = "/usr/sbin/nginx -g x");
	add_task(.pid = 70, .name = "nginx-worker", .run_ms = 200);
	add_task(.pid = 8, .name = "redis", .run_ms = 100);
	kit.options.delay_s = 1;
	kit.options.uid = -1;
	kit.options.past_mib = OPTIONS_PAST_MIB;
	kit_open();
	kit_begin_app();
	kit_tick();
	kit_build();
	return 0;
}

int kit_tear_down(void **state)
{
	loop_destroy(kit_rounds()->loop);
	app_fini(&kit.app);
	screen_fini(&kit.app.screen);
	engine_destroy(kit.engine);
	return 0;
}

void kit_keep_history(size_t capacity)
{
	engine_keep_history(kit.engine, capacity);
	kit.told = (struct told_switches){
		.history = (struct history *)(uintptr_t)engine_history(kit.engine),
		.now_ns = kit.now_ns,
	};
}

uint64_t kit_actor(int32_t pid)
{
	const struct snapshot *snapshot = engine_snapshot(kit.engine);

	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].pid == pid)
			return history_add_actor(kit.told.history, &snapshot->tasks[i]);
	return ACTOR_UNKNOWN;
}

void kit_begin_recording(const char *to)
{
	static char name[] = "perftop";
	static char *arguments[] = {name, NULL};
	char path[FAKE_PATH_BYTES];
	struct error error = {0};

	fake_root_path(path, "/recording");
	unlink(path);
	if (!engine_record(kit.engine, to ? to : path, 0, arguments, &error))
		fail_msg("%s", error.text);
}

void kit_show(const char *path)
{
	struct error error = {0};

	kit_tear_down(NULL);
	kit.options.input = path;
	kit.engine = engine_create(&kit.options);
	if (!engine_open(kit.engine, &error))
		fail_msg("%s", error.text);
	kit_begin_app();
}

void kit_end_recording(void)
{
	struct error error = {0};

	if (!engine_stop_recording(kit.engine, &error))
		fail_msg("%s", error.text);
}

void kit_show_recording(void)
{
	static char path[FAKE_PATH_BYTES];

	kit_end_recording();
	fake_root_path(path, "/recording");
	kit_show(path);
}

void kit_replay(size_t intervals)
{
	kit_begin_recording(NULL);
	for (size_t i = 0; i < intervals; i++)
		kit_tick();
	kit_show_recording();
}

void kit_pass_to(uint64_t time_ns)
{
	kit.end_ns = time_ns;
	kit_tick();
}

void kit_end_tasks(size_t first)
{
	for (size_t i = first; i < kit.task_count; i++)
		kit.tasks[i].ends = true;
	kit_tick();
	kit_tick();
}

void kit_set_state(size_t event, enum event_state state)
{
	kit.source.layout.events[event].state = state;
	kit.source.layout_changes++;
	kit_tick();
	kit_tick();
}

void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
	if (kit.app.needs_build && app_snapshot(&kit.app))
		kit_build();
}

/* --- signals, nice values and CPUs */

int __wrap_control_open(int32_t pid)
{
	fake.opened = pid;
	return fake.open;
}

int __wrap_control_signal_open(int fd, int number)
{
	assert_int_equal(fd, PIDFD);
	if (number == 0)
		return fake.gone;
	fake.sent_open = fd;
	fake.number = number;
	return fake.signal;
}

int __wrap_control_signal(int32_t pid, int number)
{
	fake.sent_pid = pid;
	fake.number = number;
	return fake.signal;
}

int __wrap_control_nice(int32_t tid, int *nice)
{
	*nice = fake.nice[tid == 77];
	return tid == 999 ? -ESRCH : 0;
}

int __wrap_control_set_nice(int32_t tid, int nice)
{
	fake.reniced[fake.reniced_count++] = tid;
	fake.new_nice = nice;
	return fake.set_nice;
}

int __wrap_control_cpus(int32_t tid, struct number_list *cpus)
{
	return number_list_parse(cpus, "0-3", 100) ? 0 : -EINVAL;
}

int __wrap_control_set_cpus(int32_t tid, const struct number_list *cpus)
{
	fake.bound++;
	fake.cpu_count = cpus->count;
	return fake.set_cpus;
}

int64_t __wrap_control_slept_ns(void)
{
	return fake.slept_ns;
}

void __wrap_control_tick_time(uint64_t ticks, int64_t slept_ns, int64_t *from_ns, int64_t *to_ns)
{
	*from_ns = (int64_t)ticks * 10000000 - slept_ns;
	*to_ns = *from_ns + 10000000;
}
