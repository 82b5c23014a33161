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
struct kit {
	struct loop *loop;
	int first[2], second[2];
	int first_calls, second_calls, ticks;
	int signals[8];
	int signal_count;
	bool removes_both, removes_itself;
};

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

/* Whichever comes first lets go of both. */
static void first_is_ready(void *context)
{
	struct kit *kit = context;

	kit->first_calls++;
	read_byte(kit->first[0]);
	if (kit->removes_itself || kit->removes_both)
		loop_remove(kit->loop, kit->first[0]);
	if (kit->removes_both)
		loop_remove(kit->loop, kit->second[0]);
}

static void second_is_ready(void *context)
{
	struct kit *kit = context;

	kit->second_calls++;
	read_byte(kit->second[0]);
	if (kit->removes_both) {
		loop_remove(kit->loop, kit->first[0]);
		loop_remove(kit->loop, kit->second[0]);
	}
}

/* Nothing follows for a while: the loop ends. */
static void quit_on_tick(void *context)
{
	struct kit *kit = context;

	kit->ticks++;
	loop_quit(kit->loop);
}

static void set_up(struct kit *kit)
{
	*kit = (struct kit){0};
	kit->loop = loop_create(NULL);
	assert_non_null(kit->loop);
	assert_int_equal(pipe2(kit->first, O_CLOEXEC), 0);
	assert_int_equal(pipe2(kit->second, O_CLOEXEC), 0);
	assert_true(loop_add(kit->loop, kit->first[0], first_is_ready, kit, NULL));
	assert_true(loop_add(kit->loop, kit->second[0], second_is_ready, kit, NULL));
}

/* Of signals to end one may be ignored by now. */
static void tear_down(struct kit *kit)
{
	loop_destroy(kit->loop);
	for (size_t i = 0; i < COUNT_OF(to_end); i++)
		signal(to_end[i], SIG_DFL);
	for (int i = 0; i < 2; i++) {
		close(kit->first[i]);
		close(kit->second[i]);
	}
}

static void run_for(struct kit *kit, uint64_t ns)
{
	assert_true(loop_set_timer(kit->loop, ns, quit_on_tick, kit, NULL));
	loop_run(kit->loop);
}

UNIT_TEST(loop_run_calls_whoever_is_ready)
{
	struct kit kit;

	set_up(&kit);
	write_byte(kit.second[1]);
	run_for(&kit, 30 * MS);

	assert_int_equal(kit.first_calls, 0);
	assert_int_equal(kit.second_calls, 1);
	tear_down(&kit);
}

UNIT_TEST(loop_remove_inside_a_handler_stops_the_other_of_the_round)
{
	struct kit kit;

	set_up(&kit);
	kit.removes_both = true;
	write_byte(kit.first[1]);
	write_byte(kit.second[1]);
	run_for(&kit, 30 * MS);

	/* which one came first is the kernel's affair */
	assert_int_equal(kit.first_calls + kit.second_calls, 1);
	tear_down(&kit);
}

UNIT_TEST(loop_remove_itself_leaves_the_others)
{
	struct kit kit;

	set_up(&kit);
	kit.removes_itself = true;
	write_byte(kit.first[1]);
	write_byte(kit.first[1]);
	write_byte(kit.second[1]);
	run_for(&kit, 30 * MS);

	assert_int_equal(kit.first_calls, 1);
	assert_int_equal(kit.second_calls, 1);
	tear_down(&kit);
}

UNIT_TEST(loop_add_again_after_remove_works)
{
	struct kit kit;

	set_up(&kit);
	loop_remove(kit.loop, kit.first[0]);
	assert_true(loop_add(kit.loop, kit.first[0], first_is_ready, &kit, NULL));
	write_byte(kit.first[1]);
	run_for(&kit, 30 * MS);

	assert_int_equal(kit.first_calls, 1);
	tear_down(&kit);
}

UNIT_TEST(loop_add_bad_descriptor_says_why)
{
	struct error error = {0};
	struct kit kit;

	set_up(&kit);

	assert_false(loop_add(kit.loop, -1, first_is_ready, &kit, &error));
	assert_string_equal(error.text, "epoll_ctl: Bad file descriptor");
	tear_down(&kit);
}

UNIT_TEST(loop_add_file_that_cannot_be_waited_for_is_refused)
{
	struct error error = {0};
	struct kit kit;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	set_up(&kit);

	assert_false(loop_add(kit.loop, fd, first_is_ready, &kit, &error));
	assert_int_equal(error.code, ERROR_SYSTEM);
	close(fd);
	tear_down(&kit);
}

static void count_ticks(void *context)
{
	struct kit *kit = context;

	if (++kit->ticks == 5)
		loop_quit(kit->loop);
}

UNIT_TEST(loop_set_timer_comes_again_and_again)
{
	uint64_t begin, elapsed;
	struct kit kit;

	set_up(&kit);
	begin = sys_now_ns();
	assert_true(loop_set_timer(kit.loop, 10 * MS, count_ticks, &kit, NULL));
	loop_run(kit.loop);
	elapsed = sys_now_ns() - begin;

	assert_int_equal(kit.ticks, 5);
	assert_true(elapsed >= 49 * MS);
	tear_down(&kit);
}

UNIT_TEST(loop_set_timer_second_call_changes_the_period)
{
	uint64_t begin;
	struct kit kit;

	set_up(&kit);
	assert_true(loop_set_timer(kit.loop, 3600ull * 1000 * MS, count_ticks, &kit, NULL));
	begin = sys_now_ns();
	run_for(&kit, 10 * MS);

	assert_true(sys_now_ns() - begin < 60ull * 1000 * MS);
	assert_int_equal(kit.ticks, 1);
	tear_down(&kit);
}

static void note_signal(void *context, int number)
{
	struct kit *kit = context;

	if (kit->signal_count < 8)
		kit->signals[kit->signal_count++] = number;
}

static void note_and_quit(void *context, int number)
{
	struct kit *kit = context;

	note_signal(context, number);
	loop_quit(kit->loop);
}

UNIT_TEST(loop_take_signals_delivers_each_as_a_call)
{
	static const int numbers[] = {SIGINT,   SIGTERM, SIGHUP,  SIGQUIT,
				      SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD};
	struct kit kit;

	for (int i = 0; i < 8; i++) {
		set_up(&kit);
		assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
		raise(numbers[i]);
		run_for(&kit, 5 * MS);
		assert_int_equal(kit.signal_count, 1);
		assert_int_equal(kit.signals[0], numbers[i]);
		tear_down(&kit);
	}
}

UNIT_TEST(loop_take_signals_tells_the_number)
{
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	raise(SIGWINCH);
	raise(SIGTERM);
	run_for(&kit, 20 * MS);

	assert_int_equal(kit.signal_count, 2);
	assert_int_equal(kit.signals[0] + kit.signals[1], SIGWINCH + SIGTERM);
	tear_down(&kit);
}

UNIT_TEST(loop_take_signals_leaves_hangup_ignored)
{
	struct kit kit;

	signal(SIGHUP, SIG_IGN);
	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	raise(SIGHUP);
	run_for(&kit, 20 * MS);
	signal(SIGHUP, SIG_DFL);

	assert_int_equal(kit.signal_count, 0);
	tear_down(&kit);
}

UNIT_TEST(loop_take_signals_makes_closed_pipes_harmless)
{
	struct kit kit;
	int fds[2];

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	close(fds[0]);

	assert_int_equal(write(fds[1], "x", 1), -1);
	close(fds[1]);
	tear_down(&kit);
}

static bool is_blocked(int number)
{
	sigset_t set;

	sigprocmask(SIG_BLOCK, NULL, &set);
	return sigismember(&set, number) == 1;
}

UNIT_TEST(loop_destroy_delivers_signals_as_before)
{
	struct sigaction action;
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	assert_true(is_blocked(SIGTERM));
	tear_down(&kit);

	assert_false(is_blocked(SIGTERM));
	assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_DFL);
	assert_int_equal(sigaction(SIGXFSZ, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_DFL);
}

/* timeout(1) signals a process and then its group, which is the same one. */
UNIT_TEST(loop_destroy_ignores_the_signal_that_has_ended_it)
{
	struct sigaction action;

	for (size_t i = 0; i < COUNT_OF(to_end); i++) {
		struct kit kit;

		set_up(&kit);
		assert_true(loop_take_signals(kit.loop, note_and_quit, &kit, NULL));
		raise(to_end[i]);
		loop_run(kit.loop);
		loop_destroy(kit.loop);
		kit.loop = NULL;

		for (size_t j = 0; j < COUNT_OF(to_end); j++) {
			assert_int_equal(sigaction(to_end[j], NULL, &action), 0);
			assert_true(action.sa_handler == (i == j ? SIG_IGN : SIG_DFL));
		}
		tear_down(&kit);
	}
}

/* Writing beyond RLIMIT_FSIZE is to fail, and not to end the process. */
UNIT_TEST(loop_take_signals_ignores_files_that_grow_too_large)
{
	struct sigaction action;
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));

	assert_int_equal(sigaction(SIGXFSZ, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_IGN);
	tear_down(&kit);
}

/* They would kill the process that is about to end its own way. */
UNIT_TEST(loop_destroy_forgets_signals_that_are_pending)
{
	sigset_t pending;
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	raise(SIGHUP);
	raise(SIGTERM);
	tear_down(&kit);

	assert_int_equal(kit.signal_count, 0);
	assert_int_equal(sigpending(&pending), 0);
	assert_false(sigismember(&pending, SIGTERM));
}

UNIT_TEST(loop_destroy_leaves_blocked_what_was_blocked)
{
	sigset_t set;
	struct kit kit;

	sigemptyset(&set);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	tear_down(&kit);

	assert_true(is_blocked(SIGQUIT));
	assert_false(is_blocked(SIGTERM));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

UNIT_TEST(loop_destroy_leaves_closed_pipes_ignored)
{
	struct sigaction action;
	struct kit kit;

	signal(SIGPIPE, SIG_IGN);
	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	tear_down(&kit);

	assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
}

/* Without taking signals there is nothing to give back. */
UNIT_TEST(loop_destroy_without_signals_changes_none)
{
	struct sigaction action;
	sigset_t set;
	struct kit kit;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	set_up(&kit);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	tear_down(&kit);

	assert_true(is_blocked(SIGTERM));
	assert_int_equal(sigaction(SIGPIPE, NULL, &action), 0);
	assert_true(action.sa_handler == SIG_IGN);
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
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_and_quit, &kit, NULL));
	raise(SIGTERM);

	assert_true(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_int_equal(kit.signal_count, 0);
	tear_down(&kit);
}

UNIT_TEST(loop_wait_writable_full_pipe_ends_with_the_loop)
{
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_and_quit, &kit, NULL));
	fill(kit.first[1]);
	raise(SIGTERM);

	assert_false(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_int_equal(kit.signal_count, 1);
	assert_int_equal(kit.signals[0], SIGTERM);
	tear_down(&kit);
}

static void empty_on_signal(void *context, int number)
{
	struct kit *kit = context;
	char page[4096];

	note_signal(context, number);
	assert_int_equal(read(kit->first[0], page, sizeof(page)), sizeof(page));
}

UNIT_TEST(loop_wait_writable_goes_on_after_a_signal)
{
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, empty_on_signal, &kit, NULL));
	fill(kit.first[1]);
	raise(SIGWINCH);

	assert_true(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_int_equal(kit.signal_count, 1);
	tear_down(&kit);
}

/* The pipe `second` says that there is something to do; it makes room in the first. */
static void make_room(void *context)
{
	struct kit *kit = context;
	char page[4096], byte;

	assert_int_equal(read(kit->second[0], &byte, 1), 1);
	assert_int_equal(read(kit->first[0], page, sizeof(page)), sizeof(page));
}

UNIT_TEST(loop_wait_writable_full_pipe_handles_meanwhile)
{
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_and_quit, &kit, NULL));
	fill(kit.first[1]);
	assert_int_equal(write(kit.second[1], "x", 1), 1);

	assert_true(loop_wait_writable(kit.loop, kit.first[1],
				       &(const struct loop_meanwhile){
					       .fd = kit.second[0],
					       .handler = make_room,
					       .context = &kit,
				       }));
	assert_int_equal(kit.signal_count, 0);
	tear_down(&kit);
}

UNIT_TEST(loop_wait_writable_without_a_reader_lets_the_write_fail)
{
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	fill(kit.first[1]);
	loop_remove(kit.loop, kit.first[0]);
	close(kit.first[0]);

	assert_true(loop_wait_writable(kit.loop, kit.first[1], NULL));
	assert_true(loop_wait_writable(kit.loop, 100000, NULL));
	kit.first[0] = -1;
	tear_down(&kit);
}

UNIT_TEST(loop_quit_before_run_ends_it_at_once)
{
	struct kit kit;

	set_up(&kit);
	write_byte(kit.first[1]);
	loop_quit(kit.loop);
	loop_run(kit.loop);

	assert_int_equal(kit.first_calls, 0);
	tear_down(&kit);
}

UNIT_TEST(loop_destroy_null_is_allowed)
{
	loop_destroy(NULL);
}

UNIT_TEST(loop_destroy_leaves_no_descriptor)
{
	uint64_t before = proc_own_descriptors();
	struct kit kit;

	set_up(&kit);
	assert_true(loop_take_signals(kit.loop, note_signal, &kit, NULL));
	run_for(&kit, 1 * MS);
	tear_down(&kit);

	assert_int_equal(proc_own_descriptors(), before);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
