/*
 * One small function per fact. They have one signature, that of the column table, and
 * therefore some leave `facts` unused.
 */

#include "view/fact.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "view/table.h"
#include "view/users.h"

static double number_or_unknown(int64_t number)
{
	return number < 0 ? NAN : (double)number;
}

double fact_pid(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return number_or_unknown(row->pid);
}

double fact_tid(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return number_or_unknown(row->tid);
}

double fact_parent_pid(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->task ? number_or_unknown(row->task->parent_pid) : NAN;
}

double fact_cpu(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	if (row->cpu)
		return row->cpu->cpu;
	return row->task ? number_or_unknown(row->task->last_cpu) : NAN;
}

double fact_threads(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	return row->member_count > 0 ? (double)row->member_count : NAN;
}

double fact_time_ns(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	if (row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return (double)row->total[QUANTITY_RUN_NS];
}

double fact_busy_pct(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	/* Known means that the CPU was on for a while (rows.c). */
	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	return 100.0 * (double)row->interval[QUANTITY_RUN_NS] /
	       (double)row->cpu->counter[QUANTITY_RUN_NS];
}

double fact_attributed_pct(const struct facts *facts, const struct view_row *row)
{
	double counted_ns;
	double nobodys_ns;

	(void)facts;
	if (!row->cpu || row->unknown & 1u << QUANTITY_RUN_NS)
		return NAN;
	counted_ns = (double)row->cpu->counter[QUANTITY_RUN_NS];
	nobodys_ns = (double)row->cpu->unattributed[QUANTITY_RUN_NS];
	if (counted_ns <= 0 || nobodys_ns > counted_ns)
		return NAN;
	/* Cut, not rounded: 100.00 says that nothing at all is missing. */
	return floor(10000.0 * (counted_ns - nobodys_ns) / counted_ns) / 100.0;
}

struct fact_words fact_user(const struct facts *facts, const struct view_row *row)
{
	if (row->kind == ROW_EXITED)
		return (struct fact_words){.text = "(exited)"};
	if (!row->task)
		return (struct fact_words){.text = ""};
	return (struct fact_words){.text = users_name(facts->users, row->task->uid)};
}

static struct fact_words task_command(const struct facts *facts, const struct snapshot_task *task)
{
	if (!facts->command_lines)
		return (struct fact_words){.text = task->name};
	if (task->command_line && task->command_line[0] != '\0')
		return (struct fact_words){.text = task->command_line};
	return (struct fact_words){
		.text = task->name,
		.in_brackets = task->is_kernel_thread && task->name[0] != '\0',
	};
}

struct fact_words fact_command(const struct facts *facts, const struct view_row *row)
{
	switch (row->kind) {
	case ROW_TASK:
		return task_command(facts, row->task);
	case ROW_EXITED:
		return (struct fact_words){.text = facts->exited_words};
	case ROW_UNATTRIBUTED:
		return (struct fact_words){.text = facts->unattributed_words};
	case ROW_CPU:
		break;
	}
	return (struct fact_words){.text = ""};
}
