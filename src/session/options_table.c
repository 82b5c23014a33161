/*
 * Which options there are, and what each of them does to the run. A text that is right or wrong by
 * itself is refused here; what needs the machine is taken as it was typed.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "view/groups.h"
#include "view/table.h"
#include "view/users.h"

#include "session/options.h"

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
	options->column_list = argument;
	return true;
}

static bool apply_sort(struct options *options, const char *argument, struct error *error)
{
	options->sort_text = argument;
	return true;
}

static bool apply_filter(struct options *options, const char *argument, struct error *error)
{
	options->filter = argument;
	return true;
}

static bool apply_event(struct options *options, const char *argument, struct error *error)
{
	array_reserve(&options->event_lists, &options->event_list_capacity,
		      options->event_list_count + 1, sizeof(*options->event_lists));
	options->event_lists[options->event_list_count++] = argument;
	return true;
}

static bool apply_metric(struct options *options, const char *argument, struct error *error)
{
	array_reserve(&options->metric_definitions, &options->metric_capacity,
		      options->metric_count + 1, sizeof(*options->metric_definitions));
	options->metric_definitions[options->metric_count++] = argument;
	return true;
}

static bool apply_config(struct options *options, const char *argument, struct error *error)
{
	options->config_path = argument;
	options->no_config = false;
	return true;
}

static bool apply_no_config(struct options *options, const char *argument, struct error *error)
{
	options->config_path = NULL;
	return options->no_config = true;
}

static bool apply_view(struct options *options, const char *argument, struct error *error)
{
	char names[256];

	options->has_view = true;
	options->view = view_find(argument);
	if (options->view)
		return true;
	view_names(names, sizeof(names));
	return error_set(error, ERROR_VIEW_UNKNOWN, argument, names);
}

/* Whoever asks for groups wants to see them. */
static bool apply_group_by(struct options *options, const char *argument, struct error *error)
{
	char names[256];

	options->grouping = grouping_find(argument);
	if (!options->grouping) {
		grouping_names(names, sizeof(names));
		return error_set(error, ERROR_GROUPING_UNKNOWN, argument, names);
	}
	if (!options->has_view)
		options->view = &view_groups;
	return options->has_view = true;
}

static bool apply_threads(struct options *options, const char *argument, struct error *error)
{
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
	       error_set(error, ERROR_NUMBER_BAD, argument, "top must be 0 to 100000 tasks");
}

static bool apply_iterations(struct options *options, const char *argument, struct error *error)
{
	return units_parse_u64(argument, 1, UINT32_MAX, &options->iterations) ||
	       error_set(error, ERROR_NUMBER_BAD, argument,
			 "iterations must be a whole number above 0");
}

static bool apply_batch(struct options *options, const char *argument, struct error *error)
{
	return options->batch = true;
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

static bool apply_output(struct options *options, const char *argument, struct error *error)
{
	options->output = argument;
	options->batch = true;
	return true;
}

static bool apply_input(struct options *options, const char *argument, struct error *error)
{
	options->input = argument;
	return true;
}

static bool apply_record(struct options *options, const char *argument, struct error *error)
{
	options->record = argument;
	return true;
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

static bool apply_past(struct options *options, const char *argument, struct error *error)
{
	if (!units_parse_u64(argument, 1, OPTIONS_PAST_MIB_MAX, &options->past_mib))
		return error_set(error, ERROR_NUMBER_BAD, argument,
				 "the memory for the past is 1 to 65536 MiB");
	return true;
}

static bool apply_ascii(struct options *options, const char *argument, struct error *error)
{
	return options->ascii = true;
}

static bool apply_theme(struct options *options, const char *argument, struct error *error)
{
	options->theme = argument;
	return true;
}

static bool apply_no_mouse(struct options *options, const char *argument, struct error *error)
{
	return options->no_mouse = true;
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
static const struct option_info option_table[] = {
	{'p', "pid",        "LIST",    "watch these processes, by pid or name (all of that name)",   apply_pid},
	{'u', "user",       "USER",    "show only the tasks of this user",                           apply_user},
	{'C', "cpu",        "LIST",    "watch only these CPUs, for example 0-3,8",                   apply_cpu},
	{'e', "event",      "LIST",    "count these events too, a column for each; may be repeated", apply_event},
	{'m', "metric",     "DEF",     "NAME=FORMULA: a computed column; may be repeated",   apply_metric},
	{'c', "columns",    "LIST",    "the columns to show: columns, metrics, events",              apply_columns},
	{'s', "sort",       "COLUMN",  "sort by it; -COLUMN descending, +COLUMN ascending; A,B: ties by B", apply_sort},
	{'f', "filter",     "EXPR",    "rows to show: 'ipc < 0.5 && command ~ \"java\"'",            apply_filter},
	{'V', "view",       "NAME",    "the first view",                                     apply_view},
	{0,   "group-by",   "NAME",    "tasks summed by command, user, cgroup, container, parent...", apply_group_by},
	{'H', "threads",    NULL,      "a row for each thread instead of each process",              apply_threads},
	{'d', "delay",      "SECONDS", "length of an interval (1)",                                  apply_delay},
	{'n', "iterations", "N",       "exit after N intervals",                                    apply_iterations},
	{0,   "top",        "N",       "openmetrics: totals of N tasks (50), and of the rest together", apply_top},
	{'b', "batch",      NULL,      "print instead of showing a screen",                          apply_batch},
	{0,   "format",     "NAME",    "output format: text, csv, json, openmetrics; implies --batch", apply_format},
	{'o', "output",     "FILE",    "print into FILE; implies --batch",                                            apply_output},
	{'i', "input",      "FILE",    "replay a recording, perf's or perftop's; - reads a pipe",     apply_input},
	{'w', "record",     "FILE",    "record to this perf.data file; - is standard output",      apply_record},
	{'z', "compress",   "[LEVEL]", "compress the recording (1 to 22)",                           apply_compress},
	{0,   "history",    "N",       "keep the last N switches (1M: 40 to 200 MB); 0 none",          apply_history},
	{0,   "past",       "MIB",     "memory for intervals of the past, to go back to (32)",         apply_past},
	{0,   "config",     "FILE",    "read this instead of ~/.config/perftop/perftop.conf",        apply_config},
	{0,   "no-config",  NULL,      "read no configuration",                                      apply_no_config},
	{0,   "theme",      "NAME",    "colours: default, dark, light, mono, high-contrast",          apply_theme},
	{0,   "ascii",      NULL,      "use ASCII characters only",                             apply_ascii},
	{0,   "no-mouse",   NULL,      "leave the mouse to the terminal",                            apply_no_mouse},
	{0,   "version",    NULL,      "print the version",                                          apply_version},
	{'h', "help",       NULL,      "print this help",                                            apply_help},
};
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
