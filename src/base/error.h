#ifndef PERFTOP_BASE_ERROR_H
#define PERFTOP_BASE_ERROR_H

/*
 * Errors are values: a function that can fail takes a struct error * as its
 * last parameter and returns false (or NULL) after error_set(). The sentences
 * are in error.def and nowhere else. The code that shows an error decides where it
 * goes: the message line of the screen, or standard error and the end.
 */

#include <stdbool.h>
#include <stddef.h>

/* How others than root get the right to count: a part of remedies. Never for all users. */
#define ERROR_PERFMON_GROUP                                                                        \
	"give CAP_PERFMON to a group: chgrp perfmon perftop && chmod 0750 perftop && setcap "      \
	"cap_perfmon,cap_sys_ptrace=ep perftop"

/* How others than root read tracepoints: a part of remedies. */
#define ERROR_TRACEFS_GROUP                                                                        \
	"let a group in: mount -o remount,gid=GROUP,mode=750 /sys/kernel/tracing; where nothing "  \
	"is mounted: mount -t tracefs tracefs /sys/kernel/tracing"

enum error_code {
#define ERROR(name, status, text, remedy) ERROR_##name,
#include "base/error.def"
#undef ERROR
	ERROR_COUNT
};

struct error {
	enum error_code code; /* ERROR_NONE: nothing happened */
	char text[512];       /* one sentence, no line end, no control characters */
	char remedy[512];     /* what would change it; empty: nothing known */
};

/*
 * Fills *error with the table's sentences; a and b replace %1 and %2 and may be
 * NULL where the sentence has no place for them. Control characters in a and b
 * are shown as \xNN, what does not fit is cut; where there is a %2, %1 has half of
 * the room at most. a and b may point into *error. Always returns false, so that
 * "return error_set(...)" is one line. error may be NULL.
 */
bool error_set(struct error *error, enum error_code code, const char *a, const char *b);

/* The same for a failed system call: ERROR_SYSTEM-like codes; %2 is strerror(errno_value). */
bool error_set_errno(struct error *error, enum error_code code, const char *a, int errno_value);

/*
 * Adds to the sentence where in the text that was typed the fault is, by characters from 1; code,
 * exit status and remedy stay. `offset` is in bytes. Always returns false.
 */
bool error_mark(struct error *error, const char *text, size_t offset);

/* Exit status that belongs to the error: 0, 1 or 2. */
int error_exit_status(const struct error *error);

#endif
