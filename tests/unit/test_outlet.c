/* Where a recording goes: files that are in the way, and every way in which writing can fail. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include "fake_root.h"
#include "perfdata/outlet.h"
#include "unit.h"

ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset);
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t offset);
int __wrap_ftruncate(int fd, off_t size);
int __real_ftruncate(int fd, off_t size);
int __wrap_rename(const char *from, const char *to);
int __real_rename(const char *from, const char *to);
int __wrap_open(const char *name, int flags, ...);
int __real_open(const char *path, int flags, ...);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_close(int fd);
int __real_close(int fd);

/* What the kernel is to answer; 0: what it really does. */
static struct {
	int write, pwrite, ftruncate, rename, open, close; /* errno */
	size_t write_most;                                 /* bytes that one write(2) takes */
	int failures;    /* of write and pwrite, before it is as ever; 0: for ever */
	int poll, polls; /* answer; how often it was asked */
} kernel;

static int refuse(int *errno_value)
{
	errno = *errno_value;
	if (kernel.failures > 0 && --kernel.failures == 0)
		*errno_value = 0;
	return -1;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	if (kernel.write_most > 0 && size > kernel.write_most)
		return __real_write(fd, bytes, kernel.write_most);
	return kernel.write != 0 ? refuse(&kernel.write) : __real_write(fd, bytes, size);
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return kernel.pwrite != 0 ? refuse(&kernel.pwrite) : __real_pwrite(fd, bytes, size, offset);
}

int __wrap_ftruncate(int fd, off_t size)
{
	return kernel.ftruncate != 0 ? refuse(&kernel.ftruncate) : __real_ftruncate(fd, size);
}

int __wrap_rename(const char *from, const char *to)
{
	return kernel.rename != 0 ? refuse(&kernel.rename) : __real_rename(from, to);
}

int __wrap_open(const char *name, int flags, ...)
{
	/* What somebody else has put there is never written over. */
	assert_true((flags & O_CREAT) == 0 || (flags & O_EXCL) != 0);
	return kernel.open != 0 ? refuse(&kernel.open) : __real_open(name, flags, 0600);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	assert_int_equal(fds->events, POLLOUT);
	assert_true(timeout > 0);
	kernel.polls++;
	return kernel.poll;
}

int __wrap_close(int fd)
{
	int result = __real_close(fd);

	return kernel.close != 0 ? refuse(&kernel.close) : result;
}

static char path[FAKE_PATH_BYTES], old[FAKE_PATH_BYTES];

static int setup(void **state)
{
	memset(&kernel, 0, sizeof(kernel));
	if (fake_root_setup(state) != 0)
		return -1;
	fake_root_path(path, "/rec");
	fake_root_path(old, "/rec.old");
	return 0;
}

static void assert_file(const char *name, const char *text)
{
	char found[64] = "";
	int fd = __real_open(name, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, found, sizeof(found) - 1), strlen(text));
	__real_close(fd);
	assert_string_equal(found, text);
}

static bool exists(const char *name)
{
	struct stat status;

	return lstat(name, &status) == 0;
}

static void assert_refused(const char *name, enum error_code code)
{
	struct outlet output;
	struct error error = {0};

	assert_false(outlet_open(&output, name, &error));
	assert_int_equal(error.code, code);
}

/* One that is open, and what it ends with. */
static struct outlet opened(void)
{
	struct outlet output;

	assert_true(outlet_open(&output, path, NULL));
	output.has_interval = true;
	return output;
}

static void assert_closed(struct outlet *output, enum error_code code)
{
	outlet_close(output);
	assert_int_equal(output->failure.code, code);
	assert_int_equal(output->fd, -1);
}

UNIT_TEST(outlet_open_new_file_is_for_its_owner_only)
{
	struct outlet output = opened();
	struct stat status;

	assert_true(output.is_file);
	assert_int_equal(outlet_append(&output, "abc", 3), 3);
	assert_closed(&output, ERROR_NONE);
	assert_file(path, "abc");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_false(exists(old));
}

UNIT_TEST(outlet_open_moves_a_file_and_replaces_an_older_one)
{
	fake_root_file("/rec", "before");
	fake_root_file("/rec.old", "long before");

	struct outlet output = opened();

	assert_closed(&output, ERROR_NONE);
	assert_file(path, "");
	assert_file(old, "before");
}

UNIT_TEST(outlet_open_moves_a_link_to_nothing)
{
	assert_int_equal(symlink("nothing", path), 0);

	struct outlet output = opened();
	struct stat status;

	assert_closed(&output, ERROR_NONE);
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_true(exists(old));
}

UNIT_TEST(outlet_open_directory_is_refused)
{
	fake_root_folder("/rec");

	assert_refused(path, ERROR_RECORD_DIRECTORY);
	assert_true(exists(path));
	assert_false(exists(old));
}

UNIT_TEST(outlet_open_in_a_directory_that_is_not_there_says_so)
{
	fake_root_path(path, "/nowhere/rec");

	assert_refused(path, ERROR_RECORD_CREATE);
}

UNIT_TEST(outlet_open_below_a_file_says_so)
{
	fake_root_file("/file", "");
	fake_root_path(path, "/file/rec");

	assert_refused(path, ERROR_RECORD_CREATE);
}

UNIT_TEST(outlet_open_refused_move_leaves_the_file)
{
	fake_root_file("/rec", "before");
	kernel.rename = EACCES;

	assert_refused(path, ERROR_RECORD_OLD);
	assert_file(path, "before");
}

UNIT_TEST(outlet_open_where_nothing_can_be_made_moves_the_file_back)
{
	fake_root_file("/rec", "before");
	kernel.open = ENOSPC;

	assert_refused(path, ERROR_RECORD_CREATE);
	assert_file(path, "before");
	assert_false(exists(old));
}

UNIT_TEST(outlet_open_fifo_without_reader_does_not_wait)
{
	assert_int_equal(mkfifo(path, 0600), 0);

	assert_refused(path, ERROR_RECORD_NO_READER);
	assert_false(exists(old));
}

UNIT_TEST(outlet_open_fifo_is_a_stream_and_stays_where_it_is)
{
	char text[4] = "";
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = __real_open(path, O_RDONLY | O_NONBLOCK);
	struct outlet output = opened();

	assert_false(output.is_file);
	assert_int_equal(outlet_append(&output, "abc", 3), 3);
	assert_int_equal(read(reader, text, 3), 3);
	assert_string_equal(text, "abc");
	assert_closed(&output, ERROR_NONE);
	__real_close(reader);
	assert_false(exists(old));
}

UNIT_TEST(outlet_open_terminal_is_refused)
{
	int master, terminal;

	assert_int_equal(openpty(&master, &terminal, path, NULL, NULL), 0);
	assert_refused(path, ERROR_RECORD_TERMINAL);
	__real_close(master);
	__real_close(terminal);
}

UNIT_TEST(outlet_append_goes_on_after_a_short_write)
{
	struct outlet output = opened();

	kernel.write_most = 2;
	assert_int_equal(outlet_append(&output, "abcde", 5), 5);
	assert_int_equal(output.size, 5);
	assert_closed(&output, ERROR_NONE);
	assert_file(path, "abcde");
}

UNIT_TEST(outlet_append_interrupted_tries_again)
{
	struct outlet output = opened();

	kernel.write = EINTR;
	kernel.failures = 2;
	assert_int_equal(outlet_append(&output, "abc", 3), 3);
	assert_closed(&output, ERROR_NONE);
	assert_file(path, "abc");
}

UNIT_TEST(outlet_append_full_disk_tells_how_much_went_out)
{
	struct outlet output = opened();

	kernel.write_most = 2;
	kernel.write = ENOSPC; /* for the last byte */
	assert_int_equal(outlet_append(&output, "abc", 3), 2);
	assert_int_equal(output.failure.code, ERROR_RECORD_WRITE);
	assert_non_null(strstr(output.failure.text, strerror(ENOSPC)));
	assert_closed(&output, ERROR_RECORD_WRITE);
}

UNIT_TEST(outlet_append_full_disk_early_does_not_say_that_it_can_be_read)
{
	struct outlet output = opened();

	output.has_interval = false;
	kernel.write = ENOSPC;
	assert_int_equal(outlet_append(&output, "abc", 3), 0);
	assert_non_null(strstr(output.failure.text, strerror(ENOSPC)));
	assert_string_equal(output.failure.remedy, "");
	assert_closed(&output, ERROR_RECORD_EARLY);
}

UNIT_TEST(outlet_append_after_a_failure_writes_nothing)
{
	struct outlet output = opened();

	kernel.write = EIO;
	kernel.failures = 1;
	assert_int_equal(outlet_append(&output, "abc", 3), 0);
	assert_int_equal(outlet_append(&output, "def", 3), 0);
	assert_non_null(strstr(output.failure.text, strerror(EIO)));
	assert_closed(&output, ERROR_RECORD_WRITE);
	assert_file(path, "");
}

UNIT_TEST(outlet_append_closed_pipe_does_not_kill)
{
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = __real_open(path, O_RDONLY | O_NONBLOCK);
	struct outlet output = opened();

	__real_close(reader);
	assert_int_equal(outlet_append(&output, "abc", 3), 0);
	assert_closed(&output, ERROR_RECORD_READER_GONE);
}

UNIT_TEST(outlet_append_waits_for_a_slow_reader)
{
	struct outlet output = opened();

	kernel.write = EAGAIN;
	kernel.failures = 2;
	kernel.poll = 1;
	assert_int_equal(outlet_append(&output, "abc", 3), 3);
	assert_int_equal(kernel.polls, 2);
	assert_closed(&output, ERROR_NONE);
}

UNIT_TEST(outlet_append_gives_up_a_reader_that_never_reads)
{
	struct outlet output = opened();

	kernel.write = EAGAIN;
	assert_int_equal(outlet_append(&output, "abc", 3), 0);
	assert_int_equal(kernel.polls, 1);
	assert_closed(&output, ERROR_RECORD_READER_STUCK);
}

UNIT_TEST(outlet_place_and_cut_work_after_a_failure_and_keep_it)
{
	struct outlet output = opened();

	outlet_append(&output, "abcdef", 6);
	kernel.write = ENOSPC;
	kernel.failures = 1;
	outlet_append(&output, "ghi", 3);
	assert_true(outlet_place(&output, 1, "XY", 2));
	assert_true(outlet_cut(&output, 4));
	assert_int_equal(output.size, 4);
	assert_closed(&output, ERROR_RECORD_WRITE);
	assert_file(path, "aXYd");
}

UNIT_TEST(outlet_place_interrupted_or_failing_says_so)
{
	struct outlet output = opened();

	kernel.pwrite = EINTR;
	kernel.failures = 1;
	assert_true(outlet_place(&output, 0, "abc", 3));
	kernel.pwrite = EDQUOT;
	kernel.failures = 0;
	assert_false(outlet_place(&output, 0, "abc", 3));
	assert_non_null(strstr(output.failure.text, strerror(EDQUOT)));
	assert_closed(&output, ERROR_RECORD_WRITE);
}

UNIT_TEST(outlet_cut_failing_says_so)
{
	struct outlet output = opened();

	kernel.ftruncate = EIO;
	assert_false(outlet_cut(&output, 0));
	assert_closed(&output, ERROR_RECORD_WRITE);
}

UNIT_TEST(outlet_cut_goes_on_there)
{
	struct outlet output = opened();

	outlet_append(&output, "abcdef", 6);
	assert_true(outlet_cut(&output, 2));
	outlet_append(&output, "Z", 1);
	assert_closed(&output, ERROR_NONE);
	assert_file(path, "abZ");
}

UNIT_TEST(outlet_check_deleted_file_is_a_failure)
{
	struct outlet output = opened();

	assert_true(outlet_check(&output));
	unlink(path);
	assert_false(outlet_check(&output));
	assert_closed(&output, ERROR_RECORD_DELETED);
}

UNIT_TEST(outlet_close_failing_says_so)
{
	struct outlet output = opened();

	kernel.close = EDQUOT;
	outlet_close(&output);
	assert_int_equal(output.failure.code, ERROR_RECORD_WRITE);
	assert_non_null(strstr(output.failure.text, "rec"));
}

int main(void)
{
	return unit_run(setup, fake_root_teardown);
}
