/*
 * The batch run as a whole, on a source that tells what it is told to (fake_source.h): what ends an
 * interval, what ends the run, and with which status. The output goes to a file of the test's own.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/eventfd.h>

#include "fake_root.h"
#include "fake_source.h"
#include "mode/views.h"
#include "model_kit.h"
#include "print.h"
#include "session/options.h"
#include "unit.h"

enum {
	TEXT_BYTES = 32768,
	WORDS_MAX = 24
};

static struct {
	struct options options;
	struct error error;
	char output[FAKE_PATH_BYTES];
	char text[TEXT_BYTES]; /* what was printed */
	char said[TEXT_BYTES]; /* on standard error */
	bool is_stdout;        /* it prints there instead */
	size_t ticks;
	uint64_t sequence; /* of CPU 0's last switch */
} kit;

static int setup(void **state)
{
	memset(&kit, 0, sizeof(kit));
	if (fake_setup(state) != 0 || fake_root_setup(state) != 0)
		return -1;
	fake_root_path(kit.output, "/output");
	fake.poll_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return fake.poll_fd < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	assert_false(fake.source.is_open);
	close(fake.poll_fd);
	options_fini(&kit.options);
	return fake_root_teardown(state);
}

static void read_all(int fd, char text[static TEXT_BYTES])
{
	const ssize_t length = pread(fd, text, TEXT_BYTES - 1, 0);

	text[length > 0 ? length : 0] = '\0';
}

/* Runs with the words that a user would type behind `perftop -b -o FILE`; the exit status. */
static int run(const char *first, ...)
{
	char *words[WORDS_MAX + 1] = {(char *)(uintptr_t) "perftop", (char *)(uintptr_t) "-b"};
	FILE *file = tmpfile();
	const int saved = dup(STDERR_FILENO);
	int count = 2, status, fd;
	va_list rest;

	if (!kit.is_stdout) {
		words[count++] = (char *)(uintptr_t) "-o";
		words[count++] = kit.output;
	}
	va_start(rest, first);
	for (const char *word = first; word != NULL; word = va_arg(rest, const char *))
		words[count++] = (char *)(uintptr_t)word;
	va_end(rest);
	assert_true(count <= WORDS_MAX);
	if (!options_parse(&kit.options, &all_views, count, words, &kit.error))
		fail_msg("%s", kit.error.text);
	kit.options.delay_s = 0.001;
	kit.options.no_config = kit.options.config_path == NULL;

	assert_non_null(file);
	dup2(fileno(file), STDERR_FILENO);
	status = print_run(&kit.options, &kit.error);
	dup2(saved, STDERR_FILENO);
	close(saved);
	read_all(fileno(file), kit.said);
	fclose(file);
	fd = open(kit.output, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		read_all(fd, kit.text);
	close(fd);
	return status;
}

static size_t lines_with(const char *text, const char *part)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
		count++;
	return count;
}

/* Task 7 runs for 400 ns of each interval, a microsecond; it is on no CPU at its end. */
static void run_a_slice(void)
{
	const uint64_t from = fake.now_ns;

	kit.ticks++;
	fake.now_ns += 1000;
	if (kit.ticks == 1) { /* only who runs is told before the first interval */
		fake_tell(reading(.seq = 1, .ns = fake.now_ns, .values = {0, 0}));
		fake_tell(switch_in(.tid = 0, .prev = 9, .time = fake.now_ns));
		kit.sequence = 1;
		return;
	}
	fake_tell(sample(.tid = 0, .seq = ++kit.sequence, .ns = from + 100));
	fake_tell(switch_out(.tid = 0, .next = 7, .time = from + 100));
	fake_tell(switch_in(.tid = 7, .prev = 0, .time = from + 100));
	fake_tell(sample(.tid = 7, .seq = ++kit.sequence, .ns = from + 500));
	fake_tell(switch_out(.tid = 7, .next = 0, .time = from + 500));
	fake_tell(switch_in(.tid = 0, .prev = 7, .time = from + 500));
	fake_tell(reading(.seq = kit.sequence, .ns = fake.now_ns));
}

#define TWO "-c", "pid", "-e", "page-faults,cpu-migrations"

/* ---- intervals */

UNIT_TEST(run_prints_as_many_intervals_as_asked_for)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run(TWO, "--format", "json", "-n", "3", NULL), 0);
	assert_int_equal(lines_with(kit.text, "\n"), 3);
	assert_int_equal(lines_with(kit.text, "\"run_ns\":400,"), 3);
	assert_int_equal(kit.ticks, 4); /* the first reading and three intervals */
	assert_string_equal(kit.said, "");
}

/* Each switch once, whichever interval it is written in. */
UNIT_TEST(run_of_a_log_writes_each_switch_once)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run("--view", "switches", "--format", "json", "-n", "3", NULL), 0);
	assert_int_equal(lines_with(kit.text, "\n"), 6);
	assert_int_equal(lines_with(kit.text, "\"slice_ns\":400"), 3);
}

/* ---- what ends it */

static void interrupt(void)
{
	run_a_slice();
	if (kit.ticks == 3)
		raise(SIGINT);
}

UNIT_TEST(run_that_is_interrupted_ends_well)
{
	fake.at_tick = interrupt;
	assert_int_equal(run(TWO, "--format", "json", NULL), 0);
	assert_in_range(lines_with(kit.text, "\n"), 2, 3);
}

static void end_task(void)
{
	run_a_slice();
	if (kit.ticks == 2)
		fake_tell(exited(.tid = 7, .time = fake.now_ns));
}

UNIT_TEST(run_of_processes_ends_with_the_last_of_them)
{
	fake.at_tick = end_task;
	assert_int_equal(run(TWO, "-p", "7", "--format", "json", NULL), 0);
	assert_in_range(lines_with(kit.text, "\n"), 1, 2);
	assert_int_equal(lines_with(kit.text, "\"state\":\"exited\""), 1);
}

UNIT_TEST(run_of_a_command_leaves_with_its_status)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run(TWO, "--format", "json", "--", "sh", "-c", "exit 7", NULL), 7);
	assert_true(lines_with(kit.text, "\n") > 0); /* what it did last is printed, too */
}

UNIT_TEST(run_of_a_command_that_is_none_says_so)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run(TWO, "--", "/no/such/command", NULL), 127);
	assert_non_null(strstr(kit.error.text, "/no/such/command"));
}

/* The command goes on when enough was printed, and is waited for. */
UNIT_TEST(run_of_a_command_waits_for_it_in_the_end)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run(TWO, "--format", "json", "-n", "1", "--", "sh", "-c",
			     "sleep 0.1; exit 3", NULL),
			 3);
	assert_int_equal(lines_with(kit.text, "\n"), 2);
	assert_int_equal(lines_with(kit.text, "{\"summary\":"), 1);
}

/* ---- what goes wrong */

UNIT_TEST(run_whose_machine_is_refused_prints_nothing)
{
	fake.machine = ERROR_PERF_NO_MEMORY;
	assert_int_equal(run(TWO, NULL), 1);
	assert_int_equal(kit.error.code, ERROR_PERF_NO_MEMORY);
	assert_string_equal(kit.text, "");
}

UNIT_TEST(run_that_cannot_write_says_so)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run(TWO, "--format", "json", "-o", "/dev/full", NULL), 1);
	assert_non_null(strstr(kit.error.text, strerror(ENOSPC)));
}

/* Nobody reads any more: the run is over, and nothing is wrong. */
UNIT_TEST(run_into_a_closed_pipe_ends_quietly)
{
	const int saved = dup(STDOUT_FILENO);
	int ends[2], status;

	fake.at_tick = run_a_slice;
	kit.is_stdout = true;
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	fflush(stdout);
	dup2(ends[1], STDOUT_FILENO);
	status = run(TWO, "--format", "json", NULL);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(ends[1]);
	assert_int_equal(status, 0);
	assert_string_equal(kit.said, "");
	assert_int_equal(kit.ticks, 2); /* the first interval could not be written */
}

UNIT_TEST(run_that_cannot_record_says_so)
{
	fake.at_tick = run_a_slice;
	assert_int_equal(run(TWO, "-w", "/no/such/folder/file", NULL), 1);
	assert_non_null(strstr(kit.error.text, "/no/such/folder/file"));
	assert_string_equal(kit.text, "");
}

/* ---- the configuration */

UNIT_TEST(run_counts_what_the_configuration_asks_for)
{
	char path[FAKE_PATH_BYTES];

	fake.at_tick = run_a_slice;
	fake_root_file("/config", "event cpu-migrations\n");
	fake_root_path(path, "/config");
	assert_int_equal(run("--config", path, "--format", "text", "-n", "1", NULL), 0);
	assert_non_null(strstr(fake.events, "cpu-migrations"));
	assert_non_null(strstr(kit.text, " MIGRATIONS/s ")); /* and has a column */
	assert_string_equal(kit.said, "");
}

UNIT_TEST(run_tells_of_the_first_wrong_line_and_goes_on)
{
	char path[FAKE_PATH_BYTES];

	fake.at_tick = run_a_slice;
	fake_root_file("/config", "event no-such-event-at-all\nno such command\n");
	fake_root_path(path, "/config");
	assert_int_equal(run(TWO, "--config", path, "--format", "json", "-n", "1", NULL), 0);
	assert_int_equal(lines_with(kit.said, "\n"), 1);
	assert_non_null(strstr(kit.said, "no-such-event-at-all"));
	assert_non_null(strstr(kit.said, "(2 lines are wrong)"));
	assert_int_equal(lines_with(kit.text, "\n"), 1);
}

/* What scripts read is the same for every user. */
UNIT_TEST(run_takes_nothing_but_what_is_counted_from_the_configuration)
{
	char path[FAKE_PATH_BYTES];

	fake.at_tick = run_a_slice;
	fake_root_file("/config", "columns pid\nsort pid\nfilter nothing\nthreads on\nview cpus\n"
				  "delay 60\nuser root\nin tasks event cpu-migrations\n");
	fake_root_path(path, "/config");
	assert_int_equal(run("--config", path, "--format", "text", "-n", "1", NULL), 0);
	assert_non_null(strstr(kit.text, " COMMAND"));
	assert_int_equal(lines_with(kit.text, "\n"), 4);
	assert_null(strstr(fake.events, "cpu-migrations"));
	assert_string_equal(kit.said, "");
}

int main(void)
{
	return unit_run(setup, teardown);
}
