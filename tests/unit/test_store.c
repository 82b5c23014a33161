/* What the helper keeps of files: symbol_sample.c under several names. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include "kernel/proc.h"

#include "symbol/store.h"
#include "unit.h"

enum {
	KEPT_BESIDE = 15 /* the one in use */
};

static struct opener opener;
static struct store *store;

static int set_up(void **state)
{
	assert_true(opener_start(&opener));
	store = store_create(&opener);
	return 0;
}

static int tear_down(void **state)
{
	store_destroy(store);
	opener_stop(&opener);
	return 0;
}

static struct stored *open_sample(uint64_t serial, const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return store_open(store, &(struct wire_object){
					 .serial = serial,
					 .kind = SYMBOL_OBJECT_FILE,
					 .inode = status.st_ino,
					 .name = path,
				 });
}

/* A program and its libraries take turns. */
UNIT_TEST(has_lines_keeps_those_of_others)
{
	struct stored *program = open_sample(1, SAMPLE), *library;

	assert_true(stored_has_lines(program));
	library = open_sample(2, SAMPLE);
	assert_true(stored_has_lines(library));
	assert_non_null(program->dwfl);
	assert_non_null(library->dwfl);
}

UNIT_TEST(has_lines_of_many_gives_back_those_used_longest_ago)
{
	struct stored *first = open_sample(1, SAMPLE), *second;

	assert_true(stored_has_lines(first));
	second = open_sample(2, SAMPLE);
	assert_true(stored_has_lines(second));
	for (uint64_t i = 2; i <= KEPT_BESIDE + 1; i++) {
		open_sample(1, SAMPLE);
		assert_true(stored_has_lines(open_sample(i + 1, SAMPLE)));
	}
	assert_non_null(first->dwfl);
	assert_null(second->dwfl);
	assert_true(stored_has_lines(open_sample(2, SAMPLE)));
}

UNIT_TEST(has_lines_keeps_nothing_of_a_file_that_has_none)
{
	struct stored *stored = open_sample(1, SAMPLE_BARE);

	assert_false(stored_has_lines(stored));
	assert_null(stored->dwfl);
}

/* A process of nobody that sees nothing but an empty folder. */
static pid_t start_confined(const char *root)
{
	const pid_t pid = fork();

	if (pid == 0) {
		alarm(60); /* the test may fail */
		if (chroot(root) == 0 && setresgid(65534, 65534, 65534) == 0 &&
		    setresuid(65534, 65534, 65534) == 0)
			pause();
		_exit(1);
	}
	while (proc_owner(pid) != 65534)
		usleep(1000);
	return pid;
}

/* A file that all may read is found on this machine, but in no folder that is closed to the user.
 */
UNIT_TEST(open_source_has_the_rights_of_the_process_outside_of_its_root_too)
{
	char folder[] = "/tmp/perftop-store-XXXXXX", name[64];
	struct wire_object object = {
		.serial = 1, .kind = SYMBOL_OBJECT_FILE, .is_live = true, .name = SAMPLE};
	struct stored *stored;
	int fd;

	if (geteuid() != 0)
		return;
	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof(name), "%s/source", folder);
	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	object.pid = start_confined("/proc/self/fdinfo");
	stored = store_open(store, &object);
	assert_true(stored_open_source(stored, name) < 0);
	assert_return_code(chmod(folder, 0755), errno);
	fd = stored_open_source(stored, name);
	assert_true(fd >= 0);
	close(fd);
	kill(object.pid, SIGKILL);
	assert_int_equal(waitpid(object.pid, NULL, 0), object.pid);
	/* whose it was is not known any more: everybody's rights */
	assert_return_code(chmod(folder, 0700), errno);
	assert_true(stored_open_source(stored, name) < 0);
	unlink(name);
	rmdir(folder);
}

UNIT_MAIN(set_up, tear_down)
