/*
 * The file is read whole before a line of it is looked at, so that what lines do cannot depend on
 * what becomes of it.
 */
#include "session/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include "session/options.h"

enum {
	/* more than that is no configuration; each line takes the longer, the more there are */
	FILE_MOST = 1 << 16, /* bytes */
	LINES_MOST = 400     /* that are neither empty nor comments */
};

static void add_config_line(struct config *config, size_t number, const char *begin, size_t length)
{
	static const char blanks[] = " \t\r";

	while (length > 0 && strchr(blanks, *begin)) {
		begin++;
		length--;
	}
	while (length > 0 && strchr(blanks, begin[length - 1]))
		length--;
	if (length == 0 || *begin == '#')
		return;
	array_reserve(&config->lines, &config->capacity, config->count + 1, sizeof(*config->lines));
	config->lines[config->count++] = (struct config_line){
		.number = number,
		.text = xstrndup(begin, length),
	};
}

void config_parse(struct config *config, const char *text)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors set */

	if (strncmp(text, mark, strlen(mark)) == 0)
		text += strlen(mark);
	for (size_t number = 1; *text != '\0'; number++) {
		const size_t length = strcspn(text, "\n");

		add_config_line(config, number, text, length);
		text += length + (text[length] == '\n');
	}
}

void config_fini(struct config *config)
{
	for (size_t i = 0; i < config->count; i++)
		free(config->lines[i].text);
	free(config->lines);
	free(config->path);
	*config = (struct config){0};
}

/* Where the file is by default; NULL: nowhere. The caller frees it. */
static char *usual_path(void)
{
	const char *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	struct strbuf path = {0};

	/* a relative one is to be ignored, says the standard */
	if (base && base[0] == '/')
		strbuf_printf(&path, "%s/perftop/perftop.conf", base);
	else if (home && home[0] == '/')
		strbuf_printf(&path, "%s/.config/perftop/perftop.conf", home);
	else
		return NULL;
	return path.text;
}

static bool read_all(FILE *file, struct strbuf *text)
{
	char part[4096];
	size_t count;

	errno = 0;
	while ((count = fread(part, 1, sizeof(part), file)) > 0) {
		if (text->length + count > FILE_MOST) {
			errno = EFBIG;
			return false;
		}
		strbuf_add_bytes(text, part, count);
	}
	return !ferror(file);
}

/* A FIFO without a writer would be waited for at opening: it is empty. What has a writer is read to
 * its end, since it was asked for. */
static FILE *open_config(const char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *file;

	if (fd < 0)
		return NULL;
	fcntl(fd, F_SETFL, 0);
	file = fdopen(fd, "r");
	if (!file)
		close(fd);
	return file;
}

char *config_path(const struct options *options)
{
	return options->config_path ? xstrdup(options->config_path) : usual_path();
}

static bool has_too_many_lines(const char *text)
{
	struct config config = {0};
	bool has;

	config_parse(&config, text);
	has = config.count > LINES_MOST;
	config_fini(&config);
	return has;
}

static bool take_config_text(FILE *file, const char *path, struct strbuf *text, struct error *error)
{
	if (!read_all(file, text))
		return error_set_errno(error, ERROR_FILE_OPEN, path, errno);
	if (strlen(strbuf_text(text)) != text->length)
		return error_set(error, ERROR_CONFIG_STRANGE, path, NULL);
	if (has_too_many_lines(strbuf_text(text)))
		return error_set(error, ERROR_CONFIG_LONG, path, NULL);
	return true;
}

bool config_read_text(const char *path, struct strbuf *text, struct error *error)
{
	FILE *file = open_config(path);
	bool good;

	if (!file)
		return error_set_errno(error, ERROR_FILE_OPEN, path, errno);
	good = take_config_text(file, path, text, error);
	fclose(file);
	return good;
}

/* Whether there is nothing to be read, and it was not said that there is. */
static bool may_lack(const struct options *options, const char *path)
{
	return !options->config_path && access(path, F_OK) != 0 &&
	       (errno == ENOENT || errno == ENOTDIR);
}

/* What was not asked for is not waited for: pipes and devices may say nothing for ever. */
static bool may_be_read(const struct options *options, const char *path, struct error *error)
{
	struct stat file;

	if (options->config_path || stat(path, &file) != 0 || S_ISREG(file.st_mode) ||
	    S_ISDIR(file.st_mode))
		return true;
	return error_set(error, ERROR_CONFIG_NO_FILE, path, NULL);
}

bool config_read(struct config *config, const struct options *options, struct error *error)
{
	struct strbuf text = {0};
	bool good;

	*config = (struct config){0};
	if (options->no_config)
		return true;
	config->path = config_path(options);
	config->is_absent = config->path && may_lack(options, config->path);
	if (!config->path || config->is_absent)
		return true;
	good = may_be_read(options, config->path, error) &&
	       config_read_text(config->path, &text, error);
	if (good)
		config_parse(config, strbuf_text(&text));
	strbuf_fini(&text);
	return good;
}

const char *config_argument(const char *line, const char *name)
{
	const size_t length = strlen(name);

	if (strncmp(line, name, length) != 0 ||
	    (line[length] != '\0' && line[length] != ' ' && line[length] != '\t'))
		return NULL;
	return line + length + strspn(line + length, " \t");
}

/* Makes the error one of this line: FILE:LINE: text. */
static void blame(const struct config *config, const struct config_line *line, struct error *error)
{
	const struct error bare = *error;
	struct strbuf line_name = {0};

	strbuf_printf(&line_name, "%s:%zu", config->path, line->number);
	error_set(error, ERROR_CONFIG_LINE, strbuf_text(&line_name), bare.text);
	error->remedy[0] = '\0';
	strbuf_fini(&line_name);
}

static void apply_lines(const struct config *config, config_line_handler *apply, void *context,
			struct error *remark)
{
	size_t wrong = 0, length;

	for (size_t i = 0; i < config->count; i++) {
		struct error error = {0};

		if (apply(context, config->lines[i].text, &error) || wrong++ > 0)
			continue;
		*remark = error;
		blame(config, &config->lines[i], remark);
	}
	length = strlen(remark->text);
	if (wrong > 1)
		snprintf(remark->text + length, sizeof(remark->text) - length,
			 " (%zu lines are wrong)", wrong);
}

bool config_apply(const struct options *options, config_line_handler *apply, void *context,
		  bool *is_absent, struct error *remark, struct error *error)
{
	struct config config;
	bool good = config_read(&config, options, remark);

	*is_absent = config.is_absent;
	if (good)
		apply_lines(&config, apply, context, remark);
	config_fini(&config);
	if (!good && options->config_path)
		*error = *remark;
	return good || !options->config_path;
}
