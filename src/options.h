#ifndef PERFTOP_OPTIONS_H
#define PERFTOP_OPTIONS_H

/*
 * The command line. Which options there are stands in one table, from which --help is made.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/strbuf.h"

struct batch_format;
struct column;
struct error;
struct view_info;

enum options_action {
	OPTIONS_RUN,
	OPTIONS_CHECK, /* perftop check */
	OPTIONS_HELP,
	OPTIONS_VERSION
};

struct options {
	enum options_action action;
	int32_t *pids; /* owned; -p */
	size_t pid_count, pid_capacity;
	struct strbuf pid_list;  /* -p as it was typed; several are joined */
	char *const *command;    /* behind --; NULL: none */
	struct number_list cpus; /* owned; -C */
	bool has_cpus;
	int64_t uid;                   /* -u; -1: none */
	const struct view_info *view;  /* -V */
	const struct column **columns; /* owned; -c; NULL: those of the view */
	size_t column_count;
	const struct column *sort; /* -s; NULL: that of the view */
	bool sort_reversed;
	bool threads;        /* -H */
	double delay_s;      /* -d */
	uint64_t iterations; /* -n; 0: without end */
	bool batch;          /* -b, or --format */
	const struct batch_format *format;
	const char *output; /* -o; NULL: standard output */
	bool ascii;         /* --ascii */
};

/* Fills *options from the command line. False: *options is empty, error names the word at fault. */
bool options_parse(struct options *options, int argc, char *const *argv, struct error *error);
void options_fini(struct options *options);

/* The text of --help. */
void options_help(struct strbuf *out);

enum {
	OPTIONS_DELAY_MIN_MS = 50,
	OPTIONS_DELAY_MAX_S = 86400
};

/* A delay as a user writes it, in seconds; used by -d and by the prompt. */
bool options_parse_delay(const char *text, double *delay_s, struct error *error);

/* "[-|+]COLUMN": - descending, + ascending, neither: the column's natural order. */
bool options_parse_sort(const char *text, const struct column **column, bool *reversed,
			struct error *error);

#endif
