#include "command/help_about.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/table.h"

#include "command/commands.h"
#include "event/catalog.h"
#include "mode/keys.h"
#include "mode/scale.h"

/* clang-format off */

/* Of columns that are no metric: what is a good value, where there is such a thing. */
static const struct {
	const char *column, *good;
} judgements[] = {
	{"busy",       "High under load; near 100 tasks begin to wait for each other."},
	{"slice-p50",  "Long slices keep caches warm; short ones are normal for tasks that respond quickly."},
	{"slice-p99",  "Below what other tasks on this CPU can wait; 3 ms to 4 ms is a full time slice of the scheduler."},
	{"slice-max",  "Below what other tasks on this CPU can wait."},
	{"pwait-p99",  "Near 0; a few ms mean that other tasks take turns on its CPU."},
	{"wake-max",   "Below 1 ms, which clients notice."},
	{"wake-p99",   "Below 100 us on a machine with idle CPUs; ms mean that it queues for one."},
	{"cold",       "Below 5 %; above 20 % it is moved or interrupted too often for its caches."},
	{"cold-ipc",   "Near W-IPC: then little is lost when it is scheduled in."},
	{"warm-ipc",   "As IPC: above 1.5 the CPU is kept busy, below 0.5 it mostly waits."},
	{"attr%",      "100; the rest is in the row unaccounted."},
	{"how",        "blocked: it had to wait for something; preempted: it was still runnable."},
	{"ran",        "Long ones keep caches warm; many short ones cost time for the switches."},
	{"off-cpu",    "Alone it says little: idle tasks are off for long."},
	{"sch-delay",  "Near 0; ms mean that there are more tasks than CPUs to run them."},
	{"from",       "Empty: it stayed on its CPU, where its caches are warm."},
	{"times",      "Few; many mean that the two compete for a CPU."},
	{"times/s",    "Below 10; hundreds mean that the two compete for a CPU."},
	{"lost",       "Near 0."},
	{"lost/s",     "Below 1 ms/s, a thousandth of the time."},
	{"lost-mean",  "Below what the victim can wait; 4 ms is a full time slice of the scheduler."},
	{"lost-worst", "Below what the victim can wait."},
	{"slices",     "Most in the longer steps: short slices cost time for the switches."},
	{"slices-bar", "Most in the longer steps: short slices cost time for the switches."},
	{"pwaits",     "None, or in the shorter steps."},
	{"pwaits-bar", "None, or in the shorter steps."},
	{"rqwaits",     "Most in the shorter steps, below 100 us."},
	{"rqwaits-bar", "Most in the shorter steps, below 100 us."},
};
/* clang-format on */

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

static const char *unit_of(const struct column *column)
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
	for (size_t i = 0; i < sizeof(judgements) / sizeof(*judgements); i++)
		if (strcmp(judgements[i].column, column->name) == 0)
			return judgements[i].good;
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

static void write_column(struct strbuf *out, struct text_marks *marks, const struct keys *keys,
			 const struct column *column)
{
	const struct metric_info *info = column->info;
	char command[COLUMN_NAME_MAX + 8];

	strbuf_printf(out, "# %s: column %s%s%s\n", column->title, column->name,
		      info ? ", metric " : "", info ? info->name : "");
	write_fact(out, "meaning", column_help(column));
	write_fact(out, "unit", unit_of(column));
	write_fact(out, "formula",
		   info                  ? info->formula
		   : column->event       ? "counted, per second of the interval"
		   : column->is_estimate ? "an estimate, see above"
					 : "none (measured directly)");
	write_fact(out, "good", judgement_of(column));
	if (info)
		scale_write(out, marks, "  scale     ", info);
	write_fact(out, "order", column->descends ? "biggest first" : "smallest first");
	snprintf(command, sizeof(command), "sort %s", column->name);
	write_keys_of(out, keys, command, false);
}

static bool write_command(struct strbuf *out, const struct keys *keys, const char *name)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(table[i].name, name) != 0)
			continue;
		strbuf_printf(out, "# Command %s\n", name);
		write_fact(out, "meaning", table[i].help);
		strbuf_printf(out, "  %-8s  %s %s\n", "usage", name, table[i].argument);
		write_fact(out, "file",
			   table[i].is_setting ? "allowed in the config file"
					       : "not allowed in the config file");
		write_keys_of(out, keys, name, true);
		return true;
	}
	return false;
}

static bool write_view(struct strbuf *out, const char *name)
{
	const struct view_info *view = view_find(name);

	if (!view)
		return false;
	strbuf_printf(out, "# View %s\n", view->title);
	write_fact(out, "meaning", view->help);
	write_fact(out, "columns", view->columns);
	if (view->fixed_order)
		write_fact(out, "order", view->fixed_order);
	return true;
}

static bool write_key(struct strbuf *out, const struct keys *keys, const char *name)
{
	const char *command = keys_bound_named(keys, name);
	char word[32];

	if (!command)
		return false;
	strbuf_printf(out, "# Key %s\n", name);
	strbuf_printf(out, "  %-8s  %s\n", "runs", command);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(command, " "), command);
	return write_command(out, keys, word);
}

static bool write_event(struct strbuf *out, const struct help_input *input, const char *name)
{
	struct catalog *catalog = input->catalog(input->context);

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

bool help_about(struct strbuf *out, struct text_marks *marks, const struct help_input *input,
		const char *name)
{
	const struct column *column = columns_find(input->columns, name);
	bool found = false;

	strbuf_clear(out);
	if (column) {
		write_column(out, marks, input->keys, column);
		found = true;
	}
	/* a command may be called like a column or a view: then both are meant */
	found = write_command(out, input->keys, name) || found;
	found = write_view(out, name) || found;
	if (!found || (column && column->event))
		found = write_event(out, input, name) || found;
	found = found || write_key(out, input->keys, name);
	if (found)
		strbuf_add(out,
			   "\nF1 lists all keys, columns, metrics and commands; \":help NAME\" "
			   "explains any of them, events and views.\n");
	return found;
}
