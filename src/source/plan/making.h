#ifndef PERFTOP_SOURCE_PLAN_MAKING_H
#define PERFTOP_SOURCE_PLAN_MAKING_H

/*
 * A plan in the making: plan.c finds out what each kind of CPU makes of an event, grouping.c puts
 * what is available into groups.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/plan/plan.h"

enum {
	NO_PMU = PLAN_PMUS_MAX,
	TURN_ALWAYS = 0
};

/* What a plan is made with. */
struct making {
	struct plan *plan;
	const struct event_set *set;
	struct trials *trials;
	int shortage; /* EMFILE, ENFILE: nothing more can be tried; 0: none */
};

bool plan_is_for_tasks(const struct plan *plan);

const struct event_spec *part_spec(const struct plan *plan, size_t event,
				   const struct plan_part *part);
struct trial_scope part_scope(const struct plan *plan, const struct plan_part *part);

/* Number of the turn that groups of a PMU are in. */
uint16_t part_rotation(size_t pmu);

/* What a kind of CPU makes of an event on one of its PMUs; NULL: nothing. */
struct plan_part *part_find(struct plan *plan, size_t event, size_t kind, size_t pmu);
bool part_is_available(struct plan *plan, size_t event, size_t kind, size_t pmu);

/* The part is not available, for a reason that the kernel has given, or for one of ours. */
void part_refuse(struct making *making, size_t event, struct plan_part *part, int errno_value);
void part_refuse_for(struct making *making, size_t event, struct plan_part *part,
		     enum error_code code);

/* Braces hold counters of one PMU; what needs no counter is counted at any time anyway. */
void grouping_refuse_mixed_braces(struct making *making);

/*
 * Puts everything that is available into groups, which begin anew unless all of them have the same
 * events as before.
 */
void grouping_make(struct making *making);

#endif
