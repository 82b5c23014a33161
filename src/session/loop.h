#ifndef PERFTOP_SESSION_LOOP_H
#define PERFTOP_SESSION_LOOP_H

/*
 * The event loop: epoll over whatever has a descriptor. Signals are descriptors too
 * (signalfd), so nothing of perftop ever runs inside a signal handler; time is one
 * (timerfd).
 *
 * A handler may remove any descriptor, its own included: it is only marked, skipped for the rest of
 * the round, and freed after it.
 */

#include <stdbool.h>
#include <stdint.h>

struct error;
struct loop; /* opaque */

typedef void loop_handler(void *context);
typedef void loop_signal_handler(void *context, int signal_number);

struct loop *loop_create(struct error *error);

/*
 * NULL is allowed. Signals are as they were before loop_take_signals(), but for the one of those to
 * end that was handed out last: it is ignored. Those that came meanwhile and were not handed out
 * are forgotten.
 */
void loop_destroy(struct loop *loop);

/* Calls handler whenever fd is readable, has hung up or failed. A file that epoll cannot watch is
 * refused. */
bool loop_add(struct loop *loop, int fd, loop_handler *handler, void *context, struct error *error);
void loop_remove(struct loop *loop, int fd);

/* Calls handler every `period_ns` from now on; a second call changes the period. */
bool loop_set_timer(struct loop *loop, uint64_t period_ns, loop_handler *handler, void *context,
		    struct error *error);

/*
 * Takes SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT and SIGCHLD from the process
 * and gives them to handler; SIGPIPE and SIGXFSZ are ignored, the write fails instead. A child that
 * is to find the signals as the process was given them is forked before.
 */
bool loop_take_signals(struct loop *loop, loop_signal_handler *handler, void *context,
		       struct error *error);

/* The signal of those to end that was handed out last; 0: none. NULL is allowed: none. */
int loop_ended_by(const struct loop *loop);

/* What is to go on while something else is waited for. */
struct loop_meanwhile {
	int fd; /* handler is called whenever it is readable */
	loop_handler *handler;
	void *context;
};

/*
 * Waits until fd can be written to or has failed, and hands out the signals that come meanwhile;
 * besides them only `meanwhile` is handled, which may be NULL. False: the loop is to end.
 */
bool loop_wait_writable(struct loop *loop, int fd, const struct loop_meanwhile *meanwhile);

/* Hands out the signals that have come, for busy callers. False: the loop is to end. */
bool loop_hear(struct loop *loop);

/* Runs until loop_quit(). False: the time or signals cannot be read any more. */
bool loop_run(struct loop *loop, struct error *error);
void loop_quit(struct loop *loop);

/* When it began to wait for what is handled now. 0: it does not run. */
uint64_t loop_waiting_ns(const struct loop *loop);
bool loop_is_over(const struct loop *loop);

#endif
