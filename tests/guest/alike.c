/*
 * Compares trees of JSON, and tells the place of the first difference as a path: "tasks[3].run_ns".
 */
#include "alike.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	PATH_MAX_LENGTH = 256
};

struct path {
	char text[PATH_MAX_LENGTH];
	bool may_grow; /* objects of the replay may have more members */
};

static bool are_alike(const json_t *live, const json_t *replay, const struct path *path);

static bool tell(const json_t *live, const json_t *replay, const struct path *path)
{
	char *seen = live ? json_dumps(live, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char *told = replay ? json_dumps(replay, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	print_message("%s: live %.300s, replay %.300s\n", path->text, seen ? seen : "nothing",
		      told ? told : "nothing");
	free(seen);
	free(told);
	return false;
}

static bool are_members_alike(const json_t *live, const json_t *replay, const struct path *path)
{
	const char *key;
	json_t *value;
	struct path inner = {.may_grow = path->may_grow};

	json_object_foreach ((json_t *)live, key, value) {
		snprintf(inner.text, sizeof(inner.text), "%.180s.%.60s", path->text, key);
		if (!are_alike(value, json_object_get(replay, key), &inner))
			return false;
	}
	return path->may_grow || json_object_size(live) == json_object_size(replay) ||
	       tell(live, replay, path);
}

static bool are_elements_alike(const json_t *live, const json_t *replay, const struct path *path)
{
	const size_t count = json_array_size(live);
	struct path inner = {.may_grow = path->may_grow};

	for (size_t i = 0; i < count; i++) {
		snprintf(inner.text, sizeof(inner.text), "%.200s[%zu]", path->text, i);
		if (!are_alike(json_array_get(live, i), json_array_get(replay, i), &inner))
			return false;
	}
	return count == json_array_size(replay) || tell(live, replay, path);
}

static bool are_alike(const json_t *live, const json_t *replay, const struct path *path)
{
	if (!replay || json_typeof(live) != json_typeof(replay))
		return tell(live, replay, path);
	if (json_is_object(live))
		return are_members_alike(live, replay, path);
	if (json_is_array(live))
		return are_elements_alike(live, replay, path);
	return json_equal(live, replay) || tell(live, replay, path);
}

/* What another process than the one that was seen live tells otherwise. */
static void leave_out_own(json_t *line)
{
	json_object_del(line, "own");
	json_object_del(line, "verdict");
}

static bool are_lines_alike(const json_t *live, const json_t *replay, bool may_grow)
{
	const size_t count = json_array_size(live);
	struct path path = {.may_grow = may_grow};
	size_t i;
	json_t *line;

	json_array_foreach ((json_t *)live, i, line) {
		json_t *other = json_array_get(replay, i);

		leave_out_own(line);
		if (other)
			leave_out_own(other);
		snprintf(path.text, sizeof(path.text), "line %zu", i + 1);
		if (!are_alike(line, other, &path))
			return false;
	}
	if (json_array_size(replay) == count)
		return true;
	print_message("%zu lines live, %zu in the replay\n", count, json_array_size(replay));
	return false;
}

bool alike_lines(const json_t *live, const json_t *replay)
{
	return are_lines_alike(live, replay, false);
}

bool alike_kept_lines(const json_t *kept, const json_t *replay)
{
	return are_lines_alike(kept, replay, true);
}
