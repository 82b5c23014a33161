#ifndef PERFTOP_MODEL_METRIC_SET_H
#define PERFTOP_MODEL_METRIC_SET_H

/*
 * The metrics there are: those of the built-in table and the user's own, each a formula
 * (formula.h) with what is to be said about it. What they are worth is metric.h's matter.
 *
 * A name in a formula is, in this order,
 *	a quantity of the layout        run_ns, switches, preemptions, migrations
 *	interval_ns, interval_s         length of the interval
 *	a metric of the set
 *	an event
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cache_level.h"
#include "model/formula.h"

enum metric_direction {
	METRIC_NEUTRAL,      /* neither much nor little is good */
	METRIC_LOAD,         /* nor is it here; how much it is says which rows matter */
	METRIC_HIGH_IS_GOOD, /* IPC */
	METRIC_LOW_IS_GOOD   /* misses */
};

enum {
	METRIC_STEPS = 5,
	METRIC_NAME_MAX = 48,  /* bytes of a user's metric's name, NUL included */
	METRIC_WIDTH_MAX = 80, /* of a column */
	METRIC_NAMES_MAX = 32, /* names in one formula */
	METRIC_NEEDS_MAX = 64  /* names in all, those of the metrics that it names included */
};

struct metric_info {
	const char *name;    /* identity: JSON key, sort and column name: "miss_pct" */
	const char *title;   /* over its column: "MISS %" */
	const char *formula; /* formula.h */
	const char *unit;    /* "%", "/s", "per 1000 instructions", "" */
	const char *help;    /* one sentence: what it is; "" for a user's without one */
	const char *good;    /* one sentence: what a good value is; "" */
	enum metric_direction direction;
	double steps[METRIC_STEPS - 1]; /* ascending borders between the five steps of the scale;
					   all 0: it has no scale */
	int width;                      /* of its column; 0: by default */
	bool is_users;
	/* metric_set_fit(): the level that its first event counts, where all of them are counted */
	enum cache_level level;
	char refused[METRIC_NAME_MAX]; /* event of a better formula that the machine knows and
					  refuses; "" */
};

/* What is said of a built-in metric where its level is known; its width is that of the title. */
struct metric_at_level {
	const char *metric;
	enum cache_level level;
	const char *title, *help, *good;
	double steps[METRIC_STEPS - 1];
};

/* The metrics with texts that depend on the level; *count of them. */
const struct metric_at_level *metric_levels(size_t *count);

/* The built-in metrics in their natural order; *count of them. */
const struct metric_info *metric_table(size_t *count);

/* Another formula for a built-in metric, better where its events are counted. */
struct metric_choice {
	const char *metric, *formula;
};

/* All of them, for each metric the best first, metrics in the order of the table; *count of them.
 */
const struct metric_choice *metric_choices(size_t *count);

/* Step 0 (worst) to 4 (best) of a value on the metric's scale; -1 for NaN, and where there is no
 * scale. */
int metric_goodness(const struct metric_info *info, double value);

/*
 * The same of a value that is shown as `text`: digits, and perhaps percent. It is
 * judged as it is rounded there, so that what looks alike is judged alike; otherwise, and where the
 * text is no such number (1.20k), as it is.
 */
int metric_goodness_shown(const struct metric_info *info, double value, const char *text);

/* How much it is: 0 little to 3 much; 0 also of what is no load. */
int metric_load(const struct metric_info *info, double value);

/* The built-in metrics first, then the user's. Infos are stable while the set lives. */
struct metric_set; /* opaque */

struct metric_set *metric_set_create(void);
void metric_set_destroy(struct metric_set *set);

/* What a machine says of an event. */
enum metric_event {
	METRIC_EVENT_ABSENT,
	METRIC_EVENT_REFUSED, /* it has a code there, which the kernel or the hypervisor refuses */
	METRIC_EVENT_COUNTED
};

/* A machine as the formulas see it. */
struct metric_machine {
	enum metric_event (*look)(const char *event, void *context);
	enum cache_level (*level)(const char *event, void *context);
	void *context;
};

/*
 * Gives each built-in metric the level of what it counts, with the texts for that level, and the
 * best formula: the first of its choices whose events the machine counts, unless those of the table
 * are counted, of a known level, and none is nearer to memory. Formulas that were borrowed stay
 * valid; metrics that were bound (metric.h) are to be made anew.
 */
void metric_set_fit(struct metric_set *set, const struct metric_machine *machine);

size_t metric_set_count(const struct metric_set *set);
const struct metric_info *metric_set_info(const struct metric_set *set, size_t index);
int metric_set_find(const struct metric_set *set, const char *name); /* -1: none */

/* Whether there was a metric of this name that could not be added, or was taken back. */
bool metric_set_has_refused(const struct metric_set *set, const char *name);

/*
 * Adds a user's metric, or replaces the earlier one of that name:
 *
 *	NAME = FORMULA [; unit TEXT] [; width N] [; help TEXT] [; good high|low [A B C D]]
 *
 * A name begins with a small letter and has small letters, digits and _ % / . -; it may not be that
 * of a built-in metric, of a quantity, or of an event that a built-in metric needs. A B C D are
 * the ascending borders of its scale. False: nothing has changed; *position is the byte offset of
 * the fault in the definition (of one in a clause: where the clause begins) and message says in one
 * sentence what is wrong. A metric that needs itself, through whatever others, is such a fault.
 * info: NULL when it is not wanted.
 */
bool metric_set_add(struct metric_set *set, const char *definition, const struct metric_info **info,
		    size_t *position, char message[static FORMULA_ERROR_MAX]);

/*
 * Takes back what metric_set_add() did last, where its events turn out not to exist; index: of its
 * metric. One that was replaced is there again.
 */
void metric_set_take_back(struct metric_set *set, size_t index);

/* The names of the events that a metric needs, also through metrics it names; each once. */
void metric_set_events(const struct metric_set *set, size_t index,
		       void (*visit)(const char *event, void *context), void *context);

/* Byte offset in the user's definition at which a name first occurs; 0: nowhere in it. */
size_t metric_set_position(const struct metric_set *set, size_t index, const char *name);

/* The formula of a metric, which lives as long as the set. */
const struct formula *metric_set_formula(const struct metric_set *set, size_t index);

/* What a formula is made of, also through metrics it names. */
struct metric_parts {
	uint32_t quantities; /* bit per enum quantity */
	bool has_events, has_interval;
};

struct metric_parts metric_set_parts(const struct metric_set *set, size_t index);

enum metric_name_kind {
	METRIC_NAME_QUANTITY,
	METRIC_NAME_INTERVAL_NS,
	METRIC_NAME_INTERVAL_S,
	METRIC_NAME_METRIC,
	METRIC_NAME_EVENT
};

/* What a name in a formula means. */
struct metric_name {
	enum metric_name_kind kind;
	size_t index; /* of the quantity, of the metric in the set */
};

struct metric_name metric_set_resolve(const struct metric_set *set, const char *name);

#endif
