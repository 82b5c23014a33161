#include "session/shed.h"

#include "kernel/sys.h"

static const double BEHIND = 0.5; /* share of a ring that says that we are late */
static const double CALM = 0.3;   /* and that we are not, wake-ups coming at a quarter */

void shed_round(struct shed *shed, double backlog, bool has_lost)
{
	if (backlog > shed->worst)
		shed->worst = backlog;
	if (backlog <= BEHIND && !has_lost)
		return;
	shed->has_grown = true;
	if (shed->level < SHED_DETAIL)
		shed->level++;
}

void shed_tick(struct shed *shed)
{
	if (shed->worst < CALM && !shed->has_grown && shed->level > SHED_NOTHING)
		shed->level--;
	shed->worst = 0;
	shed->has_grown = false;
}

void urgency_raise(struct urgency *urgency)
{
	urgency->is_urgent = sys_be_urgent() == 0;
	urgency->is_refused = !urgency->is_urgent;
}

bool urgency_is_due(struct urgency *urgency, uint64_t waited_ns)
{
	const bool is_first = !urgency->has_looked;
	const uint64_t before_ns = urgency->waited_ns;

	urgency->has_looked = true;
	urgency->waited_ns = waited_ns;
	return !is_first && waited_ns > before_ns && waited_ns - before_ns > URGENCY_WAIT_NS;
}

bool urgency_is_too_much(struct urgency *urgency, uint64_t now_ns, uint64_t cpu_ns)
{
	const uint64_t passed_ns = now_ns - urgency->since_ns;
	const uint64_t used_ns = cpu_ns - urgency->used_ns;
	const bool is_first = urgency->since_ns == 0;

	if (!is_first && passed_ns < URGENCY_JUDGED_NS)
		return false;
	urgency->since_ns = now_ns;
	urgency->used_ns = cpu_ns;
	return !is_first && used_ns > passed_ns / 2;
}
