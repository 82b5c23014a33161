#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "model/metric_set.h"
#include "view/column.h"

#include "command/help.h"
#include "manual/manual.h"
#include "manual/roff.h"
#include "session/options.h"

/* clang-format off */
static const char *const synopsis[] = {
	"[OPTION...]",
	"-p PID|NAME,... [OPTION...]",
	"[OPTION...] -- COMMAND [ARG...]",
	"-i FILE [OPTION...]",
	"check",
	"events [WORD...]",
};

static const char *const description[] = {
	"perftop shows what processors really do: instructions per cycle, cache-miss rates and context switches, live, of the "
	"machine, of each CPU and of each task.",
	"The counters of each CPU are read by the kernel at every context switch. So the numbers of a task are exact, a task "
	"that lives for a millisecond is seen, and for each CPU the sum over all tasks, idle and unaccounted "
	"time is what the CPU has counted, to the last digit.",
	"Where the whole machine may not be watched (see perf_event_paranoid), the user's own tasks are, and of others there is "
	"what /proc shows of them to everybody, marked with ~. Where there are no "
	"hardware counters, as in most virtual machines, all that needs none is shown. In both cases a line "
	"says why, and perftop check says what would change it.",
};

static const struct {
	const char *name, *words;
} commands[] = {
	{"check",           "Prints what works here, what does not, why, and the command that would change it."},
	{"events [WORD...]", "Prints the events that can be counted here and what they mean; with words, only those that contain all of them."},
}, files[] = {
	{"~/.config/perftop/perftop.conf", "Settings, one command a line, as they are typed at the : prompt. XDG_CONFIG_HOME overrides ~/.config."},
	{"perf.data",                      "What -w writes and -i reads: a file of perf-record(1)."},
}, environment[] = {
	{"TERM, LANG",      "The terminal and its characters; without UTF-8, or with --ascii, only ASCII is used."},
	{"XDG_CONFIG_HOME", "Where the configuration is."},
}, statuses[] = {
	{"0", "Success."},
	{"1", "The run failed; standard error says why."},
	{"2", "Wrong usage."},
}, examples[] = {
	{"Which tasks miss the caches, and what the others get done",             "perftop -s miss%"},
	{"A process with all its threads, later ones included",                  "perftop -H -p 4711"},
	{"All processes of a name",                                             "perftop -p nginx"},
	{"A program from its first instruction, printed when it has ended",      "perftop -b -n 1 -- make"},
	{"Ten seconds of the machine as JSON, an object a line",                 "perftop -b -n 10 --format json"},
	{"Record, look at it later, and let perf open the same file",            "perftop -w perf.data\nperftop -i perf.data\nperf report"},
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void write_head(struct strbuf *out)
{
	strbuf_printf(out,
		      ".TH PERFTOP 1 \"\" \"perftop %s\" \"User Commands\"\n.nh\n.ad l\n"
		      ".SH NAME\nperftop \\- a top for what processors really do\n.SH SYNOPSIS\n",
		      PERFTOP_VERSION);
	for (size_t i = 0; i < COUNT(synopsis); i++) {
		strbuf_add(out, i > 0 ? ".br\n" : "");
		strbuf_add(out, "\\fBperftop\\fR ");
		roff_add(out, synopsis[i], strlen(synopsis[i]));
		strbuf_add_char(out, '\n');
	}
	roff_section(out, "Description");
	for (size_t i = 0; i < COUNT(description); i++)
		roff_paragraph(out, description[i]);
}

static void write_options(struct strbuf *out)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	roff_section(out, "Options");
	for (size_t i = 0; i < count; i++) {
		const struct option_info *info = &table[i];
		char name[80], letter[8] = "";

		if (info->letter != 0)
			snprintf(letter, sizeof(letter), "-%c, ", info->letter);
		snprintf(name, sizeof(name), "%s--%s%s%s", letter, info->name,
			 info->argument && !option_may_be_alone(info) ? " " : "",
			 info->argument ? info->argument : "");
		roff_entry(out, name, info->help);
	}
}

static void write_formats(struct strbuf *out)
{
	size_t count;
	const struct batch_format *table = batch_table(&count);

	roff_section(out, "Batch formats");
	for (size_t i = 0; i < count; i++)
		roff_entry(out, table[i].name, table[i].help);
}

/* What F1 shows. */
static void write_help(struct strbuf *out)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);
	struct strbuf text = {0};

	help_write(&text, columns, set, NULL);
	roff_help(out, strbuf_text(&text));
	strbuf_fini(&text);
	columns_destroy(columns);
	metric_set_destroy(set);
}

static void write_examples(struct strbuf *out)
{
	roff_section(out, "Examples");
	for (size_t i = 0; i < COUNT(examples); i++) {
		roff_paragraph(out, examples[i].name);
		roff_example(out, examples[i].words);
	}
}

void manual_write_page(struct strbuf *out)
{
	write_head(out);
	roff_section(out, "Commands of the command line");
	for (size_t i = 0; i < COUNT(commands); i++)
		roff_entry(out, commands[i].name, commands[i].words);
	write_options(out);
	write_formats(out);
	roff_guide(out, manual_guide);
	write_help(out);
	roff_section(out, "Files");
	for (size_t i = 0; i < COUNT(files); i++)
		roff_entry(out, files[i].name, files[i].words);
	roff_section(out, "Environment");
	for (size_t i = 0; i < COUNT(environment); i++)
		roff_entry(out, environment[i].name, environment[i].words);
	roff_section(out, "Totals");
	roff_paragraph(
		out, "Where -- COMMAND or -p was given the text output ends with the totals since "
		     "the start, and JSON with {\"summary\":{...}}. The screen prints them on "
		     "leaving, after the last 64 KiB that COMMAND wrote.");
	roff_section(out, "Exit status");
	for (size_t i = 0; i < COUNT(statuses); i++)
		roff_entry(out, statuses[i].name, statuses[i].words);
	roff_paragraph(out, "After -- it is the status of COMMAND; 127 where COMMAND is not found, "
			    "126 where it "
			    "cannot be run.");
	write_examples(out);
	roff_section(out, "See also");
	strbuf_add(out, ".BR perf_event_open (2),\n.BR perf (1),\n.BR perf\\-record (1),\n"
			".BR top (1),\n.BR htop (1),\n.BR capabilities (7)\n");
}
