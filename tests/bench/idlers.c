/*
 * idlers COUNT: COUNT processes that sleep for ever, all in one group of their own. Prints "ready"
 * when all are there, and ends them all when its standard input ends or it is told to end.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

static volatile sig_atomic_t told;

static void on_signal(int signal)
{
	told = 1;
}

static void sleep_for_ever(pid_t parent)
{
	/* Nobody may be left behind, not even when the parent is killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int count = argc == 2 ? atoi(argv[1]) : 0;
	pid_t self = getpid();
	struct sigaction action = {.sa_handler = on_signal};
	char byte;

	if (count <= 0) {
		fprintf(stderr, "usage: idlers COUNT\n");
		return 2;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	pid_t group = 0;
	for (int i = 0; i < count && !told; i++) {
		pid_t child = fork();

		if (child == 0)
			sleep_for_ever(self);
		if (child < 0) {
			perror("idlers: fork");
			break;
		}
		group = group ? group : child;
		setpgid(child, group);
	}
	puts("ready");
	fflush(stdout);
	while (!told && read(STDIN_FILENO, &byte, 1) > 0)
		;
	if (group > 0)
		kill(-group, SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}
