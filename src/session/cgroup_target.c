#include "session/cgroup_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/file.h"
#include "kernel/group.h"
#include "kernel/proc.h"
#include "kernel/stall.h"
#include "model/container.h"

enum {
	CONTROLLERS_BYTES = 4096,
	DEPTH_MAX = 32, /* of cgroups in cgroups */
	DESCRIPTOR_MIN = 3
};

/* A search for cgroups of one name. */
struct cgroup_search {
	const char *word;
	const char *mount;    /* with the root */
	struct strbuf path;   /* where it is now; "" at the top */
	struct strbuf found;  /* the first one */
	char other[PATH_MAX]; /* another one that is not in it; "" */
};

static void cut(struct strbuf *path, size_t length)
{
	path->length = length;
	if (path->text)
		path->text[length] = '\0';
}

static void note_found(struct cgroup_search *search)
{
	const char *path = strbuf_text(&search->path);

	if (search->found.length == 0)
		strbuf_add(&search->found, path);
	else if (!container_path_is_in(path, strbuf_text(&search->found)))
		snprintf(search->other, sizeof(search->other), "%s", path);
}

static void search_below(struct cgroup_search *search, int depth)
{
	const size_t length = search->path.length;
	const struct dirent *entry;
	char full[PATH_MAX];
	DIR *directory;

	if (snprintf(full, sizeof(full), "%s%s", search->mount, strbuf_text(&search->path)) >=
	    (int)sizeof(full))
		return;
	directory = opendir(full);
	while (directory && search->other[0] == '\0' && (entry = readdir(directory))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		strbuf_printf(&search->path, "/%s", entry->d_name);
		if (container_path_is_named(strbuf_text(&search->path), search->word))
			note_found(search);
		if (depth < DEPTH_MAX)
			search_below(search, depth + 1);
		cut(&search->path, length);
	}
	if (directory)
		closedir(directory);
}

static bool refuse_cgroup(const char *word, struct error *error)
{
	return error_set(error, ERROR_CGROUP_NONE, word, NULL);
}

static bool find_named(struct strbuf *path, const char *word, const char *mount,
		       struct error *error)
{
	struct cgroup_search search = {.word = word, .mount = mount};
	bool is_found;

	search_below(&search, 0);
	if (search.found.length == 0)
		is_found = refuse_cgroup(word, error);
	else if (search.other[0] != '\0')
		is_found = error_set(error, ERROR_CGROUP_SEVERAL, word, search.other);
	else
		is_found = true;
	if (is_found)
		strbuf_add(path, strbuf_text(&search.found));
	strbuf_fini(&search.path);
	strbuf_fini(&search.found);
	return is_found;
}

/* Events of perf are bound to the hierarchy that their controller is in: it is 0 in version 2. */
static bool is_version_1(const char *root)
{
	char text[CONTROLLERS_BYTES];
	const char *line;

	if (file_readf(text, sizeof(text), "%s/proc/cgroups", root) <= 0)
		return false;
	line = strstr(text, "\nperf_event\t");
	return line && line[strlen("\nperf_event\t")] != '0';
}

/* What follows the mount, or the text itself; a path without a slash at its beginning is below the
 * mount as well. */
static void take_path(struct strbuf *path, const char *word, const char *mount)
{
	const size_t length = strlen(mount);

	if (strncmp(word, mount, length) == 0 && (word[length] == '/' || word[length] == '\0'))
		word += length;
	strbuf_printf(path, "%s%s", word[0] == '/' || word[0] == '\0' ? "" : "/", word);
	while (path->length > 0 && path->text[path->length - 1] == '/')
		cut(path, path->length - 1);
}

static bool is_cgroup(const char *root, const char *mount, const char *path)
{
	char full[PATH_MAX];

	return !strstr(path, "/..") &&
	       snprintf(full, sizeof(full), "%s%s%s/cgroup.procs", root, mount, path) <
		       (int)sizeof(full) &&
	       access(full, F_OK) == 0;
}

bool cgroup_target_find(struct strbuf *path, const char *word, const char *root,
			struct error *error)
{
	const size_t before = path->length;
	struct cgroup_mounts mounts;
	char mount[PATH_MAX];

	cgroup_find_mounts(&mounts, root);
	if (*mounts.unified == '\0')
		return error_set(error, ERROR_CGROUP_UNMOUNTED, word, NULL);
	if (is_version_1(root))
		return error_set(error, ERROR_CGROUP_VERSION1, word, NULL);
	take_path(path, word, mounts.unified);
	if (path->length == before)
		return error_set(error, ERROR_CGROUP_ROOT, word, NULL);
	if (is_cgroup(root, mounts.unified, strbuf_text(path) + before))
		return true;
	cut(path, before);
	if (strchr(word, '/'))
		return refuse_cgroup(word, error);
	snprintf(mount, sizeof(mount), "%s%s", root, mounts.unified);
	return find_named(path, word, mount, error);
}

/* None of them is in another one: its tasks would be counted twice. */
static bool is_apart(const struct cgroup_targets *targets, struct error *error)
{
	const char *added = strbuf_text(&targets->paths[targets->count - 1]);

	for (size_t i = 0; i + 1 < targets->count; i++) {
		const char *other = strbuf_text(&targets->paths[i]);

		if (container_path_is_in(added, other))
			return error_set(error, ERROR_CGROUP_NESTED, other, added);
		if (container_path_is_in(other, added))
			return error_set(error, ERROR_CGROUP_NESTED, added, other);
	}
	return true;
}

bool cgroup_targets_find(struct cgroup_targets *targets, const char *words, char between,
			 const char *root, struct error *error)
{
	const char *end;
	bool is_found = true;

	for (const char *word = words; word && is_found; word = end ? end + 1 : NULL) {
		struct strbuf one = {0};

		if (targets->count == CGROUP_TARGETS_MAX)
			return error_set(error, ERROR_CGROUP_MANY, words, NULL);
		end = strchr(word, between);
		word += strspn(word, " ");
		if (word[0] == '\0' || end == word)
			return error_set(error, ERROR_CGROUP_EMPTY, words, NULL);
		strbuf_add_bytes(&one, word, end ? (size_t)(end - word) : strlen(word));
		is_found = cgroup_target_find(&targets->paths[targets->count++], strbuf_text(&one),
					      root, error) &&
			   is_apart(targets, error);
		strbuf_fini(&one);
	}
	return is_found;
}

void cgroup_targets_fini(struct cgroup_targets *targets)
{
	while (targets->count > 0)
		strbuf_fini(&targets->paths[--targets->count]);
}

const char *cgroup_target_of(int32_t pid, struct strbuf *lines)
{
	char *line = proc_read_cgroups(pid, lines) ? strstr(lines->text, "0::/") : NULL;

	if (!line || (line != lines->text && line[-1] != '\n'))
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return line + strlen("0::");
}

/* A descriptor above 0, as of perf_event_open(2). -1: error says why. */
static int open_cgroup_target(const char *path, struct error *error)
{
	struct cgroup_mounts mounts;
	char full[PATH_MAX];
	int fd, above;

	cgroup_find_mounts(&mounts, "");
	snprintf(full, sizeof(full), "%s%s", mounts.unified, path);
	fd = open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		error_set_errno(error, ERROR_FILE_OPEN, full, errno);
		return -1;
	}
	above = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);
	close(fd);
	if (above < 0)
		error_set_errno(error, ERROR_FILE_OPEN, full, errno);
	return above;
}

bool counted_cgroups_open(struct counted_cgroups *counted, const char *cgroups,
			  struct strbuf *words, struct error *error)
{
	struct cgroup_targets targets = {0};
	bool is_open =
		cgroup_targets_find(&targets, cgroups, counted->paths ? '\n' : ',', "", error);

	for (size_t i = 0; i < targets.count && is_open; i++) {
		const char *path = strbuf_text(&targets.paths[i]);
		const int fd = open_cgroup_target(path, error);

		strbuf_printf(words, "%s%s", i > 0 ? ", " : "cgroup ", path);
		is_open = fd > 0;
		if (is_open)
			counted->fds[counted->count++] = fd;
	}
	cgroup_targets_fini(&targets);
	return is_open;
}

void counted_cgroups_fini(struct counted_cgroups *counted)
{
	while (counted->count > 0)
		close(counted->fds[--counted->count]);
	free(counted->paths);
	counted->paths = NULL;
}

void counted_cgroups_look(struct counted_cgroups *counted, char *words, size_t size)
{
	const struct group_cgroups cgroups = {counted->fds, counted->count};
	const size_t gone = group_cgroups_gone(&cgroups);

	if (counted->count < 2 || gone == counted->gone)
		return;
	if (counted->gone == 0)
		counted->words_length = strlen(words);
	counted->gone = gone;
	snprintf(words + counted->words_length, size - counted->words_length, " (%zu removed)",
		 gone);
}
