/*
 * Cgroups that are attached to choose rows, as processes do: those of tasks that are seen in them,
 * or in one below. In what has only pids (history, samples) their processes are those that were
 * seen in them since.
 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "model/container.h"
#include "model/snapshot.h"

#include "mode/app.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/prompts.h"
#include "session/cgroup_target.h"

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
static void name_cgroups(struct app_attached *attached, bool is_ascii)
{
	struct strbuf words = {0};

	for (const char *at = strbuf_text(&attached->cgroups); *at != '\0'; at++)
		strbuf_add_bytes(&words, *at == '\n' ? ", " : at, *at == '\n' ? 2 : 1);
	text_safe(attached->name, sizeof(attached->name), strbuf_text(&words), is_ascii);
	strbuf_fini(&words);
}

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

bool attach_to_cgroups(struct app *app, const char *words, struct error *error)
{
	struct app_attached *attached = app->parts[PART_attached];
	struct strbuf paths = {0};

	if (!attach_find_cgroups(app, words, &paths, error)) {
		strbuf_fini(&paths);
		return false;
	}
	attach_to_all(app);
	strbuf_fini(&attached->cgroups);
	attached->cgroups = paths;
	name_cgroups(attached, app->screen.is_ascii);
	attach_follow_cgroups(app);
	app_say(app, false, "attached to %s; %s: all tasks", attached->name,
		keys_name_of(app->parts[PART_keys], "all"));
	return true;
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
