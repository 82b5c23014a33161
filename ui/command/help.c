#include "command/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/table.h"

#include "command/commands.h"
#include "mode/keys.h"
#include "mode/scale.h"

static const struct command_info *find_command(const char *text)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;
	size_t length = strcspn(text, " ");

	for (size_t i = 0; i < count; i++)
		if (strlen(table[i].name) == length && strncmp(table[i].name, text, length) == 0)
			return &table[i];
	return NULL;
}

/* What a key does, from what its command says of itself. */
static void describe(struct strbuf *out, struct columns *columns, const char *text)
{
	const struct command_info *command = find_command(text);
	const char *argument = strchr(text, ' ');
	const struct column *column = argument ? columns_find(columns, argument + 1) : NULL;

	if (strncmp(text, "ask ", 4) == 0 && find_command(text + 4))
		command = find_command(text + 4);
	if (strncmp(text, "sort ", 5) == 0 && column)
		strbuf_printf(out, "sort by %s", column->title);
	else if (strncmp(text, "view ", 5) == 0 && view_find(text + 5))
		strbuf_add(out, view_find(text + 5)->help);
	else if (strcmp(text, "help .") == 0)
		strbuf_add(out, "explain the sort column and its good values");
	else
		strbuf_add(out, command ? command->help : "");
}

/* clang-format off */
/* What keys are for, in the order in which one needs them; the last topic has all that is in none. */
static const struct {
	const char *title, *commands;
} topics[] = {
	{"Help and leaving",     "help,quit,escape,command,setup,save,redraw"},
	{"Views",                "next-view,previous-view,view,task,by,window,cpu-strips,machine-line"},
	{"Moving",               "up,down,page-up,page-down,first,last,scroll-left,scroll-right,follow"},
	{"Order",                "sort,sort-menu,sort-left,sort-right,reverse"},
	{"Finding and choosing", "search,search-next,search-previous,filter,filter-add,attach,all,user,threads,idle,kernel-threads,exited,command-lines"},
	{"Tree and tags",        "tree,fold,space,tag,tag-children,untag"},
	{"Acting on tasks",      "signal,nice,affinity"},
	{"What is counted",      "events,event,metric,column,columns,remove-column,remove-event,delay"},
	{"Time",                 "freeze,left,right,step-back,step-on,dot,jump,speed,zoom-in,zoom-out,colour"},
	{"Recording",            "record,hand-over"},
	{"Settings and others",  ""},
};
/* clang-format on */

enum {
	TOPICS = sizeof(topics) / sizeof(*topics)
};

/* The place of the command in its topic, *topic, or 0 in the last one. */
static size_t find_topic(const char *text, size_t *topic)
{
	const char *name = strncmp(text, "ask ", 4) == 0 ? text + 4 : text;
	const size_t length = strcspn(name, " ");
	char word[32];

	for (*topic = 0; *topic + 1 < TOPICS; (*topic)++) {
		const char *cursor = topics[*topic].commands;

		for (size_t i = 0; word_list_next(&cursor, word, sizeof(word)); i++)
			if (strlen(word) == length && strncmp(word, name, length) == 0)
				return i;
	}
	return 0;
}

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
	describe(out, columns, command);
	strbuf_add_char(out, '\n');
	strbuf_fini(&names);
}

/* Places in the table of what the topic has, in its order; returns how many. */
static size_t list_topic(size_t topic, const struct key_binding *table, size_t count,
			 size_t *places)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		size_t its_topic, at = used;
		const size_t rank = find_topic(table[i].command, &its_topic);

		if (its_topic != topic || !is_first(table, i))
			continue;
		for (; at > 0; at--) {
			size_t before;

			if (find_topic(table[places[at - 1]].command, &before) <= rank)
				break;
			places[at] = places[at - 1];
		}
		places[at] = i;
		used++;
	}
	return used;
}

static void write_keys(struct strbuf *out, struct columns *columns, const struct keys *keys)
{
	size_t count;
	const struct key_binding *table = keys_now(keys, &count);
	size_t *places = xcalloc(count, sizeof(*places));

	strbuf_add(out, "# Keys\n");
	for (size_t topic = 0; topic < TOPICS; topic++) {
		const size_t used = list_topic(topic, table, count, places);

		if (used > 0)
			strbuf_printf(out, "\n## %s\n", topics[topic].title);
		for (size_t i = 0; i < used; i++)
			write_key(out, columns, table, count, table[places[i]].command);
	}
	free(places);
}

static void write_commands(struct strbuf *out)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	strbuf_add(out, "\n# Commands (:)\n");
	for (size_t i = 0; i < count; i++) {
		char usage[64];

		snprintf(usage, sizeof(usage), "%s %s", table[i].name, table[i].argument);
		strbuf_printf(out, "  %-30s  %s\n", usage, table[i].help);
	}
}

static void write_formula(struct strbuf *out, const struct metric_info *metric)
{
	strbuf_printf(out, "  %11s  = %s%s%s\n", "", metric->formula,
		      metric->unit[0] != '\0' ? ", in " : "", metric->unit);
	if (metric->good[0] != '\0')
		strbuf_printf(out, "  %11s  %s\n", "", metric->good);
}

/* Those of the table and of events; other metrics are among the metrics. */
static void write_columns(struct strbuf *out, struct columns *columns)
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
	strbuf_add(out, "  Every metric and every event is a column too. NAME@KIND is what CPUs of "
			"one kind have "
			"of it: ipc@cpu_core.\n");
}

/* clang-format off */
static const struct {
	const char *form, *meaning;
} event_forms[] = {
	{"cycles  L1-dcache-load-misses",  "generic and cache events, by perf's names"},
	{"skl::INST_RETIRED:ANY",          "events of the CPU by libpfm4's names, with their umasks"},
	{"cpu/event=0x3c,umask=0x0/",      "terms of a PMU in /sys, or its named events: msr/tsc/"},
	{"r01c2",                          "raw: umask and event code in hexadecimal"},
	{"sched:sched_switch",             "tracepoint; with a filter: sched:sched_switch/prev_prio<100/"},
	{"mem:0x601040/8:rw",              "breakpoint: address, length, r w x"},
	{"uprobe:FILE:SYMBOL+OFFSET",      "calls of a function in a file; uretprobe: returns from it"},
	{"kprobe:SYMBOL+OFFSET",           "the same in the kernel; kretprobe"},
	{"EVENT:u  EVENT:k",               "modifiers: u user, k kernel, h hypervisor, H host, G guest, p precise"},
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
		scale_write(out, NULL, "                    ", metric);
	}
}

static void write_views(struct strbuf *out)
{
	size_t count;
	const struct view_info *const *table = view_table_of_views(&count);

	strbuf_add(out, "\n# Views\n");
	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "  %-11s  %s\n", table[i]->name, table[i]->help);
}

/* clang-format off */
static const struct {
	const char *sign, *meaning;
} signs[] = {
	{"-",            "unknown: not counted here, or a division by 0; never shown as 0"},
	{"'",            "after a value: scaled, its event takes turns with others"},
	{"~",            "after a value: an estimate, from samples or by its formula"},
	{"+ *",          "after a pid: exited in this interval; started in it"},
	{"colours",      "red and bold, orange, plain, cyan, blue: worst to best, by the metric's scale"},
	{"sparkline",    "the last intervals, the newest at the right; 0 is the lowest, blank is unknown"},
	{"CPU strips",   "each CPU: how busy, and its IPC; cells where there is no room; xN: N CPUs in one"},
	{"exited",       "processes that started and exited within the interval, as one row"},
	{"unaccounted",  "counts that belong to no known task: always shown, ideally 0"},
	{"accounted",    "share of the CPUs' time that is accounted to a task or to idle"},
};
/* clang-format on */

static void write_signs(struct strbuf *out)
{
	strbuf_add(out, "\n# Signs\n");
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		strbuf_printf(out, "  %-12s  %s\n", signs[i].sign, signs[i].meaning);
}

void help_write(struct strbuf *out, struct columns *columns, const struct metric_set *set,
		const struct keys *keys)
{
	strbuf_clear(out);
	write_keys(out, columns, keys);
	write_columns(out, columns);
	write_views(out);
	write_signs(out);
	strbuf_add(out, "\n# Filters (\\)\n");
	help_write_filters(out);
	strbuf_add(out, "\n# Events (e)\n");
	help_write_events(out);
	strbuf_add(out, "\n# Metrics (m)\n");
	help_write_metrics(out, set);
	write_commands(out);
}
