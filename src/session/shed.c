#include "session/shed.h"

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
