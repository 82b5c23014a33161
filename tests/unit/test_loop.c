/* The event loop on real descriptors, signals and time. */

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/error.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "session/loop.h"
#include "unit.h"

enum {
	MS = 1000000
};

/* Two pipes and what their handlers saw. */
static struct kit {
	struct loop *loop;
	int first[2], second[2];
	int first_calls, second_calls, ticks;
	int signals[8];
	int signal_count;
	bool removes_both, removes_itself;
} kit;

static const int to_end[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void read_byte(int fd)
{
	char byte;

	assert_int_equal(read(fd, &byte, 1), 1);
}

static void write_byte(int fd)
{
	assert_int_equal(write(fd, "x", 1), 1);
}

/* Whichever comes first releases both. */
static void first_is_ready(void *context)
{
	kit.first_calls++;
	read_byte(kit.first[0]);
	if (kit.removes_itself || kit.removes_both)
		loop_remove(kit.loop, kit.first[0]);
	if (kit.removes_both)
		loop_remove(kit.loop, kit.second[0]);
}

static void second_is_ready(void *context)
{
	kit.second_calls++;
	read_byte(kit.second[0]);
	if (kit.removes_both) {
		loop_remove(kit.loop, kit.first[0]);
		loop_remove(kit.loop, kit.second[0]);
	}
}

/* Nothing follows for a while: the loop ends. */
static void quit_on_tick(void *context)
{
	kit.ticks++;
	loop_quit(kit.loop);
}

static int set_up(void **state)
{
	kit = (struct kit){0};
	kit.loop = loop_create(NULL);
	assert_non_null(kit.loop);
	assert_int_equal(pipe2(kit.first, O_CLOEXEC), 0);
	assert_int_equal(pipe2(kit.second, O_CLOEXEC), 0);
	assert_true(loop_add(kit.loop, kit.first[0], first_is_ready, NULL, NULL));
	assert_true(loop_add(kit.loop, kit.second[0], second_is_ready, NULL, NULL));
	return 0;
}

static void destroy(void)
{
	loop_destroy(kit.loop);
	kit.loop = NULL;
}

/* Of signals to end one may be ignored by now. */
static int tear_down(void **state)
{
	destroy();
	for (size_t i = 0; i < COUNT_OF(to_end); i++)
		signal(to_end[i], SIG_DFL);
	for (int i = 0; i < 2; i++) {
		close(kit.first[i]);
		close(kit.second[i]);
	}
	return 0;
}

/* The handler of a signal by now. */
static void (*handler_of(int number))(int)
{
	struct sigaction action;

	assert_int_equal(sigaction(number, NULL, &action), 0);
	return action.sa_handler;
}

static void run_for(uint64_t ns)
{
	assert_true(loop_set_timer(kit.loop, ns, quit_on_tick, NULL, NULL));
	assert_true(loop_run(kit.loop, NULL));
}

UNIT_TEST(loop_run_calls_whoever_is_ready)
{
	write_byte(kit.second[1]);
	run_for(30 * MS);

	assert_int_equal(kit.first_calls, 0);
	assert_int_equal(kit.second_calls, 1);
}

UNIT_TEST(loop_remove_inside_a_handler_stops_the_other_of_the_round)
{
	kit.removes_both = true;
	write_byte(kit.first[1]);
	write_byte(kit.second[1]);
	run_for(30 * MS);

	/* which one came first is the kernel's affair */
	assert_int_equal(kit.first_calls + kit.second_calls, 1);
}

UNIT_TEST(loop_remove_itself_leaves_the_others)
{
	kit.removes_itself = true;
	write_byte(kit.first[1]);
	write_byte(kit.first[1]);
	write_byte(kit.second[1]);
	run_for(30 * MS);

	assert_int_equal(kit.first_calls, 1);
	assert_int_equal(kit.second_calls, 1);
}

UNIT_TEST(loop_add_again_after_remove_works)
{
	loop_remove(kit.loop, kit.first[0]);
	assert_true(loop_add(kit.loop, kit.first[0], first_is_ready, NULL, NULL));
	write_byte(kit.first[1]);
	run_for(30 * MS);

	assert_int_equal(kit.first_calls, 1);
}

UNIT_TEST(loop_add_bad_descriptor_says_why)
{
	struct error error = {0};

	assert_false(loop_add(kit.loop, -1, first_is_ready, NULL, &error));
	assert_string_equal(error.text, "epoll_ctl: Bad file descriptor");
}

UNIT_TEST(loop_add_file_that_cannot_be_waited_for_is_refused)
{
	struct error error = {0};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_false(loop_add(kit.loop, fd, first_is_ready, NULL, &error));
	assert_int_equal(error.code, ERROR_SYSTEM);
	close(fd);
}

static void count_ticks(void *context)
{
	if (++kit.ticks == 5)
		loop_quit(kit.loop);
}

UNIT_TEST(loop_set_timer_comes_again_and_again)
{
	uint64_t begin, elapsed;

	begin = sys_now_ns();
	assert_true(loop_set_timer(kit.loop, 10 * MS, count_ticks, NULL, NULL));
	assert_true(loop_run(kit.loop, NULL));
	elapsed = sys_now_ns() - begin;

	assert_int_equal(kit.ticks, 5);
	assert_true(elapsed >= 49 * MS);
}

UNIT_TEST(loop_set_timer_second_call_changes_the_period)
{
	uint64_t begin;

	assert_true(loop_set_timer(kit.loop, 3600ull * 1000 * MS, count_ticks, NULL, NULL));
	begin = sys_now_ns();
	run_for(10 * MS);

	assert_true(sys_now_ns() - begin < 60ull * 1000 * MS);
	assert_int_equal(kit.ticks, 1);
}

/* The next descriptor to be opened, which the loop opens after this. */
static int next_descriptor(void)
{
	const int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

/* It is as ready as before, but every read of it fails. Returns what keeps it ready. */
static int break_reads(int fd)
{
	const int kept = dup(fd), directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(dup2(directory, fd), fd);
	close(directory);
	return kept;
}

UNIT_TEST(loop_run_timer_that_cannot_be_read_ends_with_the_reason)
{
	const int timer_fd = next_descriptor();
	struct error error = {0};
	int kept;

	assert_true(loop_set_timer(kit.loop, 1 * MS, quit_on_tick, NULL, NULL));
	kept = break_reads(timer_fd);

	assert_false(loop_run(kit.loop, &error));
	assert_string_equal(error.text, "timer: Is a directory");
	assert_int_equal(kit.ticks, 0);
	close(kept);
}

static void note_signal(void *context, int number)
{
	if (kit.signal_count < 8)
		kit.signals[kit.signal_count++] = number;
}

static void note_and_quit(void *context, int number)
{
	note_signal(context, number);
	loop_quit(kit.loop);
}

UNIT_TEST(loop_take_signals_delivers_each_as_a_call)
{
	static const int numbers[] = {SIGINT,   SIGTERM, SIGHUP,  SIGQUIT,
				      SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD};

	for (int i = 0; i < 8; i++) {
		tear_down(NULL);
		set_up(NULL);
		assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
		raise(numbers[i]);
		run_for(5 * MS);
		assert_int_equal(kit.signal_count, 1);
		assert_int_equal(kit.signals[0], numbers[i]);
	}
}

UNIT_TEST(loop_take_signals_tells_the_number)
{
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	raise(SIGWINCH);
	raise(SIGTERM);
	run_for(20 * MS);

	assert_int_equal(kit.signal_count, 2);
	assert_int_equal(kit.signals[0] + kit.signals[1], SIGWINCH + SIGTERM);
}

UNIT_TEST(loop_run_signals_that_cannot_be_read_end_it_with_the_reason)
{
	const int signal_fd = next_descriptor();
	struct error error = {0};
	int kept;

	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	kept = break_reads(signal_fd);
	raise(SIGWINCH);

	assert_false(loop_run(kit.loop, &error));
	assert_string_equal(error.text, "signals: Is a directory");
	assert_false(loop_hear(kit.loop));
	destroy();
	close(kept);
}

UNIT_TEST(loop_take_signals_leaves_hangup_ignored)
{
	signal(SIGHUP, SIG_IGN);
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	raise(SIGHUP);
	run_for(20 * MS);
	signal(SIGHUP, SIG_DFL);

	assert_int_equal(kit.signal_count, 0);
}

UNIT_TEST(loop_take_signals_makes_closed_pipes_harmless)
{
	int fds[2];

	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	close(fds[0]);

	assert_int_equal(write(fds[1], "x", 1), -1);
	close(fds[1]);
}

static bool is_blocked(int number)
{
	sigset_t set;

	sigprocmask(SIG_BLOCK, NULL, &set);
	return sigismember(&set, number) == 1;
}

UNIT_TEST(loop_destroy_delivers_signals_as_before)
{
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	assert_true(is_blocked(SIGTERM));
	destroy();

	assert_false(is_blocked(SIGTERM));
	assert_true(handler_of(SIGPIPE) == SIG_DFL);
	assert_true(handler_of(SIGXFSZ) == SIG_DFL);
}

/* timeout(1) signals a process and then its group, which is the same one. */
UNIT_TEST(loop_destroy_ignores_the_signal_that_has_ended_it)
{
	for (size_t i = 0; i < COUNT_OF(to_end); i++) {

		tear_down(NULL);
		set_up(NULL);
		assert_true(loop_take_signals(kit.loop, note_and_quit, NULL, NULL));
		raise(to_end[i]);
		assert_true(loop_run(kit.loop, NULL));
		destroy();

		for (size_t j = 0; j < COUNT_OF(to_end); j++)
			assert_true(handler_of(to_end[j]) == (i == j ? SIG_IGN : SIG_DFL));
	}
}

/* Writing beyond RLIMIT_FSIZE is to fail, and not to end the process. */
UNIT_TEST(loop_take_signals_ignores_files_that_grow_too_large)
{
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));

	assert_true(handler_of(SIGXFSZ) == SIG_IGN);
}

/* They would kill the process that is about to end its own way. */
UNIT_TEST(loop_destroy_forgets_signals_that_are_pending)
{
	sigset_t pending;

	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	raise(SIGHUP);
	raise(SIGTERM);
	destroy();

	assert_int_equal(kit.signal_count, 0);
	assert_int_equal(sigpending(&pending), 0);
	assert_false(sigismember(&pending, SIGTERM));
}

UNIT_TEST(loop_destroy_leaves_blocked_what_was_blocked)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	destroy();

	assert_true(is_blocked(SIGQUIT));
	assert_false(is_blocked(SIGTERM));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

UNIT_TEST(loop_destroy_leaves_closed_pipes_ignored)
{
	signal(SIGPIPE, SIG_IGN);
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	destroy();

	assert_true(handler_of(SIGPIPE) == SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
}

/* Without taking signals there is nothing to give back. */
UNIT_TEST(loop_destroy_without_signals_changes_none)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	destroy();

	assert_true(is_blocked(SIGTERM));
	assert_true(handler_of(SIGPIPE) == SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void fill(int fd)
{
	char page[4096] = {0};

	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	while (write(fd, page, sizeof(page)) > 0)
		;
}

UNIT_TEST(loop_wait_writable_with_room_returns_before_signals)
{
	assert_true(loop_take_signals(kit.loop, note_and_quit, NULL, NULL));
	raise(SIGTERM);

	assert_true(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_int_equal(kit.signal_count, 0);
}

UNIT_TEST(loop_wait_writable_full_pipe_ends_with_the_loop)
{
	assert_true(loop_take_signals(kit.loop, note_and_quit, NULL, NULL));
	fill(kit.first[1]);
	raise(SIGTERM);

	assert_false(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_int_equal(kit.signal_count, 1);
	assert_int_equal(kit.signals[0], SIGTERM);
}

static void empty_on_signal(void *context, int number)
{
	char page[4096];

	note_signal(context, number);
	assert_int_equal(read(kit.first[0], page, sizeof(page)), sizeof(page));
}

UNIT_TEST(loop_wait_writable_goes_on_after_a_signal)
{
	assert_true(loop_take_signals(kit.loop, empty_on_signal, NULL, NULL));
	fill(kit.first[1]);
	raise(SIGWINCH);

	assert_true(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_int_equal(kit.signal_count, 1);
}

/* The pipe `second` says that there is something to do; it makes room in the first. */
static void make_room(void *context)
{
	char page[4096], byte;

	assert_int_equal(read(kit.second[0], &byte, 1), 1);
	assert_int_equal(read(kit.first[0], page, sizeof(page)), sizeof(page));
}

UNIT_TEST(loop_wait_writable_full_pipe_handles_meanwhile)
{
	assert_true(loop_take_signals(kit.loop, note_and_quit, NULL, NULL));
	fill(kit.first[1]);
	assert_int_equal(write(kit.second[1], "x", 1), 1);

	assert_true(loop_wait_writable(kit.loop, kit.first[1],
				       &(const struct loop_meanwhile){
					       .fd = kit.second[0],
					       .handler = make_room,
				       }));
	assert_int_equal(kit.signal_count, 0);
}

UNIT_TEST(loop_wait_writable_without_a_reader_lets_the_write_fail)
{
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	fill(kit.first[1]);
	loop_remove(kit.loop, kit.first[0]);
	close(kit.first[0]);

	assert_true(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_true(loop_wait_writable(kit.loop, 100000, NULL));
	kit.first[0] = -1;
}

UNIT_TEST(loop_quit_before_run_ends_it_at_once)
{
	write_byte(kit.first[1]);
	loop_quit(kit.loop);
	assert_true(loop_run(kit.loop, NULL));

	assert_int_equal(kit.first_calls, 0);
}

UNIT_TEST(loop_destroy_null_is_allowed)
{
	loop_destroy(NULL);
}

UNIT_TEST(loop_destroy_leaves_no_descriptor)
{
	uint64_t before;

	tear_down(NULL);
	before = proc_own_descriptors();
	set_up(NULL);
	assert_true(loop_take_signals(kit.loop, note_signal, NULL, NULL));
	run_for(1 * MS);
	tear_down(NULL);

	assert_int_equal(proc_own_descriptors(), before);
	set_up(NULL);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
