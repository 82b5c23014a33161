#ifndef PERFTOP_VIEW_GETTER_H
#define PERFTOP_VIEW_GETTER_H

/*
 * Getters: what columns show that is no metric. Each function is named by
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

/* What getters look at besides the row. */
struct getter_input {
	struct users *users;
	struct containers *containers; /* NULL: they are not known */
	struct processes *processes;   /* NULL: nothing is known of them */
	const struct session *session;
	const char *unattributed_words; /* of the unattributed row */
	const char *exited_words;       /* of the row of folded processes; raw bytes */
	bool command_lines;             /* command line instead of the task's name */
	bool ascii;
};

/* Raw bytes, borrowed from the snapshot or from struct getter_input. */
struct getter_text {
	const char *text;
	const char *untold;  /* what an empty text stands for; it is compared but not shown; NULL:
				nothing */
	int32_t number;      /* to be shown behind the text; 0: none */
	bool ends_in_number; /* the text's last word, if of digits, is one, as in "nginx 4711" */
	bool in_brackets;    /* to be shown as [text] */
};

double get_tasks(const struct getter_input *in, const struct view_row *row);
double get_pid(const struct getter_input *in, const struct view_row *row);
double get_tid(const struct getter_input *in, const struct view_row *row);
double get_parent_pid(const struct getter_input *in, const struct view_row *row);
double get_session(const struct getter_input *in, const struct view_row *row);
double get_cpu(const struct getter_input *in, const struct view_row *row);
double get_socket(const struct getter_input *in, const struct view_row *row);
double get_core(const struct getter_input *in, const struct view_row *row);
double get_smt(const struct getter_input *in, const struct view_row *row);
double get_node(const struct getter_input *in, const struct view_row *row);
struct getter_text get_cpu_kind(const struct getter_input *in, const struct view_row *row);
double get_threads(const struct getter_input *in, const struct view_row *row);
double get_time_ns(const struct getter_input *in, const struct view_row *row);
double get_busy_pct(const struct getter_input *in, const struct view_row *row);

/* The row is of idle time, or of a CPU that was hardly busy: how well it ran says nothing. */
bool get_is_idle(const struct view_row *row);
/* Whether a getter's value is made of run times, and of nothing surer than these. */
bool get_is_run_time(double (*fact)(const struct getter_input *in, const struct view_row *row));
double get_attributed_pct(const struct getter_input *in, const struct view_row *row);

/* Of switches; times in us. */
double get_when_us(const struct getter_input *in, const struct view_row *row); /* wall clock */
double get_ran_us(const struct getter_input *in, const struct view_row *row);
double get_off_us(const struct getter_input *in, const struct view_row *row);
double get_sch_delay_us(const struct getter_input *in, const struct view_row *row);
double get_from_cpu(const struct getter_input *in, const struct view_row *row);

/* Of the slices and waits of tasks; times in us. */
double get_slice_mean_us(const struct getter_input *in, const struct view_row *row);
double get_slice_median_us(const struct getter_input *in, const struct view_row *row);
double get_slice_p99_us(const struct getter_input *in, const struct view_row *row);
double get_slice_max_us(const struct getter_input *in, const struct view_row *row);
double get_preempted_p99_us(const struct getter_input *in, const struct view_row *row);
double get_wakeup_p99_us(const struct getter_input *in, const struct view_row *row);
double get_wakeup_max_us(const struct getter_input *in, const struct view_row *row);
double get_cold_pct(const struct getter_input *in, const struct view_row *row);
double get_cold_ipc(const struct getter_input *in, const struct view_row *row);
double get_warm_ipc(const struct getter_input *in, const struct view_row *row);

struct getter_text get_user(const struct getter_input *in, const struct view_row *row);
struct getter_text get_cgroup(const struct getter_input *in, const struct view_row *row);
struct getter_text get_container(const struct getter_input *in, const struct view_row *row);
struct getter_text get_type(const struct getter_input *in, const struct view_row *row);

/* All words of get_type(): "user", and "kernel"; NULL: there are no more. */
const char *get_type_word(size_t index);
struct getter_text get_command(const struct getter_input *in, const struct view_row *row);
struct getter_text get_prev(const struct getter_input *in, const struct view_row *row);
struct getter_text get_next(const struct getter_input *in, const struct view_row *row);
struct getter_text get_how(const struct getter_input *in, const struct view_row *row);
struct getter_text get_group(const struct getter_input *in, const struct view_row *row);

/* All words of get_how(), from 0 on; NULL: there are no more. */
const char *get_how_word(size_t index);

/* Of rows of tasks, what the system knows of processes (processes.h); in getter_process.c. */
struct getter_text get_source(const struct getter_input *in, const struct view_row *row);
struct getter_text get_state(const struct getter_input *in, const struct view_row *row);
struct getter_text get_start(const struct getter_input *in, const struct view_row *row);
double get_nice(const struct getter_input *in, const struct view_row *row);
double get_priority(const struct getter_input *in, const struct view_row *row);
double get_resident(const struct getter_input *in, const struct view_row *row); /* bytes */
double get_memory_pct(const struct getter_input *in, const struct view_row *row);
double get_lifetime_ns(const struct getter_input *in, const struct view_row *row);
double get_user_pct(const struct getter_input *in, const struct view_row *row);
double get_system_pct(const struct getter_input *in, const struct view_row *row);
double get_read_s(const struct getter_input *in, const struct view_row *row);    /* bytes */
double get_written_s(const struct getter_input *in, const struct view_row *row); /* bytes */

/* Of rows that are sums over the history: pairs, then lengths; in getter_history.c. */
struct getter_text get_victim(const struct getter_input *in, const struct view_row *row);
struct getter_text get_taker(const struct getter_input *in, const struct view_row *row);
double get_times(const struct getter_input *in, const struct view_row *row);
double get_times_per_s(const struct getter_input *in, const struct view_row *row);
double get_lost_us(const struct getter_input *in, const struct view_row *row);
double get_lost_us_per_s(const struct getter_input *in, const struct view_row *row);
double get_lost_mean_us(const struct getter_input *in, const struct view_row *row);
double get_lost_worst_us(const struct getter_input *in, const struct view_row *row);

double get_length_us(const struct getter_input *in, const struct view_row *row);
double get_below_us(const struct getter_input *in, const struct view_row *row);
double get_slices(const struct getter_input *in, const struct view_row *row);
double get_slices_bar(const struct getter_input *in, const struct view_row *row);
double get_preempted_waits(const struct getter_input *in, const struct view_row *row);
double get_preempted_waits_bar(const struct getter_input *in, const struct view_row *row);
double get_queue_waits(const struct getter_input *in, const struct view_row *row);
double get_queue_waits_bar(const struct getter_input *in, const struct view_row *row);

#endif
