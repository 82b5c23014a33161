#include "session/budget.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/units.h"
#include "model/snapshot.h"

static const double LEAST_PCT = 0.01, MOST_PCT = 100;

/* As long as it is not known what the hardware events cost by themselves: of the share before. */
static const double LESS = 0.5;

static const double LEAST_SHARE = 0.05; /* less is nothing */

static const double ALL = 0.99; /* nothing is gained by leaving out less than the rest */

bool budget_parse(const char *text, double *pct, struct error *error)
{
	char number[32];
	const size_t length = strlen(text);
	const size_t digits = length > 0 && text[length - 1] == '%' ? length - 1 : length;

	if (strcasecmp(text, "none") == 0) {
		*pct = 0;
		return true;
	}
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	return (digits < sizeof(number) && units_parse_double(number, LEAST_PCT, MOST_PCT, pct)) ||
	       error_set(error, ERROR_NUMBER_BAD, text,
			 "a budget is 0.01 to 100 percent of the machine, or none");
}

static double limit_share(double share)
{
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double less(double share)
{
	return share * LESS < LEAST_SHARE ? 0 : share * LESS;
}

double budget_share(double budget_pct, const struct budget_interval *interval)
{
	const struct own_usage *own = interval->own;
	const double budget_ns = budget_pct / 100 * (double)interval->machine_ns;
	double switches, turns_ns, room_ns, wanted, more;

	if (own->switch_ns == 0)
		return 1;
	switches = (double)(own->readings_ns - own->samples_ns) / (double)own->switch_ns;
	turns_ns = (double)interval->turn_ns * switches;
	room_ns = budget_ns - (double)own->cpu_ns -
		  ((double)own->readings_ns - turns_ns * interval->share);
	if (turns_ns > 0)
		wanted = limit_share(room_ns / turns_ns);
	else
		wanted = room_ns < 0 ? less(interval->share) : 1;
	more = (interval->share + wanted) / 2;
	if (wanted <= interval->share)
		return wanted;
	return more > ALL ? 1 : more;
}
