#ifndef PERFTOP_ACTING_H
#define PERFTOP_ACTING_H

/*
 * Signals, nice values and CPUs as the screen asks for them: the list of signals, the question
 * before one is sent, and to which tasks. Targets are settled when the list, the question or the
 * prompt comes up: rows may move and end beneath it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/cursor.h"

struct app;
struct error;
struct strbuf;

enum {
	TARGET_NAME_MAX = 160
};

/* A task as it was on the screen, whatever has its number by now. */
struct target {
	int32_t pid, tid;
	bool is_thread; /* meant is this thread, as far as threads can be meant; else the process */
	bool is_kernel_thread;
	int fd;               /* represents the process; -1: this kernel has no such descriptors */
	uint64_t start_ticks; /* of the process, and of the thread, after boot */
	uint64_t thread_start_ticks;
	char name[TARGET_NAME_MAX]; /* "nginx 4711 (www)"; harmless */
};

/* An empty one is {0}. */
struct targets {
	struct target *items; /* owned */
	size_t count, capacity;
	size_t ended; /* others that were meant, too, and had ended by then */
};

/* What a row says of a task. */
struct target_row {
	int32_t pid, tid;
	bool is_thread;
	uint64_t shown_ns; /* record time at which it was there */
	int64_t slept_ns;  /* how long the machine had slept by then */
};

/* Appends the task that had these numbers then. False: it has ended, or may be another task. */
bool targets_add(struct targets *targets, const struct target_row *row, bool ascii,
		 struct error *error);

/* None are left. */
void targets_clear(struct targets *targets);

/* Whether it is still there; false: error says that it is not. */
bool target_is_there(const struct target *target, struct error *error);

/* Whether the error says that the task of the screen has ended, whatever has its number now. */
bool target_has_ended(const struct error *error);

/* "nginx 4711 (www)", "nginx 4711 (www) and 3 more (2 had ended)". */
void targets_write(const struct targets *targets, struct strbuf *out);

/*
 * How long the machine had slept at which time. Records have a clock that stops then, the
 * beginnings of tasks one that goes on: to compare the two is right only with what lay between them
 * at the time of the record.
 */
struct sleep_note {
	uint64_t since_ns; /* record time */
	int64_t slept_ns;  /* since boot */
};

struct suspends {
	struct sleep_note *notes; /* owned; one for each sleep, in the order of time */
	size_t count, capacity;
};

enum acting_step {
	ACTING_CHOOSES,
	ACTING_ASKS,
	ACTING_ASKS_AGAIN /* perftop would send it to itself */
};

struct acting {
	enum acting_step step;
	struct targets targets;
	int number;           /* of the signal that is asked about */
	struct cursor cursor; /* in the list of signals */
	size_t page;          /* signals that are visible */
	char typed[24];       /* since the cursor was moved otherwise */
	char question[320];
	char short_question[64]; /* where that one has no room */
	struct suspends suspends;
};

/* At the end of each interval: whether the machine has slept since. */
void acting_note_sleep(struct app *app, uint64_t now_ns);

/*
 * For the prompts of nice values and CPUs: settles the targets, and writes what they have now.
 * Whether it is such a prompt: acting_has_prompt().
 */
bool acting_propose(struct app *app, const char *prompt, struct strbuf *text, struct error *error);
bool acting_has_prompt(const char *prompt);

/* Such a prompt was left: there are no targets any more. */
void acting_leave_prompt(struct app *app);

#endif
