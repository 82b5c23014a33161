#ifndef PERFTOP_VIEW_FACT_H
#define PERFTOP_VIEW_FACT_H

/*
 * Facts about rows: what columns show that is no metric. Each function is named by
 * one line of the column table. Numbers are NaN and texts "" where the row has no such
 * thing or it is not known.
 */

#include <stdbool.h>

struct session;
struct users;
struct view_row;

/* What facts are taken from besides the row. */
struct facts {
	struct users *users;
	const char *unattributed_words; /* of the unattributed row */
	const char *exited_words;       /* of the row of folded processes; raw bytes */
	bool command_lines;             /* command line instead of the task's name */
	bool ascii;
};

/* Raw bytes, borrowed from the snapshot or from struct facts. */
struct fact_words {
	const char *text;
	bool in_brackets; /* to be shown as [text] */
};

double fact_pid(const struct facts *facts, const struct view_row *row);
double fact_tid(const struct facts *facts, const struct view_row *row);
double fact_parent_pid(const struct facts *facts, const struct view_row *row);
double fact_cpu(const struct facts *facts, const struct view_row *row);
double fact_threads(const struct facts *facts, const struct view_row *row);
double fact_time_ns(const struct facts *facts, const struct view_row *row);
double fact_busy_pct(const struct facts *facts, const struct view_row *row);
double fact_attributed_pct(const struct facts *facts, const struct view_row *row);

struct fact_words fact_user(const struct facts *facts, const struct view_row *row);
struct fact_words fact_command(const struct facts *facts, const struct view_row *row);

#endif
