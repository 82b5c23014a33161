#ifndef PERFTOP_ACTIONS_H
#define PERFTOP_ACTIONS_H

/*
 * What can be done to tasks: signals, nice values, CPUs. Each takes a list of targets and does what
 * it can; *done says in a sentence what came of it. False: error says why the first one was
 * refused, and how many were not; what was done to the others stays done.
 *
 * A signal goes to a process. Nice values and CPUs are those of a thread: of a process all its
 * threads get them.
 */

/* The signals there are: one table. */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct strbuf;
struct targets;
struct topology;

/* Whether the signal may be sent to all of them at all; error names one that never gets it. */
bool actions_may_signal(const struct targets *targets, struct error *error);

bool actions_signal(const struct targets *targets, int number, struct strbuf *done,
		    struct error *error);

struct nice_change {
	bool is_relative;
	int value;
};

/* "+1", "-1": more or less than now; "5", "=-5": this value. */
bool actions_parse_nice(const char *text, struct nice_change *change, struct error *error);

bool actions_nice(const struct targets *targets, const struct nice_change *change,
		  struct strbuf *done, struct error *error);

/* The CPUs by list: "0-3,8", "all". */
bool actions_set_cpus(const struct targets *targets, const char *list,
		      const struct topology *online, struct strbuf *done, struct error *error);

/* The CPUs that the first of them may run on, as a list; nothing where they are not known. */
void actions_write_cpus(const struct targets *targets, struct strbuf *out);

struct signal_info {
	int number;
	const char *name; /* "SIGTERM" */
	const char *help; /* what it does by default */
};

enum {
	SIGNAL_NAME_MAX = 16
};

/* SIGTERM first, then by number. */
const struct signal_info *signals_table(size_t *count);

/* "TERM", "sigterm", "15", "34": one that the kernel may know; 0: none. */
int signals_parse(const char *text);

/* "SIGTERM"; "signal 34" of one that has no name here. */
void signals_name(int number, char name[static SIGNAL_NAME_MAX]);

#endif
