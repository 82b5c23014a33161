#ifndef PERFTOP_BATCH_EXPOSITION_H
#define PERFTOP_BATCH_EXPOSITION_H

/*
 * The text that Prometheus reads: families of samples, each with its HELP and TYPE line before it.
 * A family without samples leaves no line.
 */

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

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
	char name[EXPOSITION_NAME_MAX]; /* of the family, as it is written */
	enum exposition_type type;
	const char *help; /* one sentence of ours */
	bool is_open;     /* its head is written */
};

/* name: without "perftop_", and of a counter without "_total". */
void exposition_family(struct exposition *exposition, enum exposition_type type, const char *name,
		       const char *help);

/*
 * A sample of the family. labels: what stands between the braces, made with
 * exposition_add_label(); NULL or "": none. A value that is not finite is not known, and no sample.
 */
void exposition_sample(struct exposition *exposition, const char *labels, double value);

/* Of a histogram: suffix "_bucket", "_sum" or "_count". */
void exposition_part(struct exposition *exposition, const char *suffix, const char *labels,
		     double value);

/* Appends one more label to those of a sample; the value is a name: raw bytes. */
void exposition_add_label(struct strbuf *labels, const char *name, const char *value);
void exposition_add_number_label(struct strbuf *labels, const char *name, uint64_t value);

#endif
