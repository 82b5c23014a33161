/* The configuration file. */

#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/strbuf.h"

#include "session/config.h"
#include "session/options.h"
#include "unit.h"

static struct scene {
	char folder[64];
	struct config config;
	struct options options;
} scene;

static int set_up(void **state)
{
	scene = (struct scene){.folder = "/tmp/perftop-config-XXXXXX"};
	if (mkdtemp(scene.folder) == NULL)
		return -1;
	setenv("XDG_CONFIG_HOME", scene.folder, 1);
	setenv("HOME", "/nowhere", 1);
	return 0;
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", scene.folder, name);
	return path;
}

static int tear_down(void **state)
{
	config_fini(&scene.config);
	unlink(path_of("perftop/perftop.conf"));
	unlink(path_of("other"));
	rmdir(path_of("perftop/perftop.conf"));
	rmdir(path_of("perftop"));
	rmdir(scene.folder);
	return 0;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

UNIT_TEST(config_parse_leaves_out_comments_and_blanks)
{
	config_parse(&scene.config, "# a comment\n\n  sort ipc \t\r\n\t# too\nmetric a = b # c");

	assert_int_equal(scene.config.count, 2);
	assert_string_equal(scene.config.lines[0].text, "sort ipc");
	assert_int_equal(scene.config.lines[0].number, 3);
	/* a sign in the line is part of it: filters of tracepoints may hold one */
	assert_string_equal(scene.config.lines[1].text, "metric a = b # c");
	assert_int_equal(scene.config.lines[1].number, 5);
}

UNIT_TEST(config_parse_nothing_has_no_lines)
{
	config_parse(&scene.config, "");
	config_parse(&scene.config, "\n\n \n");
	assert_int_equal(scene.config.count, 0);
}

UNIT_TEST(config_parse_mark_of_utf8_is_no_part_of_a_line)
{
	config_parse(&scene.config, "\xef\xbb\xbfsort ipc\n\xef\xbb\xbfidle\n");
	assert_int_equal(scene.config.count, 2);
	assert_string_equal(scene.config.lines[0].text, "sort ipc");
	assert_int_equal(scene.config.lines[0].number, 1);
	assert_string_equal(scene.config.lines[1].text, "\xef\xbb\xbfidle");
}

UNIT_TEST(config_argument_is_what_follows_the_word)
{
	assert_string_equal(config_argument("event  a,b", "event"), "a,b");
	assert_null(config_argument("event  a,b", "events"));
	assert_null(config_argument("event  a,b", "even"));
	assert_string_equal(config_argument("event", "event"), "");
}

UNIT_TEST(config_read_finds_the_usual_file)
{
	mkdir(path_of("perftop"), 0700);
	write_file("perftop/perftop.conf", "delay 2\n");
	assert_true(config_read(&scene.config, &scene.options, NULL));
	assert_int_equal(scene.config.count, 1);
}

UNIT_TEST(config_read_without_a_file_is_empty)
{
	assert_true(config_read(&scene.config, &scene.options, NULL));
	assert_int_equal(scene.config.count, 0);
	unsetenv("XDG_CONFIG_HOME");
	config_fini(&scene.config);
	assert_true(config_read(&scene.config, &scene.options, NULL));
	unsetenv("HOME");
	config_fini(&scene.config);
	assert_true(config_read(&scene.config, &scene.options, NULL));
	assert_null(scene.config.path);
}

/* A relative one is to be ignored, says the standard: it would follow the working directory. */
UNIT_TEST(config_read_relative_folder_is_ignored)
{
	mkdir(path_of("perftop"), 0700);
	write_file("perftop/perftop.conf", "delay 2\n");
	assert_int_equal(chdir(scene.folder), 0);
	setenv("XDG_CONFIG_HOME", ".", 1);
	assert_true(config_read(&scene.config, &scene.options, NULL));
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(scene.config.count, 0);
}

UNIT_TEST(config_read_no_config_reads_none)
{
	mkdir(path_of("perftop"), 0700);
	write_file("perftop/perftop.conf", "delay 2\n");
	scene.options.no_config = true;
	assert_true(config_read(&scene.config, &scene.options, NULL));
	assert_int_equal(scene.config.count, 0);
}

UNIT_TEST(config_read_file_asked_for_is_read)
{
	write_file("other", "sort pid");
	scene.options.config_path = path_of("other");
	assert_true(config_read(&scene.config, &scene.options, NULL));
	assert_string_equal(scene.config.lines[0].text, "sort pid");
}

UNIT_TEST(config_read_file_asked_for_must_be_there)
{
	struct error error = {0};

	scene.options.config_path = "/nowhere/at/all";
	assert_false(config_read(&scene.config, &scene.options, &error));
	assert_string_equal(error.text, "/nowhere/at/all: No such file or directory");
	config_fini(&scene.config);
	scene.options.config_path = scene.folder;
	assert_false(config_read(&scene.config, &scene.options, &error));
	assert_non_null(strstr(error.text, "Is a directory"));
}

UNIT_TEST(config_read_fifo_without_a_writer_is_empty)
{
	scene.options.config_path = path_of("other");
	assert_int_equal(mkfifo(scene.options.config_path, 0600), 0);
	alarm(10);
	assert_true(config_read(&scene.config, &scene.options, NULL));
	alarm(0);
	assert_int_equal(scene.config.count, 0);
}

/* Nobody has asked for it: it may have a writer that says nothing. */
UNIT_TEST(config_read_usual_fifo_is_not_waited_for)
{
	struct error error = {0};
	int fd;

	mkdir(path_of("perftop"), 0700);
	assert_int_equal(mkfifo(path_of("perftop/perftop.conf"), 0600), 0);
	fd = open(path_of("perftop/perftop.conf"), O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	alarm(10);
	assert_false(config_read(&scene.config, &scene.options, &error));
	alarm(0);
	assert_non_null(strstr(error.text, "perftop.conf: a pipe or a device"));
	close(fd);
}

/* What a line does may take the longer, the more there were before: as many as there can be would
 * keep the start waiting for hours. */
UNIT_TEST(config_read_too_many_lines_are_refused)
{
	struct error error = {0};
	struct strbuf text = {0};

	for (int i = 0; i < 400; i++)
		strbuf_printf(&text, "# a comment\nbind F5 sort pid\n");
	write_file("other", strbuf_text(&text));
	scene.options.config_path = path_of("other");
	assert_true(config_read(&scene.config, &scene.options, NULL));
	config_fini(&scene.config);
	strbuf_add(&text, "sort pid\n");
	write_file("other", strbuf_text(&text));
	assert_false(config_read(&scene.config, &scene.options, &error));
	assert_non_null(strstr(error.text, "too long for a configuration"));
	strbuf_fini(&text);
}

UNIT_TEST(config_read_endless_file_is_refused)
{
	struct error error = {0};

	scene.options.config_path = "/dev/zero";
	assert_false(config_read(&scene.config, &scene.options, &error));
	assert_non_null(strstr(error.text, "File too large"));
}

static bool know_sort(void *context, const char *line, struct error *error)
{
	size_t *count = context;

	(*count)++;
	return strncmp(line, "sort", 4) == 0 || error_set(error, ERROR_COMMAND_UNKNOWN, line, NULL);
}

UNIT_TEST(config_apply_names_file_and_line_of_the_first_that_is_wrong)
{
	struct error remark = {0}, error = {0};
	char path[128], expected[256];
	size_t count = 0;
	bool is_absent;

	strcpy(path, path_of("other"));
	scene.options.config_path = path;
	write_file("other", "sort ipc\n\nfly\n");
	assert_true(config_apply(&scene.options, know_sort, &count, &is_absent, &remark, &error));
	snprintf(expected, sizeof(expected), "%s:3: fly: unknown command", path);
	assert_string_equal(remark.text, expected);
	assert_int_equal(count, 2);

	remark = (struct error){0};
	write_file("other", "\nsort ipc\nfly\nswim\n");
	assert_true(config_apply(&scene.options, know_sort, &count, &is_absent, &remark, &error));
	strcat(expected, " (2 lines are wrong)");
	assert_string_equal(remark.text, expected);
	assert_false(is_absent);
}

UNIT_TEST(config_apply_only_fails_where_the_file_was_asked_for)
{
	struct error remark = {0}, error = {0};
	size_t count = 0;
	bool is_absent;

	assert_true(config_apply(&scene.options, know_sort, &count, &is_absent, &remark, &error));
	assert_true(is_absent);
	mkdir(path_of("perftop"), 0700);
	mkdir(path_of("perftop/perftop.conf"), 0700);
	assert_true(config_apply(&scene.options, know_sort, &count, &is_absent, &remark, &error));
	assert_false(is_absent);
	assert_int_equal(remark.code, ERROR_FILE_OPEN);
	assert_int_equal(error.code, ERROR_NONE);
	scene.options.config_path = path_of("nosuch");
	assert_false(config_apply(&scene.options, know_sort, &count, &is_absent, &remark, &error));
	assert_int_equal(error.code, ERROR_FILE_OPEN);
	assert_int_equal(count, 0);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
