/*
 * peak COMMAND [ARG...]: runs it and prints on standard error how long it took in seconds, its CPU
 * time in seconds and the most memory it had in KiB: "12.345 11.900 20480". Leaves with its status.
 */
#include <sys/resource.h>

#include "bench.h"

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	const double start_ms = now_ms();
	struct rusage usage;
	int status;
	pid_t child;

	if (argc < 2) {
		fprintf(stderr, "usage: peak COMMAND [ARG...]\n");
		return 2;
	}
	child = fork();
	if (child == 0) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 1;
	fprintf(stderr, "%.3f %.3f %ld\n", (now_ms() - start_ms) / 1e3,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
