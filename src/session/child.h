#ifndef PERFTOP_SESSION_CHILD_H
#define PERFTOP_SESSION_CHILD_H

/*
 * The command behind "--": a child that waits until its counters are open, then becomes the
 * command, so that it is counted from its first instruction.
 */

#include <stdbool.h>
#include <stdio.h>

#include <sys/types.h>

struct error;

struct child {
	pid_t pid;     /* 0: none */
	int start_fd;  /* a byte: go; closed: go away */
	int result_fd; /* says the errno of a failed exec, or nothing */
	bool has_ended;
	int exit_status;         /* as a shell would say it: 128 + signal when killed */
	double user_s, system_s; /* CPU time; that of children it waited for included */
	char output[64];         /* file its output goes to; "" its own */
};

/*
 * Forks the child that waits; it finds signals as they are now. to_file: its standard input is
 * empty and its output goes to a new file in TMPDIR, named child->output.
 */
bool child_prepare(struct child *child, char *const *command, bool to_file, struct error *error);

/* It was forked, and its end is not known. */
bool child_runs(const struct child *child);

/* Lets it become the command. False: it cannot be started; error says why, by `name`. */
bool child_start(struct child *child, const char *name, struct error *error);

/* After SIGCHLD: collects the exit status if it has ended. True when it has. */
bool child_collect(struct child *child);

/*
 * What it has written into its file, or the end of it where it is more than 64 KiB: then the file
 * stays, otherwise it is removed. Nothing where it has none.
 */
void child_print_output(struct child *child, FILE *stream);

void child_signal(const struct child *child, int signal_number);

/* Waits for the end, and releases everything; a child that was never started is made to exit. */
void child_finish(struct child *child);

#endif
