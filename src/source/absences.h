#ifndef PERFTOP_SOURCE_ABSENCES_H
#define PERFTOP_SOURCE_ABSENCES_H

/*
 * Why tasks are off the CPUs: the calls by which each left, and how long it was off. At a switch
 * the kernel reports where the task is, then that it leaves; at a later one that it is back.
 *
 * From a wake-up on, where these are reported, it waits for a CPU: a part of its own.
 *
 * An absence that is in several intervals has a part in each. One that began before it was watched
 * is not known, nor are those in which records were lost.
 *
 * Where not each switch has a place, one that has it stands for those of its task before it that
 * have none: as many, as long as it is itself, up to the time that these took. What remains of that
 * has no place when the interval ends, so that the sum is exact, whatever it is of.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/record.h"

enum {
	ABSENCES_MAX = 16384,     /* tasks; of more nothing is noted */
	ABSENCES_WAKES_MAX = 4096 /* of a task, between two rounds; later ones are not noted */
};

struct absence_place; /* where a task was when it left */

/* Zeros at first. */
struct absences {
	struct absence_place *places; /* owned */
	size_t count, capacity;
	struct map by_tid; /* to index + 1 */
	size_t next;       /* of those that have parts yet in the interval that ends */
	struct record rest;
	bool has_rest; /* of the absence that was over last */
};

/* Of all tasks. Memory is freed. */
void absences_forget(struct absences *absences);

/* A RECORD_SAMPLE of a task that is about to leave; its frames are copied. */
void absences_place(struct absences *absences, const struct record *record);

/*
 * What the outgoing or the incoming task says of a switch. True: an absence is over, and *sample is
 * a RECORD_SAMPLE of it, or of what had no part yet; good until the next call.
 */
bool absences_switch(struct absences *absences, const struct record *record, struct record *sample);

/* The second part of the absence that was over, if it has one: before anything else is asked. */
bool absences_take_rest(struct absences *absences, struct record *sample);

/* The thread is woken. Of those that happened before a switch this is said before that. */
void absences_wake(struct absences *absences, int32_t tid, uint64_t time_ns);

/* The thread ends: it leaves once more, for good. */
void absences_exit(struct absences *absences, int32_t tid);

/* An interval ends: the parts of absences that go on, until false. */
void absences_close(struct absences *absences);
bool absences_next_part(struct absences *absences, uint64_t time_ns, struct record *sample);

#endif
