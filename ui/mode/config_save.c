/*
 * The user's part of the file stays as it is. Behind it perftop has a block of its own, under a
 * line that says so: it takes back what the user's part has set, and then says what differs from
 * the defaults, so that nothing has to be merged.
 */
#include "mode/config_save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "model/formula.h"
#include "model/metric_set.h"
#include "model/session.h"
#include "view/column.h"
#include "view/column_sets.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "session/config.h"
#include "session/options.h"
#include "session/replacement.h"

static const char block_title[] =
	"# Saved by perftop: what holds is below. What is above is yours, and is left alone.";

static void write_definition(const struct metric_info *info, struct strbuf *out)
{
	strbuf_printf(out, "define %s = %s", info->name, info->formula);
	if (info->unit[0] != '\0')
		strbuf_printf(out, "; unit %s", info->unit);
	if (info->width > 0)
		strbuf_printf(out, "; width %d", info->width);
	if (info->help[0] != '\0')
		strbuf_printf(out, "; help %s", info->help);
	if (info->direction == METRIC_NEUTRAL)
		return;
	strbuf_printf(out, "; good %s", info->direction == METRIC_HIGH_IS_GOOD ? "high" : "low");
	for (size_t i = 0; info->steps[METRIC_STEPS - 2] > info->steps[0] && i < METRIC_STEPS - 1;
	     i++)
		strbuf_printf(out, " %.9g", info->steps[i]);
}

/* The metrics that the user's part defines, each by its last definition. */
static struct metric_set *read_metrics(const struct config *users)
{
	struct metric_set *set = metric_set_create();

	for (size_t i = 0; i < users->count; i++) {
		const char *line = users->lines[i].text;
		const char *definition = config_argument(line, "metric");
		char message[FORMULA_ERROR_MAX];
		size_t position;

		definition = definition ? definition : config_argument(line, "define");
		if (definition)
			metric_set_add(set, definition, NULL, &position, message);
	}
	return set;
}

/* What is needed to write them. */
struct metric_lines {
	const struct metric_set *set, *defined; /* defined: by the user's part */
	bool *is_written;                       /* of each in the set */
	struct strbuf *out;
};

/* Those that its formula names come first: a definition takes only what is there. */
static void write_metric(const struct metric_lines *lines, size_t index)
{
	const struct metric_info *info = metric_set_info(lines->set, index);
	const struct formula *formula = metric_set_formula(lines->set, index);
	const int same = metric_set_find(lines->defined, info->name);
	struct strbuf line = {0}, users_line = {0};
	const char *name;

	if (!info->is_users || lines->is_written[index])
		return;
	lines->is_written[index] = true;
	for (size_t i = 0; (name = formula_name(formula, i)) != NULL; i++) {
		const struct metric_name meant = metric_set_resolve(lines->set, name);

		if (meant.kind == METRIC_NAME_METRIC)
			write_metric(lines, meant.index);
	}
	write_definition(info, &line);
	if (same >= 0)
		write_definition(metric_set_info(lines->defined, (size_t)same), &users_line);
	if (strcmp(strbuf_text(&line), strbuf_text(&users_line)) != 0)
		strbuf_printf(lines->out, "%s\n", strbuf_text(&line));
	strbuf_fini(&line);
	strbuf_fini(&users_line);
}

static void write_metrics(const struct app *app, const struct config *users, struct strbuf *out)
{
	const struct metric_set *set = engine_metric_set(app->engine);
	struct metric_set *defined = read_metrics(users);
	const struct metric_lines lines = {
		.set = set,
		.defined = defined,
		.is_written = xcalloc(metric_set_count(set), sizeof(bool)),
		.out = out,
	};

	for (size_t i = 0; i < metric_set_count(set); i++)
		write_metric(&lines, i);
	free(lines.is_written);
	metric_set_destroy(defined);
}

static bool are_same_columns(const struct column_list *a, const struct column_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 ||
		memcmp(a->columns, b->columns, a->count * sizeof(*a->columns)) == 0);
}

static void write_column_names(struct strbuf *out, const struct column_list *list,
			       const struct column_list *without)
{
	const char *separator = "";

	for (size_t i = 0; i < list->count; i++) {
		if (without && column_list_has(without, list->columns[i]))
			continue;
		strbuf_printf(out, "%s%s", separator, list->columns[i]->name);
		separator = ",";
	}
}

/* Nothing where the view has these columns by itself; some more, where that is enough. */
static void write_column_lines(const struct app *app, const struct view_state *view,
			       struct strbuf *out)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	const bool has_pmu = engine_session(app->engine)->has_pmu;
	struct column_list wanted = {0}, expected = {0}, extended = {0};

	view_columns_list(app, view, &wanted);
	if (view->set)
		view_set_columns(view->info, view->set, has_pmu, columns, &expected);
	else
		view_default_columns(view->info, has_pmu, engine_metrics(app->engine), columns,
				     &expected);
	if (view_columns_trend(app, view->info))
		column_list_insert(&expected, view_columns_trend(app, view->info));
	column_list_copy(&extended, &expected);
	for (size_t i = 0; view->columns.count == 0 && i < view->extras.count; i++)
		column_list_insert(&extended, view->extras.columns[i]);
	if (view->set && are_same_columns(&wanted, &expected)) {
		strbuf_printf(out, "in %s columns %s\n", view->info->name, view->set->name);
	} else if (!are_same_columns(&wanted, &expected)) {
		const bool is_extended = !view->set && are_same_columns(&wanted, &extended);

		strbuf_printf(out, "in %s column%s ", view->info->name, is_extended ? "" : "s");
		write_column_names(out, &wanted, is_extended ? &expected : NULL);
		strbuf_add_char(out, '\n');
	}
	column_list_fini(&wanted);
	column_list_fini(&expected);
	column_list_fini(&extended);
}

static const char *sign_of(const struct column *column, bool is_reversed)
{
	if (!is_reversed)
		return "";
	return column->descends ? "+" : "-";
}

static void write_sort(const struct app *app, const struct view_state *view, struct strbuf *out)
{
	const struct column *usual =
		columns_find(engine_resolver(app->engine)->columns, view->info->sort);
	const struct column *sort = view->order.sort ? view->order.sort : usual;

	if (!sort || (sort == usual && !view->order.sort_reversed && !view->order.then))
		return;
	strbuf_printf(out, "in %s sort %s%s", view->info->name,
		      sign_of(sort, view->order.sort_reversed), sort->name);
	if (view->order.then)
		strbuf_printf(out, ",%s%s", sign_of(view->order.then, view->order.then_reversed),
			      view->order.then->name);
	strbuf_add_char(out, '\n');
}

/* Where the block begins; the end, where there is none. */
static size_t find_block(const char *text)
{
	for (const char *line = text; *line != '\0';) {
		const size_t length = strcspn(line, "\n");

		if (length == strlen(block_title) && strncmp(line, block_title, length) == 0)
			return (size_t)(line - text);
		line += length + (line[length] == '\n');
	}
	return strlen(text);
}

static void write_block(const struct app *app, const struct config *users, struct strbuf *out)
{
	if (users->count > 0)
		strbuf_add(out, "defaults\n");
	write_metrics(app, users, out);
	for (size_t i = 0; i < app->view_count; i++) {
		write_column_lines(app, &app->views[i], out);
		write_sort(app, &app->views[i], out);
	}
	settings_write(app, out); /* widths are of columns that are known by then */
}

void config_text_renew(const struct app *app, const char *old, struct strbuf *out)
{
	struct strbuf users = {0}, block = {0};
	struct config config = {0};

	strbuf_add_bytes(&users, old, find_block(old));
	config_parse(&config, strbuf_text(&users));
	write_block(app, &config, &block);
	strbuf_add(out, strbuf_text(&users));
	if (block.length > 0 && users.length > 0 && users.text[users.length - 1] != '\n')
		strbuf_add_char(out, '\n');
	if (block.length > 0)
		strbuf_printf(out, "%s\n%s", block_title, strbuf_text(&block));
	config_fini(&config);
	strbuf_fini(&users);
	strbuf_fini(&block);
}

/*
 * The new text is written beside the old one, forced to the disk, and takes its name: whoever reads
 * meanwhile, and whatever ends us, there is a whole file. It keeps mode and owner of the old one.
 */

enum {
	FOLDER_MODE = 0700, /* says the standard of its folders */
	FOLDERS_MOST = 2    /* that are made: .config and perftop; a home is not ours to make */
};

/* The file to be replaced. */
struct config_target {
	char *path; /* owned; what a link leads to */
	bool exists;
	struct stat file; /* where it exists */
};

/* Where the file itself is. A link into somebody else's files is not followed: the link's owner
 * could have us write where they may not. */
static bool find_config_target(struct config_target *target, const char *path, struct error *error)
{
	struct stat *file = &target->file;
	struct stat link;

	if (lstat(path, &link) != 0) {
		target->path = xstrdup(path);
		return errno == ENOENT || errno == ENOTDIR ||
		       error_set_errno(error, ERROR_CONFIG_WRITE, path, errno);
	}
	if (S_ISLNK(link.st_mode) &&
	    (stat(path, file) != 0 || !S_ISREG(file->st_mode) || file->st_uid != link.st_uid))
		return error_set(error, ERROR_CONFIG_LINK, path, NULL);
	if (!S_ISLNK(link.st_mode))
		*file = link;
	if (!S_ISREG(file->st_mode))
		return error_set(error, ERROR_CONFIG_KIND, path, NULL);
	target->exists = true;
	target->path = realpath(path, NULL);
	return target->path || error_set_errno(error, ERROR_CONFIG_WRITE, path, errno);
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

static bool replace_config(const struct config_target *target, const struct strbuf *text,
			   struct error *error)
{
	struct replacement replacement = {.like = target->exists ? &target->file : NULL};
	const bool good = (target->exists || make_folders(target->path, error)) &&
			  replacement_init(&replacement, target->path, error) &&
			  replacement_write(&replacement, strbuf_text(text), text->length, error);

	replacement_fini(&replacement);
	return good;
}

static void say_unchanged(struct app *app, const struct config_target *target, const char *path)
{
	if (target->exists)
		app_say(app, false, "no changes to save in %s", path);
	else
		app_say(app, false, "nothing differs from the defaults; %s not written", path);
}

static bool save_config(struct app *app, const char *path, struct error *error)
{
	struct strbuf old = {0}, text = {0};
	struct config_target target = {0};
	bool good = find_config_target(&target, path, error) &&
		    (!target.exists || config_read_text(target.path, &old, error));

	if (good) {
		config_text_renew(app, strbuf_text(&old), &text);
		if (strcmp(strbuf_text(&old), strbuf_text(&text)) == 0) {
			say_unchanged(app, &target, path);
		} else {
			good = replace_config(&target, &text, error);
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

/*
 * Writes the settings of this run into the configuration file: whole or not at all. A link is
 * followed to a file of the same owner. False: error says why the file is as it was.
 */
bool config_save(struct app *app, const char *argument, struct error *error)
{
	char *usual, *path;
	bool good;

	if (app->options->no_config)
		return error_set(error, ERROR_CONFIG_NONE, NULL, NULL);
	usual = config_path(app->options);
	if (!usual)
		return error_set(error, ERROR_CONFIG_NOWHERE, NULL, NULL);
	path = absolute(usual);
	good = save_config(app, path, error);
	free(path);
	free(usual);
	return good;
}
