/*
 * sharers: two threads, sharer0 and sharer8, keep a CPU busy each until they are killed. The
 * guest's unit of accesses to memory (ratepmu.c) reads from their names what they access.
 */
#include <pthread.h>

#include <sys/prctl.h>

#include "busy.h"

static void *share(void *name)
{
	prctl(PR_SET_NAME, name);
	for (;;)
		be_busy();
	return NULL;
}

int main(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, share, "sharer8") != 0)
		return 1;
	share("sharer0");
	return 0;
}
