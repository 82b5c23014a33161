/* A file that is replaced, in a directory of its own, with system calls that fail at will. */

#include <errno.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"

#include "session/replacement.h"
#include "unit.h"

static struct scene {
	char directory[32];
	char path[64];
	struct replacement file;
	struct error error;
} scene;

static int write_errno;   /* 0: it writes */
static size_t write_most; /* 0: as much as is asked for */

ssize_t __real_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
	if (write_errno != 0) {
		errno = write_errno;
		return -1;
	}
	if (write_most > 0 && count > write_most)
		count = write_most;
	return __real_write(fd, bytes, count);
}

static int set_up(void **state)
{
	scene = (struct scene){.directory = "/tmp/replacement.XXXXXX"};
	write_errno = 0;
	write_most = 0;
	if (mkdtemp(scene.directory) == NULL)
		return -1;
	snprintf(scene.path, sizeof(scene.path), "%s/x.prom", scene.directory);
	return 0;
}

static int tear_down(void **state)
{
	char command[64];

	replacement_fini(&scene.file);
	snprintf(command, sizeof(command), "rm -rf %s", scene.directory);
	return system(command);
}

static void assert_content(const char *path, const char *expected)
{
	char text[64] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static void assert_alone(int count)
{
	char command[96];

	snprintf(command, sizeof(command), "test $(ls -A %s | wc -l) = %d", scene.directory, count);
	assert_int_equal(system(command), 0);
}

static bool put(const char *text)
{
	return replacement_write(&scene.file, text, strlen(text), &scene.error);
}

UNIT_TEST(replacement_write_makes_a_file_that_all_can_read)
{
	const mode_t mask = umask(077);
	struct stat file;

	write_most = 2;
	assert_true(replacement_init(&scene.file, scene.path, &scene.error));
	assert_alone(0);
	assert_true(put("first"));
	assert_true(put("second"));
	umask(mask);

	assert_content(scene.path, "second");
	assert_alone(1);
	assert_int_equal(stat(scene.path, &file), 0);
	assert_int_equal(file.st_mode & 07777, 0644);
}

/* Root can give it one that it is not in. */
UNIT_TEST(replacement_write_keeps_the_group)
{
	const gid_t group = geteuid() == 0 ? 1 : getegid();
	struct stat like, file;

	assert_true(replacement_init(&scene.file, scene.path, &scene.error));
	assert_true(put("first"));
	assert_int_equal(chown(scene.path, geteuid(), group), 0);
	assert_int_equal(chmod(scene.path, 0640), 0);
	assert_int_equal(stat(scene.path, &like), 0);
	scene.file.like = &like;
	assert_true(put("second"));
	assert_int_equal(stat(scene.path, &file), 0);
	assert_int_equal(file.st_gid, group);
	assert_int_equal(file.st_mode & 07777, 0640);
}

UNIT_TEST(replacement_write_gives_a_new_file)
{
	char text[16] = "";
	FILE *reader;

	assert_true(replacement_init(&scene.file, scene.path, &scene.error));
	assert_true(put("old"));
	reader = fopen(scene.path, "r");
	assert_true(put("new text"));

	assert_int_equal(fread(text, 1, sizeof(text) - 1, reader), 3);
	assert_string_equal(text, "old");
	fclose(reader);
}

UNIT_TEST(replacement_write_to_a_full_disk_keeps_the_old_file)
{
	assert_true(replacement_init(&scene.file, scene.path, &scene.error));
	assert_true(put("old"));
	write_errno = ENOSPC;
	assert_false(put("new"));

	assert_int_equal(scene.error.code, ERROR_FILE_REPLACE);
	assert_non_null(strstr(scene.error.text, "No space left on device"));
	assert_content(scene.path, "old");
	assert_alone(1);
	write_errno = 0;
	assert_true(put("newer"));
	assert_content(scene.path, "newer");
}

UNIT_TEST(replacement_write_into_a_directory_that_is_gone_fails_until_it_is_back)
{
	assert_true(replacement_init(&scene.file, scene.path, &scene.error));
	assert_int_equal(rmdir(scene.directory), 0);
	assert_false(put("a"));
	assert_non_null(strstr(scene.error.text, "No such file or directory"));
	assert_int_equal(mkdir(scene.directory, 0700), 0);
	assert_true(put("b"));
	assert_content(scene.path, "b");
}

UNIT_TEST(replacement_init_in_a_directory_that_is_not_there_fails)
{
	assert_false(replacement_init(&scene.file, "/tmp/no/such/x.prom", &scene.error));
	assert_int_equal(scene.error.code, ERROR_FILE_OPEN);
}

UNIT_TEST(replacement_init_of_a_directory_fails)
{
	assert_false(replacement_init(&scene.file, scene.directory, &scene.error));
	assert_int_equal(scene.error.code, ERROR_FILE_OPEN);
}

UNIT_TEST(replacement_init_of_what_is_no_file_leaves_it_alone)
{
	assert_false(replacement_init(&scene.file, "/dev/null", &scene.error));
	assert_int_equal(scene.error.code, ERROR_NONE);
	assert_int_equal(mkfifo(scene.path, 0600), 0);
	assert_false(replacement_init(&scene.file, scene.path, &scene.error));
	assert_int_equal(scene.error.code, ERROR_NONE);
}

UNIT_TEST(replacement_write_through_a_link_keeps_the_link)
{
	char link[80];
	struct stat file;
	FILE *old = fopen(scene.path, "w");

	assert_non_null(old);
	fclose(old);
	snprintf(link, sizeof(link), "%s/link", scene.directory);
	assert_int_equal(symlink(scene.path, link), 0);
	assert_true(replacement_init(&scene.file, link, &scene.error));
	assert_true(put("text"));

	assert_int_equal(lstat(link, &file), 0);
	assert_true(S_ISLNK(file.st_mode));
	assert_content(scene.path, "text");
}

UNIT_TEST(replacement_of_a_name_of_any_length_works)
{
	char path[320];

	snprintf(path, sizeof(path), "%s/%0250d.prom", scene.directory, 7);
	assert_true(replacement_init(&scene.file, path, &scene.error));
	assert_true(put("text"));
	assert_content(path, "text");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
