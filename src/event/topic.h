#ifndef PERFTOP_EVENT_TOPIC_H
#define PERFTOP_EVENT_TOPIC_H

/*
 * What events are about, as their users think of them: cycles, caches, the scheduler... Every event
 * has one topic, by how its name begins, and the topics have an order.
 */

#include <stddef.h>

struct topic {
	const char *name;
	const char *help;   /* one line */
	const char *begins; /* how names begin, with blanks between and the best known first; "":
			     * any */
};

/*
 * Topics are of one array, in their order: their addresses may be compared. *place: which of the
 * topic's beginnings the name has, which orders the events of a topic.
 */
const struct topic *topic_of(const char *event_name, size_t *place);

/* Of what has the names or numbers of the processor's maker. */
const struct topic *topic_of_processor(void);

/* What a well-known tracepoint reports, of which the kernel has no description; "": not known. */
const char *topic_describe_tracepoint(const char *name);

#endif
