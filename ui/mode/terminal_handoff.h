#ifndef PERFTOP_TERMINAL_HANDOFF_H
#define PERFTOP_TERMINAL_HANDOFF_H

/*
 * Where perftop ends: the perf record command for one task with the events that are counted, or
 * perf annotate for a function, to which the terminal is lent while perftop counts on without a
 * picture; and a recording of our own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

struct app;
struct error;
struct event_set;
struct layout;
struct strbuf;

struct handover_input {
	const struct event_set *events; /* the events, in the kernel's terms */
	const struct layout *layout;    /* whether they are counted */
	int32_t pid, tid;               /* tid == pid: the process */
	bool is_off_cpu;                /* it is about switches: for off-CPU profilers */
	bool may_trace;                 /* tracepoints may be read */
};

/*
 * The command, quoted for a shell. left_out: a sentence for each event that is not in it, with
 * semicolons between.
 */
void handover_write(const struct handover_input *input, struct strbuf *command,
		    struct strbuf *left_out);

/* The command for the code of a function: of a recording, or of samples that are taken first. */
struct handover_function {
	const char *name;
	const char *recording; /* NULL: live */
	int32_t pid, tid;      /* only of this process or thread; 0: of all */
};

void handover_write_function(const struct handover_function *input, struct strbuf *command);

/* The command for the task that is meant, and in the lines over the prompt what is to be said of
 * it. False: there is no such task, or it is not one of now. */
bool terminal_handoff_propose(struct app *app, struct strbuf *command, struct error *error);

/* Runs a command; what is counted is kept meanwhile, without a picture. */
bool terminal_handoff_start(struct app *app, const char *command, struct error *error);

/* Whether the terminal is another process's now. */
bool terminal_handoff_is_on(const struct app *app);

/* After SIGCHLD: takes the terminal back if the command has ended. */
void terminal_handoff_collect(struct app *app);

/*
 * A command that has the terminal for a while: in a process group of its own, in the foreground, so
 * that ^C goes to it alone. When it has ended, Enter is waited for, as what it wrote is to be read.
 * It cannot be stopped (^Z), since nothing could continue it.
 */
struct job {
	pid_t pid; /* its process group; 0: none runs */
};

/* Runs it with a shell. The terminal must have been given back to its usual modes. */
bool job_start(struct job *job, const char *command, struct error *error);

/* After SIGCHLD: whether it has ended. The terminal is ours again then, and job->pid is 0. */
bool job_collect(struct job *job);

/* Ends it: asks, and waits for it. */
void job_end(struct job *job);

/* A recording that is begun and ended on the screen. */

#define RECORD_COMMAND_FILE "perftop.data" /* proposed */

bool record_command_is_on(const struct app *app);

/* "recording perftop.data 12.3 MB  ", for the tab line; nothing while nothing is recorded. */
void record_command_write(const struct app *app, struct strbuf *out);

#endif
