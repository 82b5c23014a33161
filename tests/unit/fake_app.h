#ifndef PERFTOP_TESTS_FAKE_APP_H
#define PERFTOP_TESTS_FAKE_APP_H

/*
 * An app without terminal and kernel: its snapshot is a small world (snapshot_builder.h), its
 * source takes every process below 1000, its /proc knows what the test says. Its events: a name
 * that begins with "bad" is unknown, one with "refused" is not counted, all others are. Its
 * catalog is a table here. Its history is what kit_keep_history() begins and the test tells, the
 * page of a task a few lines with its numbers; of those from 900 on nobody knows any. Included once
 * per test, with the WRAPS of program.cmake.
 */

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "kernel/proc.h"
#include "model/formula.h"
#include "model/model.h"
#include "source/source.h"
#include "view/task_page.h"

#include "event/catalog.h"
#include "fake_control.h"
#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/attach.h"
#include "mode/code_page.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/page.h"
#include "mode/pager.h"
#include "mode/pane.h"
#include "mode/prompts.h"
#include "mode/strips.h"
#include "mode/task_scope.h"
#include "perfdata/replay.h"
#include "playback/playback_parts.h"
#include "session/engine_parts.h"
#include "session/loop.h"
#include "session/options.h"
#include "snapshot_builder.h"
#include "switch_builder.h"
#include "term/term.h"

enum {
	KIT_ATTACHED_MAX = 16
};

struct kit {
	struct world world;
	struct source source;
	struct options options;
	struct engine engine;
	struct app app;
	int32_t attached[KIT_ATTACHED_MAX]; /* asked of the source */
	size_t attached_count;
	size_t walks;       /* through /proc */
	int32_t threads[4]; /* that a walk through a process visits */
	size_t thread_count;
	uint64_t start_ticks; /* of all tasks, as /proc says */
	int32_t reborn_pid;   /* began after what is shown; 0: none */
	char task_state;      /* 0: asleep */
	bool is_kernel_thread;
	size_t repaints;
	int32_t named[4]; /* what proc_find_by_name() finds */
	size_t named_count;
	size_t needed;       /* metrics whose events were asked for */
	struct strbuf shown; /* metrics, when a set of columns last changed: ",ipc,,cpi," */
	size_t tries;        /* of entries of the catalog */
	bool metrics_are_refused;
	struct users *page_users;  /* what the task page was given last */
	struct told_switches told; /* no history: none is kept */
	size_t scheduler_asks;
	bool scheduler_is_refused;
	bool has_rows_of_no_task; /* tables have those of the exited and the unattributed */
	size_t pages;             /* of tasks, written */
	/* a recording of so many intervals of a second; 0: none, the kit is live */
	size_t replay_length, replay_at;
	size_t rewinds;
	bool is_pipe;
	char recorded[64]; /* path; "": nothing is recorded */
	bool disk_is_full;
};

static struct kit kit;

static inline struct rounds *kit_rounds(void)
{
	return kit.app.parts[PART_rounds];
}

/* The next interval of the recording; a live one goes on for ever. */
void __wrap_engine_tick(struct engine *engine)
{
	struct snapshot *snapshot = &kit.world.snapshot;

	if (kit.replay_length > 0 && kit.replay_at == kit.replay_length)
		return;
	kit.replay_at++;
	snapshot->sequence = kit.replay_at;
	snapshot->time_ns = (kit.replay_at + 1) * snapshot->interval_ns;
	engine->snapshot = snapshot;
}

bool __wrap_engine_can_tick(struct engine *engine)
{
	return kit.replay_length == 0 || kit.replay_at < kit.replay_length;
}

bool __wrap_engine_is_replay(const struct engine *engine)
{
	return kit.replay_length > 0;
}

bool __wrap_engine_rewind(struct engine *engine, struct error *error)
{
	if (kit.is_pipe)
		return error_set(error, ERROR_REPLAY_NOT, "a pipe", NULL);
	kit.rewinds++;
	kit.replay_at = 0;
	engine->snapshot = NULL;
	return true;
}

struct replay_position __wrap_replay_position(const struct source *source)
{
	const uint64_t interval_ns = kit.world.snapshot.interval_ns;

	return (struct replay_position){
		.first_ns = interval_ns,
		.last_ns = kit.is_pipe ? 0 : (kit.replay_length + 1) * interval_ns,
		.now_ns = (kit.replay_at + 1) * interval_ns,
		.is_at_end = kit.replay_at == kit.replay_length,
	};
}

void __wrap_replay_remarks(const struct source *source, char *text, size_t size)
{
	snprintf(text, size, "it is cut off");
}

/* Most happens in the last quarter. */
bool __wrap_replay_overview(struct source *source, uint64_t *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		parts[i] = i < count * 3 / 4 ? 1 : 100;
	return !kit.is_pipe;
}

bool __wrap_engine_record(struct engine *engine, const char *path, int compression,
			  char *const *arguments, struct error *error)
{
	if (strchr(path, '/') != NULL)
		return error_set(error, ERROR_FILE_OPEN, path, "the test says so");
	snprintf(kit.recorded, sizeof(kit.recorded), "%s", path);
	engine->recorder = (struct recorder *)&kit;
	return true;
}

bool __wrap_engine_stop_recording(struct engine *engine, struct error *error)
{
	engine->recorder = NULL;
	return !kit.disk_is_full || error_set(error, ERROR_FILE_WRITE, kit.recorded, "full");
}

const char *__wrap_recorder_path(const struct recorder *recorder)
{
	return kit.recorded;
}

uint64_t __wrap_recorder_bytes(const struct recorder *recorder)
{
	return 12340000;
}

/* Everybody is there but those from 900 to 999, us excepted; 77 is a thread of 7. */
bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	if (tid >= 900 && tid <= 999 && tid != getpid())
		return false;
	*task = (struct proc_task){.pid = tid == 77 ? 7 : tid, .tid = tid, .uid = 0};
	task->start_ticks =
		tid == kit.reborn_pid ? kit.world.snapshot.time_ns / 10000000 + 1 : kit.start_ticks;
	task->state = kit.task_state != 0 ? kit.task_state : 'S';
	task->is_kernel_thread = kit.is_kernel_thread;
	snprintf(task->name, sizeof(task->name), "n%d", task->pid);
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

static void kit_open_event(const char *name)
{
	struct layout *layout = &kit.source.layout;
	const int known = layout_find_event(layout, name);
	const size_t index = known >= 0 ? (size_t)known : layout_add_event(layout, name);
	struct event *event = &layout->events[index];
	const bool is_refused = strncmp(name, "refused", 7) == 0;

	event->is_removed = false;
	event->state = is_refused ? EVENT_DENIED : EVENT_COUNTING;
	strcpy(event->reason, is_refused ? "the test says so" : "");
}

bool __wrap_engine_add_events(struct engine *engine, const char *list,
			      void (*added)(const char *name, void *context), void *context,
			      size_t *position, struct error *error)
{
	const char *bad = strstr(list, "bad");
	const char *cursor = list;
	char name[COLUMN_NAME_MAX];

	if (bad != NULL) {
		const bool is_preset = strncmp(list, "preset-", strlen("preset-")) == 0;

		*position = (size_t)(bad - list);
		return error_set(error, is_preset ? ERROR_EVENT_REFUSED : ERROR_PERF_UNKNOWN, bad,
				 "the test says so");
	}
	while (column_word_next(kit.engine.resolver.columns, &cursor, name, sizeof(name))) {
		kit_open_event(name);
		added(name, context);
	}
	return true;
}

bool __wrap_engine_remove_event(struct engine *engine, const char *name, struct error *error)
{
	struct layout *layout = &kit.source.layout;
	const int index = layout_find_event(layout, name);

	if (index < 0 || layout->events[index].is_removed)
		return error_set(error, ERROR_PERF_UNKNOWN, name, NULL);
	layout->events[index].is_removed = true;
	return true;
}

bool __wrap_engine_add_metric(struct engine *engine, const char *definition,
			      const struct metric_info **info, size_t *position,
			      struct error *error)
{
	char message[FORMULA_ERROR_MAX];

	if (!metric_set_add(engine->metric_set, definition, info, position, message))
		return error_set(error, ERROR_FORMULA, message, NULL);
	metrics_destroy(kit.world.metrics);
	kit.world.metrics = metrics_create(&kit.source.layout, engine->metric_set);
	engine->metrics = kit.world.metrics;
	return true;
}

static void kit_open_needed(const char *event, void *context)
{
	if (layout_find_event(&kit.source.layout, event) < 0)
		kit_open_event(event);
}

bool __wrap_engine_need_metrics(struct engine *engine, const char *const *names, size_t count,
				struct error *error)
{
	kit.needed += count;
	for (size_t i = 0; i < count && !kit.metrics_are_refused; i++)
		metric_set_events(engine->metric_set,
				  (size_t)metric_set_find(engine->metric_set, names[i]),
				  kit_open_needed, NULL);
	return !kit.metrics_are_refused || error_set(error, ERROR_PERF_UNKNOWN, names[0], NULL);
}

bool __wrap_engine_change_set(struct engine *engine, const char *const *names, size_t count,
			      size_t added, struct error *error)
{
	strbuf_clear(&kit.shown);
	for (size_t i = added; i < count; i++)
		strbuf_printf(&kit.shown, ",%s,", names[i]);
	return __wrap_engine_need_metrics(engine, names, added, error);
}

bool __wrap_engine_need_scheduler(struct engine *engine, struct error *error)
{
	kit.scheduler_asks++;
	kit.source.session.queue = kit.scheduler_is_refused ? QUEUE_UNKNOWN : QUEUE_WAKEUPS;
	strcpy(kit.source.session.queue_words, "run-queue waits: the test says so");
	return true;
}

const struct history *__wrap_engine_history(const struct engine *engine)
{
	return kit.told.history;
}

bool __wrap_task_page_write(struct strbuf *out, const struct task_page_input *input)
{
	kit.page_users = input->users;
	if (input->pid >= 900)
		return false;
	strbuf_printf(out, "# page %zu of %d, thread %d\n", ++kit.pages, input->pid, input->tid);
	for (int i = 1; i < 50; i++)
		strbuf_printf(out, "line %d\n", i);
	return true;
}

/* From now on the switches that are told to kit.told are kept. */
static inline void kit_keep_history(size_t capacity)
{
	told_init(&kit.told, capacity);
}

/* clang-format off */
static struct catalog_entry kit_catalog[] = {
	{.name = "cycles",             .source = "hardware",   .description = "CPU cycles.",  .may_try = true, .reason = ""},
	{.name = "page-faults",        .source = "software",   .description = "Page faults.", .may_try = true, .reason = ""},
	{.name = "sched:sched_switch", .source = "tracepoint", .description = "A switch.",    .may_try = true, .reason = ""},
	{.name = "slow:one",           .source = "tracepoint", .description = "Waits.",       .may_try = true, .is_slow_to_try = true, .reason = ""},
	{.name = "slow:two",           .source = "tracepoint", .description = "Waits.",       .may_try = true, .is_slow_to_try = true, .reason = ""},
	{.name = "mem:ADDR",           .source = "breakpoint", .description = "Accesses.",    .is_pattern = true, .reason = ""},
	{.name = "sched:harmful",      .source = "tracepoint", .description = "Harms.",       .reason = ""},
	{.name = "sched:refused",      .source = "tracepoint", .description = "Refused.",     .may_try = true, .reason = ""},
};
/* clang-format on */

struct catalog *__wrap_catalog_create(const char *root, struct event_finder *finder,
				      const struct host *host)
{
	for (size_t i = 0; i < sizeof(kit_catalog) / sizeof(kit_catalog[0]); i++) {
		kit_catalog[i].state = CATALOG_UNTRIED;
		kit_catalog[i].reason = "";
	}
	return (struct catalog *)&kit;
}

void __wrap_catalog_destroy(struct catalog *catalog)
{
}

size_t __wrap_catalog_count(const struct catalog *catalog)
{
	return sizeof(kit_catalog) / sizeof(kit_catalog[0]);
}

const struct catalog_entry *__wrap_catalog_entry(const struct catalog *catalog, size_t index)
{
	return &kit_catalog[index];
}

const char *__wrap_catalog_details(struct catalog *catalog, size_t index)
{
	return index == 2 ? "fields: prev_pid next_pid\n" : "";
}

/* One word is enough here. */
bool __wrap_catalog_matches(const struct catalog_entry *entry, const char *words)
{
	return text_contains(entry->name, words) || text_contains(entry->source, words) ||
	       text_contains(entry->description, words);
}

void __wrap_catalog_try(struct catalog *catalog, size_t index)
{
	struct catalog_entry *entry = &kit_catalog[index];

	kit.tries++;
	entry->state = strstr(entry->name, "refused") ? CATALOG_REFUSED : CATALOG_OPENS;
	entry->reason = entry->state == CATALOG_REFUSED ? "nobody may" : "";
}

static bool take_pid(struct source *source, int32_t pid, struct error *error)
{
	if (pid >= 1000)
		return error_set(error, ERROR_PROCESS_FOREIGN, "it", "a test");
	kit.attached[kit.attached_count++] = pid;
	return true;
}

static const struct source_ops kit_ops = {.attach = take_pid};

static void kit_build(void)
{
	struct view_request request = app_request(&kit.app);

	request.meanwhile = NULL;
	request.extra_rows = kit.has_rows_of_no_task;
	if (!kit.has_rows_of_no_task)
		request.fold_exited = FOLD_NOTHING;
	view_table_build(kit.app.table, &request, app_snapshot(&kit.app), &kit.source.session,
			 app_metrics(&kit.app));
	row_marks_built(&kit.app);
	appearance_build(&kit.app);
	code_page_refresh(&kit.app);
	pane_refresh(&kit.app);
	if (app_drawing(&kit.app) && app_drawing(&kit.app)->build)
		app_drawing(&kit.app)->build(&kit.app);
	kit.app.needs_build = kit.app.needs_drawing = false;
}

/* Rows by cpu%: 7 "nginx", 70 "nginx-worker", 8 "redis". */
static inline int kit_set_up(void **state)
{
	memset(&kit, 0, sizeof(kit));
	memset(&fake, 0, sizeof(fake));
	fake.open = PIDFD;
	world_init(&kit.world);
	task(&kit.world, .pid = 7, .name = "nginx", .run_ms = 300, .uid = 0,
	     .command_line = "/usr/sbin/nginx -g x");
	task(&kit.world, .pid = 70, .name = "nginx-worker", .run_ms = 200, .uid = 0);
	task(&kit.world, .pid = 8, .name = "redis", .run_ms = 100, .uid = 0);
	kit.source = (struct source){.ops = &kit_ops, .session = kit.world.session};
	layout_copy(&kit.source.layout, &kit.world.layout);
	kit.world.snapshot.layout = &kit.source.layout;
	kit.options.delay_s = 1;
	kit.options.past_mib = OPTIONS_PAST_MIB;
	kit.engine = (struct engine){
		.child = {.start_fd = -1, .result_fd = -1},
		.source = &kit.source,
		.model = model_create(&kit.world.layout),
		.metric_set = kit.world.metric_set,
		.metrics = kit.world.metrics,
		.snapshot = &kit.world.snapshot,
	};
	kit.engine.options = &kit.options;
	app_init(&kit.app, &kit.options, &kit.engine);
	kit_rounds()->loop = loop_create(NULL);
	resolver_init(&kit.engine.resolver, &kit.engine);
	kit.app.table = view_table_create(kit.engine.resolver.columns);
	screen_init(&kit.app.screen, 80, 24);
	kit_build();
	return 0;
}

static inline int kit_tear_down(void **state)
{
	loop_destroy(kit_rounds()->loop);
	app_fini(&kit.app);
	model_destroy(kit.engine.model);
	told_fini(&kit.told);
	screen_fini(&kit.app.screen);
	resolver_fini(&kit.engine.resolver);
	layout_fini(&kit.source.layout);
	strbuf_fini(&kit.shown);
	world_fini(&kit.world);
	return 0;
}

/* A command; the rows are made anew where it makes that necessary. */
static inline void run(const char *text)
{
	struct error error = {0};

	if (!command_run(&kit.app, text, &error))
		fail_msg("%s: %s", text, error.text);
	if (kit.app.needs_build && app_snapshot(&kit.app))
		kit_build();
}

#endif
