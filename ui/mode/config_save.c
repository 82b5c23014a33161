/*
 * The new text is written beside the old one, forced to the disk, and takes its name: whoever reads
 * meanwhile, and whatever ends us, there is a whole file. It keeps mode and owner of the old one.
 */
#include "mode/config_save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "base/strbuf.h"

#include "mode/app.h"
#include "mode/config_text.h"
#include "session/config.h"
#include "session/options.h"

enum {
	FILE_MODE = 0644,
	FOLDER_MODE = 0700, /* says the standard of its folders */
	FOLDERS_MOST = 2    /* that are made: .config and perftop; a home is not ours to make */
};

/* The file to be replaced. */
struct config_target {
	char *path; /* owned; what a link leads to */
	mode_t mode;
	uid_t uid;
	gid_t gid;
	bool exists;
};

/* Where the file itself is. A link into somebody else's files is not followed: the link's owner
 * could have us write where they may not. */
static bool find_target(struct config_target *target, const char *path, struct error *error)
{
	struct stat link, file;

	*target = (struct config_target){.mode = FILE_MODE};
	if (lstat(path, &link) != 0) {
		target->path = xstrdup(path);
		return errno == ENOENT || errno == ENOTDIR ||
		       error_set_errno(error, ERROR_CONFIG_WRITE, path, errno);
	}
	if (S_ISLNK(link.st_mode) &&
	    (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_uid != link.st_uid))
		return error_set(error, ERROR_CONFIG_LINK, path, NULL);
	if (!S_ISLNK(link.st_mode))
		file = link;
	if (!S_ISREG(file.st_mode))
		return error_set(error, ERROR_CONFIG_KIND, path, NULL);
	target->path = realpath(path, NULL);
	if (!target->path)
		return error_set_errno(error, ERROR_CONFIG_WRITE, path, errno);
	target->mode = file.st_mode & 07777;
	target->uid = file.st_uid;
	target->gid = file.st_gid;
	target->exists = true;
	return true;
}

/* Whether what the folders are to be made in is there. */
static bool has_ground(const char *path, struct error *error)
{
	char *folder = xstrdup(path);
	int names = 0; /* taken off: that of the file, those of folders */
	bool good;

	for (; names <= FOLDERS_MOST && strchr(folder + 1, '/'); names++)
		*strrchr(folder, '/') = '\0';
	good = names <= FOLDERS_MOST || access(folder, F_OK) == 0 ||
	       error_set_errno(error, ERROR_CONFIG_WRITE, folder, errno);
	free(folder);
	return good;
}

/* The folders that lead to the file. */
static bool make_folders(const char *path, struct error *error)
{
	char *folder = xstrdup(path);
	bool good = has_ground(path, error);

	for (char *slash = strchr(folder + 1, '/'); slash && good; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, FOLDER_MODE) != 0 && errno != EEXIST) {
			const int reason = errno;

			good = access(folder, F_OK) == 0 ||
			       error_set_errno(error, ERROR_CONFIG_WRITE, folder, reason);
		}
		*slash = '/';
	}
	free(folder);
	return good;
}

static bool write_all(int fd, const struct strbuf *text)
{
	const char *bytes = strbuf_text(text);
	size_t left = text->length;

	while (left > 0) {
		const ssize_t count = write(fd, bytes, left);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		bytes += count;
		left -= (size_t)count;
	}
	return true;
}

/* What it was like; an owner that we cannot give it is not worth a refusal. */
static bool dress(int fd, const struct config_target *target)
{
	if (target->exists && geteuid() != target->uid &&
	    fchown(fd, target->uid, target->gid) != 0 && geteuid() == 0)
		return false;
	return fchmod(fd, target->mode) == 0;
}

/* That the new name is on the disk, too; the file is whole in any case. */
static void sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

static bool replace(const struct config_target *target, const struct strbuf *text,
		    struct error *error)
{
	struct strbuf name = {0};
	bool good;
	int fd, reason;

	strbuf_printf(&name, "%s.XXXXXX", target->path);
	fd = mkostemp(name.text, O_CLOEXEC);
	good = fd >= 0 && write_all(fd, text) && dress(fd, target) && fsync(fd) == 0;
	reason = errno;
	if (fd >= 0 && close(fd) != 0 && good) {
		good = false;
		reason = errno;
	}
	if (good && rename(name.text, target->path) != 0) {
		good = false;
		reason = errno;
	}
	if (good)
		sync_folder(target->path);
	else if (fd >= 0)
		unlink(name.text);
	strbuf_fini(&name);
	return good || error_set_errno(error, ERROR_CONFIG_WRITE, target->path, reason);
}

static void say_unchanged(struct app *app, const struct config_target *target, const char *path)
{
	if (target->exists)
		app_say(app, false, "no changes to save in %s", path);
	else
		app_say(app, false, "nothing differs from the defaults; %s not written", path);
}

static bool save(struct app *app, const char *path, struct error *error)
{
	struct strbuf old = {0}, text = {0};
	struct config_target target = {0};
	bool good = find_target(&target, path, error) && target.path &&
		    (!target.exists || config_read_text(target.path, &old, error));

	if (good) {
		config_text_renew(app, strbuf_text(&old), &text);
		if (strcmp(strbuf_text(&old), strbuf_text(&text)) == 0) {
			say_unchanged(app, &target, path);
		} else {
			good = (target.exists || make_folders(target.path, error)) &&
			       replace(&target, &text, error);
			if (good)
				app_say(app, false, "saved to %s", path);
		}
	}
	free(target.path);
	strbuf_fini(&old);
	strbuf_fini(&text);
	return good;
}

/* A name without folders is in the present one. */
static char *absolute(const char *path)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "%s%s", strchr(path, '/') ? "" : "./", path);
	return text.text;
}

bool config_save(struct app *app, struct error *error)
{
	char *usual, *path;
	bool good;

	if (app->options->no_config)
		return error_set(error, ERROR_CONFIG_NONE, NULL, NULL);
	usual = config_path(app->options);
	if (!usual)
		return error_set(error, ERROR_CONFIG_NOWHERE, NULL, NULL);
	path = absolute(usual);
	good = save(app, path, error);
	free(path);
	free(usual);
	return good;
}
