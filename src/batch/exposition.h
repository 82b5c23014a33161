#ifndef PERFTOP_BATCH_EXPOSITION_H
#define PERFTOP_BATCH_EXPOSITION_H

/*
 * The text that Prometheus reads: families of samples, each with its HELP and TYPE line before it.
 * A family without samples leaves no line.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout;
struct strbuf;
struct tally;
struct view_table;

enum exposition_type {
	EXPOSITION_GAUGE,
	EXPOSITION_COUNTER,
	EXPOSITION_HISTOGRAM
};

enum {
	EXPOSITION_NAME_MAX = 128
};

struct exposition {
	struct strbuf *out;
	char name[sizeof("perftop_") + EXPOSITION_NAME_MAX + sizeof("_total")]; /* of the family */
	enum exposition_type type;
	const char *help; /* one sentence of ours */
	bool is_open;     /* its head is written */
};

/* name: without "perftop_", and of a counter without "_total". */
void exposition_family(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help);

/*
 * A sample of the family. labels: what is between the braces, made with
 * exposition_add_label(); NULL or "": none. A value that is not finite is not known, and no sample.
 */
void exposition_sample(struct exposition *exposition, const char *labels, double value);

/* A family of one sample without labels. */
void exposition_single(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help, double value);

/* Of a histogram: suffix "_bucket", "_sum" or "_count". */
void exposition_part(struct exposition *exposition, const char *suffix, const char *labels,
		     double value);

/* Appends one more label to those of a sample; the value is a name: raw bytes. */
void exposition_add_label(struct strbuf *labels, const char *name, const char *value);
void exposition_add_number_label(struct strbuf *labels, const char *name, uint64_t value);

/* A sum, and the labels of its samples. */
struct tallied {
	const struct tally *tally;
	const char *labels; /* NULL: none */
	uint32_t unknown;   /* bits of enum quantity that have no sample */
};

/* Counters of all quantities and events of some sums; prefix of their names: "task_". */
void exposition_tallies(struct exposition *exposition, const char *prefix,
			const struct layout *layout, const struct tallied *items, size_t count);

/* Gauges of the metrics among the columns of a table. labels: of each row; NULL: it has no series.
 */
void exposition_gauges(struct exposition *exposition, const char *prefix,
		       const struct view_table *table, const char *const *labels);

#endif
