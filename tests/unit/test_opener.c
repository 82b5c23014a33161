/*
 * What is opened for a reader that may have been taken over, and what such a reader can do itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "kernel/file.h"
#include "kernel/proc.h"

#include "symbol/confine.h"
#include "symbol/opener.h"
#include "unit.h"

static struct opener opener;
static char program[1024]; /* this one: an ELF file */
static char folder[64];
static char path[128];

static int set_up(void **state)
{
	strcpy(folder, "/tmp/perftop-opener-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	memset(program, 0, sizeof(program));
	assert_true(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
	assert_true(opener_start(&opener));
	return 0;
}

static int tear_down(void **state)
{
	opener_stop(&opener);
	while (wait(NULL) > 0) /* it ends with its socket */
		;
	unlink(path);
	return rmdir(folder);
}

static int open_wish(enum opener_wish wish, int32_t pid, const char *name)
{
	const struct wire_object object = {.pid = pid, .name = name};

	return opener_open(&opener, wish, &object, NULL);
}

/* 0: it was opened. */
static int try(enum opener_wish wish, int32_t pid, const char *name)
{
	const int fd = open_wish(wish, pid, name);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static int open_named(const char *name)
{
	return try(OPENER_FILE, 0, name);
}

UNIT_TEST(opens_elf_files_and_links_to_them)
{
	assert_return_code(symlink(program, path), errno);

	assert_int_equal(open_named(program), 0);
	assert_int_equal(open_named(path), 0);
}

UNIT_TEST(opens_nothing_else)
{
	assert_int_equal(open_named("/etc/passwd"), OPEN_NOT_ELF);
	assert_int_equal(open_named("/dev/zero"), OPEN_REFUSED);
	assert_int_equal(open_named("/tmp"), OPEN_REFUSED);
	assert_int_equal(open_named("/nonexistent"), OPEN_ABSENT);
	assert_int_equal(open_named("proc/self/exe"), OPEN_ABSENT);
	assert_int_equal(open_named(""), OPEN_ABSENT);
	assert_return_code(mkfifo(path, 0666), errno);
	assert_int_equal(open_named(path), OPEN_REFUSED);
}

static int open_text(const char *name)
{
	return try(OPENER_SOURCE, 0, name);
}

/* What debug information calls a file of source may be anything. */
UNIT_TEST(opens_source_that_is_no_secret)
{
	int fd;

	assert_int_equal(open_text("/etc/passwd"), 0);
	assert_int_equal(open_text("/proc/self/status"), OPEN_REFUSED);
	assert_int_equal(open_text("/dev/zero"), OPEN_REFUSED);
	assert_int_equal(open_text("/nonexistent"), OPEN_ABSENT);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	assert_int_equal(open_text(path), geteuid() == 0 ? OPEN_REFUSED : 0);
	unlink(path);
}

/* A file that all may read in a folder that is closed to the user of the process. */
UNIT_TEST(opens_source_as_the_user_of_the_process)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	pid_t pid;

	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	if (geteuid() != 0)
		return;
	pid = fork();
	if (pid == 0) {
		if (setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0)
			pause();
		_exit(1);
	}
	while (proc_owner(pid) != 65534)
		usleep(1000);
	assert_true(try(OPENER_SOURCE, pid, path) < 0);
	assert_return_code(chmod(folder, 0755), errno);
	assert_int_equal(try(OPENER_SOURCE, pid, path), 0);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

UNIT_TEST(gives_descriptors_that_can_be_read_and_not_written)
{
	int fd = open_wish(OPENER_MAPS, getpid(), NULL);
	char byte;

	assert_true(fd >= 0);
	assert_int_equal(read(fd, &byte, 1), 1);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	assert_int_equal(open_wish(OPENER_MAPS, INT32_MAX, NULL), OPEN_ABSENT);
}

/* One that asks like that has been taken over. */
UNIT_TEST(ends_when_a_request_is_none)
{
	char name[WIRE_TEXT_BYTES + 1] = "";

	assert_int_equal(try(OPENER_WISHES, 0, NULL), OPEN_REFUSED);
	assert_int_equal(try((enum opener_wish)INT_MAX, 0, NULL), OPEN_REFUSED);
	memset(name, '/', sizeof(name) - 1);
	assert_int_equal(open_named(name), OPEN_ABSENT);
	assert_int_equal(open_named(program), 0); /* it goes on */
	assert_int_equal(write(opener.fd, "x", 1), 1);

	assert_int_equal(open_named(program), OPEN_ABSENT);
	assert_int_equal(opener.fd, -1);
}

/* In a child: 0 or how many things were possible that should not be. */
static int count_possible(void)
{
	static const char *const readable[] = {"/etc/passwd", "/proc/self/status", "/"};
	int possible = 0;

	for (size_t i = 0; i < COUNT_OF(readable); i++)
		possible += open(readable[i], O_RDONLY) >= 0;
	possible += open(path, O_WRONLY | O_CREAT, 0600) >= 0;
	possible += socket(AF_INET, SOCK_STREAM, 0) >= 0;
	possible += kill(getppid(), 0) == 0;
	possible += setuid(0) == 0 && geteuid() != 0;
	possible += fork() >= 0;
	execl("/bin/true", "true", (char *)NULL);
	return possible;
}

static bool has_value(const char *status, const char *key, const char *value)
{
	const char *found = file_find_key(status, key);

	return found && strncmp(found, value, strlen(value)) == 0;
}

/* Confines itself, waits until it has been looked at, and tries what it can do. */
static _Noreturn void be_confined(int socket)
{
	const char is_confined = confine() ? 'y' : 'n';
	char go;

	(void)!write(socket, &is_confined, 1);
	(void)!read(socket, &go, 1);
	_exit(count_possible());
}

UNIT_TEST(confined_process_has_no_rights)
{
	char status[4096], answer = 'n';
	int pair[2], end;
	pid_t pid;

	assert_return_code(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), errno);
	pid = fork();
	if (pid == 0)
		be_confined(pair[1]);
	assert_int_equal(read(pair[0], &answer, 1), 1);
	assert_true(file_readf(status, sizeof(status), "/proc/%d/status", (int)pid) > 0);
	assert_int_equal(write(pair[0], "", 1), 1);
	assert_int_equal(waitpid(pid, &end, 0), pid);
	close(pair[0]);
	close(pair[1]);

	assert_int_equal(answer, 'y');
	assert_true(has_value(status, "CapEff", "0000000000000000"));
	assert_true(has_value(status, "CapPrm", "0000000000000000"));
	assert_true(has_value(status, "NoNewPrivs", "1"));
	if (!has_value(status, "Seccomp", "2"))
		skip(); /* the kernel, or an emulator, has no filters */
	assert_true(WIFEXITED(end));
	assert_int_equal(WEXITSTATUS(end), 0);
}

UNIT_MAIN(set_up, tear_down)
