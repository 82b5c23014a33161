/*
 * Few descriptors are watched here (the source, the keyboard, a timer, the signals: each source
 * keeps its rings in an epoll set of its own), so they are kept in a plain array.
 */
#include "session/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/sys.h"

enum {
	LOOP_BATCH = 8
};

struct watch {
	int fd; /* -1: removed, to be freed after the round */
	loop_handler *handler;
	void *context;
};

struct loop {
	int epoll_fd;
	int timer_fd, signal_fd;
	struct watch **watches; /* owned */
	size_t count, capacity;
	loop_handler *timer_handler;
	loop_signal_handler *signal_handler;
	void *timer_context, *signal_context;
	bool has_signals;
	sigset_t mask_before;         /* of has_signals */
	struct sigaction pipe_before; /* SIGPIPE's, the same */
	struct sigaction size_before; /* SIGXFSZ's: a file as large as it may be is an error */
	uint64_t waiting_ns;          /* when it began to wait last */
	int ended_by;                 /* the last signal to end that was handed out; 0: none */
	struct error failure;         /* why it cannot go on */
	bool is_over;
};

static void signals_taken(sigset_t *set)
{
	static const int numbers[] = {SIGINT,   SIGTERM, SIGHUP,  SIGQUIT,
				      SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(set, numbers[i]);
}

/* nohup(1) has us ignore it; blocked it would arrive all the same. */
static bool is_hangup_ignored(void)
{
	struct sigaction action;

	return sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

struct loop *loop_create(struct error *error)
{
	struct loop *loop = xcalloc(1, sizeof(*loop));

	loop->timer_fd = loop->signal_fd = -1;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd >= 0)
		return loop;
	error_set_errno(error, ERROR_SYSTEM, "epoll_create1", errno);
	free(loop);
	return NULL;
}

static bool is_to_end(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

/*
 * What is still pending (a terminal that goes away says so more than once) would kill the process
 * the moment it is let through, on its way to an orderly end; so would the signal by which it ends,
 * were it sent once more, as timeout(1) does.
 */
static void give_signals_back(const struct loop *loop)
{
	struct signalfd_siginfo info;

	if (loop->signal_fd >= 0) {
		while (read(loop->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
			;
		close(loop->signal_fd);
	}
	if (!loop->has_signals)
		return;
	sigaction(SIGPIPE, &loop->pipe_before, NULL);
	sigaction(SIGXFSZ, &loop->size_before, NULL);
	if (loop->ended_by > 0)
		signal(loop->ended_by, SIG_IGN);
	sigprocmask(SIG_SETMASK, &loop->mask_before, NULL);
}

void loop_destroy(struct loop *loop)
{
	if (!loop)
		return;
	for (size_t i = 0; i < loop->count; i++)
		free(loop->watches[i]);
	free(loop->watches);
	if (loop->timer_fd >= 0)
		close(loop->timer_fd);
	give_signals_back(loop);
	close(loop->epoll_fd);
	free(loop);
}

bool loop_add(struct loop *loop, int fd, loop_handler *handler, void *context, struct error *error)
{
	struct watch *watch = xcalloc(1, sizeof(*watch));
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = watch};

	*watch = (struct watch){.fd = fd, .handler = handler, .context = context};
	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
		free(watch);
		return error_set_errno(error, ERROR_SYSTEM, "epoll_ctl", errno);
	}
	array_reserve(&loop->watches, &loop->capacity, loop->count + 1, sizeof(struct watch *));
	loop->watches[loop->count++] = watch;
	return true;
}

void loop_remove(struct loop *loop, int fd)
{
	for (size_t i = 0; i < loop->count; i++) {
		if (loop->watches[i]->fd != fd)
			continue;
		epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
		loop->watches[i]->fd = -1;
	}
}

static void free_removed(struct loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->count; i++)
		if (loop->watches[i]->fd >= 0)
			loop->watches[kept++] = loop->watches[i];
		else
			free(loop->watches[i]);
	loop->count = kept;
}

/*
 * What is ready and cannot be read stays ready: going on would be a loop without a rest, in which
 * no signal to end is ever handed out. Call while errno is that of the failure.
 */
static void fail_loop(struct loop *loop, const char *what)
{
	if (errno == EAGAIN || errno == EINTR)
		return;
	error_set_errno(&loop->failure, ERROR_SYSTEM, what, errno);
	loop->is_over = true;
}

static void timer_expired(void *context)
{
	struct loop *loop = context;
	uint64_t expirations;

	/* several at once mean that we were stopped or late: one interval, only longer */
	if (read(loop->timer_fd, &expirations, sizeof(expirations)) == (ssize_t)sizeof(expirations))
		loop->timer_handler(loop->timer_context);
	else
		fail_loop(loop, "timer");
}

bool loop_set_timer(struct loop *loop, uint64_t period_ns, loop_handler *handler, void *context,
		    struct error *error)
{
	const struct timespec period = {
		.tv_sec = (time_t)(period_ns / 1000000000),
		.tv_nsec = (long)(period_ns % 1000000000),
	};
	const struct itimerspec timer = {.it_value = period, .it_interval = period};

	loop->timer_handler = handler;
	loop->timer_context = context;
	if (loop->timer_fd < 0) {
		loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
		if (loop->timer_fd < 0)
			return error_set_errno(error, ERROR_SYSTEM, "timerfd_create", errno);
		if (!loop_add(loop, loop->timer_fd, timer_expired, loop, error))
			return false;
	}
	if (timerfd_settime(loop->timer_fd, 0, &timer, NULL) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "timerfd_settime", errno);
	return true;
}

static void loop_signal_arrived(void *context)
{
	struct loop *loop = context;
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (is_to_end((int)info.ssi_signo))
			loop->ended_by = (int)info.ssi_signo;
		loop->signal_handler(loop->signal_context, (int)info.ssi_signo);
	}
	fail_loop(loop, "signals");
}

bool loop_take_signals(struct loop *loop, loop_signal_handler *handler, void *context,
		       struct error *error)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t set;

	signals_taken(&set);
	if (is_hangup_ignored())
		sigdelset(&set, SIGHUP);
	loop->signal_handler = handler;
	loop->signal_context = context;
	if (sigprocmask(SIG_BLOCK, &set, &loop->mask_before) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "sigprocmask", errno);
	sigaction(SIGPIPE, &ignore, &loop->pipe_before);
	sigaction(SIGXFSZ, &ignore, &loop->size_before);
	loop->has_signals = true;
	loop->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (loop->signal_fd < 0)
		return error_set_errno(error, ERROR_SYSTEM, "signalfd", errno);
	return loop_add(loop, loop->signal_fd, loop_signal_arrived, loop, error);
}

int loop_ended_by(const struct loop *loop)
{
	return loop ? loop->ended_by : 0;
}

bool loop_wait_writable(struct loop *loop, int fd, const struct loop_meanwhile *meanwhile)
{
	struct pollfd polled[] = {
		{.fd = fd, .events = POLLOUT},
		{.fd = loop->signal_fd, .events = POLLIN},
		{.fd = meanwhile ? meanwhile->fd : -1, .events = POLLIN},
	};

	while (!loop->is_over) {
		int count = poll(polled, sizeof(polled) / sizeof(*polled), -1);

		if (count < 0 && errno == EINTR)
			continue;
		/* what can be written comes first; the write will report what is wrong with fd */
		if (count < 0 || polled[0].revents != 0)
			return true;
		if (polled[1].revents != 0)
			loop_signal_arrived(loop);
		if (meanwhile && polled[2].revents != 0)
			meanwhile->handler(meanwhile->context);
	}
	return false;
}

bool loop_hear(struct loop *loop)
{
	if (loop->has_signals)
		loop_signal_arrived(loop);
	return !loop->is_over;
}

bool loop_run(struct loop *loop, struct error *error)
{
	struct epoll_event events[LOOP_BATCH];

	while (!loop->is_over) {
		int count;

		loop->waiting_ns = sys_now_ns();
		count = epoll_wait(loop->epoll_fd, events, LOOP_BATCH, -1);
		if (count < 0)
			fail_loop(loop, "epoll_wait");
		for (int i = 0; i < count && !loop->is_over; i++) {
			const struct watch *watch = events[i].data.ptr;

			if (watch->fd >= 0)
				watch->handler(watch->context);
		}
		free_removed(loop);
	}
	if (loop->failure.code == ERROR_NONE)
		return true;
	if (error)
		*error = loop->failure;
	return false;
}

uint64_t loop_waiting_ns(const struct loop *loop)
{
	return loop->waiting_ns;
}

void loop_quit(struct loop *loop)
{
	loop->is_over = true;
}

bool loop_is_over(const struct loop *loop)
{
	return loop->is_over;
}
