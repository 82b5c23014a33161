#ifndef PERFTOP_VIEW_VERDICT_RULES_H
#define PERFTOP_VIEW_VERDICT_RULES_H

/*
 * The table of what may be wrong: each rule finds the worst subject of an interval, in the unit of
 * its thresholds, and writes a sentence about it. Fair use of all CPUs is no fault.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct function_names;
struct metrics;
struct session;
struct snapshot;
struct rule_look;

enum {
	RULES_MAX = 16,
	RULE_SENTENCE_MAX = 160,
	RULE_DELAYS = 3, /* tasks whose waits are asked for in an interval */
	RULE_ASKED = 16,
	RULE_ASKED_FOR = 10
};

/* Of a task since it was born. */
struct rule_usage {
	int nice;
	double system_pct; /* of its CPU time; NaN: it has none */
};

/*
 * What is known only of the present: asked of /proc, of few tasks. False: not known. All NULL: it
 * is not the present.
 */
struct rule_witness {
	bool (*run_delay)(void *context, int32_t pid, int32_t tid, uint64_t *wait_ns);
	/* the kernel's function in which it sleeps */
	bool (*function)(void *context, int32_t pid, int32_t tid, char *name, size_t size);
	/* a lock in user space that others wait for, too, has sent it to sleep */
	bool (*waits_for_lock)(void *context, int32_t pid, int32_t tid);
	bool (*usage)(void *context, int32_t pid, int32_t tid, struct rule_usage *usage);
	/* read back from swap since the machine's start */
	bool (*swapped_in)(void *context, uint64_t *bytes);
	void *context;
	int32_t own_pid; /* not looked at; 0: unknown */
};

struct rule_input {
	const struct snapshot *snapshot;
	const struct metrics *metrics; /* bound to its layout */
	const struct session *session;
	const struct function_names *names; /* of functions that were sampled; NULL: none */
	struct rule_witness witness;
	/* Processes that are named; others may be why these wait. NULL: all. */
	bool (*wants_pid)(int32_t pid, const void *scope);
	const void *scope;
	unsigned int scope_number; /* another one: these are others */
};

struct finding {
	uint64_t subject; /* task, or whatever it is about; 0: there is none */
	int32_t pid;      /* of the process it is about; 0: of none */
	double value;     /* in the unit of the thresholds */
	double lost_pct;  /* of the machine's time, by which findings are compared */
	char sentence[RULE_SENTENCE_MAX]; /* harmless text */
};

struct rule {
	const char *name;
	/* The worst; of two that are about alike the one of `before`, the subject that was said. */
	void (*find)(const struct rule_look *look, uint64_t before, struct finding *finding);
	double on, off;       /* it is met from this value on; while it holds, from that */
	int after;            /* intervals in which it is met before it holds */
	const char *proof[4]; /* commands that show it, ended by NULL; "PID" at the end of one is
				 that of the finding */
};

/* How long tasks had waited for a CPU when an interval ended. */
struct rule_delays {
	size_t count;
	struct rule_delay {
		uint64_t id, wait_ns;
	} list[RULE_DELAYS];
};

/* What was seen in the intervals before, and asked of /proc, {0} at first. */
struct rule_memory {
	struct rule_delays delays; /* of the interval before */
	struct rule_asked {
		uint64_t id;
		bool is_known;
		struct rule_usage usage;
	} asked[RULE_ASKED]; /* asked anew when it is full, and after RULE_ASKED_FOR intervals */
	size_t asked_count;
	uint64_t asked_from; /* interval */
	uint64_t sleeper;    /* task whose sleep was seen last; 0: none */
	bool at_disk;        /* it slept there */
	struct rule_swap {
		uint64_t time_ns, bytes; /* when it was asked last; 0: never */
	} swap;
	double last_ghz, best_ghz; /* of busy CPUs in the interval before, and in two at least */
};

const struct rule *rule_table(size_t *count);

/*
 * What all rules look at, made once for an interval. The memory is that of the interval before, and
 * then of this one.
 */
struct rule_look *rule_look_create(const struct rule_input *input, struct rule_memory *memory);
/* What is below the rule's `off` is not found. */
void rule_find(struct rule_look *look, const struct rule *rule, uint64_t before,
	       struct finding *finding);

void rule_look_destroy(struct rule_look *look);

/* Some task was runnable, or in an uninterruptible sleep, for a tenth of the interval. */
bool rule_look_has_waits(const struct rule_look *look);

#endif
