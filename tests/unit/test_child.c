/* The command behind "--": when it starts, how it ends, and what it leaves behind. */

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "kernel/proc.h"

#include "session/child.h"
#include "unit.h"

/* What a shell is told to do. */
struct script {
	char shell[8], flag[4], text[128];
	char *words[4];
};

static char *const *script_of(struct script *script, const char *text)
{
	snprintf(script->shell, sizeof(script->shell), "sh");
	snprintf(script->flag, sizeof(script->flag), "-c");
	snprintf(script->text, sizeof(script->text), "%s", text);
	script->words[0] = script->shell;
	script->words[1] = script->flag;
	script->words[2] = script->text;
	script->words[3] = NULL;
	return script->words;
}

static struct child child;

/* A shell that waits to run the text. */
static void prepare(const char *text, bool to_file)
{
	static struct script script;

	assert_true(child_prepare(&child, script_of(&script, text), to_file, NULL));
}

static void start_and_finish(void)
{
	assert_true(child_start(&child, "sh", NULL));
	child_finish(&child);
}

static int run(const char *text)
{
	prepare(text, false);
	start_and_finish();
	assert_true(child.has_ended);
	return child.exit_status;
}

static size_t read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t count = file != NULL ? fread(text, 1, size - 1, file) : 0;

	text[count] = '\0';
	if (file != NULL)
		fclose(file);
	return count;
}

UNIT_TEST(child_exit_status_is_that_of_the_command)
{
	assert_int_equal(run("exit 0"), 0);
	assert_int_equal(run("exit 42"), 42);
}

UNIT_TEST(child_killed_by_a_signal_gives_128_and_its_number)
{
	assert_int_equal(run("kill -KILL $$"), 128 + SIGKILL);
	assert_int_equal(run("kill -TERM $$"), 128 + SIGTERM);
}

static void assert_not_run(char *name, const char *text, int status)
{
	char *const words[] = {name, NULL};
	struct error error = {0};

	assert_true(child_prepare(&child, words, false, NULL));
	assert_false(child_start(&child, name, &error));
	child_finish(&child);

	assert_string_equal(error.text, text);
	assert_int_equal(error_exit_status(&error), status);
}

UNIT_TEST(child_start_missing_command_is_named)
{
	static char path[] = "/nonexistent/command", word[] = "no-such-command";

	assert_not_run(path, "/nonexistent/command: command not found", 127);
	assert_not_run(word, "no-such-command: command not found", 127);
}

UNIT_TEST(child_start_what_is_no_program_gives_126)
{
	static char folder[] = "/tmp", file[] = "/dev/null";

	assert_not_run(folder, "/tmp: Permission denied", 126);
	assert_not_run(file, "/dev/null: Permission denied", 126);
}

UNIT_TEST(child_start_missing_command_leaves_no_output_file)
{
	static char name[] = "/nonexistent/command";
	char *const words[] = {name, NULL};
	char path[sizeof(((struct child *)0)->output)];

	assert_true(child_prepare(&child, words, true, NULL));
	memcpy(path, child.output, sizeof(path));
	assert_int_equal(access(path, F_OK), 0);
	assert_false(child_start(&child, name, NULL));
	child_finish(&child);

	assert_string_equal(child.output, "");
	assert_int_equal(access(path, F_OK), -1);
}

/* The file that a command would make is not there. */
UNIT_TEST(child_does_nothing_before_it_is_started)
{
	char path[] = "/tmp/perftop-test-XXXXXX", text[128];

	assert_non_null(mkdtemp(path));
	snprintf(text, sizeof(text), "rmdir %s", path);
	prepare(text, false);
	usleep(50000);
	assert_int_equal(access(path, F_OK), 0);
	assert_false(child_collect(&child));
	start_and_finish();

	assert_int_equal(access(path, F_OK), -1);
}

UNIT_TEST(child_finish_never_started_goes_away_without_running)
{
	char path[] = "/tmp/perftop-test-XXXXXX", text[128];

	assert_non_null(mkdtemp(path));
	snprintf(text, sizeof(text), "rmdir %s", path);
	prepare(text, false);
	child_finish(&child);

	assert_true(child.has_ended);
	assert_int_equal(kill(child.pid, 0), -1);
	assert_int_equal(rmdir(path), 0);
}

UNIT_TEST(child_never_started_leaves_no_output_file)
{
	char path[sizeof(((struct child *)0)->output)];

	prepare("true", true);
	memcpy(path, child.output, sizeof(path));
	child_finish(&child);

	assert_string_equal(child.output, "");
	assert_int_equal(access(path, F_OK), -1);
}

UNIT_TEST(child_output_goes_to_a_file_of_its_own)
{
	char text[64];
	struct stat file;

	prepare("echo out; echo err >&2; cat", true);
	start_and_finish();

	assert_true(read_file(child.output, text, sizeof(text)) > 0);
	assert_string_equal(text, "out\nerr\n");
	assert_int_equal(stat(child.output, &file), 0);
	assert_int_equal(file.st_mode & 0777, 0600);
	unlink(child.output);
}

UNIT_TEST(child_output_file_stands_in_tmpdir)
{
	char folder[] = "/tmp/perftop-test-XXXXXX";

	assert_non_null(mkdtemp(folder));
	setenv("TMPDIR", folder, 1);
	prepare("true", true);
	unsetenv("TMPDIR");

	assert_memory_equal(child.output, folder, strlen(folder));
	child_finish(&child);
	assert_int_equal(rmdir(folder), 0);
}

UNIT_TEST(child_prepare_without_a_place_for_output_fails)
{
	struct error error = {0};
	uint64_t before = proc_own_descriptors();
	struct script script;

	setenv("TMPDIR", "/nonexistent", 1);
	assert_false(child_prepare(&child, script_of(&script, "true"), true, &error));
	unsetenv("TMPDIR");

	assert_int_equal(error.code, ERROR_FILE_OPEN);
	assert_non_null(strstr(error.text, "/nonexistent/perftop-"));
	assert_int_equal(child.pid, 0);
	assert_string_equal(child.output, "");
	assert_int_equal(proc_own_descriptors(), before);
}

UNIT_TEST(child_collect_tells_when_it_has_ended)
{
	prepare("exec sleep 100", false);
	assert_true(child_start(&child, "sh", NULL));
	assert_false(child_collect(&child));
	child_signal(&child, SIGTERM);
	for (int i = 0; i < 500 && !child_collect(&child); i++)
		usleep(10000);

	assert_true(child.has_ended);
	assert_int_equal(child.exit_status, 128 + SIGTERM);
	child_finish(&child);
	assert_int_equal(child.exit_status, 128 + SIGTERM);
}

UNIT_TEST(child_signal_to_nobody_is_harmless)
{
	struct child none = {.start_fd = -1, .result_fd = -1};

	child_signal(&none, SIGKILL);
	child_finish(&none);

	assert_false(child_collect(&none));
}

UNIT_TEST(child_start_after_it_was_killed_is_no_exec_failure)
{
	signal(SIGPIPE, SIG_IGN);
	prepare("true", false);
	child_signal(&child, SIGKILL);
	usleep(50000);
	start_and_finish();
	signal(SIGPIPE, SIG_DFL);

	assert_int_equal(child.exit_status, 128 + SIGKILL);
}

/* Ours are closed; what we were given ourselves is another question. */
UNIT_TEST(child_command_has_only_its_standard_descriptors)
{
	char text[256];
	size_t count = 0;

	for (int fd = 3; fd < 256; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	prepare("echo /proc/$$/fd/*", true);
	start_and_finish();
	read_file(child.output, text, sizeof(text));
	unlink(child.output);
	for (const char *word = text; (word = strstr(word, "/fd/")) != NULL; word++)
		count++;

	/* the shell itself has the folder open */
	assert_in_range(count, 3, 4);
}

/* What nohup(1) and the like have set up holds for the command, too. */
UNIT_TEST(child_command_finds_signals_as_we_were_given_them)
{
	/* no shell: some clear the mask */
	static char program[] = "grep", pattern[] = "^Sig[BI]", file[] = "/proc/self/status";
	char *const words[] = {program, pattern, file, NULL};
	sigset_t set;
	char text[256];

	sigemptyset(&set);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	assert_true(child_prepare(&child, words, true, NULL));
	assert_true(child_start(&child, program, NULL));
	child_finish(&child);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	read_file(child.output, text, sizeof(text));
	unlink(child.output);

	assert_string_equal(text, "SigBlk:\t0000000000000004\nSigIgn:\t0000000000001000\n");
}

UNIT_TEST(child_finish_leaves_no_descriptor)
{
	uint64_t before = proc_own_descriptors();

	run("exit 0");
	child_start_missing_command_is_named(state);
	child_finish_never_started_goes_away_without_running(state);
	child_output_goes_to_a_file_of_its_own(state);

	assert_int_equal(proc_own_descriptors(), before);
}

/* Prints what a shell wrote into its file; the path is left in *path. */
static size_t printed_output(const char *script_text, char *path, char *text, size_t size)
{
	FILE *stream = fmemopen(text, size, "w");

	prepare(script_text, true);
	start_and_finish();
	strcpy(path, child.output);
	child_print_output(&child, stream);
	const long printed = ftell(stream);
	fclose(stream);
	return (size_t)printed;
}

UNIT_TEST(child_print_output_prints_it_and_removes_the_file)
{
	char path[64], text[100] = "";

	assert_int_equal(printed_output("echo one; echo two >&2", path, text, sizeof(text)), 8);
	assert_string_equal(text, "one\ntwo\n");
	assert_int_equal(access(path, F_OK), -1);
}

UNIT_TEST(child_print_output_of_much_prints_its_end_and_keeps_the_file)
{
	static char text[100000];
	char path[64];

	assert_int_equal(printed_output("head -c 70000 /dev/zero | tr '\\0' a; printf end", path,
					text, sizeof(text)),
			 65536);
	assert_memory_equal(text + 65536 - 4, "aend", 4);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
}

UNIT_TEST(child_times_are_those_of_the_command_and_its_children)
{
	prepare("(i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done)", false);
	start_and_finish();
	assert_true(child.user_s + child.system_s > 0);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
