/*
 * A session of its own keeps the keys of the terminal away from the helper. When this process ends,
 * the helper finds the end of its input. It is started anew from the program's file, so that
 * nothing of this process's memory is kept by it. A fork is what remains where that is not
 * possible, or the file has capabilities: anybody could start a helper from that and speak to it.
 */
#include "symbol/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "kernel/sys.h"

#include "symbol/symbols.h"

enum {
	STOP_STEPS = 20 /* milliseconds that its end is waited for: a disk may hang */
};

void helper_init(struct helper *helper)
{
	*helper = (struct helper){.fd = -1, .epoll = epoll_create1(EPOLL_CLOEXEC)};
}

void helper_fini(struct helper *helper)
{
	helper_stop(helper);
	if (helper->epoll >= 0)
		close(helper->epoll);
	helper->epoll = -1;
}

/* In the child; never returns. */
static _Noreturn void become_helper(const char *program, int fd)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	dup2(fd, STDIN_FILENO);
	sys_close_from(STDERR_FILENO + 1);
	if (program && getauxval(AT_SECURE) == 0)
		execl(program, "perftop", SYMBOLS_HELPER_ARGUMENT, (char *)NULL);
	_exit(symbols_serve());
}

static bool watch(struct helper *helper)
{
	struct epoll_event event = {.events = EPOLLIN};

	return helper->epoll >= 0 &&
	       epoll_ctl(helper->epoll, EPOLL_CTL_ADD, helper->fd, &event) == 0;
}

bool helper_start(struct helper *helper, const char *program)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return false;
	helper->fd = pair[0];
	helper->pid = watch(helper) ? fork() : -1;
	if (helper->pid == 0)
		become_helper(program, pair[1]);
	close(pair[1]);
	if (helper->pid > 0)
		return true;
	helper->pid = 0;
	helper_stop(helper);
	return false;
}

static void collect_ended(struct helper *helper)
{
	for (size_t i = 0; i < HELPER_ENDING_MAX; i++)
		if (helper->ending[i] > 0 && waitpid(helper->ending[i], NULL, WNOHANG) != 0)
			helper->ending[i] = 0;
}

static void end(struct helper *helper)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	pid_t gone = 0;

	kill(helper->pid, SIGKILL);
	for (int i = 0; i < STOP_STEPS && gone == 0; i++) {
		gone = waitpid(helper->pid, NULL, WNOHANG);
		if (gone == 0)
			nanosleep(&millisecond, NULL);
	}
	for (size_t i = 0; gone == 0 && i < HELPER_ENDING_MAX; i++)
		if (helper->ending[i] == 0) {
			helper->ending[i] = helper->pid;
			break;
		}
}

void helper_stop(struct helper *helper)
{
	if (helper->fd >= 0)
		close(helper->fd);
	helper->fd = -1;
	if (helper->pid > 0)
		end(helper);
	helper->pid = 0;
}

bool helper_send(struct helper *helper, const void *packet, size_t size)
{
	return send(helper->fd, packet, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

ssize_t helper_receive(struct helper *helper, void *packet, size_t size)
{
	ssize_t count = recv(helper->fd, packet, size, MSG_DONTWAIT);

	collect_ended(helper);
	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return count > 0 ? count : -1;
}

bool helper_wait(struct helper *helper, int patience_ms)
{
	struct pollfd poll_fd = {.fd = helper->fd, .events = POLLIN};

	return poll(&poll_fd, 1, patience_ms) != 0;
}
