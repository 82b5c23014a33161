/*
 * ticks: the frequency of this machine's time stamp counter in kHz, which is that of an emulated
 * one, too. Each of two looks is the least disturbed of many, so that it is right on a busy machine
 * as well.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct look {
	uint64_t ns, ticks;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct look take_look(void)
{
	struct look best = {0};
	uint64_t least_ns = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		const uint64_t begin_ns = now_ns();
		const uint64_t ticks = __rdtsc();
		const uint64_t took_ns = now_ns() - begin_ns;

		if (took_ns >= least_ns)
			continue;
		least_ns = took_ns;
		best = (struct look){begin_ns + took_ns / 2, ticks};
	}
	return best;
}

int main(void)
{
	const struct timespec pause = {.tv_nsec = 100000000};
	const struct look first = take_look();

	nanosleep(&pause, NULL);

	const struct look last = take_look();

	printf("%.0f\n", (double)(last.ticks - first.ticks) * 1e6 / (double)(last.ns - first.ns));
	return 0;
}
