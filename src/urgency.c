#include "urgency.h"

bool urgency_is_due(struct urgency *urgency, uint64_t waited_ns)
{
	const bool is_first = !urgency->has_looked;
	const uint64_t before_ns = urgency->waited_ns;

	urgency->has_looked = true;
	urgency->waited_ns = waited_ns;
	if (urgency->is_over || is_first || waited_ns < before_ns ||
	    waited_ns - before_ns <= URGENCY_WAIT_NS)
		return false;
	urgency->is_over = true;
	return true;
}
