#ifndef PERFTOP_KERNEL_COUNTER_USERS_H
#define PERFTOP_KERNEL_COUNTER_USERS_H

/*
 * What else has perf events open and may take counters away: the NMI watchdog, and other processes
 * with such descriptors, as far as this user may look. /proc does not show the kind of event.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * Writes them as words: "the NMI watchdog, perf (pid 4711)"; "" when none was found. self is left
 * out. Looks at a bounded number of descriptors. root: "" in production.
 */
void counter_users_find(const char *root, int32_t self, char *text, size_t size);

#endif
