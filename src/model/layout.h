#ifndef PERFTOP_MODEL_LAYOUT_H
#define PERFTOP_MODEL_LAYOUT_H

/*
 * What is counted in this run, and where each number is.
 *
 * Everything perftop adds up for a task, a CPU or the machine is in one
 * vector of uint64_t ("counts"), so that threads, processes, intervals and
 * totals are sums of vectors and nothing else. The layout says which index has which number.
 *
 * An event is what the user asked for. What counts it is a counter: a member of one
 * group. An event may have several, because it is in several groups that take turns, or
 * because CPUs of different kinds have groups of their own; its count is the sum of theirs.
 *
 * Events come and go while perftop runs, so a layout only grows: indexes [0, QUANTITY_BUILTIN)
 * are those of what needs no event; each counter and each group gets the next free index when it
 * is first needed and keeps it. What is taken out stops counting and keeps its sums.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quantity {
	QUANTITY_RUN_NS,      /* time on a CPU */
	QUANTITY_SWITCHES,    /* times it left a CPU */
	QUANTITY_PREEMPTIONS, /* of these: while it could have run on */
	QUANTITY_MIGRATIONS,  /* times it went on running on another CPU than before */
	/*
	 * Waits, split where an interval ends. They are entered for the CPU that the task came to,
	 * or on which it ran last.
	 */
	QUANTITY_PREEMPTED_NS, /* pushed out of a CPU, and runnable */
	QUANTITY_OFF_NS, /* off the CPUs voluntarily: asleep, waiting, or woken and not yet running;
			    of tasks that ran in the interval */
	QUANTITY_QUEUED_NS, /* runnable and waiting for a CPU: preempted, or woken */
	QUANTITY_WAKEUP_NS, /* of that: between a wake-up and the CPU; entered when it came */
	QUANTITY_WAKEUPS,   /* wake-ups that such a wait is known of */
	QUANTITY_UNINTERRUPTIBLE_NS, /* in uninterruptible sleep, up to the wake-up where that is
					reported; also of tasks that did not run in the interval */
	/*
	 * Threads of one core (SMT), where CPUs are counted: how long it ran while no other thread
	 * of the core was busy, and while one was; and what was counted in slices that were nearly
	 * all the one, or the other (attribution.h).
	 */
	QUANTITY_SMT_ALONE_NS,
	QUANTITY_SMT_BESIDE_NS,
	QUANTITY_SMT_ALONE_CYCLES,
	QUANTITY_SMT_ALONE_INSTRUCTIONS,
	QUANTITY_SMT_BESIDE_CYCLES,
	QUANTITY_SMT_BESIDE_INSTRUCTIONS,
	/*
	 * In which state a thread was, while that is asked for (states.h): the others add up to the
	 * first. They are of tasks only.
	 */
	QUANTITY_LIFE_NS, /* it was there */
	QUANTITY_USER_NS,
	QUANTITY_SYSTEM_NS,
	QUANTITY_IRQ_NS,
	QUANTITY_RUNQ_NS,   /* woken, and not yet running */
	QUANTITY_PUSHED_NS, /* pushed out, and not yet running again */
	QUANTITY_LOCK_NS,
	QUANTITY_DISK_NS,
	QUANTITY_NET_NS,
	QUANTITY_SLEEP_NS,
	QUANTITY_STOP_NS,
	QUANTITY_UNSURE_NS, /* in one that is not known */
	/*
	 * The time that it ran, each moment divided by how many threads of its process did, while
	 * that is asked for (parallel.h).
	 */
	QUANTITY_LATENCY_NS,
	QUANTITY_BUILTIN /* how many; not a quantity */
};

/* Bit per quantity that only tasks have: waits and wake-ups. */
enum {
	LAYOUT_WAITS = 1 << QUANTITY_PREEMPTED_NS | 1 << QUANTITY_OFF_NS | 1 << QUANTITY_QUEUED_NS |
		       1 << QUANTITY_WAKEUP_NS | 1 << QUANTITY_WAKEUPS |
		       1 << QUANTITY_UNINTERRUPTIBLE_NS,
	/* and those that are known only where it is known which CPUs share a core */
	LAYOUT_SMT = 1 << QUANTITY_SMT_ALONE_NS | 1 << QUANTITY_SMT_BESIDE_NS |
		     1 << QUANTITY_SMT_ALONE_CYCLES | 1 << QUANTITY_SMT_ALONE_INSTRUCTIONS |
		     1 << QUANTITY_SMT_BESIDE_CYCLES | 1 << QUANTITY_SMT_BESIDE_INSTRUCTIONS,
	/* and those that are known only while they are asked for */
	LAYOUT_STATES = (1 << QUANTITY_LATENCY_NS) - (1 << QUANTITY_LIFE_NS)
};

enum event_state {
	EVENT_COUNTING,
	EVENT_MULTIPLEXED, /* shares the counters: metrics are scaled by coverage */
	EVENT_UNSUPPORTED, /* this machine does not count it */
	EVENT_DENIED       /* it would, but not for this user */
};

enum {
	EVENT_NAME_MAX = 256,
	EVENT_REASON_MAX = 256,
	EVENT_UNIT_MAX = 24,
	LAYOUT_GROUP_MEMBERS_MAX = 32,
	LAYOUT_GROUPS_MAX = 64, /* of what is counted here: bits of a word; recordings may have more
				 */
	LAYOUT_KINDS_MAX = 4,
	LAYOUT_KIND_NAME_MAX = 32
};

struct event {
	char name[EVENT_NAME_MAX]; /* as the user typed it: "cache-misses" */
	enum event_state state;
	bool is_contended;             /* others take its counters */
	bool is_estimate;              /* out of a sampling profile: marked wherever it is shown */
	bool is_removed;               /* no longer wanted: not to be shown */
	char reason[EVENT_REASON_MAX]; /* why it is not counted or is multiplexed; "" otherwise */
	double scale;                  /* count x scale = value in `unit` */
	char unit[EVENT_UNIT_MAX];     /* "Joules"; "" plain counts */
	bool is_clock;                 /* counts at one rate, also while the CPU is idle */
};

/* One event as a member of one group. */
struct counter {
	uint16_t event;
	uint16_t group;
	bool is_live;       /* the group has it now */
	size_t value_index; /* of its count */
};

/* Counters that the kernel counts and reads together. */
struct event_group {
	uint16_t counters[LAYOUT_GROUP_MEMBERS_MAX]; /* indices into layout.counters, in the order
							of the values of a reading */
	uint32_t value_indexes[LAYOUT_GROUP_MEMBERS_MAX]; /* of their counts */
	uint16_t count;
	uint16_t kind;       /* index into layout.kinds: the CPUs on which it counts */
	uint16_t rotation;   /* groups of one kind with the same number take turns; 0: always on */
	bool is_open;        /* false: the slot is free */
	bool needs_counters; /* always on as long as no other program takes those of the PMU */
	bool is_reported;    /* never read: its counts are reported one by one (RECORD_ESTIMATE),
			    so there is no counting time, and `slices_index` says how many
			    were reported */
	uint32_t generation; /* another one: its readings cannot be compared with those before */
	size_t value_index;  /* of the time it was counting, in ns */
	size_t slices_index; /* of the number of slices in which it counted all the time */
};

/* CPUs that have the same PMU. Most machines have one kind. */
struct cpu_kind {
	char name[LAYOUT_KIND_NAME_MAX]; /* of the PMU: "cpu", "cpu_core"; "" none */
	uint16_t clock; /* group that is always on: its clock is the run time on these CPUs, its
			   leader reports the switches */
};

struct layout {
	struct event *events; /* owned */
	size_t event_count;
	struct counter *counters; /* owned */
	size_t counter_count;
	struct event_group *groups; /* owned */
	size_t group_count;         /* slots, open or not */
	struct cpu_kind kinds[LAYOUT_KINDS_MAX];
	size_t kind_count;  /* at least 1 */
	uint32_t estimated; /* bit per enum quantity that is out of a sampling profile */
	size_t width;       /* numbers in a counts vector */
};

/* A layout of one kind without a name. Its clock is group 0: open, and without members yet. */
void layout_init(struct layout *layout);
void layout_fini(struct layout *layout);

/* A deep copy; *copy must not own anything. */
void layout_copy(struct layout *copy, const struct layout *layout);

/* Appends an event; it counts nothing before it has a counter. Returns its index. */
size_t layout_add_event(struct layout *layout, const char *name);

/* Whether there is room for one more group of this kind and turn, and then for any other one. */
bool layout_has_room(const struct layout *layout, size_t kind, size_t rotation);

/* Opens a group, in a free slot of this kind and turn where there is one. Returns its index. */
size_t layout_add_group(struct layout *layout, size_t kind, size_t rotation);

/* Appends the event to an open group that is not full. Returns the counter's index. */
size_t layout_add_counter(struct layout *layout, size_t group, size_t event);

/* Takes back the counter that was added to the group last. */
void layout_drop_last_counter(struct layout *layout, size_t group);

/* Empties a group and frees its slot. What it counted stays where it is. */
void layout_close_group(struct layout *layout, size_t group);

/* Numbers in a counts vector of this layout. */
size_t layout_width(const struct layout *layout);

/* What an event has counted in all, not scaled. */
uint64_t layout_event_count(const struct layout *layout, size_t event, const uint64_t *counts);

/* Whether the group is the clock of its kind of CPU: it reports run time and switches too. */
static inline bool layout_is_clock(const struct layout *layout, size_t group)
{
	return layout->groups[group].is_open &&
	       layout->kinds[layout->groups[group].kind].clock == group;
}

/* Counter of an event in a group; NULL: it has none there, or none any more. */
const struct counter *layout_counter_in(const struct layout *layout, size_t event, size_t group);

/*
 * Place of the counting time of a group, and of the run time on a kind of CPU (where there is one
 * kind only: of the run time).
 */
size_t layout_group_index(const struct layout *layout, size_t group);
size_t layout_kind_index(const struct layout *layout, size_t kind);

bool event_is_counted(const struct event *event);

/* Name of an event state as the JSON writes it: counting, multiplexed, unsupported, denied. */
const char *event_state_name(enum event_state state);

/* The quantity called `name` (run_ns, switches, preemptions, migrations); -1: none. */
int layout_find_quantity(const char *name);

/* The event that the quantity is a part of; NULL: none. */
const char *layout_quantity_event(size_t quantity);

/* Index of the event called `name`, removed or not; -1: none. */
int layout_find_event(const struct layout *layout, const char *name);

#endif
