/*
 * again PID NAME: ends unless nobody has this number; then a child gets it, by clone3(2) with
 * set_tid, and this waits for its end. The child is called NAME and does nothing. Status 77: the
 * kernel gives nobody a number that he asks for.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
	pid_t pid = argc == 3 ? (pid_t)atoi(argv[1]) : 0;
	struct clone_args arguments = {
		.exit_signal = SIGCHLD,
		.set_tid = (uint64_t)(uintptr_t)&pid,
		.set_tid_size = 1,
	};
	long child;

	if (pid <= 0)
		return 2;
	child = syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, argv[2]);
		for (;;)
			pause();
	}
	if (child < 0) {
		perror("again");
		return errno == EEXIST ? 1 : 77;
	}
	return waitpid((pid_t)child, NULL, 0) == child ? 0 : 1;
}
