#ifndef PERFTOP_BATCH_OPENMETRICS_PARTS_H
#define PERFTOP_BATCH_OPENMETRICS_PARTS_H

/* What openmetrics.c puts an exposition together from. */

#include <stddef.h>
#include <stdint.h>

struct batch_input;
struct exposition;
struct layout;
struct tally;

/* A sum, and under which labels it stands. */
struct tallied {
	const struct tally *tally;
	const char *labels; /* NULL: none */
	uint32_t unknown;   /* bits of enum quantity that have no sample */
};

struct tallied_list {
	const struct tallied *items;
	size_t count;
};

/* Counters of all quantities and events; prefix of their names: "task_". */
void openmetrics_tallies(struct exposition *exposition, const char *prefix,
			 const struct layout *layout, const struct tallied_list *list);

/*
 * Gauges of the metrics among the columns of the table that was built last. labels: of each row;
 * NULL: this row has no series.
 */
void openmetrics_gauges(struct exposition *exposition, const char *prefix,
			const struct batch_input *input, const char *const *labels);

void openmetrics_cpus(struct exposition *exposition, const struct batch_input *input);
void openmetrics_tasks(struct exposition *exposition, const struct batch_input *input);
void openmetrics_groups(struct exposition *exposition, const struct batch_input *input);
void openmetrics_switches(struct exposition *exposition, const struct batch_input *input);
void openmetrics_pairs(struct exposition *exposition, const struct batch_input *input);
void openmetrics_lengths(struct exposition *exposition, const struct batch_input *input);

#endif
