#ifndef PERFTOP_SESSION_HANDOVER_H
#define PERFTOP_SESSION_HANDOVER_H

/*
 * The perf record command with which a profiler goes on where perftop ends: for one task, with the
 * events that are counted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout;
struct strbuf;
struct event_set;

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

/*
 * What perf's last words say: the line about what it wrote, otherwise the first that gives a
 * reason; "" when it said nothing. `words` is what it wrote to its standard error.
 */
void handover_outcome(const char *words, struct strbuf *out);

/* Whether the command's first word is a program that can be run: a path, or in PATH. */
bool handover_has_program(const char *command, char *name, size_t size);

#endif
