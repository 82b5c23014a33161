#include "view/fact_process.h"

#include <math.h>
#include <stddef.h>

#include "view/processes.h"
#include "view/table.h"

static const struct process_now *find(const struct facts *facts, const struct view_row *row)
{
	return row->kind == ROW_TASK ? processes_find(facts->processes, row->task) : NULL;
}

struct fact_words fact_source(const struct facts *facts, const struct view_row *row)
{
	(void)facts;
	if (row->kind != ROW_TASK)
		return (struct fact_words){.text = ""};
	return (struct fact_words){.text = row->is_from_proc ? "proc" : "counters"};
}

struct fact_words fact_state(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return (struct fact_words){.text = now ? now->state : ""};
}

struct fact_words fact_start(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return (struct fact_words){.text = now ? now->start : ""};
}

double fact_nice(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? (double)now->account.nice : NAN;
}

double fact_priority(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? (double)now->account.priority : NAN;
}

double fact_resident(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? (double)now->account.resident_bytes : NAN;
}

double fact_memory_pct(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? now->memory_pct : NAN;
}

double fact_lifetime_ns(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? (double)(now->account.user_ns + now->account.system_ns) : NAN;
}

double fact_user_pct(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? now->user_pct : NAN;
}

double fact_system_pct(const struct facts *facts, const struct view_row *row)
{
	const struct process_now *now = find(facts, row);

	return now ? now->system_pct : NAN;
}

double fact_read_s(const struct facts *facts, const struct view_row *row)
{
	processes_want_io(facts->processes);

	const struct process_now *now = find(facts, row);

	return now ? now->read_s : NAN;
}

double fact_written_s(const struct facts *facts, const struct view_row *row)
{
	processes_want_io(facts->processes);

	const struct process_now *now = find(facts, row);

	return now ? now->written_s : NAN;
}
