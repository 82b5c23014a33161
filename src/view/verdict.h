#ifndef PERFTOP_VIEW_VERDICT_H
#define PERFTOP_VIEW_VERDICT_H

/*
 * What is wrong, in a line: of what a snapshot has anyway the rules that hold (verdict_rules.h),
 * worst first. A rule holds from when it was met in some intervals that followed each other until
 * it was not met in some, so that the line does not flicker. "" nothing is wrong.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/verdict_rules.h"

enum {
	VERDICT_MAX = 512 /* bytes of the line, NUL included */
};

/* A rule in the last intervals. */
struct verdict_state {
	bool holds;
	int met, unmet;         /* intervals, one after the other */
	struct finding finding; /* the last that met it */
};

/* An empty one is {0}. */
struct verdict {
	uint64_t time_ns;          /* end of the interval that was looked at last; 0: none */
	unsigned int scope_number; /* of the processes that were looked at */
	struct verdict_state states[RULES_MAX];
	struct rule_memory memory;
	char line[VERDICT_MAX];
	const char *const *proof; /* commands that show the worst (struct rule); NULL: none */
	int32_t pid;              /* of these */
	bool wants_cgroups;       /* something waits, and limits may be why */
};

/*
 * Looks at an interval; one that was looked at already changes nothing. One that does not follow
 * the one before is looked at by itself, and so is one of another scope.
 */
void verdict_take(struct verdict *verdict, const struct rule_input *input);

#endif
