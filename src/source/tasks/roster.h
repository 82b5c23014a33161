#ifndef PERFTOP_SOURCE_TASKS_ROSTER_H
#define PERFTOP_SOURCE_TASKS_ROSTER_H

/*
 * The threads that are watched, each with counters of its own: how they are found, when
 * they are let go, and how all of them follow a change of the plan.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "source/plan/plan.h"
#include "source/tasks/tasks.h"
#include "source/tasks/watched.h"

struct session;

/*
 * Which of the tasks asked for are not watched, and why: counted again in every walk through /proc,
 * and reported in the session. The errors' texts begin with ": ": the task meant is named before
 * it.
 */
enum {
	SHORTFALL_TEXT_MAX = 200
};

struct shortfall {
	size_t refused;       /* this user may not count them, or they cannot be counted */
	struct error refusal; /* of the first of them */
	size_t unopened;      /* there are no descriptors for them */
	struct error shortage;
	uint64_t missed;               /* ended before their counters were open, since the start */
	char said[SHORTFALL_TEXT_MAX]; /* as it is in the session */
};

struct roster {
	const struct host *host;
	const struct attr_features *features;
	struct session *session; /* it says which tasks are missing */
	enum tasks_mode mode;
	int64_t uid;
	int32_t *pids; /* owned; processes asked for */
	size_t pid_count, pid_capacity;
	struct plan plan; /* owned; what the counters of all threads are opened by */
	struct plan next; /* owned; prepared for all of them, where has_next */
	bool has_next;
	struct group_target target;
	struct watched **watched; /* owned */
	size_t watched_count, watched_capacity;
	struct map by_tid; /* tid -> struct watched */
	size_t ring_count;
	size_t ring_bytes; /* memory that they take */
	uint64_t tick_ns;  /* of the last tick: what is younger was born since */
	int64_t last_pid;  /* as of the last walk through /proc */
	int epoll_fd;
	int shortage; /* EMFILE, ENFILE: nothing is opened until a thread ends; 0: none */
	struct shortfall shortfall; /* as of the last walk */
};

/* Its plan and target are made afterwards. host and features of the request are borrowed. */
void roster_init(struct roster *roster, const struct tasks_request *request, int epoll_fd,
		 struct session *session);
void roster_fini(struct roster *roster);

/* The watched thread with this id; NULL: none. */
struct watched *roster_find(const struct roster *roster, int32_t tid);

/* Begins to watch one thread. 0, or a positive errno: it has gone (ESRCH), or the kernel refuses.
 */
int roster_add(struct roster *roster, int32_t pid, int32_t tid, bool is_newborn);

/* A first thread has exited before others of its process: its end is that of the process, or comes
 * when one of these has its id. */
void roster_keep_survived(struct roster *roster, struct watched *watched);

/* A watched thread goes on under another id, on the same counters; it is introduced again. */
void roster_rename(struct roster *roster, struct watched *watched, int32_t tid);

/* Watches one more process, named by any of its threads, from its first thread to its last. */
bool roster_attach(struct roster *roster, int32_t tid, bool enable_on_exec, struct error *error);

/*
 * Looks for threads that are not watched yet, when there can be any that may be. is_newborn: what
 * is found now was born after the start.
 */
void roster_discover(struct roster *roster, bool is_newborn);

/* Marks ended threads of which no ring would report the end. */
void roster_mark_ended(struct roster *roster);

/* Releases those that have ended and of which everything was delivered. */
void roster_remove_ended(struct roster *roster);

/* A thread that could not be watched in time. */
void roster_note_missed(struct roster *roster);

/*
 * Opens the groups of another plan for every thread, and for those that come until
 * roster_commit(): from then on all follow it. False: nothing has changed. The plan is taken over,
 * or dropped.
 */
bool roster_prepare(struct roster *roster, struct plan *plan, struct error *error);
void roster_commit(struct roster *roster);

#endif
