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
	return options_parse(options, argc, argv, error);
}

/* For what is right: parses, or fails the test. */
#define PARSE(options, ...)                                                                        \
	do {                                                                                       \
		struct error parse_error;                                                          \
		const char *const words[] = {__VA_ARGS__, NULL};                                   \
		if (!parse(options, &parse_error, words))                                          \
			fail_msg("%s", parse_error.text);                                          \
	} while (0)

UNIT_TEST(options_parse_nothing_gives_the_defaults)
{
	static const char *const none[] = {NULL};
	struct options options;
	struct error error;

	assert_true(parse(&options, &error, none));

	assert_int_equal(options.action, OPTIONS_RUN);
	assert_int_equal(options.pid_count, 0);
	assert_null(options.command);
	assert_false(options.has_cpus);
	assert_int_equal(options.uid, -1);
	assert_string_equal(options.view->name, "tasks");
	assert_null(options.column_list);
	assert_null(options.sort_text);
	assert_null(options.filter);
	assert_int_equal(options.event_list_count, 0);
	assert_int_equal(options.metric_count, 0);
	assert_null(options.config_path);
	assert_false(options.no_config);
	assert_true(options.delay_s == 1.0);
	assert_int_equal(options.iterations, 0);
	assert_false(options.batch);
	assert_string_equal(options.format->name, "text");
	options_fini(&options);
}

UNIT_TEST(options_parse_pids_come_in_every_form)
{
	static const char *const forms[][3] = {
		{"-p", "12,34"}, {"-p12,34"}, {"--pid", "12,34"}, {"--pid=12,34"}};

	for (size_t i = 0; i < 4; i++) {
		struct options options;
		struct error error;

		assert_true(parse(&options, &error, forms[i]));
		assert_int_equal(options.pid_count, 2);
		assert_int_equal(options.pids[0], 12);
		assert_int_equal(options.pids[1], 34);
		assert_string_equal(strbuf_text(&options.pid_list), "12,34");
		options_fini(&options);
	}
}

UNIT_TEST(options_parse_pids_add_up)
{
	struct options options;

	PARSE(&options, "-p", "1", "-p", "2");

	assert_int_equal(options.pid_count, 2);
	assert_int_equal(options.pids[1], 2);
	options_fini(&options);
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

	PARSE(&options, "-p", name);
	assert_int_equal(options.pid_count, 2);
	assert_int_equal(options.pids[0] + options.pids[1], pids[0] + pids[1]);
	options_fini(&options);
	PARSE(&options, "-p", part, "-p", "1");
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

UNIT_TEST(options_parse_everything_at_once)
{
	struct options options;

	PARSE(&options, "-C", "0-1,3", "-u", "root", "-c", "pid,ipc", "-s", "ipc", "-V", "cpus",
	      "-H", "-d", "0.5", "-n", "3", "-b", "--format", "json", "-o", "out", "--ascii",
	      "--no-mouse");

	assert_true(options.has_cpus);
	assert_int_equal(options.cpus.count, 3);
	assert_int_equal(options.uid, 0);
	assert_string_equal(options.column_list, "pid,ipc");
	assert_string_equal(options.sort_text, "ipc");
	assert_string_equal(options.view->name, "cpus");
	assert_true(options.threads);
	assert_true(options.delay_s == 0.5);
	assert_int_equal(options.iterations, 3);
	assert_true(options.batch);
	assert_string_equal(options.format->name, "json");
	assert_string_equal(options.output, "out");
	assert_true(options.ascii);
	assert_true(options.no_mouse);
	options_fini(&options);
}

UNIT_TEST(options_parse_letters_stand_together)
{
	struct options options;

	PARSE(&options, "-bHn3");

	assert_true(options.batch);
	assert_true(options.threads);
	assert_int_equal(options.iterations, 3);
	options_fini(&options);
}

UNIT_TEST(options_parse_last_letter_takes_the_next_word)
{
	struct options options;

	PARSE(&options, "-bn", "3");

	assert_int_equal(options.iterations, 3);
	options_fini(&options);
}

UNIT_TEST(options_parse_format_implies_batch)
{
	struct options options;

	PARSE(&options, "--format=json");

	assert_true(options.batch);
	options_fini(&options);
}

UNIT_TEST(options_parse_command_keeps_its_own_options)
{
	struct options options;

	PARSE(&options, "-b", "--", "make", "-j8", "--help");

	assert_int_equal(options.action, OPTIONS_RUN);
	assert_string_equal(options.command[0], "make");
	assert_string_equal(options.command[1], "-j8");
	assert_string_equal(options.command[2], "--help");
	assert_null(options.command[3]);
	options_fini(&options);
}

UNIT_TEST(options_parse_filter_is_kept_as_it_was_typed)
{
	struct options options;

	PARSE(&options, "-f", "a < 1", "--filter= ipc < 0.5 && command ~ \"java\" ");
	assert_string_equal(options.filter, " ipc < 0.5 && command ~ \"java\" ");
	options_fini(&options);
}

UNIT_TEST(options_parse_last_column_list_counts)
{
	struct options options;

	PARSE(&options, "-c", "pid,ipc", "-c", "pid");

	assert_string_equal(options.column_list, "pid");
	options_fini(&options);
}

UNIT_TEST(options_parse_actions_are_known)
{
	static const struct {
		const char *words[2];
		enum options_action action;
	} cases[] = {
		{{"check"}, OPTIONS_CHECK},
		{{"-h"}, OPTIONS_HELP},
		{{"--help"}, OPTIONS_HELP},
		{{"--version"}, OPTIONS_VERSION},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct options options;
		struct error error;

		assert_true(parse(&options, &error, cases[i].words));
		assert_int_equal(options.action, cases[i].action);
		options_fini(&options);
	}
}

/* All of them are wrong usage: status 2, and the text names the word. */
UNIT_TEST(options_parse_wrong_usage_names_the_word)
{
	static const struct {
		const char *words[5];
		enum error_code code;
		const char *text;
	} cases[] = {
		{{"-x"}, ERROR_OPTION_UNKNOWN, "-x: unknown option"},
		{{"-bx"}, ERROR_OPTION_UNKNOWN, "-x: unknown option"},
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
		{{""}, ERROR_WORD_UNEXPECTED, ": unexpected word"},
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
		{{"-C", ""}, ERROR_CPU_LIST_BAD, ": not a list of CPUs"},
		{{"-V", "nope"}, ERROR_VIEW_UNKNOWN, "nope: unknown view"},
		{{"-d", "0"}, ERROR_NUMBER_BAD, "0: delay must be 0.05 to 86400 seconds"},
		{{"-d", "nan"}, ERROR_NUMBER_BAD, "nan: delay must be 0.05 to 86400 seconds"},
		{{"-d", "86401"}, ERROR_NUMBER_BAD, "86401: delay must be 0.05 to 86400 seconds"},
		{{"-n", "0"}, ERROR_NUMBER_BAD, "0: iterations must be a whole number above 0"},
		{{"-n", "1.5"}, ERROR_NUMBER_BAD, "1.5: iterations must be a whole number above 0"},
		{{"--format", "xml"}, ERROR_FORMAT_UNKNOWN, "xml: unknown format"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct options options;
		struct error error;

		if (parse(&options, &error, cases[i].words))
			fail_msg("%s %s is accepted", cases[i].words[0],
				 cases[i].words[1] != NULL ? cases[i].words[1] : "");
		assert_string_equal(error.text, cases[i].text);
		assert_int_equal(error.code, cases[i].code);
		assert_int_equal(error_exit_status(&error), 2);
		assert_null(options.pids);
		assert_null(options.event_lists);
	}
}

UNIT_TEST(options_parse_what_there_is_stands_in_the_remedy)
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

UNIT_TEST(options_parse_events_and_metrics_are_kept_in_order)
{
	struct options options;

	PARSE(&options, "-e", "cycles,sched:sched_switch", "--event=r01c2", "-m", "a = b / c",
	      "--metric", "d = 1");

	assert_int_equal(options.event_list_count, 2);
	assert_string_equal(options.event_lists[0], "cycles,sched:sched_switch");
	assert_string_equal(options.event_lists[1], "r01c2");
	assert_int_equal(options.metric_count, 2);
	assert_string_equal(options.metric_definitions[0], "a = b / c");
	assert_string_equal(options.metric_definitions[1], "d = 1");
	options_fini(&options);
}

UNIT_TEST(options_parse_config_last_word_holds)
{
	struct options options;

	PARSE(&options, "--config", "a", "--no-config");
	assert_true(options.no_config);
	assert_null(options.config_path);
	options_fini(&options);
	PARSE(&options, "--no-config", "--config=a");
	assert_false(options.no_config);
	assert_string_equal(options.config_path, "a");
	options_fini(&options);
}

/* What is a default may be changed by the configuration, what was asked for may not. */
UNIT_TEST(options_parse_says_what_was_given)
{
	struct options options;

	PARSE(&options, "-b");
	assert_false(options.has_view);
	assert_false(options.has_delay);
	options_fini(&options);
	PARSE(&options, "-V", "tasks", "-d", "1");
	assert_true(options.has_view);
	assert_true(options.has_delay);
	options_fini(&options);
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
	static const char *const expected[] = {"-p, --pid LIST",
					       "-u, --user USER",
					       "-C, --cpu LIST",
					       "-c, --columns LIST",
					       "-s, --sort COLUMN",
					       "-V, --view NAME",
					       "-H, --threads",
					       "-d, --delay SECONDS",
					       "-n, --iterations N",
					       "-b, --batch",
					       "--format NAME",
					       "-o, --output FILE",
					       "--ascii",
					       "--theme NAME",
					       "--no-mouse",
					       "--version",
					       "-h, --help",
					       "perftop check",
					       "Exit status"};
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

UNIT_TEST(options_parse_events_takes_words_as_its_pattern)
{
	struct options options;

	PARSE(&options, "events");
	assert_int_equal(options.action, OPTIONS_EVENTS);
	assert_string_equal(strbuf_text(&options.pattern), "");
	options_fini(&options);

	PARSE(&options, "events", "cache", "--format", "json", "check", "events");
	assert_int_equal(options.action, OPTIONS_EVENTS);
	assert_string_equal(strbuf_text(&options.pattern), "cache check events");
	assert_string_equal(options.format->name, "json");
	options_fini(&options);

	PARSE(&options, "--help", "events");
	assert_int_equal(options.action, OPTIONS_HELP);
	options_fini(&options);
}

UNIT_TEST(options_parse_history_takes_thousands_and_millions)
{
	static const struct {
		const char *text;
		uint64_t history;
	} cases[] = {
		{"0", 0},        {"1", 1},        {"4096", 4096},      {"20k", 20000},
		{"3M", 3000000}, {"5m", 5000000}, {"100M", 100000000},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct options options;

		PARSE(&options, "--history", cases[i].text);
		assert_int_equal(options.history, cases[i].history);
		options_fini(&options);
	}
}

UNIT_TEST(options_parse_batch_refuses_what_is_for_the_screen)
{
	static const char *const orders[][4] = {{"-b", "-V", "timeline"},
						{"-V", "timeline", "--format", "csv"}};
	struct options options;

	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		const char *const refused[] = {orders[i][0], orders[i][1], orders[i][2],
					       orders[i][3], NULL};
		struct error error;

		assert_false(parse(&options, &error, refused));
		assert_int_equal(error.code, ERROR_VIEW_SCREEN_ONLY);
		assert_int_equal(error_exit_status(&error), 2);
		assert_memory_equal(error.text, "timeline: this view is for the screen", 37);
	}
	PARSE(&options, "-V", "timeline");
	options_fini(&options);
}

UNIT_TEST(options_parse_top_is_for_totals)
{
	static const char *const orders[][4] = {{"--top", "5"}, {"--top", "5", "--format", "json"}};
	struct options options;
	struct error error;

	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		const char *const refused[] = {orders[i][0], orders[i][1], orders[i][2],
					       orders[i][3], NULL};

		assert_false(parse(&options, &error, refused));
		assert_int_equal(error.code, ERROR_TOP_UNUSED);
	}
	PARSE(&options, "--format", "openmetrics");
	assert_int_equal(options.top, OPTIONS_TOP);
	options_fini(&options);
	PARSE(&options, "--top", "0", "--format", "openmetrics");
	assert_int_equal(options.top, 0);
	options_fini(&options);
}

/* A switch in CSV and JSON has the cells it has. */
UNIT_TEST(options_parse_columns_of_switches_in_fixed_cells_are_refused)
{
	static const char *const formats[] = {"csv", "json", "openmetrics"};
	struct options options;

	for (size_t i = 0; i < 3; i++) {
		const char *const refused[] = {"-V",       "switches", "-c", "when,ipc",
					       "--format", formats[i], NULL};
		char expected[80];
		struct error error;

		snprintf(expected, sizeof(expected),
			 "when,ipc: switches in %s have cells of their own", formats[i]);
		assert_false(parse(&options, &error, refused));
		assert_string_equal(error.text, expected);
		assert_int_equal(error_exit_status(&error), 2);
	}
	PARSE(&options, "-V", "switches", "-b", "-c", "when,ipc");
	options_fini(&options);
	PARSE(&options, "-V", "switches", "--format", "csv");
	options_fini(&options);
	PARSE(&options, "--format", "csv", "-c", "pid");
	options_fini(&options);
}

UNIT_TEST(options_parse_history_by_default_is_a_million)
{
	struct options options;

	PARSE(&options, "--ascii");
	assert_int_equal(options.history, 1000000);
	options_fini(&options);
}

UNIT_TEST(options_parse_past_is_a_number_of_mib)
{
	static const char *const wrong[] = {"", "0", "65537", "1G", "-1", "1.5"};
	struct options options;
	struct error error;

	PARSE(&options, "--ascii");
	assert_int_equal(options.past_mib, 32);
	options_fini(&options);
	PARSE(&options, "--past", "256");
	assert_int_equal(options.past_mib, 256);
	options_fini(&options);
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		const char *const words[] = {"--past", wrong[i], NULL};

		if (parse(&options, &error, words))
			fail_msg("\"%s\" is taken", wrong[i]);
		assert_int_equal(error.code, ERROR_NUMBER_BAD);
	}
}

UNIT_TEST(options_parse_history_wrong_is_named)
{
	static const char *const wrong[] = {"",
					    "k",
					    "-1",
					    "1.5M",
					    "1G",
					    "10kk",
					    "101M",
					    "0x10",
					    "18446744073709551616",
					    "100000001",
					    "9999999999999999999999999999k"};

	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		const char *const words[] = {"--history", wrong[i], NULL};
		struct options options;
		struct error error;

		if (parse(&options, &error, words))
			fail_msg("\"%s\" is taken", wrong[i]);
		assert_int_equal(error.code, ERROR_NUMBER_BAD);
	}
}

UNIT_TEST(options_parse_view_of_a_history_that_is_not_kept_is_refused)
{
	static const char *const views[] = {"switches", "pairs", "histogram", "timeline"};

	for (size_t i = 0; i < COUNT_OF(views); i++) {
		const char *const words[] = {"--history", "0", "-b", "-V", views[i], NULL};
		struct options options;
		struct error error;

		if (parse(&options, &error, words))
			fail_msg("%s is taken", views[i]);
		assert_int_equal(error.code, ERROR_HISTORY_NONE);
	}
}

UNIT_TEST(options_parse_input_names_the_recording)
{
	struct options options;

	PARSE(&options, "-i", "-", "-p", "7");
	assert_string_equal(options.input, "-");
	assert_int_equal(options.pid_count, 1);
	assert_null(options.record);
	options_fini(&options);
}

UNIT_TEST(options_parse_record_names_the_file)
{
	struct options options;

	PARSE(&options, "-w", "a.data");
	assert_string_equal(options.record, "a.data");
	assert_int_equal(options.compression, 0);
	assert_string_equal(options.arguments[1], "-w");
	options_fini(&options);
	PARSE(&options, "--record=b.data");
	assert_string_equal(options.record, "b.data");
	options_fini(&options);
}

UNIT_TEST(options_parse_compress_takes_a_level_or_none)
{
	static const struct {
		const char *word;
		int level;
	} cases[] = {
		{"-z", OPTIONS_COMPRESSION},         {"-z7", 7},          {"-z22", 22},
		{"--compress", OPTIONS_COMPRESSION}, {"--compress=3", 3},
	};
	struct options options;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		PARSE(&options, "-w", "a.data", cases[i].word);
		assert_int_equal(options.compression, cases[i].level);
		options_fini(&options);
	}
	PARSE(&options, "-bzw", "a.data");
	assert_true(options.batch);
	assert_int_equal(options.compression, OPTIONS_COMPRESSION);
	assert_string_equal(options.record, "a.data");
	options_fini(&options);
}

UNIT_TEST(options_parse_compress_with_a_wrong_level_is_refused)
{
	static const char *const words[] = {"-z0", "-z23", "-z1x", "--compress=", "--compress=x"};
	struct options options;
	struct error error;

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		const char *const line[] = {words[i], NULL};

		assert_false(parse(&options, &error, line));
		assert_int_equal(error.code, ERROR_RECORD_COMPRESSION);
	}
}

/* It takes what perftop shows, or the recording. */
UNIT_TEST(options_parse_recording_to_standard_output_needs_it_free)
{
	static const char *const screen[] = {"-w", "-", NULL};
	static const char *const batch[] = {"-b", "-w", "-", NULL};
	struct options options;
	struct error error;

	assert_false(parse(&options, &error, screen));
	assert_int_equal(error.code, ERROR_RECORD_OUTPUT);
	assert_false(parse(&options, &error, batch));
	assert_int_equal(error.code, ERROR_RECORD_OUTPUT);
	PARSE(&options, "-w", "-", "-o", "rows");
	options_fini(&options);
	PARSE(&options, "-b", "-w", "-", "--", "true");
	options_fini(&options);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
