#ifndef PERFTOP_VIEW_VERDICT_LOOK_H
#define PERFTOP_VIEW_VERDICT_LOOK_H

/*
 * What the rules share: an interval as they look at it, gathered in one pass over its tasks, and
 * how the worst subject is found. Only files of rules include it.
 *
 * All times are of the interval, in percent of it or of the machine (its CPUs' time).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/verdict_rules.h"

struct snapshot;
struct snapshot_task;

enum {
	FINDING_NAME_COLUMNS = 48,
	LOOK_SWITCHERS = 16, /* tasks that sleep and wake most often */
	LOOK_CANDIDATES = 4  /* tasks of which a rule asks /proc in an interval */
};

/* A task that starts processes. */
struct starter {
	uint64_t id;
	const struct snapshot_task *task; /* NULL: not found yet */
	uint64_t count, run_ns; /* of those that ended in the interval; since their starts */
};

/* What ran most on a CPU, and most of the other processes; NULL: nothing. */
struct runners {
	const struct snapshot_task *first, *other;
};

struct rule_look {
	const struct rule_input *input;
	const struct snapshot *snapshot;
	const struct snapshot_task **tasks; /* owned; that did something, in the scope */
	size_t count, capacity;
	const struct snapshot_task **ended; /* owned; processes, whose parent is known */
	size_t ended_count, ended_capacity;
	double cpus;             /* of the machine */
	struct runners *runners; /* owned; by CPU, of all tasks */
	size_t runner_count, runner_capacity;
	struct starter *starters; /* owned */
	size_t starter_count, starter_capacity;
	const struct snapshot_task *switchers[LOOK_SWITCHERS]; /* most first */
	size_t switcher_count;
	struct rule_memory *memory;
	struct rule_delays delays; /* of now, and how long that is since the interval before */
	uint64_t waited_ns[RULE_DELAYS];
	bool has_waits;
	double blocked_pct; /* the longest uninterruptible sleep */
	double least;       /* what is less is not looked for: that of the rule */
	double named_least; /* what is less is not named: more, until the rule holds */
};

double look_per_second(const struct rule_look *look, uint64_t count);

/* Raw bytes; "" unknown. */
const char *look_process_name(const struct rule_look *look, int32_t pid);
double look_pct(const struct rule_look *look, uint64_t ns); /* of the interval */
double look_run_pct(const struct rule_look *look, const struct snapshot_task *task);
/* How often it went to sleep. */
double look_voluntary_per_s(const struct rule_look *look, const struct snapshot_task *task);

/* -1: not available. */
int look_find_metric(const struct rule_look *look, const char *name);
/* Of a task; NaN: unknown. */
double look_eval(const struct rule_look *look, const struct snapshot_task *task, int metric);

/* A process in the scope. */
bool look_wants(const struct rule_look *look, int32_t pid);
/* It uses little of a CPU, and sleeps often: what competes for all of one waits in fairness. */
bool look_is_light(const struct rule_look *look, const struct snapshot_task *task);
/*
 * What ran most on the CPU where the task ran last, if that was much; NULL: there is none. A task
 * that is light waits behind several that share the CPU, too: that is load.
 */
const struct snapshot_task *look_find_culprit(const struct rule_look *look,
					      const struct snapshot_task *victim);
/* How long it waited for a CPU as /proc says; false: not asked, or not in the interval before. */
bool look_asked_wait(const struct rule_look *look, const struct snapshot_task *task, uint64_t *ns);

/* Finds what started the processes that ended (verdict_starters.c); and whether this one did. */
void look_gather_starters(struct rule_look *look);
bool look_is_starter(const struct rule_look *look, const struct snapshot_task *task);

/* Whether this one is named: the one that was named before gives way to one that is clearly worse.
 */
bool finding_is_worse(const struct rule_look *look, double value, uint64_t subject, uint64_t before,
		      const struct finding *finding);
void finding_take(struct finding *finding, uint64_t subject, double value, double lost_pct);
/* A name for the sentence. */
void finding_write_name(char name[static FINDING_NAME_COLUMNS], const char *raw);

/* The worst tasks of a rule that asks /proc for more of them. {0}: none. */
struct candidates {
	struct candidate {
		const struct snapshot_task *task;
		double value;
		double weight; /* by which they are in order */
	} list[LOOK_CANDIDATES];
	size_t count;
};

/* Takes it if the value is enough. */
void candidates_take(struct candidates *candidates, const struct rule_look *look,
		     const struct snapshot_task *task, double value, uint64_t before);

/* What /proc says of a task; it is asked again after some intervals. False: it is not known. */
bool look_ask_usage(const struct rule_look *look, const struct snapshot_task *task,
		    struct rule_usage *usage);

/* The rules: struct rule, `find`. */
void rule_starter(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_limit(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_waits(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_deadlock(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_lock(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_ping_pong(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_faults(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_disk(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_swap(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_memory_bound(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_pressure(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_hot(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_clock(const struct rule_look *look, uint64_t before, struct finding *finding);
void rule_steal(const struct rule_look *look, uint64_t before, struct finding *finding);

#endif
