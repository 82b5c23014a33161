/*
 * The options: what each of them does to the run is in their table. A text that is right or wrong
 * by itself is refused here; what needs the machine is taken as it was typed. When all words of the
 * command line are known they are checked against each other.
 */
#include "session/options.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "kernel/proc.h"
#include "view/names.h"
#include "view/table.h"

#include "session/budget.h"

static const uint64_t TOP_USUAL = UINT64_MAX; /* --top was not given */

bool options_parse_delay(const char *text, double *delay_s, struct error *error)
{
	return units_parse_double(text, OPTIONS_DELAY_MIN_MS / 1000.0, OPTIONS_DELAY_MAX_S,
				  delay_s) ||
	       error_set(error, ERROR_NUMBER_BAD, text, "delay must be 0.05 to 86400 seconds");
}

static bool apply_pid(struct options *options, const char *argument, struct error *error)
{
	const char *cursor = argument;
	char word[OPTIONS_NAME_BYTES];
	uint64_t pid;

	while (word_list_next(&cursor, word, sizeof(word))) {
		if (word[strspn(word, "+-0123456789")] == '\0' &&
		    !units_parse_u64(word, 1, INT_MAX, &pid))
			return error_set(error, ERROR_PID_BAD, word[0] != '\0' ? word : argument,
					 NULL);
	}
	if (argument[0] == '\0' || argument[strlen(argument) - 1] == ',')
		return error_set(error, ERROR_PID_BAD, argument, NULL);
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

static bool apply_view(struct options *options, const char *argument, struct error *error)
{
	char names[256];

	options->has_view = true;
	options->view = view_find(options->views, argument);
	if (options->view)
		return true;
	view_names(options->views, names, sizeof(names));
	return error_set(error, ERROR_VIEW_UNKNOWN, argument, names);
}

static bool apply_delay(struct options *options, const char *argument, struct error *error)
{
	options->has_delay = true;
	return options_parse_delay(argument, &options->delay_s, error);
}

static bool apply_budget(struct options *options, const char *argument, struct error *error)
{
	options->has_budget = true;
	return budget_parse(argument, &options->budget_pct, error);
}

static bool apply_format(struct options *options, const char *argument, struct error *error)
{
	char names[128];

	options->format = batch_find(argument);
	options->batch = true;
	if (options->format)
		return true;
	batch_names(names, sizeof(names));
	return error_set(error, ERROR_FORMAT_UNKNOWN, argument, names);
}

static bool apply_compress(struct options *options, const char *argument, struct error *error)
{
	uint64_t level = OPTIONS_COMPRESSION;

	if (argument && !units_parse_u64(argument, 1, OPTIONS_COMPRESSION_MAX, &level))
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
				 "history must be 0 to 100M switches");
	options->history *= scale;
	return true;
}

static void add_option_text(const char ***texts, size_t *count, size_t *capacity, const char *text)
{
	array_reserve(texts, capacity, *count + 1, sizeof(**texts));
	(*texts)[(*count)++] = text;
}

static bool apply_event(struct options *options, const char *argument, struct error *error)
{
	add_option_text(&options->event_lists, &options->event_list_count,
			&options->event_list_capacity, argument);
	return true;
}

static bool apply_metric(struct options *options, const char *argument, struct error *error)
{
	add_option_text(&options->metric_definitions, &options->metric_count,
			&options->metric_capacity, argument);
	return true;
}

static bool apply_input(struct options *options, const char *argument, struct error *error)
{
	const bool is_pipe = strcmp(argument, "-") == 0;

	for (size_t i = 0; i < options->input_count; i++)
		if (is_pipe && strcmp(options->inputs[i], "-") == 0)
			return error_set(error, ERROR_HOSTS_PIPE, NULL, NULL);
	add_option_text(&options->inputs, &options->input_count, &options->input_capacity,
			argument);
	options->input = options->inputs[0];
	return true;
}

static bool apply_config(struct options *options, const char *argument, struct error *error)
{
	options->config_path = argument;
	options->no_config = !argument;
	return true;
}

static bool apply_output(struct options *options, const char *argument, struct error *error)
{
	options->output = argument;
	return options->batch = true;
}

static bool apply_fail_if(struct options *options, const char *argument, struct error *error)
{
	options->fail_if = argument;
	return options->batch = true;
}

static bool apply_keep(struct options *options, const char *argument, struct error *error)
{
	const size_t length = strcspn(argument, ",");
	char *seconds = xstrndup(argument, length);
	const bool good = units_parse_u64(seconds, 1, OPTIONS_KEEP_MAX_S, &options->keep_s) &&
			  (argument[length] == '\0' ||
			   units_parse_u64(argument + length + 1, 1, OPTIONS_KEEP_FILES_MAX,
					   &options->keep_files));

	free(seconds);
	return good || error_set(error, ERROR_KEEP_BAD, argument, NULL);
}

static bool apply_version(struct options *options, const char *argument, struct error *error)
{
	options->action = OPTIONS_VERSION;
	return true;
}

static bool apply_help(struct options *options, const char *argument, struct error *error)
{
	options->action = OPTIONS_HELP;
	return true;
}

/* clang-format off */
#define TEXT(member) .type = OPTION_TEXT, .offset = offsetof(struct options, member)
#define FLAG(member) .type = OPTION_FLAG, .offset = offsetof(struct options, member)
#define NUMBER(member, lowest, highest, words) .type = OPTION_NUMBER, .offset = offsetof(struct options, member), .least = lowest, .most = highest, .fault = words
#define CALL(name) .type = OPTION_CALL, .apply = apply_##name
static const struct option_info option_table[] = {
	{'p', "pid",        "LIST",    "watch these processes, by pid or name (all of that name)", CALL(pid)},
	{'u', "user",       "USER",    "show only the tasks of this user", CALL(user)},
	{'G', "cgroup",     "LIST",    "watch only the tasks of these cgroups or containers, by path or name", TEXT(cgroup)},
	{'C', "cpu",        "LIST",    "watch only these CPUs, for example 0-3,8", CALL(cpu)},
	{'e', "event",      "LIST",    "count these events too, a column for each; may be repeated", CALL(event)},
	{'m', "metric",     "DEF",     "NAME=FORMULA: a computed column; may be repeated", CALL(metric)},
	{'c', "columns",    "LIST",    "topdown, memory, branches, scheduling; or columns, metrics, events", TEXT(column_list)},
	{'s', "sort",       "COLUMN",  "sort by it; -COLUMN descending, +COLUMN ascending; A,B: ties by B", TEXT(sort_text)},
	{'f', "filter",     "EXPR",    "rows to show: 'ipc < 0.5 && command ~ \"java\"'", TEXT(filter)},
	{0,   "by",         "EVENT",   "functions by this event, not by time (page-faults, mem:ADDR:w...)", TEXT(by)},
	{'V', "view",       "NAME",    "the first view", CALL(view)},
	{'d', "delay",      "SECONDS", "length of an interval (1)", CALL(delay)},
	{'n', "iterations", "N",       "exit after N intervals", NUMBER(iterations, 1, UINT32_MAX, "iterations must be a whole number above 0")},
	{0,   "top",        "N",       "print N rows or stacks; openmetrics: totals of N (50), and the rest", NUMBER(top, 0, OPTIONS_TOP_MAX, "top must be 0 to 100000 rows")},
	{0,   "fail-if",    "EXPR",    "exit with status 3 at the first row of this filter; implies --batch", CALL(fail_if)},
	{0,   "keep",       "SECONDS[,FILES]", "keep all records of the last seconds, for :record-past FILE", CALL(keep)},
	{0,   "trigger",    "EXPR",    "record what was and is around a row of this filter (--keep 10,3)", TEXT(trigger)},
	{'b', "batch",      NULL,      "print instead of showing a screen", FLAG(batch)},
	{0,   "format",     "NAME",    "implies --batch; one of:"
#define FORMAT(name, ...) " " #name
#include "batch/formats.def"
#undef FORMAT
	, CALL(format)},
	{'o', "output",     "FILE",    "print into FILE, not standard output (of -- COMMAND: standard error)", CALL(output)},
	{'i', "input",      "FILE",    "replay a recording, - reads a pipe; repeated: of several hosts", CALL(input)},
	{0,   "against",    "FILE",    "with -i: what is more or less than in this recording", TEXT(against)},
	{'w', "record",     "FILE",    "record to this perf.data file; - is standard output (with -b)", TEXT(record)},
	{'z', "compress",   "[LEVEL]", "compress the recording (1 to 22)", CALL(compress)},
	{0,   "history",    "N",       "keep the last N switches (500k: 40 to 60 MB); 0 none", CALL(history)},
	{0,   "past",       "MIB",     "memory for intervals of the past, to go back to (32)", NUMBER(past_mib, 1, OPTIONS_PAST_MIB_MAX, "the memory for the past is 1 to 65536 MiB")},
	{0,   "config",     "FILE",    "read this instead of ~/.config/perftop/perftop.conf", CALL(config)},
	{0,   "no-config",  NULL,      "read no configuration", CALL(config)},
#define SETTING_OPTION(letter_, option_, argument_, help_, member_, ...) \
	{letter_, option_, argument_, help_, .type = OPTION_SETTING, .setting = &setting_table[SETTING_##member_]},
#include "view/setting.def"
	{0,   "budget",     "PERCENT", "limit the cost, in % of the machine, by counting part of the time", CALL(budget)},
	{0,   "realtime",   NULL,      "run with the lowest real-time priority (SCHED_RR 1) from the start", FLAG(realtime)},
	{0,   "interrupt-isolated", NULL, "read isolated and nohz_full CPUs at each refresh too", FLAG(interrupt_isolated)},
	{0,   "ascii",      NULL,      "use ASCII characters only", FLAG(ascii)},
	{0,   "version",    NULL,      "print the version", CALL(version)},
	{'h', "help",       NULL,      "print this help", CALL(help)},
};
#undef TEXT
#undef FLAG
#undef NUMBER
#undef CALL
/* clang-format on */

const struct option_info *options_table(size_t *count)
{
	*count = sizeof(option_table) / sizeof(*option_table);
	return option_table;
}

bool option_may_be_alone(const struct option_info *info)
{
	return info->argument && info->argument[0] == '[';
}

/* Without an argument it is turned round. */
static bool apply_setting(struct options *options, const struct setting_info *info,
			  const char *argument, struct error *error)
{
	int *value = &options->settings.all[info->number];
	char words[128];

	*value = argument ? setting_find(info, argument) : info->first != 1;
	if (*value != SETTING_UNSET)
		return true;
	snprintf(words, sizeof(words), "%s: %s", info->name, info->words);
	return error_set(error, ERROR_SETTING_UNKNOWN, argument, words);
}

static bool apply_option(struct options *options, const struct option_info *info,
			 const char *argument, struct error *error)
{
	char *member = (char *)options + info->offset;

	switch (info->type) {
	case OPTION_TEXT:
		*(const char **)(void *)member = argument;
		return true;
	case OPTION_FLAG:
		return *(bool *)(void *)member = true;
	case OPTION_NUMBER:
		return units_parse_u64(argument, info->least, info->most,
				       (uint64_t *)(void *)member) ||
		       error_set(error, ERROR_NUMBER_BAD, argument, info->fault);
	case OPTION_SETTING:
		return apply_setting(options, info->setting, argument, error);
	case OPTION_CALL:
		break;
	}
	return info->apply(options, argument, error);
}

/* By its letter, or by its name where that is 0. */
static const struct option_info *find_option_info(char letter, const char *name, size_t length)
{
	const size_t count = sizeof(option_table) / sizeof(*option_table);

	for (const struct option_info *info = option_table; info < option_table + count; info++)
		if (letter != 0 ? info->letter == letter
				: strlen(info->name) == length &&
					  strncmp(info->name, name, length) == 0)
			return info;
	return NULL;
}

/* What perf, top and htop have by these letters: where it is here. */
static const struct {
	char letter;
	const char *remedy;
} letters_of_others[] = {
	{'a', "the whole machine is the default; perftop --help lists the options"},
	{'F', "--by EVENT/freq=N/ takes N samples a second"},
	{'g', "--call-graph fp, lbr or dwarf says how callers are found"},
	{'t', "threads: -H; one of them: -f 'tid = N'; a tree: the key t"},
};

static bool refuse_letter(char letter, struct error *error)
{
	const char shown[] = {'-', letter, '\0'};

	for (size_t i = 0; i < sizeof(letters_of_others) / sizeof(*letters_of_others); i++)
		if (letters_of_others[i].letter == letter)
			return error_set(error, ERROR_OPTION_OF_OTHERS, shown,
					 letters_of_others[i].remedy);
	return error_set(error, ERROR_OPTION_UNKNOWN, shown, NULL);
}

/* The parser's position in argv. */
struct option_cursor {
	int argc, next;
	char *const *argv;
};

/* --name, --name=value, --name value */
static bool parse_long(struct options *options, struct option_cursor *cursor, struct error *error)
{
	const char *word = cursor->argv[cursor->next++];
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
	const struct option_info *info = find_option_info(0, word + 2, length);

	if (!info)
		return error_set(error, ERROR_OPTION_UNKNOWN, word, NULL);
	if (!info->argument && equals)
		return error_set(error, ERROR_OPTION_NO_ARGUMENT, word, NULL);
	if (!info->argument || equals || option_may_be_alone(info))
		return apply_option(options, info, equals ? equals + 1 : NULL, error);
	if (cursor->next == cursor->argc)
		return error_set(error, ERROR_OPTION_ARGUMENT, word, NULL);
	return apply_option(options, info, cursor->argv[cursor->next++], error);
}

/* -x, -xyz, -xVALUE, -x VALUE */
static bool parse_short(struct options *options, struct option_cursor *cursor, struct error *error)
{
	const char *word = cursor->argv[cursor->next++];

	for (const char *letter = word + 1; *letter != '\0'; letter++) {
		const struct option_info *info = find_option_info(*letter, NULL, 0);
		const char shown[] = {'-', *letter, '\0'};

		if (!info)
			return refuse_letter(*letter, error);
		if (!info->argument) {
			if (!apply_option(options, info, NULL, error))
				return false;
			continue;
		}
		if (option_may_be_alone(info) && (letter[1] < '0' || letter[1] > '9')) {
			if (!apply_option(options, info, NULL, error))
				return false;
			continue;
		}
		if (letter[1] != '\0')
			return apply_option(options, info, letter + 1, error);
		if (cursor->next == cursor->argc)
			return error_set(error, ERROR_OPTION_ARGUMENT, shown, NULL);
		return apply_option(options, info, cursor->argv[cursor->next++], error);
	}
	return true;
}

/* A word that is no option: an action, or what that is about. */
static bool parse_word(struct options *options, const char *word, struct error *error)
{
	const bool is_check = strcmp(word, "check") == 0;

	if (options->action == OPTIONS_EVENTS) {
		strbuf_printf(&options->pattern, "%s%s", options->pattern.length > 0 ? " " : "",
			      word);
		return true;
	}
	if (options->action == OPTIONS_CHECK || (!is_check && strcmp(word, "events") != 0))
		return error_set(error, ERROR_WORD_UNEXPECTED, word, NULL);
	if (options->action == OPTIONS_RUN)
		options->action = is_check ? OPTIONS_CHECK : OPTIONS_EVENTS;
	return true;
}

static bool parse_words(struct options *options, struct option_cursor *cursor, struct error *error)
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
	const bool has_pids = options->pid_list.length > 0;
	const struct {
		bool first, second;
		const char *first_name, *second_name;
	} conflicts[] = {
		{options->input, options->command, "--input", "--"},
		{has_pids, options->command, "--pid", "--"},
		{options->input, options->cgroup, "--input", "--cgroup"},
		{options->cgroup, has_pids, "--cgroup", "--pid"},
		{options->cgroup, options->command, "--cgroup", "--"},
		{options->has_cpus, has_pids, "--cpu", "--pid"},
		{options->has_cpus, options->command, "--cpu", "--"},
	};

	if (options->input && options->has_cpus)
		return error_set(error, ERROR_REPLAY_CPUS, NULL, NULL);
	if (options->input && options->record)
		return error_set(error, ERROR_REPLAY_RECORD, options->record, NULL);
	if (options->input && (options->keep_s > 0 || options->trigger))
		return error_set(error, ERROR_PAST_REPLAY, NULL, NULL);
	for (size_t i = 0; i < sizeof(conflicts) / sizeof(*conflicts); i++)
		if (conflicts[i].first && conflicts[i].second)
			return error_set(error, ERROR_SOURCES_CONFLICT, conflicts[i].first_name,
					 conflicts[i].second_name);
	return true;
}

/* Several recordings: what is of one machine alone can be asked of its recording. */
static bool check_hosts(const struct options *options, struct error *error)
{
	/* what was asked for: a format with a view of its own brings that */
	const bool is_of_format = options->format->is_totals || options->format->view;

	if (options->input_count < 2)
		return true;
	if (options->pid_list.length > 0)
		return error_set(error, ERROR_HOSTS_OPTION, "--pid", "-f 'pid = PID'");
	if (options->uid >= 0 || options->user)
		return error_set(error, ERROR_HOSTS_OPTION, "--user", "-f 'user = NAME'");
	if (options->batch && (options->format->is_totals || !options->view->is_joined))
		return error_set(error, ERROR_HOSTS_ONE,
				 is_of_format ? options->format->name : options->view->name, NULL);
	return true;
}

/* Standard output is the screen's, or that of a batch run, unless options say otherwise. What is
 * for people is not printed where that is a recording: ssh HOST perftop -b -w - | perftop -i - */
static bool check_recording(struct options *options, struct error *error)
{
	const bool is_free = options->batch && (options->output || options->command);

	if (!options->record && options->compression > 0 && options->batch)
		return error_set(error, ERROR_RECORD_UNUSED, NULL, NULL);
	if (!options->record || strcmp(options->record, "-") != 0 || is_free)
		return true;
	if (!options->batch || !options->format->is_for_people)
		return error_set(error, ERROR_RECORD_OUTPUT, options->record, NULL);
	options->output = "/dev/null";
	return true;
}

/* Not all that a screen can show can be printed, and the screen itself says why a view is empty. */
static bool check_view(const struct options *options, struct error *error)
{
	if (options->top != TOP_USUAL && !options->batch)
		return error_set(error, ERROR_TOP_UNUSED, NULL, NULL);
	if (options->keep_s > 0 && options->batch && !options->trigger)
		return error_set(error, ERROR_KEEP_UNUSED, NULL, NULL);
	if (options->trigger && options->view->is_log)
		return error_set(error, ERROR_TRIGGER_LOG, options->view->name, NULL);
	if (options->settings.weight == WEIGHT_LATENCY &&
	    (options->settings.samples > SAMPLES_ON_CPU || options->by))
		return error_set(error, ERROR_WEIGHT_SAMPLES, "--weight latency", NULL);
	if (!options->batch)
		return true;
	if (options->fail_if && options->view->is_log)
		return error_set(error, ERROR_FAIL_IF_LOG, options->view->name, NULL);
	if (options->history == 0 && options->view->needs_history)
		return error_set(error, ERROR_HISTORY_NONE, options->view->name, NULL);
	if (options->view->is_screen_only)
		return error_set(error, ERROR_VIEW_SCREEN_ONLY, options->view->name, NULL);
	if (options->format->view ? strcmp(options->view->name, options->format->view) != 0
				  : options->format->is_totals && !options->view->has_totals)
		return error_set(error, ERROR_VIEW_NO_TOTALS, options->view->name,
				 options->format->name);
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

/* Printed is all of the recording against all of the other, unless intervals are asked for. */
static bool check_against(struct options *options, struct error *error)
{
	if (!options->against)
		return true;
	if (options->input_count != 1)
		return error_set(error, ERROR_AGAINST_ONE, options->against, NULL);
	if (options->batch && !options->format->has_differences)
		return error_set(error, ERROR_AGAINST_FORMAT, options->format->name, NULL);
	if (options->batch && !options->format->is_totals && !options->has_delay) {
		options->has_delay = true;
		options->delay_s = OPTIONS_DELAY_MAX_S;
	}
	return true;
}

/* As the command columns has it. */
static void take_default_columns(struct options *options)
{
	if (options->column_list && strcmp(options->column_list, "default") == 0)
		options->column_list = NULL;
}

static void show_view(struct options *options, const struct view_info *view)
{
	if (options->has_view)
		return;
	options->view = view;
	options->has_view = true;
}

/* What is asked for of a view is to be seen, and the only view that a format has. */
static bool show_asked_for(struct options *options)
{
	const struct settings *settings = &options->settings;

	for (size_t i = 0; i < options->views->count; i++) {
		const struct view_info *view = options->views->views[i];

		if (view->forms && settings->all[view->form] != SETTING_UNSET)
			show_view(options, view);
	}
	if (settings->samples != SETTING_UNSET && !options->format->has_samples)
		show_view(options, &view_functions);
	if (options->format->view)
		show_view(options, view_find(options->views, options->format->view));
	return true;
}

bool options_parse(struct options *options, const struct view_list *views, int argc,
		   char *const *argv, struct error *error)
{
	struct option_cursor cursor = {.argc = argc, .next = 1, .argv = argv};

	*options = (struct options){
		.uid = -1,
		.arguments = argv,
		.top = TOP_USUAL,
		.delay_s = OPTIONS_DELAY_S,
		.history = OPTIONS_HISTORY,
		.past_mib = OPTIONS_PAST_MIB,
		.keep_files = OPTIONS_KEEP_FILES,
		.views = views,
		.view = &view_tasks,
		.format = batch_find("text"),
	};
	settings_unset(&options->settings);
	if (parse_words(options, &cursor, error) && show_asked_for(options) &&
	    check_sources(options, error) && check_view(options, error) &&
	    check_hosts(options, error) && check_recording(options, error) &&
	    check_against(options, error) && find_pids(options, error)) {
		take_default_columns(options);
		if (options->trigger && options->keep_s == 0)
			options->keep_s = OPTIONS_KEEP_S;
		if (options->top == TOP_USUAL)
			options->top = options->format->is_totals && !options->format->view
					       ? OPTIONS_TOP
					       : 0;
		return true;
	}
	options_fini(options);
	return false;
}

void options_fini(struct options *options)
{
	free(options->pids);
	strbuf_fini(&options->pid_list);
	strbuf_fini(&options->pattern);
	free(options->event_lists);
	free(options->inputs);
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

bool options_print_samples(const struct options *options)
{
	return options->batch && options->format->has_samples &&
	       (options->settings.samples != SETTING_UNSET || options->by || options->input);
}

void options_help(struct strbuf *out)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	strbuf_add(out, "perftop shows what processors really do: instructions per cycle, cache "
			"misses and\n"
			"context switches of the machine, of each CPU and of each task, live.\n\n"
			"usage: perftop [OPTION...]                  the whole machine; own tasks "
			"where that is not permitted\n"
			"       perftop -p PID|NAME,... [OPTION...]  these processes\n"
			"       perftop -G CGROUP,... [OPTION...]    cgroups or containers\n"
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
	strbuf_add(out,
		   "\nExit status: 0 success, 1 the run failed, 2 wrong usage, 3 a row of "
		   "--fail-if; after --\nthat of COMMAND, 127 where it is not found, 126 where it "
		   "cannot be run.\n");
}
