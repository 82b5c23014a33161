/*
 * Words of the command line are options of the table (options_table.c), or actions. When all of
 * them are known they are held against each other.
 */
#include "session/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "kernel/proc.h"
#include "view/table.h"

static const struct option_info *find_letter(char letter)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	for (size_t i = 0; i < count; i++)
		if (table[i].letter == letter && letter != 0)
			return &table[i];
	return NULL;
}

static const struct option_info *find_name(const char *name, size_t length)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	for (size_t i = 0; i < count; i++)
		if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
			return &table[i];
	return NULL;
}

/* The parser's position in argv. */
struct cursor {
	int argc, next;
	char *const *argv;
};

/* --name, --name=value, --name value */
static bool parse_long(struct options *options, struct cursor *cursor, struct error *error)
{
	const char *word = cursor->argv[cursor->next++];
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
	const struct option_info *info = find_name(word + 2, length);

	if (!info)
		return error_set(error, ERROR_OPTION_UNKNOWN, word, NULL);
	if (!info->argument && equals)
		return error_set(error, ERROR_OPTION_NO_ARGUMENT, word, NULL);
	if (!info->argument || equals || option_may_be_alone(info))
		return info->apply(options, equals ? equals + 1 : NULL, error);
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

		if (!info)
			return error_set(error, ERROR_OPTION_UNKNOWN, shown, NULL);
		if (!info->argument) {
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
			return options->command[0] ||
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
	if (options->input && options->command)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--input", "--");
	if (options->input && options->has_cpus)
		return error_set(error, ERROR_REPLAY_CPUS, NULL, NULL);
	if (options->input && options->record)
		return error_set(error, ERROR_REPLAY_RECORD, options->record, NULL);
	if (options->pid_list.length > 0 && options->command)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--pid", "--");
	if (options->has_cpus && options->pid_list.length > 0)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--cpu", "--pid");
	if (options->has_cpus && options->command)
		return error_set(error, ERROR_SOURCES_CONFLICT, "--cpu", "--");
	return true;
}

/* Standard output is the screen's, or that of a batch run, unless options say otherwise. */
static bool check_recording(const struct options *options, struct error *error)
{
	const bool is_free = options->batch && (options->output || options->command);

	if (!options->record && options->compression > 0 && options->batch)
		return error_set(error, ERROR_RECORD_UNUSED, NULL, NULL);
	if (!options->record || strcmp(options->record, "-") != 0 || is_free)
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
	if (options->view->is_log && options->format->log_is_fixed && options->column_list)
		return error_set(error, ERROR_COLUMNS_FIXED, options->column_list,
				 options->format->name);
	return true;
}

static void add_pid(struct options *options, int32_t pid)
{
	array_reserve(&options->pids, &options->pid_capacity, options->pid_count + 1,
		      sizeof(*options->pids));
	options->pids[options->pid_count++] = pid;
}

/* As the prompt of the screen finds a name: exactly so, or a part that only one has. */
static bool add_named(struct options *options, const char *name, struct error *error)
{
	int32_t only, *pids;
	size_t count, found;

	if (options->input)
		return error_set(error, ERROR_REPLAY_NAMES, name, NULL);
	count = proc_find_by_name(name, &only, 1);
	if (count == 0) {
		count = proc_find_by_part(name, &only, 1);
		if (count != 1)
			return error_set(error,
					 count == 0 ? ERROR_PROCESS_NONE : ERROR_PROCESS_SEVERAL,
					 name, NULL);
		add_pid(options, only);
		return true;
	}
	pids = xcalloc(count, sizeof(*pids));
	found = proc_find_by_name(name, pids, count);
	for (size_t i = 0; i < found && i < count; i++)
		add_pid(options, pids[i]);
	free(pids);
	return options->pid_count > 0 || error_set(error, ERROR_PROCESS_NONE, name, NULL);
}

static bool find_pids(struct options *options, struct error *error)
{
	const char *cursor = strbuf_text(&options->pid_list);
	char word[OPTIONS_NAME_BYTES];
	uint64_t pid;

	while (word_list_next(&cursor, word, sizeof(word)))
		if (units_parse_u64(word, 1, INT_MAX, &pid))
			add_pid(options, (int32_t)pid);
		else if (!add_named(options, word, error))
			return false;
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
		.past_mib = OPTIONS_PAST_MIB,
		.view = &view_tasks,
		.format = batch_find("text"),
	};
	if (parse_words(options, &cursor, error) && check_sources(options, error) &&
	    check_view(options, error) && check_recording(options, error) &&
	    find_pids(options, error))
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

void option_name(const struct option_info *info, char *name, size_t size)
{
	snprintf(name, size, "--%s%s%s", info->name,
		 info->argument && !option_may_be_alone(info) ? " " : "",
		 info->argument ? info->argument : "");
}

void options_help(struct strbuf *out)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	strbuf_add(out, "perftop shows what processors really do: instructions per cycle, cache "
			"misses and\n"
			"context switches of the machine, of each CPU and of each task, live.\n\n"
			"usage: perftop [OPTION...]                  the whole machine; own tasks "
			"where that is refused\n"
			"       perftop -p PID|NAME,... [OPTION...]  these processes\n"
			"       perftop [OPTION...] -- COMMAND [ARG...]\n"
			"                                            start COMMAND and count it, "
			"leave with its status\n"
			"       perftop -i FILE [OPTION...]          what was recorded, by perf or "
			"perftop\n"
			"       perftop check                        what works here, and what "
			"would change it\n"
			"       perftop events [WORD...]             what can be counted here, and "
			"what it means\n\n");
	for (size_t i = 0; i < count; i++) {
		const struct option_info *info = &table[i];
		char name[64];

		option_name(info, name, sizeof(name));
		if (info->letter != 0)
			strbuf_printf(out, "  -%c, %-22s %s\n", info->letter, name, info->help);
		else
			strbuf_printf(out, "      %-22s %s\n", name, info->help);
	}
	strbuf_add(out, "\nExit status: 0 success, 1 the run failed, 2 wrong usage; after -- that "
			"of COMMAND,\n127 where it is not found, 126 where it cannot be run.\n");
}
