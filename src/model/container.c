/*
 * Engines name the cgroup of a container after its id of 64 hexadecimal digits, with words of their
 * own around it, or after its name. So each part of the path is compared with a table of what
 * is before and behind the id or the name; an id alone is one, too (docker and Kubernetes
 * without systemd).
 */
#include "model/container.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	ID_LENGTH = 64,
	SHORT_LENGTH = 12,
	FARGATE_LENGTH = 32, /* of a task's id */
	UUID_LENGTH = 36
};

/* How engines name the cgroup of a container. */
struct pattern {
	const char *before, *behind;
	bool is_id; /* what is between them; otherwise a name */
};

/* clang-format off */
static const struct pattern patterns[] = {
	{"",                "",         true},  /* docker, Kubernetes, ECS with cgroupfs */
	{"docker-",         ".scope",   true},
	{"libpod-",         ".scope",   true},  /* podman */
	{"libpod-",         "",         true},
	{"crio-",           ".scope",   true},  /* CRI-O */
	{"cri-containerd-", ".scope",   true},
	{"nerdctl-",        ".scope",   true},
	{"containerd-",     ".scope",   true},
	{"lxc.payload.",    "",         false},
	{"systemd-nspawn@", ".service", false},
	{"machine-",        ".scope",   false}, /* machinectl; virtual machines, too */
};

/* Parts of a path directly before the name of a container; garden's is a UUID. */
static const char *const parents[] = {"lxc", "lxc.payload", "garden"};
/* clang-format on */

struct name_part {
	const char *text;
	size_t length;
};

static bool is_id(const struct name_part *part)
{
	return part->length == ID_LENGTH && strspn(part->text, "0123456789abcdef") >= part->length;
}

/* Of ECS on Fargate: the task's id, a hyphen and a number, all of which is the name. */
static bool is_fargate(const struct name_part *part)
{
	const size_t digits = strspn(part->text, "0123456789abcdef");

	return digits == FARGATE_LENGTH && part->length > digits + 1 && part->text[digits] == '-' &&
	       strspn(part->text + digits + 1, "0123456789") >= part->length - digits - 1;
}

/* Of Nomad: the allocation's UUID, a point and the task's name. */
static bool is_nomad(const struct name_part *part)
{
	return part->length > UUID_LENGTH + 1 && part->text[UUID_LENGTH] == '.' &&
	       part->text[8] == '-' && part->text[23] == '-' &&
	       strspn(part->text, "0123456789abcdef-") == UUID_LENGTH;
}

/* Takes off what is before and behind. False: it is not there. */
static bool strip_affixes(struct name_part *part, const char *before, const char *behind)
{
	const size_t first = strlen(before), last = strlen(behind);

	if (part->length <= first + last || strncmp(part->text, before, first) != 0 ||
	    strncmp(part->text + part->length - last, behind, last) != 0)
		return false;
	part->text += first;
	part->length -= first + last;
	return true;
}

static bool is_one_of(const struct name_part *part, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == part->length &&
		    strncmp(part->text, words[i], part->length) == 0)
			return true;
	return false;
}

/* What the part names, cut to what is shown of it. */
static bool find_container_name(const struct name_part *part, const struct name_part *before,
				struct name_part *name)
{
	/* "kubepods-pod1234.slice:cri-containerd:ID", where systemd was asked for and is not there
	 */
	const char *colon = memrchr(part->text, ':', part->length);

	if (colon) {
		*name = (struct name_part){
			.text = colon + 1,
			.length = (size_t)(part->text + part->length - colon) - 1,
		};
		if (is_id(name)) {
			name->length = SHORT_LENGTH;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		*name = *part;
		if (!strip_affixes(name, patterns[i].before, patterns[i].behind) ||
		    (patterns[i].is_id && !is_id(name)))
			continue;
		if (patterns[i].is_id)
			name->length = SHORT_LENGTH;
		return true;
	}
	*name = *part;
	if (strip_affixes(name, "", ".scope") && is_nomad(name))
		return true;
	*name = *part;
	return is_fargate(part) || is_one_of(before, parents, sizeof(parents) / sizeof(parents[0]));
}

/* The name of the innermost container, and in which part of the path it is. */
static struct name_part find_innermost(const char *cgroup, struct name_part *in)
{
	struct name_part before = {.text = ""}, found = {.text = ""};

	*in = before;
	while (*cgroup != '\0') {
		const struct name_part part = {.text = cgroup, .length = strcspn(cgroup, "/")};
		struct name_part inner;

		if (part.length > 0 && find_container_name(&part, &before, &inner)) {
			found = inner;
			*in = part;
		}
		if (part.length > 0)
			before = part;
		cgroup += part.length;
		cgroup += *cgroup == '/';
	}
	return found;
}

bool container_of(const char *cgroup, char *name, size_t size)
{
	struct name_part in;
	const struct name_part found = find_innermost(cgroup, &in);

	snprintf(name, size, "%.*s", (int)found.length, found.text);
	return found.length > 0;
}

size_t container_path_length(const char *cgroup)
{
	struct name_part in;

	find_innermost(cgroup, &in);
	return in.length > 0 ? (size_t)(in.text - cgroup) + in.length : 0;
}

static bool is_below(const char *path, const char *above, size_t length)
{
	return strncmp(path, above, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool container_path_is_in(const char *path, const char *above)
{
	return is_below(path, above, strlen(above));
}

bool container_path_is_in_any(const char *path, const char *lines)
{
	for (;; lines++) {
		const size_t length = strcspn(lines, "\n");

		if (is_below(path, lines, length))
			return true;
		lines += length;
		if (*lines == '\0')
			return false;
	}
}

bool container_path_is_named(const char *path, const char *word)
{
	static const char *const ends[] = {"", ".service", ".scope", ".slice"};
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const size_t length = strlen(word);
	char name[CONTAINER_NAME_MAX];

	if (strncmp(base, word, length) == 0)
		for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
			if (strcmp(base + length, ends[i]) == 0)
				return true;
	return container_path_length(path) == strlen(path) &&
	       container_of(path, name, sizeof(name)) && strcmp(name, word) == 0;
}

/* "ID:CONTROLLERS:PATH": whether this hierarchy has the CPU limits. */
static bool has_cpu_limits(const char *line, const char *path)
{
	static const char *const words[] = {":cpu:", ":cpu,", ",cpu:", ",cpu,"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *word = strstr(line, words[i]);

		if (word && word < path)
			return true;
	}
	return false;
}

/* Its parts. A container counts for more than any number of them, CPU limits for less than that. */
static size_t fineness(const char *line, const char *path)
{
	char name[CONTAINER_NAME_MAX];
	const size_t more = container_of(path, name, sizeof(name)) ? SIZE_MAX / 2
			    : has_cpu_limits(line, path)           ? SIZE_MAX / 4
								   : 0;
	size_t parts = 0;

	for (; *path != '\0'; path++)
		parts += path[0] == '/' && path[1] != '/' && path[1] != '\0';
	return parts > 0 ? more + parts : 0;
}

const char *container_find_cgroup(char *lines)
{
	const char *finest = NULL;
	size_t most = 0;
	char *line;

	while ((line = strsep(&lines, "\n"))) {
		const char *path = strstr(line, ":/");
		const size_t parts = path ? fineness(line, path + 1) : 0;

		if (!path || (finest && parts <= most))
			continue;
		finest = path + 1;
		most = parts;
	}
	return finest;
}
