#ifndef PERFTOP_VIEW_COLUMN_H
#define PERFTOP_VIEW_COLUMN_H

/*
 * The columns there are: one table, one entry a line. A column is either a metric
 * (its value, scale and help come from the metric table) or a fact about the row.
 * Titles, widths, help screen, sorting, batch text and completion all read this table.
 */

#include <stdbool.h>
#include <stddef.h>

struct fact_words;
struct facts;
struct view_row;

enum column_format {
	COLUMN_TEXT,     /* left-aligned words */
	COLUMN_INTEGER,  /* right-aligned, all digits */
	COLUMN_SI,       /* three significant digits with k M G */
	COLUMN_FIXED_1,  /* 61.2 */
	COLUMN_FIXED_2,  /* 0.31 */
	COLUMN_DURATION, /* 3.98ms; the value is in us */
	COLUMN_CPU_TIME, /* 1:23.45; the value is in ns */
	COLUMN_BAR       /* 0..100, drawn as a bar; its number in text output */
};

struct column {
	const char *name;  /* identity, as in -c, -s and at the prompt: "miss%" */
	const char *title; /* over the column: "MISS %" */
	int width;         /* on the screen; a text column that stands last takes what is left */
	enum column_format format;
	bool descends;      /* natural order: biggest first */
	const char *metric; /* name in the metric table; NULL: a fact about the row */
	/* A fact is a number or a text of the row (fact.h); both NULL: a metric. */
	double (*number)(const struct facts *facts, const struct view_row *row);
	struct fact_words (*words)(const struct facts *facts, const struct view_row *row);
	const char *help; /* one sentence; NULL: that of the metric */
};

const struct column *column_table(size_t *count);

/* By name, without regard to case; NULL: none. */
const struct column *column_find(const char *name);

/* The column's help, or that of its metric. */
const char *column_help(const struct column *column);

/* Names of all columns joined by ", ", for messages. */
void column_names(char *text, size_t size);

#endif
