#ifndef PERFTOP_EVENT_EVENT_H
#define PERFTOP_EVENT_EVENT_H

/*
 * What is to be counted (struct event_spec of kernel/spec.h), and how it is found by the text that
 * a user types:
 *
 *	list      = item { "," item }
 *	item      = event | "{" event { "," event } "}" [ ":" modifiers ]
 *	event     = generic name, cache name             cycles  L1-dcache-load-misses
 *	          | preset of this processor (presets.def) cache-llc-misses  mem-fills
 *	          | libpfm4 name with its umasks         skl::INST_RETIRED:ANY
 *	          | PMU "/" terms "/"                    cpu/event=0x3c,umask=0/  msr/tsc/
 *	          | "r" hexadecimal                      r01c2
 *	          | GROUP ":" NAME [ "/" filter "/" ]    sched:sched_switch/prev_prio<100/
 *	          | "mem:" ADDRESS [ "/" LENGTH ] [ ":" ACCESS ]
 *	          | ( "uprobe" | "uretprobe" ) ":" FILE ":" SYMBOL [ "+" OFFSET ]
 *	          | ( "kprobe" | "kretprobe" ) ":" SYMBOL [ "+" OFFSET ]
 *	modifiers = any of u k h H G I p pp ppp P        behind ":", or behind the last "/"
 *
 * Modifiers mean what they mean to perf. A generic or cache name and rNNN may have slashes too
 * (cycles/name=c/u), with terms that any event may have. Between slashes, quotes protect a slash.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/spec.h"

struct error;
struct processor;
struct strbuf;
struct syntax_event;

enum {
	EVENT_PMUS_MAX = 4
};

/* One event as the user typed it: on CPUs of several kinds a generic name has one spec for each. */
struct evsel {
	char name[EVENT_SPEC_NAME_MAX]; /* that of its specs */
	struct event_spec specs[EVENT_PMUS_MAX];
	size_t spec_count; /* at least 1; each with its pmu set when there are several */
	bool only_in_braces;
	bool only_of_set; /* requested by a set of columns only: removed with it */
};

/*
 * Events that belong together, by name: because they were typed in braces, or because a formula
 * divides them by each other.
 */
struct weak_group {
	char (*names)[EVENT_SPEC_NAME_MAX]; /* owned */
	size_t count;
	bool must; /* braces: in one group or not at all; others where the counters suffice */
};

/* The requested events, in the order in which they were added. */
struct event_set {
	struct evsel *evsels; /* owned */
	size_t count, capacity;
	struct weak_group *weak_groups; /* owned; the most important ones first */
	size_t weak_group_count, weak_group_capacity;
	bool scheduler; /* also wake-ups and yields, as far as available */
	bool sites;     /* also where tasks leave the CPU, and interrupts, likewise */
};

void event_set_fini(struct event_set *set);

/* A deep copy; *copy must not own anything. */
void event_set_copy(struct event_set *copy, const struct event_set *set);

bool event_set_has(const struct event_set *set, const char *name);

/* Marks an event of the set as requested by something other than a set of columns, too. */
void event_set_keep(struct event_set *set, const char *name);

/* False: it was not in the set. */
bool event_set_remove(struct event_set *set, const char *name);

/*
 * A weak group: begin, add members, end, which drops it unless it has at least two events, all of
 * them in the set.
 */
void event_set_begin_weak_group(struct event_set *set, bool must);
void event_set_add_member(struct event_set *set, const char *name);
void event_set_end_weak_group(struct event_set *set);

/* Drops the weak groups of formulas; those of braces stay. */
void event_set_drop_formulas(struct event_set *set);

/*
 * Finds events on one machine. It reads sysfs and tracefs when they are first needed and keeps
 * what it has read.
 */
struct event_finder; /* opaque */

/* root: "" in production; a prefix before /sys and /proc under which a test shows another machine.
 */
struct event_finder *event_finder_create(const char *root);
void event_finder_destroy(struct event_finder *finder);

/*
 * Appends the events of a list to *set; those in braces are a weak group too. False: nothing was
 * appended; *position is the byte offset of the fault in the text (NULL: not wanted) and error says
 * what is wrong with it: an unknown name, an unknown umask, an absent PMU, one that is shared
 * (EVENT_CLASS_SHARED is refused, so that no event of a set has it)...
 */
bool event_find(struct event_finder *finder, const char *text, struct event_set *set,
		size_t *position, struct error *error);

/*
 * Adds the events of a list that are not in the set yet, and calls named() for each of the list.
 * False: nothing was added, as event_find() says.
 */
bool event_set_add(struct event_set *set, struct event_finder *finder, const char *list,
		   void (*named)(const char *name, void *context), void *context, size_t *position,
		   struct error *error);

/*
 * The same for one event of a list that was taken apart: fills *evsel. *at: the fault, in the
 * list's text.
 */
bool event_find_one(struct event_finder *finder, const struct syntax_event *event,
		    struct evsel *evsel, size_t *position, struct error *error);

/*
 * Appends the event by which this machine samples accesses to memory, with what must lead its group
 * before it, where there is such a leader. False: error says why there is none.
 */
bool event_find_accesses(struct event_finder *finder, struct event_set *set, struct error *error);

/* Of this machine (processor.h). */
const struct processor *event_processor(struct event_finder *finder);

/* A core PMU: its kind of CPU. On most machines there is one, called "cpu"; without a PMU none. */
struct event_core_pmu {
	char name[EVENT_SPEC_PMU_MAX];
	uint32_t type;
	const char
		*cpus; /* list of its CPUs as sysfs writes it; "" all. Borrowed from the finder */
};

/* Writes up to `max` core PMUs in the order of sysfs' names; returns how many there are. */
size_t event_core_pmus(struct event_finder *finder, struct event_core_pmu *pmus, size_t max);

/*
 * Appends an event as perf record takes it behind -e. False: perf record cannot sample it by words
 * alone, nothing was appended and *reason says why not.
 */
bool event_perf_words(const struct event_spec *spec, struct strbuf *out, const char **reason);

#endif
