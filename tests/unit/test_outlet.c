/* Where a recording goes: files that are in the way, and every way in which writing can fail. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <sys/stat.h>

#include "fake_root.h"
#include "perfdata/outlet.h"
#include "unit.h"

ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t offset);
int __real_ftruncate(int fd, off_t size);
int __real_rename(const char *from, const char *to);
int __real_open(const char *path, int flags, ...);
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

static struct outlet output; /* of the test that runs */

/* Opens it as one that has an interval already. */
static void open_output(void)
{
	assert_true(outlet_open(&output, path, NULL));
	output.has_interval = true;
}

static void assert_closed(enum error_code code)
{
	outlet_close(&output);
	assert_int_equal(output.failure.code, code);
	assert_int_equal(output.fd, -1);
}

UNIT_TEST(outlet_open_new_file_is_for_its_owner_only)
{
	open_output();
	struct stat status;

	assert_true(output.is_file);
	assert_int_equal(outlet_append(&output, "abc", 3), 3);
	assert_closed(ERROR_NONE);
	assert_file(path, "abc");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_false(exists(old));
}

UNIT_TEST(outlet_open_moves_a_file_and_replaces_an_older_one)
{
	fake_root_file("/rec", "before");
	fake_root_file("/rec.old", "long before");

	open_output();

	assert_closed(ERROR_NONE);
	assert_file(path, "");
	assert_file(old, "before");
}

UNIT_TEST(outlet_open_moves_a_link_to_nothing)
{
	assert_int_equal(symlink("nothing", path), 0);

	open_output();
	struct stat status;

	assert_closed(ERROR_NONE);
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_true(exists(old));
}

UNIT_TEST(outlet_open_fifo_is_a_stream_and_stays_where_it_is)
{
	char text[4] = "";
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = __real_open(path, O_RDONLY | O_NONBLOCK);
	open_output();

	assert_false(output.is_file);
	assert_int_equal(outlet_append(&output, "abc", 3), 3);
	assert_int_equal(read(reader, text, 3), 3);
	assert_string_equal(text, "abc");
	assert_closed(ERROR_NONE);
	__real_close(reader);
	assert_false(exists(old));
}

static void make_folder(void)
{
	fake_root_folder("/rec");
}

static void make_nowhere(void)
{
	fake_root_path(path, "/nowhere/rec");
}

static void make_below_a_file(void)
{
	fake_root_file("/file", "");
	fake_root_path(path, "/file/rec");
}

static void refuse_to_move(void)
{
	fake_root_file("/rec", "before");
	kernel.rename = EACCES;
}

static void refuse_to_create(void)
{
	fake_root_file("/rec", "before");
	kernel.open = ENOSPC;
}

static void make_fifo(void)
{
	assert_int_equal(mkfifo(path, 0600), 0);
}

static int terminals[2];

static void make_terminal(void)
{
	assert_int_equal(openpty(&terminals[0], &terminals[1], path, NULL, NULL), 0);
}

UNIT_TEST(outlet_open_refused_leaves_what_is_there)
{
	static const struct {
		const char *name;
		void (*make)(void);
		enum error_code code;
	} cases[] = {
		{"a directory", make_folder, ERROR_RECORD_DIRECTORY},
		{"a directory that is not there", make_nowhere, ERROR_RECORD_CREATE},
		{"below a file", make_below_a_file, ERROR_RECORD_CREATE},
		{"the move is refused", refuse_to_move, ERROR_RECORD_OLD},
		{"nothing can be made: moved back", refuse_to_create, ERROR_RECORD_CREATE},
		{"a FIFO without reader, which is not waited for", make_fifo,
		 ERROR_RECORD_NO_READER},
		{"a terminal", make_terminal, ERROR_RECORD_TERMINAL},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};

		begin_case(cases[i].name);
		cases[i].make();
		assert_false(outlet_open(&output, path, &error));
		assert_int_equal(error.code, cases[i].code);
		assert_false(exists(old));
		if (cases[i].make == make_folder)
			assert_true(exists(path));
		if (kernel.rename != 0 || kernel.open != 0)
			assert_file(path, "before");
		fake_root_teardown(NULL);
		setup(NULL);
	}
	__real_close(terminals[0]);
	__real_close(terminals[1]);
}

UNIT_TEST(outlet_append_writes_all_or_says_why_not)
{
	static const struct {
		const char *name;
		int write, failures, poll;
		size_t write_most;
		bool is_early;
		int polls;
		size_t written; /* of "abcde" */
		enum error_code code;
	} cases[] = {
		{"short writes", .write_most = 2, .written = 5},
		{"interrupted", .write = EINTR, .failures = 2, .written = 5},
		{"a full disk, for the last byte", .write_most = 2, .write = ENOSPC, .written = 4,
		 .code = ERROR_RECORD_WRITE},
		{"a full disk, early", .write = ENOSPC, .is_early = true,
		 .code = ERROR_RECORD_EARLY},
		{"a failure that is over", .write = EIO, .failures = 1, .code = ERROR_RECORD_WRITE},
		{"a slow reader", .write = EAGAIN, .failures = 2, .poll = 1, .polls = 2,
		 .written = 5},
		{"a reader that never reads", .write = EAGAIN, .polls = 1,
		 .code = ERROR_RECORD_READER_STUCK},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		open_output();
		output.has_interval = !cases[i].is_early;
		kernel.write = cases[i].write;
		kernel.failures = cases[i].failures;
		kernel.write_most = cases[i].write_most;
		kernel.poll = cases[i].poll;
		assert_int_equal(outlet_append(&output, "abcde", 5), cases[i].written);
		assert_int_equal(kernel.polls, cases[i].polls);
		if (cases[i].code != ERROR_NONE)
			assert_int_equal(outlet_append(&output, "def", 3), 0);
		if (cases[i].code == ERROR_RECORD_WRITE || cases[i].is_early)
			assert_non_null(strstr(output.failure.text, strerror(cases[i].write)));
		if (cases[i].is_early) /* it cannot be read */
			assert_string_equal(output.failure.remedy, "");
		assert_closed(cases[i].code);
		if (cases[i].code == ERROR_NONE)
			assert_file(path, "abcde");
		fake_root_teardown(NULL);
		setup(NULL);
	}
}

UNIT_TEST(outlet_calls_that_fail_are_reported)
{
	open_output();
	kernel.pwrite = EINTR;
	kernel.failures = 1;
	assert_true(outlet_place(&output, 0, "abc", 3));
	kernel.pwrite = EDQUOT;
	kernel.failures = 0;
	assert_false(outlet_place(&output, 0, "abc", 3));
	assert_non_null(strstr(output.failure.text, strerror(EDQUOT)));
	assert_closed(ERROR_RECORD_WRITE);

	open_output();
	kernel.ftruncate = EIO;
	assert_false(outlet_cut(&output, 0));
	assert_closed(ERROR_RECORD_WRITE);

	open_output();
	assert_true(outlet_check(&output));
	unlink(path);
	assert_false(outlet_check(&output));
	assert_closed(ERROR_RECORD_DELETED);

	open_output();
	kernel.close = EDQUOT;
	outlet_close(&output);
	assert_int_equal(output.failure.code, ERROR_RECORD_WRITE);
	assert_non_null(strstr(output.failure.text, "rec"));
}

UNIT_TEST(outlet_cut_goes_on_there)
{
	open_output();
	outlet_append(&output, "abcdef", 6);
	assert_true(outlet_cut(&output, 2));
	outlet_append(&output, "Z", 1);
	assert_closed(ERROR_NONE);
	assert_file(path, "abZ");
}

UNIT_TEST(outlet_goes_on_beyond_4_gib)
{
	const uint64_t far = UINT64_C(5) << 30;
	struct stat status;

	open_output();
	assert_true(outlet_cut(&output, far));
	outlet_append(&output, "Z", 1);
	assert_true(outlet_place(&output, far + 1, "Y", 1));
	assert_int_equal(fstat(output.fd, &status), 0);
	assert_int_equal(status.st_size, far + 2);
	assert_closed(ERROR_NONE);
}

UNIT_TEST(outlet_append_closed_pipe_does_not_kill)
{
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = __real_open(path, O_RDONLY | O_NONBLOCK);
	open_output();

	__real_close(reader);
	assert_int_equal(outlet_append(&output, "abc", 3), 0);
	assert_closed(ERROR_RECORD_READER_GONE);
}

UNIT_TEST(outlet_place_and_cut_work_after_a_failure_and_keep_it)
{
	open_output();

	outlet_append(&output, "abcdef", 6);
	kernel.write = ENOSPC;
	kernel.failures = 1;
	outlet_append(&output, "ghi", 3);
	assert_true(outlet_place(&output, 1, "XY", 2));
	assert_true(outlet_cut(&output, 4));
	assert_int_equal(output.size, 4);
	assert_closed(ERROR_RECORD_WRITE);
	assert_file(path, "aXYd");
}

UNIT_MAIN(setup, fake_root_teardown)
