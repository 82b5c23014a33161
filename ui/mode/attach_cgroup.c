/*
 * Cgroups that are attached to are counted alone, where the whole machine was, as -G does. Where
 * that cannot be they choose rows, as processes do: those of tasks that are seen in them, or in one
 * below. In what has only pids (history, samples) their processes are those that were seen in them
 * since.
 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "model/container.h"
#include "model/snapshot.h"
#include "source/source.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/prompts.h"
#include "session/cgroup_target.h"
#include "session/loop.h"
#include "session/options.h"

enum {
	CONTAINER_WORDS_MAX = CONTAINER_NAME_MAX + 16
};

/* Replaces *part by the shortest beginning of the path that the word means. False: there is none.
 */
static bool find_part_meant(const char *path, const char *word, struct strbuf *part)
{
	for (size_t end = 1; path[0] == '/' && path[end - 1] != '\0'; end++) {
		if (path[end] != '/' && path[end] != '\0')
			continue;
		strbuf_clear(part);
		strbuf_add_bytes(part, path, end);
		if (strcmp(strbuf_text(part), word) == 0 ||
		    container_path_is_named(strbuf_text(part), word))
			return true;
	}
	return false;
}

/* The cgroups of tasks that the word means: *path is the first one. Returns how many, at most 2. */
static size_t find_shown(const struct app *app, const char *word, struct strbuf *path)
{
	const struct snapshot *snapshot = app_snapshot(app);
	struct strbuf part = {0};
	size_t count = 0;

	for (size_t i = 0; snapshot && i < snapshot->task_count && count < 2; i++) {
		const char *cgroup = snapshot->tasks[i].cgroup;

		if (!cgroup || !find_part_meant(cgroup, word, &part) ||
		    (count > 0 && container_path_is_in(strbuf_text(&part), strbuf_text(path))))
			continue;
		if (count++ == 0)
			strbuf_add(path, strbuf_text(&part));
	}
	strbuf_fini(&part);
	return count;
}

/* One that is not among them may be there all the same. */
static bool find_cgroup(const struct app *app, const char *word, struct strbuf *path,
			struct error *error)
{
	const bool is_root = word[strspn(word, "/")] == '\0';
	const size_t count = is_root ? 0 : find_shown(app, word, path);

	if (is_root)
		return error_set(error, ERROR_CGROUP_ROOT, word[0] != '\0' ? word : "''", NULL);
	if (count == 1)
		return true;
	if (count > 1)
		return error_set(error, ERROR_CGROUP_SEVERAL, word, strbuf_text(path));
	if (!engine_is_replay(app->engine))
		return cgroup_target_find(path, word, "", error);
	return error_set(error, ERROR_CGROUP_NONE, word, NULL);
}

bool attach_find_cgroups(const struct app *app, const char *words, struct strbuf *paths,
			 struct error *error)
{
	const char *comma;
	bool is_found = true;

	for (const char *next = words; next && is_found; next = comma ? comma + 1 : NULL) {
		struct strbuf word = {0}, path = {0};

		comma = strchr(next, ',');
		strbuf_add_bytes(&word, next, comma ? (size_t)(comma - next) : strlen(next));
		is_found = find_cgroup(app, strbuf_text(&word), &path, error);
		strbuf_printf(paths, "%s%s", paths->length > 0 ? "\n" : "", strbuf_text(&path));
		strbuf_fini(&word);
		strbuf_fini(&path);
	}
	return is_found;
}

/* "/web, /db" */
static void name_cgroups(const char *paths, bool is_ascii, char name[static ATTACHED_NAME_MAX])
{
	struct strbuf words = {0};

	for (const char *at = paths; *at != '\0'; at++)
		strbuf_add_bytes(&words, *at == '\n' ? ", " : at, *at == '\n' ? 2 : 1);
	text_safe(name, ATTACHED_NAME_MAX, strbuf_text(&words), is_ascii);
	strbuf_fini(&words);
}

/* --- what is counted */

bool attach_can_end(const struct app *app)
{
	return attach_is_on(app->parts[PART_attached]) || engine_counted_cgroups(app->engine);
}

/* paths: as engine_count_cgroups() takes them. */
static bool count_cgroups(struct app *app, const char *paths, struct error *error)
{
	const struct rounds *rounds = app->parts[PART_rounds];
	struct error unwatched = {0};
	bool are_counted;

	if (playback_is_frozen(app->playback))
		return error_set(error, ERROR_CGROUP_FROZEN, NULL, NULL);
	loop_remove(rounds->loop, engine_source(app->engine)->poll_fd);
	are_counted = engine_count_cgroups(app->engine, paths, error);
	if (!loop_add(rounds->loop, engine_source(app->engine)->poll_fd, app_drain, app,
		      &unwatched))
		app_refuse(app, &unwatched); /* records are taken at keys and refreshes alone */
	if (are_counted)
		playback_renew(app->playback);
	return are_counted;
}

bool attach_count_machine(struct app *app, struct error *error)
{
	return !engine_counted_cgroups(app->engine) || count_cgroups(app, NULL, error);
}

/* By the hierarchy of version 2, whichever one its row has. */
static bool is_counted(int32_t pid, const char *paths)
{
	struct strbuf lines = {0};
	const char *path = cgroup_target_of(pid, &lines);
	const bool is_in = path && container_path_is_in_any(path, paths);

	strbuf_fini(&lines);
	return is_in;
}

bool attach_reach_pids(struct app *app, const int32_t *pids, size_t count, struct error *error)
{
	const char *counted = engine_counted_cgroups(app->engine);
	bool are_in = true;

	for (size_t i = 0; i < count && counted && are_in; i++)
		are_in = is_counted(pids[i], counted);
	return are_in || attach_count_machine(app, error);
}

/* A removed cgroup does not come back under its name. */
void attach_watch_cgroups(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	const char *counted = engine_counted_cgroups(app->engine);
	struct error gone = {0}, error = {0};
	char name[ATTACHED_NAME_MAX];

	if ((!counted && !app->options->cgroup) || !engine_is_finished(app->engine))
		return;
	name_cgroups(counted ? counted : app->options->cgroup, app->screen.is_ascii, name);
	error_set(&gone, ERROR_CGROUP_GONE, name, NULL);
	if (counted && attach_count_machine(app, &error)) {
		attach_forget(app);
		app_say(app, true, "%s; the whole machine is counted again", gone.text);
	} else if (!attached->cgroup_is_gone) {
		attached->cgroup_is_gone = true;
		app_say(app, true, "%s%s%s", gone.text, counted ? "; " : "", error.text);
	}
}

/* Whether these and no others are, and are still there. */
static bool are_counted_now(const struct app *app, const char *paths)
{
	const char *counted = engine_counted_cgroups(app->engine);

	return counted && strcmp(counted, paths) == 0 && !engine_is_finished(app->engine);
}

static bool attach_by_counting(struct app *app, const char *paths, struct error *error)
{
	char name[ATTACHED_NAME_MAX];

	if (!are_counted_now(app, paths) && !count_cgroups(app, paths, error))
		return false;
	attach_forget(app);
	name_cgroups(paths, app->screen.is_ascii, name);
	app_say(app, false, "%s counted alone, from here on; %s: the whole machine", name,
		keys_name_of(app->parts[PART_keys], "all"));
	return true;
}

/* --- which rows are shown */

void attach_follow_cgroups(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	const char *cgroups = strbuf_text(&attached->cgroups);

	for (size_t i = 0; cgroups[0] != '\0' && snapshot && i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (task->cgroup && container_path_is_in_any(task->cgroup, cgroups))
			map_put(&attached->members, (uint64_t)task->pid, attached);
		else if (task->cgroup)
			map_remove(&attached->members, (uint64_t)task->pid);
	}
}

/* refusal: why they are not counted alone, if they could have been. */
static void attach_by_rows(struct app *app, const char *paths, const struct error *refusal)
{
	struct app_attached *attached = app->parts[PART_attached];

	attach_forget(app);
	strbuf_add(&attached->cgroups, paths);
	name_cgroups(paths, app->screen.is_ascii, attached->name);
	attach_follow_cgroups(app);
	app_say(app, false, "attached to %s%s%s; %s: all tasks", attached->name,
		refusal->code != ERROR_NONE ? ", to its rows only: " : "", refusal->text,
		keys_name_of(app->parts[PART_keys], "all"));
}

bool attach_to_cgroups(struct app *app, const char *words, struct error *error)
{
	struct strbuf paths = {0};
	struct error refusal = {0};
	bool is_done = attach_find_cgroups(app, words, &paths, error);

	if (is_done && (!engine_may_count_cgroups(app->engine) ||
			!attach_by_counting(app, strbuf_text(&paths), &refusal))) {
		/* rows of others there are none */
		is_done = !engine_counted_cgroups(app->engine);
		if (is_done)
			attach_by_rows(app, strbuf_text(&paths), &refusal);
		else
			*error = refusal;
	}
	strbuf_fini(&paths);
	return is_done;
}

void attach_list_cgroups(struct app *app, const char *words)
{
	struct prompts *prompts = app->parts[PART_prompts];
	const struct snapshot *snapshot = app_snapshot(app);
	struct map listed = {0};

	for (size_t i = 0; snapshot && i < snapshot->task_count; i++) {
		const char *cgroup = snapshot->tasks[i].cgroup;
		char name[CONTAINER_NAME_MAX], shown[CONTAINER_WORDS_MAX] = "cgroup";

		if (!cgroup || strcmp(cgroup, "/") == 0 || !text_contains(cgroup, words) ||
		    map_put(&listed, hash_text(0, cgroup), prompts))
			continue;
		if (container_of(cgroup, name, sizeof(name)))
			snprintf(shown, sizeof(shown), "container %s", name);
		complete_add(&prompts->complete, cgroup, shown);
	}
	map_fini(&listed);
}
