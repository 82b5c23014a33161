/*
 * The help page, and the help about one thing, from the tables of keys, commands, columns, metrics
 * and views.
 */
#include "mode/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/table.h"

#include "event/catalog.h"
#include "mode/app.h"
#include "mode/browser.h"
#include "mode/command.h"
#include "mode/help_screen.h"
#include "mode/keys.h"
#include "mode/pager.h"
#include "mode/views.h"

/* A part of the sentence, for values as good as that. */
static void write_step(struct strbuf *out, struct text_marks *marks, const char *words,
		       const double *border, int goodness)
{
	const size_t begin = out->length;

	strbuf_add(out, words);
	if (border)
		strbuf_printf(out, "%g", *border);
	if (marks)
		text_marks_add_end(marks, out, begin, goodness);
}

/* A line: `before` and "best < 5 < 10 < 25 < 50 worst", and which of it has which colour (marks
 * NULL: not wanted). Nothing where the metric has no scale. */
static void write_scale(struct strbuf *out, struct text_marks *marks, const char *before,
			const struct metric_info *metric)
{
	const bool high = metric->direction == METRIC_HIGH_IS_GOOD;
	const int best = METRIC_STEPS - 1;

	if (metric_goodness(metric, metric->steps[0]) < 0)
		return;
	strbuf_add(out, before);
	for (int goodness = best; goodness > 0; goodness--) {
		const double *border =
			&metric->steps[high ? goodness - 1 : METRIC_STEPS - 1 - goodness];

		strbuf_add(out, goodness < best ? " " : "");
		write_step(out, marks,
			   goodness < best ? (high ? "> " : "< ") : (high ? "best > " : "best < "),
			   border, goodness);
	}
	strbuf_add_char(out, ' ');
	write_step(out, marks, "worst", NULL, 0);
	strbuf_add_char(out, '\n');
}

/* clang-format off */
/* What a key does whose command says more of itself. */
static const struct {
	const char *text, *help;
} key_helps[] = {
	{"by",                 "groups, pairs or functions by the next key: user, cgroup, name, object..."},
	{"calls flame",        "flame graph of functions"},
	{"flame-colour",       "the next meaning of the colours of the flame graph"},
	{"fold all",           "in a tree: fold or unfold every branch"},
	{"help",               "this page"},
	{"help .",             "explain the sort column and its good values"},
	{"next-form",          "tree of tasks or list; of functions, and of pairs, the next form"},
	{"nice +1",            "lower the priority of the task"},
	{"nice -1",            "raise the priority of the task"},
	{"ask command",        "type a command"},
	{"ask nice",           "set the nice value of the task"},
	{"samples",            "functions on the CPU, off it, both, or what wakes tasks: the next"},
	{"speed max",          "replay without waits"},
	{"speed recorded",     "replay as fast as it was recorded"},
	{"task",               "open the row: the page of a task, the members of a group, functions, code"},
	{"weight",             "functions by time, or by latency: what is serial first"},
	{"window",             "the next length of time that pairs, histogram and functions are of"},
};
/* clang-format on */

static const char *find_key_help(const char *text)
{
	for (size_t i = 0; i < sizeof(key_helps) / sizeof(*key_helps); i++)
		if (strcmp(key_helps[i].text, text) == 0)
			return key_helps[i].help;
	return NULL;
}

/* What a key does, from what its command says of itself. */
static void describe_word(struct strbuf *out, struct columns *columns, const char *text)
{
	const char *argument = strchr(text, ' ');
	const struct column *column = argument ? columns_find(columns, argument + 1) : NULL;

	if (find_key_help(text))
		strbuf_add(out, find_key_help(text));
	else if (strncmp(text, "sort ", 5) == 0 && column)
		strbuf_printf(out, "sort by %s", column->title);
	else if (strncmp(text, "view ", 5) == 0 && view_find(&all_views, text + 5))
		strbuf_add(out, view_find(&all_views, text + 5)->help);
	else
		strbuf_add(out, command_of_key(&command_table, text)->help);
}

const char *const help_topics[TOPICS] = {
	[TOPIC_HELP] = "Help",       [TOPIC_VIEWS] = "Views",
	[TOPIC_MOVING] = "Moving",   [TOPIC_ORDER] = "Order",
	[TOPIC_FINDING] = "Finding", [TOPIC_TREE] = "Tree and tags",
	[TOPIC_ACTING] = "Acting",   [TOPIC_COUNTING] = "Counting",
	[TOPIC_TIME] = "Time",       [TOPIC_RECORDING] = "Recording",
};

/* Of keys that run the same command the first represents all: its line names them. */
static bool is_first(const struct key_binding *table, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(table[i].command, table[index].command) == 0)
			return false;
	return true;
}

static void write_key(struct strbuf *out, struct columns *columns, const struct key_binding *table,
		      size_t count, const char *command)
{
	struct strbuf names = {0};

	for (size_t i = 0; i < count; i++)
		if (strcmp(table[i].command, command) == 0)
			strbuf_printf(&names, "%s%s", names.length > 0 ? " " : "", table[i].key);
	strbuf_printf(out, "  %-10s %-16s  ", strbuf_text(&names), command);
	describe_word(out, columns, command);
	strbuf_add_char(out, '\n');
	strbuf_fini(&names);
}

static const struct command_info *row_of(const struct key_binding *binding)
{
	return command_of_key(&command_table, binding->command);
}

size_t help_list_topic(size_t topic, const struct key_binding *table, size_t count, size_t *places,
		       size_t max)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const struct command_info *row = row_of(&table[i]);
		size_t at = used;

		if (row->topic != topic || !is_first(table, i) || used == max)
			continue;
		for (; at > 0 && row_of(&table[places[at - 1]]) > row; at--)
			places[at] = places[at - 1];
		places[at] = i;
		used++;
	}
	return used;
}

/* The keys of a topic, each with all of its names. */
static void write_topic(struct strbuf *out, struct columns *columns, const struct keys *keys,
			size_t topic)
{
	size_t count;
	const struct key_binding *table = keys_now(keys, &count);
	size_t *places = xcalloc(count, sizeof(*places));
	const size_t used = help_list_topic(topic, table, count, places, count);

	if (used > 0)
		strbuf_printf(out, "\n## %s\n", help_topics[topic]);
	for (size_t i = 0; i < used; i++)
		write_key(out, columns, table, count, table[places[i]].command);
	free(places);
}

static void write_keys(struct strbuf *out, struct columns *columns, const struct keys *keys)
{
	strbuf_add(out, "# Keys\n");
	for (size_t topic = 0; topic < TOPICS; topic++)
		write_topic(out, columns, keys, topic);
}

static void write_command(struct strbuf *out, const struct command_info *row)
{
	char usage[80];

	snprintf(usage, sizeof(usage), "%s %s", row->name, row->argument);
	strbuf_printf(out, "  %-30s  %s\n", usage, row->help);
}

static void write_commands(struct strbuf *out)
{
	strbuf_add(out, "\n# Commands (:)\n");
	for (const struct command_info *row = NULL; (row = command_next(&command_table, row));)
		write_command(out, row);
}

static void write_formula(struct strbuf *out, const struct metric_info *metric)
{
	strbuf_printf(out, "  %11s  = %s%s%s\n", "", metric->formula,
		      metric->unit[0] != '\0' ? ", in " : "", metric->unit);
	if (metric->good[0] != '\0')
		strbuf_printf(out, "  %11s  %s\n", "", metric->good);
}

/* Those of the table and of events; other metrics are among the metrics. */
static void write_column_help(struct strbuf *out, struct columns *columns)
{
	const size_t count = columns_count(columns);

	strbuf_add(out, "\n# Columns\n");
	for (size_t i = 0; i < count; i++) {
		const struct column *column = columns_get(columns, i);

		if (column->metric && column->was_asked_for && !column->kind)
			continue;
		strbuf_printf(out, "  %-11s  %s\n", column->name, column_help(column));
		if (column->info && !column->kind)
			write_formula(out, column->info);
	}
	for (const struct column_set *set = NULL; (set = column_set_next(set));)
		strbuf_printf(out, "  %-11s  a set of columns: %s\n", set->name, set->help);
	strbuf_add(out, "  Every metric and every event is a column too. NAME@KIND is what CPUs of "
			"one kind have "
			"of it: ipc@cpu_core.\n");
}

/* clang-format off */
static const struct {
	const char *form, *meaning;
} event_forms[] = {
	{"cycles  L1-dcache-load-misses",  "generic and cache events, by perf's names"},
	{"mem-fills  cache-llc-misses",    "presets: what this processor counts nearest to memory, its pipeline slots"},
	{"skl::INST_RETIRED:ANY",          "events of the CPU by libpfm4's names, with their umasks"},
	{"cpu/event=0x3c,umask=0x0/",      "terms of a PMU in /sys, or its named events: msr/tsc/"},
	{"r01c2",                          "raw: umask and event code in hexadecimal"},
	{"sched:sched_switch",             "tracepoint; with a filter: sched:sched_switch/prev_prio<100/"},
	{"mem:0x601040/8:rw",              "breakpoint: address, length, r w x"},
	{"uprobe:FILE:SYMBOL+OFFSET",      "calls of a function in a file; uretprobe: returns from it"},
	{"kprobe:SYMBOL+OFFSET",           "the same in the kernel; kretprobe"},
	{"EVENT:u  EVENT:k",               "modifiers: u user, k kernel, h hypervisor, H host, G guest, p P precise"},
	{"{EVENT,EVENT}",                  "counted together or not at all"},
};

static const char *const metric_forms[] = {
	"NAME = FORMULA [; unit TEXT] [; width N] [; help TEXT] [; good high|low]",
	"in it: + - * / ( ), numbers with k M G, min(a,b) max(a,b) if(condition,a,b)",
	"events by name, in double quotes where the name has more than letters, digits, _ . -",
	"run_ns, interval_ns, interval_s, switches, preemptions, migrations; other metrics",
	"for example: stall = 100 * stalled-cycles-backend / cycles; unit %; good low",
};
/* clang-format on */

static const char *const filter_forms[] = {
	"WORD                 it must occur in pid, user or command",
	"COLUMN = VALUE       also != < <= > >=; a metric or an event is a column, too",
	"COLUMN ~ PATTERN     a regular expression (POSIX extended, in any case); !~: no match",
	"! && || ( )          not, and, or; ! binds closest, || least",
	"5ms 10k 3%           suffixes of numbers: k M G T, %, ns us ms s m h d",
	"\"a b\"                quote text with spaces, parentheses or operators",
	"task  kind           a task's name or number, on either side of a switch; how it left",
	"for example: ipc < 0.5 && command ~ \"^java\"    slice > 5ms && kind = preempted",
};

void help_write_filters(struct strbuf *out)
{
	for (size_t i = 0; i < sizeof(filter_forms) / sizeof(*filter_forms); i++)
		strbuf_printf(out, "  %s\n", filter_forms[i]);
}

void help_write_events(struct strbuf *out)
{
	for (size_t i = 0; i < sizeof(event_forms) / sizeof(*event_forms); i++)
		strbuf_printf(out, "  %-30s  %s\n", event_forms[i].form, event_forms[i].meaning);
}

void help_write_metrics(struct strbuf *out, const struct metric_set *set)
{
	for (size_t i = 0; i < sizeof(metric_forms) / sizeof(*metric_forms); i++)
		strbuf_printf(out, "  %s\n", metric_forms[i]);
	for (size_t i = 0; i < metric_set_count(set); i++) {
		const struct metric_info *metric = metric_set_info(set, i);

		strbuf_printf(out, "  %-16s  %s%s%s%s\n", metric->name, metric->help,
			      metric->unit[0] != '\0' ? " (" : "", metric->unit,
			      metric->unit[0] != '\0' ? ")" : "");
		strbuf_printf(out, "  %16s  = %s\n", "", metric->formula);
		write_scale(out, NULL, "                    ", metric);
	}
}

static void write_views(struct strbuf *out)
{
	strbuf_add(out, "\n# Views\n");
	for (size_t i = 0; i < all_views.count; i++)
		strbuf_printf(out, "  %-11s  %s\n", all_views.views[i]->name,
			      all_views.views[i]->help);
}

/* clang-format off */
static const struct {
	const char *sign, *meaning;
} signs[] = {
	{"–",            "unknown: not counted here, or a division by 0; never shown as 0"},
	{"'",            "after a value: scaled, its event was counted only part of the time"},
	{"~",            "after a value: an estimate, from samples or by its formula"},
	{"× *",          "after a pid: exited in this interval; started in it"},
	{"colours",      "red and bold, orange, plain, cyan, blue: worst to best, by the metric's scale"},
	{"sparkline",    "the last intervals, the newest at the right; 0 is the lowest, blank is unknown"},
	{"CPU strips",   "each CPU: how busy, and its IPC; cells where there is no room; ×N: N CPUs in one"},
	{"exited",       "processes that started and exited within the interval, as one row"},
	{"unaccounted",  "counts that belong to no known task: always shown, ideally 0"},
	{"accounted",    "share of the CPUs' time that is accounted to a task or to idle"},
};
/* clang-format on */

static void write_signs(struct strbuf *out)
{
	strbuf_add(out, "\n# Signs\n");
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		strbuf_printf(out, "  %s%*s  %s\n", signs[i].sign,
			      12 - (int)text_width(signs[i].sign), "", signs[i].meaning);
}

void help_write(struct strbuf *out, struct columns *columns, const struct metric_set *set,
		const struct keys *keys)
{
	strbuf_clear(out);
	write_keys(out, columns, keys);
	write_column_help(out, columns);
	write_views(out);
	write_signs(out);
	strbuf_add(out, "\n# Filters (\\)\n");
	help_write_filters(out);
	strbuf_add(out, "\n# Events (e)\n");
	help_write_events(out);
	strbuf_add(out, "\n# Metrics (D)\n");
	help_write_metrics(out, set);
	write_commands(out);
}

static void write_fact(struct strbuf *out, const char *name, const char *text)
{
	strbuf_printf(out, "  %-8s  %s\n", name, text);
}

static const char *unit_of_format(enum column_format format)
{
	switch (format) {
	case COLUMN_TEXT:
		return "words";
	case COLUMN_INTEGER:
		return "a whole number";
	case COLUMN_SI:
	case COLUMN_FIXED_1:
	case COLUMN_FIXED_2:
		return "a number; k M G: thousands, millions, billions";
	case COLUMN_BYTES:
		return "bytes; K M G: 1024, 1024 K, 1024 M";
	case COLUMN_DURATION:
		return "time in ns, us, ms or s";
	case COLUMN_CPU_TIME:
		return "minutes and seconds of one CPU";
	case COLUMN_CLOCK:
		return "time of day";
	case COLUMN_BAR:
		return "0 to 100 %";
	case COLUMN_TREND:
		return "of the sort column";
	case COLUMN_FORMATS:
		break;
	}
	return "";
}

static const char *help_unit(const struct column *column)
{
	if (column->info && column->info->unit[0] != '\0')
		return column->info->unit;
	if (column->event)
		return "per second; k M G: thousands, millions, billions";
	if (strchr(column->title, '%'))
		return "%";
	return unit_of_format(column->format);
}

static const char *judgement_of(const struct column *column)
{
	const struct metric_info *info = column->info;

	if (info && info->good[0] != '\0')
		return info->good;
	if (column->good)
		return column->good;
	if (info && info->direction == METRIC_HIGH_IS_GOOD)
		return "High values.";
	if (info && info->direction == METRIC_LOW_IS_GOOD)
		return "Low values.";
	return "No value is good or bad in itself.";
}

/* The keys that run this command, in one line; none: no line. */
static void write_keys_of(struct strbuf *out, const struct keys *keys, const char *command,
			  bool with_arguments)
{
	const size_t length = strlen(command);
	size_t count, found = 0;
	const struct key_binding *table = keys_now(keys, &count);

	for (size_t i = 0; i < count; i++) {
		const char *bound = table[i].command;
		const bool is_it =
			strncmp(bound, command, length) == 0 &&
			(bound[length] == '\0' || (with_arguments && bound[length] == ' '));

		if (!is_it)
			continue;
		strbuf_printf(out, "%s%s", found++ == 0 ? "  keys      " : ", ", table[i].key);
		if (bound[length] != '\0')
			strbuf_printf(out, " (%s)", bound);
	}
	if (found > 0)
		strbuf_add(out, "\n");
}

static void about_column(struct strbuf *out, struct text_marks *marks, const struct keys *keys,
			 const struct column *column)
{
	const struct metric_info *info = column->info;
	char command[COLUMN_NAME_MAX + 8], refused[METRIC_NAME_MAX + 40];

	strbuf_printf(out, "# %s: column %s%s%s\n", column->title, column->name,
		      info ? ", metric " : "", info ? info->name : "");
	write_fact(out, "meaning", column_help(column));
	write_fact(out, "unit", help_unit(column));
	write_fact(out, "formula",
		   info                  ? info->formula
		   : column->event       ? "counted, per second of the interval"
		   : column->is_estimate ? "an estimate, see above"
					 : "none (measured directly)");
	if (info && info->refused[0] != '\0') {
		snprintf(refused, sizeof(refused), "%s, which would be better: no event here",
			 info->refused);
		write_fact(out, "missing", refused);
	}
	write_fact(out, "good", judgement_of(column));
	if (info)
		write_scale(out, marks, "  scale     ", info);
	write_fact(out, "order", column->descends ? "biggest first" : "smallest first");
	snprintf(command, sizeof(command), "sort %s", column->name);
	write_keys_of(out, keys, command, false);
}

static bool about_command(struct strbuf *out, const struct keys *keys, const char *name)
{
	const struct command_info *info =
		command_find(&command_table, name, &(const char *){NULL}, NULL);

	if (!info || strcmp(info->name, name) != 0)
		return false;
	strbuf_printf(out, "# Command %s\n", name);
	write_fact(out, "meaning", info->help);
	strbuf_printf(out, "  %-8s  %s %s\n", "usage", name, info->argument);
	write_fact(out, "file",
		   info->is_setting ? "allowed in the config file"
				    : "not allowed in the config file");
	write_keys_of(out, keys, name, true);
	return true;
}

static bool about_view(struct strbuf *out, const char *name)
{
	const struct view_info *view = view_find(&all_views, name);

	if (!view)
		return false;
	strbuf_printf(out, "# View %s\n", view->name);
	write_fact(out, "meaning", view->help);
	write_fact(out, "columns", view->columns);
	if (view->fixed_order)
		write_fact(out, "order", view->fixed_order);
	return true;
}

static bool about_set(struct strbuf *out, const struct keys *keys, const char *name)
{
	const struct column_set *set = column_set_find(name);

	if (!set)
		return false;
	strbuf_printf(out, "# Columns %s\n", set->name);
	write_fact(out, "meaning", set->help);
	write_fact(out, "columns", set->columns);
	strbuf_printf(out, "  %-8s  columns %s\n", "usage", set->name);
	write_keys_of(out, keys, "next-columns", false);
	if (set->reading[0] != '\0')
		strbuf_printf(out, "# How to read it\n%s", set->reading);
	return true;
}

static bool about_key(struct strbuf *out, const struct keys *keys, const char *name)
{
	const char *command = keys_bound_named(keys, name);
	char word[32];

	if (!command)
		return false;
	strbuf_printf(out, "# Key %s\n", name);
	strbuf_printf(out, "  %-8s  %s\n", "runs", command);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(command, " "), command);
	return about_command(out, keys, word);
}

/* Of a recording this machine's events say nothing. */
static bool about_event(struct strbuf *out, struct app *app, const char *name)
{
	struct catalog *catalog = engine_is_replay(app->engine) ? NULL : browser_catalog(app);

	for (size_t i = 0; catalog && i < catalog_count(catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(catalog, i);

		if (strcasecmp(entry->name, name) != 0)
			continue;
		strbuf_printf(out, "# Event %s (%s)\n", entry->name, entry->source);
		write_fact(out, "meaning",
			   entry->description[0] != '\0' ? entry->description : "no description");
		write_fact(out, "unit", "as a column: per second; in formulas: the count");
		strbuf_printf(out, "%s", catalog_details(catalog, i));
		return true;
	}
	return false;
}

bool help_about(struct strbuf *out, struct text_marks *marks, struct app *app, const char *name)
{
	const struct column *column = columns_find(engine_resolver(app->engine)->columns, name);
	bool found = column;

	strbuf_clear(out);
	if (column)
		about_column(out, marks, app->parts[PART_keys], column);
	/* a command may be called like a column or a view: then both are meant */
	found = about_command(out, app->parts[PART_keys], name) || found;
	found = about_view(out, name) || found;
	found = about_set(out, app->parts[PART_keys], name) || found;
	if (!found || (column && column->event))
		found = about_event(out, app, name) || found;
	found = found || about_key(out, app->parts[PART_keys], name);
	if (found)
		strbuf_add(out,
			   "\nF1 lists all keys, columns, metrics and commands; \":help NAME\" "
			   "explains any of them, events and views.\n");
	return found;
}

/* What the columns of the view that is shown mean. */
static void write_shown_columns(struct strbuf *out, const struct app *app)
{
	strbuf_add(out, "# Columns shown here\n");
	for (size_t i = 0; i < view_table_column_count(app->table); i++) {
		const struct column *column = view_table_column(app->table, i);

		strbuf_printf(out, "  %-11s  %s\n", column->title, column_help(column));
	}
}

/* Keys and commands of a topic, and how what they ask for is written. */
static void write_topic_chapter(struct strbuf *out, const struct app *app, size_t topic)
{
	write_topic(out, engine_resolver(app->engine)->columns, app->parts[PART_keys], topic);
	strbuf_add(out, "\n## Commands (:)\n");
	for (size_t i = 0; i < command_table.count; i++)
		if (command_table.rows[i].topic == topic)
			write_command(out, &command_table.rows[i]);
	if (topic == TOPIC_FINDING) {
		strbuf_add(out, "\n## Filters\n");
		help_write_filters(out);
	}
	if (topic == TOPIC_COUNTING) {
		strbuf_add(out, "\n## Events\n");
		help_write_events(out);
	}
}

void help_write_chapter(struct strbuf *out, const struct app *app, size_t topic)
{
	const struct view_info *view = app->views[app->view].info;

	if (topic == HELP_MANUAL) {
		help_write(out, engine_resolver(app->engine)->columns,
			   engine_metric_set(app->engine), app->parts[PART_keys]);
	} else if (topic == HELP_VIEW) {
		about_view(out, view->name);
		write_views(out);
		write_signs(out);
	} else if (topic == HELP_COLUMNS) {
		write_shown_columns(out, app);
		write_signs(out);
	} else {
		write_topic_chapter(out, app, topic);
	}
}

/* The column that the rows are sorted by; "": none. */
static const char *sorted_by(const struct app *app)
{
	bool descends;
	const struct column *column = view_table_sort(app->table, &descends);

	return column ? column->name : "";
}

bool help_run(struct app *app, const char *argument, struct error *error)
{
	const char *name = strcmp(argument, ".") == 0 ? sorted_by(app) : argument;
	struct strbuf text = {0};
	struct text_marks marks = {0};

	if (name[0] == '\0') {
		help_screen_open(app);
		return true;
	}
	if (!help_about(&text, &marks, app, name))
		return error_set(error, ERROR_HELP_UNKNOWN, name, NULL);
	pager_set_text(app, &text, &marks);
	pager_open(app, &pager_mode, "Help (q: back, /: search)");
	return true;
}
