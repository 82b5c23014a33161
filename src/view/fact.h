#ifndef PERFTOP_VIEW_FACT_H
#define PERFTOP_VIEW_FACT_H

/*
 * Facts about rows: what columns show that is no metric. Each function is named by
 * one line of the column table. Numbers are NaN and texts "" where the row has no such
 * thing or it is not known.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct containers;
struct processes;
struct session;
struct users;
struct view_row;

/* What facts are taken from besides the row. */
struct facts {
	struct users *users;
	struct containers *containers; /* NULL: they are not known */
	struct processes *processes;   /* NULL: nothing is known of them */
	const struct session *session;
	const char *unattributed_words; /* of the unattributed row */
	const char *exited_words;       /* of the row of folded processes; raw bytes */
	bool command_lines;             /* command line instead of the task's name */
	bool ascii;
};

/* Raw bytes, borrowed from the snapshot or from struct facts. */
struct fact_words {
	const char *text;
	const char *untold;  /* what an empty text stands for; it is compared but not shown; NULL:
				nothing */
	int32_t number;      /* to be shown behind the text; 0: none */
	bool ends_in_number; /* the text's last word, if of digits, is one, as in "nginx 4711" */
	bool in_brackets;    /* to be shown as [text] */
};

double fact_pid(const struct facts *facts, const struct view_row *row);
double fact_tid(const struct facts *facts, const struct view_row *row);
double fact_parent_pid(const struct facts *facts, const struct view_row *row);
double fact_session(const struct facts *facts, const struct view_row *row);
double fact_cpu(const struct facts *facts, const struct view_row *row);
double fact_socket(const struct facts *facts, const struct view_row *row);
double fact_core(const struct facts *facts, const struct view_row *row);
double fact_smt(const struct facts *facts, const struct view_row *row);
double fact_node(const struct facts *facts, const struct view_row *row);
struct fact_words fact_cpu_kind(const struct facts *facts, const struct view_row *row);
double fact_threads(const struct facts *facts, const struct view_row *row);
double fact_time_ns(const struct facts *facts, const struct view_row *row);
double fact_busy_pct(const struct facts *facts, const struct view_row *row);

/* The row is of idle time, or of a CPU that was hardly busy: how well it ran says nothing. */
bool fact_is_idle(const struct view_row *row);
/* Whether a fact is made of run times, and of nothing surer than these. */
bool fact_is_run_time(double (*fact)(const struct facts *facts, const struct view_row *row));
double fact_attributed_pct(const struct facts *facts, const struct view_row *row);

/* Of switches; times in us. */
double fact_when_us(const struct facts *facts, const struct view_row *row); /* wall clock */
double fact_ran_us(const struct facts *facts, const struct view_row *row);
double fact_off_us(const struct facts *facts, const struct view_row *row);
double fact_waited_us(const struct facts *facts, const struct view_row *row);
double fact_from_cpu(const struct facts *facts, const struct view_row *row);

/* Of the slices and waits of tasks; times in us. */
double fact_slice_mean_us(const struct facts *facts, const struct view_row *row);
double fact_slice_median_us(const struct facts *facts, const struct view_row *row);
double fact_slice_p99_us(const struct facts *facts, const struct view_row *row);
double fact_slice_max_us(const struct facts *facts, const struct view_row *row);
double fact_preempted_p99_us(const struct facts *facts, const struct view_row *row);
double fact_wakeup_p99_us(const struct facts *facts, const struct view_row *row);
double fact_wakeup_max_us(const struct facts *facts, const struct view_row *row);
double fact_cold_pct(const struct facts *facts, const struct view_row *row);
double fact_cold_ipc(const struct facts *facts, const struct view_row *row);
double fact_warm_ipc(const struct facts *facts, const struct view_row *row);

struct fact_words fact_user(const struct facts *facts, const struct view_row *row);
struct fact_words fact_cgroup(const struct facts *facts, const struct view_row *row);
struct fact_words fact_container(const struct facts *facts, const struct view_row *row);
struct fact_words fact_type(const struct facts *facts, const struct view_row *row);

/* All words of fact_type(): "user", and "kernel"; NULL: there are no more. */
const char *fact_type_word(size_t index);
struct fact_words fact_command(const struct facts *facts, const struct view_row *row);
struct fact_words fact_left(const struct facts *facts, const struct view_row *row);
struct fact_words fact_came(const struct facts *facts, const struct view_row *row);
struct fact_words fact_how(const struct facts *facts, const struct view_row *row);

/* All words of fact_how(), from 0 on; NULL: there are no more. */
const char *fact_how_word(size_t index);

#endif
