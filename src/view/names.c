/* Caches of names. Failures are cached, too: an unknown user is looked up once. */

#include "view/names.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/container.h"

enum {
	USER_NAME_MAX = 256
};

struct users {
	struct map names; /* uid to char *, owned */
	users_asker *ask; /* NULL: the machine's own are meant */
	void *context;
};

struct users *users_create(void)
{
	return xcalloc(1, sizeof(struct users));
}

void users_destroy(struct users *users)
{
	if (!users)
		return;
	map_fini_with(&users->names, free);
	free(users);
}

void users_ask(struct users *users, users_asker *ask, void *context)
{
	users->ask = ask;
	users->context = context;
}

static bool find_user_name(const struct users *users, int64_t uid, char *text, size_t size)
{
	const struct passwd *entry = users->ask ? NULL : getpwuid((uid_t)uid);
	const char *name = users->ask ? users->ask(users->context, uid) : NULL;

	if (entry)
		name = entry->pw_name;
	if (name)
		text_safe(text, size, name, false);
	return name && name[0] != '\0';
}

const char *users_name(struct users *users, int64_t uid)
{
	char text[USER_NAME_MAX];
	char *name;

	if (uid < 0)
		return "";
	name = map_get(&users->names, (uint64_t)uid);
	if (name)
		return name;
	if (!find_user_name(users, uid, text, sizeof(text)))
		snprintf(text, sizeof(text), "%" PRId64, uid);
	name = xstrdup(text);
	map_put(&users->names, (uint64_t)uid, name);
	return name;
}

int64_t users_find(const char *name)
{
	/* A login name may look like a number; names take precedence, as in other tools. */
	const struct passwd *entry = name[0] != '\0' ? getpwnam(name) : NULL;
	uint64_t number;

	if (entry)
		return entry->pw_uid;
	/* The highest number is the system's own "no user". */
	if (units_parse_u64(name, 0, UINT32_MAX - 1, &number))
		return (int64_t)number;
	return -1;
}

enum {
	CONTAINERS_MAX = 8192
};

struct containers {
	struct map names; /* hash of the path to char *, owned */
};

struct containers *containers_create(void)
{
	return xcalloc(1, sizeof(struct containers));
}

void containers_destroy(struct containers *containers)
{
	if (!containers)
		return;
	map_fini_with(&containers->names, free);
	free(containers);
}

void containers_tidy(struct containers *containers)
{
	if (containers->names.count > CONTAINERS_MAX)
		map_fini_with(&containers->names, free);
}

const char *containers_name(struct containers *containers, const char *cgroup)
{
	char text[CONTAINER_NAME_MAX];
	uint64_t hash;
	char *name;

	if (!containers || !cgroup)
		return "";
	hash = hash_text(1, cgroup);
	name = map_get(&containers->names, hash);
	if (name)
		return name;
	container_of(cgroup, text, sizeof(text));
	name = xstrdup(text);
	map_put(&containers->names, hash, name);
	return name;
}

/* NULL names: numbers are all that is known of them. */
struct function_name function_names_find(const struct function_names *names, uint32_t number,
					 uint64_t time_ns)
{
	if (number == 0)
		return (struct function_name){
			.function = "[unknown]",
			.object = "",
			.reason = "no stack",
		};
	if (!names)
		return (struct function_name){
			.same_as = number, .whole = number, .function = "", .object = ""};
	return names->find(names->context, number, time_ns);
}

uint32_t function_names_line(const struct function_names *names, uint32_t number, uint64_t at,
			     uint64_t time_ns)
{
	return names && names->line && number != 0
		       ? names->line(names->context, number, at, time_ns)
		       : number;
}

size_t function_names_frames(const struct function_names *names, uint32_t number, uint64_t at,
			     uint64_t time_ns, uint32_t frames[static FUNCTION_FRAMES_MAX])
{
	uint32_t line = function_names_line(names, number, at, time_ns);
	struct function_name name;
	size_t count = 0;

	do {
		name = function_names_find(names, line, time_ns);
		if (name.inlined != 0)
			frames[count++] = name.inlined;
		line = name.inlined_in;
	} while (line != 0 && count + 1 < FUNCTION_FRAMES_MAX);
	frames[count++] = name.whole;
	return count;
}

struct function_object function_names_object(const struct function_names *names, uint32_t number,
					     uint64_t time_ns)
{
	if (!names || !names->object)
		return (struct function_object){.path = "", .build_id = ""};
	return names->object(names->context, number, time_ns);
}

struct variable_name function_names_variable(const struct function_names *names, int32_t pid,
					     uint64_t address)
{
	if (!names || !names->variable)
		return (struct variable_name){.name = "", .object = ""};
	return names->variable(names->context, pid, address);
}

const struct listing *function_names_list(const struct function_names *names, uint32_t number,
					  uint64_t time_ns)
{
	static const struct listing unknown = {.why = "nothing is known of it but its samples"};

	return names && names->list ? names->list(names->context, number, time_ns) : &unknown;
}
