/* The command line: every form of every option, and every way to get it wrong. */

#include <signal.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "view/column.h"
#include "view/table.h"

#include "mode/views.h"
#include "session/options.h"
#include "unit.h"

enum {
	WORDS_MAX = 32
};

static bool parse(struct options *options, struct error *error, const char *const *words)
{
	static char name[] = "perftop";
	static char *argv[WORDS_MAX]; /* the options borrow them */
	int argc = 1;

	memset(argv, 0, sizeof(argv));
	argv[0] = name;
	for (; words[argc - 1] != NULL; argc++)
		argv[argc] = (char *)words[argc - 1];
	*error = (struct error){0};
	return options_parse(options, &all_views, argc, argv, error);
}

static void describe_setting(const struct options *options, const struct setting_info *info,
			     struct strbuf *out)
{
	const int value = options->settings.all[info->number];
	char word[SETTING_WORD_MAX];

	if (value == SETTING_UNSET)
		return;
	setting_word(info, value, word);
	strbuf_printf(out, "%s %s;", info->name, word);
}

/* What is not as it is without any option. */
static void describe(const struct options *options, struct strbuf *out)
{
	static const char *const actions[] = {
		[OPTIONS_RUN] = NULL,    [OPTIONS_CHECK] = "check",     [OPTIONS_EVENTS] = "events",
		[OPTIONS_HELP] = "help", [OPTIONS_VERSION] = "version",
	};
	const struct {
		const char *name, *text;
	} texts[] = {
		{"does", actions[options->action]},
		{"pattern", options->pattern.text},
		{"list", options->pid_list.text},
		{"user", options->user},
		{"view", options->has_view ? options->view->name : NULL},
		{"columns", options->column_list},
		{"sort", options->sort_text},
		{"filter", options->filter},
		{"config", options->config_path},
		{"format",
		 strcmp(options->format->name, "text") != 0 ? options->format->name : NULL},
		{"output", options->output},
		{"record", options->record},
		{"input", options->input},
		{"cpus", options->has_cpus ? "" : NULL},
		{"no-config", options->no_config ? "" : NULL},
		{"batch", options->batch ? "" : NULL},
		{"ascii", options->ascii ? "" : NULL},
	};
	const struct {
		const char *name;
		uint64_t number, usual;
	} numbers[] = {
		{"uid", (uint64_t)options->uid, UINT64_MAX},
		{"iterations", options->iterations, 0},
		{"top", options->top,
		 options->format->is_totals && !options->format->view ? OPTIONS_TOP : 0},
		{"compression", (uint64_t)options->compression, 0},
		{"past", options->past_mib, 32},
		{"history", options->history, 500000},
	};

	for (size_t i = 0; i < options->pid_count; i++)
		strbuf_printf(out, "pid %d;", options->pids[i]);
	for (size_t i = 0; i < options->cpus.count; i++)
		strbuf_printf(out, "cpu %d;", options->cpus.numbers[i]);
	for (size_t i = 0; i < options->event_list_count; i++)
		strbuf_printf(out, "event %s;", options->event_lists[i]);
	for (size_t i = 0; i < options->metric_count; i++)
		strbuf_printf(out, "metric %s;", options->metric_definitions[i]);
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		if (texts[i].text)
			strbuf_printf(out, "%s%s%s;", texts[i].name, *texts[i].text ? " " : "",
				      texts[i].text);
	for (size_t i = 1; i < options->input_count; i++)
		strbuf_printf(out, "beside %s;", options->inputs[i]);
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		if (numbers[i].number != numbers[i].usual)
			strbuf_printf(out, "%s %llu;", numbers[i].name,
				      (unsigned long long)numbers[i].number);
	for (size_t i = 0; i < SETTINGS; i++)
		describe_setting(options, &setting_table[i], out);
	if (options->has_delay || options->delay_s != 1.0)
		strbuf_printf(out, "delay %g;", options->delay_s);
	if (options->has_budget)
		strbuf_printf(out, "budget %g;", options->budget_pct);
	for (size_t i = 0; options->command && options->command[i]; i++)
		strbuf_printf(out, "word %s;", options->command[i]);
}

UNIT_TEST(options_parse_takes_every_form_of_every_option)
{
	static const struct {
		const char *words[24];
		const char *expected;
	} cases[] = {
		/* clang-format off */
		{{NULL}, ""},
		{{"-p", "12,34"}, "pid 12;pid 34;list 12,34;"},
		{{"--budget", "1%"}, "budget 1;"},
		{{"--budget=0.5"}, "budget 0.5;"},
		{{"--budget=none"}, "budget 0;"},
		{{"-p12,34"}, "pid 12;pid 34;list 12,34;"},
		{{"--pid", "12,34"}, "pid 12;pid 34;list 12,34;"},
		{{"--pid=12,34"}, "pid 12;pid 34;list 12,34;"},
		{{"-p", "1", "-p", "2"}, "pid 1;pid 2;list 1,2;"},
		{{"-C", "0-1,3", "-u", "root", "-c", "pid,ipc", "-s", "ipc", "-V", "cpus", "-H", "-d", "0.5", "-n", "3", "-b", "--format", "json", "-o", "out", "--ascii", "--no-mouse"},
		 "cpu 0;cpu 1;cpu 3;user root;view cpus;columns pid,ipc;sort ipc;format json;output out;cpus;batch;ascii;uid 0;iterations 3;threads on;mouse off;delay 0.5;"},
		{{"-bHn3"}, "batch;iterations 3;threads on;"},
		{{"-bn", "3"}, "batch;iterations 3;"},
		{{"--format=json"}, "format json;batch;"},
		{{"-o", "x"}, "output x;batch;"},
		{{"-b", "--", "make", "-j8", "--help"}, "batch;word make;word -j8;word --help;"},
		{{"-f", "a < 1", "--filter= ipc < 0.5 && command ~ \"java\" "}, "filter  ipc < 0.5 && command ~ \"java\" ;"},
		{{"-c", "pid,ipc", "-c", "pid"}, "columns pid;"},
		{{"check"}, "does check;"},
		{{"-h"}, "does help;"},
		{{"--help"}, "does help;"},
		{{"--help", "events"}, "does help;"},
		{{"--version"}, "does version;"},
		{{"events"}, "does events;"},
		{{"events", "cache", "--format", "json", "check", "events"}, "does events;pattern cache check events;format json;batch;"},
		{{"-e", "cycles,sched:sched_switch", "--event=r01c2", "-m", "a = b / c", "--metric", "d = 1"}, "event cycles,sched:sched_switch;event r01c2;metric a = b / c;metric d = 1;"},
		{{"--config", "a", "--no-config"}, "no-config;"},
		{{"--no-config", "--config=a"}, "config a;"},
		/* what is usual may be changed by the configuration, what was asked for may not */
		{{"-V", "tasks", "-d", "1"}, "view tasks;delay 1;"},
		{{"--theme", "dark"}, "theme dark;"},
		{{"-V", "timeline"}, "view timeline;"},
		{{"-V", "switches", "-b", "-c", "when,ipc"}, "view switches;columns when,ipc;batch;"},
		{{"-V", "switches", "--format", "csv"}, "view switches;format csv;batch;"},
		{{"--format", "csv", "-c", "pid"}, "columns pid;format csv;batch;"},
		{{"--group-by", "user"}, "view groups;group-by user;"},
		{{"--format", "openmetrics"}, "format openmetrics;batch;"},
		{{"--format", "folded"}, "view functions;format folded;batch;"},
		{{"--format", "folded", "--top", "3"}, "view functions;format folded;batch;top 3;"},
		{{"--format", "trace", "--top", "3"}, "view switches;format trace;batch;top 3;"},
		{{"--format", "pprof", "--top", "3"}, "view functions;format pprof;batch;top 3;"},
		{{"--format", "pprof"}, "view functions;format pprof;batch;"},
		{{"--format", "trace"}, "view switches;format trace;batch;"},
		{{"--format", "trace", "--samples", "both"}, "view switches;format trace;batch;samples both;"},
		{{"--top", "0", "--format", "openmetrics"}, "format openmetrics;batch;top 0;"},
		{{"--history", "0"}, "history 0;"},
		{{"--history", "1"}, "history 1;"},
		{{"--history", "4096"}, "history 4096;"},
		{{"--history", "20k"}, "history 20000;"},
		{{"--history", "3M"}, "history 3000000;"},
		{{"--history", "5m"}, "history 5000000;"},
		{{"--history", "100M"}, "history 100000000;"},
		{{"--past", "256"}, "past 256;"},
		{{"-i", "-", "-p", "7"}, "pid 7;list 7;input -;"},
		{{"-i", "a", "-i", "-", "-i", "a"}, "input a;beside -;beside a;"},
		{{"-w", "a.data"}, "record a.data;"},
		{{"--record=b.data"}, "record b.data;"},
		{{"-w", "a", "-z"}, "record a;compression 1;"},
		{{"-w", "a", "-z7"}, "record a;compression 7;"},
		{{"-w", "a", "-z22"}, "record a;compression 22;"},
		{{"-w", "a", "--compress"}, "record a;compression 1;"},
		{{"-w", "a", "--compress=3"}, "record a;compression 3;"},
		{{"-bzw", "a"}, "record a;batch;compression 1;"},
		/* standard output takes what perftop shows, or the recording */
		{{"-w", "-", "-o", "rows"}, "output rows;record -;batch;"},
		{{"-b", "-w", "-", "--", "true"}, "record -;batch;word true;"},
		{{"-b", "-w", "-"}, "output /dev/null;record -;batch;"},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct options options;
		struct error error;
		struct strbuf out = {0};

		begin_case(cases[i].expected);
		if (!parse(&options, &error, cases[i].words))
			fail_msg("%s", error.text);
		describe(&options, &out);
		assert_string_equal(strbuf_text(&out), cases[i].expected);
		assert_string_equal(options.arguments[0], "perftop");
		strbuf_fini(&out);
		options_fini(&options);
	}
}

/* A child that has this name, until it is killed. */
static pid_t start_named(const char *name)
{
	int fds[2];
	char word;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		word = write(fds[1], "x", 1) == 1 ? 'x' : '?';
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	assert_int_equal(read(fds[0], &word, 1), 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

UNIT_TEST(options_parse_pid_by_name_finds_all_or_the_only_part)
{
	char name[16], other[16], part[16];
	struct options options;
	struct error error;
	pid_t pids[3];

	snprintf(name, sizeof(name), "one %d", getpid());
	snprintf(other, sizeof(other), "other %d", getpid());
	snprintf(part, sizeof(part), "her %d", getpid());
	pids[0] = start_named(name);
	pids[1] = start_named(name);
	pids[2] = start_named(other);

	assert_true(parse(&options, &error, (const char *[]){"-p", name, NULL}));
	assert_int_equal(options.pid_count, 2);
	assert_int_equal(options.pids[0] + options.pids[1], pids[0] + pids[1]);
	options_fini(&options);
	assert_true(parse(&options, &error, (const char *[]){"-p", part, "-p", "1", NULL}));
	assert_int_equal(options.pid_count, 2);
	assert_int_equal(options.pids[0], pids[2]);
	assert_int_equal(options.pids[1], 1);
	options_fini(&options);
	snprintf(part, sizeof(part), "e %d", getpid());
	assert_false(parse(&options, &error, (const char *[]){"-p", part, NULL}));
	assert_int_equal(error.code, ERROR_PROCESS_SEVERAL);
	assert_false(parse(&options, &error, (const char *[]){"-p", "1,no such name", NULL}));
	assert_string_equal(error.text, "no such name: no process has this name");

	for (size_t i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

/* All of them are wrong usage: status 2, and the text names the word. */
UNIT_TEST(options_parse_wrong_usage_names_the_word)
{
	static const struct {
		const char *words[7];
		enum error_code code;
		const char *text;
	} cases[] = {
		{{"-x"}, ERROR_OPTION_UNKNOWN, "-x: unknown option"},
		{{"-bx"}, ERROR_OPTION_UNKNOWN, "-x: unknown option"},
		{{"-bg"}, ERROR_OPTION_OF_OTHERS, "-g: unknown option"},
		{{"--bogus"}, ERROR_OPTION_UNKNOWN, "--bogus: unknown option"},
		{{"--bogus=3"}, ERROR_OPTION_UNKNOWN, "--bogus=3: unknown option"},
		{{"--pi", "3"}, ERROR_OPTION_UNKNOWN, "--pi: unknown option"},
		{{"--=3"}, ERROR_OPTION_UNKNOWN, "--=3: unknown option"},
		{{"---"}, ERROR_OPTION_UNKNOWN, "---: unknown option"},
		{{"-b\033"}, ERROR_OPTION_UNKNOWN, "-\\x1B: unknown option"},
		{{"-p"}, ERROR_OPTION_ARGUMENT, "-p: needs an argument"},
		{{"-bp"}, ERROR_OPTION_ARGUMENT, "-p: needs an argument"},
		{{"--pid"}, ERROR_OPTION_ARGUMENT, "--pid: needs an argument"},
		{{"--batch=1"}, ERROR_OPTION_NO_ARGUMENT, "--batch=1: takes no argument"},
		{{"--help="}, ERROR_OPTION_NO_ARGUMENT, "--help=: takes no argument"},
		{{"top"}, ERROR_WORD_UNEXPECTED, "top: unexpected word"},
		{{"-"}, ERROR_WORD_UNEXPECTED, "-: unexpected word"},
		{{""}, ERROR_WORD_UNEXPECTED, "'': unexpected word"},
		{{"check", "check"}, ERROR_WORD_UNEXPECTED, "check: unexpected word"},
		{{"--"}, ERROR_COMMAND_MISSING, "--: a command to start is missing"},
		{{"-p", "1", "--", "ls"},
		 ERROR_SOURCES_CONFLICT,
		 "--pid and --: only one source of records can be watched"},
		{{"-C0", "-p", "1"},
		 ERROR_SOURCES_CONFLICT,
		 "--cpu and --pid: only one source of records can be watched"},
		{{"-C0", "--", "ls"},
		 ERROR_SOURCES_CONFLICT,
		 "--cpu and --: only one source of records can be watched"},
		{{"-i", "a", "--", "ls"},
		 ERROR_SOURCES_CONFLICT,
		 "--input and --: only one source of records can be watched"},
		{{"-i", "a", "-w", "b"},
		 ERROR_REPLAY_RECORD,
		 "b: a recording cannot be recorded again"},
		{{"-i"}, ERROR_OPTION_ARGUMENT, "-i: needs an argument"},
		{{"-i", "-", "-i", "a", "-i", "-"},
		 ERROR_HOSTS_PIPE,
		 "-i -: only one recording can come through standard input"},
		{{"-i", "a", "-i", "b", "-p", "1"},
		 ERROR_HOSTS_OPTION,
		 "--pid: not with several recordings, whose numbers and users are not the same"},
		{{"-i", "a", "-i", "b", "-u", "0"},
		 ERROR_HOSTS_OPTION,
		 "--user: not with several recordings, whose numbers and users are not the same"},
		{{"-i", "a", "-i", "b", "-bV", "switches"},
		 ERROR_HOSTS_ONE,
		 "switches: several recordings can be printed as tasks, groups or cpus, in text, "
		 "csv "
		 "or json"},
		{{"-i", "a", "-i", "b", "--format", "openmetrics"},
		 ERROR_HOSTS_ONE,
		 "openmetrics: several recordings can be printed as tasks, groups or cpus, in "
		 "text, "
		 "csv or json"},
		{{"-i", "a", "-i", "b", "--format", "trace"},
		 ERROR_HOSTS_ONE,
		 "trace: several recordings can be printed as tasks, groups or cpus, in text, csv "
		 "or json"},
		{{"-C0", "-i", "x"},
		 ERROR_REPLAY_CPUS,
		 "--cpu: a recording is shown for all its CPUs"},
		{{"-b", "-z"}, ERROR_RECORD_UNUSED, "--compress: nothing is recorded"},
		{{"-p", "init", "-i", "file"},
		 ERROR_REPLAY_NAMES,
		 "init: select the processes of a recording by pid"},
		{{"-p", "1,-2"}, ERROR_PID_BAD, "-2: not a process id"},
		{{"-p", "0"}, ERROR_PID_BAD, "0: not a process id"},
		{{"-p", "2147483648"}, ERROR_PID_BAD, "2147483648: not a process id"},
		{{"-p", "1,,2"}, ERROR_PID_BAD, "1,,2: not a process id"},
		{{"-p", ""}, ERROR_PID_BAD, "'': not a process id"},
		{{"-u", "no-such-user"}, ERROR_USER_UNKNOWN, "no-such-user: unknown user"},
		{{"-C", "3-1"}, ERROR_CPU_LIST_BAD, "3-1: not a list of CPUs"},
		{{"-C", ""}, ERROR_CPU_LIST_BAD, "'': not a list of CPUs"},
		{{"-V", "nope"}, ERROR_VIEW_UNKNOWN, "nope: unknown view"},
		{{"-d", "0"}, ERROR_NUMBER_BAD, "0: delay must be 0.05 to 86400 seconds"},
		{{"--budget", "0"},
		 ERROR_NUMBER_BAD,
		 "0: a budget is 0.01 to 100 percent of the machine, or none"},
		{{"-d", "nan"}, ERROR_NUMBER_BAD, "nan: delay must be 0.05 to 86400 seconds"},
		{{"-d", "86401"}, ERROR_NUMBER_BAD, "86401: delay must be 0.05 to 86400 seconds"},
		{{"-n", "0"}, ERROR_NUMBER_BAD, "0: iterations must be a whole number above 0"},
		{{"-n", "1.5"}, ERROR_NUMBER_BAD, "1.5: iterations must be a whole number above 0"},
		{{"--format", "xml"}, ERROR_FORMAT_UNKNOWN, "xml: unknown format"},
		{{"-b", "-V", "timeline"},
		 ERROR_VIEW_SCREEN_ONLY,
		 "timeline: this view is for the screen: what a cell of it shows is known only "
		 "when the slices in it have ended"},
		{{"-V", "timeline", "--format", "csv"}, ERROR_VIEW_SCREEN_ONLY, NULL},
		{{"--top", "5"}, ERROR_TOP_UNUSED, NULL},
		{{"--fail-if", "ipc < 1", "-V", "switches"}, ERROR_FAIL_IF_LOG, NULL},
		{{"-V", "tasks", "--format", "folded"},
		 ERROR_VIEW_NO_TOTALS,
		 "tasks: not in the format folded"},
		{{"-V", "pairs", "--format", "openmetrics"},
		 ERROR_VIEW_NO_TOTALS,
		 "pairs: not in the format openmetrics"},
		{{"-V", "switches", "--format", "openmetrics"}, ERROR_VIEW_NO_TOTALS, NULL},
		{{"-V", "functions", "--format", "openmetrics"}, ERROR_VIEW_NO_TOTALS, NULL},
		/* a switch in CSV and JSON has the cells it has */
		{{"-V", "switches", "-c", "when,ipc", "--format", "csv"},
		 ERROR_COLUMNS_FIXED,
		 "when,ipc: switches in csv have cells of their own"},
		{{"-V", "switches", "-c", "when,ipc", "--format", "json"},
		 ERROR_COLUMNS_FIXED,
		 "when,ipc: switches in json have cells of their own"},
		{{"--history", "0", "-b", "-V", "switches"}, ERROR_HISTORY_NONE, NULL},
		{{"--history", "0", "-b", "-V", "pairs"}, ERROR_HISTORY_NONE, NULL},
		{{"--history", "0", "-b", "-V", "histogram"}, ERROR_HISTORY_NONE, NULL},
		{{"--history", "0", "-b", "-V", "timeline"}, ERROR_HISTORY_NONE, NULL},
		{{"-w", "-"}, ERROR_RECORD_OUTPUT, NULL},
		{{"-w", "-", "--format", "json"}, ERROR_RECORD_OUTPUT, NULL},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct options options;
		struct error error;

		if (parse(&options, &error, cases[i].words))
			fail_msg("%s %s is accepted", cases[i].words[0],
				 cases[i].words[1] != NULL ? cases[i].words[1] : "");
		if (cases[i].text)
			assert_string_equal(error.text, cases[i].text);
		assert_int_equal(error.code, cases[i].code);
		assert_int_equal(error_exit_status(&error), 2);
		assert_null(options.pids);
		assert_null(options.event_lists);
	}
}

/* Options that take something of their own, and what is no such thing. */
UNIT_TEST(options_parse_wrong_values_are_refused)
{
	static const struct {
		const char *option;
		enum error_code code;
		const char *values[12];
	} cases[] = {
		{"--past=", ERROR_NUMBER_BAD, {"", "0", "65537", "1G", "-1", "1.5"}},
		{"--history=",
		 ERROR_NUMBER_BAD,
		 {"", "k", "-1", "1.5M", "1G", "10kk", "101M", "0x10", "18446744073709551616",
		  "100000001", "9999999999999999999999999999k"}},
		{"-z", ERROR_RECORD_COMPRESSION, {"0", "23", "1x"}},
		{"--compress=", ERROR_RECORD_COMPRESSION, {"", "x"}},
		{"-d",
		 ERROR_NUMBER_BAD,
		 {"-1", "NAN", "inf", "-inf", "1e30", "1e-30", "abc", "1x", " ", "0x10"}},
		{"--delay=", ERROR_NUMBER_BAD, {"", "0"}},
		{"-n", ERROR_NUMBER_BAD, {"-1", "abc", "1e30", "99999999999999999999"}},
		{"--iterations=", ERROR_NUMBER_BAD, {""}},
		{"-p", ERROR_PID_BAD, {"-1", ",1", "1,0", "99999999999", "4294967297"}},
		{"--top=", ERROR_NUMBER_BAD, {"", "abc"}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		for (const char *const *value = cases[i].values; *value; value++) {
			struct options options;
			struct error error;
			char word[64];

			snprintf(word, sizeof(word), "%s%s", cases[i].option, *value);
			begin_case(word);
			assert_false(parse(&options, &error, (const char *[]){word, NULL}));
			assert_int_equal(error.code, cases[i].code);
		}
}

UNIT_TEST(options_parse_remedy_says_what_there_is)
{
	static const char *const cases[][3] = {{"--format", "xml", "json"}, {"-V", "nope", "cpus"}};

	for (size_t i = 0; i < 2; i++) {
		const char *const words[] = {cases[i][0], cases[i][1], NULL};
		struct options options;
		struct error error;

		assert_false(parse(&options, &error, words));
		assert_non_null(strstr(error.remedy, cases[i][2]));
	}
}

UNIT_TEST(options_parse_delay_keeps_its_limits)
{
	double delay_s = 0;

	assert_true(options_parse_delay("0.05", &delay_s, NULL));
	assert_true(delay_s == 0.05);
	assert_true(options_parse_delay("86400", &delay_s, NULL));
	assert_false(options_parse_delay("0.049", &delay_s, NULL));
	assert_false(options_parse_delay("1s", &delay_s, NULL));
}

UNIT_TEST(options_help_has_every_option_and_usage)
{
	/* clang-format off */
	static const char *const expected[] = {
		"-p, --pid LIST", "-u, --user USER", "-C, --cpu LIST", "-c, --columns LIST",
		"-s, --sort COLUMN", "-V, --view NAME", "-H, --threads", "-d, --delay SECONDS",
		"-n, --iterations N", "-b, --batch", "--format NAME", "-o, --output FILE", "--ascii",
		"--theme NAME", "--no-mouse", "--version", "-h, --help", "perftop check", "Exit status",
	};
	/* clang-format on */
	struct strbuf text = {0};

	options_help(&text);

	for (size_t i = 0; i < COUNT_OF(expected); i++)
		if (strstr(strbuf_text(&text), expected[i]) == NULL)
			fail_msg("%s is missing", expected[i]);
	strbuf_fini(&text);
}

UNIT_TEST(options_help_names_every_format)
{
	struct strbuf text = {0};
	size_t count;
	const struct batch_format *formats = batch_table(&count);
	char line[128];
	const char *begin;

	options_help(&text);

	begin = strstr(strbuf_text(&text), "--format NAME");
	assert_non_null(begin);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(begin, "\n"), begin);
	for (size_t i = 0; i < count; i++)
		if (strstr(line, formats[i].name) == NULL)
			fail_msg("%s is missing in %s", formats[i].name, line);
	strbuf_fini(&text);
}

/* Lines that fit a terminal. */
UNIT_TEST(options_help_is_at_most_100_columns_wide)
{
	struct strbuf text = {0};

	options_help(&text);
	for (const char *line = strbuf_text(&text); *line != '\0';) {
		size_t length = strcspn(line, "\n");

		assert_true(length <= 100);
		line += length + (line[length] != '\0');
	}
	strbuf_fini(&text);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
