#include <math.h>
#include <stddef.h>

#include "view/getter.h"
#include "view/processes.h"
#include "view/table.h"

static const struct process_now *find(const struct getter_input *in, const struct view_row *row)
{
	return row->kind == ROW_TASK ? processes_find(in->processes, row->task) : NULL;
}

struct getter_text get_source(const struct getter_input *in, const struct view_row *row)
{
	if (row->kind != ROW_TASK)
		return (struct getter_text){.text = ""};
	return (struct getter_text){.text = row->is_from_proc ? "proc" : "counters"};
}

struct getter_text get_state(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return (struct getter_text){.text = now ? now->state : ""};
}

struct getter_text get_start(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return (struct getter_text){.text = now ? now->start : ""};
}

double get_nice(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? (double)now->account.nice : NAN;
}

double get_priority(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? (double)now->account.priority : NAN;
}

double get_resident(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? (double)now->account.resident_bytes : NAN;
}

double get_memory_pct(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? now->memory_pct : NAN;
}

double get_lifetime_ns(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? (double)(now->account.user_ns + now->account.system_ns) : NAN;
}

double get_user_pct(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? now->user_pct : NAN;
}

double get_system_pct(const struct getter_input *in, const struct view_row *row)
{
	const struct process_now *now = find(in, row);

	return now ? now->system_pct : NAN;
}

double get_read_s(const struct getter_input *in, const struct view_row *row)
{
	processes_want_io(in->processes);

	const struct process_now *now = find(in, row);

	return now ? now->read_s : NAN;
}

double get_written_s(const struct getter_input *in, const struct view_row *row)
{
	processes_want_io(in->processes);

	const struct process_now *now = find(in, row);

	return now ? now->written_s : NAN;
}
