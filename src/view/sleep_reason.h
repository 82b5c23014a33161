#ifndef PERFTOP_VIEW_SLEEP_REASON_H
#define PERFTOP_VIEW_SLEEP_REASON_H

/* Why a task is off the CPU, in words, from the kernel functions in which it left. */

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"

struct function_names;
struct profile;
struct profile_entry;

enum {
	SLEEP_REASON_MAX = 32
};

/*
 * "futex", "disk", "page fault"; where no function says more, the system call or the innermost
 * function; "preempted"; "unknown" without rights for the names. time_ns: the end of the interval.
 */
void sleep_reason_write(char words[static SLEEP_REASON_MAX], const struct profile *profile,
			const struct profile_entry *entry, const struct function_names *names,
			uint64_t time_ns);

/* The word for this function of the kernel: "sleep" of hrtimer_nanosleep, "read" of
 * __x64_sys_read; NULL: there is none. */
const char *sleep_reason_word(const char *function);

/*
 * The kind of sleep in this function of the kernel; SLEEP_UNKNOWN: it does not say. *is_of_call: so
 * is every one in the system call that leads there, whatever its arguments.
 */
enum sleep_kind sleep_reason_kind(const char *function, bool *is_of_call);

/*
 * The node where the task called the scheduler, in which all chains off the CPU and of wakers end.
 */
uint32_t sleep_reason_node(const struct profile *profile, const struct profile_entry *entry,
			   const struct function_names *names, uint64_t time_ns);

/*
 * Whether an interrupt enters the kernel at the node. The callers above it are a task that happened
 * to run there: they are not the cause of the wake-up.
 */
bool sleep_reason_is_interrupt(const struct profile *profile, uint32_t node,
			       const struct function_names *names, uint64_t time_ns);

#endif
