/* storm COUNT: so many timers, of 50 us each. */
#include <stdlib.h>
#include <time.h>

#include <sys/prctl.h>

int main(int argc, char **argv)
{
	const struct timespec length = {.tv_nsec = 50000};

	prctl(PR_SET_TIMERSLACK, 1);
	for (long left = argc > 1 ? strtol(argv[1], NULL, 10) : 0; left > 0; left--)
		nanosleep(&length, NULL);
	return 0;
}
