#ifndef PERFTOP_TESTS_FAKE_APP_H
#define PERFTOP_TESTS_FAKE_APP_H

/*
 * An app without terminal and kernel: its snapshot is a small world (snapshot_builder.h), its
 * source takes every process below 1000, its /proc knows what the test says. Included once
 * per test, with WRAPS proc_read_task proc_read_command_line proc_find_by_name proc_walk
 * term_repaint.
 */

#include <stdlib.h>

#include "app.h"
#include "base/error.h"
#include "kernel/proc.h"
#include "loop.h"
#include "model/model.h"
#include "options.h"
#include "source/source.h"
#include "ui/term.h"

#include "snapshot_builder.h"

enum {
	KIT_ATTACHED_MAX = 16
};

struct kit {
	struct world world;
	struct source source;
	struct options options;
	struct app app;
	int32_t attached[KIT_ATTACHED_MAX]; /* asked of the source */
	size_t attached_count;
	size_t walks; /* through /proc */
	size_t repaints;
	int32_t named[4]; /* what proc_find_by_name() finds */
	size_t named_count;
};

static struct kit kit;

bool __wrap_proc_read_task(int32_t tid, struct proc_task *task);
bool __wrap_proc_read_command_line(int32_t pid, size_t limit, struct strbuf *text);
size_t __wrap_proc_find_by_name(const char *name, int32_t *pids, size_t max);
bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context);
void __wrap_term_repaint(struct term *term);

/* Everybody is there but those from 900 to 999; 77 is a thread of 7. */
bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	if (tid >= 900 && tid <= 999)
		return false;
	*task = (struct proc_task){.pid = tid == 77 ? 7 : tid, .tid = tid, .uid = 0};
	snprintf(task->name, sizeof(task->name), "n%d", task->pid);
	return true;
}

bool __wrap_proc_read_command_line(int32_t pid, size_t limit, struct strbuf *text)
{
	(void)pid;
	(void)limit;
	(void)text;
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
	(void)pid;
	(void)visit;
	(void)context;
	kit.walks++;
	return true;
}

void __wrap_term_repaint(struct term *term)
{
	(void)term;
	kit.repaints++;
}

static bool take_pid(struct source *source, int32_t pid, struct error *error)
{
	(void)source;
	if (pid >= 1000)
		return error_set(error, ERROR_PROCESS_FOREIGN, "it", "a test");
	kit.attached[kit.attached_count++] = pid;
	return true;
}

static const struct source_ops kit_ops = {.attach = take_pid};

static void kit_build(void)
{
	const struct app_view *view = app_current(&kit.app);
	const struct view_settings settings = {
		.sort = view->sort,
		.sort_reversed = view->sort_reversed,
		.filter = strbuf_text(&kit.app.filter),
		.uid = -1,
		.columns = view->columns,
		.column_count = view->column_count,
	};

	view_table_build(kit.app.table, view->info, &settings, app_snapshot(&kit.app),
			 &kit.source.session, kit.world.metrics);
	list_follow(&app_current(&kit.app)->list, kit.app.table);
	kit.app.needs_build = kit.app.needs_drawing = false;
}

/* Rows by cpu%: 7 "nginx", 70 "nginx-worker", 8 "redis". */
static inline int kit_set_up(void **state)
{
	size_t count;
	const struct view_info *views = view_table_of_views(&count);

	(void)state;
	memset(&kit, 0, sizeof(kit));
	world_init(&kit.world);
	task(&kit.world, .pid = 7, .name = "nginx", .run_ms = 300, .uid = 0,
	     .command_line = "/usr/sbin/nginx -g x");
	task(&kit.world, .pid = 70, .name = "nginx-worker", .run_ms = 200, .uid = 0);
	task(&kit.world, .pid = 8, .name = "redis", .run_ms = 100, .uid = 0);
	kit.source = (struct source){.ops = &kit_ops, .session = kit.world.session};
	kit.options.delay_s = 1;
	kit.app = (struct app){
		.options = &kit.options,
		.child = {.start_fd = -1, .result_fd = -1},
		.engine = {.source = &kit.source,
			   .model = model_create(&kit.world.layout),
			   .metrics = kit.world.metrics,
			   .snapshot = &kit.world.snapshot},
		.loop = loop_create(NULL),
		.table = view_table_create(),
		.uid = -1,
		.delay_s = 1,
	};
	for (size_t i = 0; i < count; i++)
		kit.app.views[kit.app.view_count++].info = &views[i];
	kit_build();
	return 0;
}

static inline int kit_tear_down(void **state)
{
	struct app *app = &kit.app;

	(void)state;
	model_destroy(app->engine.model);
	view_table_destroy(app->table);
	snapshot_destroy(app->frozen);
	loop_destroy(app->loop);
	for (size_t i = 0; i < app->view_count; i++)
		free(app->views[i].columns);
	for (size_t i = 0; i < APP_CANDIDATES_MAX; i++)
		strbuf_fini(&app->candidates[i]);
	free(app->attached.pids);
	strbuf_fini(&app->filter);
	strbuf_fini(&app->search);
	strbuf_fini(&app->text_before);
	strbuf_fini(&app->pager_text);
	prompt_fini(&app->prompt);
	world_fini(&kit.world);
	return 0;
}

#endif
