/*
 * First the lines of the old text are looked at: what each is about, and which columns those that
 * add some will add to all views. From that follows what the views must say of their own columns;
 * such lines must come after the ones that add. Then the text is written: a line of a setting that
 * is to be written again is taken by it, the rest follows at the end.
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

/* What becomes of a line of the old text. */
struct fate {
	enum settings_kind kind;
	char key[SETTINGS_KEY_MAX];
	char *text; /* owned; what is there now; NULL: what was there */
	bool is_gone;
};

/* A setting to be written. */
struct present {
	char key[SETTINGS_KEY_MAX];
	char *text; /* owned */
	bool is_written;
};

struct renewal {
	const struct app *app;
	struct config config;     /* the lines of the old text that are not blank */
	struct fate *fates;       /* owned; one for each of them */
	struct present *settings; /* owned */
	size_t count, capacity;
	struct column_list added; /* to all views, by what the new text says */
	struct strbuf defined;    /* names of metrics that the old text defines, each between \n */
	struct strbuf news;       /* definitions that it has not */
	size_t last_adding;       /* line behind the last one that adds or defines */
};

static void add_settings(struct renewal *renewal, const char *lines)
{
	while (*lines != '\0') {
		const size_t length = strcspn(lines, "\n");
		struct present *setting;

		array_reserve(&renewal->settings, &renewal->capacity, renewal->count + 1,
			      sizeof(*renewal->settings));
		setting = &renewal->settings[renewal->count++];
		*setting = (struct present){.text = xstrndup(lines, length)};
		settings_kind_of(renewal->app->commands, setting->text, "", setting->key);
		lines += length + (lines[length] == '\n');
	}
}

static bool is_used(const struct app *app, const struct column *column)
{
	bool is_shown = false;

	for (size_t i = 0; i < app->view_count && !is_shown; i++) {
		struct column_list list = {0};

		view_columns_list(app, &app->views[i], &list);
		is_shown = column_list_has(&list, column);
		column_list_fini(&list);
	}
	return is_shown;
}

/* Of a line that adds columns: those that are nowhere any more are left out. */
static void look_at_adding(struct renewal *renewal, const char *line, struct fate *fate)
{
	struct columns *columns = engine_resolver(renewal->app->engine)->columns;
	const char *cursor = line + strcspn(line, " \t");
	struct strbuf text = {0};
	char word[COLUMN_NAME_MAX];
	size_t kept = 0, dropped = 0;

	strbuf_add_bytes(&text, line, (size_t)(cursor - line));
	while (column_word_next(columns, &cursor, word, sizeof(word))) {
		const struct column *column = columns_find(columns, word);

		if (column && !is_used(renewal->app, column)) {
			dropped++;
			continue;
		}
		if (column)
			column_list_insert(&renewal->added, column);
		strbuf_printf(&text, "%c%s", kept++ > 0 ? ',' : ' ', word);
	}
	fate->is_gone = dropped > 0 && kept == 0;
	fate->text = dropped > 0 && kept > 0 ? xstrdup(strbuf_text(&text)) : NULL;
	strbuf_fini(&text);
}

static void write_definition(const struct metric_info *info, const char *verb, struct strbuf *out)
{
	strbuf_printf(out, "%s %s = %s", verb, info->name, info->formula);
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

static const struct metric_info *find_metric(const struct app *app, const char *name)
{
	const int index = metric_set_find(engine_metric_set(app->engine), name);

	return index >= 0 ? metric_set_info(engine_metric_set(app->engine), (size_t)index) : NULL;
}

/* Whether the definition begins with the formula that holds. */
static bool has_formula(const char *definition, const struct metric_info *info)
{
	const char *formula = strchr(definition, '=');
	const size_t length = strlen(info->formula);

	if (!formula)
		return false;
	formula += 1 + strspn(formula + 1, " \t");
	if (strncmp(formula, info->formula, length) != 0)
		return false;
	formula += length + strspn(formula + length, " \t");
	return *formula == '\0' || *formula == ';';
}

/* Of a line that defines a metric: defined anew it says so, and shown nowhere it adds nothing. */
static void look_at_definition(struct renewal *renewal, const char *line, struct fate *fate)
{
	const size_t verb = strcspn(line, " \t");
	const char *definition = line + verb + strspn(line + verb, " \t");
	const struct column *column;
	const struct metric_info *info;
	struct strbuf text = {0};
	char name[METRIC_NAME_MAX];
	bool adds = strncmp(line, "metric", verb) == 0;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(definition, " \t="), definition);
	info = find_metric(renewal->app, name);
	if (!info || !info->is_users)
		return; /* it is wrong, and stays */
	strbuf_printf(&renewal->defined, "\n%s\n", name);
	column = columns_find(engine_resolver(renewal->app->engine)->columns, name);
	if (adds && column && !is_used(renewal->app, column)) {
		adds = false;
		strbuf_printf(&text, "define %s", definition);
	}
	if (adds && column)
		column_list_insert(&renewal->added, column);
	if (!has_formula(definition, info)) {
		strbuf_clear(&text);
		write_definition(info, adds ? "metric" : "define", &text);
	}
	fate->text = text.length > 0 ? xstrdup(strbuf_text(&text)) : NULL;
	strbuf_fini(&text);
}

/* A line that was wrong is not ours: it stays for whoever can mend it. */
static bool was_refused(const struct app *app, const char *line)
{
	struct strbuf between = {0};
	bool was;

	strbuf_printf(&between, "\n%s\n", line);
	was = strstr(strbuf_text(&app->refused), strbuf_text(&between));
	strbuf_fini(&between);
	return was;
}

static void look_at_lines(struct renewal *renewal)
{
	char view[64];

	snprintf(view, sizeof(view), "%s", renewal->app->views[0].info->name);
	for (size_t i = 0; i < renewal->config.count; i++) {
		const char *line = renewal->config.lines[i].text;
		struct fate *fate = &renewal->fates[i];

		if (settings_goes_to_view(line, view, sizeof(view)))
			continue;
		fate->kind = settings_kind_of(renewal->app->commands, line, view, fate->key);
		if (fate->kind != SETTINGS_FOREIGN && was_refused(renewal->app, line))
			fate->kind = SETTINGS_FOREIGN;
		if (fate->kind == SETTINGS_ADDS)
			look_at_adding(renewal, line, fate);
		else if (fate->kind == SETTINGS_METRIC)
			look_at_definition(renewal, line, fate);
		else
			continue;
		renewal->last_adding = i + 1;
	}
}

/* Metrics of the user that are shown and that the old text does not define. */
static void find_new_metrics(struct renewal *renewal)
{
	const struct metric_set *set = engine_metric_set(renewal->app->engine);

	for (size_t i = 0; i < metric_set_count(set); i++) {
		const struct metric_info *info = metric_set_info(set, i);
		char name[METRIC_NAME_MAX + 2];
		const struct column *column;

		snprintf(name, sizeof(name), "\n%s\n", info->name);
		column = columns_find(engine_resolver(renewal->app->engine)->columns, info->name);
		if (!info->is_users || !column || !is_used(renewal->app, column) ||
		    strstr(strbuf_text(&renewal->defined), name))
			continue;
		write_definition(info, "define", &renewal->news);
		strbuf_add_char(&renewal->news, '\n');
	}
}

static bool are_same(const struct column_list *a, const struct column_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 ||
		memcmp(a->columns, b->columns, a->count * sizeof(*a->columns)) == 0);
}

static void write_names(struct strbuf *out, const struct column_list *list,
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
static void write_columns(struct renewal *renewal, const struct app_view *view, struct strbuf *out)
{
	struct columns *columns = engine_resolver(renewal->app->engine)->columns;
	const bool has_pmu = engine_session(renewal->app->engine)->has_pmu;
	struct column_list wanted = {0}, expected = {0}, extended = {0};

	view_columns_list(renewal->app, view, &wanted);
	if (view->set)
		view_set_columns(view->info, view->set, has_pmu, columns, &expected);
	else
		view_default_columns(view->info, has_pmu, engine_metrics(renewal->app->engine),
				     columns, &expected);
	if (view_columns_trend(renewal->app, view->info))
		column_list_insert(&expected, view_columns_trend(renewal->app, view->info));
	for (size_t i = 0; i < renewal->added.count; i++)
		column_list_insert(&expected, renewal->added.columns[i]);
	column_list_copy(&extended, &expected);
	for (size_t i = 0; view->columns.count == 0 && i < view->extras.count; i++)
		column_list_insert(&extended, view->extras.columns[i]);
	if (view->set && are_same(&wanted, &expected)) {
		strbuf_printf(out, "in %s columns %s\n", view->info->name, view->set->name);
	} else if (!are_same(&wanted, &expected)) {
		const bool is_extended = !view->set && are_same(&wanted, &extended);

		strbuf_printf(out, "in %s column%s ", view->info->name, is_extended ? "" : "s");
		write_names(out, &wanted, is_extended ? &expected : NULL);
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

static void write_sort(const struct app *app, const struct app_view *view, struct strbuf *out)
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

static void find_settings(struct renewal *renewal)
{
	const struct app *app = renewal->app;
	struct strbuf lines = {0};

	settings_write(app, &lines);
	for (size_t i = 0; i < app->view_count; i++) {
		write_columns(renewal, &app->views[i], &lines);
		write_sort(app, &app->views[i], &lines);
	}
	add_settings(renewal, strbuf_text(&lines));
	strbuf_fini(&lines);
}

static struct present *find_setting(const struct renewal *renewal, const char *key)
{
	for (size_t i = 0; i < renewal->count; i++)
		if (strcmp(renewal->settings[i].key, key) == 0)
			return &renewal->settings[i];
	return NULL;
}

/* The line of a setting says what holds now, or goes. */
static void renew_line(struct renewal *renewal, size_t index)
{
	const char *line = renewal->config.lines[index].text;
	struct fate *fate = &renewal->fates[index];
	const bool is_before = index < renewal->last_adding || renewal->news.length > 0;
	struct present *setting = find_setting(renewal, fate->key);

	if (!setting || setting->is_written || (fate->kind == SETTINGS_OF_VIEW && is_before)) {
		fate->is_gone = true;
		return;
	}
	setting->is_written = true;
	if (strcmp(setting->text, line) != 0)
		fate->text = xstrdup(setting->text);
}

static void renew_lines(struct renewal *renewal)
{
	for (size_t i = 0; i < renewal->config.count; i++)
		if (renewal->fates[i].kind == SETTINGS_ONE ||
		    renewal->fates[i].kind == SETTINGS_OF_VIEW)
			renew_line(renewal, i);
}

static void write_old(const struct renewal *renewal, const char *old, struct strbuf *out)
{
	size_t next = 0;

	for (size_t number = 1; *old != '\0'; number++) {
		const size_t length = strcspn(old, "\n");
		const bool is_ours = next < renewal->config.count &&
				     renewal->config.lines[next].number == number;
		const struct fate *fate = is_ours ? &renewal->fates[next++] : NULL;

		if (fate && fate->text && !fate->is_gone)
			strbuf_printf(out, "%s\n", fate->text);
		else if (!fate || !fate->is_gone)
			strbuf_printf(out, "%.*s\n", (int)length, old);
		old += length + (old[length] == '\n');
	}
}

static void write_new(const struct renewal *renewal, struct strbuf *out)
{
	strbuf_add(out, strbuf_text(&renewal->news));
	for (size_t i = 0; i < renewal->count; i++)
		if (!renewal->settings[i].is_written)
			strbuf_printf(out, "%s\n", renewal->settings[i].text);
}

static void fini(struct renewal *renewal)
{
	for (size_t i = 0; i < renewal->config.count; i++)
		free(renewal->fates[i].text);
	for (size_t i = 0; i < renewal->count; i++)
		free(renewal->settings[i].text);
	free(renewal->fates);
	free(renewal->settings);
	column_list_fini(&renewal->added);
	strbuf_fini(&renewal->defined);
	strbuf_fini(&renewal->news);
	config_fini(&renewal->config);
}

void config_text_renew(const struct app *app, const char *old, struct strbuf *out)
{
	struct renewal renewal = {.app = app};

	config_parse(&renewal.config, old);
	renewal.fates = xcalloc(renewal.config.count, sizeof(*renewal.fates));
	look_at_lines(&renewal);
	find_new_metrics(&renewal);
	find_settings(&renewal);
	renew_lines(&renewal);
	write_old(&renewal, old, out);
	write_new(&renewal, out);
	fini(&renewal);
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
static bool find_target(struct config_target *target, const char *path, struct error *error)
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

static bool replace(const struct config_target *target, const struct strbuf *text,
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

static bool save(struct app *app, const char *path, struct error *error)
{
	struct strbuf old = {0}, text = {0};
	struct config_target target = {0};
	bool good = find_target(&target, path, error) &&
		    (!target.exists || config_read_text(target.path, &old, error));

	if (good) {
		config_text_renew(app, strbuf_text(&old), &text);
		if (strcmp(strbuf_text(&old), strbuf_text(&text)) == 0) {
			say_unchanged(app, &target, path);
		} else {
			good = replace(&target, &text, error);
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
