#ifndef PERFTOP_MODEL_STATES_H
#define PERFTOP_MODEL_STATES_H

/*
 * The states of a thread's life, while they are asked for: of each thread they add up to the time
 * that it was there (QUANTITY_LIFE_NS), in an interval or of a process, whose threads are summed.
 *
 *	running             split as the kernel accounts for it (RECORD_CPU_USE)
 *	pushed out, woken   exact, by the switches and wake-ups
 *	asleep              exact as a time; for what, is known if the thread was seen in that sleep
 *	                    (RECORD_SLEEP), or any thread of its process was in another one that
 *	                    began at the same site (RECORD_SITE)
 *
 * What remains is in a state that is not known, and in no other one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/record.h"

struct scheduling;
struct snapshot_lock_wait;
struct task;
struct task_ref;

/* Sleeps of a process that begin at one site, in one state. */
struct known_site {
	struct record_site site;
	uint64_t process; /* id of its first thread: another one may have its pid later */
	int32_t pid;
	uint8_t state; /* enum task_state */
};

struct states {
	bool is_on, was_off;      /* now; for some of this interval */
	uint64_t since_ns;        /* it is on since then */
	struct map kinds;         /* of sleeps, by their site; enum sleep_kind, no value is owned */
	struct known_site *sites; /* owned; those of which `kinds` says something */
	size_t site_count, site_capacity;
	size_t next;                      /* task that is asked about next */
	struct snapshot_lock_wait *waits; /* owned; those that go on, when an interval has ended */
	size_t wait_count, wait_capacity;
};

void states_fini(struct states *states);

/* Begins, or ends: what was kept is forgotten. */
void states_turn(struct scheduling *scheduling, bool is_on);

/* What records say. */
void states_site(struct scheduling *scheduling, const struct record *record);
void states_sleep(struct scheduling *scheduling, const struct record *record);
void states_cpu_use(struct scheduling *scheduling, const struct record *record);

/* What is known of a site, for a record that teaches it another model. */
struct record_sleep states_tell(const struct states *states, const struct known_site *site);

/* The task comes to a CPU: its absence is over. Returns the address of the futex on which it slept;
 * 0: it did not, or that is not known. */
uint64_t states_arrive(struct scheduling *scheduling, struct task *task, uint64_t time_ns);

/* Ends the interval of all tasks. */
void states_close(struct scheduling *scheduling, uint64_t time_ns);

/*
 * Tasks that sleep for a reason that is not known, in turn: writes up to `max` and returns how
 * many. They are to be looked at, and RECORD_SLEEP says what was seen, also if that is nothing.
 */
size_t states_unseen(struct scheduling *scheduling, struct task_ref *refs, size_t max);

#endif
