#include "options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "ui/theme.h"
#include "view/groups.h"
#include "view/table.h"
#include "view/users.h"

static bool apply_pid(struct options *options, const char *argument, struct error *error)
{
	const char *cursor = argument;
	char word[32];
	uint64_t pid;

	while (word_list_next(&cursor, word, sizeof(word))) {
		if (!units_parse_u64(word, 1, INT_MAX, &pid))
			return error_set(error, ERROR_PID_BAD, word[0] != '\0' ? word : argument,
					 NULL);
		array_reserve(&options->pids, &options->pid_capacity, options->pid_count + 1,
			      sizeof(*options->pids));
		options->pids[options->pid_count++] = (int32_t)pid;
	}
	if (options->pid_count == 0 || argument[strlen(argument) - 1] == ',')
		return error_set(error, ERROR_PID_BAD, argument[0] != '\0' ? argument : "''", NULL);
	strbuf_printf(&options->pid_list, "%s%s", options->pid_list.length > 0 ? "," : "",
		      argument);
	return true;
}

static bool apply_user(struct options *options, const char *argument, struct error *error)
{
	options->user = argument;
	options->uid = users_find(argument);
	return options->uid >= 0 || error_set(error, ERROR_USER_UNKNOWN, argument, NULL);
}

static bool apply_cpu(struct options *options, const char *argument, struct error *error)
{
	const int most = 1 << 20;

	number_list_fini(&options->cpus);
	if (!number_list_parse(&options->cpus, argument, most) || options->cpus.count == 0)
		return error_set(error, ERROR_CPU_LIST_BAD, argument, NULL);
	options->has_cpus = true;
	return true;
}

static bool apply_columns(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->column_list = argument;
	return true;
}

static bool apply_sort(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->sort_text = argument;
	return true;
}

static bool apply_filter(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->filter = argument;
	return true;
}

static bool apply_event(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	array_reserve(&options->event_lists, &options->event_list_capacity,
		      options->event_list_count + 1, sizeof(*options->event_lists));
	options->event_lists[options->event_list_count++] = argument;
	return true;
}

static bool apply_metric(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	array_reserve(&options->metric_definitions, &options->metric_capacity,
		      options->metric_count + 1, sizeof(*options->metric_definitions));
	options->metric_definitions[options->metric_count++] = argument;
	return true;
}

static bool apply_config(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->config_path = argument;
	options->no_config = false;
	return true;
}

static bool apply_no_config(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	options->config_path = NULL;
	return options->no_config = true;
}

static bool apply_view(struct options *options, const char *argument, struct error *error)
{
	char names[256];

	options->has_view = true;
	options->view = view_find(argument);
	if (options->view != NULL)
		return true;
	view_names(names, sizeof(names));
	return error_set(error, ERROR_VIEW_UNKNOWN, argument, names);
}

/* Whoever asks for groups wants to see them. */
static bool apply_group_by(struct options *options, const char *argument, struct error *error)
{
	char names[256];

	options->grouping = grouping_find(argument);
	if (options->grouping == NULL) {
		grouping_names(names, sizeof(names));
		return error_set(error, ERROR_GROUPING_UNKNOWN, argument, names);
	}
	if (!options->has_view)
		options->view = view_find("groups");
	return options->has_view = true;
}

static bool apply_threads(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return options->threads = true;
}

static bool apply_delay(struct options *options, const char *argument, struct error *error)
{
	options->has_delay = true;
	return options_parse_delay(argument, &options->delay_s, error);
}

static bool apply_top(struct options *options, const char *argument, struct error *error)
{
	options->has_top = true;
	return units_parse_u64(argument, 0, OPTIONS_TOP_MAX, &options->top) ||
	       error_set(error, ERROR_NUMBER_BAD, argument,
			 "the number of tasks with totals of their own is from 0 to 100000");
}

static bool apply_iterations(struct options *options, const char *argument, struct error *error)
{
	return units_parse_u64(argument, 1, UINT32_MAX, &options->iterations) ||
	       error_set(error, ERROR_NUMBER_BAD, argument,
			 "the number of intervals is a whole number above 0");
}

static bool apply_batch(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return options->batch = true;
}

static bool apply_format(struct options *options, const char *argument, struct error *error)
{
	char names[128];

	options->format = batch_find(argument);
	options->batch = true;
	if (options->format != NULL)
		return true;
	batch_names(names, sizeof(names));
	return error_set(error, ERROR_FORMAT_UNKNOWN, argument, names);
}

static bool apply_output(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->output = argument;
	options->batch = true;
	return true;
}

static bool apply_input(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->input = argument;
	return true;
}

static bool apply_record(struct options *options, const char *argument, struct error *error)
{
	(void)error;
	options->record = argument;
	return true;
}

static bool apply_compress(struct options *options, const char *argument, struct error *error)
{
	uint64_t level = OPTIONS_COMPRESSION;

	if (argument != NULL && !units_parse_u64(argument, 1, OPTIONS_COMPRESSION_MAX, &level))
		return error_set(error, ERROR_RECORD_COMPRESSION, argument, NULL);
	options->compression = (int)level;
	return true;
}

/* A whole number, with k or M behind it in thousands or millions. */
static bool apply_history(struct options *options, const char *argument, struct error *error)
{
	const size_t length = strspn(argument, "0123456789");
	const char *suffix = argument + length;
	char digits[24];
	uint64_t scale = 0;

	if (suffix[0] == '\0')
		scale = 1;
	else if (strcasecmp(suffix, "k") == 0)
		scale = 1000;
	else if (strcasecmp(suffix, "m") == 0)
		scale = 1000000;
	snprintf(digits, sizeof(digits), "%.*s", (int)length, argument);
	if (scale == 0 || length >= sizeof(digits) ||
	    !units_parse_u64(digits, 0, OPTIONS_HISTORY_MAX / scale, &options->history))
		return error_set(error, ERROR_NUMBER_BAD, argument,
				 "the history is a number of switches from 0 to 100M");
	options->history *= scale;
	return true;
}

static bool apply_ascii(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return options->ascii = true;
}

static bool apply_theme(struct options *options, const char *argument, struct error *error)
{
	char names[128];

	options->theme = theme_find(argument);
	if (options->theme != NULL)
		return true;
	theme_names(names, sizeof(names));
	return error_set(error, ERROR_THEME_UNKNOWN, argument, names);
}

static bool apply_no_mouse(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	return options->no_mouse = true;
}

static bool apply_version(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	options->action = OPTIONS_VERSION;
	return true;
}

static bool apply_help(struct options *options, const char *argument, struct error *error)
{
	(void)argument;
	(void)error;
	options->action = OPTIONS_HELP;
	return true;
}

/* clang-format off */
static const struct option_info option_table[] = {
	{'p', "pid",        "LIST",    "watch these processes: all their threads, later ones too",   apply_pid},
	{'u', "user",       "USER",    "show only the tasks of this user",                           apply_user},
	{'C', "cpu",        "LIST",    "watch only these CPUs, for example 0-3,8",                   apply_cpu},
	{'e', "event",      "LIST",    "count these events too, a column for each; may be repeated", apply_event},
	{'m', "metric",     "DEF",     "NAME=FORMULA: a column that is computed; may be repeated",   apply_metric},
	{'c', "columns",    "LIST",    "the columns to show: columns, metrics, events",              apply_columns},
	{'s', "sort",       "COLUMN",  "sort by it; -COLUMN descending, +COLUMN ascending; A,B: alike ones by B", apply_sort},
	{'f', "filter",     "EXPR",    "rows to show: 'ipc < 0.5 && command ~ \"java\"'",            apply_filter},
	{'V', "view",       "NAME",    "the view to begin with",                                     apply_view},
	{0,   "group-by",   "NAME",    "tasks summed by command, user, cgroup, container, parent...", apply_group_by},
	{'H', "threads",    NULL,      "a row for each thread instead of each process",              apply_threads},
	{'d', "delay",      "SECONDS", "length of an interval (1)",                                  apply_delay},
	{'n', "iterations", "N",       "leave after N intervals",                                    apply_iterations},
	{0,   "top",        "N",       "openmetrics: totals of N tasks (50), and of the rest together", apply_top},
	{'b', "batch",      NULL,      "print instead of showing a screen",                          apply_batch},
	{0,   "format",     "NAME",    "how to print: text, csv, json, openmetrics; implies --batch", apply_format},
	{'o', "output",     "FILE",    "print into FILE; implies --batch",                                            apply_output},
	{'i', "input",      "FILE",    "replay a recording, perf's or perftop's; - reads a pipe",     apply_input},
	{'w', "record",     "FILE",    "write what is seen as perf.data; - is standard output",      apply_record},
	{'z', "compress",   "[LEVEL]", "compress the recording (1 to 22)",                           apply_compress},
	{0,   "history",    "N",       "keep the last N switches (1M, some 50 MB); 0 none",          apply_history},
	{0,   "config",     "FILE",    "read this instead of ~/.config/perftop/perftop.conf",        apply_config},
	{0,   "no-config",  NULL,      "read no configuration",                                      apply_no_config},
	{0,   "theme",      "NAME",    "colours: default, dark, light, mono, high-contrast",          apply_theme},
	{0,   "ascii",      NULL,      "use no characters beyond ASCII",                             apply_ascii},
	{0,   "no-mouse",   NULL,      "leave the mouse to the terminal",                            apply_no_mouse},
	{0,   "version",    NULL,      "print the version",                                          apply_version},
	{'h', "help",       NULL,      "print this help",                                            apply_help},
};
/* clang-format on */

enum {
	OPTION_COUNT = sizeof(option_table) / sizeof(*option_table)
};

bool options_parse_delay(const char *text, double *delay_s, struct error *error)
{
	return units_parse_double(text, OPTIONS_DELAY_MIN_MS / 1000.0, OPTIONS_DELAY_MAX_S,
				  delay_s) ||
	       error_set(error, ERROR_NUMBER_BAD, text,
			 "the delay is a number of seconds from 0.05 to 86400");
}

static const struct option_info *find_letter(char letter)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (option_table[i].letter == letter && letter != 0)
			return &option_table[i];
	}
	return NULL;
}

static const struct option_info *find_name(const char *name, size_t length)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strlen(option_table[i].name) == length &&
		    strncmp(option_table[i].name, name, length) == 0)
			return &option_table[i];
	}
	return NULL;
}

/* Where the parser stands in argv. */
struct cursor {
	int argc, next;
	char *const *argv;
};

bool option_may_be_alone(const struct option_info *info)
{
	return info->argument != NULL && info->argument[0] == '[';
}

/* --name, --name=value, --name value */
static bool parse_long(struct options *options, struct cursor *cursor, struct error *error)
{
	const char *word = cursor->argv[cursor->next++];
	const char *equals = strchr(word, '=');
	size_t length = equals != NULL ? (size_t)(equals - word) - 2 : strlen(word) - 2;
	const struct option_info *info = find_name(word + 2, length);

	if (info == NULL)
		return error_set(error, ERROR_OPTION_UNKNOWN, word, NULL);
	if (info->argument == NULL && equals != NULL)
		return error_set(error, ERROR_OPTION_NO_ARGUMENT, word, NULL);
	if (info->argument == NULL || equals != NULL || option_may_be_alone(info))
		return info->apply(options, equals != NULL ? equals + 1 : NULL, error);
	if (cursor->next == cursor->argc)
		return error_set(error, ERROR_OPTION_ARGUMENT, word, NULL);
	return info->apply(options, cursor->argv[cursor->next++], error);
}

/* -x, -xyz, -xVALUE, -x VALUE */
static bool parse_short(struct options *options, struct cursor *cursor, struct error *error)
{
	const char *word = cursor->argv[cursor->next++];

	for (const char *letter = word + 1; *letter != '\0'; letter++) {
		const struct option_info *info = find_letter(*letter);
		const char shown[] = {'-', *letter, '\0'};

		if (info == NULL)
			return error_set(error, ERROR_OPTION_UNKNOWN, shown, NULL);
		if (info->argument == NULL) {
			if (!info->apply(options, NULL, error))
				return false;
			continue;
		}
		if (option_may_be_alone(info) && (letter[1] < '0' || letter[1] > '9')) {
			if (!info->apply(options, NULL, error))
				return false;
			continue;
		}
		if (letter[1] != '\0')
			return info->apply(options, letter + 1, error);
		if (cursor->next == cursor->argc)
			return error_set(error, ERROR_OPTION_ARGUMENT, shown, NULL);
		return info->apply(options, cursor->argv[cursor->next++], error);
	}
	return true;
}

/* A word that is no option: an action, or what that is about. */
static bool parse_word(struct options *options, const char *word, struct error *error)
{
	if (options->action == OPTIONS_EVENTS) {
		strbuf_printf(&options->pattern, "%s%s", options->pattern.length > 0 ? " " : "",
			      word);
		return true;
	}
	if (strcmp(word, "check") == 0 && options->action != OPTIONS_CHECK) {
		if (options->action == OPTIONS_RUN)
			options->action = OPTIONS_CHECK;
		return true;
	}
	if (strcmp(word, "events") == 0 && options->action != OPTIONS_CHECK) {
		if (options->action == OPTIONS_RUN)
			options->action = OPTIONS_EVENTS;
		return true;
	}
	return error_set(error, ERROR_WORD_UNEXPECTED, word, NULL);
}

static bool parse_words(struct options *options, struct cursor *cursor, struct error *error)
{
	while (cursor->next < cursor->argc) {
		const char *word = cursor->argv[cursor->next];
		bool good = true;

		if (strcmp(word, "--") == 0) {
			options->command = &cursor->argv[cursor->next + 1];
			return options->command[0] != NULL ||
			       error_set(error, ERROR_COMMAND_MISSING, NULL, NULL);
		}
		if (strncmp(word, "--", 2) == 0) {
			good = parse_long(options, cursor, error);
		} else if (word[0] == '-' && word[1] != '\0') {
			good = parse_short(options, cursor, error);
		} else {
			good = parse_word(options, word, error);
			cursor->next++;
		}
		if (!good)
			return false;
	}
	return true;
}

static bool check_sources(const struct options *options, struct error *error)
{
	if (options->input != NULL && options->command != NULL)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--input", "--");
	if (options->input != NULL && options->has_cpus)
		return error_set(error, ERROR_REPLAY_CPUS, NULL, NULL);
	if (options->input != NULL && options->record != NULL)
		return error_set(error, ERROR_REPLAY_RECORD, options->record, NULL);
	if (options->pid_count > 0 && options->command != NULL)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--pid", "--");
	if (options->has_cpus && options->pid_count > 0)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--cpu", "--pid");
	if (options->has_cpus && options->command != NULL)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--cpu", "--");
	return true;
}

/* Standard output is the screen's, or that of a batch run, unless it is told otherwise. */
static bool check_recording(const struct options *options, struct error *error)
{
	const bool is_free =
		options->batch && (options->output != NULL || options->command != NULL);

	if (options->record == NULL && options->compression > 0 && options->batch)
		return error_set(error, ERROR_RECORD_UNUSED, NULL, NULL);
	if (options->record == NULL || strcmp(options->record, "-") != 0 || is_free)
		return true;
	return error_set(error, ERROR_RECORD_OUTPUT, options->record, NULL);
}

/* Not all that a screen can show can be printed, and the screen itself says why a view is empty. */
static bool check_view(const struct options *options, struct error *error)
{
	if (options->has_top && !options->format->is_totals)
		return error_set(error, ERROR_TOP_UNUSED, NULL, NULL);
	if (!options->batch)
		return true;
	if (options->history == 0 && options->view->needs_history)
		return error_set(error, ERROR_HISTORY_NONE, options->view->name, NULL);
	if (options->view->is_strip)
		return error_set(error, ERROR_VIEW_SCREEN_ONLY, options->view->name, NULL);
	if (options->view->is_log && options->format->log_is_fixed && options->column_list != NULL)
		return error_set(error, ERROR_COLUMNS_FIXED, options->column_list,
				 options->format->name);
	return true;
}

bool options_parse(struct options *options, int argc, char *const *argv, struct error *error)
{
	struct cursor cursor = {.argc = argc, .next = 1, .argv = argv};

	*options = (struct options){
		.uid = -1,
		.arguments = argv,
		.top = OPTIONS_TOP,
		.delay_s = OPTIONS_DELAY_S,
		.history = OPTIONS_HISTORY,
		.view = view_find("tasks"),
		.format = batch_find("text"),
	};
	if (parse_words(options, &cursor, error) && check_sources(options, error) &&
	    check_view(options, error) && check_recording(options, error))
		return true;
	options_fini(options);
	return false;
}

void options_fini(struct options *options)
{
	free(options->pids);
	strbuf_fini(&options->pid_list);
	strbuf_fini(&options->pattern);
	free(options->event_lists);
	free(options->metric_definitions);
	number_list_fini(&options->cpus);
	*options = (struct options){0};
}

const struct option_info *options_table(size_t *count)
{
	*count = OPTION_COUNT;
	return option_table;
}

void options_help(struct strbuf *out)
{
	strbuf_add(out, "perftop shows what processors really do: instructions per cycle, cache "
			"misses and\n"
			"context switches of the machine, of each CPU and of each task, live.\n\n"
			"usage: perftop [OPTION...]                  the whole machine; own tasks "
			"where that is refused\n"
			"       perftop -p PID[,PID...] [OPTION...]  these processes\n"
			"       perftop [OPTION...] -- COMMAND [ARG...]\n"
			"                                            start COMMAND and count it, "
			"leave with its status\n"
			"       perftop -i FILE [OPTION...]          what was recorded, by perf or "
			"perftop\n"
			"       perftop check                        what works here, and what "
			"would change it\n"
			"       perftop events [WORD...]             what can be counted here, and "
			"what it means\n\n");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *info = &option_table[i];
		char name[64];

		snprintf(name, sizeof(name), "--%s%s%s", info->name,
			 info->argument != NULL && !option_may_be_alone(info) ? " " : "",
			 info->argument != NULL ? info->argument : "");
		if (info->letter != 0)
			strbuf_printf(out, "  -%c, %-22s %s\n", info->letter, name, info->help);
		else
			strbuf_printf(out, "      %-22s %s\n", name, info->help);
	}
	strbuf_add(out, "\nExit status: 0 success, 1 the run failed, 2 wrong usage; behind -- that "
			"of COMMAND.\n");
}
