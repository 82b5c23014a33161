#include "session/urgency.h"

#include <unistd.h>

#include "kernel/proc.h"
#include "kernel/sys.h"

/* More than that between two looks is too long: half an interval, and half a second at most. */
static uint64_t limit_of(uint64_t interval_ns)
{
	const uint64_t most_ns = 1000000000;

	return (interval_ns < most_ns ? interval_ns : most_ns) / 2;
}

bool urgency_may_be_due(const struct urgency *urgency, uint64_t now_ns, uint64_t interval_ns)
{
	return !urgency->has_looked || now_ns - urgency->looked_ns > limit_of(interval_ns);
}

bool urgency_is_due(struct urgency *urgency, uint64_t now_ns, uint64_t waited_ns,
		    uint64_t interval_ns)
{
	const bool is_first = !urgency->has_looked;
	const uint64_t before_ns = urgency->waited_ns;
	uint64_t kept_ns;

	urgency->has_looked = true;
	urgency->looked_ns = now_ns;
	urgency->waited_ns = waited_ns;
	kept_ns = !is_first && waited_ns > before_ns ? waited_ns - before_ns : 0;
	if (kept_ns <= limit_of(interval_ns))
		return false;
	urgency->kept_ns = kept_ns;
	return true;
}

/* Needed again sooner than it was held, it is held for longer. */
static uint64_t next_hold_ns(const struct urgency *urgency, uint64_t now_ns)
{
	const uint64_t hold_ns = urgency->hold_ns;

	if (hold_ns == 0 || now_ns > urgency->until_ns + hold_ns)
		return URGENCY_HOLD_NS;
	return hold_ns < URGENCY_HOLD_MAX_NS ? 2 * hold_ns : hold_ns;
}

void urgency_raise(struct urgency *urgency, uint64_t now_ns)
{
	urgency->is_urgent = sys_be_urgent() == 0;
	urgency->is_refused = !urgency->is_urgent;
	urgency->hold_ns = next_hold_ns(urgency, now_ns);
	urgency->until_ns = now_ns + urgency->hold_ns;
	urgency->judged_ns = 0;
}

static bool needs_too_much(struct urgency *urgency, uint64_t now_ns, uint64_t cpu_ns)
{
	const uint64_t passed_ns = now_ns - urgency->judged_ns;
	const uint64_t used_ns = cpu_ns - urgency->used_ns;
	const bool is_first = urgency->judged_ns == 0;

	if (!is_first && passed_ns < URGENCY_JUDGED_NS)
		return false;
	urgency->judged_ns = now_ns;
	urgency->used_ns = cpu_ns;
	return !is_first && used_ns > passed_ns / 2;
}

bool urgency_is_over(struct urgency *urgency, uint64_t now_ns, uint64_t cpu_ns)
{
	return needs_too_much(urgency, now_ns, cpu_ns) ||
	       (!urgency->is_wanted && now_ns >= urgency->until_ns);
}

void urgency_look(struct urgency *urgency, uint64_t interval_ns)
{
	const uint64_t now_ns = sys_now_ns();
	uint64_t run_ns, waited_ns;

	if (urgency->is_urgent || urgency->is_refused ||
	    !urgency_may_be_due(urgency, now_ns, interval_ns) ||
	    !proc_read_schedstat(getpid(), 0, &run_ns, &waited_ns))
		return;
	if (urgency_is_due(urgency, now_ns, waited_ns, interval_ns))
		urgency_raise(urgency, now_ns);
}

void urgency_look_whether_over(struct urgency *urgency, uint64_t cpu_ns)
{
	if (!urgency->is_urgent || !urgency_is_over(urgency, sys_now_ns(), cpu_ns))
		return;
	urgency->is_urgent = sys_be_fair() != 0;
	urgency->has_looked = false; /* waits without it are those from now on */
}
