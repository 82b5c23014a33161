/*
 * To attach to processes changes nothing about what is counted when the whole machine is watched:
 * it chooses rows. Where single tasks are watched it may add one. Of cgroups: attach_cgroup.c.
 */
#include "mode/attach.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel/proc.h"
#include "model/model.h"
#include "model/session.h"
#include "source/target_pids.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/prompts.h"
#include "mode/task_scope.h"
#include "session/options.h"

enum {
	ATTACH_MAX = 1024,
	CANDIDATE_TEXT_MAX = 200
};

/* A thread of a recording, as reported where it is being looked at. NULL: it is not there. */
static const struct snapshot_task *find_recorded_task(const struct app *app, int32_t tid)
{
	const struct snapshot_task *task = snapshot_find_task(app_snapshot(app), tid);

	return task ? task : snapshot_find_task(engine_snapshot(app->engine), tid);
}

/* An id in a recording is no task of this machine. False: "?", it is not known yet. */
static bool find_attached_name(const struct app *app, int32_t pid, char *name, size_t size)
{
	const struct snapshot_task *recorded;
	struct proc_task task;

	snprintf(name, size, "?");
	if (!engine_is_replay(app->engine)) {
		if (!proc_read_task(pid, &task))
			return false;
		text_safe(name, size, task.name, app->screen.is_ascii);
		return true;
	}
	recorded = find_recorded_task(app, pid);
	if (!recorded || recorded->name[0] == '\0')
		return false;
	text_safe(name, size, recorded->name, app->screen.is_ascii);
	return true;
}

static void describe_attached(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	char name[48];

	attached->has_name = find_attached_name(app, attached->pids[0], name, sizeof(name));
	if (attached->count == 1)
		snprintf(attached->name, sizeof(attached->name), "%s %d", name, attached->pids[0]);
	else
		snprintf(attached->name, sizeof(attached->name), "%zu processes, %s %d...",
			 attached->count, name, attached->pids[0]);
}

static void set_attached(struct app *app, const int32_t *pids, size_t count)
{
	struct app_attached *attached = app->parts[PART_attached];

	array_reserve(&attached->pids, &attached->capacity, count, sizeof(*attached->pids));
	memcpy(attached->pids, pids, count * sizeof(*pids));
	attached->count = count;
	strbuf_clear(&attached->cgroups);
	map_fini(&attached->members);
	attached->ended = 0;
	attached->number++;
	describe_attached(app);
	model_hold(engine_model(app->engine), attached->pids, attached->count);
	app->needs_build = true;
}

static bool is_shown_process(const struct snapshot_task *task)
{
	return task->tid == task->pid && !task->is_exited && !task->is_held;
}

static bool is_among(const int32_t *pids, size_t count, int32_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

static bool find_process(const struct app *app, int32_t id, int32_t *pid, struct error *error)
{
	const struct snapshot_task *recorded = NULL;

	if (engine_is_replay(app->engine))
		recorded = find_recorded_task(app, id);
	if (!recorded)
		return engine_find_process(app->engine, id, pid, error);
	*pid = recorded->pid;
	return true;
}

bool attach_to_pids(struct app *app, const int32_t *pids, size_t count, struct error *error)
{
	struct app_attached *attached = app->parts[PART_attached];
	int32_t *processes = xcalloc(count, sizeof(*processes));
	size_t found = 0;
	bool good = true;

	for (size_t i = 0; i < count && good; i++) {
		int32_t pid = 0;

		good = find_process(app, pids[i], &pid, error) &&
		       engine_attach(app->engine, pid, error);
		if (good && !is_among(processes, found, pid))
			processes[found++] = pid;
	}
	good = good && attach_reach_pids(app, processes, found, error);
	if (good) {
		for (size_t i = 0; i < found; i++)
			engine_introduce(app->engine, processes[i]);
		set_attached(app, processes, found);
		app_say(app, false, "attached to %s; %s: all tasks", attached->name,
			keys_name_of(app->parts[PART_keys], "all"));
	}
	free(processes);
	return good;
}

static int compare_pids(const void *a, const void *b)
{
	const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;

	return (one > other) - (one < other);
}

static void attach_as_recorded(struct app *app)
{
	const struct target_pids *wanted = engine_targets(app->engine);
	int32_t *pids = xcalloc(wanted->pids.count, sizeof(*pids));
	size_t count = 0;
	struct error error = {0};

	for (const struct map_slot *each = NULL; (each = map_next(&wanted->pids, each));)
		pids[count++] = (int32_t)each->key;
	qsort(pids, count, sizeof(*pids), compare_pids);
	attach_to_pids(app, pids, count, &error);
	free(pids);
}

void attach_at_start(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	struct error error = {0};

	if (app->options->pid_count > 0)
		attach_to_pids(app, app->options->pids, app->options->pid_count, &error);
	else if (engine_is_replay(app->engine) && hosts_of(app)->count == 0 &&
		 engine_targets(app->engine)->kind == TARGET_PIDS_LIST &&
		 engine_targets(app->engine)->pids.count > 0)
		attach_as_recorded(app);
	attached->number_at_start = attached->number;
}

/* Processes that are called exactly so, where they are being looked at. Returns how many. */
static size_t find_processes_named(const struct app *app, const char *name, int32_t *pids,
				   size_t max)
{
	const struct snapshot *snapshot = app_snapshot(app);
	size_t count = 0;

	if (!engine_is_replay(app->engine))
		return proc_find_by_name(name, pids, max);
	for (size_t i = 0; snapshot && i < snapshot->task_count && count < max; i++)
		if (is_shown_process(&snapshot->tasks[i]) &&
		    strcmp(snapshot->tasks[i].name, name) == 0)
			pids[count++] = snapshot->tasks[i].pid;
	return count;
}

/* A process that the words, a part of its number, name or command line, can mean. */
static bool is_candidate(const struct snapshot_task *task, const char *words)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", task->pid);
	return is_shown_process(task) &&
	       (strncmp(pid, words, strlen(words)) == 0 || text_contains(task->name, words) ||
		(task->command_line && text_contains(task->command_line, words)));
}

/* A part of a name will do where it can mean only one process that is known. */
static bool find_part(struct app *app, const char *word, int32_t *pid, struct error *error)
{
	const struct snapshot *snapshot = app_snapshot(app);
	size_t found = 0;

	for (size_t i = 0; snapshot && word[0] != '\0' && i < snapshot->task_count; i++) {
		if (!is_candidate(&snapshot->tasks[i], word))
			continue;
		*pid = snapshot->tasks[i].pid;
		found++;
	}
	if (found == 0)
		return error_set(error, ERROR_PROCESS_NONE, word, NULL);
	return found == 1 || error_set(error, ERROR_PROCESS_SEVERAL, word, NULL);
}

/* The processes that one word means: *count of them, at most `max`, which is not 0. */
static bool find_meant(struct app *app, const char *word, int32_t *pids, size_t max, size_t *count,
		       struct error *error)
{
	uint64_t pid;

	*count = 1;
	if (units_parse_u64(word, 1, INT_MAX, &pid)) {
		pids[0] = (int32_t)pid;
		return true;
	}
	if (word[strspn(word, "+-0123456789")] == '\0')
		return error_set(error, ERROR_PID_BAD, word[0] != '\0' ? word : "''", NULL);
	*count = find_processes_named(app, word, pids, max);
	if (*count > max)
		*count = max;
	if (*count > 0)
		return true;
	*count = 1;
	return find_part(app, word, pids, error);
}

/* No process is called so, and cgroups or containers are. A container's short id may have digits
 * alone. */
static bool are_only_cgroups(struct app *app, const char *words)
{
	char word[OPTIONS_NAME_BYTES];
	const char *rest = words;
	struct strbuf paths = {0};
	struct error error = {0};
	int32_t pid;
	uint64_t number;
	bool is_found;

	while (word_list_next(&rest, word, sizeof(word)))
		if (units_parse_u64(word, 1, INT_MAX, &number) ||
		    find_processes_named(app, word, &pid, 1) > 0)
			return false;
	is_found = attach_find_cgroups(app, words, &paths, &error) ||
		   error.code == ERROR_CGROUP_SEVERAL;
	strbuf_fini(&paths);
	return is_found;
}

bool attach_to(struct app *app, const char *words, struct error *error)
{
	char word[OPTIONS_NAME_BYTES];
	int32_t pids[ATTACH_MAX] = {0};
	const struct view_row *row = app_row(app);
	size_t count = 0, more;

	if (words[0] == '\0' && compared_refuse_row(app, error))
		return false;
	if (words[0] == '\0' && (!row || row->pid <= 0))
		return error_set(error, ERROR_ROW_PROCESS, NULL, NULL);
	if (words[0] == '\0')
		return attach_to_pids(app, &row->pid, 1, error);
	if (words[0] == '/' || are_only_cgroups(app, words))
		return attach_to_cgroups(app, words, error);
	while (count < ATTACH_MAX && word_list_next(&words, word, sizeof(word))) {
		if (!find_meant(app, word, pids + count, ATTACH_MAX - count, &more, error))
			return false;
		count += more;
	}
	return attach_to_pids(app, pids, count, error);
}

void attach_propose(struct app *app, struct strbuf *text)
{
	struct row_marks *marks = app->parts[PART_row_marks];
	const struct view_row *rows[ATTACH_MAX];
	size_t count;

	if (marks->tags.count == 0 || hosts_of(app)->count > 0) /* they are of several machines */
		return;
	count = tags_rows(app, rows, ATTACH_MAX);
	for (size_t i = 0; i < count && i < ATTACH_MAX; i++)
		strbuf_printf(text, "%s%d", i > 0 ? "," : "", rows[i]->pid);
}

void attach_renew(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];

	attached->ended = 0;
	model_hold(engine_model(app->engine), attached->pids, attached->count);
}

void attach_forget(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	struct task_scope *scope = app->parts[PART_task_scope];

	attached->count = 0;
	strbuf_clear(&attached->cgroups);
	map_fini(&attached->members);
	attached->number++;
	scope->is_on = false;
	model_hold(engine_model(app->engine), NULL, 0);
	app->needs_build = true;
}

void attach_to_all(struct app *app)
{
	const bool counts_cgroups = engine_counted_cgroups(app->engine);
	struct error error = {0};
	const bool is_counted = attach_count_machine(app, &error);

	attach_forget(app);
	if (!is_counted)
		app_refuse(app, &error);
	else
		app_say(app, false,
			counts_cgroups ? "the whole machine is counted, from here on"
				       : "all tasks");
}

void attach_watch(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	const struct snapshot *snapshot;
	size_t ended = 0;

	attach_watch_cgroups(app);
	snapshot = engine_snapshot(app->engine);
	attach_follow_cgroups(app);
	if (attached->count > 0 && !attached->has_name)
		describe_attached(app);
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if ((task->is_exited || task->is_held) && task->tid == task->pid &&
		    is_among(attached->pids, attached->count, task->pid))
			ended++;
	}
	/* not in place of an answer that is still to be read, but after a later interval */
	if (app->message.is_answer && app->message.text[0] != '\0')
		return;
	if (ended > attached->ended && ended == attached->count)
		app_say(app, true, "%s %s ended; the last values stay until %s", attached->name,
			ended == 1 ? "has" : "have", keys_name_of(app->parts[PART_keys], "all"));
	else if (ended > attached->ended)
		app_say(app, true,
			"%zu of %zu attached processes have ended; their last values stay until %s",
			ended, attached->count, keys_name_of(app->parts[PART_keys], "all"));
	attached->ended = ended > attached->ended ? ended : attached->ended;
}

void attach_list_candidates(struct app *app, const char *words)
{
	struct prompts *prompts = app->parts[PART_prompts];
	const struct snapshot *snapshot = app_snapshot(app);
	const char *comma = strrchr(words, ',');

	if (comma)
		words = comma + 1 + strspn(comma + 1, " ");
	complete_clear(&prompts->complete);
	for (size_t i = 0; snapshot && words[0] != '\0' && i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];
		const char *shown = task->command_line;
		struct strbuf line = {0};
		char pid[16];

		if (!is_candidate(task, words))
			continue;
		if (!shown || shown[0] == '\0')
			shown = task->name;
		text_append_safe(&line, shown, strnlen(shown, CANDIDATE_TEXT_MAX),
				 app->screen.is_ascii);
		snprintf(pid, sizeof(pid), "%d", task->pid);
		complete_add(&prompts->complete, pid, strbuf_text(&line));
		strbuf_fini(&line);
	}
	if (words[0] != '\0')
		attach_list_cgroups(app, words);
}

void attach_introduce_all(struct app *app)
{
	if (engine_session(app->engine)->scope == SCOPE_SYSTEM)
		engine_introduce(app->engine, 0);
}

void attach_introduce_idle(struct app *app)
{
	if (!app->request.settings.idle)
		return;
	attach_introduce_all(app);
	if (playback_lacks_idle(app->playback))
		app_say(app, false,
			"idle tasks are not kept: here are those of processes that ran");
}

static void fini_attached(void *state)
{
	struct app_attached *attached = state;

	free(attached->pids);
	strbuf_fini(&attached->cgroups);
	map_fini(&attached->members);
}

const struct app_part part_attached = {.bytes = sizeof(struct app_attached), .fini = fini_attached};
