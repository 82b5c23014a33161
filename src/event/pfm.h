#ifndef PERFTOP_EVENT_PFM_H
#define PERFTOP_EVENT_PFM_H

/*
 * Events as the CPU's manual calls them: libpfm4 has the tables, and a syntax of its own,
 *
 *	[ PMU "::" ] EVENT { ":" ( UMASK | MODIFIER [ "=" VALUE ] ) }
 *
 * skl::INST_RETIRED:ANY:u:c=1. libpfm4 keeps its state to itself and is initialized when it is
 * first needed; it looks at the machine it runs on, and no other can be put in its place.
 */

#include <stdbool.h>

struct error;
struct event_spec;
struct strbuf;

/*
 * Errors, *spec left as it was: EVENT_UNKNOWN where this machine has none of this name, else
 * EVENT_UMASK with libpfm4's own words.
 */
bool pfm_find(const char *name, struct event_spec *spec, struct error *error);

/* One that can be typed; the texts are valid during the call. */
struct pfm_event {
	const char *pmu;  /* as libpfm4 calls it */
	const char *name; /* PMU::EVENT or PMU::EVENT:UMASK */
	const char *description;
	const char *umask_description; /* "" without an umask */
	bool is_shared;                /* of a PMU that many CPUs share */
};

/*
 * Visits the events of this machine's PMUs, an event with umasks once for each umask that suffices
 * alone. Aliases of the kernel's generic events are left out, and so are the umasks of shared PMUs.
 */
typedef void pfm_visit(void *context, const struct pfm_event *event);
void pfm_walk(pfm_visit *visit, void *context);

/* Appends a line for each umask and modifier of an event visited; nothing for another name. */
void pfm_append_details(const char *name, struct strbuf *out);

#endif
