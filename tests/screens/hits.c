/* hits COUNT: passes probed_here() so many times, calling getsid(2), and lets others run
 * meanwhile. */

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/wait.h>

__attribute__((noinline)) void probed_here(int turn);

static volatile int last;

void probed_here(int turn)
{
	last = turn + (int)syscall(SYS_getsid, 0);
}

/* A half of them in a child. Ends by _exit(2), as a sanitizer's search for leaks at exit(3) would
 * start tasks of its own. */
int main(int argc, char **argv)
{
	const int count = argc > 1 ? atoi(argv[1]) : 0;
	const pid_t child = fork();
	const int from = child == 0 ? 0 : count / 2, to = child == 0 ? count / 2 : count;

	for (int i = from; i < to; i++) {
		probed_here(i);
		if (i % 64 == 0)
			sched_yield();
	}
	_exit(child > 0 && waitpid(child, NULL, 0) == child ? 0 : child != 0);
}
