#ifndef PERFTOP_VIEW_COLUMN_TABLE_H
#define PERFTOP_VIEW_COLUMN_TABLE_H

/*
 * The built-in columns, from which column.h makes what is shown, and the input and output of their
 * getters.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/column.h"

extern const struct column column_table[];
extern const size_t column_table_count;

/* What getters look at besides the row. */
struct getter_input {
	struct users *users;
	struct containers *containers;               /* NULL: they are unknown */
	struct processes *processes;                 /* NULL: nothing is known of them */
	const struct function_names *function_names; /* NULL: none are known */
	const struct session *session;
	const struct snapshot *snapshot; /* that rows are made of */
	const char *unattributed_words;  /* of the unattributed row */
	const char *exited_words;        /* of the row of folded processes; raw bytes */
	bool command_lines;              /* command line instead of the task's name */
	bool ascii;
};

/* Raw bytes, borrowed from the snapshot or from struct getter_input. */
struct getter_text {
	const char *text;
	const char *hidden;       /* what an empty text means; it is compared but not shown; NULL:
				     nothing */
	int32_t number;           /* to be shown after the text; 0: none */
	bool ends_in_number;      /* digits at its end may be one, as in "nginx 4711", "web#2" */
	bool begins_with_program; /* it is a command line */
	bool in_brackets;         /* to be shown as [text] */
	const char *mark;         /* shown behind the text, and not compared; NULL: nothing is */
};

static inline struct getter_text as_text(const char *text)
{
	return (struct getter_text){.text = text ? text : ""};
}

/* NaN: the row has no CPU, or it is unknown. */
double row_busy_pct(const struct view_row *row);

/* The row is of idle time, or of a CPU that was hardly busy: its ratios mean little. */
bool row_is_idle(const struct view_row *row);

/* Whether its values are derived from run times only. */
bool column_is_run_time(const struct column *column);

/* Whether /proc says what tasks have, of now: no recording has that. */
bool column_is_of_proc(const struct column *column);

/* Whether it tells the hosts of several recordings apart. */
bool column_is_of_hosts(const struct column *column);

/* What must be known of a cgroup for its tasks to have a value, as in struct snapshot_cgroup; 0: it
 * is not about cgroups' stalls. */
uint32_t column_stalls(const struct column *column);

struct getter_text get_command(const struct getter_input *in, const struct view_row *row);
struct getter_text get_group(const struct getter_input *in, const struct view_row *row);

/* Of the types of tasks: "user" (0), and "kernel"; NULL: there are no more. */
const char *task_type_word(size_t index);

#endif
