#include "mode/suspends.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernel/control.h"

/* Less is what passes between the readings of two clocks. */
static const int64_t SLEEP_LEAST_NS = 1000000;

void suspends_fini(struct suspends *sleeps)
{
	free(sleeps->notes);
	*sleeps = (struct suspends){0};
}

void suspends_note(struct suspends *sleeps, uint64_t now_ns)
{
	const int64_t slept_ns = control_slept_ns();

	if (sleeps->count > 0 &&
	    slept_ns < sleeps->notes[sleeps->count - 1].slept_ns + SLEEP_LEAST_NS)
		return;
	array_reserve(&sleeps->notes, &sleeps->capacity, sleeps->count + 1, sizeof(*sleeps->notes));
	sleeps->notes[sleeps->count++] =
		(struct sleep_note){.since_ns = now_ns, .slept_ns = slept_ns};
}

int64_t suspends_at(const struct suspends *sleeps, uint64_t time_ns)
{
	size_t i = sleeps->count;

	if (i == 0)
		return control_slept_ns();
	/* what is shown is mostly of late */
	while (i > 1 && sleeps->notes[i - 1].since_ns > time_ns)
		i--;
	return sleeps->notes[i - 1].slept_ns;
}
