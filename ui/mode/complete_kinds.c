/* What can be typed: the names of each kind, and where in a command which kinds can be. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/host.h"
#include "model/metric_set.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/filter.h"
#include "view/names.h"

#include "event/catalog.h"
#include "mode/actions.h"
#include "mode/app.h"
#include "mode/browser.h"
#include "mode/command.h"
#include "mode/complete.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "mode/prompts.h"

/* What is looked for in one folder. */
struct folder_search {
	struct complete *complete;
	const char *before; /* what precedes the names in the text */
	size_t before_length;
	bool with_dots;  /* names that begin with one */
	bool for_shell;  /* nothing that would have to be quoted */
	bool must_run;   /* programs and folders only */
	bool no_folders; /* programs of PATH */
};

/* Whether it can be typed: no control characters, well-formed UTF-8. */
static bool is_harmless_name(const char *name)
{
	char safe[NAME_MAX * 4 + 1];

	text_safe(safe, sizeof(safe), name, false);
	return strcmp(safe, name) == 0;
}

static bool is_plain_word(const char *name)
{
	static const char quoted[] = " \t\\'\"`$&|;<>()[]{}*?!#~";

	return !strpbrk(name, quoted);
}

static bool is_folder(const char *path, mode_t *mode)
{
	struct stat file;

	*mode = 0;
	if (stat(path, &file) != 0)
		return false;
	*mode = file.st_mode;
	return S_ISDIR(file.st_mode);
}

static void offer_entry(const struct folder_search *search, const char *folder, const char *entry)
{
	struct strbuf name = {0}, path = {0};
	bool leads_on, is_wanted;
	mode_t mode;

	strbuf_add_bytes(&name, search->before, search->before_length);
	strbuf_add(&name, entry);
	if (is_harmless_name(entry) && (!search->for_shell || is_plain_word(entry)) &&
	    complete_wants(search->complete, strbuf_text(&name))) {
		strbuf_printf(&path, "%s/%s", folder, entry);
		leads_on = is_folder(strbuf_text(&path), &mode);
		is_wanted = leads_on ? !search->no_folders
				     : !search->must_run || (S_ISREG(mode) &&
							     access(strbuf_text(&path), X_OK) == 0);
		strbuf_add(&name, leads_on ? "/" : "");
		if (is_wanted)
			complete_add(search->complete, strbuf_text(&name), "");
	}
	strbuf_fini(&name);
	strbuf_fini(&path);
}

static void offer_folder(const struct folder_search *search, const char *folder)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	if (!entries)
		return;
	while ((entry = readdir(entries))) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
		    (name[0] != '.' || search->with_dots))
			offer_entry(search, folder, name);
	}
	closedir(entries);
}

static int compare_words(const void *a, const void *b)
{
	const struct complete_word *first = a, *second = b;

	return strcmp(first->name, second->name);
}

/* In order, each once: folders of PATH have names in common. */
static void order_candidates(struct complete *complete)
{
	size_t kept = 0;

	if (complete->count == 0)
		return;
	qsort(complete->words, complete->count, sizeof(*complete->words), compare_words);
	for (size_t i = 1; i < complete->count; i++) {
		struct complete_word *word = &complete->words[i];

		if (strcmp(word->name, complete->words[kept].name) != 0) {
			complete->words[++kept] = *word;
			continue;
		}
		free(word->name);
		free(word->help);
	}
	complete->count = kept + 1;
}

/* The files beside what is typed. */
static void offer_beside(struct folder_search *search, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *typed, *folder;

	search->before = path;
	search->before_length = slash ? (size_t)(slash - path) + 1 : 0;
	search->with_dots = path[search->before_length] == '.';
	typed = xstrndup(path, search->before_length);
	folder = text_expand_home(typed);
	offer_folder(search, folder[0] != '\0' ? folder : ".");
	order_candidates(search->complete);
	free(typed);
	free(folder);
}

static void offer_files(struct complete *complete, struct app *app, const char *path)
{
	struct folder_search search = {.complete = complete};

	offer_beside(&search, path);
}

static void offer_path(struct complete *complete, const char *word)
{
	struct folder_search search = {
		.complete = complete,
		.before = "",
		.with_dots = word[0] == '.',
		.for_shell = true,
		.must_run = true,
		.no_folders = true,
	};
	const char *folders = getenv("PATH");

	while (folders && *folders != '\0') {
		const size_t length = strcspn(folders, ":");
		char *folder = length > 0 ? xstrndup(folders, length) : xstrdup(".");

		offer_folder(&search, folder);
		free(folder);
		folders += length + (folders[length] == ':');
	}
	order_candidates(complete);
}

static void go_to_word(struct complete *complete, const char *word)
{
	complete->begin += (size_t)(word - complete->prefix);
	complete->prefix = word;
}

/* The word that begins behind the last of these characters. */
static const char *go_to_last_word(struct complete *complete, const char *text, const char *ends)
{
	const char *word = text + strlen(text);

	while (word > text && !strchr(ends, word[-1]))
		word--;
	go_to_word(complete, word);
	return word;
}

static void offer_programs(struct complete *complete, struct app *app, const char *line)
{
	struct folder_search search = {.complete = complete, .for_shell = true};
	const char *word = go_to_last_word(complete, line, " \t");

	search.must_run = line[strspn(line, " \t")] == '\0' || word == line + strspn(line, " \t");
	if (search.must_run && !strchr(word, '/'))
		offer_path(complete, word);
	else
		offer_beside(&search, word);
}

/*
 * The kinds of names that an argument can be, one an entry. Those without a function are what
 * cannot be known: numbers, texts, times.
 */

typedef void offer_fn(struct complete *complete, struct app *app, const char *text);

/* Those that need counters, where there are none, are offered only to be explained. */
static void offer_columns(struct complete *complete, struct app *app, bool with_lacking)
{
	struct resolver *resolver = engine_resolver(app->engine);
	const size_t count = columns_count(resolver->columns);

	for (size_t i = 0; i < count; i++) {
		const struct column *column = columns_get(resolver->columns, i);

		if (with_lacking || !resolve_lacks_counters(resolver, column))
			complete_offer(complete, column->name, column_help(column));
	}
}

static void offer_column_names(struct complete *complete, struct app *app, const char *text)
{
	offer_columns(complete, app, false);
}

static void offer_sets(struct complete *complete, struct app *app, const char *text)
{
	const struct column_set *set = NULL;

	while ((set = column_set_next(set)))
		complete_offer(complete, set->name, set->help);
}

/* What is the whole of a list, or no part of it. */
static void offer_set_alone(struct complete *complete, struct app *app, const char *text)
{
	while (text[-1] == ' ')
		text--;
	if (text[-1] == ',')
		return;
	offer_sets(complete, app, text);
	complete_offer(complete, "default", "the built-in columns of the view");
}

static void offer_view_names(struct complete *complete, struct app *app, const char *text)
{
	for (size_t i = 0; i < app->view_count; i++)
		complete_offer(complete, app->views[i].info->name, app->views[i].info->help);
}

static void offer_counted(struct complete *complete, struct app *app, const char *text)
{
	const struct layout *layout = engine_layout(app->engine);

	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed)
			complete_offer(complete, layout->events[i].name, layout->events[i].unit);
}

/* Those of a recording are all there are. */
static void offer_event_names(struct complete *complete, struct app *app, const char *text)
{
	const struct layout *layout = engine_layout(app->engine);
	const struct catalog *catalog;

	offer_counted(complete, app, text);
	if (engine_is_replay(app->engine))
		return;
	catalog = browser_catalog(app);
	for (size_t i = 0; i < catalog_count(catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(catalog, i);

		if (!entry->is_pattern && layout_find_event(layout, entry->name) < 0)
			complete_add(complete, entry->name, entry->description);
	}
}

static void offer_user_names(struct complete *complete, struct app *app, const char *text)
{
	const struct snapshot *snapshot = app_snapshot(app);
	struct map offered = {0}; /* ten thousand tasks are of few users */

	complete_offer(complete, "all", "tasks of all users");
	for (size_t i = 0; snapshot && i < snapshot->task_count; i++) {
		const int64_t uid = snapshot->tasks[i].uid;

		if (uid >= 0 && !map_put(&offered, (uint64_t)uid, complete))
			complete_offer(complete, users_name(view_table_users(app->table), uid), "");
	}
	map_fini(&offered);
}

static bool is_listed_process(const struct snapshot_task *task)
{
	return task->tid == task->pid && task->pid > 0 && !task->is_exited;
}

static void offer_process_ids(struct complete *complete, struct app *app, const char *text)
{
	const struct snapshot *snapshot = app_snapshot(app);
	char number[16];

	for (size_t i = 0; snapshot && i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];
		char name[TASK_NAME_MAX * 4];

		if (!is_listed_process(task))
			continue;
		snprintf(number, sizeof(number), "%d", task->pid);
		if (!complete_wants(complete, number))
			continue;
		text_safe(name, sizeof(name), task->name, app->screen.is_ascii);
		complete_add(complete, number, name);
	}
}

static int compare_candidates(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of ten thousand tasks many have the same name: in order they are side by side. Those with
 * characters that cannot be typed are left out. */
static void offer_names(struct complete *complete, struct app *app, const char *text)
{
	const struct snapshot *snapshot = app_snapshot(app);
	const size_t most = snapshot ? snapshot->task_count : 0;
	const char **names = xcalloc(most, sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < most; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (is_listed_process(task))
			names[count++] = task->name;
	}
	qsort(names, count, sizeof(*names), compare_candidates);
	for (size_t i = 0; i < count; i++) {
		char safe[TASK_NAME_MAX * 4];

		if (i > 0 && strcmp(names[i], names[i - 1]) == 0)
			continue;
		text_safe(safe, sizeof(safe), names[i], app->screen.is_ascii);
		if (strcmp(safe, names[i]) == 0)
			complete_add(complete, names[i], "");
	}
	free(names);
}

static void offer_keys(struct complete *complete, struct app *app, const char *text)
{
	size_t count;
	const struct key_binding *table = keys_now(app->parts[PART_keys], &count);

	for (size_t i = 0; i < count; i++)
		complete_offer(complete, table[i].key, table[i].command);
}

static void offer_hosts(struct complete *complete, struct app *app, const char *text)
{
	const struct hosts *hosts = hosts_of(app);

	for (size_t i = 0; i < hosts->count; i++)
		if (!hosts->list[i].is_over)
			complete_offer(complete, hosts->list[i].name, hosts->list[i].options.input);
}

static void offer_prompts(struct complete *complete, struct app *app, const char *text)
{
	for (const struct command_info *row = NULL; (row = prompts_next(app->commands, row));)
		complete_offer(complete, row->name, row->prompt);
}

static void offer_commands_of(struct complete *complete, struct app *app, const char *text)
{
	for (const struct command_info *row = NULL; (row = command_next(app->commands, row));)
		complete_offer(complete, row->name, row->help);
}

static void offer_in_filter(struct complete *complete, struct app *app, const char *text)
{
	const char *name = filter_last_name(text);

	if (!name)
		return;
	go_to_word(complete, name);
	complete_offer(complete, "task", "a task's name or number, on either side of a switch");
	complete_offer(complete, "kind", "how a task left the CPU");
	offer_column_names(complete, app, text);
	/* of thousands none is looked for without its beginning */
	if (complete->prefix[0] != '\0')
		offer_event_names(complete, app, text);
}

static void offer_in_definition(struct complete *complete, struct app *app, const char *text)
{
	const struct metric_set *set = engine_metric_set(app->engine);

	/* the name of a new one is for the user to make up, that of an old one is there */
	if (strchr(text, '=')) {
		go_to_last_word(complete, text, " \t()!<>=&|+*,\"");
		offer_event_names(complete, app, text);
	}
	for (size_t i = 0; i < metric_set_count(set); i++) {
		const struct metric_info *info = metric_set_info(set, i);

		if (info->is_users || strchr(text, '='))
			complete_offer(complete, info->name, info->help);
	}
}

static void offer_cpus(struct complete *complete, struct app *app, const char *text)
{
	const struct number_list *online = &engine_host(app->engine)->online;
	char number[16];

	complete_offer(complete, "all", "wherever it can");
	for (size_t i = 0; i < online->count; i++) {
		snprintf(number, sizeof(number), "%d", online->numbers[i]);
		complete_offer(complete, number, "");
	}
}

static void offer_signals(struct complete *complete, struct app *app, const char *text)
{
	size_t count;
	const struct signal_info *table = signals_table(&count);

	for (size_t i = 0; i < count; i++)
		complete_offer(complete, table[i].name, table[i].help);
}

/* What the help can explain. */
static void offer_explained(struct complete *complete, struct app *app, const char *text)
{
	offer_columns(complete, app, true);
	offer_sets(complete, app, text);
	offer_commands_of(complete, app, text);
	offer_view_names(complete, app, text);
	offer_event_names(complete, app, text);
}

/* clang-format off */
static const struct {
	const char *name;
	offer_fn *offer; /* NULL: it has no names */
} kinds[] = {
	{"CGROUP",     NULL}, /* the prompt of attach lists them */
	{"COLUMN",     offer_column_names},
	{"COMMAND",    offer_commands_of},
	{"COUNTED",    offer_counted},
	{"CPUS",       offer_cpus},
	{"DEFINITION", offer_in_definition},
	{"EVENT",      offer_event_names},
	{"EXPR",       offer_in_filter},
	{"FILE",       offer_files},
	{"HOST",       offer_hosts},
	{"KEY",        offer_keys},
	{"N",          NULL},
	{"NAME",       offer_names},
	{"PID",        offer_process_ids},
	{"PROGRAM",    offer_programs},
	{"PROMPT",     offer_prompts},
	{"PERCENT",    NULL},
	{"SECONDS",    NULL},
	{"SET",        offer_set_alone},
	{"SIGNAL",     offer_signals},
	{"TEXT",       NULL},
	{"TIME",       NULL},
	{"USER",       offer_user_names},
	{"VIEW",       offer_view_names},
	{"WORD",       offer_explained},
};
/* clang-format on */

enum {
	KIND_COUNT = sizeof(kinds) / sizeof(*kinds)
};

bool complete_kind(struct complete *complete, struct app *app, const char *kind, const char *text)
{
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (strcmp(kinds[i].name, kind) != 0)
			continue;
		if (kinds[i].offer)
			kinds[i].offer(complete, app, text);
		return true;
	}
	return false;
}

/* A command that is being typed. */

enum {
	WORD_MAX = 64
};

static const char blanks[] = " \t";

static void begin_word(struct complete *complete, const char *text, const char *word)
{
	complete->begin = (size_t)(word - text);
	complete->prefix = word;
}

/* One of the alternatives "A|b|c". */
static void offer_alternatives(struct complete *complete, struct app *app, const char *spec,
			       const char *word)
{
	char one[WORD_MAX];

	while (*spec != '\0') {
		const size_t length = strcspn(spec, "|");

		snprintf(one, sizeof(one), "%.*s", (int)length, spec);
		if (!complete_kind(complete, app, one, word))
			complete_offer(complete, one, "");
		spec += length + (spec[length] == '|');
	}
}

/* Takes the next word of a command's argument off, without brackets; whether it is a list. */
static bool take_spec(const char **spec, char word[static WORD_MAX])
{
	static const char list[] = ",...";
	const size_t length = strcspn(*spec, " ");
	const char *begin = *spec;
	size_t used = 0;

	for (size_t i = 0; i < length && used + 1 < WORD_MAX; i++)
		if (begin[i] != '[' && begin[i] != ']')
			word[used++] = begin[i];
	word[used] = '\0';
	*spec += length + strspn(*spec + length, " ");
	if (used < sizeof(list) || strcmp(word + used - strlen(list), list) != 0)
		return false;
	word[used - strlen(list)] = '\0';
	return true;
}

/* What can be in a command's argument, of which this much is typed. */
static void offer_argument(struct complete *complete, struct app *app, const char *spec,
			   const char *text, const char *argument)
{
	static const char signs[] = "[-|+]";
	char word[WORD_MAX];
	bool is_list;

	if (strncmp(spec, signs, strlen(signs)) == 0) {
		spec += strlen(signs);
		argument += *argument == '-' || *argument == '+';
	}
	is_list = take_spec(&spec, word);
	while (spec[0] != '\0' && argument[strcspn(argument, blanks)] != '\0') {
		argument += strcspn(argument, blanks);
		argument += strspn(argument, blanks);
		is_list = take_spec(&spec, word);
	}
	if (is_list && strrchr(argument, ',')) {
		argument = strrchr(argument, ',') + 1;
		argument += strspn(argument, blanks);
	}
	begin_word(complete, text, argument);
	offer_alternatives(complete, app, word, argument);
}

/* only_settings: behind "in VIEW" */
static void offer_command_names(struct complete *complete, const struct command_table *table,
				bool only_settings)
{
	const char *argument;

	for (const struct command_info *row = NULL; (row = command_next(table, row));)
		if (row->is_setting || !only_settings)
			complete_offer(complete, row->name, row->help);
	if (complete->count == 1)
		complete->takes_more = command_find(table, complete->words[0].name, &argument, NULL)
					       ->argument[0] != '\0';
}

/* A command within a command begins at `from`. */
static void find_from(struct complete *complete, struct app *app, const char *text,
		      const char *from)
{
	static const char command_kind[] = "COMMAND";
	const struct command_info *info = NULL;
	const char *argument, *spec;

	for (;;) {
		from += strspn(from, blanks);
		begin_word(complete, text, from);
		if (from[strcspn(from, blanks)] == '\0') {
			offer_command_names(complete, app->commands, info && info->takes_command);
			return;
		}
		info = command_find(app->commands, from, &argument, NULL);
		if (!info)
			return;
		/* "KEY COMMAND": behind the key another command begins */
		spec = strstr(info->argument, command_kind);
		if (!spec || argument[strcspn(argument, blanks)] == '\0')
			break;
		from = argument + strcspn(argument, blanks);
	}
	offer_argument(complete, app, info->argument, text, argument);
}

void complete_find(struct complete *complete, struct app *app, const char *text)
{
	complete_clear(complete);
	find_from(complete, app, text, text);
}
